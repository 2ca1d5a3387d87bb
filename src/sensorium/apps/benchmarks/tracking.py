"""`sensorium bench tracking`: filters over batches and along with a sensor, beside Stone Soup in the same run."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np

from sensorium.apps.benchmarks.rows import Row
from sensorium.apps.studies.ball_tracking import FILTERS, start, track
from sensorium.apps.studies.bouncing_ball import BouncingBall, angular, cartesian, throws
from sensorium.tracking.measurement_models import Angles
from sensorium.tracking.measurements import Measurements

RUNS, BATCH_BAR_S, ONLINE_BAR_US, BUSY_BAR = 2000, 10.0, 50.0, 85.0
SHORT_RUNS, _SHORT_S, _WORKERS = 200, 0.2, 2
_REPEATS, _STEPS = 3, 2000


def tracking_rows(threads: int | None = None) -> list[Row]:
    """Measure everything; the first calls compile."""
    for name in FILTERS:
        track(BouncingBall(runs=1, duration_s=0.2), name)
    return [*_batch_rows(threads), _study_row(threads), *_online_rows(), _campaign_row()]


def _batch_rows(threads: int | None) -> list[Row]:
    """Time the filters alone on 2000 runs of 10 s, 90 measurements a second."""
    study = BouncingBall(runs=RUNS)
    made = throws(study, 0, 250)
    rows = []
    theirs = _stone_soup_s()
    for name in ("kalman", "extended_kalman", "unscented_kalman", "interacting_models"):
        filter_ = FILTERS[name]
        few = (cartesian if name == "kalman" else angular)(study, made)
        many = few[np.arange(RUNS) % 250]
        belief = start(many)
        state = filter_.init(belief.time_ns, belief.mean, belief.covariance)
        taken = []
        for _ in range(_REPEATS):
            begun = perf_counter()
            filter_.run(state, many, [], threads)
            taken.append(perf_counter() - begun)
        updates = RUNS * many.steps
        soup = theirs * updates if name == "kalman" else None
        case = f"{name}: {RUNS} runs of 10 s, {updates / 1e6:.1f} million steps"
        rows.append(Row(case, soup, median(taken), "s", f"below {BATCH_BAR_S:g} s", median(taken) < BATCH_BAR_S))
    return rows


def _study_row(threads: int | None) -> Row:
    begun = perf_counter()
    track(BouncingBall(runs=RUNS), "extended_kalman", threads)
    taken = perf_counter() - begun
    says = "none: the same with throws, noise and errors of 600 instants"
    return Row(f"study of {RUNS} runs from start to end", None, taken, "s", says, True)


def _online_rows() -> list[Row]:
    """Time one measurement after another of one target, the measurement made of plain numbers each time."""
    theirs = _stone_soup_s()
    rows = []
    for name in ("extended_kalman", "unscented_kalman", "interacting_models"):
        filter_, noise = FILTERS[name], np.eye(2) * 1e-6
        state = filter_.init(0, [16.0, 0, 0, 0, 1, 0, 1, 0, 0], np.eye(9))
        taken = []
        for step in range(1, _STEPS):
            value = np.array([0.0, 0.01])
            begun = perf_counter()
            state = filter_.step(state, Measurements.one(Angles(), step * 10_000_000, value, noise))
            taken.append(perf_counter() - begun)
        soup = theirs * 1e6 if name == "extended_kalman" else None
        ours = median(taken) * 1e6
        rows.append(
            Row(
                f"{name}: one update of one track",
                soup,
                ours,
                "us",
                f"below {ONLINE_BAR_US:g} us",
                ours < ONLINE_BAR_US,
            )
        )
    return rows


def short_run(task: dict[str, Any]) -> dict[str, Any]:
    """Need a fifth of a second of one core; workers of the campaign call it by name."""
    until = process_time() + _SHORT_S
    while process_time() < until:
        pass
    return {"number": task["number"]}


def _campaign_row() -> Row:
    """Time a campaign of short runs from the first results on: work that was done over what two cores could have done."""
    from tempfile import TemporaryDirectory

    from sensorium.campaigns.engine import run_campaign
    from sensorium.campaigns.study import Study

    times: list[tuple[float, int]] = []
    study = Study(name="short", runs=SHORT_RUNS, measure={"type": "none"})
    with TemporaryDirectory() as folder:
        run_campaign(
            study, "sensorium.apps.benchmarks.tracking:short_run", {}, Path(folder) / "short.jsonl", workers=_WORKERS,
            progress=lambda done, failed, total: times.append((perf_counter(), done)),
        )  # fmt: skip
    (begun, first), (ended, last) = times[2 * _WORKERS], times[-1]
    busy = 100 * (last - first) * _SHORT_S / (_WORKERS * (ended - begun))
    says = f"above {BUSY_BAR:g} % of {_WORKERS} cores"
    return Row(
        f"campaign of {SHORT_RUNS} runs of {_SHORT_S:g} s: work over time", None, busy, "%", says, busy > BUSY_BAR
    )


def _stone_soup_s() -> float:
    """Return the time of one Kalman update of Stone Soup, nine numbers, three of them measured."""
    try:
        from stonesoup.models.measurement.linear import LinearGaussian
        from stonesoup.models.transition.linear import CombinedLinearGaussianTransitionModel, ConstantAcceleration
        from stonesoup.predictor.kalman import KalmanPredictor
        from stonesoup.types.detection import Detection
        from stonesoup.types.hypothesis import SingleHypothesis
        from stonesoup.types.state import GaussianState
        from stonesoup.updater.kalman import KalmanUpdater
    except ImportError:
        return float("nan")
    model = LinearGaussian(9, (0, 3, 6), np.eye(3) * 0.01)
    predictor = KalmanPredictor(CombinedLinearGaussianTransitionModel([ConstantAcceleration(1.0)] * 3))
    updater, now = KalmanUpdater(model), datetime(2026, 1, 1)
    state = GaussianState(np.zeros((9, 1)), np.eye(9), timestamp=now)
    taken = []
    for _ in range(100):
        now += timedelta(milliseconds=11)
        begun = perf_counter()
        predicted = predictor.predict(state, timestamp=now)
        detection = Detection(np.zeros((3, 1)), timestamp=now, measurement_model=model)
        state = updater.update(SingleHypothesis(predicted, detection))
        taken.append(perf_counter() - begun)
    return median(taken)
