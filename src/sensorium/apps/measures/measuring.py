"""From a task of a campaign to its row; what workers call by name."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from sensorium.apps.measures.ball import BallTracking
from sensorium.apps.measures.clouds import PointStatistics
from sensorium.apps.measures.street import LidarAlerts
from sensorium.core.configuration import Document, build
from sensorium.core.errors import ConfigurationError, Problem, did_you_mean

CALLABLE = "sensorium.apps.measures.measuring:measured"
AnyMeasure = Annotated[PointStatistics | BallTracking | LidarAlerts, Field(discriminator="type")]
_MEASURE = "measure."

Task = dict[str, Any]


def measured(task: Task) -> dict[str, Any]:
    """Return the row of a run."""
    measure = measure_of(task)
    return dict(measure.row(scenario_of_task(task) if measure.needs_scenario else None, task["seed"], task["run"]))


def measure_of(task: Task) -> Any:
    """Return the measure with the settings of the run."""
    own = [one.removeprefix(_MEASURE) for one in task["overrides"] if one.startswith(_MEASURE)]
    return build(AnyMeasure, Document(task["measure"], task["study"]), overrides=own)


def scenario_of_task(task: Task) -> Any:
    """Return the scenario with the settings of the run, its seed and its repetition."""
    from sensorium.simulation.scenario import scenario_of

    folder = Path(task["folder"]) if task["folder"] else None
    settings = [one for one in task["overrides"] if not one.startswith(_MEASURE)]
    document = Document(task["scenario"], task["source"], folder=folder)
    return scenario_of(document, [*settings, f"seed={task['seed']}", f"run={task['run']}"])


def check(task: Task) -> None:
    """Refuse what no run of the study could do: unknown settings, a missing scenario; before anything is started."""
    try:
        measure = measure_of(task)
        foreign = [one.partition("=")[0] for one in task["overrides"] if not one.startswith(_MEASURE)]
        if measure.needs_scenario and task["scenario"] is None:
            raise ConfigurationError([Problem("scenario", f"is missing; {measure.type} simulates one")])
        if not measure.needs_scenario and foreign:
            what = f"is a setting of a scenario, but {measure.type} simulates none; write measure.{foreign[0]}?"
            raise ConfigurationError([Problem(foreign[0], what)])
        if measure.needs_scenario:
            names = [mount.name for mount in scenario_of_task(task).rig]
            if measure.sensor not in names:
                guess = did_you_mean(measure.sensor, names)
                raise ConfigurationError(
                    [Problem("measure.sensor", f"the rig has no sensor '{measure.sensor}'.{guess}")]
                )
    except ConfigurationError as error:
        told = [Problem(one.where, one.what, one.place.replace("--set ", "set to ")) for one in error.problems]
        raise ConfigurationError(told, task["study"]) from None
