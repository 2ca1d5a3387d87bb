"""The radar equation: how much of what is sent comes back from a path."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.sensors.radar.antenna import AnyAntenna
from sensorium.sensors.radar.array import VirtualArray
from sensorium.sensors.radar.chirps import ChirpSequence
from sensorium.sensors.radar.paths import Paths
from sensorium.sensors.radar.receiver import Receiver

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class FrontEnd:
    """All that stands between paths and samples, whatever the fidelity."""

    chirps: ChirpSequence
    array: VirtualArray
    antenna: AnyAntenna
    receiver: Receiver
    range_min_m: float
    range_max_m: float

    @property
    def transmitters(self) -> int:
        """How many take turns."""
        return len(self.array.transmitters_m)

    def power_per_m2_w(self, range_m: Floats, sent: Floats, heard: Floats, attenuation_1_m: float) -> Floats:
        """Return P G_t G_r lambda^2 L / ((4 pi)^3 R^4) e^(-2 a R): power at one receiver per square metre of cross section.

        M. I. Skolnik, "Introduction to Radar Systems", 3rd ed., eq. 1.7; a is the attenuation of the air one way.
        """
        gain = self.antenna.gain(sent) * self.antenna.gain(heard)
        fixed = self.receiver.power_w * self.chirps.wavelength_m**2 / (4 * np.pi) ** 3
        loss = 10 ** (-self.receiver.losses_db / 10) * np.exp(-2 * attenuation_1_m * range_m)
        return np.asarray(fixed * gain * loss / np.maximum(range_m, 1e-3) ** 4)

    def heard_w_m2(self, paths: Paths, attenuation_1_m: float) -> Floats:
        """Return the power of paths behind the anti-alias filter, per square metre of cross section [N]."""
        beat_hz = self.chirps.beat_hz(paths.range_m, paths.speed_m_s)
        passed = self.receiver.filter_gain(beat_hz, self.chirps.sample_rate_hz)
        return self.power_per_m2_w(paths.range_m, paths.sent, paths.heard, attenuation_1_m) * passed

    @property
    def noise_w(self) -> float:
        """Noise of one sample of one channel."""
        return self.receiver.noise_w(self.chirps.sample_rate_hz)

    @property
    def integrated(self) -> int:
        """Samples of a frame that add up in step: N M C."""
        return self.chirps.samples * self.chirps.chirps * self.array.channels

    def variances(self, snr: Floats, azimuth_rad: Floats, elevation_rad: Floats) -> Floats:
        """Return variances [N, 4] of range, speed, azimuth, elevation at signal-to-noise ratios after all integration.

        The Cramer-Rao bound of a tone of n samples: var(w) = 6 / (snr (n^2 - 1)) (D. Rife, R. Boorstyn, IEEE Trans. Inf. Theory 20,
        1974), times 1.5 for the windows; of a direction: var(u) = lambda^2 / (2 snr (2 pi)^2 spread^2). Directions that the array
        cannot tell have the variance of the antenna's view.
        """
        chirps = self.chirps
        snr = np.maximum(np.asarray(snr, float), 1e-6)
        tone = 1.5 * 6 / snr
        distance = tone / (chirps.samples**2 - 1) * (chirps.range_max_m / (2 * np.pi)) ** 2
        speed = tone / (chirps.chirps**2 - 1) * (chirps.speed_max_m_s(self.transmitters) / np.pi) ** 2
        angles = []
        for axis, angle in enumerate((azimuth_rad, elevation_rad)):
            spread = self.array.spread_m(axis)
            bound = (chirps.wavelength_m / (2 * np.pi * max(spread, 1e-9))) ** 2 / (2 * snr)
            angles.append(np.minimum(bound / np.maximum(np.cos(angle), 0.05) ** 2, (0.3) ** 2))
        return np.stack((distance, speed, *angles), -1)
