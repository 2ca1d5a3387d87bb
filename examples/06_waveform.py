"""The sampled record of one beam through fog and a pane of glass to a wall: what a full-waveform LiDAR digitises.

The beam meets the glass almost head-on, where it flashes; a little beside it the pane is nearly invisible.
"""

import argparse
from pathlib import Path

import matplotlib
import numpy as np

from sensorium.atmosphere import medium
from sensorium.core.pose import Pose
from sensorium.motion import Fixed
from sensorium.samples.causes import Cause
from sensorium.scene.body import Body
from sensorium.scene.build import body, part
from sensorium.scene.scene import Scene
from sensorium.scene.shapes import Box
from sensorium.sensors import sensor_of
from sensorium.simulation import observe

matplotlib.use("agg")
import matplotlib.pyplot as plt

PANE_M, WALL_M = 12.0, 20.0
LEVEL = Pose.from_rpy((0, 0, 0), (0, np.radians(1), 0))  # the beam that points 1 degree upwards becomes level
WAVEFORM = {"sample_rate_hz": "2 GHz", "pulse": {"type": "skewed"}, "detection": {"type": "matched_filter"}, "keep": 1}


def board(name: str, distance_m: float, thickness_m: float, material: str) -> Body:
    slab = part(name, Box(size_m=(thickness_m, 6, 6)), material, pose=Pose.at(thickness_m / 2, 0, 0))
    return body(name, slab, motion=Fixed(pose=Pose.at(distance_m, 0, 0)))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("out"))
    given = arguments.parse_args()

    things = board("pane", PANE_M, 0.006, "solid_glass"), board("wall", WALL_M, 0.2, "concrete")
    lidar = sensor_of("velodyne_vlp16", truth=True, returns={"type": "dual"}, waveform=WAVEFORM)
    figure, axes = plt.subplots(figsize=(9, 4.5))
    beam = None
    for air in ("clear", "light_fog"):
        cloud = observe(Scene(things, air=medium(air)), lidar, LEVEL, seed=1)
        if beam is None:
            beam = cloud.beam[np.argmax(cloud.intensity)]  # the flash
        record = cloud.waveforms.power_w[cloud.waveforms.beam == beam][0]
        axes.plot(cloud.waveforms.range_m, record * 1e6, label=air.replace("_", " "), lw=1)
        for row in np.flatnonzero(cloud.beam == beam):
            cause = Cause(cloud.truth.cause[row]).name
            print(f"{air}: beam {beam} reports {cloud.range_m[row]:.3f} m, made by {cause}")
    axes.set(xlabel="range / m", ylabel="received power / uW", xlim=(0, 24), title="one beam: air, pane, wall")
    axes.set_yscale("symlog", linthresh=1)
    axes.set_ylim(bottom=-1)
    axes.legend()
    given.out.mkdir(parents=True, exist_ok=True)
    figure.savefig(given.out / "06_waveform.png", dpi=110)
    print(given.out / "06_waveform.png")


if __name__ == "__main__":
    main()
