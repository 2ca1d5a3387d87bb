"""How strong signals arrive: C/N0 of every channel with all paths, jammers, spoofers and tunnels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.sensors.gnss.channels import Channels
from sensorium.sensors.gnss.correlator import Tracked
from sensorium.sensors.gnss.reception import Reception

Floats = NDArray[np.float64]

THERMAL_DBW_HZ = -203.975
"""k T_0 at 290 K."""


@dataclass(frozen=True, eq=False)
class Strength:
    """Of C channels."""

    cn0_db_hz: Floats
    """[C] -infinite where nothing arrives."""
    spoofed: NDArray[np.bool_]


def strength(
    reception: Reception,
    channels: Channels,
    rows: NDArray[np.int64],
    tracked: Tracked,
    noise_figure_db: float,
    loss_db: float,
) -> Strength:
    """Return C/N0 [C] of channels that track the satellites in these rows of the reception.

    The received power is least at 5 degrees and in the zenith and 2 dB more in between (IS-GPS-200, figure 6-1). A jammer adds
    noise of density J / max(width, chip rate) (Kaplan and Hegarty, 9.2).
    """
    elevation = reception.elevation_rad[rows]
    with np.errstate(divide="ignore"):
        authentic = channels.power_dbw + 2 * np.sin(2 * elevation) + 10 * np.log10(tracked.power) - reception.loss_db
    false = reception.spoofing_dbw[channels.band]
    spoofed = false > authentic + reception.advantage_db
    carrier = np.where(spoofed, false, authentic)
    density = np.full(len(rows), 10 ** ((THERMAL_DBW_HZ + noise_figure_db) / 10))
    for power, width in zip(reception.jamming_w, reception.jamming_width_hz, strict=True):
        density += power[channels.band] / np.maximum(width[channels.band], channels.chip_rate_hz)
    return Strength(carrier - loss_db - 10 * np.log10(density), spoofed)
