"""A receiver with a base station: float, then fixed to centimetres, and single where the base is not heard."""

import numpy as np
from gnss_worlds import error_enu_m, run, scene_of, upright

from sensorium.samples import FixType
from sensorium.sensors import Gnss

BASE = {"position_m": (150.0, 80.0, 12.0)}


def test_float_then_fixed_to_centimetres():
    """Fixed positions scatter by what their covariance says, and none is a wavelength off."""
    samples = run(Gnss(rate_hz=2.0, base_station=BASE, solving={"type": "rtk"}), scene_of(), 30, seed=2)
    kinds = [sample.fix for sample in samples]
    assert kinds[:3] == [FixType.FLOAT] * 3
    assert kinds[6:] == [FixType.FIXED] * 24
    errors = np.array([error_enu_m(sample) for sample in samples[6:]])
    sigma = np.sqrt(np.diag(samples[-1].covariance_m2))
    assert np.abs(errors).max() < 0.03
    assert (np.abs(errors.mean(0)) < 4 * sigma).all()
    assert max(np.abs(error_enu_m(sample)).max() for sample in samples[:3]) < 3


def test_the_link_comes_and_goes():
    """Without the base the fix is a single one."""
    base = {**BASE, "start_s": 3.0, "end_s": 10.0}
    kinds = [s.fix for s in run(Gnss(rate_hz=1.0, base_station=base, solving={"type": "rtk"}), scene_of(), 13)]
    assert kinds[:3] == [FixType.SINGLE] * 3
    assert FixType.FIXED in kinds[5:10]
    assert kinds[10:] == [FixType.SINGLE] * 3


def test_a_canyon_degrades_it():
    """Between high walls there are too few signals for whole cycles most of the time, and mirrors bend the phase."""
    walls = [upright(f"wall{side}", (-200, 200), (side * 7.0,) * 2, 0.0, 40.0) for side in (-1, 1)]
    samples = run(Gnss(rate_hz=1.0, base_station=BASE, solving={"type": "rtk"}), scene_of(*walls), 12)
    assert {sample.fix for sample in samples} - {FixType.FIXED}
    fixed = [np.abs(error_enu_m(sample)).max() for sample in samples if sample.fix == FixType.FIXED]
    assert all(error < 0.5 for error in fixed)
