"""Which way a file counts: its forward and upward axis, turned to x forward, y left, z up."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import model_validator

from sensorium.core.configuration import configured

Floats = NDArray[np.float64]
Axis = Literal["x", "y", "z", "-x", "-y", "-z"]


def _direction(axis: Axis) -> Floats:
    return np.asarray((-1.0 if axis.startswith("-") else 1.0) * np.eye(3)["xyz".index(axis[-1])])


@configured
class Axes:
    """The axes of a file that point forward and up. Left out, they follow the format.

    glTF and GLB: forward z, up y, as its specification has it: a car stands with its nose along x after import.
    OBJ, PLY and STL: forward x, up z; they have no rule, and most of robotics writes them so.
    A street drawn in Blender with x to the east and exported to glTF keeps its east with forward x, up y.
    """

    forward: Axis = "x"
    up: Axis = "z"

    @model_validator(mode="after")
    def _are_perpendicular(self) -> Axes:
        if self.forward[-1] == self.up[-1]:
            raise ValueError(f"forward and up must be different axes, found {self.forward} and {self.up}")
        return self

    @classmethod
    def of_format(cls, path: Path) -> Axes:
        """Return the axes that files of this format have."""
        return cls(forward="z", up="y") if path.suffix.lower() in (".glb", ".gltf") else cls()

    def rotation(self) -> Floats:
        """Return the rotation matrix [3, 3] from the file's axes to x forward, y left, z up."""
        forward, up = _direction(self.forward), _direction(self.up)
        return np.stack((forward, np.cross(up, forward), up))
