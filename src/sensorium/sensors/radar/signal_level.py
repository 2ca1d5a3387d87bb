"""Samples of a frame, and the chain that makes detections of them."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.random import Draws
from sensorium.samples import Stamp
from sensorium.samples.radar import RadarCube, RadarMap, RadarScan
from sensorium.sensors.radar import disturbances
from sensorium.sensors.radar.angles import AnyAngle, FftAngle
from sensorium.sensors.radar.cfar import AnyCfar, CellAveraging
from sensorium.sensors.radar.cube import Cube, beat_cube
from sensorium.sensors.radar.detected import apparent, folded, scan_of
from sensorium.sensors.radar.fluctuation import Swerling
from sensorium.sensors.radar.link import FrontEnd
from sensorium.sensors.radar.paths import Paths
from sensorium.sensors.radar.processing import Found, Processing, Window

Floats = NDArray[np.float64]

_FAINT_DB = -30.0
"""Paths that stay this far below the noise after integration are left out of the samples."""


@configured
class SignalLevel:
    """The samples of all chirps and channels, noise and all, then range and speed FFT, CFAR and directions."""

    type: Literal["signal"] = "signal"
    range_window: Window = "hann"
    speed_window: Window = "hann"
    cfar: AnyCfar = Field(default_factory=CellAveraging)
    angle: AnyAngle = Field(default_factory=FftAngle)
    unfold: bool = False
    """Whether speeds beyond the limit are told by the transmitters' turns: K transmitters reach K times as fast."""
    most_paths: int = Field(default=4000, ge=1)
    """The strongest are taken."""
    keep_map: bool = False
    """Whether a scan carries its range-speed map."""
    keep_cube: bool = False
    """Whether a scan carries its samples."""

    def detect(
        self,
        front: FrontEnd,
        paths: Paths,
        attenuation_1_m: float,
        fluctuation: Swerling,
        draws: Draws,
        stamp: Stamp,
        truth: bool,
    ) -> RadarScan:
        """Return the detections of a frame."""
        cube, heard, power_w = self.samples(front, paths, attenuation_1_m, fluctuation, draws)
        kept = RadarCube(
            samples=cube.copy(), sample_rate_hz=front.chirps.sample_rate_hz, slope_hz_s=front.chirps.slope_hz_s,
            start_hz=front.chirps.start_hz, chirp_period_s=front.chirps.period_s * front.transmitters,
        ) if self.keep_cube else None  # fmt: skip
        chain = self.processing(front)
        spectrum = chain.spectrum(cube)
        power = (spectrum.real**2 + spectrum.imag**2).sum(0)
        found = chain.detect(spectrum, power)
        told = self._map(chain, power) if self.keep_map else None
        path = _strongest_near(found, heard, power_w, front) if truth else None
        return scan_of(found, path, heard, front, attenuation_1_m, stamp, told, kept)

    def processing(self, front: FrontEnd) -> Processing:
        """Return the chain from samples to detections."""
        return Processing(front, self.range_window, self.speed_window, self.cfar, self.angle, self.unfold)

    def samples(
        self, front: FrontEnd, paths: Paths, attenuation_1_m: float, fluctuation: Swerling, draws: Draws
    ) -> tuple[Cube, Paths, Floats]:
        """Return the samples [chirps, channels, samples], the paths that are in them, and their mean power."""
        receiver = front.receiver
        per_m2 = front.heard_w_m2(paths, attenuation_1_m)
        power_w = per_m2 * paths.cross_section_m2
        order = np.argsort(-power_w, kind="stable")[: self.most_paths]
        order = order[power_w[order] * front.integrated > front.noise_w * 10 ** (_FAINT_DB / 10)]
        paths, per_m2, power_w = paths.taken(order), per_m2[order], power_w[order]
        drawn = draws.normal("clutter", 2 * len(paths)).reshape(2, -1)
        factors = np.sqrt(fluctuation.factors(draws, len(paths), front.chirps.chirps))
        clutter = np.sqrt(paths.diffuse_m2 / 2) * (drawn[0] + 1j * drawn[1])
        voltage = np.sqrt(per_m2) * (paths.amplitude_m + clutter)
        sent, strength = paths, factors
        if receiver.leakage:
            direct, loud = disturbances.leakage(front)
            sent, voltage = Paths.joined([paths, direct]), np.concatenate((voltage, loud))
            strength = np.concatenate((factors, np.ones((1, factors.shape[1]))))
        cube = beat_cube(sent, voltage, strength, front.chirps, front.array)
        if receiver.phase_noise:
            disturbances.with_phase_noise(cube, sent, voltage, front, draws)
        if receiver.interferer:
            cube += disturbances.interference(front, draws)
        cube += disturbances.thermal_noise(cube.shape, front.noise_w, draws)
        return cube, paths, power_w

    def _map(self, chain: Processing, power: NDArray[np.float32]) -> RadarMap:
        ranges, speeds = chain.axes()
        over = power / np.float32(chain.noise_w * chain.front.array.channels)
        return RadarMap(
            power_db=(10 * np.log10(np.maximum(over, 1e-6))).astype(np.float32),
            range_m=ranges.astype(np.float32),
            speed_m_s=speeds.astype(np.float32),
        )


def _strongest_near(found: Found, paths: Paths, power_w: Floats, front: FrontEnd) -> NDArray[np.intp]:
    """Return the path that makes each detection: the one with most power in its cell; -1 without one."""
    chirps, count = front.chirps, len(found.range_m)
    if not len(paths):
        return np.full(count, -1)
    far, speed = apparent(paths, front)
    fastest = chirps.speed_max_m_s(front.transmitters)
    off_r = (found.range_m[:, None] - far) / chirps.range_resolution_m
    off_v = folded(found.speed_m_s[:, None] - speed, 2 * fastest, -fastest)
    off_v = off_v / chirps.speed_resolution_m_s(front.transmitters)
    off_u: Floats = np.zeros(1)
    if front.array.aperture_m(0) > 0:
        u = np.sin(found.azimuth_rad) * np.cos(found.elevation_rad)
        off_u = (u[:, None] - paths.heard[:, 1]) * front.array.aperture_m(0) / chirps.wavelength_m
    score = power_w * np.exp(-2 * (off_r**2 + off_v**2 + off_u**2))
    score[(np.abs(off_r) > 2) | (np.abs(off_v) > 2)] = 0.0
    best = score.argmax(1)
    return np.where(score[np.arange(count), best] > 0, best, -1)
