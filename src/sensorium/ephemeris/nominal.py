"""The nominal constellations of GPS (24 slots) and Galileo (Walker 24/3/1), as the default where no file is given.

They are circular orbits with perfect clocks, right in number, spacing and motion but not those of any day. The records
have the form of broadcast records, so that they can be written as a navigation file.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from sensorium.core.time_scales import GPS_EPOCH_UNIX_S, WEEK_NS, gps_of_unix_ns
from sensorium.ephemeris.broadcast import BroadcastOrbits
from sensorium.ephemeris.kepler import GRAVITATION_M3_S2, ROTATION_RAD_S, KeplerRecords
from sensorium.ephemeris.orbits import Floats

_SECOND_NS = 1_000_000_000
_STEP_NS = 7_200 * _SECOND_NS
LIFE_NS = 4 * 7_200 * _SECOND_NS
KLOBUCHAR = (1.676e-08, 2.235e-08, -1.192e-07, -1.192e-07, 1.208e05, 1.310e05, -1.310e05, -1.966e05)
"""Alpha and beta of the example file in the RINEX 2.11 document, table A8."""


def nominal_orbits(systems: str, around_gps_ns: int, records: int = 3) -> BroadcastOrbits:
    """Return the nominal satellites of some systems ("GE") with records every two hours around an instant."""
    names: list[str] = []
    tables: list[dict[str, Any]] = []
    middle = round(around_gps_ns / _STEP_NS)
    for entry in _catalogue().values():
        if entry["system"] in systems:
            for number in range(middle - records, middle + records + 1):
                table = _records_at(entry, number * _STEP_NS)
                names += [f"{entry['system']}{slot + 1:02d}" for slot in range(len(table["toe_ns"]))]
                tables.append(table)
    if not tables:
        return BroadcastOrbits((), None)
    joined = {key: np.concatenate([table[key] for table in tables]) for key in tables[0]}
    return BroadcastOrbits(names, KeplerRecords(**joined), klobuchar=KLOBUCHAR)


@cache
def _catalogue() -> dict[str, Any]:
    from ruamel.yaml import YAML

    text = files("sensorium.ephemeris").joinpath("catalog/nominal.yaml").read_text("utf-8")
    return dict(YAML(typ="safe", pure=True).load(text))


def _records_at(entry: Mapping[str, Any], toe_ns: int) -> dict[str, Any]:
    """Return the records of one constellation with this time of ephemeris."""
    system, epoch = entry["system"], entry["epoch"].replace(tzinfo=UTC)
    node, latitude = _slots(entry)
    unix_s = int((epoch - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds())
    since_s = (toe_ns - gps_of_unix_ns(unix_s * _SECOND_NS)) / _SECOND_NS
    greenwich = entry["greenwich_deg"] if entry["greenwich_deg"] is not None else greenwich_deg(unix_s)
    rotation, node_rate = ROTATION_RAD_S[system], np.deg2rad(entry["node_rate_deg_s"])
    rate = 2 * (rotation - node_rate)
    if entry["latitude_rate_deg_day"] is not None:
        rate = np.deg2rad(entry["latitude_rate_deg_day"]) / 86_400
    second_s = toe_ns % WEEK_NS / _SECOND_NS
    longitude = np.deg2rad(node - greenwich) + np.fmod((node_rate - rotation) * since_s, 2 * np.pi)
    zero, count = np.zeros(len(node)), len(node)
    mu, root = GRAVITATION_M3_S2[system], np.sqrt(entry["semi_major_axis_m"])
    changing = {
        "toe_ns": np.full(count, toe_ns), "toc_ns": np.full(count, toe_ns), "week_second_s": np.full(count, second_s),
        "gravitation_m3_s2": np.full(count, mu), "rotation_rad_s": np.full(count, rotation),
        "geostationary": np.zeros(count, bool), "root_a_sqrt_m": np.full(count, root),
        "inclination_rad": np.full(count, np.deg2rad(entry["inclination_deg"])),
        "node_rad": np.remainder(longitude + rotation * second_s + np.pi, 2 * np.pi) - np.pi,
        "node_rate_rad_s": np.full(count, node_rate),
        "anomaly_rad": np.remainder(np.deg2rad(latitude) + np.fmod(rate * since_s, 2 * np.pi) + np.pi, 2 * np.pi) - np.pi,
        "motion_correction_rad_s": np.full(count, rate - np.sqrt(mu) / root**3),
        "healthy": np.ones(count, bool), "life_ns": np.full(count, LIFE_NS),
    }  # fmt: skip
    still = (
        "eccentricity", "inclination_rate_rad_s", "perigee_rad", "cuc_rad", "cus_rad", "cic_rad", "cis_rad", "crc_m",
        "crs_m", "clock_s", "clock_drift", "clock_drift_rate_1_s", "group_delay_s",
    )  # fmt: skip
    return {**changing, **dict.fromkeys(still, zero)}


def _slots(entry: Mapping[str, Any]) -> tuple[Floats, Floats]:
    """Return right ascension of the node and argument of latitude [deg] of each slot at the epoch."""
    if "slots" in entry:
        table = np.array(entry["slots"], np.float64)
        return table[:, 0], table[:, 1]
    walker = entry["walker"]
    plane, slot = np.divmod(np.arange(walker["planes"] * walker["per_plane"]), walker["per_plane"])
    node = walker["node_deg"] + 360 / walker["planes"] * plane
    return node, walker["latitude_deg"] + 360 / walker["per_plane"] * slot + walker["phase_deg"] * plane


def greenwich_deg(unix_s: float) -> float:
    """Return mean sidereal time at Greenwich: 280.46061837 + 360.98564736629 d, d days since J2000 (IAU 1982)."""
    days = (unix_s - GPS_EPOCH_UNIX_S) / 86_400 - 7_300.5
    return float((280.46061837 + 360.98564736629 * days) % 360)
