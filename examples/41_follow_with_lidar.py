"""A LiDAR on a standing car follows a ball that bounces across the road, from samples alone: clusters, tracks, an alert.

Prints what is believed after every second scan; the rest of the street is background that the first scans have shown.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from sensorium.core.pose import Pose
from sensorium.samples import PointCloud
from sensorium.simulation import Simulation
from sensorium.simulation.scenario import load_scenario, scenario_path
from sensorium.tracking.apparent_motion import CommonMotion
from sensorium.tracking.cloud_background import CloudBackground
from sensorium.tracking.cloud_clusters import ClusterDetector
from sensorium.tracking.cloud_shapes import ROUND
from sensorium.tracking.collision import CollisionAlert
from sensorium.tracking.detections import standing
from sensorium.tracking.frames import seen_from
from sensorium.tracking.tracker import Tracker

CAR = Pose.at(64.0, -1.75, 0.0)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("out"))
    arguments.add_argument("--seconds", type=float, default=2.0)
    given = arguments.parse_args()

    scenario = load_scenario(
        scenario_path("bouncing_ball"),
        [f"duration_s={given.seconds}", "rig[2].sensor.bundle.rays=1", "bodies[1].motion.start_s=0.2"],
    )
    lidar = next(mount for mount in scenario.rig if mount.name == "lidar")
    simulation = Simulation(scenario.scene, [lidar], scenario.seed, truth_rate_hz=None)
    seat = standing(CAR @ lidar.pose)
    detector, tracker, motion, alarm = ClusterDetector(), Tracker(), CommonMotion(), CollisionAlert()
    tracks, background, lines = tracker.init(), CloudBackground(), []
    for number, scan in enumerate(simulation.samples(scenario.duration_s)):
        assert isinstance(scan, PointCloud)
        if number < 2:
            times_ns = scan.stamp.time_ns + scan.time_offset_ns.astype(np.int64)
            background = background.learned(seat(times_ns).transform(scan.points_m.astype(np.float64)))
            continue
        found = detector.detect(scan, seat, background)
        tracks = tracker.step(tracks, found)
        own = seen_from(tracks.believed.belief, CAR)
        moving = motion.apparent(own, np.zeros(3)).moving
        told = alarm.assess(own, moving)
        balls = int((found.features["kind"] == ROUND).sum())
        line = f"{scan.stamp.ready_ns * 1e-9:.1f} s: {len(found)} things, {balls} of them round, {len(own)} believed"
        for row in np.flatnonzero(moving):
            x, y, z = own.position_m[row]
            line += f"; moving at x {x:.2f} y {y:+.2f} z {z:.2f} m"
            line += f", ALERT in {told.time_s[row]:.1f} s" if told.alert[row] else ""
        lines.append(line)
        print(line)
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "41_follow_with_lidar.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
