"""Campaigns run: every run once, whatever happens to a run, a worker, or the whole campaign."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from pyarrow import parquet

from sensorium.campaigns.confinement import Confinement
from sensorium.campaigns.engine import perform, run_campaign
from sensorium.campaigns.journal import Finished, Journal, write_table
from sensorium.campaigns.study import Study
from sensorium.core.errors import RecordingError, WireError

TESTS, SOURCE = Path(__file__).parents[1], Path(__file__).parents[2] / "src"


@pytest.fixture(autouse=True)
def _importable(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", f"{SOURCE}{os.pathsep}{TESTS}")


def study(runs: int, **more) -> Study:
    return Study(name="test", runs=runs, measure={"type": "none"}, **more)


def test_a_cell_survives_what_runs_do():
    """Raise, crash and hang become words; the next run goes well; what a run prints does not get into the answers."""
    cell = Confinement()
    try:

        def ask(number: int, limit_s: float = 20.0):
            return cell.ask("campaign_runs:troubled", {"number": number, "folder": "/tmp/none"}, limit_s)

        assert ask(0)["row"]["square"] == 0
        assert ask(1)["error"] == "ValueError: no luck"
        assert "campaign_runs.py" in ask(1)["trace"]
        assert re.search("ended with signal 11", ask(2)["error"])
        assert ask(5)["row"]["square"] == 25
        began = time.monotonic()
        assert "took longer than 0.5 s and was killed" in ask(3, 0.5)["error"]
        assert time.monotonic() - began < 5
        assert ask(6)["row"]["square"] == 36
    finally:
        cell.close()


def test_a_cell_ends_with_the_one_who_asks(tmp_path):
    """The worker is killed in the middle of a hanging run: its cell is gone a moment later."""
    program = (
        "from sensorium.campaigns.confinement import Confinement\n"
        "Confinement().ask('campaign_runs:troubled', {'number': 3}, 3600)"
    )
    worker = subprocess.Popen([sys.executable, "-c", program])
    cells = []
    for _ in range(200):
        cells = psutil.Process(worker.pid).children()
        if cells:
            break
        time.sleep(0.05)
    time.sleep(0.5)
    worker.kill()
    worker.wait()
    assert psutil.wait_procs(cells, timeout=10)[1] == []


def test_failures_are_retried_then_recorded(tmp_path):
    """Of six runs three fail for good, with their seeds; one fails once and is in the table like the others."""
    asked = study(6, seed=9, retries=1, time_limit_s=3.0)
    finished = run_campaign(asked, "campaign_runs:troubled", {"folder": str(tmp_path)}, tmp_path / "j.jsonl", workers=2)
    assert [one.number for one in finished] == list(range(6))
    bad = {one.number: one for one in finished if one.row is None}
    assert sorted(bad) == [1, 2, 3]
    assert {one.attempts for one in bad.values()} == {2}
    assert bad[1].seed == 9
    assert bad[3].run == 3
    assert [one.attempts for one in finished if one.number in (0, 4, 5)] == [1, 2, 1]
    table = parquet.read_table(write_table(tmp_path / "t.parquet", finished)).to_pydict()
    assert table["run"] == [0, 4, 5]
    assert table["square"] == [0, 16, 25]
    assert table["even"] == [True, True, False]


def test_one_worker_and_two_give_the_same_table(tmp_path):
    """The bytes of the files agree."""
    asked = study(12, vary={"x": {"type": "uniform", "low": 0, "high": 1}}, sweep={"y": ["a", "b"]})
    tables = []
    for workers in (1, 2):
        finished = run_campaign(asked, "campaign_runs:square", {}, tmp_path / f"{workers}.jsonl", workers=workers)
        tables.append(write_table(tmp_path / f"{workers}.parquet", finished).read_bytes())
    assert tables[0] == tables[1]
    assert parquet.read_table(tmp_path / "1.parquet").num_rows == 24


def test_it_resumes_where_it_stopped(tmp_path):
    """Half of the journal, its last line cut off: only what is missing is done, and the table is the whole one."""
    asked, journal = study(8), tmp_path / "j.jsonl"
    shared = {"folder": str(tmp_path)}
    whole = run_campaign(asked, "campaign_runs:square", shared, journal, workers=1)
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:5]) + lines[5][:10])
    done = []
    again = run_campaign(
        asked, "campaign_runs:slow", shared, journal, workers=1, progress=lambda *told: done.append(told[0])
    )
    assert done[0] == 4
    assert len(list(tmp_path.glob("started_*"))) == 4
    assert [one.row for one in again] == [one.row for one in whole]


def test_a_journal_of_another_study_is_not_touched(tmp_path):
    journal = Journal(tmp_path / "j.jsonl", "one")
    journal.add(Finished(0, {}, 0, 0, {"a": 1}))
    journal.close()
    with pytest.raises(RecordingError, match="another study, or the study file has changed"):
        Journal(tmp_path / "j.jsonl", "other")
    (tmp_path / "j.jsonl").write_text('{"fingerprint": "one"}\n{"number": }\n')
    with pytest.raises(RecordingError, match=r"j.jsonl:2 is damaged"):
        Journal(tmp_path / "j.jsonl", "one")


def _started(command: list[str], log: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdout=log.open("wb"), stderr=subprocess.STDOUT)


def _address(log: Path) -> str:
    for _ in range(600):
        found = re.search(r"tcp://[\d.]+:\d+", log.read_text()) if log.exists() else None
        if found:
            return found[0]
        time.sleep(0.05)
    raise AssertionError(log.read_text())


def test_scheduler_and_workers_of_their_own_and_one_is_killed(tmp_path):
    """Three processes started from outside; a worker is killed in the middle of its run: all runs are in the table, as at home."""
    scheduler = _started(
        [
            sys.executable,
            "-m",
            "distributed.cli.dask_scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
        ],
        tmp_path / "scheduler.log",
    )
    workers = []
    try:
        address = _address(tmp_path / "scheduler.log")
        for number in range(2):
            command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard",
                       "--no-nanny", "--local-directory", str(tmp_path)]  # fmt: skip
            workers.append(_started(command, tmp_path / f"worker_{number}.log"))
        _wait_for_workers(address, 2)
        asked, shared = study(10), {"folder": str(tmp_path)}
        killed = []

        def kill_one(done: int, failed: int, total: int) -> None:
            if done == 3 and not killed:
                killed.append(workers[0].pid)
                os.kill(workers[0].pid, signal.SIGKILL)

        journal = tmp_path / "far.jsonl"
        finished = run_campaign(asked, "campaign_runs:slow", shared, journal, cluster=address, progress=kill_one)
        assert killed
        started = [len(path.read_text().splitlines()) for path in sorted(tmp_path.glob("started_*"))]
        assert sum(started) > 10  # the run of the dead worker was begun twice
        home = run_campaign(asked, "campaign_runs:square", shared, tmp_path / "home.jsonl", workers=1)
        far, near = (
            write_table(tmp_path / f"{name}.parquet", runs) for name, runs in (("far", finished), ("near", home))
        )
        assert far.read_bytes() == near.read_bytes()
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


def _wait_for_workers(address: str, count: int) -> None:
    from distributed import Client

    with Client(address, timeout=30) as client:
        client.wait_for_workers(count, timeout=60)


def test_nobody_answers(tmp_path, monkeypatch):
    from sensorium.campaigns import engine

    monkeypatch.setattr(engine, "_PATIENCE_S", 1)
    with pytest.raises(WireError, match="Start one with `dask scheduler`"):
        run_campaign(study(1), "campaign_runs:square", {}, tmp_path / "j.jsonl", cluster="tcp://127.0.0.1:9")


def test_a_callable_that_is_not_there_is_a_failure_with_words():
    assert "nothing" in perform("campaign_runs:nothing", {}, 10.0, 0)["error"]


@pytest.mark.study
def test_two_hundred_short_runs_keep_both_cores_busy(tmp_path):
    """200 runs of 0.2 s of processor time on two workers: that work over wall-clock time times workers is above 85 percent."""
    run_campaign(study(2), "campaign_runs:busy", {}, tmp_path / "warm.jsonl", workers=2)
    times = []
    run_campaign(
        study(200), "campaign_runs:busy", {}, tmp_path / "j.jsonl", workers=2,
        progress=lambda done, failed, total: times.append((time.monotonic(), done)),
    )  # fmt: skip
    (begin, first), (end, last) = times[4], times[-1]
    share = (last - first) * 0.2 / (2 * (end - begin))
    print(json.dumps({"busy": share}))
    assert share > 0.85
