"""The visible camera as an instrument: light falls through the lens onto the chip, the chip counts electrons."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge, Le
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.atmosphere.drops import RainDrops
from sensorium.atmosphere.flakes import SnowFlakes
from sensorium.core.configuration import configured
from sensorium.core.random import Draws
from sensorium.core.time import NANOSECONDS_PER_SECOND, TimeWindow
from sensorium.core.units import NonNegativeSeconds, PositiveHertz, PositiveMetres
from sensorium.samples import Image, Stamp
from sensorium.scene.view import View
from sensorium.sensors.camera.exposure import AnyExposure, AutoExposure, FixedExposure, Setting
from sensorium.sensors.camera.imager import AnyFilter, Bayer, Imager
from sensorium.sensors.camera.lenses import AnyLens
from sensorium.sensors.camera.light_image import LightImage
from sensorium.sensors.camera.optics import Optics
from sensorium.sensors.camera.processing import AnyProcessing, Isp
from sensorium.sensors.camera.raster import raster_of
from sensorium.sensors.camera.rendering import Rendered, render
from sensorium.sensors.camera.shutter import AnyShutter, GlobalShutter, row_times_ns, span_ns
from sensorium.sensors.camera.streaks import Streaks, cone_of, optical
from sensorium.sensors.sensor import Sensor

_CHIP = -1
"""Sample number under which the patterns of the chip are drawn."""


@configured
class ImageTruthSettings:
    """Which truth comes with every image, from the pixels' central rays."""

    flow: bool = False
    """Optical flow to the next image."""
    boxes: bool = False
    """Boxes around bodies, and how much of them is seen."""


def _ordinary_filter() -> AnyFilter:
    return Bayer(red=(0.42, 0.06, 0.02), green=(0.06, 0.58, 0.10), blue=(0.02, 0.10, 0.55))


@dataclass(frozen=True)
class CameraState:
    """What the electronics remember: the settings of the next images."""

    pending: tuple[Setting, ...]


