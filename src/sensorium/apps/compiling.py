"""Compiling all kernels ahead: groups of kernels, each used once in a process of its own, as many at a time as there are cores.

Numba keeps what it compiled on disk; whoever runs afterwards finds it there. Groups that share kernels stand in one lane, so
that no two processes compile the same thing at the same time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sensorium.core.errors import SensoriumError

SMALL_DEVICE = "velodyne_vlp16"


@cache
def _street() -> tuple[Any, Any]:
    from sensorium.scene.street import Street
    from sensorium.tracing import EmbreeTracer

    scene = Street().build()
    return scene, EmbreeTracer(scene)


def _look(device: str, scene: Any = None, **settings: Any) -> None:
    from sensorium.core.pose import Pose
    from sensorium.sensors import sensor_of
    from sensorium.simulation import observe

    street, tracer = _street()
    observe(scene or street, sensor_of(device, **settings), Pose.at(0.0, 0.0, 1.9), tracer=tracer)


def lidar_scan() -> None:
    """Follow one scan to its cloud with truth."""
    _look(SMALL_DEVICE, truth=True)


def lidar_effects() -> None:
    """Follow mirrors, glass, fog, sun, halos and a second LiDAR."""
    from dataclasses import replace

    from sensorium.atmosphere.medium import medium
    from sensorium.scene.sun import Sun

    outside = replace(_street()[0], sun=Sun(elevation_rad=0.7), air=medium("light_fog"))
    effects: dict[str, Any] = {"bundle": {"rays": 5}, "returns": {"type": "dual"}, "crosstalk": {}, "blooming": {}}
    _look(SMALL_DEVICE, outside, depth=4, acceptance_rad=0.5, truth=True, **effects)


def lidar_patterns() -> None:
    """Aim the beams of every device."""
    from sensorium.sensors import Lidar, device, device_names, sensor_of

    for name in device_names():
        if device(name).sensor.get("type") == "lidar":
            lidar: Lidar = sensor_of(name)
            lidar.pattern.beams(lidar.window(0))


def lidar_records() -> None:
    """Sample the full waveform."""
    _look(SMALL_DEVICE, waveform={"keep": 100}, truth=True)


def engine_points() -> None:
    """Turn the hit points of a game engine into physical ones."""
    from sensorium.bridges.engine_throughput import engine_throughput

    engine_throughput(beams=10_000, repeats=1)


def inertial_readings() -> None:
    """Read nine axes with every fault, in a block and one by one."""
    from sensorium.apps.benchmarks.inertial import inertial_rows

    inertial_rows(repeats=1)


def physics_steps() -> None:
    """Drive the vehicle of the physics engine for a few steps, with encoders that find edges."""
    import numpy as np

    from sensorium.scene.mujoco_world import MujocoWorld
    from sensorium.sensors import sensor_of
    from sensorium.simulation import observe
    from sensorium.tracing import ReferenceTracer

    scene = MujocoWorld(file=Path("road_vehicle")).build()
    for name in ("bosch_df11", "avago_heds_5540_a"):
        encoder = sensor_of(name, joint="rear_left_wheel", edges=True)
        observe(scene, encoder, body="car", time_s=0.02, tracer=ReferenceTracer(scene))
    scene.body("car").motion.pose_at(np.arange(5))
    scene.body("car").motion.kinematics_at(np.arange(0, 10**7, 10**6))


def camera_images() -> None:
    """Take a small picture by sunlight, with its truth."""
    lens = {"type": "pinhole", "width": 64, "height": 48, "field_of_view_rad": 1.0}
    _look("raspberry_pi_camera_v1", _somewhere(), lens=lens, truth={"flow": True, "boxes": True})


def thermal_images() -> None:
    """Take a small thermal picture."""
    _look("flir_lepton_35", _somewhere())


def radar_frames() -> None:
    """Hear one frame at detection level and one at signal level."""
    _look("continental_ars408_far")
    _look("ti_awr1843_short_range")


def cone_readings() -> None:
    """Read a parking sensor."""
    _look("ultrasonic_parking")


def gnss_epochs() -> None:
    """Receive satellites between the houses."""
    _look("ublox_f9p", _somewhere())


def _somewhere() -> Any:
    """Return the street on Earth, so that there are sun and satellites."""
    from dataclasses import replace

    from sensorium.scene.origin import Origin

    return replace(_street()[0], origin=Origin(latitude_rad=0.9, longitude_rad=0.2))


@dataclass(frozen=True)
class Lane:
    """Groups of kernels of one instrument that one process compiles one after the other."""

    instrument: str
    groups: tuple[Callable[[], None], ...]

    def __str__(self) -> str:
        return ", ".join(group.__name__ for group in self.groups)


LANES = (
    Lane("lidar", (lidar_scan, lidar_effects)),
    Lane("lidar", (lidar_patterns, engine_points, lidar_records)),
    Lane("camera", (camera_images, thermal_images)),
    Lane("radar", (radar_frames,)),
    Lane("others", (inertial_readings, physics_steps, cone_readings, gnss_epochs)),
)
"""What may be compiled at the same time."""


def compile_lanes(
    lanes: Iterable[Lane] = LANES, cache_folder: Path | None = None, processes: int | None = None
) -> Iterator[tuple[Lane, float]]:
    """Compile the kernels of all lanes; yield each lane and its seconds when it is done.

    `cache_folder` is where compiled kernels are kept (None: beside the sources, where every later start looks).
    """
    environment = dict(os.environ) if cache_folder is None else {**os.environ, "NUMBA_CACHE_DIR": str(cache_folder)}

    def run(lane: Lane) -> tuple[Lane, float]:
        start = time.monotonic()
        command = [sys.executable, "-m", "sensorium.apps.compiling", *(group.__name__ for group in lane.groups)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SensoriumError(f"compiling {lane} failed:\n{done.stderr.strip()[-2000:]}")
        return lane, time.monotonic() - start

    with ThreadPoolExecutor(processes or os.cpu_count() or 1) as pool:
        for future in as_completed([pool.submit(run, lane) for lane in lanes]):
            yield future.result()


if __name__ == "__main__":
    for name in sys.argv[1:]:
        globals()[name]()
