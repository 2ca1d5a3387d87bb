"""Models from files: glTF, GLB, OBJ, PLY and STL become parts with materials of the library.

Whatever is wrong with a file is one `SceneError` that names it; what was put right is one `SceneWarning`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import Pose
from sensorium.materials.library import MaterialLibrary, standard_library
from sensorium.motion.fixed import Fixed
from sensorium.scene.body import Body, Model
from sensorium.scene.importing.assembly import UNLABELLED, Assembly, joined
from sensorium.scene.importing.axes import Axes
from sensorium.scene.importing.findings import Findings, SceneWarning
from sensorium.scene.importing.material_rules import STAND_IN, MaterialRules, read_patterns
from sensorium.scene.importing.piece import Piece
from sensorium.scene.importing.reading import read_pieces
from sensorium.scene.mesh import Mesh

__all__ = ["Axes", "SceneWarning", "import_bodies", "import_mesh", "import_model"]

Floats = NDArray[np.float64]
Patterns = Mapping[str, str]


def import_model(
    path: Path | str,
    materials: Patterns | Path | str | None = None,
    default_material: str | None = None,
    *,
    label: str | Patterns = UNLABELLED,
    axes: Axes | None = None,
    scale: float = 1.0,
    textures: bool = True,
    library: MaterialLibrary | None = None,
    name: str | None = None,
) -> Model:
    """Return all that a file holds as one rigid model in its own frame, x forward, y left, z up, metres.

    `materials` maps shell-style patterns to names of the library, or is the path of a YAML file with such a mapping;
    see `MaterialRules`. `label` is the class of all parts, or maps patterns to classes. `axes` say how the file is
    turned (see `Axes`), `scale` how many metres its unit has. Without `textures` images are neither read nor missed.
    """
    assembly, pieces = _opened(Path(path), materials, default_material, label, axes, scale, textures, library)
    made = [assembly.part(piece, piece.T_file_node[:3, :3], piece.T_file_node[:3, 3]) for piece in pieces]
    parts = tuple(part for part in made if part is not None)
    assembly.finish(len(parts))
    return Model(name or Path(path).stem, parts)


def import_bodies(
    path: Path | str,
    materials: Patterns | Path | str | None = None,
    default_material: str | None = None,
    *,
    label: str | Patterns = UNLABELLED,
    axes: Axes | None = None,
    scale: float = 1.0,
    textures: bool = True,
    library: MaterialLibrary | None = None,
    prefix: str = "",
    pose: Pose | None = None,
) -> tuple[Body, ...]:
    """Return one fixed body per node that has geometry, each in the frame of its node; see `import_model`.

    `pose` places the file in the world; `prefix` goes before the names of all bodies. What a node scales, mirrors or
    shears goes into the mesh; its turn and place become the body's pose.
    """
    assembly, pieces = _opened(Path(path), materials, default_material, label, axes, scale, textures, library)
    bodies = []
    for node in dict.fromkeys(piece.node for piece in pieces):
        mine = [piece for piece in pieces if piece.node == node]
        rotation, rest = _polar(mine[0].T_file_node[:3, :3])
        made = [assembly.part(piece, rest, np.zeros(3)) for piece in mine]
        parts = tuple(part for part in made if part is not None)
        if parts:
            place = (pose or Pose.identity()) @ _turned(rotation, mine[0].T_file_node[:3, 3], assembly)
            bodies.append(Body(prefix + node, Model(node, parts), Fixed(pose=place)))
    assembly.finish(len(bodies))
    return tuple(bodies)


def import_mesh(path: Path | str, *, axes: Axes | None = None, scale: float = 1.0) -> Mesh:
    """Return all triangles of a file as one mesh; materials and textures are not looked at."""
    model = import_model(path, None, STAND_IN, axes=axes, scale=scale, textures=False)
    return joined([part.mesh for part in model.parts])


def _opened(
    path: Path,
    materials: Patterns | Path | str | None,
    default_material: str | None,
    label: str | Patterns,
    axes: Axes | None,
    scale: float,
    textures: bool,
    library: MaterialLibrary | None,
) -> tuple[Assembly, list[Piece]]:
    findings = Findings(path)
    rules = MaterialRules(read_patterns(materials), library or standard_library(), default_material)
    labels = {"*": label} if isinstance(label, str) else label
    turn = (axes or Axes.of_format(path)).rotation()
    return Assembly(findings, rules, labels, turn, scale), read_pieces(path, findings, textures)


def _turned(rotation: Floats, offset: Floats, assembly: Assembly) -> Pose:
    """Return a pose in the file's axes as one in x forward, y left, z up, metres."""
    matrix = np.eye(4)
    matrix[:3, :3] = assembly.turn @ rotation @ assembly.turn.T
    matrix[:3, 3] = assembly.scale * assembly.turn @ offset
    return Pose.from_matrix(matrix)


def _polar(linear: Floats) -> tuple[Floats, Floats]:
    """Split a linear map into a proper rotation and what is left to do before it: linear = rotation @ rest."""
    left, _, right = np.linalg.svd(linear)
    rotation = left @ np.diag([1.0, 1.0, np.linalg.det(left @ right)]) @ right
    return rotation, rotation.T @ linear
