"""Colour maps: plain functions from numbers to RGB [N, 3] uint8, one for each thing worth looking at.

A map for amounts is a short list of colour stops; colours between two stops are mixed linearly. A map for kinds (rings,
materials, classes) is a list of colours that differ. `apps.colourings` applies them to clouds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Rgb = NDArray[np.uint8]

# weak to strong, over a dark background
_BLUE_TO_RED = ("#1e3a8a", "#1d4fd8", "#2563eb", "#0ea5e9", "#10c9a0", "#a3e635", "#fde047", "#fb923c", "#ef4444")
# low to high; lightness rises all the way, so that it also works in grey
_DUSK = ("#27306b", "#34549c", "#2f86a6", "#4fb79a", "#a4d97a", "#f5ec8f")
# near to far; lightness falls all the way
_EMBER = ("#fff3b8", "#fdc65c", "#f58a43", "#d64f56", "#93306f", "#4d2575", "#1c1a4a")
# neighbours differ clearly
_STRANDS = ("#60a5fa", "#f59e0b", "#34d399", "#f472b6", "#a78bfa", "#facc15", "#22d3ee", "#fb7185")

FULL_INTENSITY = 255.0
UNKNOWN_GREY = 110
_GOLDEN_RATIO = (5**0.5 - 1) / 2


def by_intensity(intensity: ArrayLike) -> Rgb:
    """Blue (nothing) to red (255) on a logarithmic scale, log(1 + i) / log(256): reflectors do not hide the street."""
    values = np.clip(np.asarray(intensity, np.float64), 0, FULL_INTENSITY)
    return _mix(_BLUE_TO_RED, np.log1p(values) / np.log1p(FULL_INTENSITY))


def by_range(range_m: ArrayLike, full_m: float = 60.0) -> Rgb:
    """Pale (near) to dark violet (`full_m` and beyond), on a square-root scale: most points of a scan are near."""
    known_m = np.nan_to_num(np.asarray(range_m, np.float64), nan=full_m)  # what is not known counts as far
    return _mix(_EMBER, np.sqrt(np.clip(known_m / full_m, 0, 1)))


def by_height(height_m: ArrayLike, low_m: float, high_m: float) -> Rgb:
    """Dark blue (`low_m` and below) to pale yellow (`high_m` and above)."""
    span = max(high_m - low_m, 1e-9)
    return _mix(_DUSK, np.clip((np.asarray(height_m, np.float64) - low_m) / span, 0, 1))


def by_ring(ring: ArrayLike) -> Rgb:
    """Eight colours in turn, so that neighbouring beams can be told apart."""
    return _table(_STRANDS)[np.asarray(ring, np.int64) % len(_STRANDS)].astype(np.uint8)


def by_kind(number: ArrayLike) -> Rgb:
    """Return a colour for each number 0, 1, 2, ..., the same in every picture; grey for negative numbers.

    The hue goes on by the golden ratio of the circle, so that it comes near to none of the hues before; every other
    number is pale, and lightness goes through three steps.
    """
    kind = np.asarray(number, np.int64)
    hue = (0.58 + kind * _GOLDEN_RATIO) % 1.0
    paleness, value = np.where(kind % 2 == 1, 0.5, 0.1), np.array([0.98, 0.85, 0.6])[kind % 3]
    channel = np.clip(np.abs((hue[..., None] + np.array([0, 2 / 3, 1 / 3])) % 1.0 * 6 - 3) - 1, 0, 1)
    rgb = value[..., None] * (channel + (1 - channel) * paleness[..., None])
    return np.where((kind < 0)[..., None], UNKNOWN_GREY, np.rint(rgb * 255)).astype(np.uint8)


def in_turn(number: ArrayLike, colours: tuple[str, ...]) -> Rgb:
    """Return the colour "#rrggbb" at the place of each number 0 to len(colours) - 1; grey for all other numbers."""
    kind = np.asarray(number, np.int64)
    known = (kind >= 0) & (kind < len(colours))
    return np.where(known[..., None], _table(colours)[np.where(known, kind, 0)], UNKNOWN_GREY).astype(np.uint8)


def scale(stops: str, count: int = 256) -> NDArray[np.float64]:
    """Return a map as a table [count, 3] of numbers 0..1, for colour bars: "intensity", "range" or "height"."""
    named = {"intensity": _BLUE_TO_RED, "range": _EMBER, "height": _DUSK}
    return np.asarray(_mix(named[stops], np.linspace(0, 1, count)) / 255.0)


def _mix(stops: tuple[str, ...], fraction: NDArray[np.float64]) -> Rgb:
    table = _table(stops)
    place = np.linspace(0, 1, len(stops))
    channels = [np.interp(fraction, place, table[:, channel]) for channel in range(3)]
    return np.rint(np.stack(channels, -1)).astype(np.uint8)


def _table(stops: tuple[str, ...]) -> NDArray[np.float64]:
    return np.array([[int(stop[i : i + 2], 16) for i in (1, 3, 5)] for stop in stops], np.float64)
