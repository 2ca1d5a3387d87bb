"""The same LiDAR in clear air and in fog, with two returns per beam, and what made each return."""

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

from sensorium.atmosphere import medium
from sensorium.core.pose import Pose
from sensorium.samples import PointCloud
from sensorium.samples.causes import Cause, Missing
from sensorium.scene.street import Street
from sensorium.sensors import sensor_of
from sensorium.simulation import observe
from sensorium.tracing import EmbreeTracer

MODES = ("strongest", "dual")


def table_row(air: str, mode: str, cloud: PointCloud) -> dict[str, float | str]:
    causes = np.bincount(cloud.truth.cause, minlength=len(Cause))
    missing = np.bincount(cloud.truth.missing, minlength=len(Missing))
    second = np.count_nonzero(cloud.return_index) if cloud.return_index is not None else 0
    return {
        "air": air,
        "returns": mode,
        "points": len(cloud),
        "second": second,
        "surface": causes[Cause.SURFACE],
        "air_echo": causes[Cause.AIR],
        "behind_glass": causes[Cause.THROUGH_GLASS],
        "ghost": causes[Cause.MIRROR_GHOST] + causes[Cause.DIRECT_GHOST],
        "too_faint": missing[Missing.BELOW_THRESHOLD],
        "median_m": f"{np.median(cloud.range_m):.1f}",
    }


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("out"))
    given = arguments.parse_args()

    street = Street(seed=7, length_m=80).build()
    tracer = EmbreeTracer(street)  # the air is no part of it: one for all
    rows = []
    for air in ("clear", "light_fog", "dense_fog"):
        for mode in MODES:
            lidar = sensor_of("velodyne_vlp32c", truth=True, returns={"type": mode})
            scene = replace(street, air=medium(air))
            rows.append(table_row(air, mode, observe(scene, lidar, Pose.at(40, -1.75, 1.9), seed=1, tracer=tracer)))
    for line in (rows[0].keys(), *(row.values() for row in rows)):
        print("".join(f"{entry!s:>13}" for entry in line))
    given.out.mkdir(parents=True, exist_ok=True)
    lines = (",".join(map(str, line)) for line in (rows[0].keys(), *(row.values() for row in rows)))
    (given.out / "04_fog.csv").write_text("\n".join(lines) + "\n")
    print(given.out / "04_fog.csv")


if __name__ == "__main__":
    main()
