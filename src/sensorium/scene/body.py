"""What a scene is made of: parts (a mesh of one material), models (parts that belong together), bodies (a model that moves)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import SceneError
from sensorium.motion.fixed import Fixed
from sensorium.motion.motion import Motion
from sensorium.scene.mesh import Mesh
from sensorium.scene.temperature.temperature import Temperature

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Texture:
    """An image on a mesh: colour [H, W, 3 or 4] uint8, sRGB, row 0 at v = 1."""

    name: str
    pixels: NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Part:
    """One mesh in the body frame with one material and one class label."""

    name: str
    mesh: Mesh
    material: str
    label: str
    texture: Texture | None = None
    temperature: Temperature | None = None
    """How warm it is; None: as its body or its scene says."""


@dataclass(frozen=True, eq=False)
class Model:
    """A rigid thing made of parts, in its own frame (FLU for vehicles: x forward, y left, z up). Shared by its bodies."""

    name: str
    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        if not self.parts:
            raise SceneError(f"model '{self.name}' has no parts; give it at least one")

    @cached_property
    def bounds_m(self) -> tuple[Floats, Floats]:
        """Lowest and highest corner of the box around all parts, in the model's frame."""
        solid = [part.mesh for part in self.parts if len(part.mesh.triangles)] or [self.parts[0].mesh]
        corners = np.array([mesh.bounds_m() for mesh in solid])
        return corners[:, 0].min(0), corners[:, 1].max(0)

    @cached_property
    def radius_m(self) -> float:
        """Radius of a sphere about the model's origin that holds all parts."""
        return float(
            max((np.linalg.norm(part.mesh.vertices_m, axis=1).max(initial=0.0) for part in self.parts), default=0.0)
        )

    @property
    def triangle_count(self) -> int:
        """Number of triangles of all parts."""
        return sum(len(part.mesh.triangles) for part in self.parts)


@dataclass(frozen=True, eq=False)
class Body:
    """A model at a motion, with a unique name and the class that the whole thing is labelled with."""

    name: str
    model: Model
    motion: Motion = field(default_factory=Fixed)
    label: str = ""
    """Class of the whole body; empty: the label of its first part."""
    temperatures: Mapping[str, Temperature] = field(default_factory=dict)
    """How warm its parts are, by their names; "*" stands for all others. Bodies that share a model may differ."""

    def __post_init__(self) -> None:
        if not self.label:
            object.__setattr__(self, "label", self.model.parts[0].label)
