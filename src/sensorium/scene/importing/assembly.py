"""Parts of a scene made of the pieces of one file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sensorium.scene.body import Part, Texture
from sensorium.scene.importing.findings import Findings
from sensorium.scene.importing.material_rules import MaterialRules, first_fitting
from sensorium.scene.importing.piece import Piece
from sensorium.scene.mesh import Mesh

Floats = NDArray[np.float64]

UNLABELLED = "object"
"""Class of parts that no label fits."""


@dataclass(frozen=True)
class Assembly:
    """Decides what each piece of a file becomes: its mesh in metres, material, class and texture."""

    findings: Findings
    rules: MaterialRules
    labels: Mapping[str, str]
    """From patterns to classes."""
    turn: Floats
    """[3, 3] from the file's axes to x forward, y left, z up."""
    scale: float
    """Metres per unit of the file."""
    _images: dict[int, Texture] = field(default_factory=dict)

    def part(self, piece: Piece, linear: Floats, offset: Floats) -> Part | None:
        """Return the piece, moved by x -> linear x + offset in the file's axes, as a part; None if nothing is left."""
        mesh = piece.mesh(self.scale * self.turn @ linear, self.scale * self.turn @ offset, self.findings)
        if not len(mesh.triangles):
            return None
        pattern = first_fitting(self.labels, piece)
        label = UNLABELLED if pattern is None else self.labels[pattern]
        return Part(piece.name, mesh, self.rules.material_of(piece), label, self._texture(piece))

    def _texture(self, piece: Piece) -> Texture | None:
        if piece.image is None or piece.uv is None:
            return None
        key = id(piece.image)
        if key not in self._images:
            self._images[key] = Texture(piece.material or piece.name, _pixels(piece, self.findings))
        return self._images[key]

    def finish(self, count: int) -> None:
        """Give the one warning; refuse a file that left nothing."""
        if not count:
            raise self.findings.error("", "; ".join(["there are no triangles in it", *self.findings.notes]))
        self.rules.tell(self.findings)
        self.findings.warn()


def _pixels(piece: Piece, findings: Findings) -> NDArray[np.uint8]:
    try:
        image = piece.image.convert("RGBA" if "A" in piece.image.getbands() else "RGB")
        return np.asarray(image, np.uint8)
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise findings.error(f"part '{piece.name}'", f"its texture is damaged: {error}") from None


def joined(meshes: Sequence[Mesh]) -> Mesh:
    """Return one mesh; it keeps normals, or texture coordinates, if all of them have them."""
    starts = np.cumsum([0, *(len(mesh.vertices_m) for mesh in meshes)])
    triangles = [mesh.triangles + start for mesh, start in zip(meshes, starts, strict=False)]
    normals = [mesh.normals for mesh in meshes if mesh.normals is not None]
    uv = [mesh.uv for mesh in meshes if mesh.uv is not None]
    return Mesh(
        np.concatenate([mesh.vertices_m for mesh in meshes]),
        np.concatenate(triangles).astype(np.int32),
        np.concatenate(normals) if len(normals) == len(meshes) else None,
        np.concatenate(uv) if len(uv) == len(meshes) else None,
    )
