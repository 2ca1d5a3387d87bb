"""Surfaces of a library at one wavelength as arrays, in the form that kernels read."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# kinds of surface
MATT, COATED, COATED_HALF_VECTOR, MIRROR, PANE, GLASS = range(6)

# columns of `values`
DIFFUSE = 0
"""Reflectance of the diffuse base (coated) or of the whole surface (matt)."""
SIGMA = 1
"""Standard deviation of facet angles of the diffuse base [rad]."""
ROUGHNESS = 2
"""GGX roughness of the coat."""
ETA, KAPPA = 3, 4
"""Complex refractive index eta + i kappa of coat, mirror or glass."""
RETRO, RETRO_ENTRANCE, RETRO_OBSERVATION = 5, 6, 7
"""Coefficient of retroreflection [1/sr] and its two half angles [rad]."""
THICKNESS = 8
"""Thickness of a pane [m]."""
ABSORPTION = 9
"""Absorption inside glass [1/m]."""
LOBE_ALPHA, LOBE_BETA, LOBE_GAMMA, LOBE_SIGMA = 10, 11, 12, 13
"""Weights and width [deg] of the three-lobe model; alpha is -1 where a material has no lobes."""
COLUMNS = 14

COAT_STEPS = 512
"""The transmission of coats is tabulated over the cosine of incidence in this many steps."""


class OpticalTable(NamedTuple):
    """Row m describes material m of the library."""

    kind: NDArray[np.int8]
    values: NDArray[np.float64]
    """[M, COLUMNS]"""
    coat: NDArray[np.float64]
    """[M, COAT_STEPS + 1] transmission 1 - R of the coat at the cosines 0, 1/COAT_STEPS ... 1; one for matt surfaces."""

    @property
    def leads_on(self) -> bool:
        """Whether any surface is a mirror or glass."""
        return bool((self.kind >= MIRROR).any())

    def retro_gain(self, observation_rad: float) -> NDArray[np.float64]:
        """Return the part [M] of the retroreflection seen at an observation angle: 2^-(a / a_half)^2; 1 without any."""
        half = np.where(self.values[:, RETRO] > 0, self.values[:, RETRO_OBSERVATION], 1.0)
        return np.asarray(2.0 ** -((observation_rad / half) ** 2))
