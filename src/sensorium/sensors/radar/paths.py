"""What the scene sends back to a radar: paths, each with its range, speed, directions and strength."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Paths:
    """N paths at the middle of a frame; directions in the sensor frame.

    The power that comes back is P G_t G_r lambda^2 sigma / ((4 pi)^3 R^4), sigma = |amplitude|^2 + diffuse.
    """

    range_m: Floats
    """[N] half of the whole way out and back."""
    speed_m_s: Floats
    """[N] change of the range; positive: receding."""
    acceleration_m_s2: Floats
    """[N] change of the speed."""
    sent: Floats
    """[N, 3] unit direction in which the path leaves."""
    heard: Floats
    """[N, 3] unit direction from which it comes back."""
    amplitude_m: NDArray[np.complex128]
    """[N] square root of the radar cross section, with the phase that surfaces add."""
    diffuse_m2: Floats
    """[N] mean cross section of what comes back with a random phase."""
    body: NDArray[np.int32]
    """[N] number of the body that scatters; -1: the air."""
    part: NDArray[np.int32]
    """[N] number of its part."""
    bounces: NDArray[np.int8]
    """[N] surfaces on the way out, the scatterer included; negative: the way back is the same as the way out."""

    def __len__(self) -> int:
        return len(self.range_m)

    def taken(self, chosen: Any) -> Paths:
        """Return some of the paths."""
        return Paths(**{field.name: getattr(self, field.name)[chosen] for field in fields(self)})

    @property
    def cross_section_m2(self) -> Floats:
        """Mean radar cross section [N]."""
        return np.asarray(np.abs(self.amplitude_m) ** 2 + self.diffuse_m2)

    @classmethod
    def joined(cls, parts: list[Paths]) -> Paths:
        """Return several lists as one."""
        return cls(
            **{field.name: np.concatenate([getattr(each, field.name) for each in parts]) for field in fields(cls)}
        )

    @classmethod
    def points(
        cls,
        range_m: Any,
        speed_m_s: Any = 0.0,
        azimuth_rad: Any = 0.0,
        elevation_rad: Any = 0.0,
        cross_section_m2: Any = 1.0,
        body: Any = -1,
    ) -> Paths:
        """Return point targets by themselves, without a scene; arguments broadcast."""
        found = np.broadcast_arrays(
            *np.atleast_1d(range_m, speed_m_s, azimuth_rad, elevation_rad, cross_section_m2, body)
        )
        far, speed, azimuth, elevation, section = (np.array(each, float) for each in found[:5])
        flat = np.cos(elevation)
        direction = np.stack((flat * np.cos(azimuth), flat * np.sin(azimuth), np.sin(elevation)), -1)
        nothing, whole = np.zeros(len(far)), np.array(found[5], np.int32)
        return cls(far, speed, nothing, direction, direction, np.sqrt(section) + 0j, nothing, whole, 0 * whole,
                   np.full(len(far), -1, np.int8))  # fmt: skip


def nothing() -> Paths:
    """Return no paths."""
    return Paths.points(np.zeros(0))
