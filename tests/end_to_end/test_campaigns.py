"""`sensorium campaign` from the outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from end_to_end.outside import TINY, run
from pyarrow import parquet

STUDY = """\
sensorium_study: 1
name: tiny_rates
scenario: tiny.yaml
seed: 4
runs: 2
sweep:
  "rig[0].sensor.rate_hz": [5 Hz, 10 Hz]
measure: {type: point_statistics, sensor: lidar}
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    (folder / "tiny.yaml").write_text(TINY)
    (folder / "study.yaml").write_text(STUDY)
    return folder, run("campaign", "study.yaml", "--out", "results", cwd=folder)


def test_a_table_of_all_runs(made):
    """Two rates, two repetitions: the scans follow the rate, chance differs between repetitions, columns say what was set."""
    folder, done = made
    assert "results/tiny_rates.parquet: 4 runs" in done.out
    table = parquet.read_table(folder / "results" / "tiny_rates.parquet").to_pydict()
    assert table["run"] == [0, 1, 2, 3]
    assert table["repetition"] == [0, 1, 0, 1]
    assert table["scans"] == [2, 2, 5, 5]
    assert len(set(table["range_mean_m"])) == 4
    assert table["rig[0].sensor.rate_hz"] == ["5 Hz", "5 Hz", "10 Hz", "10 Hz"]


def test_any_run_alone(made):
    """`--only 2` prints the row that the table has."""
    folder, _ = made
    row = json.loads(run("campaign", "study.yaml", "--only", "2", cwd=folder).out)
    table = parquet.read_table(folder / "results" / "tiny_rates.parquet").to_pydict()
    assert all(table[name][2] == value for name, value in row.items())


def test_again_does_nothing_twice(made):
    folder, _ = made
    before = (folder / "results" / "tiny_rates.jsonl").read_bytes()
    run("campaign", "study.yaml", "--out", "results", cwd=folder)
    assert (folder / "results" / "tiny_rates.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("rig[0].sensor.rate_hz", "rig[0].sensor.rat_hz", "is not a setting of Lidar. Did you mean 'rate_hz'"),
        ("[5 Hz, 10 Hz]", "[]", "is empty; list at least one value"),
        ("[5 Hz, 10 Hz]", "[5 Hz, 10 kg]", "rate_hz"),
        ("scenario: tiny.yaml", "scenario: tinny.yaml", "Did you mean 'tiny.yaml'"),
        ("type: point_statistics", "type: point_statistic", "Did you mean 'point_statistics'"),
        ("sensor: lidar", "sensor: lidr", "Did you mean 'lidar'"),
    ],
)
def test_wrong_studies_end_with_one_message(made, tmp_path: Path, old, new, says):
    (tmp_path / "tiny.yaml").write_text(TINY)
    assert old in STUDY
    (tmp_path / "study.yaml").write_text(STUDY.replace(old, new))
    done = run("campaign", "study.yaml", cwd=tmp_path, status=2)
    assert says in done.err
    assert "study.yaml" in done.err
    assert "Traceback" not in done.err
    assert not (tmp_path / "out").exists()
