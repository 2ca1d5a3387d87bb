"""Finds scattering paths: rays go out from where the radar is at the middle of a frame, and bounce."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.materials.radio import RadioTable
from sensorium.motion.motion import Kinematics
from sensorium.scene.rays import Hits, Rays
from sensorium.scene.view import View
from sensorium.sensors.radar.fan import RayFan
from sensorium.sensors.radar.paths import Paths, nothing

Floats = NDArray[np.float64]

_FAINTEST = 1e-2
"""Part of the power that must be left for a ray to go on."""


@dataclass(frozen=True, eq=False)
class Wave:
    """What the paths are traced with."""

    frequency_hz: float
    wavelength_m: float
    polarisation_rad: float
    """From the sensor's z axis towards its y axis."""
    smallest_1_m2: float = 0.0
    """Cross section over the fourth power of the range below which a tube after several surfaces counts as nothing."""


def scattering_paths(view: View, fan: RayFan, wave: Wave) -> tuple[Paths, Floats]:
    """Return the paths of all tubes, and how far the first surface is along each ray [rays], infinite if there is none."""
    from sensorium.sensors.radar import scattering_kernels as kernels

    time_ns = (view.window.start_ns + view.window.end_ns) // 2
    radar = view.kinematics_at(np.array(time_ns))
    surfaces, bodies = _surfaces(view, wave), _bodies(view, time_ns)
    direction, edge_a, edge_e = fan.tubes
    count = len(direction)
    ray = np.zeros((count, 14))
    for start, vectors in ((3, direction), (6, edge_a), (9, edge_e)):
        ray[:, start : start + 3] = radar.pose.rotate(vectors)
    ray[:, :3] = radar.pose.position_m
    ray[:, 13] = -ray[:, 3:6] @ radar.velocity_m_s
    upright = radar.pose.rotate(np.array([0.0, np.sin(wave.polarisation_rad), np.cos(wave.polarisation_rad)]))
    field = _across(upright, ray[:, 3:6]).astype(complex)
    told = (radar.pose.position_m, radar.velocity_m_s, radar.acceleration_m_s2, upright)
    first, found, met = ray[:, 3:6].copy(), [], np.full(count, np.inf)
    for number in range(1, fan.bounces + 1):
        hits = _cast(view, ray, time_ns, fan.near_m if number == 1 else 0.0, True)
        if number == 1:
            met = hits.distance_m
            _refuse_unknown(view, hits, wave, surfaces[1])
        back, mirrored = np.empty((len(ray), 10)), np.empty((len(ray), 10))
        following = np.empty(len(ray), np.bool_)
        settings = (2 * np.pi / wave.wavelength_m, number, _FAINTEST, float(number < fan.bounces))
        kernels.bounce(
            told, settings, surfaces[0], bodies, (hits.distance_m, hits.body, hits.part, hits.normal), ray, field, first,
            back, mirrored, following,
        )  # fmt: skip
        found.append(_kept(view, wave, back, hits, first, radar, number, time_ns))
        if number > 1:
            found.append(_kept(view, wave, mirrored, hits, first, radar, -number, time_ns))
        ray, field, first = ray[following], field[following], first[following]
        if not len(ray):
            break
    return Paths.joined(found) if found else nothing(), met


def _across(vector: Floats, direction: Floats) -> Floats:
    """Return unit vectors [N, 3] along a vector, at right angles to directions [N, 3]."""
    across = vector - (direction @ vector)[:, None] * direction
    return np.asarray(across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9))


def _cast(view: View, ray: Floats, time_ns: int, near_m: float, together: bool) -> Hits:
    origin, direction = np.ascontiguousarray(ray[:, :3]), np.ascontiguousarray(ray[:, 3:6])
    return view.cast(Rays(origin, direction, np.full(len(ray), time_ns), near_m, together=together))


def _surfaces(view: View, wave: Wave) -> tuple[tuple[Any, ...], RadioTable]:
    """Return the columns of all materials that the kernel needs, and the table behind them."""
    scene = view.scene
    table = scene.library.radio_table(wave.frequency_hz, rows=())
    depth = 2 * np.pi * np.where(np.isinf(table.thickness_m), 0.0, table.thickness_m) / wave.wavelength_m
    columns = (table.permittivity, depth, table.roughness_m, table.clutter_gamma)
    return (*columns, scene.part_material, scene.part_offset), table


def _refuse_unknown(view: View, hits: Hits, wave: Wave, table: RadioTable) -> None:
    """SceneError if a material in view has no radio properties at this frequency."""
    if any(table.problem):
        hit = hits.hit
        rows = np.unique(view.scene.part_material[view.scene.part_offset[hits.body[hit]] + hits.part[hit]])
        view.scene.library.radio_table(wave.frequency_hz, rows.tolist())


def _bodies(view: View, time_ns: int) -> tuple[Floats, ...]:
    """Return place, velocity, spin, acceleration, change of spin [bodies, 3] and which bodies move."""
    count = len(view.scene.bodies)
    columns = np.zeros((5, count, 3))
    moving = np.zeros(count, np.bool_)
    for number, body in enumerate(view.scene.bodies):
        if body.motion.moves:
            now = body.motion.kinematics_at(np.array(time_ns))
            columns[:, number] = (
                now.pose.position_m, now.velocity_m_s, now.angular_velocity_rad_s, now.acceleration_m_s2,
                now.angular_acceleration_rad_s2,
            )  # fmt: skip
            moving[number] = True
    return (*columns, moving)


def _kept(
    view: View, wave: Wave, back: Floats, hits: Hits, first: Floats, radar: Kinematics, bounces: int, time_ns: int
) -> Paths:
    """Return the tubes that bring something back; those whose way back is blocked are left out."""
    section = back[:, 0] ** 2 + back[:, 1] ** 2 + back[:, 2]
    least = wave.smallest_1_m2 if abs(bounces) > 1 else 0.0
    chosen = np.flatnonzero(section > least * np.where(section > 0, back[:, 3], 1.0) ** 4)
    if bounces > 1 and len(chosen):
        way = np.zeros((len(chosen), 6))
        way[:, :3], way[:, 3:] = radar.pose.position_m, back[chosen, 6:9]
        seen = _cast(view, way, time_ns, 0.0, together=False)
        chosen = chosen[seen.distance_m > back[chosen, 9] - 2e-3]
    back, inverse = back[chosen], radar.pose.inverse()
    return Paths(
        back[:, 3], back[:, 4], back[:, 5], inverse.rotate(first[chosen]), inverse.rotate(back[:, 6:9]),
        back[:, 0] + 1j * back[:, 1], back[:, 2], hits.body[chosen], hits.part[chosen],
        np.full(len(chosen), bounces, np.int8),
    )  # fmt: skip
