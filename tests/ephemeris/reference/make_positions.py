"""Positions and clocks of the satellites in the made-up files by RTKLIB (pip install pyrtklib), which shares no code with us.

Only the numbers that it computes are kept, in positions.csv: file, satellite, GPS time [ns], x, y, z [m], clock [s].
"""

import csv
from pathlib import Path

import pyrtklib as rtk

HERE = Path(__file__).parent
NOON_S = 1_781_524_800 - 315_964_800  # 2026-06-15T12:00:00 as seconds of GPS time


def main():
    rows = []
    for file, names in (
        ("mixed.rnx", ("G01", "G07", "G23", "E02", "E11", "E24", "C05", "C14", "R03", "R21")),
        ("gps.26n", ("G01", "G07", "G23")),
    ):
        nav = rtk.nav_t()
        obs, sta = rtk.obs_t(), rtk.sta_t()
        rtk.readrnx(str(HERE / file), 1, "", obs, nav, sta)
        for name in names:
            for offset_s in (-3000.0, 0.0, 433.25, 1500.0, 3300.0):
                if name[0] == "R" and not 0 <= offset_s <= 1800:
                    continue
                time = rtk.gpst2time(int((NOON_S + offset_s) // 604800), (NOON_S + offset_s) % 604800)
                state = position(nav, name, time)
                rows.append((file, name, NOON_S * 10**9 + round(offset_s * 1e9), *(f"{value:.17g}" for value in state)))
    with (HERE / "positions.csv").open("w", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows(rows)


def position(nav, name, time):
    """Position and clock of the record nearest in time."""
    number = rtk.satid2no(name)
    place, clock, variance = rtk.Arr1Ddouble(3), rtk.Arr1Ddouble(1), rtk.Arr1Ddouble(1)
    if name[0] == "R":
        records = [nav.geph[k] for k in range(nav.ng) if nav.geph[k].sat == number]
        record = min(records, key=lambda each: abs(rtk.timediff(each.toe, time)))
        rtk.geph2pos(time, record, place, clock, variance)
    else:
        records = [nav.eph[k] for k in range(nav.n) if nav.eph[k].sat == number]
        record = min(records, key=lambda each: abs(rtk.timediff(each.toe, time)))
        rtk.eph2pos(time, record, place, clock, variance)
    return place[0], place[1], place[2], clock[0]


if __name__ == "__main__":
    main()
