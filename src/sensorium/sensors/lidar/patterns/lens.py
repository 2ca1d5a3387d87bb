"""Where a pixel looks: the projection of a lens."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured

Floats = NDArray[np.float64]


@configured
class Pinhole:
    """Straight lines stay straight: (1, l tan(H / 2), u tan(V / 2)), made to unit length.

    l and u run from 1 (left, top edge of the image) to -1; H and V are the fields of view.
    """

    type: Literal["pinhole"] = "pinhole"

    def refuse_too_wide(self, horizontal_rad: float, vertical_rad: float) -> None:
        """ValueError where the image plane cannot show such a field of view."""
        widest = max(horizontal_rad, vertical_rad)
        if widest > math.radians(175):
            found = f"found a field of view of {math.degrees(widest):.6g} deg"
            raise ValueError(f"a pinhole sees at most 175 deg, {found}; use lens: {{type: f_theta}}")

    def direction(self, left: Floats, up: Floats, horizontal_rad: float, vertical_rad: float) -> Floats:
        """Return unit vectors [N, 3] for places in the image [N]."""
        plane = np.stack((np.ones_like(left), left * math.tan(horizontal_rad / 2), up * math.tan(vertical_rad / 2)), 1)
        return np.asarray(plane / np.linalg.norm(plane, axis=1, keepdims=True))

    def pixel_rad(self, field_rad: float, pixels: int) -> float:
        """Return the angle that a pixel in the middle of a row covers."""
        return 2 * math.atan(math.tan(field_rad / 2) / pixels)


@configured
class FTheta:
    """Equal distances in the image are equal angles from the optical axis: r = f theta (equidistant fisheye).

    With a = l H / 2, b = u V / 2 and theta = hypot(a, b): (cos theta, sin theta a / theta, sin theta b / theta).
    """

    type: Literal["f_theta"] = "f_theta"

    def refuse_too_wide(self, horizontal_rad: float, vertical_rad: float) -> None:
        """ValueError where the corners would look farther back than straight back."""
        corner = math.hypot(horizontal_rad, vertical_rad) / 2
        if corner > math.pi:
            found = f"found {math.degrees(corner):.6g} deg; make the fields of view smaller"
            raise ValueError(f"the corners can look at most 180 deg off the axis, {found}")

    def direction(self, left: Floats, up: Floats, horizontal_rad: float, vertical_rad: float) -> Floats:
        """Return unit vectors [N, 3] for places in the image [N]."""
        a, b = left * horizontal_rad / 2, up * vertical_rad / 2
        theta = np.hypot(a, b)
        stretch = np.sinc(theta / np.pi)  # sin(theta) / theta, with its limit at the axis
        return np.stack((np.cos(theta), stretch * a, stretch * b), 1)

    def pixel_rad(self, field_rad: float, pixels: int) -> float:
        """Return the angle that a pixel in the middle of a row covers."""
        return field_rad / pixels


Lens = Annotated[Pinhole | FTheta, Field(discriminator="type")]
