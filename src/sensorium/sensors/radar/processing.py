"""From samples to detections: windows, Fourier transforms, threshold, peaks, directions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sensorium.sensors.radar.angles import GRID, AngleEstimator, Directions
from sensorium.sensors.radar.cfar import Cfar
from sensorium.sensors.radar.cube import Cube
from sensorium.sensors.radar.link import FrontEnd

Floats = NDArray[np.float64]
Complex = NDArray[np.complex128]
_UNFOLDED = 1.1
"""How much more a folded speed must sound like one direction; several directions in a cell sound alike for all."""
Window = Literal["boxcar", "hann", "hamming", "blackman", "blackmanharris"]


class Found(NamedTuple):
    """Detections [N] before they are made a sample."""

    range_m: Floats
    speed_m_s: Floats
    azimuth_rad: Floats
    elevation_rad: Floats
    power_w: Floats
    """Of the echo at one receiver."""
    snr: Floats
    """After all integration."""


@cache
def window_of(name: Window, count: int) -> Floats:
    """Return the window, its sum 1: a tone keeps its amplitude."""
    from scipy.signal import get_window

    window = get_window(name, count, fftbins=True)
    return np.asarray(window / window.sum())


@cache
def correlation_of(name: Window, count: int) -> Floats:
    """Return how noise in bins 0 .. 4 apart is correlated by the window: the transform of its square."""
    power = np.abs(np.fft.fft(window_of(name, count) ** 2))
    return np.asarray(power[:5] / power[0])


@dataclass(frozen=True, eq=False)
class Processing:
    """The chain of a frame."""

    front: FrontEnd
    range_window: Window
    speed_window: Window
    cfar: Cfar
    angle: AngleEstimator
    unfold: bool = False
    """Whether the turns of the transmitters tell speeds beyond the limit."""

    def spectrum(self, cube: Cube) -> Cube:
        """Return the range and speed spectrum [channels, ranges, speeds]; speeds from -v_max, a tone keeps its amplitude.

        Bin k of M is the speed (k - M/2) lambda / (2 M K T); the transmitters' turns are undone for it.
        """
        from scipy import fft

        chirps = self.front.chirps
        fast, slow = window_of(self.range_window, chirps.samples), window_of(self.speed_window, chirps.chirps)
        ranges = fft.fft(cube * fast.astype(np.float32), axis=-1, overwrite_x=True)
        ranges *= slow.astype(np.float32)[:, None, None]
        both = fft.fftshift(fft.fft(ranges, axis=0, overwrite_x=True), axes=0).transpose(1, 2, 0)
        return np.ascontiguousarray(both) * self._turns()[:, None, :]

    def _turns(self) -> NDArray[np.complex64]:
        """Return exp(-2 pi j f_D i T) [channels, speeds]: what a target moved between the turns of the transmitters."""
        front = self.front
        doppler = (
            np.arange(front.chirps.chirps) - front.chirps.chirps // 2
        ) / front.chirps.chirps  # cycles per repetition
        turn = np.repeat(np.arange(front.transmitters), len(front.array.receivers_m)) / front.transmitters
        return np.asarray(np.exp(-2j * np.pi * turn[:, None] * doppler), np.complex64)

    @property
    def noise_w(self) -> float:
        """Mean power of the noise in a cell of one channel."""
        chirps = self.front.chirps
        fast, slow = window_of(self.range_window, chirps.samples), window_of(self.speed_window, chirps.chirps)
        return float(self.front.noise_w * (fast**2).sum() * (slow**2).sum())

    def axes(self) -> tuple[Floats, Floats]:
        """Return ranges and speeds of the bins."""
        chirps = self.front.chirps
        ranges = np.arange(chirps.samples) * chirps.range_resolution_m
        step = chirps.speed_resolution_m_s(self.front.transmitters)
        return np.asarray(ranges), np.asarray((np.arange(chirps.chirps) - chirps.chirps // 2) * step)

    def above(self, power: NDArray[np.float32]) -> NDArray[np.bool_]:
        """Return which cells [ranges, speeds] exceed the threshold; power is the sum over the channels."""
        chirps, looks = self.front.chirps, self.front.array.channels
        correlation = (
            correlation_of(self.range_window, chirps.samples),
            correlation_of(self.speed_window, chirps.chirps),
        )
        factor = self.cfar.factor(looks, self.cfar.independent_cells(correlation))
        return np.asarray(power > np.float32(factor) * self.cfar.noise(power))

    def detect(self, spectrum: Cube, power: NDArray[np.float32]) -> Found:
        """Return what stands out: cells above the threshold that are the highest of their neighbours."""
        ranges, speeds = self.axes()
        allowed = (ranges >= self.front.range_min_m) & (ranges <= self.front.range_max_m)
        peak = self.above(power) & _highest(power) & allowed[:, None]
        r, v = np.nonzero(peak)
        order = np.argsort(-power[r, v], kind="stable")
        r, v = r[order], v[order]
        near = np.stack((r, np.maximum(r - 1, 0), np.minimum(r + 1, len(ranges) - 1)), 1)
        snapshots = spectrum[:, near, v[:, None]].transpose(1, 2, 0).astype(np.complex128)
        directions = Directions(self.front.array, self.front.chirps.wavelength_m, self.angle)
        fold = self._folds(snapshots, directions) if self.unfold else np.zeros(len(r))
        snapshots = snapshots * self._refolded(fold)[:, None]
        rows, azimuth, elevation = directions.find(snapshots, self.noise_w)
        r, v, snapshot = r[rows], v[rows], snapshots[rows, 0]
        steering = self.front.array.steering(azimuth, elevation, self.front.chirps.wavelength_m)
        voltage = np.abs((snapshot * steering.conj()).mean(1))
        dr, gain_r = _between(power, r, v, 0, self.range_window)
        dv, gain_v = _between(power, r, v, 1, self.speed_window)
        power_w = voltage**2 * gain_r * gain_v
        most = -speeds[0] * (self.front.transmitters if self.unfold else 1)
        speed = (speeds[v] + dv * (speeds[1] - speeds[0]) - 2 * speeds[0] * fold[rows] + most) % (2 * most) - most
        beat = (r + dr) * ranges[1]
        coupled = self.front.chirps.start_hz * speed / self.front.chirps.slope_hz_s
        return Found(
            np.asarray(beat - coupled), np.asarray(speed), azimuth, elevation, power_w,
            power_w * self.front.array.channels / self.noise_w,
        )  # fmt: skip

    def _refolded(self, fold: Floats) -> Complex:
        """Return what undoes so many folds of the speed [N, channels]: a whole turn per repetition, shared by the transmitters."""
        turn = (
            np.repeat(np.arange(self.front.transmitters), len(self.front.array.receivers_m)) / self.front.transmitters
        )
        return np.asarray(np.exp(-2j * np.pi * fold[:, None] * turn))

    def _folds(self, snapshots: Complex, directions: Directions) -> Floats:
        """Return by how many whole turns the speed of each detection was folded: where the array sounds most like one direction."""
        count = self.front.transmitters
        tried = np.arange(count) - (count - 1) // 2
        channels = directions.row.channels
        sound = [
            np.abs(np.fft.fft((snapshots[:, 0] * self._refolded(np.full(1, float(q))))[:, channels], GRID)).max(-1)
            for q in tried
        ]
        if not len(snapshots):
            return np.zeros(0)
        louder = np.array(sound) * np.where(tried == 0, _UNFOLDED, 1.0)[:, None]
        return np.asarray(tried[np.argmax(louder, axis=0)], float)


def _highest(power: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return which cells are not lower than any of the eight around them; speeds go round."""
    from scipy.ndimage import maximum_filter

    return np.asarray(power >= maximum_filter(power, size=3, mode=("nearest", "wrap")))


