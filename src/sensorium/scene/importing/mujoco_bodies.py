"""Bodies of a MuJoCo world as bodies of a scene, for every sensor that looks.

Materials: the first shell-style pattern that fits the name of the geom's material, of its body or of the geom itself;
then a material of the library that bears the name of the model's material, of its texture or of the geom ("Car Paint
Red.001" is car_paint_red); else the default. Geoms whose colour is fully transparent, and those of the groups that
MuJoCo's own viewer hides (3 to 5, where collision shapes are kept), are not seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from sensorium.core.pose import Pose
from sensorium.materials.library import MaterialLibrary
from sensorium.motion.fixed import Fixed
from sensorium.motion.motion import Motion
from sensorium.motion.mujoco.dynamics import Dynamics
from sensorium.motion.mujoco.moving import MujocoMotion
from sensorium.scene.body import Body, Model, Part
from sensorium.scene.importing.assembly import UNLABELLED
from sensorium.scene.importing.findings import Findings
from sensorium.scene.importing.material_rules import MaterialRules, first_fitting, spellings
from sensorium.scene.importing.mujoco_geoms import geom_piece, texture_name
from sensorium.scene.importing.piece import Piece

GROUPS = (0, 1, 2)
"""Groups of geoms that MuJoCo's viewer shows."""


@dataclass(frozen=True, eq=False)
class Look:
    """How the geoms of a model appear to sensors."""

    materials: Mapping[str, str]
    """From patterns to materials."""
    default_material: str | None
    labels: Mapping[str, str]
    """From patterns to classes."""
    unseen: tuple[str, ...] = ()
    """Patterns of geoms that no sensor sees."""
    groups: tuple[int, ...] = GROUPS
    surface: tuple[str, str] | None = None
    """Pattern of the ground and the material of what lies on it; it wins over the model's own, not over `materials`."""


def bodies_of_dynamics(dynamics: Dynamics, library: MaterialLibrary, look: Look) -> tuple[Body, ...]:
    """Return one body for each body of the model that has a visible geom, and one for each geom of the world itself."""
    findings = Findings(dynamics.path)
    rules = MaterialRules(look.materials, library, look.default_material)
    made = []
    for number in range(dynamics.model.nbody):
        parts = tuple(_part(piece, findings, rules, look) for piece in _visible(dynamics.model, number, look, library))
        if number == 0:
            made += [Body(part.name, Model(part.name, (part,)), Fixed()) for part in parts]
        elif parts:
            name = dynamics.model.body(number).name
            made.append(Body(name, Model(name, parts), _motion(dynamics, number), _label_of(name, look)))
    rules.tell(findings)
    findings.warn()
    return tuple(made)


def _motion(dynamics: Dynamics, number: int) -> Motion:
    if number in dynamics.moving:
        return MujocoMotion(dynamics, dynamics.moving.index(number))
    return Fixed(pose=Pose(*dynamics.still_pose(number)))


def _visible(model: Any, body: int, look: Look, library: MaterialLibrary) -> Iterator[Piece]:
    first = int(model.body_geomadr[body])
    for number in range(first, first + int(model.body_geomnum[body])) if first >= 0 else ():
        piece = geom_piece(model, number)
        seen = int(model.geom_group[number]) in look.groups and _opaque(model, number)
        if not seen or any(fnmatchcase(name, pattern) for name in (piece.name, piece.node) for pattern in look.unseen):
            continue
        names = [piece.material, texture_name(model, number), piece.name]
        known = next((name for name in names for one in spellings(name) if one in library), piece.material)
        if look.surface is not None and fnmatchcase(piece.name, look.surface[0]):
            known = look.surface[1]
        yield replace(piece, material=known)


def _opaque(model: Any, number: int) -> bool:
    material = int(model.geom_matid[number])
    return float(model.geom_rgba[number, 3]) > 0 and (material < 0 or float(model.mat_rgba[material, 3]) > 0)


def _part(piece: Piece, findings: Findings, rules: MaterialRules, look: Look) -> Part:
    mesh = piece.mesh(piece.T_file_node[:3, :3], piece.T_file_node[:3, 3], findings)
    pattern = first_fitting(look.labels, piece)
    label = UNLABELLED if pattern is None else look.labels[pattern]
    return Part(piece.name, mesh, rules.material_of(piece), label)


def _label_of(body: str, look: Look) -> str:
    """Return the class of a whole body: the first pattern that fits its name; empty: that of its first part."""
    return next((label for pattern, label in look.labels.items() if fnmatchcase(body, pattern)), "")
