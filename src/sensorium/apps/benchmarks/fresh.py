"""Figures that only a process of its own can give: compilation, the way to the first points, peak memory.

`measured(NAME)` runs this module again in a fresh interpreter, `python -m sensorium.apps.benchmarks.fresh NAME`, which
runs one of `PROGRAMS` and prints what it used. With a cache folder of its own nothing is compiled beforehand.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sensorium.core.errors import SensoriumError

SCAN_DEVICE, SMALL_DEVICE = "velodyne_alpha_prime", "velodyne_vlp16"


@dataclass(frozen=True)
class Fresh:
    """What one run used."""

    wall_s: float
    """From the start of the process until its work was done, the interpreter's own start included."""
    cpu_s: float
    """Processor time of all its threads."""
    building_s: float
    """Part of it in which the scene was built."""
    peak_mb: float
    """Largest memory of the whole process, in 10^6 bytes."""


def measured(name: str, cache: Path | None = None) -> Fresh:
    """Run a program in a fresh process; `cache` is where compiled kernels are found and kept (None: the usual place)."""
    environment = dict(os.environ) if cache is None else {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    start = time.monotonic()  # the same clock in all processes of a machine
    command = [sys.executable, "-m", "sensorium.apps.benchmarks.fresh", name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SensoriumError(f"the program '{name}' failed in a process of its own:\n{done.stderr.strip()[-2000:]}")
    told = json.loads(done.stdout.splitlines()[-1])
    return Fresh(told["done_s"] - start, told["cpu_s"], told["building_s"], told["peak_mb"])


def _street() -> tuple[Any, float]:
    """Return the street and the time that building it took."""
    from sensorium.scene.street import Street

    street = Street()
    start = time.monotonic()
    return street.build(), time.monotonic() - start


def first_points() -> float:
    """Import, build the street, and take one scan of a small LiDAR."""
    from sensorium.core.pose import Pose
    from sensorium.sensors import sensor_of
    from sensorium.simulation import observe

    scene, building_s = _street()
    observe(scene, sensor_of(SMALL_DEVICE), Pose.at(0.0, 0.0, 1.9))
    return building_s


def largest_scan() -> float:
    """Take two scans of the largest LiDAR with five rays per beam from the roof of the moving car."""
    from sensorium.scene.street.cars import ROOF_MOUNT
    from sensorium.sensors import sensor_of
    from sensorium.simulation import Simulation
    from sensorium.simulation.rig import Mount

    scene, building_s = _street()
    mount = Mount(name="roof", sensor=sensor_of(SCAN_DEVICE, bundle={"rays": 5}), body="ego", pose=ROOF_MOUNT)
    for _ in Simulation(scene, [mount], truth_rate_hz=None).samples(0.2):
        pass
    return building_s


PROGRAMS: dict[str, Callable[[], float]] = {
    "first_points": first_points,
    "largest_scan": largest_scan,
}


def peak_mb() -> float:
    """Return the largest memory that this process has had, in 10^6 bytes.

    Linux: VmHWM of the process. `ru_maxrss` would do elsewhere, but on Linux a child inherits it from a large parent.
    """
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text("ascii").splitlines()
        return next(1024e-6 * int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit * 1e-6


if __name__ == "__main__":
    building = PROGRAMS[sys.argv[1]]()
    used = {"done_s": time.monotonic(), "cpu_s": time.process_time(), "building_s": building, "peak_mb": peak_mb()}
    print(json.dumps(used))
