"""`sensorium reproduce cone` and `sensorium bench cone` from the outside."""

import json
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from sensorium.apps.benchmarks.cone_worlds import boxes, cone_sensor, large_ground, million_elsewhere, readings

COMMAND = [sys.executable, "-m", "sensorium.apps.command_line"]


@pytest.fixture(scope="module")
def reproduced(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cone")
    command = [*COMMAND, "reproduce", "cone", "--json", str(folder / "rows.json"), "--png", str(folder / "cone.png")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done, json.loads((folder / "rows.json").read_text())["rows"], folder / "cone.png"


def test_all_tables_hold(reproduced):
    """All but the rates, which depend on what else the machine does."""
    done, rows, _ = reproduced
    assert [row for row in rows if not row["holds"] and "rate" not in row["case"]] == []
    assert done.returncode == (0 if all(row["holds"] for row in rows) else 1)
    for table, count in (("table 2", 16), ("table 3", 4), ("turned", 3), ("table 4", 3), ("table 5", 9)):
        assert sum(table in row["case"] for row in rows) == count


def test_published_figures_are_those_of_the_publication(reproduced):
    """A sample of `theirs`, typed from the document again."""
    theirs = {row["case"]: row["theirs"] for row in reproduced[1]}
    assert theirs["table 2, 2 lines: elevation"] == 26.56528
    assert theirs["table 2, 1000 lines: tangent of elevation"] == 0.000500505
    assert theirs["table 3, 100 lines at 10 m: error"] == 0.0289
    assert theirs["table 4, average speed of a body at 2 m/s"] == 1.946
    assert theirs["table 5, 10 obstacles, 1000 lines: rate"] == 20.7


def test_picture_shows_cone_lines_and_points(reproduced):
    """Some pixels of each colour: cone, point by lines, exact point."""
    with Image.open(reproduced[2]) as image:
        pixels = np.asarray(image.convert("RGB")).reshape(-1, 3).astype(int)
    for colour in ((0x38, 0xBD, 0xF8), (0xF4, 0x72, 0xB6), (0xA3, 0xE6, 0x35)):
        assert (np.abs(pixels - colour).max(1) < 40).sum() > 100


def test_bench_measures_what_it_says(tmp_path):
    """Every row has its bar, and the verdicts follow from the figures."""
    out = tmp_path / "rows.json"
    command = [*COMMAND, "bench", "cone", "--repeats", "3", "--json", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    rows = {row["case"]: row for row in json.loads(out.read_text())["rows"]}
    assert done.returncode == (0 if all(row["holds"] for row in rows.values()) else 1), done.stderr
    assert rows["ten boxes, 1000 lines per face"]["holds"] == (rows["ten boxes, 1000 lines per face"]["ours"] >= 300)
    assert rows["ten boxes, exact"]["holds"] == (rows["ten boxes, exact"]["ours"] >= 5000)
    (elsewhere,) = (row for case, row in rows.items() if "elsewhere" in case)
    assert elsewhere["holds"] == (elsewhere["ours"] <= 1.1 * elsewhere["theirs"])


def test_scenes_of_the_bench():
    """Ten boxes are all in the cone; a million triangles elsewhere are, and none of them is seen; the ground is."""
    ten = boxes()
    assert len(next(readings(cone_sensor(), ten, (0,)))) == 10
    more = ten.with_bodies(million_elsewhere())
    assert more.triangle_count > 1_000_000
    assert set(next(readings(cone_sensor(detections=99), more, (0,))).truth.body) == set(range(10))
    ground = large_ground()
    assert ground.model.triangle_count > 1_000_000
    assert 10 in next(readings(cone_sensor(detections=99), ten.with_bodies((ground,)), (0,))).truth.body
