"""Precise orbits: SP3 files, interpolated.

Positions are turned into a frame that does not rotate, interpolated by a polynomial of degree 10 through 11 epochs, and turned
back; clocks are interpolated linearly and get the relativistic term -2 r.v / c^2, which the format leaves out. SP3-d,
Hilla, "The Extended Standard Product 3 Orbit Format", 2016.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from sensorium.core.damage import Damage, damaged, number, text_lines, whole
from sensorium.core.earth import EARTH_RATE_RAD_S, SPEED_OF_LIGHT_M_S
from sensorium.core.errors import ConfigurationError
from sensorium.core.time_scales import BEIDOU_BEHIND_GPS_NS, gps_of_calendar_ns, gps_of_utc_calendar_ns
from sensorium.ephemeris.orbits import SYSTEMS, Floats, Instants, Orbits, SatelliteStates

POINTS = 11
_BAD_CLOCK_US = 999_999.0

Table = dict[int, dict[str, tuple[float, float, float, float]]]


class PreciseOrbits(Orbits):
    """Orbits and clocks on a grid of equal steps; NaN where a satellite is missing."""

    def __init__(self, names: Sequence[str], grid_ns: Instants, position_m: Floats, clock_s: Floats) -> None:
        self.names, self.grid_ns = tuple(names), grid_ns
        self._clock_s = clock_s
        angle = EARTH_RATE_RAD_S * (grid_ns - grid_ns[0]) * 1e-9
        self._inertial_m = _about_axis(position_m, angle)  # [N, T, 3]
        if len(grid_ns) < POINTS:
            raise ConfigurationError(f"interpolation needs {POINTS} epochs of precise orbits, found {len(grid_ns)}")
        self._step_ns = int(grid_ns[1] - grid_ns[0])
        if np.any(np.diff(grid_ns) != self._step_ns):
            raise ConfigurationError("the epochs of precise orbits must follow in equal steps; an epoch is missing")
        half = (POINTS - 1) / 2
        self._to_powers = np.linalg.inv(np.vander(np.arange(-half, half + 1) / half, increasing=True))

    def span_ns(self) -> tuple[int, int]:
        """Return the first and the last epoch."""
        return int(self.grid_ns[0]), int(self.grid_ns[-1])

    def states_at(self, gps_ns: Instants) -> SatelliteStates:
        """Return the states of all satellites, each at its own instant [N]; outside the file none is usable."""
        count, half = len(self.names), (POINTS - 1) / 2
        place = (gps_ns - self.grid_ns[0]) / self._step_ns
        first = np.clip(np.rint(place - half), 0, len(self.grid_ns) - POINTS).astype(np.int64)
        each = np.arange(count)
        nodes = self._inertial_m[each[:, None], first[:, None] + np.arange(POINTS)]
        u = (place - first - half) / half
        middle = nodes[:, POINTS // 2, None]
        powers = np.einsum("pj,njk->npk", self._to_powers, nodes - middle)
        order = np.arange(POINTS)
        position = np.einsum("np,npk->nk", u[:, None] ** order, powers) + middle[:, 0]
        slope = np.einsum("np,npk->nk", order[1:] * u[:, None] ** (order[1:] - 1), powers[:, 1:])
        velocity = slope / (half * self._step_ns * 1e-9)
        angle = -EARTH_RATE_RAD_S * (gps_ns - self.grid_ns[0]) * 1e-9
        position, velocity = _turned(position, angle), _turned(velocity, angle)
        velocity -= np.cross([0.0, 0.0, EARTH_RATE_RAD_S], position)
        clock, drift = self._clocks(place)
        inertial = velocity + np.cross([0.0, 0.0, EARTH_RATE_RAD_S], position)
        clock = clock - 2 * (position * inertial).sum(-1) / SPEED_OF_LIGHT_M_S**2
        inside = (gps_ns >= self.grid_ns[0]) & (gps_ns <= self.grid_ns[-1])
        usable = inside & np.isfinite(position).all(-1) & np.isfinite(clock)
        return SatelliteStates(position, velocity, clock, drift, np.zeros(count), usable)

    def _clocks(self, place: Floats) -> tuple[Floats, Floats]:
        low = np.clip(np.floor(place), 0, len(self.grid_ns) - 2).astype(np.int64)
        each = np.arange(len(self.names))
        before, after = self._clock_s[each, low], self._clock_s[each, low + 1]
        return before + (place - low) * (after - before), (after - before) / (self._step_ns * 1e-9)


def _about_axis(position_m: Floats, angle: Floats) -> Floats:
    """Turn positions [N, T, 3] about the Earth's axis by the angles [T]."""
    return np.asarray(_turned(position_m, np.broadcast_to(angle, position_m.shape[:2])))


