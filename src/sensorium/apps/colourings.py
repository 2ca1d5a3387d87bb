"""Ways to colour a point cloud that a person may choose by name, each with what its colours mean.

A recording carries numbers of materials and classes, and their names in a table of its own; with the table legends show
names, and classes that every street has get the same colour in every scene.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.apps.colours import FULL_INTENSITY, Rgb, by_height, by_intensity, by_kind, by_range, by_ring, in_turn
from sensorium.core.errors import ConfigurationError, RecordingError, did_you_mean
from sensorium.recording.scene_names import SceneNames
from sensorium.samples import PointCloud, PointTruth
from sensorium.samples.causes import Cause

Numbers = NDArray[Any]
Ticks = tuple[tuple[float, str], ...]
"""Place 0..1 on a colour bar, and what stands there."""
Legend = list[tuple[str, tuple[int, int, int]]]
"""What it is, and its colour; the most frequent first."""

CLASS_COLOURS = {
    "road": "#6b7280", "road_marking": "#f8fafc", "kerb": "#a1a1aa", "pavement": "#c4a484", "terrain": "#84cc16",
    "vegetation": "#16a34a", "trunk": "#92603a", "building": "#e2a06a", "window": "#67e8f9", "door": "#b45309",
    "roof": "#b4534b", "fence": "#d6a94a", "car": "#3b82f6", "truck": "#8b5cf6", "bus": "#7c3aed",
    "pedestrian": "#f43f5e", "person": "#f43f5e", "cyclist": "#ec4899", "pole": "#facc15", "traffic_sign": "#fb923c",
    "traffic_light": "#ef4444", "bench": "#d946ef", "bin": "#14b8a6", "bus_stop": "#818cf8", "cabinet": "#f9a8d4",
    "board": "#fef08a",
}  # fmt: skip
CAUSE_COLOURS = ("#64748b", "#7dd3fc", "#f43f5e", "#f59e0b", "#34d399", "#c084fc", "#fde047", "#f9a8d4")
"""By `Cause`: quiet for the first surface, loud for what misleads."""
RETURN_COLOURS = ("#60a5fa", "#f97316", "#84cc16", "#e879f9")


@dataclass(frozen=True, eq=False)
class Colouring:
    """Calls give the colours [N, 3] of a cloud; `ticks` or `legend` say what they mean."""

    name: str
    paint: Callable[[PointCloud], Rgb]
    ticks: Callable[[], Ticks] | None = None
    """Marks along `colours.scale(name)`, if colours stand for an amount."""
    kinds: Callable[[PointCloud], Numbers] | None = None
    """Number of the kind of each point [N], if colours stand for kinds."""
    kind_names: tuple[str, ...] = field(default=())

    def __call__(self, cloud: PointCloud) -> Rgb:
        """Return the colours of a cloud [N, 3]."""
        return self.paint(cloud)

    def legend(self, cloud: PointCloud, rows: NDArray[Any] | None = None, most: int = 16) -> Legend:
        """Return the kinds in some rows of a cloud (default: all), the most frequent first; empty for amounts."""
        if self.kinds is None or not len(cloud):
            return []
        chosen = np.arange(len(cloud)) if rows is None else np.arange(len(cloud))[rows]
        kind, first, count = np.unique(self.kinds(cloud)[chosen], return_index=True, return_counts=True)
        often = np.argsort(-count, kind="stable")[:most]
        colours = self.paint(cloud)[chosen[first[often]]]
        return [
            (self._kind_name(number), (int(red), int(green), int(blue)))
            for number, (red, green, blue) in zip(kind[often].tolist(), colours, strict=True)
        ]

    def _kind_name(self, number: int) -> str:
        if 0 <= number < len(self.kind_names):
            return self.kind_names[number].replace("_", " ")
        return str(number) if number >= 0 else "nothing of the scene"


class _Heights:
    """Height between the 2nd and the 98th percentile of the first cloud, so that later clouds mean the same by a colour."""

    def __init__(self) -> None:
        self._limits_m: tuple[float, float] | None = None

    def paint(self, cloud: PointCloud) -> Rgb:
        height = cloud.points_m[:, 2]
        if self._limits_m is None and len(height):
            low, high = np.percentile(height, (2, 98))
            self._limits_m = float(low), float(high)
        return by_height(height, *(self._limits_m or (0.0, 1.0)))

    def ticks(self) -> Ticks:
        low, high = self._limits_m or (0.0, 1.0)
        return tuple(
            (place, f"{round(low + place * (high - low), 1) + 0.0:.1f}") for place in (0.0, 0.25, 0.5, 0.75, 1.0)
        )


def _intensity_ticks() -> Ticks:
    return tuple((float(np.log1p(tick) / np.log1p(FULL_INTENSITY)), str(tick)) for tick in (0, 3, 10, 30, 100, 255))


def _range_ticks() -> Ticks:
    return tuple((float(np.sqrt(tick / 60)), str(tick)) for tick in (0, 2, 5, 10, 20, 40, 60))


def _by_intensity(names: SceneNames) -> Colouring:
    return Colouring("intensity", lambda cloud: by_intensity(cloud.intensity), _intensity_ticks)


def _by_range(names: SceneNames) -> Colouring:
    return Colouring("range", lambda cloud: by_range(cloud.range_m), _range_ticks)


def _by_height(names: SceneNames) -> Colouring:
    heights = _Heights()
    return Colouring("height", heights.paint, heights.ticks)


def _by_ring(names: SceneNames) -> Colouring:
    return Colouring("ring", lambda cloud: by_ring(cloud.ring))


def _by_return(names: SceneNames) -> Colouring:
    return Colouring(
        "return", lambda cloud: in_turn(return_numbers(cloud), RETURN_COLOURS), kinds=return_numbers,
        kind_names=("first return", "second return", "third return", "fourth return"),
    )  # fmt: skip


def _by_material(names: SceneNames) -> Colouring:
    def numbers(cloud: PointCloud) -> Numbers:
        return _truth(cloud, "material").material

    return Colouring("material", lambda cloud: by_kind(numbers(cloud)), kinds=numbers, kind_names=names.materials)


def _by_class(names: SceneNames) -> Colouring:
    def numbers(cloud: PointCloud) -> Numbers:
        return _truth(cloud, "class").label

    known = [CLASS_COLOURS.get(name) for name in names.classes]
    table = by_kind(np.arange(len(known)))
    for number, colour in enumerate(known):
        if colour is not None:
            table[number] = in_turn(0, (colour,))

    def paint(cloud: PointCloud) -> Rgb:
        number = numbers(cloud)
        named = (number >= 0) & (number < len(table))
        colours = by_kind(number)
        colours[named] = table[number[named]]
        return colours

    return Colouring("class", paint, kinds=numbers, kind_names=names.classes)


def _by_cause(names: SceneNames) -> Colouring:
    words = tuple(cause.name.lower().replace("_", " ") for cause in Cause)
    return Colouring("cause", lambda cloud: in_turn(_causes(cloud), CAUSE_COLOURS), kinds=_causes, kind_names=words)


COLOURINGS: dict[str, Callable[[SceneNames], Colouring]] = {
    "intensity": _by_intensity,
    "range": _by_range,
    "height": _by_height,
    "ring": _by_ring,
    "return": _by_return,
    "material": _by_material,
    "class": _by_class,
    "cause": _by_cause,
}


def colouring(name: str, names: SceneNames | None = None) -> Colouring:
    """Return the colouring of that name; `names` is the table of a recording that says what its numbers mean."""
    if name not in COLOURINGS:
        raise ConfigurationError(f"'{name}' is not a colouring of point clouds.{did_you_mean(name, COLOURINGS)}")
    return COLOURINGS[name](names or SceneNames())


def return_numbers(cloud: PointCloud) -> Numbers:
    """Return 0 for points that are the first return of their beam, 1 for the second, and so on [N]."""
    if cloud.return_index is not None:
        return cloud.return_index
    _truth(cloud, "return number")
    return np.zeros(len(cloud), np.uint8)  # known, and there is one return per beam


def _causes(cloud: PointCloud) -> Numbers:
    cause = _truth(cloud, "cause").cause
    if cause is None:
        raise RecordingError(
            f"the points of '{cloud.stamp.sensor}' do not say what caused them: the sensor does not tell it. "
            f"Choose another colouring: {', '.join(name for name in COLOURINGS if name != 'cause')}"
        )
    return cause


def _truth(cloud: PointCloud, wanted: str) -> PointTruth:
    if cloud.truth is None:
        raise RecordingError(
            f"the points of '{cloud.stamp.sensor}' carry no {wanted}: it is part of the truth of points, which this "
            "recording does not hold. Record it again with `recording.point_truth: true` and `truth: true` in the "
            "sensor (sensorium run SCENARIO --set recording.point_truth=true --set 'rig[0].sensor.truth=true'), or "
            "choose intensity, range, height or ring"
        )
    return cloud.truth
