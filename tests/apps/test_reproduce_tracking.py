"""`sensorium reproduce tracking`, the study behind it, and `bench tracking`."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from sensorium.apps.reproductions.tracking_simulated import SCANS, simulated_rows
from sensorium.apps.studies.ball_tracking import FILTERS, start, track
from sensorium.apps.studies.bouncing_ball import (
    INSTRUMENTS,
    LIDAR,
    RADAR,
    BouncingBall,
    angular,
    cartesian,
    throws,
)
from sensorium.apps.studies.simulated_ball import rms_band

COMMAND = [sys.executable, "-m", "sensorium.apps.command_line"]


def test_every_feature_holds(tmp_path):
    """The command from the outside, with fewer runs: all rows hold, and the picture is drawn."""
    rows, png = tmp_path / "rows.json", tmp_path / "errors.png"
    command = [
        *COMMAND,
        "reproduce",
        "tracking",
        "--runs",
        "200",
        "--simulated",
        "0",
        "--json",
        str(rows),
        "--png",
        str(png),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(rows.read_text())
    assert len(told["rows"]) >= 15
    assert all(row["holds"] for row in told["rows"])
    assert len(np.unique(np.asarray(Image.open(png).convert("RGB")).reshape(-1, 3), axis=0)) > 50


@pytest.mark.study
def test_simulated_scans_agree_with_the_level_of_measurements():
    """Sixteen throws with every beam of the LiDAR: a ball in sight is as sure as it says, the error curve lies in its band.

    The row over all detections also counts balls that the background cuts; it is known to lie above its band, and is only shown.
    """
    rows = list(simulated_rows(16))
    assert len(rows) == 3 + len(SCANS)
    (shown,) = [row for row in rows if "all detections" in row.case]
    missed = [row for row in rows if row is not shown and not row.holds]
    assert missed == []


def test_band_holds_nine_of_ten_like_samples_and_no_other():
    """RMS of 24 draws from the same errors lies in the 90 % band of all times together about 9 times of 10; half of it never."""
    sigma = np.array([1.0, 2.0, 0.5])
    rng = np.random.default_rng(1)
    low, high = rms_band(np.abs(rng.normal(size=(2000, 3))) * sigma, 24, 0.9)
    rms = np.sqrt(np.mean((rng.normal(size=(1000, 24, 3)) * sigma) ** 2, 1))
    inside = ((rms >= low) & (rms <= high)).all(1).mean()
    assert abs(inside - 0.9) < 0.045  # 5 sqrt(0.9 0.1 / 1000), from 0.9
    assert not ((rms / 2 >= low) & (rms / 2 <= high)).all(1).any()


def test_measurements_scatter_as_their_sensors_say():
    """Measured minus true, over the standard deviation, is N(0, 1): mean and variance within 5 / sqrt(N)."""
    study = BouncingBall(runs=40, duration_s=2.0)
    made = throws(study, 0, 40)
    for view in (angular, cartesian):
        m = view(study, made)
        noiseless = type(made)(**{**vars(made), "spherical": _exact(made)})
        e = (m.value - view(study, noiseless).value) / np.sqrt(np.einsum("btii->bti", m.covariance) + 1e-300)
        lidar = made.instrument == len(INSTRUMENTS) - 1
        for part in (e[:, lidar].ravel(), e[:, ~lidar][..., :2].ravel()):
            assert abs(part.mean()) < 5 / np.sqrt(len(part))
            assert abs(part.var() - 1) < 5 * np.sqrt(2 / len(part))


def _exact(made):
    p = made.position_m - np.array([0, 0, 1.5])
    return np.stack((np.linalg.norm(p, axis=-1), np.arctan2(p[..., 1], p[..., 0]),
                     np.arctan2(p[..., 2], np.hypot(p[..., 0], p[..., 1]))), -1)  # fmt: skip


def test_a_run_does_not_depend_on_its_neighbours():
    """Run 7 alone is run 7 of many, to the bit."""
    study = BouncingBall(runs=10, duration_s=0.5)
    alone, many = throws(study, 7, 8), throws(study, 0, 10)
    assert (alone.spherical[0] == many.spherical[7]).all()
    assert (alone.position_m[0] == many.position_m[7]).all()


def test_schedule_counts_ninety_measurements_a_second():
    time_ns, which = BouncingBall().schedule()
    assert (np.diff(time_ns) >= 0).all()
    assert [int((which == k).sum()) for k in range(3)] == [601, 201, 100]


@pytest.mark.parametrize("name", ["kalman", "extended_kalman", "interacting_models"])
def test_lidar_alone_finds_the_ball(name):
    """With the LiDAR alone the first belief is its first scan; a second later the error is below 0.3 m."""
    study = BouncingBall(runs=20, duration_s=2.0, instruments=(LIDAR,))
    errors = track(study, name)
    assert np.sqrt((errors.position_m[:, errors.time_s > 0.3] ** 2).mean()) < 0.3
    made = throws(study, 0, 20)
    assert (start(angular(study, made)).time_ns == 100_000_000).all()
    assert set(FILTERS) >= {name}


def test_the_radar_as_fourth_sensor():
    """60 throws of 4 s with the same errors of the other three: with a radar place and speed are known better."""
    errors = [
        track(BouncingBall(runs=60, duration_s=4.0, instruments=instruments), "interacting_models")
        for instruments in (INSTRUMENTS, (*INSTRUMENTS, RADAR))
    ]
    settled = errors[0].time_s > 0.5
    assert (errors[0].time_s == errors[1].time_s).all()
    for name in ("position_m", "speed_m_s", "radial_speed_m_s"):
        three, four = (np.sqrt(np.mean(getattr(one, name)[:, settled] ** 2)) for one in errors)
        assert four < three, name


def test_the_radar_hears_only_what_moves():
    """Its measurements are valid where the ball is ahead and moves by 0.3 m/s along the line of sight; with their own noise."""
    study = BouncingBall(runs=50, duration_s=3.0, instruments=(*INSTRUMENTS, RADAR))
    made, without = throws(study, 0, 50), throws(BouncingBall(runs=50, duration_s=3.0), 0, 50)
    radar = made.instrument == 3
    line = made.position_m - np.array([0, 0, 1.5])
    radial = (line * made.velocity_m_s).sum(-1) / np.linalg.norm(line, axis=-1)
    assert (made.seen[:, radar] == (np.abs(radial[:, radar]) >= 0.3)).all()
    assert 0.1 < made.seen[:, radar].mean() < 0.9
    off = (angular(study, made).value[..., 3] - radial)[:, radar].ravel() / 0.05
    assert abs(off.mean()) < 5 / np.sqrt(len(off))
    assert abs(off.var() - 1) < 5 * np.sqrt(2 / len(off))
    np.testing.assert_array_equal(made.spherical[:, ~radar], without.spherical)
    assert angular(study, made).value.shape[-1] == 4
    assert cartesian(study, made).value.shape[-1] == 3
