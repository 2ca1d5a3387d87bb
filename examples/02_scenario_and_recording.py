"""A scenario from YAML with changes from Python, recorded as MCAP, and read back.

The file that this writes opens in Foxglove, in Rerun (`sensorium view`) and with any ROS 2 tool.
"""

import argparse
from pathlib import Path

import numpy as np

from sensorium.apps.driving import drive
from sensorium.core.yaml_text import parse_yaml
from sensorium.recording import open_recording
from sensorium.samples import PointCloud, TruthSample
from sensorium.simulation.scenario import load_scenario, scenario_of, scenario_path

CHANGES = (
    "duration_s=1 s",
    "world.length_m=80 m",
    "rig[0].sensor.device=velodyne_vlp16",
    "rig[0].sensor.rate_hz=20 Hz",
    "recording.layout=sensorium",
)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("out"))
    given = arguments.parse_args()

    scenario = load_scenario(scenario_path("first_drive"), CHANGES)
    made = drive(scenario, given.out / "02_drive.mcap")
    print(f"{made.path}: {made.simulated_s:g} s, {made.size / 1e6:.1f} MB, {made.samples}")

    recording = open_recording(made.path)
    clouds = [sample for sample in recording.samples("lidar") if isinstance(sample, PointCloud)]
    truths = [sample for sample in recording.samples("truth") if isinstance(sample, TruthSample)]
    for cloud in clouds[::5]:
        first, last = cloud.stamp.time_ns / 1e9, cloud.stamp.ready_ns / 1e9
        print(f"scan {cloud.stamp.index} from {first:.2f} to {last:.2f} s: {len(cloud)} points")
    start, end = (truth.pose.position_m[truth.names.index("ego")] for truth in (truths[0], truths[-1]))
    print(f"the car started and went {np.linalg.norm(end - start):.2f} m; {len(truths[0].names)} bodies have a truth")

    again = scenario_of(parse_yaml(recording.scenario_text))  # a recording keeps the whole scenario that made it
    first_cloud = next(sample for sample in again.simulation().samples(0.1) if isinstance(sample, PointCloud))
    same = np.array_equal(first_cloud.points_m, clouds[0].points_m)
    print(f"simulated again from the recording alone: {'the same points' if same else 'OTHER POINTS'}")


if __name__ == "__main__":
    main()
