"""`sensorium bench inertial`: how fast a nine-axis IMU with every fault is, in blocks and one reading at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sensorium.apps.benchmarks.rows import Row, seconds_each
from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.core.time import Times
from sensorium.motion.motion import Kinematics, Motion
from sensorium.motion.spline import Spline
from sensorium.samples import ImuSample, Stamp
from sensorium.scene.magnetic_field import UniformField
from sensorium.scene.scene import Scene
from sensorium.scene.view import View
from sensorium.sensors import Imu

RATE_HZ = 1000.0
OPEN_BAR, CLOSED_BAR_US = 500.0, 30.0
_BLOCK, _STEPS = 1000, 50
_TILTED = ((1.0, 0.01, -0.01), (0.01, 1.0, 0.01), (-0.01, 0.01, 1.0))


def full_imu(readings: int) -> Imu:
    """Return nine axes at 1 kHz, each instrument at a place of its own, with filter, range and the whole chain."""
    sizes = {"accelerometer": 1e-2, "gyroscope": 1e-3, "magnetometer": 1e-7}
    settings: dict[str, Any] = {
        name: {
            "pose": {"position_m": [0.01 * place, 0.02, -0.01], "rpy_rad": [0.0, 0.0, 0.1 * place]},
            "input_range": {"type": "saturation", "lower": -5000 * size, "upper": 5000 * size},
            "filter": {"type": "low_pass", "bandwidth_hz": 200},
            "chain": _chain(size, name),
        }
        for place, (name, size) in enumerate(sizes.items())
    }
    return Imu(rate_hz=RATE_HZ, readings=readings, **settings)


def _chain(size: float, name: str) -> list[dict[str, Any]]:
    effect = (
        [{"type": "linear_acceleration_effect", "matrix": np.diag([1e-4] * 3).tolist()}] if name == "gyroscope" else []
    )
    return [
        {"type": "bias", "offset": size},
        {"type": "cross_axis", "matrix": _TILTED},
        *effect,
        {"type": "white_noise", "sigma": size},
        {"type": "spectral_noise", "density": size / 30},
        {"type": "bias_instability", "level": size / 10, "correlation_s": 100},
        {"type": "random_walk", "walk": size / 100},
        {"type": "turn_on_bias", "sigma": size},
        {"type": "scale_factor", "error": "0.1 %", "spread": "0.1 %"},
        {"type": "misalignment", "rpy_rad": ["1 mrad", "1 mrad", "1 mrad"]},
        {"type": "temperature_drift", "bias": size / 10, "scale": "0.01 %/K", "self_heating_k": 5, "warm_up_s": 60},
        {"type": "vibration", "amplitude": size, "frequency_hz": 87},
        {"type": "quantisation", "step": size / 100, "bits": 24},
        {"type": "dropout", "probability": 1e-4, "instead": "last"},
    ]


@dataclass(frozen=True, eq=False)
class EngineMotion(Motion):
    """What a physics engine offers: the state of the body after its last step, whatever instant of it is asked for."""

    state: Kinematics

    def pose_at(self, times_ns: Times) -> Pose:
        """Return the pose of the state."""
        return self.kinematics_at(times_ns).pose

    def kinematics_at(self, times_ns: Times) -> Kinematics:
        """Return the state, once for each time."""
        return self.state


def inertial_rows(repeats: int = 201) -> list[Row]:
    """Measure everything: medians of `repeats` that take turns, each of some milliseconds."""
    path = Spline.through([[0, 0, 0], [20, 3, 0], [40, -3, 1], [80, 10, 0], [160, 0, 0]], "50 km/h")
    blocks, single = _Runner(full_imu(_BLOCK), path), _Runner(full_imu(1), _engine(4))
    plain = _Runner(full_imu(1), path)
    taken = seconds_each(blocks.step, lambda: single.steps(_STEPS), lambda: plain.steps(_STEPS // 10), repeats=repeats)
    block_s, engine_us, path_us = taken[0], taken[1] / _STEPS * 1e6, taken[2] / (_STEPS // 10) * 1e6
    times = _BLOCK / RATE_HZ / block_s
    return [
        Row("nine axes, full chain, 1 kHz, on a spline, blocks of 1000 readings", None, times, "x real time",
            f"at least {OPEN_BAR:g}", times >= OPEN_BAR),
        Row("the same, one reading per step of an engine: sense and detect", None, engine_us, "us/reading",
            f"below {CLOSED_BAR_US:g}", engine_us < CLOSED_BAR_US),
        Row("the same, one reading at a time on a spline", None, path_us, "us/reading", "none: mostly the spline", True),
        _bytes_row(path),
    ]  # fmt: skip


def _engine(looks: int) -> EngineMotion:
    zeros = np.zeros((looks, 3))
    pose = Pose(zeros, np.tile((1.0, 0.0, 0.0, 0.0), (looks, 1)))
    return EngineMotion(Kinematics(pose, zeros, zeros + 0.1, zeros, zeros))


class _Runner:
    """Asks an IMU for block after block, as a simulation does."""

    def __init__(self, imu: Imu, motion: Motion) -> None:
        self._imu, self._motion, self._mount, self._index = imu, motion, Pose.at(1.0, 0.0, 0.5), 0
        self._scene = Scene(magnetic_field=UniformField(b_t=(0.0, 20e-6, -44e-6)))
        self._draws = Draws(1)
        self._state = imu.initial_state(self._draws.at("imu", -1))

    def step(self) -> ImuSample:
        tracer: Any = None  # nobody casts a ray
        window = self._imu.window(self._index)
        signal = self._imu.sense(View(self._scene, tracer, self._motion, self._mount, window))
        stamp = Stamp("imu", self._index, window.start_ns, window.end_ns)
        sample, self._state = self._imu.detect(signal, self._state, self._draws.at("imu", self._index), stamp)
        self._index += 1
        return sample

    def steps(self, count: int) -> None:
        for _ in range(count):
            self.step()


def _bytes_row(path: Motion) -> Row:
    """Count the bytes that differ between 200 readings one by one and in blocks of 100."""
    runs: list[Callable[[], list[ImuSample]]] = []
    for readings in (1, 100):
        runner = _Runner(full_imu(readings), path)
        runs.append(lambda runner=runner, readings=readings: [runner.step() for _ in range(200 // readings)])  # type: ignore[misc]
    one, other = (_all_bytes(run()) for run in runs)
    differ = int(np.count_nonzero(one != other)) if one.shape == other.shape else max(one.size, other.size)
    case = "bytes that differ between 200 readings one by one and in blocks of 100"
    return Row(case, None, float(differ), "bytes", "none", differ == 0)


def _all_bytes(samples: list[ImuSample]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    quantities = ("specific_force_m_s2", "angular_velocity_rad_s", "flux_density_t")
    values = [np.concatenate([getattr(sample, name) for sample in samples]) for name in quantities]
    return np.frombuffer(np.concatenate(values).tobytes(), np.uint8)
