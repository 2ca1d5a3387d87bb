"""The Allan deviation of every IMU and magnetometer of the catalogue, at rest, against the curve of its data sheet.

The expected curve is the sum of the variances of the profile's own noises, each by its closed form (IEEE Std 952):
white N^2 / tau, bias instability as its Gauss-Markov process, rate random walk K^2 tau / 3, converter q^2 / (12 rate tau).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from inertial_records import record

from sensorium.apps.reproductions.inertial_profiles import (
    QUANTITIES,
    correlation_s,
    expected_deviation,
    expected_random_walk,
    means_at_rest,
    profiles,
)
from sensorium.evaluation.allan import allan_curve, noise_parameters
from sensorium.sensors import sensor_of

CASES = profiles()


@pytest.mark.parametrize(("name", "part"), CASES)
def test_short_record_of_a_profile(name, part) -> None:
    """80,000 readings: the curve lies in its band at all cluster times, and N is that of the sheet within 4.5 of its errors.

    The band is one of 1 - 1e-5: 3 axes and some 40 cluster times of 12 instruments are looked at.
    """
    imu = sensor_of(name, readings=20_000)
    values = np.concatenate([getattr(each, QUANTITIES[part]).values for each in record(imu, 4, seed=3, name=name)])
    curve = allan_curve(values, imu.rate_hz, confidence=1 - 1e-5)
    truth = expected_deviation(imu, part, curve.tau_s)
    assert ((curve.low < truth) & (truth < curve.high)).all()
    found, stated = noise_parameters(curve), expected_random_walk(imu, part)
    assert (np.abs(found.random_walk - stated) < 4.5 * found.random_walk_error + 1e-3 * stated).all()


@pytest.mark.study
@pytest.mark.parametrize(("name", "part"), CASES)
def test_long_record_of_a_profile(name, part) -> None:
    """Forty correlation times: hill of the instability and slope +1/2 lie in the band too.

    N, B and K read from the record are those read from the exact curve of the profile. (They are not the profile's own B and
    K: left of its hill a Gauss-Markov bias rises with the slope of a random walk.)
    """
    imu = sensor_of(name)
    values, rate_hz = means_at_rest(name, part, 40 * correlation_s(imu, part), seed=7)
    curve = allan_curve(values, rate_hz, confidence=1 - 1e-5)
    truth = expected_deviation(imu, part, curve.tau_s)
    assert ((curve.low < truth) & (truth < curve.high)).all()
    found, stated = noise_parameters(curve), noise_parameters(replace(curve, deviation=truth, low=truth))
    off = np.abs(found.random_walk - stated.random_walk)
    assert (off < 4.5 * found.random_walk_error + 1e-3 * stated.random_walk).all()
    for what, within in (("bias_instability", 0.25), ("rate_random_walk", 0.5)):
        read, exact = getattr(found, what), getattr(stated, what)
        both = ~np.isnan(read) & ~np.isnan(exact)
        assert read[both] == pytest.approx(exact[both], rel=within), what
    assert found.random_walk == pytest.approx(expected_random_walk(imu, part), rel=0.02)
