"""The tree of exceptions, and how their messages are made.

    SensoriumError
    ├── ConfigurationError   a scenario or a constructor argument is wrong (lists every problem at once)
    ├── SceneError           a mesh, a body or a material cannot be used
    ├── MotionError          a trajectory is damaged or asked outside its time span
    ├── RayError             rays that cannot be traced: NaN, zero length, empty interval
    ├── RecordingError       a recording or a point-cloud file cannot be written or read
    ├── WireError            a live connection cannot be opened, or what came over it cannot be used
    └── MissingExtraError    an optional package is not installed

A message names the place, what was found, what would be right, and the remedy.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass


class SensoriumError(Exception):
    """Root of all errors that Sensorium raises on purpose; the command line turns them into exit status 2."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: where it stands and what to do about it.

    `what` that begins with "is " makes a sentence with `where`: "rig[0].rat_hz is not a setting of Lidar."
    """

    where: str
    """Path of the setting: "rig[0].rate_hz"."""
    what: str
    """What was found and what is right."""
    place: str = ""
    """Place in a file, if it is known: "street.yaml:12"."""

    def __str__(self) -> str:
        joint = "" if not self.where else " " if self.what.startswith("is ") else ": "
        return f"{self.place}{': ' if self.place else ''}{self.where}{joint}{self.what}"


class ConfigurationError(SensoriumError, ValueError):
    """Everything that is wrong with a configuration, all at once. A ValueError too, so that validators may raise it."""

    def __init__(self, problems: Iterable[Problem] | str, source: str = "") -> None:
        self.problems = (Problem("", problems),) if isinstance(problems, str) else tuple(problems)
        self.source = source
        head = f"{source}: " if source else ""
        if len(self.problems) == 1:
            alone = str(self.problems[0])
            super().__init__(alone if alone.startswith(f"{source}:") else head + alone)
        else:
            lines = "\n".join(f"  {problem}" for problem in self.problems)
            super().__init__(f"{head}{len(self.problems)} problems\n{lines}")


class SceneError(SensoriumError):
    """A mesh, a body or a material cannot be used."""


class MotionError(SensoriumError):
    """A trajectory is damaged, or asked outside its time span."""


class RayError(SensoriumError):
    """Rays that cannot be traced."""


class RecordingError(SensoriumError):
    """A recording or a point-cloud file cannot be written or read."""


class WireError(SensoriumError):
    """A live connection cannot be opened, or what came over it cannot be used."""


class MissingExtraError(SensoriumError):
    """An optional package is not installed; names the extra that brings it."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs the package '{package}'. Install it with: pip install 'sensorium[{extra}]'")


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """Return " Did you mean 'x'?" for the candidate nearest to the word; else the list of a few, or nothing."""
    names = sorted(set(candidates))
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.55)
    if close:
        return f" Did you mean '{close[0]}'?"
    return f" Known: {', '.join(names)}." if 0 < len(names) <= 24 else ""


def shown(value: object) -> str:
    """Write a found value for a message, cut to a length that fits on a line."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
