"""What the correlator makes of several paths: code error, phase error and strength.

Early, prompt and late replicas are d apart. The composite correlation of paths with amplitudes a and delays x is
S(x0) = sum a exp(-j k x) R(x0 - x); the loop settles where |S(x0 - d/2)| = |S(x0 + d/2)| (early minus late power).
For one weaker mirror path that is the classical envelope: +-a d / 2 from x = d (1 +- a) / 2 on (van Nee 1993).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sensorium.core.earth import SPEED_OF_LIGHT_M_S
from sensorium.sensors.gnss.channels import Channels
from sensorium.sensors.gnss.reception import Paths
from sensorium.sensors.gnss.signals import SatelliteSignal

Floats = NDArray[np.float64]

_REACH_CHIPS, _STEPS_PER_CHIP = 3.0, 256


@dataclass(frozen=True, eq=False)
class Tracked:
    """What the loops of C channels settle on."""

    code_m: Floats
    """[C] error of the pseudorange."""
    phase_m: Floats
    """[C] error of the carrier phase, as a length."""
    rate_m_s: Floats
    """[C] error of the range rate."""
    power: Floats
    """[C] of the composite prompt signal, against an isotropic antenna on the straight line; 0: nothing arrives."""


def correlation(modulation: str, bandwidth_chips: float) -> Floats:
    """Return R on a grid of -3 .. 3 chips, R(0) = 1, of a code after a front end of this two-sided bandwidth in chip rates.

    An unlimited triangle (BPSK), or BOC(1,1): 1 - 3|x| up to half a chip, |x| - 1 from there to one chip; the front end is
    an ideal band-pass, so that R is cut in the frequency domain.
    """
    return _correlation(modulation, float(bandwidth_chips))


@lru_cache(maxsize=16)
def _correlation(modulation: str, bandwidth_chips: float) -> Floats:
    steps = int(_REACH_CHIPS * _STEPS_PER_CHIP)
    pad = 64 * _STEPS_PER_CHIP
    x = np.abs(np.arange(-pad, pad) / _STEPS_PER_CHIP)
    if modulation == "boc":
        r = np.where(x < 0.5, 1 - 3 * x, np.where(x < 1, x - 1, 0.0))
    else:
        r = np.maximum(1 - x, 0.0)
    spectrum = np.fft.fft(np.fft.ifftshift(r))
    spectrum[np.abs(np.fft.fftfreq(len(x), 1 / _STEPS_PER_CHIP)) > bandwidth_chips / 2] = 0
    r = np.fft.fftshift(np.fft.ifft(spectrum).real)[pad - steps : pad + steps + 1]
    return np.ascontiguousarray(r / r[steps])


@lru_cache(maxsize=8)
def _tables(kinds: tuple[SatelliteSignal, ...], bandwidth_hz: float) -> Floats:
    """Return the correlation [kinds, steps] of the signals; the front end is wider in the lower band."""
    widths = [max(bandwidth_hz, 20.46e6) if kind.lower else bandwidth_hz for kind in kinds]
    return np.stack([
        correlation(kind.modulation, width / kind.chip_rate_hz) for kind, width in zip(kinds, widths, strict=True)
    ])  # fmt: skip


def track(
    paths: Paths, satellites: NDArray[np.int64], channels: Channels, spacing_chips: float, bandwidth_hz: float
) -> Tracked:
    """Return what channels [C] settle on; channel c follows the satellite in row `satellites[c]` of the paths."""
    from sensorium.sensors.gnss.correlator_kernels import settle

    tables = _tables(channels.kinds, bandwidth_hz)
    spacing = np.where(channels.band == 1, 1.0, spacing_chips)
    first = np.searchsorted(paths.satellite, np.arange(paths.satellite.max(initial=-1) + 2))
    out = settle(
        first, satellites, paths.excess_m, paths.excess_rate_m_s, paths.amplitude, channels.band,
        SPEED_OF_LIGHT_M_S / channels.chip_rate_hz, spacing, channels.frequency_hz / SPEED_OF_LIGHT_M_S, tables,
        channels.kind, _STEPS_PER_CHIP,
    )  # fmt: skip
    return Tracked(*out)
