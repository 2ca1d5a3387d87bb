"""The world: bodies with materials. It knows nothing of sensors and nothing of how rays are traced."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sensorium.atmosphere import CLEAR, Medium
from sensorium.atmosphere.weather import ConstantWeather, Weather
from sensorium.core.errors import SceneError, did_you_mean
from sensorium.core.pose import Pose
from sensorium.core.time import Times
from sensorium.core.units import STANDARD_GRAVITY_M_S2
from sensorium.materials.library import MaterialLibrary, standard_library
from sensorium.motion.fixed import Fixed
from sensorium.motion.joint import Joint
from sensorium.motion.motion import Kinematics, Motion
from sensorium.scene.body import Body, Part
from sensorium.scene.lamp import Lamp
from sensorium.scene.magnetic_field import MagneticField
from sensorium.scene.origin import Origin
from sensorium.scene.sun import Sun
from sensorium.scene.temperature.temperature import HeatBalance, Temperature

if TYPE_CHECKING:
    from sensorium.scene.temperature.surfaces import SurfaceHeat


@dataclass(frozen=True, eq=False)
class Scene:
    """Bodies and the library that explains their materials.

    Tables with one row per part use the part's global number: `part_offset[body] + part`.
    """

    bodies: tuple[Body, ...] = ()
    library: MaterialLibrary = field(default_factory=standard_library)
    air: Medium = CLEAR
    weather: Weather = field(default_factory=ConstantWeather)
    sun: Sun | None = None
    """None: night, or no care for the sun."""
    origin: Origin | None = None
    """Where on Earth and when; None: nowhere in particular."""
    magnetic_field: MagneticField | None = None
    joints: Mapping[str, Joint] = field(default_factory=dict)
    """Hinges and slides by their names."""
    other_joints: Mapping[str, str] = field(default_factory=dict)
    """From the names of joints without a single coordinate to what they are: ball or free."""
    lamps: tuple[Lamp, ...] = ()
    """What gives light by itself, at night or always."""
    gravity_m_s2: tuple[float, float, float] = (0.0, 0.0, -STANDARD_GRAVITY_M_S2)
    """Acceleration of what falls freely, world frame."""
    temperature: Temperature = field(default_factory=HeatBalance)
    """How warm those parts are that neither they nor their bodies say."""

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for body in self.bodies:
            if body.name in seen:
                raise SceneError(f"two bodies are named '{body.name}'; names must be unique")
            seen.add(body.name)
            for part in body.model.parts:
                if part.material not in self.library:
                    raise SceneError(
                        f"part '{part.name}' of body '{body.name}' has the unknown material '{part.material}'."
                        + did_you_mean(part.material, self.library.names)
                    )
        _ = self._field  # a field that does not fit the scene is refused here, not at the first reading

    @property
    def place_on_earth(self) -> Origin:
        """The origin, for those who need one; SceneError if there is none."""
        if self.origin is None:
            raise SceneError(
                "the scene has no origin on Earth; give it one, for example "
                "{latitude_rad: 48.1 deg, longitude_rad: 11.6 deg, altitude_m: 520}"
            )
        return self.origin

    def with_bodies(self, bodies: Iterable[Body]) -> Scene:
        """Return a scene with more bodies."""
        return replace(self, bodies=(*self.bodies, *bodies))

    @cached_property
    def body_numbers(self) -> dict[str, int]:
        """Number of each body by its name."""
        return {body.name: number for number, body in enumerate(self.bodies)}

    def body(self, name: str) -> Body:
        """Return the body of that name."""
        if name not in self.body_numbers:
            raise SceneError(f"there is no body '{name}' in the scene.{did_you_mean(name, self.body_numbers)}")
        return self.bodies[self.body_numbers[name]]

    def joint(self, name: str) -> Joint:
        """Return the joint of that name."""
        if name in self.other_joints:
            raise SceneError(
                f"the joint '{name}' is a {self.other_joints[name]} joint, which has no single coordinate; "
                "an angle or a length is measured at a hinge or a slide"
            )
        if name not in self.joints:
            raise SceneError(f"there is no joint '{name}' in the scene.{did_you_mean(name, self.joints)}")
        return self.joints[name]

    def flux_density_t(self, position_m: NDArray[np.float64], times_ns: Times) -> NDArray[np.float64]:
        """Return the magnetic flux density [..., 3] in tesla, world frame, at places [..., 3] and times [...]."""
        if self._field is None:
            raise SceneError(
                "the scene has no magnetic field; give it one, for example {type: uniform, b_t: [0, 20 uT, -44 uT]}"
            )
        return self._field.flux_density_t(position_m, times_ns)

    @cached_property
    def _field(self) -> MagneticField | None:
        """The magnetic field with what it needs of this scene."""
        return None if self.magnetic_field is None else self.magnetic_field.placed(self.origin, self._motion_of)

    def _motion_of(self, body: str) -> Motion:
        return self.body(body).motion

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """All parts in the order of their global numbers."""
        return tuple(part for body in self.bodies for part in body.model.parts)

    @cached_property
    def part_offset(self) -> NDArray[np.int32]:
        """Global number of each body's first part [bodies]."""
        counts = [len(body.model.parts) for body in self.bodies]
        return np.concatenate(([0], np.cumsum(counts, dtype=np.int32)))[:-1].astype(np.int32)

    @cached_property
    def part_material(self) -> NDArray[np.int32]:
        """Row of each part's material in the library [parts]."""
        return np.array([self.library.row(part.material) for part in self.parts], np.int32)

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """All class labels, sorted; a class number is the place in this list."""
        return tuple(sorted({part.label for part in self.parts} | {body.label for body in self.bodies}))

    @cached_property
    def part_class(self) -> NDArray[np.int32]:
        """Class number of each part [parts]."""
        numbers = {label: number for number, label in enumerate(self.classes)}
        return np.array([numbers[part.label] for part in self.parts], np.int32)

    @cached_property
    def heat(self) -> SurfaceHeat:
        """How warm all parts are at any time."""
        from sensorium.scene.temperature.surfaces import SurfaceHeat

        return SurfaceHeat(self)

    @property
    def triangle_count(self) -> int:
        """Number of triangles of all bodies."""
        return sum(body.model.triangle_count for body in self.bodies)

    def poses_at(self, numbers: Sequence[int], times_ns: Times) -> Pose:
        """Return T_world_body [numbers, times]; motions of one kind are evaluated together."""
        kinds = self._kinds(numbers)
        if len(kinds) == 1:
            return next(iter(kinds)).poses_of([self.bodies[number].motion for number in numbers], times_ns)
        position = np.empty((len(numbers), len(times_ns), 3))
        quaternion = np.empty((len(numbers), len(times_ns), 4))
        for kind, rows in kinds.items():
            poses = kind.poses_of([self.bodies[numbers[row]].motion for row in rows], times_ns)
            position[rows], quaternion[rows] = poses.position_m, poses.quaternion
        return Pose(position, quaternion)

    def kinematics_at(self, numbers: Sequence[int], times_ns: Times) -> Kinematics:
        """Return the motion of several bodies [numbers, times]; those of one kind are evaluated together."""
        kinds = self._kinds(numbers)
        if not kinds:
            return Fixed().kinematics_at(np.broadcast_to(times_ns, (0, len(times_ns))))
        each = [
            kind.kinematics_of([self.bodies[numbers[row]].motion for row in rows], times_ns)
            for kind, rows in kinds.items()
        ]
        order = np.argsort(np.concatenate([np.array(rows) for rows in kinds.values()]))
        return each[0] if len(each) == 1 else Kinematics.joined(each).rows(order)

    def _kinds(self, numbers: Sequence[int]) -> dict[type[Motion], list[int]]:
        kinds: dict[type[Motion], list[int]] = {}
        for row, number in enumerate(numbers):
            kinds.setdefault(type(self.bodies[number].motion), []).append(row)
        return kinds
