"""The contract of every shape: a few numbers that become a mesh."""

from __future__ import annotations

from abc import ABC, abstractmethod

from sensorium.scene.mesh import Mesh


class Shape(ABC):
    """A described surface. Shapes are frozen, centred on the origin with z up, and give outward triangles."""

    @abstractmethod
    def mesh(self) -> Mesh:
        """Return the triangles of this shape."""
