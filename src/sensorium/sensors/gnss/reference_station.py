"""What a base station measures at the instant at which the receiver measures: code and phase of a free sky, with its noise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sensorium.core.earth import SPEED_OF_LIGHT_M_S
from sensorium.core.random import Draws
from sensorium.sensors.gnss.channels import channels_of
from sensorium.sensors.gnss.reception import Reception
from sensorium.sensors.gnss.signals import L1_HZ

if TYPE_CHECKING:
    from sensorium.sensors.gnss.gnss import Gnss


def base_measurements(
    gnss: Gnss, reception: Reception, draws: Draws
) -> dict[tuple[str, str], tuple[float, float]] | None:
    """Return pseudorange and phase in metres by satellite and code; None while the link is down.

    The base's clock is exact and its cycles are whole by choice: neither matters to differences.
    """
    if reception.base is None or gnss.base_station is None:
        return None
    seen, air, number = reception.base
    channels = channels_of(reception.orbits, gnss.signals)
    code_noise, phase_noise = (draws.normal(f"base {kind}", len(channels)) for kind in ("code", "phase"))
    place = {int(n): k for k, n in enumerate(number)}
    rows = np.array([k for k in range(len(channels)) if int(channels.number[k]) in place], np.int64)
    above = np.array([place[int(channels.number[k])] for k in rows], np.int64)
    satellite = channels.number[rows]
    known = reception.orbits.names
    names = [known[k] for k in number]
    elevation = _elevation(reception, number)
    error_m, iono_error_m = gnss.sky_errors.of(names, elevation, air.ionosphere_l1_m, reception.gps_ns, draws)
    scale = (L1_HZ / channels.frequency_hz[rows]) ** 2
    clock = seen.states.clock_s[satellite] - scale * seen.states.group_delay_s[satellite]
    plain = seen.range_m[satellite] - SPEED_OF_LIGHT_M_S * clock + air.troposphere_m[above] + error_m[above]
    ionosphere = scale * (air.ionosphere_l1_m + iono_error_m)[above]
    code = plain + ionosphere + gnss.base_station.code_noise_m * code_noise[rows]
    phase = plain - ionosphere + gnss.base_station.phase_noise_m * phase_noise[rows]
    keys = ((channels.names[k], channels.signals[k].code) for k in rows)
    return dict(zip(keys, zip(code.tolist(), phase.tolist(), strict=True), strict=True))


def _elevation(reception: Reception, number: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return elevations as the rover has them: errors of the air are those of the sky that both share."""
    towards = reception.sight.towards[number]
    return np.asarray(np.arcsin(np.clip(towards @ reception.frame.axes[2], 0.02, 1)))
