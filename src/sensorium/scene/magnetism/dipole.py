"""A magnet, or an iron body from a distance: a magnetic dipole, fixed in the world or on a body."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_types import Gt
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.errors import SceneError
from sensorium.core.time import Times
from sensorium.core.units import Metres, Number, Vector3
from sensorium.motion.motion import Motion
from sensorium.scene.magnetic_field import MagneticField
from sensorium.scene.origin import Origin

Floats = NDArray[np.float64]
_MU0_4PI = 1e-7
"""mu0 / (4 pi) in T m / A; the constant of CODATA 2018 differs by 6e-10 of it."""


@configured
class DipoleField(MagneticField):
    """B = mu0 / (4 pi) (3 (m . n) n - m) / r^3, n the direction to the place (Jackson, Classical Electrodynamics, eq. 5.56).

    A car is a dipole of some 100 to 1000 A m^2, a loudspeaker's magnet of about 1 A m^2.
    """

    type: Literal["dipole"] = "dipole"
    moment_a_m2: tuple[Number, Number, Number]
    """m, in the frame of the body, or in the world's."""
    position_m: Vector3 = (0.0, 0.0, 0.0)
    """Of the dipole in that frame."""
    body: str | None = None
    """Name of the body that carries it; None: it stands in the world."""
    radius_m: Annotated[Metres, Gt(0)] = 0.01
    """Of the magnet: nearer than this a dipole says nothing of its field."""

    def placed(self, origin: Origin | None, motion_of: Callable[[str], Motion]) -> MagneticField:
        """Return the field with the motion of its body."""
        return self if self.body is None else _Carried(self, motion_of(self.body))

    def flux_density_t(self, position_m: Floats, times_ns: Times) -> Floats:
        """Return the field of a dipole that stands in the world."""
        if self.body is not None:
            raise SceneError(f"the dipole on '{self.body}' belongs into a scene that has this body")
        return self.around(np.asarray(position_m) - self.position_m)

    def around(self, away_m: Floats) -> Floats:
        """Return the field [..., 3] at places [..., 3] from the dipole, in its own frame."""
        distance = np.linalg.norm(away_m, axis=-1, keepdims=True)
        if (distance < self.radius_m).any():
            raise SceneError(
                f"a magnetometer is {distance.min():.3g} m from the middle of a dipole with a radius of {self.radius_m:g} m, "
                "where the formula of a dipole does not hold; move one of them"
            )
        direction = away_m / distance
        along = direction @ np.array(self.moment_a_m2)
        return np.asarray(_MU0_4PI * (3 * along[..., None] * direction - self.moment_a_m2) / distance**3)


@dataclass(frozen=True, eq=False)
class _Carried(MagneticField):
    """A dipole on a body that may move."""

    dipole: DipoleField
    motion: Motion

    def flux_density_t(self, position_m: Floats, times_ns: Times) -> Floats:
        pose = self.motion.pose_at(np.asarray(times_ns))
        away = pose.inverse().transform(np.asarray(position_m)) - self.dipole.position_m
        return pose.rotate(self.dipole.around(away))
