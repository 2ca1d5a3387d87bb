"""Runs a campaign on dask.distributed: on the cores of this machine, or on whatever a scheduler has.

A worker is one core with one cell (`cell`), in which the runs happen. A run that raises, crashes or hangs costs a cell; a
worker that dies costs nothing, since the scheduler gives its run to another one. The client writes the journal, so that
workers need nothing but the package and the files that a scenario names.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from sensorium.campaigns.confinement import Confinement
from sensorium.campaigns.journal import Finished, Journal
from sensorium.campaigns.study import Study
from sensorium.core.errors import MissingExtraError, WireError

Task = dict[str, Any]
"""What a callable gets: number, seed, run, overrides, and what the campaign adds for all runs (scenario, measure)."""
Progress = Callable[[int, int, int], None]
"""Called with runs finished, of them failed, and runs altogether."""
_AHEAD = 4
"""Tasks per worker that wait in line, so that none is idle between two runs."""
_PATIENCE_S = 30

_QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "5 s",
    "distributed.admin.tick.interval": "200 ms",
}
"""What dask would measure of itself all the time, on the cores that are meant for the runs."""

_confinements: dict[int, Confinement] = {}


def task_of(study: Study, number: int, shared: dict[str, Any]) -> Task:
    """Return what the callable gets for a run: everything that is needed to repeat it alone."""
    return {
        "number": number,
        "seed": study.seed,
        "run": number % study.runs,
        "overrides": study.overrides(number),
        **shared,
    }


def fingerprint(study: Study, shared: dict[str, Any]) -> str:
    """Return a hash of all that decides the results."""
    told = [[study.seed, study.runs, study.count], study.overrides(0), study.overrides(study.count - 1), shared]
    sweeps = {path: list(values) for path, values in study.sweep.items()}
    text = json.dumps(
        [*told, sweeps, {path: repr(one) for path, one in study.vary.items()}], sort_keys=True, default=str
    )
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def perform(callable_name: str, task: Task, time_limit_s: float, retries: int) -> dict[str, Any]:
    """Do one run in the cell of this worker, again if it fails; this is what a worker executes."""
    import threading

    confinement = _confinements.setdefault(threading.get_ident(), Confinement())
    attempts = 0
    found: dict[str, Any] = {}
    while attempts <= retries and "row" not in found:
        attempts += 1
        found = confinement.ask(callable_name, task, time_limit_s)
    return {**found, "attempts": attempts}


def run_campaign(
    study: Study,
    callable_name: str,
    shared: dict[str, Any],
    journal: Path,
    cluster: str | None = None,
    workers: int | None = None,
    progress: Progress = lambda done, failed, total: None,
) -> list[Finished]:
    """Do all runs that the journal does not know yet, and return all of them in the order of their numbers.

    `cluster` is the address of a scheduler, for example tcp://10.0.0.1:8786; without one, this machine's cores are used, or
    as many `workers` as are asked for.
    """
    kept = Journal(journal, fingerprint(study, shared))
    try:
        missing = [number for number in range(study.count) if number not in kept.known]
        failed = sum(one.row is None for one in kept.known.values())
        progress(len(kept.known), failed, study.count)
        if missing:
            with _client(cluster, workers) as client:
                for one in _finished(client, study, callable_name, shared, missing):
                    kept.add(one)
                    failed += one.row is None
                    progress(len(kept.known), failed, study.count)
    finally:
        kept.close()
    return [kept.known[number] for number in sorted(kept.known)]


def _finished(
    client: Any, study: Study, callable_name: str, shared: dict[str, Any], missing: Iterable[int]
) -> Iterator[Finished]:
    """Yield runs as they finish; a few more than there are workers are under way."""
    from distributed import as_completed

    waiting, numbers = iter(missing), {}
    found = as_completed()

    def submit() -> bool:
        number = next(waiting, None)
        if number is None:
            return False
        task = task_of(study, number, shared)
        future = client.submit(
            perform, callable_name, task, study.time_limit_s, study.retries, pure=False, retries=2, key=f"run-{number}"
        )
        numbers[future.key] = number
        found.add(future)
        return True

    ahead = _AHEAD * max(1, sum(client.nthreads().values()))
    while len(numbers) < ahead and submit():
        pass
    for future in found:
        number = numbers[future.key]
        error = future.exception()  # of the worker or the way to it: the run itself answers with words
        told: dict[str, Any] = {"error": f"{type(error).__name__}: {error}", "attempts": 1}
        if error is None:
            told = future.result()
        future.release()
        submit()
        yield Finished(
            number, study.values(number), study.seed, number % study.runs, told.get("row"), told.get("error", ""),
            told.get("trace", ""), told["attempts"],
        )  # fmt: skip


@contextlib.contextmanager
def _client(cluster: str | None, workers: int | None) -> Iterator[Any]:
    try:
        import dask
        import distributed
    except ImportError as error:
        raise MissingExtraError("distributed", "campaign", "a campaign") from error
    if cluster is None:
        count = workers or os.cpu_count() or 1
        with (
            dask.config.set(_QUIET),
            distributed.LocalCluster(
                n_workers=count, threads_per_worker=1, dashboard_address="127.0.0.1:0", memory_limit=0, silence_logs=50
            ) as local,
            distributed.Client(local) as client,
        ):
            yield client
        return
    try:
        client = distributed.Client(cluster, timeout=_PATIENCE_S)
    except (OSError, TimeoutError, ValueError) as error:
        what = f"no scheduler answers at {cluster}: {error}"
        raise WireError(
            f"{what}. Start one with `dask scheduler`, or leave --cluster out to use this machine"
        ) from error
    with client:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE_S)
        except TimeoutError as error:
            what = f"the scheduler at {cluster} has no workers"
            raise WireError(f"{what}. Start some with `dask worker {cluster} --nthreads 1`") from error
        yield client
