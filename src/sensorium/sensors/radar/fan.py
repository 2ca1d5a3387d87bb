"""The rays that look for scatterers: an even grid over the field of view, each with the tube of solid angle that it stands for."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.units import NonNegativeMetres, Radians

Floats = NDArray[np.float64]
Span = tuple[Radians, Radians]
_MOST_RAYS = 4_000_000


@configured
class RayFan:
    """A grid even in azimuth and elevation.

    A surface should be met by several rays: at range R a ray stands for R times the step. Plates and corners come out right when
    their edges are several steps long; between the steps the phase of a flat surface is integrated in closed form.
    """

    azimuth_rad: Span = (-1.05, 1.05)
    """From right to left."""
    elevation_rad: Span = (-0.26, 0.26)
    azimuth_step_rad: Annotated[Radians, Field(gt=0)] = 0.0044
    elevation_step_rad: Annotated[Radians, Field(gt=0)] = 0.0044
    bounces: Annotated[int, Field(ge=1, le=6)] = 3
    """Surfaces that are followed; 3 sees what corners of three faces send back."""
    near_m: NonNegativeMetres = 0.0
    """A surface nearer than this is not met: the cover of the radar itself."""

    @model_validator(mode="after")
    def _has_rays(self) -> RayFan:
        for name, (low, high) in (("azimuth_rad", self.azimuth_rad), ("elevation_rad", self.elevation_rad)):
            if low >= high:
                raise ValueError(f"{name} must go from low to high, found {low:g} to {high:g}")
        across, up = self.shape
        if across * up > _MOST_RAYS:
            raise ValueError(f"{across} x {up} rays are more than {_MOST_RAYS}; make the steps larger")
        return self

    @property
    def shape(self) -> tuple[int, int]:
        """Rays in azimuth and in elevation."""
        across = (self.azimuth_rad[1] - self.azimuth_rad[0]) / self.azimuth_step_rad
        up = (self.elevation_rad[1] - self.elevation_rad[0]) / self.elevation_step_rad
        return max(1, round(across)), max(1, round(up))

    @cached_property
    def tubes(self) -> tuple[Floats, Floats, Floats]:
        """Unit directions and the two edges of their tubes at unit distance, [N, 3] each, sensor frame."""
        across, up = self.shape
        step_a = (self.azimuth_rad[1] - self.azimuth_rad[0]) / across
        step_e = (self.elevation_rad[1] - self.elevation_rad[0]) / up
        azimuth = self.azimuth_rad[0] + step_a * (np.arange(across) + 0.5)
        elevation = self.elevation_rad[0] + step_e * (np.arange(up) + 0.5)
        e, a = (x.ravel() for x in np.meshgrid(elevation, azimuth, indexing="ij"))
        direction = np.stack((np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)), -1)
        edge_a = (
            np.stack((-np.sin(a), np.cos(a), 0 * a), -1) * (step_a * np.cos(e) * np.sinc(step_e / (2 * np.pi)))[:, None]
        )
        edge_e = np.stack((-np.sin(e) * np.cos(a), -np.sin(e) * np.sin(a), np.cos(e)), -1) * step_e
        return direction, edge_a, edge_e
