"""`sensorium campaign`: a study file becomes a table."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sensorium.core.errors import ConfigurationError, Problem

if TYPE_CHECKING:
    from sensorium.campaigns.journal import Finished
    from sensorium.campaigns.study import Asked


def campaign(
    study: Annotated[Path, typer.Argument(help="Study file (YAML): what varies, what is swept, what is measured.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder for table, journal and failures (default: out/<name>).")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="A dask scheduler, tcp://host:8786; default: this machine.")
    ] = None,
    workers: Annotated[int | None, typer.Option(help="Processes on this machine (default: its cores).", min=1)] = None,
    only: Annotated[int | None, typer.Option(help="Do this run alone, here, and print its row.", min=0)] = None,
    overrides: Annotated[
        list[str] | None, typer.Option("--set", help="Change a setting of the study: --set runs=10.")
    ] = None,
) -> None:
    """Do many runs with varied settings, on this machine or on a cluster: one Parquet table, and the failures with their seeds.

    It resumes where it stopped: the same command again does what is missing.
    """
    from sensorium.apps.measures.measuring import CALLABLE, check, measured
    from sensorium.campaigns.engine import run_campaign, task_of
    from sensorium.campaigns.study import load_study

    asked = load_study(study, overrides or [])
    shared = _shared(asked)
    if only is not None:
        values = asked.study.values(only)
        check(task_of(asked.study, only, shared))
        row = measured(task_of(asked.study, only, shared))
        print(json.dumps({"run": only, **values, **row}, indent=2, default=float))
        return
    for number in range(0, asked.study.count, asked.study.runs):  # one of each combination
        check(task_of(asked.study, number, shared))
    folder = out or Path("out") / asked.study.name
    with _Shown(asked.study.count) as shown:
        finished = run_campaign(
            asked.study, CALLABLE, shared, folder / f"{asked.study.name}.jsonl", cluster, workers, shown
        )
    _tell(asked, folder, finished)


def _shared(asked: Asked) -> dict[str, Any]:
    """Return what is the same in all tasks; the scenario travels as content, so that workers need not have its file."""
    from sensorium.core.configuration import read_yaml
    from sensorium.simulation.scenario import scenario_path

    scenario, source, folder = None, "", ""
    if asked.study.scenario is not None:
        beside = asked.path.parent / asked.study.scenario
        try:
            document = read_yaml(beside if beside.suffix or beside.exists() else scenario_path(asked.study.scenario))
        except ConfigurationError as error:
            raise ConfigurationError([Problem("scenario", str(error))], str(asked.path)) from None
        scenario, source, folder = document.content, document.source, str(document.folder or "")
    return {
        "scenario": scenario,
        "source": source,
        "folder": folder,
        "measure": asked.study.measure,
        "study": str(asked.path),
    }


class _Shown:
    """A bar with the time left on a terminal; silence elsewhere."""

    def __init__(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(stderr=True)
        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        self._progress = Progress(*columns, console=console, disable=not console.is_terminal)
        self._task = self._progress.add_task("starting workers", total=total)

    def __enter__(self) -> _Shown:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def __call__(self, done: int, failed: int, total: int) -> None:
        self._progress.update(self._task, completed=done, description=f"{failed} failed" if failed else "running")


def _tell(asked: Asked, folder: Path, finished: list[Finished]) -> None:
    """Write table and failures, and say where they are; exit status 1 if a run failed."""
    from sensorium.campaigns.journal import write_table

    table = write_table(folder / f"{asked.study.name}.parquet", finished)
    bad = [one for one in finished if one.row is None]
    print(f"{table}: {len(finished) - len(bad)} runs")
    failures = folder / f"{asked.study.name}.failures.json"
    failures.unlink(missing_ok=True)
    if bad:
        told = [
            {"run": one.number, "seed": one.seed, "repetition": one.run, "values": one.values, "error": one.error,
             "attempts": one.attempts, "trace": one.trace}
            for one in bad
        ]  # fmt: skip
        failures.write_text(json.dumps(told, indent=2) + "\n", "utf-8")
        again = f"sensorium campaign {asked.path} --only {bad[0].number}"
        print(f"{failures}: {len(bad)} runs failed; the first one alone: {again}", file=sys.stderr)
        raise typer.Exit(1)
