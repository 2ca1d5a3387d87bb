"""Cases of the published LiDAR on a few boards, each with a closed form: detection, roses, mirrors, the law of distance."""

from __future__ import annotations

from typing import Any

import numpy as np

from sensorium.apps.benchmarks.rows import Row
from sensorium.apps.reproductions.verdicts import near, same, within
from sensorium.atmosphere.medium import Medium
from sensorium.core.pose import Pose
from sensorium.motion.fixed import Fixed
from sensorium.samples import PointCloud
from sensorium.samples.causes import Cause
from sensorium.scene.body import Body, Model, Part
from sensorium.scene.mesh import Mesh
from sensorium.scene.scene import Scene
from sensorium.sensors import Lidar
from sensorium.sensors.lidar.patterns import ListedDirections, PhasedArray
from sensorium.simulation import observe

VACUUM = Medium(name="vacuum", extinction_1_m=0.0)
_SCAN_S = 0.1


def board_rows() -> list[Row]:
    """Compute all cases."""
    return [*_distance_rows(), *_detection_rows(), *_ghost_rows(), *_engine_ghost_rows()]


def board(name: str, material: str, pose: Pose, half_m: float = 3.0, left_of_m: float | None = None) -> Body:
    """A square whose front looks along its own -x; `left_of_m` cuts off what lies to the right of that y."""
    right = -half_m if left_of_m is None else left_of_m
    corners = np.array([[0, right, -half_m], [0, right, half_m], [0, half_m, half_m], [0, half_m, -half_m]], np.float64)
    mesh = Mesh(corners, np.array([[0, 1, 2], [0, 2, 3]], np.int32))
    return Body(name, Model(name, (Part(name, mesh, material, name),)), Fixed(pose=pose))


def look(*bodies: Body, beams: int = 1, air: Medium = VACUUM, **settings: Any) -> PointCloud:
    """Return a scan of so many beams straight along x, from a device of the published figures: 100 W, threshold 3 sigma."""
    straight = np.zeros(beams)
    programme = ListedDirections(azimuth_rad=straight, elevation_rad=straight, dwell_s=np.array([_SCAN_S / beams]))
    lidar = Lidar(**{
        "rate_hz": 1 / _SCAN_S, "pattern": PhasedArray(programme=programme), "link": {"type": "radar", "peak_power_w": 100.0},
        "scale": {"type": "power", "bits": 16, "full_power_w": 1e-3}, "truth": True, **settings,
    })  # fmt: skip
    cloud = observe(Scene(bodies, air=air), lidar)
    assert isinstance(cloud, PointCloud)
    return cloud


def _quiet(**settings: Any) -> dict[str, Any]:
    return {"receiver": {"nep_w_sqrt_hz": 1e-18, **settings}}


def _power(distance_m: float, turned_rad: float = 0.0, air: Medium = VACUUM) -> float:
    """Return the count of power that a matt board sends back."""
    wall = board("wall", "lambertian_50", Pose.at(distance_m, 0.0, 0.0, turned_rad))
    return float(look(wall, air=air, **_quiet()).intensity[0])


def _distance_rows() -> list[Row]:
    """Power falls as 1/r^2 and as cos(angle) (eq. 1.2), and by exp(-2 A R) in absorbing air (eq. 1.9)."""
    air = Medium(name="absorbing", extinction_1_m=0.01)
    full = _power(10.0)
    return [
        near("1.3.1 power at 10 m over that at 20 m", 4.0, full / _power(20.0), "", 2e-3),
        near("1.5.2 wall turned by 60 deg over head-on", 0.5, _power(10.0, np.pi / 3) / full, "", 1e-3),
        near(
            "1.3.2 power at 10 m with A = 0.01/m over none", float(np.exp(-0.2)), _power(10.0, air=air) / full, "", 1e-3
        ),
    ]


