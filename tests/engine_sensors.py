"""MuJoCo's own sensors, run by MuJoCo alone: what our motions are compared with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np

from sensorium.core.pose import Pose

MAGNETIC_T = np.array([3e-6, 20e-6, -44e-6])
"""The field that MuJoCo's magnetometer feels."""


@dataclass(frozen=True)
class Readings:
    """What MuJoCo shows after each step, starting with the state at rest: [K, 3] each, in the frame of the site."""

    accelerometer: np.ndarray
    gyro: np.ndarray
    velocimeter: np.ndarray
    position: np.ndarray
    magnetometer: np.ndarray


def engine_readings(
    path: Path, body: str, mount: Pose, steps: int, command=None, keyframe: str | None = None
) -> Readings:
    """Step a model of our own making with sensors at a mount; `command(time_s)` gives the control values of a step."""
    spec = mujoco.MjSpec.from_file(str(path))
    site = spec.body(body).add_site(name="mount", pos=mount.position_m, quat=mount.quaternion)
    kinds = mujoco.mjtSensor
    spec.option.magnetic = MAGNETIC_T
    for kind in (
        kinds.mjSENS_ACCELEROMETER, kinds.mjSENS_GYRO, kinds.mjSENS_VELOCIMETER, kinds.mjSENS_FRAMEPOS,
        kinds.mjSENS_MAGNETOMETER,
    ):  # fmt: skip
        spec.add_sensor(type=kind, objtype=mujoco.mjtObj.mjOBJ_SITE, objname=site.name)
    model = spec.compile()
    data, look = mujoco.MjData(model), mujoco.MjData(model)
    if keyframe is not None:
        mujoco.mj_resetDataKeyframe(model, data, model.key(keyframe).id)
    rows = []
    for _ in range(steps):
        mujoco.mj_copyData(look, model, data)
        mujoco.mj_forward(model, look)
        rows.append(look.sensordata.copy())
        if command is not None:
            data.ctrl[:] = command(data.time)
        mujoco.mj_step(model, data)
    table = np.array(rows).reshape(steps, 5, 3)
    return Readings(*table.swapaxes(0, 1))
