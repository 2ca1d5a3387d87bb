"""Detections straight from the radar equation: noise, threshold, cells and errors, without samples."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.random import Draws
from sensorium.core.units import NonNegativeNumber
from sensorium.samples import Stamp
from sensorium.samples.radar import RadarScan
from sensorium.sensors.radar.cfar import Cells
from sensorium.sensors.radar.detected import apparent, folded, scan_of
from sensorium.sensors.radar.fluctuation import Swerling
from sensorium.sensors.radar.link import FrontEnd
from sensorium.sensors.radar.paths import Paths
from sensorium.sensors.radar.processing import Found

Floats = NDArray[np.float64]

_FAINT = 0.03
"""Paths below this signal-to-noise ratio add nothing to a cell that is ever detected."""


@configured
class DetectionLevel:
    """Every target in a resolution cell of its own, with the noise that the samples would have had."""

    type: Literal["detection"] = "detection"
    false_alarm_rate: Annotated[float, Field(gt=0, lt=0.5)] = 1e-5
    """Per cell of range and speed."""
    processing_loss_db: NonNegativeNumber = 3.5
    """Of the windows: two times Hann is 3.52 dB (F. Harris, Proc. IEEE 66, 1978)."""

    guard: Cells = (2, 2)
    train: Cells = (8, 6)
    """The threshold follows the echoes in cells this far around, beyond the guard, as that of a cell-averaging detector does."""
    unfold: bool = False
    """Whether speeds beyond the limit are told by the transmitters' turns: K transmitters reach K times as fast."""

    @model_validator(mode="after")
    def _reaches(self) -> DetectionLevel:
        if not all(g <= t for g, t in zip(self.guard, self.train, strict=True)) or self.guard == self.train:
            raise ValueError(f"train {list(self.train)} must reach beyond guard {list(self.guard)}; make train larger")
        return self

    def threshold(self, channels: int) -> float:
        """Return the power over the noise at which the sum over channels exceeds the false-alarm rate."""
        from scipy.special import gammainccinv

        return float(gammainccinv(channels, self.false_alarm_rate))

    def probability(self, snr: Floats, channels: int) -> Floats:
        """Return the detection probability of a steady target: the sum is non-central chi-squared (J. Marcum, RAND RM-754)."""
        from scipy.stats import ncx2

        return np.asarray(ncx2.sf(2 * self.threshold(channels), 2 * channels, 2 * np.asarray(snr)))

    def snr(self, power_w: Floats, front: FrontEnd) -> Floats:
        """Return the ratio after integration of a frame: P N M C / (k T F f_s L)."""
        return power_w * front.integrated / front.noise_w * 10 ** (-self.processing_loss_db / 10)

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
        per_m2 = front.heard_w_m2(paths, attenuation_1_m)
        heard = self.snr(per_m2 * paths.cross_section_m2, front) > _FAINT
        paths, per_m2 = paths.taken(heard), per_m2[heard]
        target, count = self._cells(front, paths, per_m2)
        power_w = self._powers(paths, per_m2, target, count, front, fluctuation, draws)
        snr = self.snr(power_w, front)
        noise = draws.normal("echo noise", 2 * count)
        seen = (np.sqrt(snr) + noise[:count] * np.sqrt(0.5)) ** 2 + noise[count:] ** 2 / 2
        found, path = self._measured(front, paths, per_m2, target, seen, draws)
        channels = front.array.channels
        rest = self._rest(channels - 1, draws.uniform("other channels", count))
        raised = 1 + self._around(found, snr, front) / channels
        keep = (seen + rest > self.threshold(channels) * raised) & (found.range_m >= front.range_min_m)
        keep &= found.range_m <= front.range_max_m
        alarms = self._false_alarms(front, attenuation_1_m, draws)
        joined = Found(*(np.concatenate((a[keep], b)) for a, b in zip(found, alarms, strict=True)))
        path = np.concatenate((path[keep], np.full(len(alarms.snr), -1)))
        return scan_of(joined, path if truth else None, paths, front, attenuation_1_m, stamp)

    def _folds(self, front: FrontEnd) -> int:
        return front.transmitters if self.unfold else 1

    def _around(self, found: Found, snr: Floats, front: FrontEnd) -> Floats:
        """Return the mean echo over the noise in the training cells of each target."""
        from scipy.ndimage import uniform_filter

        chirps, sizes = front.chirps, (front.chirps.samples, front.chirps.chirps)
        r = np.clip(np.rint(found.range_m / chirps.range_resolution_m).astype(np.int64), 0, sizes[0] - 1)
        v = np.rint(found.speed_m_s / chirps.speed_resolution_m_s(front.transmitters)).astype(np.int64) % sizes[1]
        echoes = np.bincount(r * sizes[1] + v, snr, sizes[0] * sizes[1]).reshape(sizes)
        sums, cells = [], []
        for half in (self.train, self.guard):
            wide = tuple(2 * h + 1 for h in half)
            cells.append(wide[0] * wide[1])
            sums.append(uniform_filter(echoes, wide, mode=("mirror", "wrap"))[r, v] * cells[-1])
        return np.asarray(np.maximum(0.0, sums[0] - sums[1]) / (cells[0] - cells[1]))

    def _rest(self, channels: int, drawn: Floats) -> Floats:
        """Return the noise of the other channels, which the sum holds as well."""
        from scipy.special import gammaincinv

        return np.asarray(gammaincinv(channels, drawn)) if channels else np.zeros(len(drawn))

    def _cells(self, front: FrontEnd, paths: Paths, per_m2: Floats) -> tuple[NDArray[np.int64], int]:
        """Return the target of each path and their number."""
        from sensorium.sensors.radar import merge_kernels

        chirps, array = front.chirps, front.array
        far, speed = apparent(paths, front, self._folds(front))
        cells = [far / chirps.range_resolution_m, speed / chirps.speed_resolution_m_s(front.transmitters)]
        for axis in (0, 1):
            aperture = array.aperture_m(axis)
            elements = len(np.unique(np.round(array.places_m[:, axis], 7)))
            whole = aperture * elements / max(1, elements - 1)
            cells.append(paths.heard[:, 1 + axis] * whole / chirps.wavelength_m)
        around = np.array([0.0, chirps.chirps * self._folds(front), 0.0, 0.0])
        order = np.argsort(-per_m2 * paths.cross_section_m2, kind="stable")
        target = np.full(len(paths), -1, np.int64)
        return target, int(merge_kernels.merge(order, np.stack(cells, 1), around, target))

    def _powers(
        self,
        paths: Paths,
        per_m2: Floats,
        target: NDArray[np.int64],
        count: int,
        front: FrontEnd,
        fluctuation: Swerling,
        draws: Draws,
    ) -> Floats:
        """Return the power of each target: steady ones add their paths in step, others fluctuate about the mean.

        What is diffuse is exponential in any case: many small scatterers.
        """
        diffuse = np.bincount(target, per_m2 * paths.diffuse_m2, count)
        chance = -np.log(draws.uniform("clutter", count))
        if fluctuation.case == 0:
            turns = -2 * paths.range_m / front.chirps.wavelength_m
            wave = np.sqrt(per_m2) * paths.amplitude_m * np.exp(2j * np.pi * (turns % 1.0))
            steady = np.bincount(target, wave.real, count) ** 2 + np.bincount(target, wave.imag, count) ** 2
            return np.asarray(steady + diffuse * chance)
        mean = np.bincount(target, per_m2 * np.abs(paths.amplitude_m) ** 2, count)
        factors = fluctuation.factors(draws, count, front.chirps.chirps)
        return np.asarray(mean * factors.mean(1) + diffuse * chance)

    def _measured(
        self, front: FrontEnd, paths: Paths, per_m2: Floats, target: NDArray[np.int64], snr: Floats, draws: Draws
    ) -> tuple[Found, NDArray[np.intp]]:
        """Return what is measured of each target, with errors; and its strongest path."""
        count, weight = len(snr), per_m2 * paths.cross_section_m2
        order = np.lexsort((-weight, target))
        strongest = order[np.searchsorted(target[order], np.arange(count))]
        folds = self._folds(front)
        far, speed = apparent(paths, front, folds)
        fastest = front.chirps.speed_max_m_s(front.transmitters) * folds
        close = folded(speed - speed[strongest][target], 2 * fastest, -fastest)
        total = np.bincount(target, weight, count)

        def mean(column: Floats) -> Floats:
            return np.bincount(target, weight * column, count) / np.maximum(total, 1e-300)

        u, w = mean(paths.heard[:, 1]), mean(paths.heard[:, 2])
        if front.array.aperture_m(1) == 0:
            w = np.zeros(count)
        elevation = np.arcsin(np.clip(w, -1, 1))
        azimuth = np.arcsin(np.clip(u / np.maximum(np.cos(elevation), 0.1), -1, 1))
        error = (
            np.sqrt(front.variances(snr, azimuth, elevation)) * draws.normal("errors", 4 * count).reshape(4, count).T
        )
        told = elevation + error[:, 3] if front.array.aperture_m(1) > 0 else elevation
        across = azimuth + error[:, 2] if front.array.aperture_m(0) > 0 else np.zeros(count)
        received = snr * front.noise_w / front.integrated * 10 ** (self.processing_loss_db / 10)
        faster = folded(speed[strongest] + mean(close) + error[:, 1], 2 * fastest, -fastest)
        return Found(mean(far) + error[:, 0], faster, across, told, received, snr), strongest

    def _false_alarms(self, front: FrontEnd, attenuation_1_m: float, draws: Draws) -> Found:
        """Return detections of nothing: Poisson in number, anywhere in range, speed and view."""
        from scipy.stats import poisson

        chirps, array = front.chirps, front.array
        bins = (front.range_max_m - front.range_min_m) / chirps.range_resolution_m
        mean = self.false_alarm_rate * bins * chirps.chirps
        count = int(poisson.ppf(draws.uniform("alarms", 1)[0], mean))
        drawn = draws.uniform("alarm", 5 * count).reshape(5, count)
        span, fastest = front.range_max_m - front.range_min_m, chirps.speed_max_m_s(front.transmitters)
        snr = self.threshold(array.channels) - np.log(drawn[4])
        received = snr * front.noise_w / front.integrated * 10 ** (self.processing_loss_db / 10)
        azimuth = np.arcsin(2 * drawn[2] - 1) if array.aperture_m(0) > 0 else np.zeros(count)
        elevation = np.arcsin(2 * drawn[3] - 1) if array.aperture_m(1) > 0 else np.zeros(count)
        return Found(
            front.range_min_m + span * drawn[0], fastest * (2 * drawn[1] - 1), azimuth, elevation, received, snr
        )
