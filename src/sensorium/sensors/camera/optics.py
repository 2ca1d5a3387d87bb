"""What the glass does to light: how much passes, how it is spread, what sits on it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated

import numpy as np
from annotated_types import Ge, Le
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.random import Draws
from sensorium.core.units import Fraction, NonNegativeNumber, PositiveNumber
from sensorium.sensors.camera.lens import Lens
from sensorium.sensors.camera.raster import raster_of

Floats32 = NDArray[np.float32]


@configured
class Soiling:
    """Dirt and drops on the front glass, drawn from a number of its own: the same number, the same dirt."""

    seed: Annotated[int, Ge(0)] = 0
    specks: Annotated[int, Ge(0), Le(10_000)] = 0
    """Dirt: spots that take light."""
    speck_radius_px: PositiveNumber = 8.0
    """Mean radius."""
    speck_transmission: Fraction = 0.5
    """Of the middle of a spot."""
    scratches: Annotated[int, Ge(0), Le(1000)] = 0
    """Lines that blur what lies behind them."""
    drops: Annotated[int, Ge(0), Le(10_000)] = 0
    """Water: discs that blur what lies behind them."""
    drop_radius_px: PositiveNumber = 14.0
    """Mean radius."""
    drop_blur_px: PositiveNumber = 9.0
    """Standard deviation of what a drop or a scratch makes of a point."""


@configured
class Optics:
    """E = pi/4 T L cos^n(t) / N^2: irradiance on the chip from the radiance of the scene, then spread by the glass."""

    f_number: Annotated[PositiveNumber, Ge(0.5), Le(64)] = 2.8
    transmission: Fraction = 0.9
    falloff_exponent: Annotated[NonNegativeNumber, Le(8)] = 4.0
    """n of the natural vignetting: 4 for a plain lens; 0 for a lens corrected for it, as most fisheyes are."""
    blur_px: Annotated[NonNegativeNumber, Le(50)] = 0.5
    """Standard deviation of the image of a point."""
    glare: Fraction = 0.01
    """Part of the light that is scattered in the glass and lies as a veil around what is bright."""
    glare_px: Annotated[PositiveNumber, Le(500)] = 40.0
    """Standard deviation of that veil."""
    soiling: Soiling | None = None

    def passed(self, lens: Lens) -> Floats32:
        """Return chip irradiance over scene radiance for each pixel [H, W]."""
        return _passed(lens, self.falloff_exponent, self.transmission, self.f_number)

    def irradiance(self, radiance: Floats32, lens: Lens) -> Floats32:
        """Return what falls on the chip [H, W, 3] of a radiance at the lens [H, W, 3]."""
        from sensorium.sensors.camera import optics_kernels

        image = radiance * self.passed(lens)[..., None]
        if self.soiling is not None:
            passed, blurred = soiling_maps(self.soiling, lens.height, lens.width)
            behind = optics_kernels.blurred(image, self.soiling.drop_blur_px)
            image = (image + (behind - image) * blurred[..., None]) * passed[..., None]
        if self.blur_px > 0:
            image = optics_kernels.blurred(image, self.blur_px)
        if self.glare > 0:
            veil = optics_kernels.veil(image, self.glare_px)
            image = image * np.float32(1 - self.glare) + veil * np.float32(self.glare)
        return image


@lru_cache(maxsize=8)
def _passed(lens: Lens, exponent: float, transmission: float, f_number: float) -> Floats32:
    """Return chip irradiance over scene radiance for each pixel [H, W]."""
    raster = raster_of(lens)
    cosine = np.clip(raster.direction[:, 0], 0.02, 1.0) if exponent > 0 else np.ones(len(raster))
    factor = math.pi / 4 * transmission / f_number**2 * cosine**exponent
    return np.asarray(raster.image(factor.astype(np.float32)), np.float32)


@lru_cache(maxsize=4)
def soiling_maps(soiling: Soiling, rows: int, columns: int) -> tuple[Floats32, Floats32]:
    """Return how much passes and how much of it is blurred, for each pixel [H, W]."""
    drawn = iter(Draws(soiling.seed, sensor="soiling").uniform(
        "places", 3 * (soiling.specks + soiling.drops) + 2 * soiling.scratches
    ).tolist())  # fmt: skip
    y, x = np.mgrid[:rows, :columns].astype(np.float32)
    passed, blurred = np.ones((rows, columns), np.float32), np.zeros((rows, columns), np.float32)
    for _ in range(soiling.specks):
        radius = soiling.speck_radius_px * _within(drawn, 0.3, 1.7)
        far = np.hypot(x - _within(drawn, 0, columns), y - _within(drawn, 0, rows)) / radius
        passed *= 1 - (1 - soiling.speck_transmission) * np.exp(-(far**2))
    for _ in range(soiling.drops):
        radius = soiling.drop_radius_px * _within(drawn, 0.4, 1.6)
        far = np.hypot(x - _within(drawn, 0, columns), (y - _within(drawn, 0, rows)) * 0.85) / radius
        blurred = np.maximum(blurred, np.clip((1 - far) * radius / 1.5, 0, 1).astype(np.float32))
        passed *= 1 - 0.3 * np.exp(-(((far - 0.93) * radius / 1.5) ** 2)).astype(np.float32)
    for _ in range(soiling.scratches):
        angle, place = _within(drawn, 0, math.pi), _within(drawn, -0.4, 0.4) * columns
        across = (x - columns / 2) * math.sin(angle) - (y - rows / 2) * math.cos(angle) - place
        blurred = np.maximum(blurred, 0.7 * np.exp(-(across**2) / 2).astype(np.float32))
    return passed, blurred


def _within(drawn: Iterator[float], low: float, high: float) -> float:
    return low + (high - low) * next(drawn)
