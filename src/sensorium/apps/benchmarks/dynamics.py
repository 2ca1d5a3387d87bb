"""`sensorium bench dynamics`: what the physics and the sensors that feel it cost, beside the bare engine in one run.

Reading the model and building the scene are not counted: they take a tenth of a second, once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from sensorium.apps.benchmarks.rows import Row, seconds_each
from sensorium.motion.mujoco.loading import load_model, model_path
from sensorium.scene.scene import Scene
from sensorium.simulation.scenario import Scenario, scenario_of
from sensorium.tracing import ReferenceTracer

SPAN_S = 5.0
"""Simulated time of a measurement."""
VEHICLE_BAR, RECORD_BAR, READING_BAR_US = 20.0, 2.0, 30.0
WHEELS = ("front_left_wheel", "front_right_wheel", "rear_left_wheel", "rear_right_wheel")
_DRIVE = {
    "type": "ramps",
    "points": [
        {"time_s": 0.5, "values": {"drive": 0, "steering": 0}},
        {"time_s": 1.0, "values": {"drive": 900}},
        {"time_s": 3.0, "values": {"drive": 900, "steering": 0}},
        {"time_s": 4.0, "values": {"drive": 300, "steering": 0.08}},
    ],
}


def dynamics_rows(repeats: int = 5) -> list[Row]:
    """Measure everything; takes about half a minute."""
    _vehicle(), _closed_loop(), _recorded()  # loads and compiles
    bare = _bare_engine()
    each = np.array([[bare(), _recorded(), _vehicle(), _closed_loop()] for _ in range(repeats)])
    bare_s, recorded_s, whole_s, driven_s = np.median(each, 0).tolist()
    reading_s = _reading_s(repeats)
    times = SPAN_S / whole_s
    steps = SPAN_S / 0.002
    return [
        Row(
            "vehicle stepped and recorded, commands changing half the time, against the bare engine",
            bare_s / steps * 1e6, recorded_s / steps * 1e6,
            "us per step", f"at most {RECORD_BAR} of theirs (is {recorded_s / bare_s:.2f})",
            recorded_s <= RECORD_BAR * bare_s,
        ),
        Row(
            "vehicle with IMU (400 Hz), four encoders and odometer (100 Hz), open loop", None, times, "times real time",
            f"at least {VEHICLE_BAR:g}", times >= VEHICLE_BAR,
        ),
        Row(
            "the same in closed loop, a command in every step", None, SPAN_S / driven_s, "times real time",
            f"at least {VEHICLE_BAR:g}", SPAN_S / driven_s >= VEHICLE_BAR,
        ),
        Row(
            "true motion of the car at one instant, as a sensor asks for it in every step", None, reading_s * 1e6, "us",
            f"below {READING_BAR_US:g} us", reading_s * 1e6 < READING_BAR_US,
        ),
        _edges_row(),
    ]  # fmt: skip


def _scenario() -> Scenario:
    """Return the vehicle with an encoder on each wheel and an odometer."""
    wheel = {"type": "encoder", "device": "bosch_df11"}
    rig = [{"name": name, "body": "car", "sensor": {**wheel, "joint": name}} for name in WHEELS]
    imu = {"type": "imu", "device": "bosch_bmi088", "readings": 10}  # 400 readings a second
    rig.append({"name": "imu", "body": "car", "sensor": imu})
    odometer = {"type": "odometer", "joint": WHEELS[2], "wheel_radius_m": 0.316, "rate_hz": 100}
    rig.append({"name": "odometer", "body": "car", "sensor": odometer})
    world = {"type": "mujoco", "file": "road_vehicle", "commands": _DRIVE}
    return scenario_of({"name": "vehicle", "world": world, "rig": rig, "truth": {"rate_hz": 20}})


def _no_rays(scene: Scene) -> Any:
    return ReferenceTracer(scene)


def _bare_engine() -> Callable[[], float]:
    """Return the engine alone: `mj_step` and nothing else."""
    import mujoco

    loaded = load_model(model_path("road_vehicle"))
    scenario = _scenario()
    commands = scenario.world.commands  # type: ignore[union-attr]
    order = [loaded.model.actuator(name).id for name in commands.actuators]

    def run() -> float:
        data = mujoco.MjData(loaded.model)
        start = perf_counter()
        for step in range(round(SPAN_S / 0.002)):
            data.ctrl[order] = commands.values_at(step * 2_000_000)
            mujoco.mj_step(loaded.model, data)
        return perf_counter() - start

    return run


def _recorded() -> float:
    world: Any = _scenario().world
    dynamics = world.dynamics(world.commands)
    start = perf_counter()
    dynamics.reach(round(SPAN_S * 1e9))
    return perf_counter() - start


def _vehicle() -> float:
    simulation = _scenario().simulation(_no_rays)
    start = perf_counter()
    for _ in simulation.samples(SPAN_S):
        pass
    return perf_counter() - start


def _closed_loop() -> float:
    loop = _scenario().closed_loop(_no_rays)
    start = perf_counter()
    loop.start()
    for step in range(round(SPAN_S / 0.002)):
        loop.advance({"drive": 900.0, "steering": 0.05 * math.sin(step / 200)})
    return perf_counter() - start


def _reading_s(repeats: int) -> float:
    motion = _scenario().scene.body("car").motion
    motion.pose_at(np.array([2_000_000_000]))
    times = [np.array([time_ns]) for time_ns in range(0, 2_000_000_000, 2_000_000)]

    def ask() -> None:
        for time in times:
            motion.kinematics_at(time)

    (taken,) = seconds_each(ask, repeats=repeats)
    return taken / len(times)


def _edges_row() -> Row:
    """Find the edges of a fine encoder on a wheel of the vehicle."""
    from sensorium.sensors import sensor_of

    scenario = _scenario()
    joint = scenario.scene.joint(WHEELS[2])
    joint.kinematics_at(np.array([round(SPAN_S * 1e9)]))
    encoder = sensor_of("avago_heds_5540_a", joint=WHEELS[2], edges=True)
    from sensorium.sensors.encoder.edge_kernels import edges_of

    instants = joint.instants_around(0, round(SPAN_S * 1e9))
    k = joint.kinematics_at(instants)
    states = np.stack((k.position, k.velocity, k.acceleration))
    scale, swing, phase = encoder.scale.geometry(293.15)
    count = len(edges_of(instants, states, scale, swing, phase, encoder.scale.step)[0])
    start = perf_counter()
    for _ in range(5):
        edges_of(instants, states, scale, swing, phase, encoder.scale.step)
    each_us = (perf_counter() - start) / 5 / count * 1e6
    return Row("exact edges of an eccentric encoder", None, each_us, "us per edge", "below 2 us", each_us < 2.0)
