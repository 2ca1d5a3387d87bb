"""The LiDAR as an instrument: beams go out, echoes come back, the detector reports returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.random import Draws
from sensorium.core.time import TimeWindow
from sensorium.core.units import NonNegativeMetres, PositiveHertz, PositiveMetres
from sensorium.samples import PointCloud, PointTruth, Stamp
from sensorium.scene.rays import Hits, Rays
from sensorium.scene.view import View
from sensorium.sensors.lidar.beams import Beams
from sensorium.sensors.lidar.spinning import Spinning
from sensorium.sensors.sensor import Sensor


@dataclass(frozen=True, eq=False)
class LidarSignal:
    """What comes back to the aperture during one scan, beam by beam [N]."""

    window: TimeWindow
    beams: Beams
    hits: Hits
    incidence_cos: NDArray[np.float32]
    """Cosine between beam and surface normal."""
    brightness: NDArray[np.float32]
    """Reflectance of the surface times that cosine: what a white board facing the sensor would show as 1."""
    truth: PointTruth | None
    """Truth of every beam, where asked for."""


@configured
class Lidar(Sensor[LidarSignal, None]):
    """A pulsed time-of-flight LiDAR; one sample is one scan (a revolution of a spinning head).

    Every beam starts at its own time from the sensor's pose at that time and meets each body where that body is then. The
    point keeps the direction of the beam in the sensor frame, as a real unit reports it: clouds of a moving vehicle are
    distorted, and `time_offset_ns` allows to undo it.
    """

    type: Literal["lidar"] = "lidar"
    device: str = ""
    """Name in the catalogue, if it comes from there."""
    rate_hz: PositiveHertz = 10.0
    """Scans per second."""
    rate_limits_hz: tuple[PositiveHertz, PositiveHertz] | None = None
    """Slowest and fastest scan of the device."""
    pattern: Spinning
    wavelength_m: Annotated[PositiveMetres, Field(ge=780e-9, le=1600e-9)] = 905e-9
    range_min_m: NonNegativeMetres = 0.5
    """Blind zone: nothing nearer is reported."""
    range_max_m: PositiveMetres = 100.0
    """Nothing farther is reported."""
    range_noise_m: NonNegativeMetres = 0.0
    """Standard deviation of a single range."""
    range_resolution_m: NonNegativeMetres = 0.0
    """Step of the reported range; 0: none."""
    truth: bool = False
    """Whether each return says which body, part, material and class it met."""

    @model_validator(mode="after")
    def _limits_in_order(self) -> Lidar:
        if self.range_min_m >= self.range_max_m:
            raise ValueError(f"range_min_m ({self.range_min_m} m) must be smaller than range_max_m ({self.range_max_m} m)")
        if self.rate_limits_hz and not self.rate_limits_hz[0] <= self.rate_hz <= self.rate_limits_hz[1]:
            low, high = self.rate_limits_hz
            raise ValueError(f"rate_hz is {self.rate_hz} Hz, but this device turns at {low} to {high} Hz")
        return self

    def window(self, index: int, phase_ns: int = 0) -> TimeWindow:
        """Return the span of scan `index`: from its start to the start of the next one."""
        return TimeWindow(self.start_ns(index, phase_ns), self.start_ns(index + 1, phase_ns))

    def sense(self, view: View) -> LidarSignal:
        """Send every beam from where the sensor is when it fires, and see what it meets."""
        from sensorium.sensors.lidar import kernels

        beams, track = self.pattern.beams(view.window), view.track
        per_ns = 1.0 / max(1, view.window.duration_ns)
        origin, direction = kernels.aim(
            beams.time_ns, beams.origin_m, beams.direction, view.window.start_ns, per_ns,
            track.position_m, track.step_m, track.quaternion,
        )  # fmt: skip
        hits = view.cast(Rays(origin, direction, beams.time_ns, 0.0, self.range_max_m * 1.01))
        scene = view.scene
        band = "reflectance_905nm" if self.wavelength_m < 1.2e-6 else "reflectance_1550nm"
        reflectance = scene.library.column(band)[scene.part_material]
        cosine, brightness = kernels.brightness(
            direction, hits.body, hits.part, hits.normal, scene.part_offset, reflectance
        )
        truth = _truth_of(view, hits, cosine) if self.truth else None
        return LidarSignal(view.window, beams, hits, cosine, brightness, truth)

    def detect(self, signal: LidarSignal, state: None, draws: Draws, stamp: Stamp) -> tuple[PointCloud, None]:
        """Read the ranges with noise and limits, and report the beams that returned."""
        from sensorium.sensors.lidar import kernels

        beams = signal.beams
        measured = kernels.measure(
            signal.hits.distance_m, self.range_min_m, self.range_max_m, self.range_noise_m, self.range_resolution_m,
            draws.key("range"),
        )  # fmt: skip
        rows = np.flatnonzero(~np.isnan(measured))
        points, distance, intensity, ring, offset = kernels.returns(
            rows, measured, beams.origin_m, beams.direction, beams.time_ns, signal.window.start_ns, beams.ring,
            signal.brightness,
        )  # fmt: skip
        cloud = PointCloud(
            stamp=stamp,
            points_m=points,
            range_m=distance,
            intensity=intensity,
            ring=ring,
            time_offset_ns=offset,
            beam=rows.astype(np.uint32),
            beam_count=len(beams),
            truth=signal.truth.rows(rows) if signal.truth else None,
        )
        return cloud, None


def _truth_of(view: View, hits: Hits, incidence_cos: NDArray[np.float32]) -> PointTruth:
    """Return what each beam met; rows of beams that met nothing hold -1."""
    scene, rows = view.scene, np.flatnonzero(hits.hit)
    part = scene.part_offset[hits.body[rows]] + hits.part[rows]
    material, label = np.full((2, len(hits.body)), -1, np.int32)
    material[rows], label[rows] = scene.part_material[part], scene.part_class[part]
    return PointTruth(
        body=hits.body, part=hits.part, material=material, label=label, incidence_rad=np.arccos(incidence_cos)
    )
