"""The thermal camera as an instrument: radiance of surfaces, air and sky becomes counts, kelvin or a grey picture."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.random import Draws
from sensorium.core.time import NANOSECONDS_PER_SECOND, TimeWindow
from sensorium.core.units import NonNegativeSeconds, PositiveHertz
from sensorium.samples import Image, Stamp
from sensorium.samples.image import ImageTruth
from sensorium.scene.temperature.temperature import BodyTemperature
from sensorium.scene.view import View
from sensorium.sensors.camera.camera import ImageTruthSettings
from sensorium.sensors.camera.lenses import AnyLens, Pinhole
from sensorium.sensors.camera.raster import raster_of
from sensorium.sensors.camera.shutter import AnyShutter, GlobalShutter, row_times_ns, span_ns
from sensorium.sensors.camera.thermal.detector import REFERENCE_K, AnyDetector, Microbolometer, Noise
from sensorium.sensors.camera.thermal.optics import Optics
from sensorium.sensors.camera.thermal.output import AnyOutput, Radiometric
from sensorium.sensors.camera.thermal.uniformity import Chip, Uniformity, correction_residue
from sensorium.sensors.sensor import Sensor

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ThermalSignal:
    """What arrives at the chip."""

    radiance: Floats
    """[H, W] behind the optics' blur, in the unit that the detector answers to."""
    truth: ImageTruth | None = None


@dataclass(frozen=True, eq=False)
class Correction:
    """The offsets after a shutter event, on which the noise of its images is left."""

    event: int
    residue: Floats
    """[H, W] standard normal."""


@dataclass(frozen=True, eq=False)
class ThermalState:
    """What the electronics remember."""

    chip: Chip
    plates: Floats | None = None
    """[H, W] radiance that the plates have reached."""
    shown: NDArray[np.uint16] | None = None
    """[H, W] the last counts, which stand still while the shutter is closed."""
    correction: Correction | None = None
    """What the last shutter event left in the offsets."""