def _turned(vector: Floats, angle: Floats) -> Floats:
    s, c = np.sin(angle), np.cos(angle)
    x, y = vector[..., 0], vector[..., 1]
    return np.stack((c * x - s * y, s * x + c * y, vector[..., 2]), -1)


def read_sp3(paths: Sequence[str | Path]) -> tuple[PreciseOrbits, list[Damage]]:
    """Read SP3 files (versions a to d) of following days; damaged lines are named and left out."""
    table: Table = {}
    damage: list[Damage] = []
    for path in paths:
        _read_file(Path(path), table, damage)
    if not table:
        raise ConfigurationError(f"{', '.join(map(str, paths))}: no epoch of precise orbits could be read")
    names = sorted({name for epoch in table.values() for name in epoch})
    grid = np.array(sorted(table), np.int64)
    nothing = (np.nan,) * 4
    rows = np.array([[table[int(time)].get(name, nothing) for time in grid] for name in names])
    return PreciseOrbits(names, grid, rows[..., :3] * 1e3, rows[..., 3] * 1e-6), damage


def _read_file(path: Path, table: Table, damage: list[Damage]) -> None:
    lines = text_lines(path)
    if not lines or lines[0][:1] != "#" or lines[0][1:2] not in "abcd":
        raise ConfigurationError(f"{path}:1: is not an SP3 file: it does not begin with '#a' .. '#d'")
    scale = next((line[9:12] for line in lines if line.startswith("%c")), "GPS")
    epoch: dict[str, tuple[float, float, float, float]] | None = None
    for place, line in enumerate(lines, 1):
        if line.startswith("*"):
            time = damaged(path.name, damage, place, partial(_epoch_ns, line, scale))
            epoch = None if time is None else table.setdefault(time, {})
        elif line.startswith("P") and epoch is not None and line[1:2] in (*SYSTEMS, " "):
            found = damaged(path.name, damage, place, partial(_position, line))
            if found is not None:
                epoch[line[1:4].replace(" ", "0").replace("0", "G", line[1] == " ")] = found
        elif line.startswith("EOF"):
            return


def _epoch_ns(line: str, scale: str) -> int:
    parts = line[1:].split()
    if len(parts) < 6:
        raise ValueError(f"an epoch has six numbers, found '{line.strip()}'")
    year, month, day, hour, minute = (whole(part, "a date's part") for part in parts[:5])
    date = (year, month, day, hour, minute, number(parts[5], "the second"))
    if scale == "UTC":
        return gps_of_utc_calendar_ns(*date)
    return gps_of_calendar_ns(*date) + (BEIDOU_BEHIND_GPS_NS if scale == "BDT" else 0)


def _position(line: str) -> tuple[float, float, float, float]:
    x, y, z, clock = (number(line[4 + 14 * k : 18 + 14 * k], "a coordinate") for k in range(4))
    if x == y == z == 0:
        x = y = z = np.nan  # the format's word for unknown
    elif not 6_000 < float(np.hypot(np.hypot(x, y), z)) < 60_000:
        raise ValueError(f"a satellite at ({x:g}, {y:g}, {z:g}) km is nowhere near its orbit")
    return x, y, z, np.nan if abs(clock) >= _BAD_CLOCK_US else clock
