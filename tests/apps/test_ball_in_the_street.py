"""The bouncing ball in the simulated street: found, followed, and an alert in time; never one for what stands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sensorium.apps.measures.street import LidarAlerts
from sensorium.apps.studies.following import follow
from sensorium.core.pose import Pose
from sensorium.samples import Image
from sensorium.simulation.scenario import load_scenario, scenario_path
from sensorium.tracking.detections import standing
from sensorium.tracking.image_detectors import HottestPoint

EASY = ["rig[2].sensor.bundle.rays=1"]
AWAY = "bodies[1].motion={type: fixed, pose: {position_m: [0, 60, 50]}}"


def test_lidar_alone_follows_and_alarms():
    """Found within two scans of its start, median error below 0.3 m, an alert before it is in the way."""
    scenario = load_scenario(scenario_path("bouncing_ball"), [*EASY, "duration_s=2.4"])
    row = LidarAlerts().row(scenario, 3, 0)
    assert row["found_s"] < 1.2
    assert row["median_position_m"] < 0.3
    assert row["alert_s"] is not None
    assert row["enters_way_s"] is None or row["alert_s"] < row["enters_way_s"]


@pytest.mark.study
@pytest.mark.parametrize("seed", range(20))
def test_what_stands_never_alarms(seed):
    """Twenty streets without the ball, the car standing: no alert."""
    sets = [*EASY, "duration_s=1.5", AWAY, f"world.seed={seed}", f"seed={seed}"]
    row = LidarAlerts(target=None).row(load_scenario(scenario_path("bouncing_ball"), sets), seed, 0)
    assert row["alert_s"] is None


@pytest.mark.study
def test_all_three_sensors_find_the_ball():
    """Both cameras, the hottest point and the LiDAR: from the second scan after its start on the error is below 0.3 m."""
    scenario = load_scenario(scenario_path("bouncing_ball"), [*EASY, "duration_s=1.5"])
    simulation, mounts = scenario.simulation(), {mount.name: mount.pose for mount in scenario.rig}
    car, samples, hot = Pose.at(64.0, -1.75, 0.0), [], []
    ball = scenario.scene.body("ball").motion
    for sample in simulation.samples(scenario.duration_s):
        samples.append(sample)
        if isinstance(sample, Image) and sample.stamp.sensor == "thermal":
            seat = standing(car @ mounts["thermal"])
            found = HottestPoint().detect(sample, seat).measurements
            place = (car @ mounts["thermal"]).inverse().transform(ball.pose_at(found.time_ns[:, 0]).position_m)
            hot += np.abs(found.value[:, 0, 0] - np.arctan2(place[:, 1], place[:, 0])).tolist()
    assert np.median(hot) < 2 * np.radians(40) / 320
    counts, errors = {"visible": 0, "thermal": 0, "lidar": 0}, []
    for scene in follow(samples, "lidar", "car", mounts):
        for name, count in (*scene.image_detections.items(), ("lidar", len(scene.detections))):
            counts[name] += count
        late_s = (scene.truth.stamp.time_ns - scene.tracks.belief.time_ns) * 1e-9
        now = scene.tracks.belief.position_m + scene.tracks.belief.velocity_m_s * late_s[:, None]
        place = scene.truth.pose.position_m[scene.truth.names.index("ball")]
        errors.append(np.linalg.norm(now - place, axis=1).min(initial=np.inf))
    assert min(counts.values()) > 3
    begin = int(np.argmax(np.isfinite(errors)))
    assert np.median(errors[begin + 2 :]) < 0.3


def test_other_sensors_change_nothing():
    """The row of the LiDAR alone is the same whatever else is on the rig."""
    scenario = load_scenario(scenario_path("bouncing_ball"), [*EASY, "duration_s=0.8"])
    alone = replace(scenario, rig=scenario.rig[2:])
    assert LidarAlerts().row(scenario, 3, 0) == LidarAlerts().row(alone, 3, 0)
