"""Real devices as data: one file per device, each figure with its source.

A file holds `title`, `maker`, `sources`, `data_sheet` (figures of the maker that are no settings of the sensor) and
`sensor`: the document of the sensor.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from sensorium.core.errors import ConfigurationError, Problem, did_you_mean


@dataclass(frozen=True)
class Device:
    """A device of the catalogue."""

    name: str
    title: str
    maker: str
    sources: tuple[str, ...]
    data_sheet: Mapping[str, Any]
    """Figures of the maker that are no settings of the sensor, as they stand in the file."""
    sensor: Mapping[str, Any]
    """The document of the sensor, as a scenario would write it."""


@cache
def device_names() -> tuple[str, ...]:
    """Return the names of all devices, sorted."""
    return tuple(sorted(entry.name[:-5] for entry in files(__name__).iterdir() if entry.name.endswith(".yaml")))


def device_text(name: str) -> str:
    """Return the file of a device as it stands, comments included."""
    return files(__name__).joinpath(f"{name}.yaml").read_text("utf-8")


@cache
def device(name: str) -> Device:
    """Return a device by its name."""
    from ruamel.yaml import YAML

    if name not in device_names():
        raise ConfigurationError(f"there is no device '{name}' in the catalogue.{did_you_mean(name, device_names())}")
    entry = YAML(typ="safe", pure=True).load(device_text(name))
    sources = tuple(entry["sources"])
    return Device(name, entry["title"], entry["maker"], sources, entry["data_sheet"], entry["sensor"])


def with_device(document: Any) -> Any:
    """Return a sensor's document filled up from the catalogue where it names a device; its own settings win."""
    if not isinstance(document, Mapping) or not document.get("device"):
        return document
    try:
        return _merged(device(str(document["device"])).sensor, document)
    except ConfigurationError as error:
        raise ConfigurationError([Problem("device", str(error))]) from None


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    if above.get("type", below.get("type")) != below.get("type"):  # another kind of object: nothing of the old one fits
        return dict(above)
    result = dict(below)
    for key, value in above.items():
        old = result.get(key)
        result[key] = _merged(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return result