@configured
class Camera(Sensor[LightImage, "CameraState | None"]):
    """A camera for visible light; one sample is one image.

    The sensor frame is x forward, y left, z up; images are in the optical frame `<name>_optical_frame` (z forward, x right,
    y down). Every row is exposed from its own time on, and every ray meets the world at its own instant of the exposure.
    """

    type: Literal["camera"] = "camera"
    device: str = ""
    """Name in the catalogue, if it comes from there."""
    rate_hz: PositiveHertz = 30.0
    """Images per second."""
    lens: AnyLens
    optics: Optics = Field(default_factory=Optics)
    shutter: AnyShutter = Field(default_factory=GlobalShutter)
    exposure: AnyExposure = Field(default_factory=AutoExposure)
    imager: Imager = Field(default_factory=lambda: Imager(filter=_ordinary_filter()))
    processing: AnyProcessing = Field(default_factory=Isp)
    samples: Annotated[int, Ge(1), Le(1024)] = 1
    """Rays per pixel: with several, edges are smooth and motion blurs."""
    depth: Annotated[int, Ge(0), Le(8)] = 2
    """How many mirrors and panes light is followed over."""
    grain: bool = True
    """Whether plain materials have their grain, bricks and patches."""
    delay_s: NonNegativeSeconds = 0.0
    """From the end of the last row's exposure until the image leaves the camera."""
    draw_distance_m: PositiveMetres | None = None
    """Nothing farther away is drawn; it gives way to the sky. Default: all is drawn."""
    truth: ImageTruthSettings | None = None

    @model_validator(mode="after")
    def _fits_into_a_period(self) -> Camera:
        longest = span_ns(self.lens.height, self.shutter.row_delay_s, self.exposure.longest_s)
        period = NANOSECONDS_PER_SECOND / self.rate_hz
        if span_ns(1, 0.0, max(self.exposure.longest_s, self.exposure.exposure_s)) > period:
            raise ValueError(
                f"exposure lasts up to {self.exposure.longest_s * 1e3:g} ms, but images come every {period * 1e-6:g} ms"
            )
        if longest - span_ns(1, 0.0, self.exposure.longest_s) > period:
            raise ValueError(
                f"{self.lens.height} rows of {self.shutter.row_delay_s * 1e6:g} us take longer than {period * 1e-6:g} ms"
            )
        return self

    def window(self, index: int, phase_ns: int = 0) -> TimeWindow:
        """Return the span from the start of the first row's exposure to the end of the last one's."""
        start = self.start_ns(index, phase_ns)
        return TimeWindow(start, start + span_ns(self.lens.height, self.shutter.row_delay_s, self.exposure.exposure_s))

    def delay_ns(self, draws: Draws) -> int:
        """Return how long after its window an image leaves the camera."""
        return round(self.delay_s * NANOSECONDS_PER_SECOND)

    def initial_state(self, draws: Draws) -> CameraState | None:
        """Return the settings of the first images."""
        pending = self.exposure.pending
        return None if pending is None else CameraState(pending)

    def adjusted(self, state: CameraState | None) -> Camera:
        """Return the camera with the exposure that is set for the next image."""
        if state is None or isinstance(self.exposure, FixedExposure):
            return self
        wanted = self.exposure.set_to(state.pending[0])
        return self if wanted == self.exposure else replace(self, exposure=wanted)

    def rendered(self, view: View) -> Rendered:
        """Return the radiance at the lens."""
        rows = row_times_ns(view.window.start_ns, self.lens.height, self.shutter.row_delay_s)
        raster = raster_of(self.lens)
        return render(
            view, raster, rows, self.exposure.exposure_s, self.samples, self.depth, self.grain, self.draw_distance_m
        )

    def sense(self, view: View) -> LightImage:
        """Follow light back from every pixel, and lead it through the glass onto the chip."""
        exposure_s, row_delay_s = self.exposure.exposure_s, self.shutter.row_delay_s
        seen = self.rendered(view)
        irradiance, streaks = self.optics.irradiance(seen.radiance, self.lens), self._streaks(view, seen)
        return LightImage(
            irradiance_w_m2=irradiance, calibration=self.lens.calibration, exposure_s=exposure_s, row_delay_s=row_delay_s,
            temperature_k=view.weather.temperature_k, truth=self._truth(view),
            streaks=streaks,
        )  # fmt: skip

    def _streaks(self, view: View, seen: Rendered) -> tuple[Streaks, ...]:
        """Return the rain and the snow before the lens."""
        weather, falling = view.weather, list[RainDrops | SnowFlakes]()
        if weather.rain_mm_h > 0:
            falling.append(RainDrops(rate_mm_h=weather.rain_mm_h))
        if weather.snow_mm_h > 0:
            falling.append(SnowFlakes(rate_mm_h=weather.snow_mm_h))
        if not falling:
            return ()
        from sensorium.sensors.camera.lighting import lighting

        farthest, cosine = cone_of(self.lens)
        moves = view.kinematics_at(np.array([(view.window.start_ns + view.window.end_ns) // 2]))
        turn = moves.pose[0].inverse()
        wind = np.array([*weather.wind_m_s, 0.0]) - moves.velocity_m_s[0]
        down, passing = optical(turn.rotate(np.array([0.0, 0.0, -1.0]))), optical(turn.rotate(wind))
        light = lighting(view).sky.level_w_m2 / np.pi
        return tuple(Streaks(some, farthest, cosine, down, passing, light, seen.distance_m) for some in falling)

    def _truth(self, view: View) -> Any:
        if self.truth is None:
            return None
        from sensorium.sensors.camera.ground_truth import ground_truth

        period = round(NANOSECONDS_PER_SECOND / self.rate_hz)
        settings = self.truth
        exposure_s, row_delay_s = self.exposure.exposure_s, self.shutter.row_delay_s
        return ground_truth(view, self.lens, row_delay_s, exposure_s, period if settings.flow else None, settings.boxes)

    def detect(
        self, signal: LightImage, state: CameraState | None, draws: Draws, stamp: Stamp
    ) -> tuple[Image, CameraState | None]:
        """Count electrons, convert and process them; set the exposure of the images to come."""
        raw = self.raw(signal, draws)
        picture = self.processing.picture(raw, self.imager)
        image = Image(
            stamp=stamp, pixels=picture.pixels, encoding=picture.encoding, calibration=signal.calibration,
            exposure_s=signal.exposure_s, row_delay_s=signal.row_delay_s, gain_db=self.exposure.gain_db, truth=signal.truth,
        )  # fmt: skip
        if isinstance(self.exposure, FixedExposure) or state is None:
            return image, state
        span = self.imager.highest - self.imager.black_level
        level = (float(raw.mean(dtype=np.float64)) - self.imager.black_level) / span
        return image, CameraState(self.exposure.following(state.pending, level))

    def raw(self, signal: LightImage, draws: Draws) -> NDArray[np.uint16]:
        """Return the numbers of the converter [H, W]."""
        from sensorium.sensors.camera import imager_kernels

        chip, defects = self.imager, self.imager.defects
        irradiance, (rows, columns) = signal.irradiance_w_m2, signal.irradiance_w_m2.shape[:2]
        for streaks in signal.streaks:
            irradiance = streaks.over(irradiance, self.optics.passed(self.lens), self.lens, signal.exposure_s, draws)
        size, own = f"{columns}x{rows}", Draws(draws.seed, 0, draws.sensor, _CHIP)
        keys = np.array(
            [draws.key(f"{name} {size}") for name in ("shot", "read")]
            + [own.key(f"{name} {size}") for name in ("pattern", "defects", "heat")],
            np.uint64,
        )
        dead = np.zeros(columns, np.bool_)
        if defects.dead_columns:
            dead[(own.uniform("columns", defects.dead_columns) * columns).astype(np.int64)] = True
        out = np.empty((rows, columns), np.uint16)
        imager_kernels.digitise(
            irradiance, signal.exposure_s, chip.electrons_per_j_m2(), chip.filter.filters(),
            chip.dark_current_at(signal.temperature_k), chip.limit_e, chip.read_noise_e, chip.prnu, chip.dsnu_e,
            chip.gain(self.exposure.gain_db), chip.black_level, chip.highest, defects.hot_share, defects.hot_current_e_s,
            defects.dead_share, defects.stuck_share, dead, keys, out,
        )  # fmt: skip
        return out
