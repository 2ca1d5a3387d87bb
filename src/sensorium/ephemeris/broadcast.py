"""Orbits from broadcast records: for each satellite and instant the record whose time of ephemeris is nearest."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sensorium.ephemeris import glonass, kepler
from sensorium.ephemeris.glonass import GlonassRecords
from sensorium.ephemeris.kepler import KeplerRecords
from sensorium.ephemeris.orbits import Floats, Instants, Orbits, SatelliteStates


class BroadcastOrbits(Orbits):
    """Kepler records of GPS, Galileo and BeiDou together with the records of GLONASS."""

    def __init__(
        self,
        kepler_names: Sequence[str],
        kepler_records: KeplerRecords | None,
        glonass_names: Sequence[str] = (),
        glonass_records: GlonassRecords | None = None,
        klobuchar: tuple[float, ...] | None = None,
    ) -> None:
        self.names = tuple(sorted({*kepler_names, *glonass_names}))
        self.klobuchar = klobuchar
        self.kepler_names, self.kepler_records = tuple(kepler_names), kepler_records
        self.glonass_names, self.glonass_records = tuple(glonass_names), glonass_records
        self._last: tuple[NDArray[np.int64], KeplerRecords] | None = None
        self._kepler_table = _table(self.names, kepler_names)
        self._glonass_table = _table(self.names, glonass_names)
        if glonass_records is not None:
            self.glonass_channel = np.array([
                glonass_records.channel[row[0]] if row[0] >= 0 else 0 for row in self._glonass_table
            ])  # fmt: skip

    def states_at(self, gps_ns: Instants) -> SatelliteStates:
        """Return the states of all satellites, each at its own instant [N]."""
        count = len(self.names)
        position, velocity = np.full((count, 3), np.nan), np.full((count, 3), np.nan)
        clock, drift, delay = np.full(count, np.nan), np.full(count, np.nan), np.zeros(count)
        usable = np.zeros(count, bool)
        if self.kepler_records is not None:
            rows, chosen, age = _nearest(self._kepler_table, self.kepler_records.toe_ns, gps_ns)
            part = self._rows(chosen)
            position[rows], velocity[rows], clock[rows], drift[rows] = kepler.propagate(part, gps_ns[rows])
            delay[rows], usable[rows] = part.group_delay_s, part.healthy & (age <= part.life_ns)
        if self.glonass_records is not None:
            rows, chosen, age = _nearest(self._glonass_table, self.glonass_records.toe_ns, gps_ns)
            part_r, young = self.glonass_records.rows(chosen), age <= glonass.LIFE_NS
            rows, part_r, young = rows[young], part_r.rows(np.flatnonzero(young)), young[young]
            position[rows], velocity[rows], clock[rows], drift[rows] = glonass.propagate(part_r, gps_ns[rows])
            usable[rows] = part_r.healthy
        return SatelliteStates(position, velocity, clock, drift, delay, usable)

    def _rows(self, chosen: NDArray[np.int64]) -> KeplerRecords:
        """Return these records; they are the same for hours, so that the last ones are kept."""
        assert self.kepler_records is not None
        last = self._last
        if last is None or not np.array_equal(last[0], chosen):
            last = self._last = chosen, self.kepler_records.rows(chosen)
        return last[1]

    @cached_property
    def _span(self) -> tuple[int, int]:
        firsts, lasts = [], []
        if self.kepler_records is not None and len(self.kepler_names):
            r = self.kepler_records
            firsts.append(int((r.toe_ns - r.life_ns).min()))
            lasts.append(int((r.toe_ns + r.life_ns).max()))
        if self.glonass_records is not None and len(self.glonass_names):
            firsts.append(int(self.glonass_records.toe_ns.min()) - glonass.LIFE_NS)
            lasts.append(int(self.glonass_records.toe_ns.max()) + glonass.LIFE_NS)
        return min(firsts, default=0), max(lasts, default=0)

    def span_ns(self) -> tuple[int, int]:
        """Return the first and the last instant that any record serves."""
        return self._span


def _table(names: Sequence[str], of_records: Sequence[str]) -> NDArray[np.int64]:
    """Return the rows of each satellite's records [N, most]; -1 fills up."""
    place = {name: row for row, name in enumerate(names)}
    rows: list[list[int]] = [[] for _ in names]
    for record, name in enumerate(of_records):
        rows[place[name]].append(record)
    most = max((len(row) for row in rows), default=0) or 1
    return np.array([row + [-1] * (most - len(row)) for row in rows], np.int64).reshape(len(names), most)


def _nearest(
    table: NDArray[np.int64], toe_ns: Instants, gps_ns: Instants
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Return the satellites that have records, the nearest record of each, and how far it is [ns]."""
    rows = np.flatnonzero(table[:, 0] >= 0)
    if not len(toe_ns):
        return rows[:0], rows[:0], np.zeros(0)
    choices = table[rows]
    far = np.where(choices >= 0, np.abs(toe_ns[choices] - gps_ns[rows, None]), np.iinfo(np.int64).max)
    best = np.argmin(far, 1)
    at = np.arange(len(rows))
    return rows, choices[at, best], far[at, best]
