"""Two turning wedge prisms: the beam draws a rosette that does not repeat from scan to scan (Livox and others)."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from annotated_types import Gt, Le, Lt
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.time import TimeWindow
from sensorium.core.units import Hertz, NonNegativeSeconds, Number, Radians
from sensorium.sensors.lidar.beams import Beams
from sensorium.sensors.lidar.patterns.firing_loop import FiringLoop, PulseRate


@configured
class Prism:
    """A wedge of glass that turns about the optical axis."""

    wedge_rad: Annotated[Radians, Gt(0), Lt(math.pi / 2)]
    """Angle between its plane and its inclined face."""
    refractive_index: Annotated[Number, Gt(1), Le(4)] = 1.51
    """At the laser's wavelength."""
    rate_hz: Hertz
    """Turns per second, counter-clockwise seen against the light; negative: clockwise."""
    phase_rad: Radians = 0.0
    """Where its thick end points at time zero, from left towards up."""


@configured
class Emitter:
    """One laser before the prisms."""

    ring: Annotated[int, Field(ge=0, le=65535)] = 0
    """Line number."""
    azimuth_rad: Annotated[Radians, Gt(-math.pi / 4), Lt(math.pi / 4)] = 0.0
    elevation_rad: Annotated[Radians, Gt(-math.pi / 4), Lt(math.pi / 4)] = 0.0
    firing_offset_s: NonNegativeSeconds = 0.0
    """Time after the start of the firing cycle."""


@configured
class Rosette:
    """Risley prisms, exactly: the refraction at all four faces, not the thin-wedge sum of two circles.

    The prisms turn their plane faces outwards and their inclined faces at each other. With the thick ends at the angles
    p_i = 2 pi f_i t + phase_i the normals along the light are

        (1, 0, 0),  (cos w1, -sin w1 cos p1, -sin w1 sin p1),  (cos w2, sin w2 cos p2, sin w2 sin p2),  (1, 0, 0)

    and Snell's law in vector form bends the beam at each: s' = r s + (sqrt(1 - r^2 (1 - c^2)) - r c) n, c = n s,
    r = n1 / n2 (M. Born, E. Wolf, Principles of Optics; Y. Li, "Third-order theory of the Risley-prism-based beam
    steering system", Appl. Opt. 50 (2011)). For thin wedges each prism deflects by (n - 1) w towards its thick end. All
    beams start at the sensor's origin: their sideways shift of some millimetres inside the prisms is left out.

    The prisms turn on the scenario's clock, so that each scan goes on where the last one ended.
    """

    type: Literal["rosette"] = "rosette"
    prisms: tuple[Prism, Prism]
    """In the order in which the light meets them."""
    laser_rate_hz: PulseRate
    """Shots per second of each emitter."""
    emitters: Annotated[tuple[Emitter, ...], Field(min_length=1)] = (Emitter(),)

    @model_validator(mode="after")
    def _light_comes_out(self) -> Rosette:
        for number, emitter in enumerate(self.emitters):
            if emitter.firing_offset_s * self.laser_rate_hz >= 1:
                raise ValueError(
                    f"emitters[{number}] fires {emitter.firing_offset_s} s after the start of a cycle that lasts "
                    f"{1 / self.laser_rate_hz} s; make firing_offset_s smaller than 1 / laser_rate_hz"
                )
        if not math.isfinite(self.deflection_rad):
            raise ValueError("the prisms reflect light totally; make wedge_rad or refractive_index smaller")
        return self

    @property
    def deflection_rad(self) -> float:
        """Largest angle between a beam and the optical axis; NaN under total reflection.

        It is reached by the emitter farthest from the axis, when both thick ends lie on the side to which it looks.
        """
        farthest = max(math.acos(math.cos(e.azimuth_rad) * math.cos(e.elevation_rad)) for e in self.emitters)
        (w0, n0), (w1, n1) = ((prism.wedge_rad, prism.refractive_index) for prism in self.prisms)
        angle = math.asin(math.sin(farthest) / n0)
        for tilt, ratio in ((-w0, n0), (w1, 1 / n1), (0.0, n1)):
            sine = ratio * math.sin(angle - tilt)
            if abs(sine) >= 1:
                return math.nan
            angle = tilt + math.asin(sine)
        return angle

    @cached_property
    def _in_firing_order(self) -> list[Emitter]:
        return sorted(self.emitters, key=lambda emitter: emitter.firing_offset_s)

    @cached_property
    def _emitted(self) -> NDArray[np.float64]:
        angles = np.array([(emitter.azimuth_rad, emitter.elevation_rad) for emitter in self._in_firing_order])
        azimuth, elevation = angles.T
        flat = np.cos(elevation)
        return np.stack((flat * np.cos(azimuth), flat * np.sin(azimuth), np.sin(elevation)), 1)

    @cached_property
    def _loop(self) -> FiringLoop:
        return FiringLoop.of([emitter.firing_offset_s for emitter in self._in_firing_order], 1.0 / self.laser_rate_hz)

    def beams(self, window: TimeWindow) -> Beams:
        """Return the beams that fire in [start, end)."""
        from sensorium.sensors.lidar import pattern_kernels

        first, time_ns = self._loop.shots(window)
        prisms = np.array([(p.wedge_rad, p.refractive_index, p.rate_hz, p.phase_rad) for p in self.prisms])
        rings = np.array([emitter.ring for emitter in self._in_firing_order], np.uint16)
        direction, ring = pattern_kernels.risley(first, time_ns, prisms, self._emitted, rings)
        return Beams(time_ns, np.zeros((len(time_ns), 3)), direction, ring)

    def angular_step_rad(self, window: TimeWindow) -> float:
        """Return the largest angle between two shots of an emitter: 2 pi (|f1| d1 + |f2| d2) / rate, d = (n - 1) w."""
        speed = sum(2 * math.pi * abs(p.rate_hz) * (p.refractive_index - 1) * p.wedge_rad for p in self.prisms)
        return speed / self.laser_rate_hz
