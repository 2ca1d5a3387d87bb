"""Records of inertial sensors for the tests: an IMU in a world, asked block by block without a simulation around it."""

from __future__ import annotations

from typing import Any

import numpy as np

from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.motion.fixed import Fixed
from sensorium.motion.motion import Motion
from sensorium.samples import ImuSample, Stamp
from sensorium.scene.magnetic_field import UniformField
from sensorium.scene.scene import Scene
from sensorium.scene.view import View
from sensorium.sensors import Imu

FIELD_T = (1e-6, 20e-6, -44e-6)
WORLD = Scene(magnetic_field=UniformField(b_t=FIELD_T))


def record(
    imu: Imu,
    blocks: int,
    motion: Motion | None = None,
    *,
    seed: int = 1,
    name: str = "imu",
    mount: Pose | None = None,
    scene: Scene = WORLD,
    phase_ns: int = 0,
) -> list[ImuSample]:
    """The samples of an IMU on a carrier."""
    draws, mount, motion, tracer = Draws(seed), mount or Pose.identity(), motion or Fixed(), None
    state, samples = imu.initial_state(draws.at(name, -1)), []
    for index in range(blocks):
        window = imu.window(index, phase_ns)
        signal = imu.sense(View(scene, tracer, motion, mount, window))  # type: ignore[arg-type]
        stamp = Stamp(name, index, window.start_ns, window.end_ns)
        sample, state = imu.detect(signal, state, draws.at(name, index), stamp)
        samples.append(sample)
    return samples


def joined(samples: list[ImuSample], what: str = "angular_velocity") -> Any:
    """All readings of one instrument [N, 3]."""
    return np.concatenate([getattr(sample, what).values for sample in samples])
