"""`sensorium gnss` and the export of receivers' files, from the outside: a scenario is run, exported, and solved again."""

from pathlib import Path

import numpy as np
import pytest
from end_to_end.outside import run as sensorium
from PIL import Image

from sensorium.core.time_scales import gps_of_unix_ns
from sensorium.ephemeris.navigation_writer import write_navigation
from sensorium.ephemeris.nominal import nominal_orbits

SCENARIO = """
sensorium: 1
name: sky
duration_s: 2.1 s
seed: 3
world: {type: bodies}
origin: {latitude_rad: 48.1 deg, longitude_rad: 11.5 deg, altitude_m: 520, start_utc: "2026-06-15T12:00:00"}
bodies:
  - {name: post, parts: [{name: post, shape: {type: box, size_m: [0.1, 0.1, 1]}, material: concrete}]}
rig:
  - {name: gnss, body: post, pose: {position_m: [0, 0, 2]}, sensor: {device: ublox_m8n, rate_hz: 2}}
truth: {rate_hz: null}
"""


@pytest.fixture(scope="module")
def sky(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("drive")
    (folder / "sky.yaml").write_text(SCENARIO)
    assert "5 gnss" in sensorium("run", "sky.yaml", "--out", "sky.mcap", cwd=folder).out
    return folder


def test_exported_observations_are_solved(sky):
    """The mean of the fixes from RINEX files lies within metres of the antenna; a CSV tells every epoch."""
    for kind in ("rnx", "nmea", "ubx"):
        sensorium("export", "sky.mcap", "out", "--format", kind, cwd=sky)
    write_navigation(sky / "sky.nav", nominal_orbits("GE", gps_of_unix_ns(1_781_524_800 * 10**9)))
    done = sensorium("gnss", "out/gnss.rnx", "sky.nav", "--csv", "fixes.csv", cwd=sky)
    assert "5 fixes in 5 epochs" in done.out
    rows = (sky / "fixes.csv").read_text().splitlines()
    assert len(rows) == 6
    latitude, longitude = (np.mean([float(row.split(",")[k]) for row in rows[1:]]) for k in (1, 2))
    assert abs(latitude - 48.1) * 111e3 < 10
    assert abs(longitude - 11.5) * 74e3 < 10
    assert (sky / "out" / "gnss.nmea").read_text().startswith("$GNRMC")
    assert (sky / "out" / "gnss.ubx").read_bytes().startswith(b"\xb5\x62\x01\x07")


def test_the_sky_is_drawn(sky):
    """`inspect --sky` draws the receiver of a recording, which tells no truth."""
    sensorium("inspect", "sky.mcap", "--sky", "sky.png", cwd=sky)
    assert len(np.unique(np.asarray(Image.open(sky / "sky.png").convert("RGB")).reshape(-1, 3), axis=0)) > 50


def test_what_is_wrong_is_said_in_one_line(sky):
    """A file that is none, and ephemerides of another day, end with exit status 2."""
    done = sensorium("gnss", "sky.yaml", "sky.yaml", cwd=sky, status=2)
    assert "is no RINEX observation file" in done.err
    sensorium("export", "sky.mcap", "out", "--format", "rnx", cwd=sky)
    write_navigation(sky / "old.nav", nominal_orbits("GE", gps_of_unix_ns(1_700_000_000 * 10**9)))
    done = sensorium("gnss", "out/gnss.rnx", "old.nav", cwd=sky, status=2)
    assert "serve 2023-11-14" in done.err