@configured
class ThermalCamera(Sensor[ThermalSignal, ThermalState]):
    """A camera for heat radiation; one sample is one image.

    A pixel sees L = tau (e B(T) + (1 - e) L_around) + (1 - tau) B(T_air), tau = exp(-alpha d), with B the integral of Planck's
    law over the detector's response; temperatures are those of the scene (`sensorium.scene.temperature`).
    """

    type: Literal["thermal_camera"] = "thermal_camera"
    device: str = ""
    """Name in the catalogue, if it comes from there."""
    rate_hz: PositiveHertz = 30.0
    lens: AnyLens = Field(default_factory=lambda: Pinhole(width=320, height=256, field_of_view_rad=math.radians(40)))
    optics: Optics = Field(default_factory=Optics)
    detector: AnyDetector = Field(default_factory=Microbolometer)
    shutter: AnyShutter = Field(default_factory=GlobalShutter)
    """When rows are read; not the flag of `uniformity.shutter`."""
    uniformity: Uniformity = Field(default_factory=Uniformity)
    column_noise_k: Noise = 0.0
    """Standard deviation of what whole columns have in common from image to image, before 300 K."""
    row_noise_k: Noise = 0.0
    """The same of rows."""
    housing_k: BodyTemperature = 300.0
    """Temperature of the camera and of its shutter."""
    output: AnyOutput = Field(default_factory=Radiometric)
    samples: Annotated[int, Field(ge=1, le=64)] = 1
    """Rays through each pixel."""
    delay_s: NonNegativeSeconds = 0.0
    """From the end of the read-out until the image leaves the camera."""
    truth: ImageTruthSettings | None = None
    """Which truth comes with every image; None: none."""

    def window(self, index: int, phase_ns: int = 0) -> TimeWindow:
        """Return the span from the first row to the last one."""
        start = self.start_ns(index, phase_ns)
        return TimeWindow(start, start + span_ns(self.lens.height, self.shutter.row_delay_s, 0.0))

    def delay_ns(self, draws: Draws) -> int:
        """Return how long after its window an image leaves the camera."""
        return round(self.delay_s * NANOSECONDS_PER_SECOND)

    def sense(self, view: View) -> ThermalSignal:
        """Follow the rays of all pixels and add up what radiates towards them."""
        from sensorium.sensors.camera.thermal.radiance import light_of

        raster, response = raster_of(self.lens), self.detector.response
        starts = row_times_ns(view.window.start_ns, self.lens.height, self.shutter.row_delay_s)
        total = np.zeros(len(raster))
        for sample in range(self.samples):
            light = light_of(view, raster, starts, response, self.detector.photons, sample, self.samples)
            total += light.radiance
        dark = float(self.detector.radiance_of(np.array([self.housing_k]))[0])
        image = np.asarray(raster.image(total / self.samples, dark), np.float64)
        image = self.optics.blurred(image, sum(response.limits_m) / 2)
        if self.truth is None:
            return ThermalSignal(image, None)
        if self.samples > 1:
            light = light_of(view, raster, starts, response, self.detector.photons)
        return ThermalSignal(image, self._truth(view, self.truth, light.temperature_k))

    def _truth(self, view: View, wanted: ImageTruthSettings, temperature_k: Floats) -> ImageTruth:
        """Return what the pixels' central rays met, and how warm it is."""
        from sensorium.sensors.camera.ground_truth import ground_truth

        period = round(NANOSECONDS_PER_SECOND / self.rate_hz) if wanted.flow else None
        truth = ground_truth(view, self.lens, self.shutter.row_delay_s, 0.0, period, wanted.boxes)
        kelvin = raster_of(self.lens).image(temperature_k.astype(np.float32), math.nan)
        return replace(truth, temperature_k=np.asarray(kelvin, np.float32))

    def initial_state(self, draws: Draws) -> ThermalState:
        """Return the chip as it was made."""
        return ThermalState(Chip.made(self.uniformity, self.lens.height, self.lens.width, draws))

    def detect(
        self, signal: ThermalSignal, state: ThermalState, draws: Draws, stamp: Stamp
    ) -> tuple[Image, ThermalState]:
        """Let the plates follow, read them, correct them, and write the image."""
        from sensorium.sensors.camera.thermal import detect_kernels

        plates, time_s, flag = signal.radiance, stamp.time_ns * 1e-9, self.uniformity.shutter
        if state.plates is not None and self.detector.time_constant_s:
            kept = math.exp(-1 / (self.rate_hz * self.detector.time_constant_s))
            plates = detect_kernels.follow(state.plates, plates, kept)
        shown, correction = state.shown, self._correction(state, draws, time_s)
        if shown is None or flag is None or not self.uniformity.corrected or not flag.is_closed(time_s):
            shown = self._read(plates, state.chip, correction, draws, time_s)
        image = Image(
            stamp=stamp,
            pixels=self.output.pixels(shown, self.detector),
            encoding=self.output.encoding,
            calibration=self.lens.calibration,
            exposure_s=0.0,
            row_delay_s=self.shutter.row_delay_s,
            truth=signal.truth,
        )
        return image, ThermalState(state.chip, plates, shown, correction)

    def _correction(self, state: ThermalState, draws: Draws, time_s: float) -> Correction | None:
        flag = self.uniformity.shutter
        if flag is None or not self.uniformity.corrected:
            return None
        event = flag.event(time_s)
        if state.correction is not None and state.correction.event == event:
            return state.correction
        return Correction(event, correction_residue(event, (self.lens.height, self.lens.width), draws))

    def _read(
        self, plates: Floats, chip: Chip, correction: Correction | None, draws: Draws, time_s: float
    ) -> NDArray[np.uint16]:
        from sensorium.sensors.camera.thermal import detect_kernels

        detector, per_k = self.detector, self.detector.slope_per_k()
        gain, offset = self._errors(chip, correction, time_s)
        low, high = detector.limits
        pivot, reference = detector.radiance_of(np.array([self.housing_k, REFERENCE_K])).tolist()
        step = (high - low) / detector.counts
        sigma = math.sqrt(max(0.0, (detector.netd_k * per_k) ** 2 - step**2 / 12))  # rounding adds the rest
        figures = (
            pivot, sigma, detector.shot_share, reference, self.column_noise_k * per_k,
            self.row_noise_k * per_k, low, 1 / step, float(detector.counts),
        )  # fmt: skip
        size = f"{self.lens.width}x{self.lens.height}"
        keys = np.array([draws.key(f"{stream} {size}") for stream in ("pixels", "columns", "rows")])
        counts: NDArray[np.uint16] = detect_kernels.read(plates, gain, offset * per_k, chip.kind, figures, keys)
        if self.uniformity.replaced and chip.kind.any():
            counts = detect_kernels.replace(counts, chip.kind)
        return counts

    def _errors(self, chip: Chip, correction: Correction | None, time_s: float) -> tuple[Floats, Floats]:
        """Return errors of gain and of offset [H, W], the latter in kelvin at 300 K."""
        made = self.uniformity
        if not made.corrected:
            return made.gain * chip.gain, made.offset_k * chip.offset
        since_s = time_s
        offset = np.zeros_like(chip.drift)
        if made.shutter is not None and correction is not None:
            since_s -= correction.event * made.shutter.interval_s
            offset += self.detector.netd_k / math.sqrt(made.shutter.frames) * correction.residue
        return made.gain_residue * chip.residue, offset + (made.drift_k_min * since_s / 60) * chip.drift