@cache
def _tops(name: Window, count: int) -> tuple[Floats, Floats, Floats]:
    """Return what the parabola says, where a tone between two bins really is, and its power over the bin's [65]."""
    place = np.linspace(-0.5, 0.5, 65)
    window, number = window_of(name, count), np.arange(count) - count / 2
    low, middle, high = (
        np.log(np.abs(np.exp(2j * np.pi * np.outer(place - bin, number) / count) @ window) ** 2) for bin in (-1, 0, 1)
    )
    told = 0.5 * (low - high) / (low - 2 * middle + high)
    return told, place, np.exp(-middle)


def _between(
    power: NDArray[np.float32], r: NDArray[np.intp], v: NDArray[np.intp], axis: int, window: Window
) -> tuple[Floats, Floats]:
    """Return where between the bins a tone lies, and how far its power stands above that of the bin.

    By the parabola through the logarithms of three bins, corrected for what it says of a tone behind this window.
    """
    ranges, speeds = power.shape
    low = power[np.maximum(r - 1, 0), v] if axis == 0 else power[r, (v - 1) % speeds]
    high = power[np.minimum(r + 1, ranges - 1), v] if axis == 0 else power[r, (v + 1) % speeds]
    a, b, c = (np.log(np.maximum(np.asarray(x, float), 1e-300)) for x in (low, power[r, v], high))
    bend = a - 2 * b + c
    with np.errstate(invalid="ignore", divide="ignore"):
        said = np.clip(np.where(bend < 0, 0.5 * (a - c) / bend, 0.0), -0.5, 0.5)
    told, place, gain = _tops(window, power.shape[axis])
    found = np.interp(said, told, place)
    return np.asarray(found), np.asarray(np.interp(found, place, gain))
