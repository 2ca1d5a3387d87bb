"""Ground as heights on a regular grid, written out or read from a file.

The grid lies like a printed map: row 0 is the far edge (+y, north), column 0 the left edge (-x, west). It is centred
on the origin in x and y; heights are kept as they are. Between the samples the surface is two flat triangles per cell.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, model_validator

from sensorium.core.arrays import InUnitArray
from sensorium.core.configuration import configured
from sensorium.core.errors import SceneError
from sensorium.core.files import InputFile
from sensorium.core.units import Metres, PositiveMetres
from sensorium.scene.mesh import Mesh
from sensorium.scene.revolution import grid_triangles
from sensorium.scene.shape import Shape

Floats = NDArray[np.float64]


def _even(rows: Any) -> Any:
    """Refuse rows of different lengths."""
    if isinstance(rows, list | tuple) and all(isinstance(row, list | tuple) for row in rows):
        lengths = {len(row) for row in rows}
        if len(lengths) > 1:
            raise ValueError(f"all rows must have the same length, found {min(lengths)} to {max(lengths)} heights")
    return rows


@configured
class HeightField(Shape):
    """Heights written out: nested lists or an array [rows, columns], at least 2 x 2."""

    type: Literal["height_field"] = "height_field"
    heights_m: Annotated[Floats, InUnitArray("m", (None, None)), BeforeValidator(_even)]
    cell_m: PositiveMetres
    """Distance between neighbouring samples."""

    @model_validator(mode="after")
    def _has_cells(self) -> HeightField:
        if min(self.heights_m.shape) < 2:
            raise ValueError(f"heights_m must have at least 2 rows and 2 columns, found {self.heights_m.shape}")
        return self

    def mesh(self) -> Mesh:
        """Return two triangles per cell, with normals from central differences of the heights."""
        return height_mesh(self.heights_m, self.cell_m)


@configured
class HeightFile(Shape):
    """Heights from a file: PNG (8 or 16 bit grey, black to white), CSV (metres, commas or blanks), NPY (metres)."""

    type: Literal["height_file"] = "height_file"
    path: InputFile
    cell_m: PositiveMetres
    """Distance between neighbouring samples."""
    black_m: Metres = 0.0
    """Height of black in a PNG."""
    white_m: Metres = 1.0
    """Height of white (255 or 65535) in a PNG."""

    def mesh(self) -> Mesh:
        """Return two triangles per cell, with normals from central differences of the heights."""
        return height_mesh(self._heights(), self.cell_m)

    def _heights(self) -> Floats:
        readers = {".png": self._from_png, ".csv": self._from_csv, ".npy": self._from_npy}
        if self.path.suffix.lower() not in readers:
            raise SceneError(f"{self.path}: heights are read from .png, .csv or .npy, not from '{self.path.suffix}'")
        try:
            heights = np.asarray(readers[self.path.suffix.lower()](), np.float64)
        except (OSError, ValueError, SyntaxError, EOFError) as error:
            raise SceneError(f"{self.path}: the heights cannot be read: {error}") from None
        if heights.ndim != 2 or min(heights.shape) < 2:
            raise SceneError(f"{self.path}: expected a grid of at least 2 x 2 heights, found shape {heights.shape}")
        if not np.isfinite(heights).all():
            row, column = np.argwhere(~np.isfinite(heights))[0]
            raise SceneError(f"{self.path}: the height in row {row}, column {column} is not finite")
        return heights

    def _from_png(self) -> Floats:
        from PIL import Image

        with Image.open(self.path) as image:
            if image.mode not in ("L", "I;16", "I;16B", "I"):
                raise ValueError(f"expected one grey channel of 8 or 16 bit, found mode {image.mode}")
            grey = np.asarray(image, np.float64) / (255 if image.mode == "L" else 65535)
        return self.black_m + grey * (self.white_m - self.black_m)

    def _from_csv(self) -> Floats:
        text = self.path.read_text(encoding="utf-8").replace(",", " ").replace(";", " ")
        return np.loadtxt(text.splitlines(), ndmin=2)

    def _from_npy(self) -> Floats:
        return np.asarray(np.load(self.path, allow_pickle=False), np.float64)


def height_mesh(heights_m: Floats, cell_m: float) -> Mesh:
    """Return the mesh of heights [rows, columns]: two triangles per cell, normal = (-dz/dx, -dz/dy, 1) normalised."""
    upward = heights_m[::-1]  # rows from south to north
    rows, columns = upward.shape
    y, x = np.meshgrid(np.arange(rows) - (rows - 1) / 2, np.arange(columns) - (columns - 1) / 2, indexing="ij")
    vertices = np.stack((x * cell_m, y * cell_m, upward), -1).reshape(-1, 3)
    slope_y, slope_x = np.gradient(upward, cell_m)
    normals = np.stack((-slope_x, -slope_y, np.ones_like(upward)), -1).reshape(-1, 3)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    uv = np.stack((x / (columns - 1) + 0.5, y / (rows - 1) + 0.5), -1).reshape(-1, 2)
    return Mesh(vertices, grid_triangles(rows, columns).astype(np.int32), normals, uv)
