"""Surfaces of a library at one wavelength as arrays, in the form that kernels read."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# kinds of surface
MATT, COATED, COATED_HALF_VECTOR, MIRROR, PANE, GLASS = range(6)

# columns of `values`
DIFFUSE = 0
"""Reflectance C of the Oren-Nayar base, or of the dust on a mirror or on glass."""
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
ALBEDO = 14
"""Diffuse part of the hemispherical reflectance of the whole surface, for light met head-on."""
COLUMNS = 15

STEPS = 1024
"""Backscatter is tabulated in this many steps of sqrt(1 - cos t), that is 0.16 degrees near the normal."""


class OpticalTable(NamedTuple):
    """Row m describes material m of the library."""

    kind: NDArray[np.int8]
    values: NDArray[np.float64]
    """[M, COLUMNS]"""
    backscatter: NDArray[np.float64]
    """[M, STEPS + 1] f(l, l) cos t [1/sr] plus retroreflection at the cosines 1 - (i / STEPS)^2."""

    @property
    def leads_on(self) -> bool:
        """Whether any surface is a mirror or glass."""
        return bool((self.kind >= MIRROR).any())
