"""The radar as an instrument: chirps go out, paths come back, detections are reported."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from sensorium.atmosphere.radio import attenuation_1_m
from sensorium.core.configuration import configured
from sensorium.core.errors import SceneError
from sensorium.core.random import Draws
from sensorium.core.time import TimeWindow, nanoseconds
from sensorium.core.units import NonNegativeMetres, PositiveHertz, PositiveMetres, Radians
from sensorium.samples import Stamp
from sensorium.samples.radar import RadarScan
from sensorium.scene.view import View
from sensorium.sensors.radar.angles import Row
from sensorium.sensors.radar.antenna import AnyAntenna, GaussianBeam
from sensorium.sensors.radar.array import VirtualArray
from sensorium.sensors.radar.chirps import ChirpSequence
from sensorium.sensors.radar.clustering import clustered
from sensorium.sensors.radar.detection_level import DetectionLevel
from sensorium.sensors.radar.fan import RayFan
from sensorium.sensors.radar.fluctuation import Swerling
from sensorium.sensors.radar.link import FrontEnd
from sensorium.sensors.radar.paths import Paths
from sensorium.sensors.radar.rain import rain_paths
from sensorium.sensors.radar.receiver import Receiver
from sensorium.sensors.radar.scattering import Wave, scattering_paths
from sensorium.sensors.radar.signal_level import SignalLevel
from sensorium.sensors.sensor import Sensor

_FINE = 4
"""Paths are kept apart in cells of range and speed so many times finer than what the radar can tell; directions twice as fine."""


@dataclass(frozen=True, eq=False)
class RadarSignal:
    """What comes back to the antenna during one frame."""

    paths: Paths
    attenuation_1_m: float
    """Of the air, one way."""


@configured
class Radar(Sensor[RadarSignal, None]):
    """A radar that sends sequences of chirps (FMCW) with transmitters that take turns; one sample is one frame.

    Speeds are positive for what recedes.
    """

    type: Literal["radar"] = "radar"
    device: str = ""
    """Name in the catalogue, if it comes from there."""
    rate_hz: PositiveHertz = 20.0
    """Frames per second."""
    chirps: ChirpSequence
    array: VirtualArray = Field(default_factory=VirtualArray)
    antenna: AnyAntenna = Field(
        default_factory=lambda: GaussianBeam(gain_db=10.0, azimuth_width_rad=1.4, elevation_width_rad=0.5)
    )
    receiver: Receiver
    fan: RayFan = Field(default_factory=RayFan)
    polarisation_rad: Radians = 0.0
    """0: upright; pi/2: level."""
    fluctuation: Swerling = Field(default_factory=Swerling)
    fidelity: Annotated[DetectionLevel | SignalLevel, Field(discriminator="type")] = Field(
        default_factory=DetectionLevel
    )
    range_min_m: NonNegativeMetres = 0.3
    range_max_m: PositiveMetres = 50.0
    truth: bool = False
    """Whether each detection says what it is."""

    @model_validator(mode="after")
    def _can_work(self) -> Radar:
        if self.range_min_m >= self.range_max_m:
            raise ValueError(
                f"range_min_m ({self.range_min_m} m) must be smaller than range_max_m ({self.range_max_m} m)"
            )
        self.chirps.refuse_beyond(self.range_max_m)
        frame_s = self.chirps.frame_s(len(self.array.transmitters_m))
        if frame_s > 1 / self.rate_hz:
            raise ValueError(
                f"a frame of {self.chirps.chirps} chirps of {len(self.array.transmitters_m)} transmitters takes"
                f" {frame_s * 1e3:.4g} ms, but rate_hz = {self.rate_hz:g} leaves {1e3 / self.rate_hz:.4g} ms:"
                f" {(frame_s - 1 / self.rate_hz) * 1e3:.4g} ms too long; send fewer chirps, or lower rate_hz"
            )
        Row.longest(self.array)
        return self

    @cached_property
    def front(self) -> FrontEnd:
        """All that stands between paths and samples."""
        return FrontEnd(self.chirps, self.array, self.antenna, self.receiver, self.range_min_m, self.range_max_m)

    @property
    def _smallest_1_m2(self) -> float:
        """Cross section over R^4 that is heard a thousand times below the noise, after all integration."""
        ahead = np.array([[1.0, 0.0, 0.0]])
        heard_w = float(self.front.power_per_m2_w(np.ones(1), ahead, ahead, 0.0)[0])
        return 1e-3 * self.front.noise_w / self.front.integrated / heard_w

    def window(self, index: int, phase_ns: int = 0) -> TimeWindow:
        """Return the span of frame `index`: while chirps are sent."""
        start = self.start_ns(index, phase_ns)
        return TimeWindow(start, start + nanoseconds(self.chirps.frame_s(self.front.transmitters)))

    def sense(self, view: View) -> RadarSignal:
        """Find what sends back, and what the air takes."""
        chirps = self.chirps
        wave = Wave(chirps.centre_hz, chirps.wavelength_m, self.polarisation_rad, self._smallest_1_m2)
        try:
            taken = attenuation_1_m(view.weather, chirps.centre_hz)
        except ValueError as error:
            raise SceneError(f"radar at {chirps.centre_hz / 1e9:g} GHz: {error}") from None
        tubes, met_m = scattering_paths(view, self.fan, wave)
        speed = chirps.speed_resolution_m_s(self.front.transmitters)
        aperture = max(self.array.aperture_m(0), self.array.aperture_m(1), 4 * chirps.wavelength_m)
        cells = (chirps.range_resolution_m / _FINE, speed / _FINE, chirps.wavelength_m / aperture / 2)
        paths = clustered(tubes, cells, chirps.wavelength_m)
        drops = rain_paths(view, self.fan, met_m, chirps.centre_hz, self.range_max_m)
        return RadarSignal(Paths.joined([paths, drops]), taken)

    def detect(self, signal: RadarSignal, state: None, draws: Draws, stamp: Stamp) -> tuple[RadarScan, None]:
        """Make detections of the paths."""
        scan = self.fidelity.detect(
            self.front, signal.paths, signal.attenuation_1_m, self.fluctuation, draws, stamp, self.truth
        )
        return scan, None
