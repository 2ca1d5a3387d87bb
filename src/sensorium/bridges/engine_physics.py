"""Hit points of an external engine in, points of a physical LiDAR out.

The model is that of "Industrial Problem Solving with Physics 2021" (University of Trento), chapter 1. A surface at
distance r and incidence t, with the weights of its material (alpha diffuse, beta mirror of width sigma, gamma
retro-reflector), returns the part I of the emitted power:

    I = alpha cos(t)/(2 r^2) + beta exp(-(t/sigma)^2/2)/(sigma sqrt(2 pi)) + gamma      t, sigma in degrees (1.2 to 1.7)
    P = I * peak power * efficiency * exp(-2 A r)                                                         (1.9, 1.10)
    detected if P + N(0, s) > 3 s,  s = NEP sqrt(bandwidth)                                            (1.11 to 1.13)

The exponent printed in equation 1.4, -2 (t/sigma)^2, gives an integral of one half with its prefactor; with -1/2 it is
one, as the text claims. No lobe returns more than what went out (the first one would, below 0.7 m). There is no
receiver in I: its aperture counts as a part of the efficiency.

Roses share the power among their rays. In guns every surface echoes what the mirrors before it have passed on: straight
to the receiver, which takes the range for half the way, (L1 + L2 + L3)/2; retro-reflectors also back over the mirrors.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import Field

from sensorium.bridges.engine_refusal import refusal
from sensorium.bridges.engine_surfaces import WireSurfaces, standard_surfaces
from sensorium.bridges.engine_wire import POINT_NUMBERS, Floats
from sensorium.core.configuration import configured
from sensorium.core.errors import WireError
from sensorium.core.random import Draws
from sensorium.core.units import Fraction, NonNegativeMetres, NonNegativeNumber, PositiveHertz, Radians, Watts

if TYPE_CHECKING:
    from sensorium.bridges.engine_sense_kernels import Instrument


@configured
class EnginePhysics:
    """The instrument behind the engine's rays. Defaults are those of the published model, where it gives figures.

    A beam yields at most one point: the first pulse above the threshold, in the direction of the beam's first row.
    Pulses that the receiver cannot tell apart merge before the noise is added.
    """

    peak_power_w: Annotated[Watts, Field(gt=0)] = 100.0
    """Section 1.2.2."""
    efficiency: Annotated[Fraction, Field(gt=0)] = 0.006
    """Detected part of what returns. Assumed: a board that reflects 10 % reaches the threshold at 215 m."""
    attenuation_1_m: NonNegativeNumber = 8.9e-5
    """A, one way. Clear air, 23 km visibility, 905 nm: (3.912/V) (905/550)^-1.3 (Kruse). Fog: about 200 times more."""
    nep_w_per_sqrt_hz: NonNegativeNumber = 6.6e-12
    """Noise-equivalent power; section 1.2.2."""
    bandwidth_hz: PositiveHertz = 1e9
    """Section 1.2.2."""
    threshold_sigma: NonNegativeNumber = 3.0
    """Threshold in standard deviations of the noise; equation 1.13."""
    resolution_m: NonNegativeMetres = 0.03
    """Pulses nearer than this to the first of a group merge: c/2 times 0.2 ns of temporal resolution; section 1.2.2."""
    range_noise_m: NonNegativeMetres = 0.03
    """Standard deviation of a range at distance 0: the accuracy of the published reference device."""
    range_noise_slope: NonNegativeNumber = 0.0
    """Growth of that deviation with range, metre per metre. Assumed."""
    central_weight: Fraction = 0.5
    """Part of a rose's power in its central ray; the others share the rest. With one half a Gaussian beam that is
    sampled in its middle and at its 1/e^2 radius keeps its power and its mean square radius."""
    acceptance_rad: Annotated[Radians, Field(ge=0)] = math.radians(0.2)
    """Guns: a later surface is received directly if it appears within this angle of the beam, the horizontal
    resolution. Assumed, within the 0.01 to 0.4 deg of the published reference device."""

    @property
    def noise_w(self) -> float:
        """Standard deviation of the noise: NEP sqrt(bandwidth)."""
        return self.nep_w_per_sqrt_hz * math.sqrt(self.bandwidth_hz)

    def points(self, beams: ArrayLike, draws: Draws, surfaces: WireSurfaces | None = None) -> Floats:
        """Return points [M, 7] of beams [N, 7] (single rays), [N, rays, 7] (roses) or [N, segments, 8] (guns).

        Rows of the result: x, y, z in the sensor's frame, metres, three zeros, power in watts; in the order of the
        beams. Element i of the draws belongs to beam i. Up to 4096 beams are done by the calling thread, more by all.
        """
        from sensorium.bridges import engine_detect_kernels as kernels

        rows, surfaces = _three_axes(beams), surfaces or standard_surfaces()
        points = np.empty((len(rows), POINT_NUMBERS), np.float32)
        keys = np.array([draws.key("power"), draws.key("range")])
        given = self._weights(rows), surfaces.table, surfaces.known, self._instrument(), keys, points
        if len(rows) <= kernels.TASK:
            count = kernels.some_points(rows, 0, len(rows), *given)
        else:
            count = kernels.all_points(rows, *given)
        if count < 0:
            raise refusal(rows, surfaces.known)
        return points[:count]

    def _weights(self, rows: Floats) -> NDArray[np.float64]:
        """Return the parts of a beam's power in its rays; they sum to one."""
        around = rows.shape[1] - 1
        if not around:
            return np.ones(1)
        return np.array([self.central_weight] + [(1 - self.central_weight) / around] * around)

    def _instrument(self) -> Instrument:
        from sensorium.bridges.engine_sense_kernels import Instrument

        return Instrument(
            power_w=self.peak_power_w * self.efficiency,
            attenuation_1_m=self.attenuation_1_m,
            noise_w=self.noise_w,
            threshold_w=self.threshold_sigma * self.noise_w,
            resolution_m=self.resolution_m,
            range_noise_m=self.range_noise_m,
            range_noise_slope=self.range_noise_slope,
            acceptance_deg=math.degrees(self.acceptance_rad),
        )


def _three_axes(beams: ArrayLike) -> Floats:
    """Return beams as [N, rows, 7 or 8] for the compiled loops."""
    array = np.require(beams, np.float32, ["C", "W"])
    if array.ndim == 2:
        array = array[:, None]
    if array.ndim != 3 or array.shape[2] not in (7, 8) or not 1 <= array.shape[1] <= 64:
        found = list(np.shape(beams))
        raise WireError(f"beams have the shape [N, 7], [N, rays, 7] or [N, segments, 8], rows up to 64; found {found}")
    return array
