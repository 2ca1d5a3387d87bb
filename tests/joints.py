"""Joints that move by closed formulas, and a view of them for sensors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from sensorium.atmosphere.weather import ConstantWeather, WeatherState
from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.core.time import TimeWindow, seconds
from sensorium.motion.fixed import Fixed
from sensorium.motion.joint import Joint, JointKinematics
from sensorium.samples import Stamp
from sensorium.scene.scene import Scene
from sensorium.scene.view import View


@dataclass(frozen=True, eq=False)
class Accelerating(Joint):
    """u = u0 + w t + a t^2 / 2."""

    start: float = 0.0
    speed: float = 0.0
    acceleration: float = 0.0
    kind: Literal["revolute", "prismatic"] = "revolute"

    def kinematics_at(self, times_ns):
        t = seconds(times_ns)
        position = self.start + self.speed * t + self.acceleration * t**2 / 2
        return JointKinematics(position, self.speed + self.acceleration * t, np.full_like(t, self.acceleration))


@dataclass(frozen=True, eq=False)
class Swinging(Joint):
    """u = A sin(w t + p)."""

    amplitude: float = 1.0
    rate_rad_s: float = 10.0
    phase: float = 0.0
    kind: Literal["revolute", "prismatic"] = "revolute"

    def kinematics_at(self, times_ns):
        x = self.rate_rad_s * seconds(times_ns) + self.phase
        a, w = self.amplitude, self.rate_rad_s
        return JointKinematics(a * np.sin(x), a * w * np.cos(x), -a * w * w * np.sin(x))


def view_of(joint: Joint, window: TimeWindow, **weather: Any) -> View:
    state = ConstantWeather(state=WeatherState(**weather))
    scene = Scene(joints={"joint": joint}, weather=state)
    return View(scene, None, Fixed(), Pose.identity(), window)  # type: ignore[arg-type]


def readings(sensor: Any, joint: Joint, count: int, seed: int = 1, name: str = "it", **weather: Any) -> list[Any]:
    """The first samples of a sensor, as a simulation takes them."""
    draws = Draws(seed)
    state, samples = sensor.initial_state(draws.at(name, -1)), []
    for index in range(count):
        window = sensor.window(index)
        signal = sensor.sense(view_of(joint, window, **weather))
        stamp = Stamp(name, index, window.start_ns, window.end_ns)
        sample, state = sensor.detect(signal, state, draws.at(name, index), stamp)
        samples.append(sample)
    return samples
