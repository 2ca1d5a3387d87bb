"""`sensorium reproduce inertial` on shortened records: every profile has its rows, and they hold."""

from __future__ import annotations

import pytest

from sensorium.apps.reproductions import inertial
from sensorium.apps.reproductions.inertial_profiles import expected_deviation, expected_random_walk, profiles
from sensorium.evaluation import allan_models
from sensorium.sensors import sensor_of


def test_rows_of_one_profile():
    """Random walk, bottom of the curve, whole curve; in the units of the data sheet."""
    walk, bottom, whole = inertial._profile_rows("pni_rm3100", "magnetometer", 5)
    assert walk.unit == "nT/sqrt(Hz)"
    assert walk.theirs == pytest.approx(1.549, rel=1e-3)
    assert bottom.holds
    assert whole.holds


def test_mechanics_and_the_earth_hold():
    rows = [*inertial._mechanics_rows(), *inertial._earth_rows()]
    assert len(rows) == 8
    assert all(row.holds for row in rows)


def test_expected_curve_by_hand():
    """ASM330LHH gyroscope at 1 s: N = 0.005/sqrt(2) deg/s/sqrt(Hz), its bias of 3/0.6174 deg/h and the rest far below."""
    import numpy as np

    imu, deg = sensor_of("st_asm330lhh"), np.pi / 180
    assert ("st_asm330lhh", "gyroscope") in profiles()
    assert expected_random_walk(imu, "gyroscope") == pytest.approx(0.005 / np.sqrt(2) * deg, rel=2e-3)
    tau = np.array([1.0])
    bias = allan_models.gauss_markov(3 / 3600 / 0.6174 * deg, 400.0, tau)[0]
    by_hand = np.hypot(0.005 / np.sqrt(2) * deg, bias)
    assert expected_deviation(imu, "gyroscope", tau)[0] == pytest.approx(by_hand, rel=2e-3)
