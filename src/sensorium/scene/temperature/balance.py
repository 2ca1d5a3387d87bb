"""The heat balance of one kind of surface: what a day makes of a material."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sensorium.materials.library import MaterialLibrary
from sensorium.scene.temperature.day import LAG_STEPS, STEP_S, STEPS, Day, convection_w_m2_k
from sensorium.scene.temperature.slab import SIGMA_W_M2_K4, Face, Slab
from sensorium.scene.temperature.temperature import HeatBalance, Warmth

SHARES = np.linspace(0.0, 1.0, 5)
"""Shares of sky at which the balance is solved; it is linear between them to 0.1 K."""


@dataclass(frozen=True, eq=False)
class Exchange:
    """A material on a day."""

    library: MaterialLibrary
    material: int
    """Row in the library."""
    day: Day

    def _figure(self, name: str) -> float:
        return float(self.library.column(name)[self.material])

    def constant(self, temperature_k: float) -> Warmth:
        """Return a temperature on which nothing has an influence."""
        return Warmth(np.full(len(SHARES), temperature_k), np.zeros((len(LAG_STEPS) - 1, 3)))

    def balance(self, surface: HeatBalance) -> Warmth:
        """Return the temperature without direct sun, and what the sun of each span before now adds to it."""
        day = self.day
        absorptance = self._figure("solar_absorptance") * (1 - self._figure("evaporating"))
        face = self._face(surface)
        base = face.temperature_k(day.absorbed_w_m2(SHARES, absorptance, face.emissivity), STEP_S)
        flux = absorptance * day.direct_w_m2[::-1, None] * day.sun[::-1]
        cold = float(base[len(SHARES) // 2, -1])
        weight = self._sun_response(face, cold, float(np.linalg.norm(flux, axis=1).max()))
        spans = pairwise(LAG_STEPS)
        sun = np.array([(weight[new:old, None] * flux[new:old]).sum(0) for new, old in spans])
        return Warmth(base[:, -1], sun)

    def _face(self, surface: HeatBalance) -> Face:
        behind = surface.behind_k is not None
        slab = Slab(
            self._figure("density_kg_m3"),
            self._figure("specific_heat_j_kg_k"),
            self._figure("conductivity_w_m_k"),
            self._figure("thickness_m") if surface.thickness_m is None else surface.thickness_m,
            surface.behind_w_m2_k if behind else 0.0,
        )
        convection = convection_w_m2_k(self.day.wind_m_s + surface.air_speed_m_s, self.day.weather.rain_mm_h)
        inside = surface.behind_k or 0.0
        return Face(slab, self._figure("emissivity"), convection, self.day.air_k, inside, surface.own_w_m2)

    def _sun_response(
        self, face: Face, cold_k: float, flux_w_m2: float
    ) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """Return the rise now per direct sunlight absorbed j steps ago [N].

        Radiation is taken linear between the shaded surface and one that meets today's strongest sun at its steady state:
        h_r = eps sigma (T_1^4 - T_0^4) / (T_1 - T_0).
        """
        excess, loss = 1.0, face.convection_w_m2_k
        for _ in range(4):
            warm = cold_k + excess
            radiation = face.emissivity * SIGMA_W_M2_K4 * (warm**2 + cold_k**2) * (warm + cold_k)
            loss = face.convection_w_m2_k + radiation
            excess = 0.7 * flux_w_m2 / loss
        return face.slab.response(loss, STEPS, STEP_S)
