"""Heat that goes into a layer in one dimension, and the temperature that its face takes over a periodic day.

A layer of thickness L answers a face temperature exp(i w t) with the flux Y exp(i w t) into it. With z = k g,
g = sqrt(i w rho c / k) and a coefficient U between its back and what lies behind (0: insulated), from dT/dt = k / (rho c) d2T/dx2,

    Y = z (U + z tanh(g L)) / (z + U tanh(g L)),      Y(0) = 1 / (1 / U + L / k)

(H. S. Carslaw and J. C. Jaeger, Conduction of Heat in Solids, 2nd edition 1959, chapter III; the complex form is usual). The face
loses h T as well, so that its answer to an absorbed flux q is q / (h + Y). A day is a sum of such terms.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SIGMA_W_M2_K4 = 5.670374419e-8
_ROUNDS = 12
_FINER = 16


@dataclass(frozen=True)
class Slab:
    """A layer: what it is made of, and what lies behind."""

    density_kg_m3: float
    specific_heat_j_kg_k: float
    conductivity_w_m_k: float
    thickness_m: float
    back_w_m2_k: float = 0.0
    """Coefficient between the back and what lies behind; 0: insulated."""

    def admittance_w_m2_k(self, steps: int, step_s: float) -> NDArray[np.complex128]:
        """Return Y at the frequencies of `numpy.fft.rfft` of a periodic series [steps // 2 + 1]."""
        omega = 2 * np.pi * np.fft.rfftfreq(steps, step_s)
        g = np.sqrt(1j * omega * self.density_kg_m3 * self.specific_heat_j_kg_k / self.conductivity_w_m_k)
        z, turn = self.conductivity_w_m_k * g, np.tanh(g * self.thickness_m)
        u = self.back_w_m2_k
        with np.errstate(invalid="ignore"):
            y = z * (u + z * turn) / (z + u * turn)
        y[0] = 1 / (1 / u + self.thickness_m / self.conductivity_w_m_k) if u else 0.0
        return np.asarray(y)

    def response(self, loss_w_m2_k: float, steps: int, step_s: float) -> Floats:
        """Return how much the face is warmer now per flux that it absorbed j steps ago [steps], the day being periodic.

        Taken from steps 16 times as fine, since a thin sheet answers faster than a step and its spectrum does not end there.
        """
        fine = steps * _FINER
        answer = np.fft.irfft(1 / (loss_w_m2_k + self.admittance_w_m2_k(fine, step_s / _FINER)), fine)
        return np.asarray(np.roll(answer, _FINER // 2).reshape(steps, _FINER).sum(1))


@dataclass(frozen=True, eq=False)
class Face:
    """What the face of a layer exchanges, over a day of N equal steps."""

    slab: Slab
    emissivity: float
    convection_w_m2_k: float
    air_k: Floats
    """[N]"""
    behind_k: float = 0.0
    """Temperature of what lies behind; without meaning where nothing does."""
    own_w_m2: float = 0.0
    """Heat that the body itself brings to the back of the layer."""

    def temperature_k(self, absorbed_w_m2: Floats, step_s: float) -> Floats:
        """Return the face's temperature over a periodic day [..., N] from what it absorbs [..., N] of sun, sky and ground.

        The balance absorbed + h_c (T_air - T) - eps sigma T^4 = flux into the layer is not linear in T. Each round solves the one
        that is linear about the mean, and puts what that one misses on its right-hand side.
        """
        steps = absorbed_w_m2.shape[-1]
        y = self.slab.admittance_w_m2_k(steps, step_s)
        back = self.own_w_m2
        if self.slab.back_w_m2_k:
            back = y[0].real * (self.behind_k + self.own_w_m2 / self.slab.back_w_m2_k)
        gain = absorbed_w_m2 + self.convection_w_m2_k * self.air_k + back
        t_k = np.broadcast_to(self.air_k, absorbed_w_m2.shape)
        for _ in range(_ROUNDS):
            mean = t_k.mean(-1, keepdims=True)
            radiation = 4 * self.emissivity * SIGMA_W_M2_K4 * mean**3
            missed = self.emissivity * SIGMA_W_M2_K4 * t_k**4 - radiation * t_k
            flux = np.fft.rfft(gain - missed, axis=-1)
            t_k = np.fft.irfft(flux / (radiation + self.convection_w_m2_k + y), steps, axis=-1)
        return np.asarray(t_k)
