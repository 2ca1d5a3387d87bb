"""The LiDAR as an instrument: beams go out, echoes come back, the detector reports returns."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.core.time import TimeWindow
from sensorium.core.units import NonNegativeMetres, NonNegativeRadians, PositiveHertz, PositiveMetres
from sensorium.materials.optical_table import OpticalTable
from sensorium.samples import PointCloud, Stamp
from sensorium.scene.view import View
from sensorium.sensors.lidar import cloud as clouds
from sensorium.sensors.lidar.acquisition import Acquisition
from sensorium.sensors.lidar.beams import Beams
from sensorium.sensors.lidar.blooming import Blooming
from sensorium.sensors.lidar.bundle import Bundle
from sensorium.sensors.lidar.echoes import FirstEchoes, FoundEchoes, LaterEchoes
from sensorium.sensors.lidar.frames import AnyFrame, SensorFrame
from sensorium.sensors.lidar.links import AnyLink, LinkFigures, Radar
from sensorium.sensors.lidar.patterns import AnyPattern
from sensorium.sensors.lidar.rain import with_drops
from sensorium.sensors.lidar.receiver import Air, Crosstalk, Other, Receiver, ReturnMode, Rules, Scale
from sensorium.sensors.lidar.scan import Emission, Scan
from sensorium.sensors.lidar.sunlight import background_w
from sensorium.sensors.lidar.tree import Tree
from sensorium.sensors.lidar.waveform import Waveform
from sensorium.sensors.sensor import Sensor


@dataclass(frozen=True, eq=False)
class LidarSignal:
    """What comes back to the aperture during one scan."""

    window: TimeWindow
    beams: Beams
    first: FirstEchoes
    later: LaterEchoes
    noise_w: NDArray[np.float64]
    """Noise power of each beam [N], or of all [1]."""
    air: Air
    """What the air may send back."""
    truth: clouds.Looked | None
    """What each ray met, where asked for."""
    placed: Pose | None = None
    """T_frame_sensor of each beam [N] or of all [] if points are wanted in another frame than the sensor's."""


