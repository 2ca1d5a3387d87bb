"""Blooming: the halo of false points round retro-reflectors, made by stray light of the optics.

Lenses and windows scatter a little of the light beside its path. A beam that points at an angle psi beside a bright target
still lights it a little and hears a little of its echo, at the target's range. Both together leave the share

    B(psi) = level / (1 + (psi / width)^2),   psi <= reach,

of what a beam that points at the target receives: the scatter law of polished lenses, b0 (1 + (psi / l)^2)^(s / 2), with s = -2
(J. Harvey, "Light-scattering characteristics of optical surfaces", 1976; measured on camera lenses by G. Ritt et al., Sensors
20, 6308, 2020). That glare is linear in the echoes and the same for every scene is what A. Gump et al. found with a
single-photon LiDAR (arXiv:2605.24753, 2026).

A target wider than a beam shines with all its parts, and beams sample it. Their first echoes are averaged over each footprint (a
cell of the solid angle pi / 2 Theta_h Theta_v of the beam; beams of the cell that see nothing bright count as dark), and
what cells send at nearly the same range adds up to one echo per beam. So the halo does not depend on how densely a pattern
samples. Parts of a target between sparse beams are not seen and send nothing. Echoes over mirrors and through glass have no halo.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import Fraction, NonNegativeRadians, Radians
from sensorium.samples.causes import Cause
from sensorium.sensors.lidar.beams import Beams
from sensorium.sensors.lidar.echoes import FirstEchoes, FoundEchoes, Seen

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

LEAST = 0.1
"""Stray light below this share of the noise is left out, of one source as well as in one beam."""


@configured
class Blooming:
    """How much of a bright echo strays into beams beside it. All figures are assumed unless a device says otherwise."""

    level: Annotated[Fraction, Field(gt=0)] = 1e-4
    """Share of the echo next to the target (assumed: some ten surfaces, which lose b0 = 0.1 to 1 per steradian each, times a
    footprint of 4 microsteradian give 1e-6 to 1e-5 for clean optics; a dirty window adds the rest)."""
    width_rad: Annotated[Radians, Field(gt=0)] = 0.01
    """Angle at which half of it is left (assumed; the shoulder l of polished glass is near 10 mrad)."""
    reach_rad: Annotated[NonNegativeRadians, Field(le=math.pi / 2)] = 0.1
    """Angle beyond which nothing strays (assumed)."""

    def share(self, angle_rad: Floats) -> Floats:
        """Return B at these angles between beam and target."""
        law = self.level / (1.0 + (angle_rad / self.width_rad) ** 2)
        return np.where(angle_rad <= self.reach_rad, law, 0.0)

    def halo(
        self,
        beams: Beams,
        first: FirstEchoes,
        seen: Seen | None,
        noise_w: float,
        footprint_sr: float,
        separation_m: float,
    ) -> list[FoundEchoes]:
        """Return what strays from bright first echoes into other beams: nothing, or one batch.

        Without `seen` the echoes do not say which body they came from.
        """
        from sensorium.sensors.lidar import blooming_kernels

        rays = len(first.power_w) // max(1, len(beams))
        beam, row, power, distance = blooming_kernels.bright(
            rays, first.distance_m, first.power_w, LEAST * noise_w / self.level, separation_m
        )
        if not len(beam):
            return []
        sources = Sources.averaged(beams.direction, beam, row, power, distance, footprint_sr, separation_m)
        k, row, power, distance = blooming_kernels.halo(
            beams.direction, sources.own, sources.row, sources.power_w, sources.distance_m, sources.band,
            sources.direction, sources.azimuth_rad, self.level, self.width_rad, self.reach_rad, LEAST * noise_w,
        )  # fmt: skip
        return [_told(k, row, power, distance, seen)]


@dataclass(frozen=True, eq=False)
class Sources:
    """Bright cells [S] by rising azimuth; echoes of one cell at different ranges are different sources."""

    own: Whole
    """[N] of each beam: the source that it sees itself, or -1."""
    row: Whole
    """Ray that brought the most."""
    power_w: Floats
    distance_m: Floats
    band: Whole
    """Number of the range; sources of one band are heard as one echo."""
    direction: Floats
    """That of the beam that received the most."""
    azimuth_rad: Floats

    @classmethod
    def averaged(
        cls, direction: Floats, beam: Whole, row: Whole, power_w: Floats, distance_m: Floats, footprint_sr: float,
        separation_m: float,
    ) -> Sources:  # fmt: skip
        """Return the mean over each footprint of what its beams receive from each range."""
        from sensorium.sensors.lidar import blooming_kernels

        by_range = np.argsort(distance_m, kind="stable")
        band = np.empty(len(beam), np.int64)
        band[by_range] = blooming_kernels.bands(distance_m[by_range], separation_m)
        cell, crowd = _cells(direction, beam, footprint_sr)
        _, group = np.unique(cell * (band.max() + 1) + band, return_inverse=True)
        total = np.bincount(group, power_w)
        middle_m = np.bincount(group, power_w * distance_m) / total
        strongest = np.lexsort((-power_w, group))[np.concatenate(([0], np.cumsum(np.bincount(group))[:-1]))]
        toward = direction[beam[strongest]]
        azimuth = np.arctan2(toward[:, 1], toward[:, 0])
        order = np.argsort(azimuth, kind="stable")
        own, place = np.full(len(direction), -1, np.int64), np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        own[beam] = place[group]
        chosen = strongest[order]
        mean_w = (total / crowd[cell[strongest]])[order]
        return cls(own, row[chosen], mean_w, middle_m[order], band[chosen], toward[order], azimuth[order])


def _cells(direction: Floats, beam: Whole, footprint_sr: float) -> tuple[Whole, Floats]:
    """Return the number [S] of the footprint-sized cell in which each bright beam lies, and how many beams are in each cell."""
    from sensorium.sensors.lidar import blooming_kernels

    if footprint_sr <= 0:
        return np.arange(len(beam)), np.ones(len(beam))
    pitch = math.sqrt(footprint_sr)
    keys, cell = np.unique(blooming_kernels.cells(direction[beam], pitch), return_inverse=True)
    return cell, blooming_kernels.crowd(direction, keys, direction[beam, 2].min(), direction[beam, 2].max(), pitch)


def _told(
    k: NDArray[np.int64], row: NDArray[np.int64], power_w: Floats, distance_m: Floats, seen: Seen | None
) -> FoundEchoes:
    """Return echoes with what their strongest source met."""
    cause = np.full(len(k), Cause.BLOOMING, np.int8)
    if seen is None:
        nothing = np.full(len(k), -1, np.int32)
        return FoundEchoes(k, distance_m, power_w, cause, nothing, nothing, np.ones(len(k)))
    return FoundEchoes(
        k, distance_m, power_w, cause, seen.body[row], seen.part[row], seen.incidence_cos[row].astype(np.float64)
    )
