"""The Earth's magnetic field after the world magnetic model WMM 2025 (NOAA NCEI and BGS, valid 2025.0 to 2030.0)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.errors import SceneError
from sensorium.core.time import Times
from sensorium.motion.motion import Motion
from sensorium.scene.magnetic_field import MagneticField
from sensorium.scene.origin import Origin

Floats = NDArray[np.float64]

COEFFICIENTS = "wmm/WMM_2025.COF"
FIRST_YEAR, END_YEAR = 2025, 2030
LOWEST_M, HIGHEST_M = -1_000.0, 850_000.0
"""Between which altitudes the model holds (WMM 2025 technical report, section 1)."""
REACH_M = 100_000.0
"""How far from the origin the linear form is used: 100 km away it is off by some 40 nT, a third of the model's own error."""
_STEP_M = 10_000.0


@configured
class EarthField(MagneticField):
    """The main field at the scene's origin and date, and its change with the place to first order.

    The model holds 2025.0 to 2030.0; its error is about 130 nT in each component, mostly of the crust below.
    """

    type: Literal["earth"] = "earth"

    def placed(self, origin: Origin | None, motion_of: Callable[[str], Motion]) -> MagneticField:
        """Return the field about the scene's origin."""
        if origin is None:
            raise SceneError(
                "the Earth's magnetic field needs to know where on Earth the scene is and when: give the scenario an "
                "`origin`, for example {latitude_rad: 48.1 deg, longitude_rad: 11.6 deg, start_utc: 2026-06-01}"
            )
        return about(origin)

    def flux_density_t(self, position_m: Floats, times_ns: Times) -> Floats:
        """Refuse: the field belongs into a scene with an origin."""
        raise SceneError("the Earth's magnetic field belongs into a scene with an origin")


@dataclass(frozen=True, eq=False)
class FieldAbout(MagneticField):
    """A field and its gradient at the world's origin."""

    b_t: Floats
    """[3] east, north, up."""
    gradient_t_m: Floats
    """[3, 3] row i: change of component i per metre towards east, north, up."""

    def flux_density_t(self, position_m: Floats, times_ns: Times) -> Floats:
        """Return B0 + G p."""
        place = np.asarray(position_m)
        if (np.abs(place) > REACH_M).any():
            raise SceneError(
                f"a place {np.abs(place).max() / 1e3:.0f} km from the origin is beyond the {REACH_M / 1e3:.0f} km within which "
                "the Earth's field is taken as linear; set the origin nearer"
            )
        return np.asarray(self.b_t + place @ self.gradient_t_m.T)


@lru_cache(maxsize=16)
def about(origin: Origin) -> FieldAbout:
    """Return the Earth's field about an origin; differences over 20 km give the gradient."""
    year = decimal_year(origin.start_utc)
    if not FIRST_YEAR <= year < END_YEAR:
        raise SceneError(
            f"the world magnetic model 2025 holds from {FIRST_YEAR}.0 to {END_YEAR}.0, but the scenario starts at "
            f"{year:.2f}; choose another start_utc, or a field of {{type: uniform}}"
        )
    if not LOWEST_M <= origin.altitude_m <= HIGHEST_M:
        raise SceneError(
            f"the world magnetic model holds between {LOWEST_M:g} m and {HIGHEST_M:g} m above the ellipsoid, but the origin "
            f"is at {origin.altitude_m:g} m"
        )
    ends = [_at(origin, year, sign * _STEP_M * axis) for axis in np.eye(3) for sign in (1, -1)]
    gradient = np.array([(after - before) / (2 * _STEP_M) for after, before in zip(ends[::2], ends[1::2], strict=True)])
    return FieldAbout(_at(origin, year, np.zeros(3)), gradient.T)


def decimal_year(time: datetime) -> float:
    """Return the time as a year with a fraction."""
    start, end = datetime(time.year, 1, 1, tzinfo=UTC), datetime(time.year + 1, 1, 1, tzinfo=UTC)
    return time.year + (time - start) / (end - start)


def _at(origin: Origin, year: float, place_m: Floats) -> Floats:
    """Return the field [T] at a place east, north and up of the origin, in the origin's axes."""
    import pymap3d
    from pygeomag import GeoMag

    latitude, longitude, altitude_m = pymap3d.enu2geodetic(
        *place_m, origin.latitude_rad, origin.longitude_rad, origin.altitude_m, deg=False
    )
    model = GeoMag(coefficients_file=COEFFICIENTS)
    found = model.calculate(
        glat=float(np.degrees(latitude)), glon=float(np.degrees(longitude)), alt=float(altitude_m) / 1e3, time=year
    )
    local_nt = np.array((found.y, found.x, -found.z))
    turn = _axes(origin.latitude_rad, origin.longitude_rad) @ _axes(float(latitude), float(longitude)).T
    return np.asarray(turn @ local_nt * 1e-9)


def _axes(latitude: float, longitude: float) -> Floats:
    """Return east, north and up as rows, in Earth-fixed coordinates."""
    (sb, cb), (sl, cl) = (np.sin(latitude), np.cos(latitude)), (np.sin(longitude), np.cos(longitude))
    return np.array(((-sl, cl, 0.0), (-sb * cl, -sb * sl, cb), (cb * cl, cb * sl, sb)))
