"""The channels of a receiver: one for each signal of each satellite that the orbits know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from sensorium.core.earth import SPEED_OF_LIGHT_M_S
from sensorium.ephemeris.orbits import Orbits
from sensorium.sensors.gnss.signals import SIGNALS, SatelliteSignal

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Channels:
    """C channels; arrays [C]."""

    names: tuple[str, ...]
    """Satellite."""
    signals: tuple[SatelliteSignal, ...]
    number: Ints
    """Row of the satellite in the orbits."""
    frequency_hz: Floats
    chip_rate_hz: Floats
    power_dbw: Floats
    band: Ints
    """0 upper, 1 lower."""
    glonass_channel: Ints
    kinds: tuple[SatelliteSignal, ...]
    """The signals that there are."""
    kind: Ints
    """Which of them."""

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def wavelength_m(self) -> Floats:
        """Of the carrier."""
        return SPEED_OF_LIGHT_M_S / self.frequency_hz

    def rows(self, chosen: Ints) -> Channels:
        """Return some of the channels."""
        return _part(self, np.asarray(chosen, np.int64).tobytes())

    def _taken(self, chosen: Ints) -> Channels:
        arrays = ("number", "frequency_hz", "chip_rate_hz", "power_dbw", "band", "glonass_channel", "kind")
        kept = {name: getattr(self, name)[chosen] for name in arrays}
        names, signals = tuple(self.names[k] for k in chosen), tuple(self.signals[k] for k in chosen)
        return Channels(names=names, signals=signals, kinds=self.kinds, **kept)


@lru_cache(maxsize=16)
def _part(channels: Channels, chosen: bytes) -> Channels:
    """Return some of the channels; the same satellites are above the horizon for minutes."""
    return channels._taken(np.frombuffer(chosen, np.int64))


def channels_of(orbits: Orbits, signals: Sequence[str]) -> Channels:
    """Return the channels for these signals of `SIGNALS`, by satellite, then in the order given."""
    glonass = None if orbits.glonass_channel is None else tuple(orbits.glonass_channel.tolist())
    return _channels(orbits.names, glonass, tuple(signals))


@lru_cache(maxsize=8)
def _channels(names: tuple[str, ...], glonass: tuple[int, ...] | None, wanted: tuple[str, ...]) -> Channels:
    both = [(row, signal) for row, name in enumerate(names) for signal in wanted if SIGNALS[signal].system == name[0]]
    pairs, tracked = [(row, SIGNALS[signal]) for row, signal in both], [signal for _, signal in both]
    step = np.array([0 if glonass is None else glonass[row] for row, _ in pairs], np.int64)
    return Channels(
        tuple(names[row] for row, _ in pairs), tuple(signal for _, signal in pairs),
        np.array([row for row, _ in pairs], np.int64),
        np.array([s.frequency_hz for _, s in pairs]) + step * np.array([s.channel_step_hz for _, s in pairs]),
        np.array([s.chip_rate_hz for _, s in pairs]), np.array([s.power_dbw for _, s in pairs]),
        np.array([int(s.lower) for _, s in pairs], np.int64), step,
        tuple(SIGNALS[name] for name in wanted), np.array([wanted.index(name) for name in tracked], np.int64),
    )  # fmt: skip
