"""How the radar cross section of a target changes from look to look: Swerling's cases.

P. Swerling, "Probability of detection for fluctuating targets", RAND RM-1217 (1954): case 1 and 2 are exponential (many like
scatterers), 3 and 4 chi-squared with four degrees of freedom (one large and many small); 1 and 3 change from frame to frame, 2 and
4 from chirp to chirp; 0 does not change.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.random import Draws

Floats = NDArray[np.float64]


@configured
class Swerling:
    """A case of Swerling."""

    case: Annotated[int, Field(ge=0, le=4)] = 0

    @property
    def pulse_to_pulse(self) -> bool:
        """Whether every chirp sees another cross section."""
        return self.case in (2, 4)

    @property
    def degrees(self) -> int:
        """Half of the degrees of freedom of the chi-squared distribution: 1 or 2; 0: constant."""
        return (0, 1, 1, 2, 2)[self.case]

    def factors(self, draws: Draws, targets: int, chirps: int) -> Floats:
        """Return factors of the mean cross section [targets, chirps], or [targets, 1] where a frame has one; their mean is 1."""
        count = chirps if self.pulse_to_pulse else 1
        if self.case == 0:
            return np.ones((targets, 1))
        from scipy.special import gammaincinv

        drawn = draws.uniform("fluctuation", targets * count)
        return np.asarray(gammaincinv(self.degrees, drawn).reshape(targets, count) / self.degrees)
