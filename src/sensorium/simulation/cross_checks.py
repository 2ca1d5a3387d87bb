"""What can be wrong with a scenario although each setting by itself is right: names that nobody has, names used twice.

The checks read the scenario as a document, so that they also work on one whose other settings are still wrong; what
does not have the right kind is passed over here, since somebody else complains about it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from sensorium.core.errors import Problem, did_you_mean
from sensorium.core.steps import Steps, steps_text

Names = list[tuple[Steps, str]]
"""Where a name stands, and the name."""

RESERVED = {"truth": "the samples of the truth", "map": "the frame of the world"}


def cross_problems(
    scenario: Mapping[str, Any], world_names: Callable[[], Iterable[str]] | None, materials: Iterable[str] | None
) -> list[Problem]:
    """Return everything that does not fit together in the document of a scenario.

    `world_names` tells the bodies that the world makes by itself, `materials` are all that are known; None: not known.
    """
    bodies = [*_groups(scenario.get("world"), ("world",), "bodies"), *_groups(scenario, (), "bodies")]
    mounts = list(_groups(scenario, (), "rig"))
    made = None if world_names is None or not (bodies or mounts) else set(world_names())
    sensors, carriers = _names(mounts, "name"), _names(mounts, "body")
    problems = [
        *_used_twice(sensors, set(), "sensor"),
        *_used_twice(_names(bodies, "name"), made or set(), "body"),
        *_frames(sensors, {name for _, name in carriers}),
        *_unknown(_layout_names(scenario), {name for _, name in sensors}, "sensor in the rig"),
    ]
    if made is not None:
        problems += _unknown(carriers, made | {name for _, name in _names(bodies, "name")}, "body in the world")
    if materials is not None:
        problems += _unknown(_material_names(bodies), set(materials), "material in the library")
    return problems


def _groups(content: Any, before: Steps, name: str) -> Iterator[tuple[Steps, Mapping[str, Any]]]:
    """Yield the groups of settings in a list, each with the way to it."""
    entries = content.get(name) if isinstance(content, Mapping) else None
    for index, entry in enumerate(entries if isinstance(entries, list | tuple) else ()):
        if isinstance(entry, Mapping):
            yield (*before, name, index), entry


def _names(groups: Iterable[tuple[Steps, Mapping[str, Any]]], key: str) -> Names:
    return [((*steps, key), group[key]) for steps, group in groups if isinstance(group.get(key), str)]


def _material_names(bodies: Iterable[tuple[Steps, Mapping[str, Any]]]) -> Iterator[tuple[Steps, str]]:
    for steps, body in bodies:
        yield from _names(_groups(body, steps, "parts"), "material")
        file = body.get("file")
        if isinstance(file, Mapping):
            yield from _names([((*steps, "file"), file)], "default_material")
            chosen = file.get("materials")
            for pattern, name in chosen.items() if isinstance(chosen, Mapping) else ():
                if isinstance(name, str):
                    yield (*steps, "file", "materials", pattern), name


def _layout_names(scenario: Mapping[str, Any]) -> Names:
    recording = scenario.get("recording")
    found: Names = []
    for table in ("layouts", "image_formats"):
        named = recording.get(table) if isinstance(recording, Mapping) else None
        found += [(("recording", table, name), name) for name in named] if isinstance(named, Mapping) else []
    return found


def _used_twice(names: Names, made: set[str], what: str) -> Iterator[Problem]:
    first: dict[str, str] = dict.fromkeys(made, "a body that the world makes by itself")
    for steps, name in names:
        if name in first:
            yield Problem(steps_text(steps), f"'{name}' is the name of {first[name]}, too; every {what} needs its own")
        first.setdefault(name, steps_text(steps[:-1]))


def _frames(sensors: Names, carriers: set[str]) -> Iterator[Problem]:
    """Each sensor has a frame and a topic of its name, so that some names are taken."""
    for steps, name in sensors:
        if name in RESERVED:
            yield Problem(steps_text(steps), f"'{name}' is kept for {RESERVED[name]}; give the sensor another name")
        elif name in carriers:
            yield Problem(steps_text(steps), f"'{name}' is the name of a body that carries a sensor; give another one")


def _unknown(names: Iterable[tuple[Steps, str]], known: set[str], what: str) -> Iterator[Problem]:
    for steps, name in names:
        if name not in known:
            yield Problem(steps_text(steps), f"there is no {what} named '{name}'.{did_you_mean(name, known)}")
