"""One scan of a LiDAR that stands in a street: numbers on the screen, two pictures of it in out/.

python examples/01_one_scan.py --device ouster_os1_64
"""

import argparse
from pathlib import Path

import matplotlib
import numpy as np

from sensorium.core.pose import Pose
from sensorium.scene.street import Street
from sensorium.sensors import sensor_of
from sensorium.simulation import observe

matplotlib.use("agg")
import matplotlib.pyplot as plt


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("out"))
    arguments.add_argument("--device", default="velodyne_hdl64e", help="a name of `sensorium catalog`")
    given = arguments.parse_args()

    scene = Street(seed=7, length_m=80).build()
    lidar = sensor_of(given.device, truth=True)
    cloud = observe(scene, lidar, Pose.at(40, -1.75, 1.9), seed=1)  # over the right lane, 1.9 m high

    print(f"{given.device} fired {cloud.beam_count} beams and reports {len(cloud)} returns")
    print(f"range {cloud.range_m.min():.1f} to {cloud.range_m.max():.1f} m, median {np.median(cloud.range_m):.1f} m")
    classes, counts = np.unique(cloud.truth.label, return_counts=True)
    for number in np.argsort(-counts)[:6]:
        print(f"  {counts[number]:6d} points on {scene.classes[classes[number]]}")

    given.out.mkdir(parents=True, exist_ok=True)
    figure, (above, front) = plt.subplots(2, 1, figsize=(9, 9), gridspec_kw={"height_ratios": (2, 1)})
    x, y, z = cloud.points_m.T
    brightness = np.log1p(cloud.intensity)
    above.scatter(x, y, c=brightness, s=0.3, cmap="viridis")
    above.set(xlabel="forward / m", ylabel="left / m", xlim=(-40, 40), ylim=(-20, 20), aspect="equal")
    front.scatter(np.degrees(np.arctan2(y, x)), np.degrees(np.arcsin(z / cloud.range_m)), c=cloud.range_m, s=0.3)
    front.set(xlabel="azimuth / deg (left is positive)", ylabel="elevation / deg", xlim=(180, -180))
    figure.tight_layout()
    figure.savefig(given.out / "01_one_scan.png", dpi=110)
    print(given.out / "01_one_scan.png")


if __name__ == "__main__":
    main()
