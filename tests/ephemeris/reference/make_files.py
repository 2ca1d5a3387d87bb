"""Made-up navigation files with the size of every term as it is broadcast, for the comparison with another program.

Run from the repository: PYTHONPATH=src python tests/ephemeris/reference/make_files.py
Then in an environment of its own (pip install pyrtklib): python tests/ephemeris/reference/make_positions.py
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from sensorium.core.time_scales import gps_of_calendar_ns
from sensorium.ephemeris.broadcast import BroadcastOrbits
from sensorium.ephemeris.glonass import GlonassRecords
from sensorium.ephemeris.kepler import GRAVITATION_M3_S2, ROTATION_RAD_S
from sensorium.ephemeris.navigation_writer import write_navigation
from sensorium.ephemeris.nominal import nominal_orbits

HERE = Path(__file__).parent
NOON_NS = gps_of_calendar_ns(2026, 6, 15, 12)


def perturbed(names, records, rng):
    """Give circular orbits the eccentricities, corrections and clocks that broadcast orbits have."""
    count = len(names)
    scale = {
        "eccentricity": 0.01, "inclination_rate_rad_s": 5e-10, "perigee_rad": 3.0, "cuc_rad": 5e-6, "cus_rad": 8e-6,
        "cic_rad": 2e-7, "cis_rad": 2e-7, "crc_m": 250.0, "crs_m": 100.0, "clock_s": 5e-4, "clock_drift": 1e-11,
        "clock_drift_rate_1_s": 1e-19, "group_delay_s": 1e-8,
    }  # fmt: skip
    values = {name: rng.uniform(-1, 1, count) * size for name, size in scale.items()}
    values["eccentricity"] = np.abs(values["eccentricity"])
    return replace(records, **values)


def some(orbits, numbers, rng):
    names, records = orbits.kepler_names, perturbed(orbits.kepler_names, orbits.kepler_records, rng)
    rows = np.array([row for row, name in enumerate(names) if name in numbers])
    return [names[row] for row in rows], records.rows(rows)


def as_beidou(names, records):
    """Let orbits of Galileo pass as BeiDou: C05 geostationary, the others not."""
    count = len(names)
    second = (records.week_second_s - 14) % 604_800
    node = records.node_rad + (ROTATION_RAD_S["C"] * second - records.rotation_rad_s * records.week_second_s)
    return replace(
        records, week_second_s=second, node_rad=node, rotation_rad_s=np.full(count, ROTATION_RAD_S["C"]),
        gravitation_m3_s2=np.full(count, GRAVITATION_M3_S2["C"]),
        geostationary=np.array([name == "C05" for name in names]),
    )  # fmt: skip


def glonass(rng):
    states = [((-7003.0, -12206.0, 21280.0), (0.783, 2.804, 1.352)), ((13_411.0, 21_004.0, 5_000.0), (0.2, 0.6, -3.1))]
    place, speed = (np.array([state[k] for state in states]) * 1e3 for k in (0, 1))
    pull, clock = rng.uniform(-3e-6, 3e-6, (2, 3)), rng.uniform(-2e-4, 2e-4, 2)
    toe = np.full(2, NOON_NS + 15 * 60 * 10**9 + 18 * 10**9)
    return ("R03", "R21"), GlonassRecords(toe, place, speed, pull, clock, np.array([1e-12, -2e-12]), np.array([5, 4]),
                                          np.ones(2, bool))  # fmt: skip


def joined(*parts):
    from dataclasses import fields

    names = [name for part, _ in parts for name in part]
    kind = type(parts[0][1])
    return names, kind(**{f.name: np.concatenate([getattr(r, f.name) for _, r in parts]) for f in fields(kind)})


def to_version_2(text):
    """Rewrite the GPS records of a file of version 3 in version 2."""
    out = [f"{2.11:9.2f}{'':11}{'NAVIGATION DATA':40}RINEX VERSION / TYPE", f"{'':60}END OF HEADER"]
    for line in text.splitlines():
        if line[:1] == "G" and line[1:3].isdigit():
            out.append(f"{int(line[1:3]):2d} {line[6:8]} {int(line[9:11]):2d} {int(line[12:14]):2d} {int(line[15:17]):2d} "
                       f"{int(line[18:20]):2d}{int(line[21:23]):5.1f}{line[23:].replace('E', 'D')}")  # fmt: skip
        elif line[:4] == "    " and out[-1][60:] not in ("END OF HEADER",) and line[4:7].strip():
            out.append(line[1:].replace("E", "D"))
        elif line[:1] in "ECR" and line[1:3].isdigit():
            break
    return "\n".join(out) + "\n"


def main():
    rng = np.random.default_rng(9)
    base = nominal_orbits("GE", NOON_NS, records=1)
    gps = some(base, {"G01", "G07", "G23"}, rng)
    galileo = some(base, {"E02", "E11", "E24"}, rng)
    galileo[1].life_ns[:] = 4 * 3600 * 10**9
    b_names, b_records = some(base, {"E05", "E14"}, rng)
    b_names = [name.replace("E", "C") for name in b_names]
    beidou = (b_names, as_beidou(b_names, b_records))
    orbits = BroadcastOrbits(*joined(gps, galileo, beidou), *glonass(rng), klobuchar=base.klobuchar)
    write_navigation(HERE / "mixed.rnx", orbits)
    write_navigation(HERE / "gps.tmp", BroadcastOrbits(*gps))
    (HERE / "gps.26n").write_text(to_version_2((HERE / "gps.tmp").read_text()))
    (HERE / "gps.tmp").unlink()


if __name__ == "__main__":
    main()
