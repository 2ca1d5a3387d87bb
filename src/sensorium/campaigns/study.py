"""What a campaign asks: which settings vary and how, which are swept, how many runs, and what is measured."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Annotated, Any

from annotated_types import Ge
from pydantic import Field, StringConstraints, model_validator

from sensorium.campaigns.distributions import AnyDistribution
from sensorium.core.configuration import configured, read_yaml
from sensorium.core.documents import build
from sensorium.core.errors import ConfigurationError, Problem
from sensorium.core.random import Draws
from sensorium.core.steps import parse_steps
from sensorium.core.units import PositiveSeconds

FORMAT = 1
FileName = Annotated[str, StringConstraints(pattern=r"^[a-zA-Z0-9][a-zA-Z0-9_\-]*$")]


@configured
class Study:
    """A study file. Paths are those of `--set`: rig[0].sensor.rate_hz; those that begin with `measure.` mean the measure.

    Every combination of the swept values is run `runs` times. Repetition k draws the same values for every combination,
    so that combinations are compared on equal terms.
    """

    sensorium_study: int = FORMAT
    """Version of the format."""
    name: FileName
    """Of the files that it makes."""
    description: str = ""
    scenario: str | None = None
    """A scenario file beside the study, or the name of one in the package; none: the measure needs none."""
    seed: Annotated[int, Ge(0)] = 0
    """Of what varies, and of all chance in the sensors."""
    runs: Annotated[int, Ge(1)] = 1
    """Repetitions of every combination."""
    set: dict[str, Any] = Field(default_factory=dict)
    """Settings that are the same in all runs."""
    vary: dict[str, AnyDistribution] = Field(default_factory=dict)
    """Settings that are drawn for each repetition."""
    sweep: dict[str, tuple[Any, ...]] = Field(default_factory=dict)
    """Settings of which every value is tried."""
    measure: dict[str, Any]
    """What is measured of a run: an object with a `type`."""
    retries: Annotated[int, Ge(0)] = 1
    """How often a run that failed is tried again."""
    time_limit_s: PositiveSeconds = 600.0
    """A run that takes longer is killed."""

    @model_validator(mode="after")
    def _can_be_run(self) -> Study:
        problems = []
        if self.sensorium_study != FORMAT:
            what = f"this is format {self.sensorium_study}, but this version reads format {FORMAT}"
            problems.append(Problem("sensorium_study", what))
        for path, values in self.sweep.items():
            if not values:
                problems.append(Problem(f'sweep["{path}"]', "is empty; list at least one value, or remove it"))
        places = [(group, path) for group in ("set", "vary", "sweep") for path in getattr(self, group)]
        for group, path in places:
            try:
                steps = parse_steps(path)
            except ValueError as error:
                problems.append(Problem(f'{group}["{path}"]', str(error)))
                continue
            if steps and steps[0] in ("seed", "run"):
                problems.append(Problem(f'{group}["{path}"]', "is set by the campaign itself; use the study's `seed`"))
            elif sum(path == other for _, other in places) > 1 and group != "set":
                problems.append(
                    Problem(f'{group}["{path}"]', "stands in more than one of set, vary and sweep; keep one")
                )
        if problems:
            raise ConfigurationError(problems)
        return self

    @property
    def count(self) -> int:
        """Number of runs altogether."""
        return self.runs * prod(len(values) for values in self.sweep.values())

    def values(self, number: int) -> dict[str, Any]:
        """Return what varies and what is swept in a run, by path."""
        if not 0 <= number < self.count:
            raise ConfigurationError(f"the study has the runs 0 to {self.count - 1}, there is no run {number}")
        combination, repetition = divmod(number, self.runs)
        chosen = []
        for values in reversed(self.sweep.values()):  # the last one varies fastest
            combination, row = divmod(combination, len(values))
            chosen.append(values[row])
        draws = Draws(self.seed, repetition, "campaign")
        drawn = {path: one.value(float(draws.uniform(path, 1)[0])) for path, one in self.vary.items()}
        return {**dict(zip(self.sweep, reversed(chosen), strict=True)), **drawn}

    def overrides(self, number: int) -> list[str]:
        """Return the settings of a run as `--set` would have them."""
        settings = {**self.set, **self.values(number)}
        return [f"{path}={json.dumps(value)}" for path, value in settings.items()]  # JSON is YAML on one line


@dataclass(frozen=True)
class Asked:
    """A study as it stands in a file."""

    study: Study
    path: Path


def load_study(path: str | Path, overrides: Iterable[str] = ()) -> Asked:
    """Read a study file; ONE `ConfigurationError` names everything that is wrong with it, with file and line."""
    return Asked(build(Study, read_yaml(path), overrides=overrides), Path(path))
