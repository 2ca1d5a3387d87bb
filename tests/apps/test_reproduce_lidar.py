"""`sensorium reproduce lidar`: every published case holds, and the command leaves rows and picture."""

import json
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from sensorium.apps.benchmarks.rows import Row
from sensorium.apps.reproductions import lidar_boards, verdicts
from sensorium.apps.reproductions.lidar_picture import by_power
from sensorium.core.pose import Pose
from sensorium.samples.causes import Cause

COMMAND = [sys.executable, "-m", "sensorium.apps.command_line", "reproduce"]
SCHEMA = {
    "type": "object",
    "required": ["name", "machine", "cores", "threads", "versions", "rows"],
    "properties": {
        "name": {"const": "reproduce lidar"},
        "rows": {
            "type": "array",
            "minItems": 30,
            "items": {
                "type": "object",
                "required": ["case", "theirs", "ours", "unit", "bar", "holds"],
                "additionalProperties": False,
                "properties": {
                    "case": {"type": "string", "minLength": 5},
                    "theirs": {"type": "number"},
                    "ours": {"type": "number"},
                    "unit": {"type": "string"},
                    "bar": {"type": "string", "minLength": 5},
                    "holds": {"type": "boolean"},
                },
            },
        },
    },
}


@pytest.fixture(scope="module")
def reproduced(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reproduced")
    command = [*COMMAND, "lidar", "--json", str(folder / "rows.json"), "--png", str(folder / "street.png")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done, json.loads((folder / "rows.json").read_text()), folder / "street.png"


def test_rows_follow_the_schema(reproduced):
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator(SCHEMA).validate(reproduced[1])


def test_all_cases_hold(reproduced):
    """All but the throughput, which depends on what else the machine does."""
    rows = [row for row in reproduced[1]["rows"] if "throughput" not in row["case"]]
    assert [row for row in rows if not row["holds"]] == []
    assert len({row["case"] for row in rows}) == len(rows)


def test_published_figures_are_those_of_the_publication(reproduced):
    """A sample of `theirs`, typed from the page again."""
    theirs = {row["case"]: row["theirs"] for row in reproduced[1]["rows"]}
    assert theirs["1.3.7 throughput, single_rays"] == 1.0
    assert theirs["1.3.7 throughput, roses"] == 0.2
    assert theirs["beam on the detector after 10 m"] == 0.135894
    assert theirs["1.3.5 spot of 1 mrad at 100 m"] == 10.0
    assert theirs["table 1.2 Alpha Prime, channels"] == 128


def test_table_and_exit_status(reproduced):
    done, told, _ = reproduced
    assert "theirs" in done.stdout
    assert done.returncode == (0 if all(row["holds"] for row in told["rows"]) else 1)


def test_picture_shows_a_street_from_blue_to_red(reproduced):
    """Dark sky, and many pixels of both ends of the scale."""
    with Image.open(reproduced[2]) as image:
        pixels = np.asarray(image.convert("RGB")).reshape(-1, 3).astype(int)
        assert image.size == (1800, 950)
    red, green, blue = pixels.T
    assert ((blue > 120) & (red < 60)).sum() > 20_000
    assert ((red > 200) & (green < 110) & (blue < 110)).sum() > 1_000
    assert (pixels.max(1) < 40).mean() > 0.2


def test_reproduce_alone_lists_its_commands():
    done = subprocess.run([*COMMAND, "--help"], capture_output=True, text=True, check=True)
    assert "lidar" in done.stdout


def test_colours_of_power_are_logarithmic():
    """Equal factors are equal steps on the scale; what lies outside has the colour of the end."""
    low, middle, high = by_power(np.array([1e-6, 1e-4, 1e-2]), 1e-6, 1e-2)
    below, above = by_power(np.array([1e-9, 1.0]), 1e-6, 1e-2)
    assert low.tolist() == below.tolist()
    assert high.tolist() == above.tolist()
    assert low[2] > low[0]
    assert high[0] > high[2]
    assert middle.tolist() == by_power(np.array([1e-1]), 1e-2, 1.0)[0].tolist()


@pytest.mark.parametrize(
    ("row", "holds"),
    [
        (verdicts.near("", 100.0, 100.9, "", 0.01), True),
        (verdicts.near("", 100.0, 101.1, "", 0.01), False),
        (verdicts.near("", -2.0, 2.0, "", 0.01), False),
        (verdicts.within("", 0.0, 0.1, "m", 0.05), False),
        (verdicts.within("", 0.0, float("nan"), "m", 0.05), False),
        (verdicts.same("", 3, 4, ""), False),
        (verdicts.both_above("", 5.0, 1.0, "", 2.0), False),
        (verdicts.both_above("", 5.0, 3.0, "", 2.0), True),
        (verdicts.both_below("", 5.0, 1.0, "", 2.0), False),
        (verdicts.both_below("", float("nan"), 1.0, "", 2.0), False),
    ],
)
def test_verdicts(row: Row, holds: bool):
    """Rows can fail: neither a figure that is off nor one that is not a number passes."""
    assert row.holds is holds


def test_without_the_board_there_is_no_ghost():
    """The case of the ghost depends on the board beside the mirror; the mirror alone shows its dust, no more."""
    mirror, board = lidar_boards._corner(0.3)
    settings = {"acceptance_rad": "0.4 deg", **lidar_boards._quiet(range_separation_m=0.03)}
    both, alone = lidar_boards.look(mirror, board, **settings), lidar_boards.look(mirror, **settings)
    assert both.truth.cause.tolist() == [Cause.DIRECT_GHOST]
    assert set(alone.truth.cause.tolist()) <= {Cause.SURFACE}


def test_board_can_be_cut_off():
    """The edge lies where it was asked for."""
    edge = lidar_boards.board("edge", "lambertian_50", Pose.at(5.0, 0.0, 0.0), left_of_m=0.25)
    low, high = edge.model.bounds_m
    assert low[1] == 0.25
    assert high[1] == 3.0
