"""A shape from a file: all of its geometry as one mesh of one material."""

from __future__ import annotations

from typing import Literal

from sensorium.core.configuration import configured
from sensorium.core.files import InputFile
from sensorium.core.units import PositiveNumber
from sensorium.scene.importing.axes import Axes
from sensorium.scene.mesh import Mesh
from sensorium.scene.shape import Shape


@configured
class MeshFile(Shape):
    """A glTF, GLB, OBJ, PLY or STL file whose parts are joined; its own materials and textures are not used.

    For a file with materials of its own use `scene.importing.import_model`.
    """

    type: Literal["mesh_file"] = "mesh_file"
    path: InputFile
    scale: PositiveNumber = 1.0
    """Metres per unit of the file."""
    axes: Axes | None = None
    """How the file is turned; default by its format."""

    def mesh(self) -> Mesh:
        """Return the file's triangles, x forward, y left, z up."""
        from sensorium.scene.importing import import_mesh

        return import_mesh(self.path, scale=self.scale, axes=self.axes)
