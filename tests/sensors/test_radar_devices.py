"""Radars of the catalogue: figures of the makers, and both fidelities on the same target."""

import numpy as np
import pytest
from radars import scan_of

from sensorium.core.units import quantity
from sensorium.sensors import device, device_names, sensor_of
from sensorium.sensors.radar.paths import Paths

RADARS = [name for name in device_names() if device(name).sensor["type"] == "radar"]


def test_bands_of_the_catalogue():
    """24, 60 and 77 GHz, short and long range."""
    centres = {name: sensor_of(name).chirps.centre_hz / 1e9 for name in RADARS}
    assert {round(centre) for centre in centres.values()} >= {24, 62, 76, 77}


def test_continental_far_range():
    """1.79 m, 0.37 km/h and 250 m as the data sheet prints them; a beam of 2.2 degrees."""
    radar, sheet = sensor_of("continental_ars408_far"), device("continental_ars408_far").data_sheet
    chirps = radar.chirps
    assert chirps.range_resolution_m == pytest.approx(sheet["range_resolution_far_m"], rel=0.01)
    assert chirps.speed_resolution_m_s(2) == pytest.approx(quantity(sheet["speed_resolution_m_s"], "m/s"), rel=0.02)
    assert radar.range_max_m == sheet["range_far_m"][1]
    assert radar.array.channels == sheet["channels"]
    places = np.sort(radar.array.places_m[:, 0])
    whole = np.ptp(places) * 12 / 11
    assert np.degrees(0.886 * chirps.wavelength_m / whole) == pytest.approx(2.2, abs=0.2)


@pytest.mark.parametrize("name", ["ti_awr1843_short_range", "ti_iwr6843_indoor"])
def test_elements_lie_half_a_wavelength_apart(name):
    """Within a percent, so that the whole view is unambiguous."""
    radar = sensor_of(name)
    y = np.unique(np.round(radar.array.places_m[:, 0], 6))
    assert np.diff(y) == pytest.approx(radar.chirps.wavelength_m / 2, rel=0.01)


@pytest.mark.parametrize("name", RADARS)
def test_fidelities_agree_on_an_isolated_target(name):
    """Range, speed, azimuth and signal-to-noise ratio of both, over eight frames: within errors and 1 dB."""
    found = {}
    for fidelity in ("detection", "signal"):
        radar = sensor_of(name, truth=True, fidelity={"type": fidelity})
        per_m2 = float(radar.front.heard_w_m2(Paths.points(0.4 * radar.range_max_m), 0.0)[0])
        section = 10**3.0 / (per_m2 * radar.front.integrated / radar.front.noise_w)
        speed = 0.3 * radar.chirps.speed_max_m_s(radar.front.transmitters)
        paths = Paths.points(0.4 * radar.range_max_m, speed, 0.1, cross_section_m2=section)
        rows = []
        for sample in range(8):
            scan = scan_of(radar, paths, sample)
            best = np.argmin(np.abs(scan.range_m - 0.4 * radar.range_max_m))
            sigma = np.sqrt(np.diag(scan.covariance[best])[:3])
            told = np.array([scan.range_m[best], scan.speed_m_s[best], scan.azimuth_rad[best]], float)
            assert (np.abs(told - (0.4 * radar.range_max_m, speed, 0.1)) < 5 * sigma + 1e-3).all()
            rows.append(scan.snr_db[best])
        found[fidelity] = 10 * np.log10(np.mean(10 ** (np.array(rows) / 10)))
    assert found["signal"] == pytest.approx(found["detection"], abs=1)
