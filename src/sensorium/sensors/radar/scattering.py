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
from sensorium.sensors.radar.paths import Paths

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
    (columns, table), bodies = _surfaces(view, wave), _Bodies(view, time_ns)
    upright = radar.pose.rotate(np.array([0.0, np.sin(wave.polarisation_rad), np.cos(wave.polarisation_rad)]))
    told = (radar.pose.position_m, radar.velocity_m_s, radar.acceleration_m_s2, upright)
    sent = np.arange(len(fan.tubes[0]))
    ray, field = np.empty((len(sent), 14)), np.empty((len(sent), 3), complex)
    kernels.send(*told[:2], upright, radar.pose.matrix()[:3, :3], fan.tubes, ray, field)
    found, met = [], np.full(len(ray), np.inf)
    for number in range(1, fan.bounces + 1):
        hits = _cast(view, ray, time_ns, fan.near_m if number == 1 else 0.0)
        if number == 1:
            met = hits.distance_m
            _refuse_unknown(view, hits, wave, table)
        back, mirrored = np.empty((len(ray), 10)), np.empty((len(ray), 10))
        following = np.empty(len(ray), np.uint8)
        settings = (2 * np.pi / wave.wavelength_m, number, _FAINTEST, float(number < fan.bounces), wave.smallest_1_m2)
        kernels.bounce(
            told, settings, columns, bodies.among(hits.body), (hits.distance_m, hits.body, hits.part, hits.normal), ray, field,
            back, mirrored, following,
        )  # fmt: skip
        for bounces, bit, lines in ((number, 2, back), (-number, 4, mirrored))[: 1 if number == 1 else 2]:
            chosen = np.flatnonzero(following & bit)
            found.append(
                _kept(
                    view,
                    lines.take(chosen, 0),
                    chosen,
                    hits,
                    fan.tubes[0].take(sent[chosen], 0),
                    radar,
                    bounces,
                    time_ns,
                )
            )
        onward = np.flatnonzero(following & 1)
        if not len(onward):
            break
        ray, field, sent = ray.take(onward, 0), field.take(onward, 0), sent[onward]
    return Paths.joined(found), met


def _cast(view: View, ray: Floats, time_ns: int, near_m: float = 0.0) -> Hits:
    origin, direction = np.ascontiguousarray(ray[:, :3]), np.ascontiguousarray(ray[:, 3:6])
    return view.cast(Rays(origin, direction, np.full(len(ray), time_ns), near_m, together=True))


def _surfaces(view: View, wave: Wave) -> tuple[tuple[Any, ...], RadioTable]:
    """Return the columns of all materials that the kernel needs, and the table behind them."""
    scene = view.scene
    table = scene.library.radio_table(wave.frequency_hz, rows=())
    depth = 2 * np.pi * np.where(np.isinf(table.thickness_m), 0.0, table.thickness_m) / wave.wavelength_m
    columns = (table.permittivity, depth, table.roughness_m, table.slope, table.clutter_gamma)
    return (*columns, scene.part_material, scene.part_offset), table


def _refuse_unknown(view: View, hits: Hits, wave: Wave, table: RadioTable) -> None:
    """SceneError if a material in view has no radio properties at this frequency."""
    if any(table.problem):
        hit = hits.hit
        rows = np.unique(view.scene.part_material[view.scene.part_offset[hits.body[hit]] + hits.part[hit]])
        view.scene.library.radio_table(wave.frequency_hz, rows.tolist())


class _Bodies:
    """How bodies move at one instant: all of them, in one batch that is the same in every frame, once a ray meets any."""

    def __init__(self, view: View, time_ns: int) -> None:
        self._scene, self._times_ns = view.scene, np.array([time_ns])
        count = len(view.scene.bodies)
        self._columns = np.zeros((5, count, 3))
        self._moving = np.zeros(count, np.bool_)
        self._movers = [number for number, body in enumerate(view.scene.bodies) if body.motion.moves]

    def among(self, met: NDArray[np.int32]) -> tuple[Floats, ...]:
        """Return place, velocity, spin, acceleration, change of spin [bodies, 3] and which move; right for bodies that are met."""
        movers = self._movers
        if movers and not self._moving.any() and np.isin(met, movers).any():
            now = self._scene.kinematics_at(movers, self._times_ns).rows((slice(None), 0))
            self._columns[:, movers] = (
                now.pose.position_m, now.velocity_m_s, now.angular_velocity_rad_s, now.acceleration_m_s2,
                now.angular_acceleration_rad_s2,
            )  # fmt: skip
            self._moving[movers] = True
        return (*self._columns, self._moving)


def _kept(
    view: View,
    back: Floats,
    of: NDArray[np.intp],
    hits: Hits,
    sent: Floats,
    radar: Kinematics,
    bounces: int,
    time_ns: int,
) -> Paths:
    """Return the tubes `of` the rays that bring something back; those whose way back is blocked are left out."""
    if bounces > 1 and len(of):
        way = np.empty((len(of), 6))
        way[:, :3], way[:, 3:] = radar.pose.position_m, back[:, 6:9]
        free = np.flatnonzero(_cast(view, way, time_ns).distance_m > back[:, 9] - 2e-3)
        back, sent, of = back[free], sent[free], of[free]
    heard = back[:, 6:9] @ radar.pose.matrix()[:3, :3] if bounces > 1 else sent
    return Paths(
        back[:, 3], back[:, 4], back[:, 5], sent, heard, back[:, 0] + 1j * back[:, 1], back[:, 2],
        hits.body[of], hits.part[of], np.full(len(of), bounces, np.int8),
    )  # fmt: skip
