"""A world that MuJoCo moves, as it stands in scenario files.

world:
  type: mujoco
  file: road_vehicle              # a model of the package, or the path of an MJCF or URDF file
  surface: wet                    # friction of the ground: dry, wet, snow, ice
  commands: {type: constant, values: {drive: 800, steering: 0.05}}
  around: {type: street, ego: false}        # what else stands there; the car neither feels nor hits it
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any, Literal

from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.errors import SceneError, did_you_mean
from sensorium.core.files import InputFile
from sensorium.core.units import PositiveSeconds
from sensorium.materials.library import MaterialLibrary, standard_library
from sensorium.motion.mujoco.commands import AnyCommands, Commands, Constant
from sensorium.motion.mujoco.dynamics import Dynamics
from sensorium.motion.mujoco.loading import load_model, model_path
from sensorium.motion.mujoco.model_file import ModelFile
from sensorium.motion.mujoco.moving import MujocoJoint
from sensorium.scene.importing.mujoco_bodies import GROUPS, Look, bodies_of_dynamics
from sensorium.scene.road_surface import ADHESION, MATERIALS, RoadSurface
from sensorium.scene.scene import Scene
from sensorium.scene.street.street import Street


@configured
class MujocoWorld:
    """Bodies and joints of an MJCF or URDF model, moved by MuJoCo; no sensor has any effect on them.

    >>> scene = MujocoWorld(file="double_pendulum", keyframe="swing").build()
    >>> scene.body("lower"), scene.joint("elbow")
    """

    type: Literal["mujoco"] = "mujoco"
    file: ModelFile
    """Path of an MJCF or URDF file, or a model of the package: road_vehicle, differential_robot, double_pendulum."""
    commands: AnyCommands = Field(default_factory=Constant)
    """What the actuators are told; a closed loop takes the place of this."""
    step_s: PositiveSeconds | None = None
    """Time step of the physics; None: that of the file."""
    keyframe: str | None = None
    """State at the start, by its name in the file; None: the model's own zero."""
    surface: RoadSurface | None = None
    """What lies on the ground: its friction and what it looks like; None: as the file has it."""
    ground: str = "ground*"
    """Pattern of the geoms that `surface` is about."""
    materials: dict[str, str] = Field(default_factory=dict)
    """From shell-style patterns for names in the file to names in the library; see `importing.mujoco_bodies`."""
    materials_file: InputFile | None = None
    """A YAML file with more such patterns; those written here come first."""
    default_material: str | None = None
    labels: dict[str, str] = Field(default_factory=dict)
    """From patterns for bodies and geoms to classes."""
    unseen: tuple[str, ...] = ()
    """Patterns of geoms that no sensor sees, for example the ground where a street lies."""
    groups: tuple[int, ...] = GROUPS
    """Groups of geoms that are seen."""
    around: Street | None = None
    """What stands around without touching anything: the physics know nothing of it."""

    def dynamics(self, commands: Commands | None) -> Dynamics:
        """Return the world at its start; without commands it waits for `advance`."""
        loaded = load_model(model_path(self.file), self.step_s)
        if self.surface is not None:
            _lay(loaded.model, self.ground, ADHESION[self.surface])
        return Dynamics(loaded, commands, self.keyframe)

    def build(self, library: MaterialLibrary | None = None, dynamics: Dynamics | None = None) -> Scene:
        """Return the scene, moved by a world of `dynamics`, or by one of its own that follows the commands."""
        library = standard_library() if library is None else library
        moved = self.dynamics(self.commands) if dynamics is None else dynamics
        bodies = bodies_of_dynamics(moved, library, self._look())
        around = () if self.around is None else self.around.build(library).bodies
        _refuse_clashes({body.name for body in bodies} & {body.name for body in around})
        joints = {name: MujocoJoint(moved, name) for name in moved.joints}
        return Scene((*bodies, *around), library, joints=joints, other_joints=moved.other_joints,
                     gravity_m_s2=moved.gravity_m_s2)  # fmt: skip

    def _look(self) -> Look:
        from sensorium.scene.importing.material_rules import read_patterns

        patterns: Mapping[str, str] = {**self.materials, **_missing(read_patterns(self.materials_file), self.materials)}
        surface = None if self.surface not in MATERIALS else (self.ground, MATERIALS[self.surface])
        return Look(patterns, self.default_material, self.labels, self.unseen, self.groups, surface)


def _refuse_clashes(names: set[str]) -> None:
    if names:
        raise SceneError(
            f"the model and what is around it both have a body '{min(names)}'; rename that of the model, or list it under "
            f"`unseen` if sensors shall see the other one: unseen: [{min(names)}]"
        )


def _missing(more: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in more.items() if key not in known}


def _lay(model: Any, pattern: str, adhesion: float) -> None:
    """Give the geoms of the ground a friction that wins over that of the tyres."""
    names = {model.geom(number).name: number for number in range(model.ngeom)}
    found = [number for name, number in names.items() if name and fnmatchcase(name, pattern)]
    if not found:
        raise SceneError(
            f"no geom fits the pattern '{pattern}' of the ground.{did_you_mean(pattern, filter(None, names))}"
        )
    for number in found:
        model.geom_friction[number, 0] = adhesion
        model.geom_priority[number] = 1 + max(model.geom_priority)
