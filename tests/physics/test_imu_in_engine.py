"""Our IMU without faults on bodies that MuJoCo moves, against MuJoCo's own accelerometer, gyroscope and magnetometer."""

from __future__ import annotations

import numpy as np
import pytest
from engine_sensors import MAGNETIC_T, engine_readings

from sensorium.core.pose import Pose
from sensorium.motion.mujoco.loading import model_path
from sensorium.samples import ImuSample
from sensorium.simulation.scenario import scenario_of

MOUNT = Pose.from_rpy((-0.7, 0.4, 0.9), (0.5, -0.3, 2.0))
OFFSET = Pose.from_rpy((0.02, -0.03, 0.01), (0.1, 0.2, -0.3))
"""Of each instrument inside the IMU."""
STEER = {
    "type": "ramps",
    "points": [
        {"time_s": 0.1, "values": {"drive": 0, "steering": 0}},
        {"time_s": 0.6, "values": {"drive": 2500, "steering": 0.0}},
        {"time_s": 1.2, "values": {"steering": 0.3}},
        {"time_s": 2.0, "values": {"drive": -1000, "steering": -0.3}},
    ],
}


@pytest.mark.parametrize(
    ("world", "body", "rate_hz"),
    [
        ({"file": "double_pendulum", "keyframe": "swing"}, "lower", 1000.0),
        ({"file": "road_vehicle", "commands": STEER}, "car", 500.0),
    ],
    ids=["pendulum", "vehicle"],
)
@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
def test_faultless_imu_agrees_with_the_engine(world, body, rate_hz, closed):
    """f = R^T (a - g), w and B in the frames of the instruments, at every step, within 1e-6 of what MuJoCo shows."""
    each = {"pose": OFFSET.to_document()}
    imu = {"type": "imu", "rate_hz": rate_hz, "accelerometer": each, "gyroscope": each, "magnetometer": each}
    scenario = scenario_of(
        {
            "name": "imu", "world": {"type": "mujoco", **world}, "truth": {"rate_hz": None},
            "magnetic_field": {"type": "uniform", "b_t": MAGNETIC_T.tolist()},
            "rig": [{"name": "imu", "body": body, "pose": MOUNT.to_document(), "sensor": imu}],
        }
    )  # fmt: skip
    commands = scenario.world.commands
    steps = 1000
    order = list(commands.actuators)
    if closed:
        loop = scenario.closed_loop()
        samples = list(loop.start())
        for _ in range(steps - 1):
            values = commands.values_at(loop.now_ns)
            samples += loop.advance(dict(zip(order, values, strict=True)))
    else:
        samples = list(scenario.simulation().samples((steps - 1) / rate_hz))
    readings = [sample for sample in samples if isinstance(sample, ImuSample)]
    assert len(readings) == steps

    def command(time_s):
        values = dict(zip(order, commands.values_at(round(time_s * 1e9)), strict=True))
        return [values.get(name, 0.0) for name in ("steering", "drive", "brake")]

    path = model_path(world["file"])
    theirs = engine_readings(path, body, MOUNT @ OFFSET, steps, command if order else None, world.get("keyframe"))
    for ours, quantity in (
        ("specific_force_m_s2", theirs.accelerometer), ("angular_velocity_rad_s", theirs.gyro),
        ("flux_density_t", theirs.magnetometer),
    ):  # fmt: skip
        values = np.concatenate([getattr(reading, ours) for reading in readings])
        scale = 1.0 if ours != "flux_density_t" else float(np.linalg.norm(MAGNETIC_T))
        assert np.ptp(quantity) > 0.3 * scale
        assert np.abs(values - quantity).max() < 1e-6 * scale, (ours, np.abs(values - quantity).max())