def _detection_rows() -> list[Row]:
    """Noise and threshold (eq. 1.12 and 1.13), pulses that merge, and a beam of which an edge alone meets something."""
    beams, distance_m = 20_000, 20.0
    wall = board("wall", "lambertian_50", Pose.at(distance_m, 0.0, 0.0))
    power_w = 100.0 * 0.5 * 0.5 * 0.02**2 / distance_m**2  # P eta (rho / pi) (pi a^2) / r^2
    at_threshold: dict[str, Any] = {"receiver": {"nep_w_sqrt_hz": power_w / 3, "bandwidth_hz": 1.0}}
    share = len(look(wall, beams=beams, **at_threshold)) / beams
    edge = board("edge", "lambertian_50", Pose.at(20.0, 0.0, 0.0), left_of_m=0.01)
    back = board("back", "lambertian_50", Pose.at(20.12, 0.0, 0.0)), board("far", "lambertian_50", Pose.at(20.3, 0, 0))
    rose: dict[str, Any] = {
        "bundle": {"rays": 5, "divergence_rad": 1e-3},
        "returns": {"type": "dual"},
        "range_noise_m": 0.0,
    }
    coarse, fine = _quiet(range_separation_m=0.2), _quiet(range_separation_m=0.03)
    return [
        within("1.3.3 share detected of echoes at the threshold", 0.5, share, "", 5 * 0.5 / np.sqrt(beams)),
        same("1.3.5 edge of the beam alone on a board: returns of a single ray", 0, len(look(edge, **coarse)), ""),
        same("1.3.5 edge of the beam alone on a board: returns of a rose", 1, len(look(edge, **rose, **coarse)), ""),
        same("1.3.5 pulses 12 cm apart, resolution 20 cm: returns", 1, len(look(edge, back[0], **rose, **coarse)), ""),
        same("1.3.5 pulses 12 cm apart, resolution 3 cm: returns", 2, len(look(edge, back[0], **rose, **fine)), ""),
        same("1.3.5 pulses 30 cm apart, resolution 20 cm: returns", 2, len(look(edge, back[1], **rose, **coarse)), ""),
    ]


def _corner(beside_m: float) -> tuple[Body, Body]:
    """A mirror 50 m ahead that turns the beam to the left, and beside it a board that faces both mirror and sensor."""
    mirror = board("mirror", "silver_mirror", Pose.at(50.0, 0.0, 0.0, -np.pi / 4), 0.1)
    return mirror, board("board", "lambertian_80", Pose.at(50.0, beside_m, 0.0, np.pi / 4), 0.05)


def _ghost_rows() -> list[Row]:
    """Figure 1.6: lit over a mirror, seen directly, at (L1 + L2 + L3) / 2, if within the horizontal resolution (0.4 deg)."""
    resolved: dict[str, Any] = {
        "acceptance_rad": "0.4 deg",
        "returns": {"type": "dual"},
        **_quiet(range_separation_m=0.03),
    }
    near_by, aside = look(*_corner(0.3), **resolved), look(*_corner(0.5), **resolved)

    def ranges(cloud: PointCloud, cause: Cause) -> Any:
        assert cloud.truth is not None
        return cloud.range_m[cloud.truth.cause == cause]

    direct, there_and_back = ranges(near_by, Cause.DIRECT_GHOST), ranges(near_by, Cause.MIRROR_GHOST)
    half_m = (50.0 + 0.3 + np.hypot(50.0, 0.3)) / 2
    return [
        within("1.3.6 ghost over a mirror at (L1 + L2 + L3) / 2", half_m, _only(direct), "m", 1e-3),
        same("1.3.6 ghosts beyond the horizontal resolution", 0, len(ranges(aside, Cause.DIRECT_GHOST)), ""),
        within("ghost there and back over the mirror at L1 + L2", 50.3, _only(there_and_back), "m", 1e-3),
    ]


def _only(values: Any) -> float:
    return float(values[0]) if len(values) == 1 else float("nan")


def _engine_ghost_rows() -> list[Row]:
    """Give the same path to the bridge of engines as guns: hit, normal, material, angle; metal (3), then concrete (8).

    The threshold lies above what the metal itself sends back: the bridge reports the first pulse alone.
    """
    from sensorium.bridges.engine_physics import EnginePhysics
    from sensorium.core.random import Draws

    turned = np.sqrt(0.5)
    mirror = [50.0, 0.0, 0.0, -turned, turned, 0.0, 3.0, 0.0]
    wall = [50.0, 0.3, 0.0, -turned, -turned, 0.0, 8.0, float(np.degrees(np.arctan2(0.3, 50.0)))]
    physics = EnginePhysics(acceptance_rad=np.radians(0.4), range_noise_m=0.0, threshold_sigma=10.0)
    point = physics.points(np.array([[mirror, wall]]), Draws(0))
    half_m = (50.0 + 0.3 + np.hypot(50.0, 0.3)) / 2
    found_m = float(np.linalg.norm(point[0, :3])) if len(point) else float("nan")
    return [within("1.3.6 the same ghost as guns of the engine bridge", half_m, found_m, "m", 1e-3)]
