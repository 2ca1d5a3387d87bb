"""Numbers of a navigation file become records, and records become orbits; what cannot be right is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from sensorium.core.time_scales import BEIDOU_BEHIND_GPS_NS, WEEK_NS
from sensorium.ephemeris.glonass import GlonassRecords
from sensorium.ephemeris.kepler import GRAVITATION_M3_S2, ROTATION_RAD_S, KeplerRecords

_SECOND_NS = 1_000_000_000
_HOUR_NS = 3_600 * _SECOND_NS
LIFE_NS = {"G": 2 * _HOUR_NS, "E": 4 * _HOUR_NS, "C": 6 * _HOUR_NS}
"""From the time of ephemeris on: half a fit interval of 4 h (GPS), and what receivers allow for the others."""
_GALILEO_E1_E5A = 0b111111
_F_NAV = 0b10

Named = Sequence[tuple[str, dict[str, float]]]


def kepler_record(system: str, number: int, toc_ns: int, v: Sequence[float]) -> dict[str, float]:
    """Return a record of GPS, Galileo or BeiDou from the 31 numbers of its 8 lines."""
    behind = BEIDOU_BEHIND_GPS_NS if system == "C" else 0
    if not 0 <= v[8] < 0.5:
        raise ValueError(f"the eccentricity should lie in 0 .. 0.5, found {v[8]:g}")
    if not 4_000 < v[10] < 8_000:
        raise ValueError(f"the root of the semi-major axis should lie in 4000 .. 8000, found {v[10]:g}")
    if not 0 <= v[11] <= 604_800:
        raise ValueError(f"the time of ephemeris should be a second of the week, found {v[11]:g}")
    toe_ns = round(v[11] * 1e9) + behind
    toe_ns += WEEK_NS * round((toc_ns - toe_ns) / WEEK_NS)  # the week that puts it nearest to the clock's time
    health = int(v[24])
    fit_h = v[28] if system == "G" and v[28] >= 4 else 4.0
    return {
        "toe_ns": toe_ns, "toc_ns": toc_ns, "week_second_s": v[11], "gravitation_m3_s2": GRAVITATION_M3_S2[system],
        "rotation_rad_s": ROTATION_RAD_S[system], "geostationary": system == "C" and (number <= 5 or number >= 59),
        "clock_s": v[0], "clock_drift": v[1], "clock_drift_rate_1_s": v[2],
        "crs_m": v[4], "motion_correction_rad_s": v[5], "anomaly_rad": v[6],
        "cuc_rad": v[7], "eccentricity": v[8], "cus_rad": v[9], "root_a_sqrt_m": v[10],
        "cic_rad": v[12], "node_rad": v[13], "cis_rad": v[14],
        "inclination_rad": v[15], "crc_m": v[16], "perigee_rad": v[17], "node_rate_rad_s": v[18],
        "inclination_rate_rad_s": v[19], "group_delay_s": v[25],
        "healthy": health & _GALILEO_E1_E5A == 0 if system == "E" else health == 0,
        "life_ns": int(fit_h / 2 * _HOUR_NS) if system == "G" else LIFE_NS[system],
        "f_nav": system == "E" and bool(int(v[20]) & _F_NAV),
    }  # fmt: skip


def glonass_record(toe_ns: int, v: Sequence[float]) -> dict[str, float]:
    """Return a record of GLONASS from the 15 numbers of its 4 lines; the file's clock value is -tau_n already."""
    radius_km = float(np.linalg.norm((v[3], v[7], v[11])))
    if not 20_000 < radius_km < 30_000:
        raise ValueError(f"a GLONASS satellite is 25500 km from the Earth's centre, found {radius_km:.0f} km")
    names = ("position_m", "velocity_m_s", "acceleration_m_s2")
    vectors = {f"{name}.{axis}": v[3 + 4 * axis + row] * 1e3 for row, name in enumerate(names) for axis in range(3)}
    record = {"toe_ns": toe_ns, "clock_s": v[0], "clock_drift": v[1], "healthy": v[6] == 0, "channel": int(v[10])}
    return {**record, **vectors}


def records_of(
    kepler: Named, glonass: Named
) -> tuple[tuple[str, ...], KeplerRecords | None, tuple[str, ...], GlonassRecords | None]:
    """Return names and tables of all records; of Galileo those of F/NAV (E1 and E5a) where a satellite has them."""
    with_f_nav = {name for name, record in kepler if record["f_nav"]}
    kept = [(name, record) for name, record in kepler if record["f_nav"] or name not in with_f_nav]
    k_table = KeplerRecords(**_columns(KeplerRecords, kept)) if kept else None
    g_table = GlonassRecords(**_columns(GlonassRecords, glonass)) if glonass else None
    return tuple(name for name, _ in kept), k_table, tuple(name for name, _ in glonass), g_table


def _columns(table: Any, named: Named) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for column in fields(table):
        if column.name in named[0][1]:
            columns[column.name] = np.array([record[column.name] for _, record in named])
        else:
            axes = [[record[f"{column.name}.{axis}"] for axis in range(3)] for _, record in named]
            columns[column.name] = np.array(axes)
    return columns
