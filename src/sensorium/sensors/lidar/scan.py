"""One scan's first echoes: beams become rays, rays are cast and weighed, block by block.

A block of rays stays in the processor's caches from aiming to weighing, and its arrays are small enough to be used again
instead of being asked from the system anew: a third faster than one pass over a million rays per step. Inside a block beams
that lie side by side are sent together, whatever the order in which they fire.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from sensorium.materials.optical_table import OpticalTable
from sensorium.scene.ray_order import side_by_side
from sensorium.scene.rays import Hits, Rays
from sensorium.scene.view import View
from sensorium.sensors.lidar.beams import Beams
from sensorium.sensors.lidar.bundle import Bundle
from sensorium.sensors.lidar.echoes import FirstEchoes, Met, Seen
from sensorium.sensors.lidar.links import LinkFigures

_RAYS_AT_ONCE = 32_768


@dataclass(frozen=True, eq=False)
class Emission:
    """What a scan sends out, and how it weighs what it meets."""

    view: View
    beams: Beams
    bundle: Bundle
    table: OpticalTable
    link: LinkFigures
    extinction_1_m: float
    far_m: float

    def scan(self, follow: bool, look: bool, sunlit: bool) -> Scan:
        """Cast all rays, weigh their echoes, and note what else is asked for.

        `follow`: the rays that mirrors and glass lead on; `look`: what each ray met; `sunlit`: the beams' axes and what they met.
        """
        rays, total = self.bundle.rays, len(self.beams) * self.bundle.rays
        first, seen = FirstEchoes(np.empty(total), np.empty(total, np.float32)), Seen.room(total if look else 0)
        live, branched, axes, axis_beams = [], [], [], []
        follow = follow and self.table.leads_on
        step = max(1, _RAYS_AT_ONCE // rays)
        for start in range(0, len(self.beams), step):
            beams = start + side_by_side(self.beams.direction[start : start + step])
            block = self.cast(beams)
            marked = self._weigh(block, beams, follow, first, seen)
            if len(marked):
                live.append(beams[marked // rays] * rays + marked % rays)
                branched.append(block.rows(marked))
            if sunlit:
                axes.append(block.rows(np.arange(0, len(beams) * rays, rays)))
                axis_beams.append(beams)
        return Scan(
            first, np.concatenate([np.zeros(0, np.int64), *live]), joined(branched),
            np.concatenate([np.zeros(0, np.int64), *axis_beams]), joined(axes), seen if look else None,
        )  # fmt: skip

    def cast(self, beams: NDArray[np.intp]) -> Met:
        """Send some beams that lie side by side, each from the sensor's pose at its own time."""
        from sensorium.sensors.lidar import echo_kernels

        track, window, sent = self.view.track, self.view.window, self.beams
        origin, direction, time_ns = echo_kernels.aim(
            beams, sent.time_ns, sent.origin_m, sent.direction, self.bundle.offsets, window.start_ns,
            1.0 / max(1, window.duration_ns), track.position_m, track.step_m, track.quaternion,
        )  # fmt: skip
        rays = Rays(origin, direction, time_ns, 0.0, self.far_m, together=True)
        return Met(rays, self.view.cast(rays))

    def _weigh(
        self, met: Met, beams: NDArray[np.intp], follow: bool, first: FirstEchoes, seen: Seen
    ) -> NDArray[np.intp]:
        """Fill in the echo of each ray of these beams; return the places in the block that a mirror or glass leads on."""
        from sensorium.sensors.lidar import echo_kernels

        scene, hits = self.view.scene, met.hits
        branching = np.zeros(len(hits.body) if follow else 0, np.bool_)
        echo_kernels.weigh(
            self.bundle.weights, self.bundle.lengths, hits.distance_m, met.rays.direction, hits.body, hits.part, hits.normal,
            scene.part_offset, scene.part_material, self.table, self.link, self.extinction_1_m, beams, first.distance_m,
            first.power_w, branching, seen.body, seen.part, seen.incidence_cos,
        )  # fmt: skip
        return np.flatnonzero(branching)


@dataclass(frozen=True, eq=False)
class Scan:
    """What a scan brought back from the first surfaces."""

    first: FirstEchoes
    live: NDArray[np.int64]
    """Numbers of the rays that a mirror or glass leads on."""
    branched: Met | None
    """What those rays met; None if there are none."""
    axis_beams: NDArray[np.int64]
    """Numbers of the beams in `axes`, every beam once."""
    axes: Met | None
    """The beams' axes and what they met, where it was asked for."""
    seen: Seen | None
    """What all rays met, where it was asked for."""


def joined(blocks: list[Met]) -> Met | None:
    """Return blocks as one, or None if there are none."""
    if len(blocks) < 2:
        return blocks[0] if blocks else None
    rays = [block.rays for block in blocks]
    origin_m, direction, time_ns = (
        np.concatenate([getattr(ray, name) for ray in rays]) for name in ("origin_m", "direction", "time_ns")
    )
    hits = {field.name: np.concatenate([getattr(block.hits, field.name) for block in blocks]) for field in fields(Hits)}
    return Met(Rays(origin_m, direction, time_ns, rays[0].near_m, rays[0].far_m), Hits(**hits))
