"""The car at 10 m/s: the ball is found among all that it passes, from poses of the car and scans alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sensorium.apps.measures.street import LidarAlerts
from sensorium.apps.reproductions.tracking_clutter import SCENARIO, _nearest, draw, driven
from sensorium.simulation.scenario import load_scenario, scenario_path

AWAY = "bodies[1].motion={type: fixed, pose: {position_m: [0, 60, 50]}}"
REACH_M, PASSED_M = 17.0, 4.7


@pytest.mark.study
def test_the_ball_is_found_and_the_picture_drawn(tmp_path):
    """Two scans after it has come within 17 m: tracked in every scan, median error below 0.3 m, an alert while it is ahead."""
    scenes = driven()
    errors, ahead = [], []
    for scene in scenes:
        truth = scene.truth
        car, ball = (truth.pose[truth.names.index(name)] for name in ("car", "ball"))
        ahead_m = float(car.inverse().transform(ball.position_m)[0])
        ahead += [ahead_m] if scene.alert.any() else []
        if PASSED_M < ahead_m < REACH_M:
            near = _nearest(scene)
            errors.append(np.inf if near is None else float(np.linalg.norm(near - ball.position_m)))
    assert len(errors) > 8
    assert np.isfinite(errors[2:]).all()
    assert np.median(errors[2:]) < 0.3
    assert min(ahead, default=0) > 0
    assert draw(scenes, tmp_path / "clutter.png").stat().st_size > 20_000


@pytest.mark.study
@pytest.mark.parametrize("seed", [7, 8, 9])
def test_passing_what_stands_raises_no_alert(seed):
    """Three streets without the ball, passed at 10 m/s: no alert in 25 scans."""
    scenario = load_scenario(scenario_path(SCENARIO), [AWAY, f"world.seed={seed}", "duration_s=2.5"])
    alone = replace(scenario, rig=scenario.rig[2:])
    assert LidarAlerts(target=None).row(alone, seed, 0)["alert_s"] is None