@configured
class Lidar(Sensor[LidarSignal, None]):
    """A pulsed time-of-flight LiDAR; one sample is one scan (a revolution of a spinning head).

    Every beam starts at its own time from the sensor's pose at that time and meets each body where that body is then. The
    point keeps the direction of the beam in the sensor frame, as a real unit reports it: clouds of a moving vehicle are
    distorted, and `time_offset_ns` allows to undo it. Another `frame` places the points where the beams truly started.
    """

    type: Literal["lidar"] = "lidar"
    device: str = ""
    """Name in the catalogue, if it comes from there."""
    rate_hz: PositiveHertz = 10.0
    """Scans per second."""
    rate_limits_hz: tuple[PositiveHertz, PositiveHertz] | None = None
    """Slowest and fastest scan of the device."""
    pattern: AnyPattern
    wavelength_m: Annotated[PositiveMetres, Field(ge=840e-9, le=1600e-9)] = 905e-9
    bundle: Bundle = Field(default_factory=Bundle)
    """How many rays stand for a beam, and its divergence."""
    link: AnyLink = Field(default_factory=Radar)
    """How much power an echo brings back."""
    receiver: Receiver = Field(default_factory=Receiver)
    returns: ReturnMode = Field(default_factory=ReturnMode)
    scale: Scale = Field(default_factory=Scale)
    crosstalk: Crosstalk | None = None
    """Another LiDAR nearby."""
    blooming: Blooming | None = None
    """Stray light of bright targets in the beams beside them; None: perfect optics."""
    waveform: Waveform | None = None
    """Sampled records instead of single echoes; None: the echo mode."""
    depth: Annotated[int, Field(ge=1, le=16)] = 3
    """How many surfaces light is followed over: 1 sees no mirror image and nothing behind glass."""
    acceptance_rad: NonNegativeRadians | None = None
    """Largest angle between a beam and a surface lit over a mirror at which the receiver still sees it; None: the horizontal
    resolution of the pattern."""
    observation_rad: NonNegativeRadians = 0.0
    """Angle at the target between emitter and receiver: takes from retro-reflectors."""
    range_min_m: NonNegativeMetres = 0.5
    """Blind zone: nothing nearer is reported."""
    range_max_m: PositiveMetres = 100.0
    """Nothing farther is reported."""
    range_noise_m: NonNegativeMetres = 0.0
    """Standard deviation of a single range."""
    range_resolution_m: NonNegativeMetres = 0.0
    """Step of the reported range; 0: none."""
    frame: AnyFrame = Field(default_factory=SensorFrame)
    """Where points are given: {type: sensor}, {type: vehicle} or {type: world}."""
    truth: bool = False
    """Whether each return says what it met, and each beam without one why."""

    @model_validator(mode="after")
    def _limits_in_order(self) -> Lidar:
        if self.range_min_m >= self.range_max_m:
            raise ValueError(
                f"range_min_m ({self.range_min_m} m) must be smaller than range_max_m ({self.range_max_m} m)"
            )
        if self.rate_limits_hz and not self.rate_limits_hz[0] <= self.rate_hz <= self.rate_limits_hz[1]:
            low, high = self.rate_limits_hz
            raise ValueError(f"rate_hz is {self.rate_hz} Hz, but this device turns at {low} to {high} Hz")
        if self.waveform:
            self.waveform.refuse_beyond(self.receiver, self.range_min_m, self.range_max_m)
        return self

    @cached_property
    def _link(self) -> LinkFigures:
        return self.link.figures()

    def window(self, index: int, phase_ns: int = 0) -> TimeWindow:
        """Return the span of scan `index`: from its start to the start of the next one."""
        return TimeWindow(self.start_ns(index, phase_ns), self.start_ns(index + 1, phase_ns))

    def sense(self, view: View) -> LidarSignal:
        """Send every beam from where the sensor is when it fires, and weigh what comes back."""
        beams, scene = self.pattern.beams(view.window), view.scene
        table = scene.library.optical_table(self.wavelength_m, self.observation_rad)
        extinction = scene.air.extinction_at(self.wavelength_m)
        emission = Emission(view, beams, self.bundle, table, self._link, extinction, 2 * self.range_max_m)
        scan = emission.scan(follow=self.depth > 1, look=self.truth, sunlit=scene.sun is not None)
        background = np.zeros(1)
        if scene.sun is not None and scan.axes is not None:
            background = np.empty(len(beams))
            background[scan.axis_beams] = background_w(view, scene.sun, scan.axes, table, self)
        noise_w = self.receiver.noise_in_light_w(background, self.wavelength_m)
        later = LaterEchoes.joined(
            self._followed(view, table, scan, extinction) + self._strayed(beams, scan), len(beams)
        )
        looked = (
            clouds.Looked(scene.part_offset, scene.part_material, scene.part_class, scan.seen, later)
            if scan.seen
            else None
        )
        placed = self.frame.pose_of(view, beams.time_ns)
        return LidarSignal(view.window, beams, scan.first, later, noise_w, self._air(view, extinction), looked, placed)

    def _followed(self, view: View, table: OpticalTable, scan: Scan, extinction: float) -> list[FoundEchoes]:
        """Return the echoes beyond mirrors and glass."""
        if scan.branched is None:
            return []
        acceptance = self._acceptance_rad(view.window)
        tree = Tree(view, table, scan.live, scan.branched, self.bundle.weights, self._link, extinction, acceptance)
        return tree.echoes(self.depth)

    def _strayed(self, beams: Beams, scan: Scan) -> list[FoundEchoes]:
        """Return the stray light of bright first echoes, as far as it matters to the receiver in the dark."""
        if self.blooming is None:
            return []
        footprint_sr, noise_w = self.bundle.footprint_sr, self.receiver.noise_w
        return self.blooming.halo(beams, scan.first, scan.seen, noise_w, footprint_sr, self._air_cell_m)

    def _acceptance_rad(self, window: TimeWindow) -> float:
        return self.pattern.angular_step_rad(window) if self.acceptance_rad is None else self.acceptance_rad

    def _air(self, view: View, extinction_1_m: float) -> Air:
        """Return what the detector needs to know of the air; its power is P eta A beta c t / 2 with a pulse of one cell.

        Where drops send back one by one, beta is that of the rest of the air.
        """
        medium, link = view.scene.air, self._link
        single = medium.drops.extinction_1_m if medium.drops else 0.0
        beta = max(0.0, extinction_1_m - single) / medium.lidar_ratio_sr
        at_one_metre = link.power_w * link.aperture_m2 * beta * self._air_cell_m
        air = Air(medium.return_probability, medium.shape, medium.scale_m, at_one_metre, extinction_1_m)
        return with_drops(air, medium, link, self.bundle, self.receiver.noise_w, (self.range_min_m, self.range_max_m))

    @property
    def _air_cell_m(self) -> float:
        return max(self.receiver.range_separation_m, 0.03)

    @cached_property
    def _rules(self) -> Rules:
        receiver = self.receiver
        return Rules(
            receiver.threshold_sigmas, receiver.range_separation_m, self.returns.code, self.range_min_m, self.range_max_m,
            receiver.ambiguity_m, self.range_noise_m, receiver.range_noise_slope, self.range_resolution_m,
        )  # fmt: skip

    @property
    def white_at_1_m_w(self) -> float:
        """Power from a white matt surface met head-on at one metre: the unit of calibrated reflectivity."""
        return float(self._link.power_w * self._link.aperture_m2 / math.pi)

    def detect(self, signal: LidarSignal, state: None, draws: Draws, stamp: Stamp) -> tuple[PointCloud, None]:
        """Add noise, apply the threshold, choose the returns and read their ranges."""
        other = Other(self.crosstalk.probability if self.crosstalk else 0.0, self.white_at_1_m_w)
        records = None
        if self.waveform:
            detected, records = self._acquisition.detect(
                signal.first, signal.later, signal.noise_w, signal.air, self._air_cell_m, other, draws
            )
        else:
            detected = self._detect_echoes(signal, other, draws)
        cloud = clouds.cloud_of(detected, self._brightness, signal.beams, signal.window, signal.truth, stamp)
        if signal.placed is not None:
            pose = signal.placed[cloud.beam] if signal.placed.shape else signal.placed
            points = pose.transform(cloud.points_m.astype(np.float64)).astype(np.float32)
            cloud = replace(cloud, points_m=points, frame=self.frame.type)
        return replace(cloud, waveforms=records), None

    @cached_property
    def _acquisition(self) -> Acquisition:
        assert self.waveform is not None
        return Acquisition.of(self.waveform, self.receiver, self._rules, self.bundle.weights)

    def _detect_echoes(self, signal: LidarSignal, other: Other, draws: Draws) -> clouds.Detected:
        from sensorium.sensors.lidar import detect_kernels

        beams = len(signal.beams)
        measured, received = np.empty((beams, 2)), np.empty((beams, 2))
        source, missing = np.empty((beams, 2), np.int64), np.empty(beams, np.int8)
        keys = np.array([draws.key(stream) for stream in ("echoes", "air", "crosstalk")])
        detect_kernels.detect(
            self.bundle.rays, signal.first.distance_m, signal.first.power_w,
            signal.later.first, signal.later.distance_m, signal.later.power_w,
            signal.noise_w, self._rules, signal.air, other, keys, measured, received, source, missing,
        )  # fmt: skip
        return clouds.Detected(measured, received, source, missing)

    def _brightness(self, power_w: NDArray[np.float64], range_m: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.scale.brightness(power_w, range_m, self.white_at_1_m_w, self.receiver.saturation_w)
