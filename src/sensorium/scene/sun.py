"""The sun as an infrared lamp: what blinds optical receivers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.units import NonNegativeNumber, Radians


@configured
class Sun:
    """Direction of the sun and its spectral irradiance across the beam at the ground.

    The default is that of the reference spectrum AM1.5 (ASTM G173, direct and circumsolar) near 905 nm, about 0.6 W/(m2 nm); near
    1550 nm it is about 0.26.
    """

    elevation_rad: Radians
    """Above the horizon."""
    azimuth_rad: Radians = 0.0
    """Counter-clockwise from east, seen from above."""
    irradiance_w_m2_nm: NonNegativeNumber = 0.6

    @property
    def direction(self) -> NDArray[np.float64]:
        """Unit vector from the ground to the sun [3], world frame."""
        flat = np.cos(self.elevation_rad)
        return np.array([flat * np.cos(self.azimuth_rad), flat * np.sin(self.azimuth_rad), np.sin(self.elevation_rad)])
