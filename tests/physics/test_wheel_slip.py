"""What an odometer counts on a road that holds and on one that does not."""

from __future__ import annotations

import numpy as np
import pytest
from joints import readings

from sensorium.motion.mujoco.commands import Constant, Ramps
from sensorium.scene.mujoco_world import MujocoWorld
from sensorium.sensors.odometer import Odometer


def drive(surface: str, seconds: float = 6.0, **commands: float):
    """Drive from rest; return what the odometer counts, how far the car gets, and its speed at the end."""
    scene = MujocoWorld(file="road_vehicle", surface=surface, commands=Constant(values=commands)).build()
    odometer = Odometer(joint="joint", wheel_radius_m=0.316)
    wheel = scene.joint("rear_left_wheel")
    counted = readings(odometer, wheel, int(seconds * 20) + 1)[-1].distance_m[0]
    times = np.arange(0, int(seconds * 1e9) + 1, 10_000_000)
    k = scene.body("car").motion.kinematics_at(times)
    way = np.linalg.norm(np.diff(k.pose.position_m[:, :2], axis=0), axis=1).sum()
    return counted, way, np.linalg.norm(k.velocity_m_s[-1])


def test_dry_road() -> None:
    """Wheel and way agree within 1 percent while the car accelerates with 2 m/s^2."""
    counted, way, _ = drive("dry", drive=1000)
    assert way > 30
    assert counted == pytest.approx(way, rel=0.01)


def test_ice() -> None:
    """The torque is more than the ice can take: the wheels spin and count more than the car travels."""
    counted, way, speed = drive("ice", drive=1000)
    assert counted > 2 * way
    # both rear wheels slide: m a <= mu N_rear, N_rear about half the weight, plus what inertia shifts to it
    assert speed / 6.0 < 0.1 * 9.81 * 0.6


@pytest.mark.parametrize(("surface", "adhesion"), [("dry", 0.85), ("wet", 0.6), ("snow", 0.2), ("ice", 0.1)])
def test_no_surface_gives_more_than_its_adhesion(surface: str, adhesion: float) -> None:
    """Full braking from speed: the deceleration is at most mu g, and near to it where the wheels lock."""
    commands = Ramps(
        points=[
            {"time_s": 0, "values": {"drive": 250, "brake": 0}}, {"time_s": 8, "values": {"drive": 250, "brake": 0}},
            {"time_s": 8.01, "values": {"drive": 0, "brake": 1}},
        ]
    )  # fmt: skip
    scene = MujocoWorld(file="road_vehicle", surface=surface, commands=commands).build()
    motion = scene.body("car").motion
    speeds = np.linalg.norm(
        motion.kinematics_at(np.arange(8_100_000_000, 8_700_000_001, 600_000_000)).velocity_m_s, axis=1
    )
    braking = (speeds[0] - speeds[1]) / 0.6
    assert braking < adhesion * 9.81 * 1.02
    if adhesion <= 0.2:
        assert braking > adhesion * 9.81 * 0.9
