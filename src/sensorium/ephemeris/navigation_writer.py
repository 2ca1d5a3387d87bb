"""Broadcast records as a navigation file of RINEX 3.04, so that simulated observations can be solved by others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from sensorium.core.time_scales import BEIDOU_BEHIND_GPS_NS, WEEK_NS, calendar_of_gps_ns, utc_of_gps
from sensorium.ephemeris.broadcast import BroadcastOrbits

_WEEKS = {"G": 0, "E": 0, "C": 1356}
"""First GPS week of the week counted in the file; Galileo's is aligned with GPS."""


def write_navigation(path: str | Path, orbits: BroadcastOrbits) -> None:
    """Write all records, GPS and Galileo and BeiDou as 8 lines, GLONASS as 4 (RINEX 3.04, tables A5 to A14)."""
    lines = [_labelled(f"{3.04:9.2f}{'':11}{'NAVIGATION DATA':20}{'M: MIXED':20}", "RINEX VERSION / TYPE")]
    lines.append(_labelled(f"{'Sensorium':40}", "PGM / RUN BY / DATE"))
    if orbits.klobuchar is not None:
        for name, four in (("GPSA", orbits.klobuchar[:4]), ("GPSB", orbits.klobuchar[4:])):
            lines.append(_labelled(f"{name} " + "".join(f"{value:12.4E}" for value in four), "IONOSPHERIC CORR"))
    lines.append(_labelled("", "END OF HEADER"))
    order = sorted(range(len(orbits.kepler_names)), key=lambda row: (orbits.kepler_names[row], _toe(orbits, row)))
    for row in order:
        lines += _kepler(orbits, row)
    for row in range(len(orbits.glonass_names)):
        lines += _glonass(orbits, row)
    Path(path).write_text("\n".join(lines) + "\n", "ascii")


def _toe(orbits: BroadcastOrbits, row: int) -> int:
    assert orbits.kepler_records is not None
    return int(orbits.kepler_records.toe_ns[row])


def _labelled(text: str, label: str) -> str:
    return f"{text:60}{label}"


def _row(*values: float, head: str = "    ") -> str:
    return head + "".join(f"{value:19.12E}" for value in values)


def _kepler(orbits: BroadcastOrbits, row: int) -> list[str]:
    r, name = orbits.kepler_records, orbits.kepler_names[row]
    assert r is not None

    def at(column: NDArray[Any]) -> float:
        return float(column[row])

    behind = BEIDOU_BEHIND_GPS_NS if name[0] == "C" else 0
    toc_ns, toe_ns = int(r.toc_ns[row]) - behind, int(r.toe_ns[row]) - behind
    year, month, day, hour, minute, second = calendar_of_gps_ns(toc_ns)
    head = f"{name} {year:4d} {month:02d} {day:02d} {hour:02d} {minute:02d} {int(second):02d}"
    week = toe_ns // WEEK_NS - _WEEKS[name[0]]
    source = 0b1000000010 if name[0] == "E" else 0  # F/NAV, clock of E5a and E1
    health = 0.0 if r.healthy[row] else 1.0
    fit_h = at(r.life_ns) * 2 / 3.6e12 if name[0] == "G" else 0.0
    return [
        _row(at(r.clock_s), at(r.clock_drift), at(r.clock_drift_rate_1_s), head=head),
        _row(0.0, at(r.crs_m), at(r.motion_correction_rad_s), at(r.anomaly_rad)),
        _row(at(r.cuc_rad), at(r.eccentricity), at(r.cus_rad), at(r.root_a_sqrt_m)),
        _row(at(r.week_second_s), at(r.cic_rad), at(r.node_rad), at(r.cis_rad)),
        _row(at(r.inclination_rad), at(r.crc_m), at(r.perigee_rad), at(r.node_rate_rad_s)),
        _row(at(r.inclination_rate_rad_s), source, week, 0.0),
        _row(2.0, health, at(r.group_delay_s), 0.0),
        _row(at(r.week_second_s), fit_h),
    ]


def _glonass(orbits: BroadcastOrbits, row: int) -> list[str]:
    r, name = orbits.glonass_records, orbits.glonass_names[row]
    assert r is not None
    at = utc_of_gps(int(r.toe_ns[row]))
    head = f"{name} {at:%Y %m %d %H %M %S}"
    place, speed, pull = r.position_m[row] / 1e3, r.velocity_m_s[row] / 1e3, r.acceleration_m_s2[row] / 1e3
    extra = (0.0 if r.healthy[row] else 1.0, float(r.channel[row]), 0.0)
    axes = [_row(place[k], speed[k], pull[k], extra[k]) for k in range(3)]
    return [_row(float(r.clock_s[row]), float(r.clock_drift[row]), 0.0, head=head), *axes]
