"""Poses: vectorised rigid-body transforms (SE(3)).

``T_world_lidar`` takes lidar coordinates to world coordinates; names are chained so that neighbours cancel:
``T_world_lidar = T_world_car @ T_car_lidar``. Quaternions are wxyz with unit length. Leading axes are batch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sensorium.core.errors import ConfigurationError, Problem, did_you_mean, shown
from sensorium.core.steps import steps_text
from sensorium.core.units import to_si
from sensorium.core.vectors import cross

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

Floats = NDArray[np.float64]
_UNIT_WITHIN = 4 * np.finfo(np.float64).eps
_SETTINGS = {"position_m": ("m", 3), "rpy_rad": ("rad", 3), "quaternion_wxyz": ("1", 4)}
"""What a document says of a pose: name -> (unit, how many numbers)."""


def multiply(a: Floats, b: Floats) -> Floats:
    """Hamilton product of quaternions wxyz [..., 4]."""
    aw, ax, ay, az = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bw, bx, by, bz = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    product = np.empty(np.broadcast_shapes(a.shape, b.shape))
    product[..., 0] = aw * bw - ax * bx - ay * by - az * bz
    product[..., 1] = aw * bx + ax * bw + ay * bz - az * by
    product[..., 2] = aw * by - ax * bz + ay * bw + az * bx
    product[..., 3] = aw * bz + ax * by - ay * bx + az * bw
    return product


def rotate(quaternion: Floats, vectors: Floats) -> Floats:
    """Rotate vectors [..., 3] by quaternions wxyz [..., 4]: v + 2 w (q x v) + 2 q x (q x v)."""
    w, q = quaternion[..., :1], quaternion[..., 1:]
    twice = 2 * cross(q, vectors)
    return np.asarray(vectors + w * twice + cross(q, twice))


def conjugate(quaternion: Floats) -> Floats:
    """Inverse of unit quaternions wxyz [..., 4]."""
    return np.asarray(quaternion * np.array([1.0, -1.0, -1.0, -1.0]))


def slerp(a: Floats, b: Floats, fraction: Floats) -> Floats:
    """Shortest great-circle interpolation between unit quaternions [..., 4]; fraction [...] in 0..1."""
    dot = np.sum(a * b, -1, keepdims=True)
    b = np.where(dot < 0, -b, b)
    angle = np.arccos(np.clip(np.abs(dot), 0, 1))
    sine = np.sin(angle)
    near = sine < 1e-9  # the limit is the linear form
    safe = np.where(near, 1.0, sine)
    f = np.asarray(fraction)[..., None]
    mixed = np.where(near, 1 - f, np.sin((1 - f) * angle) / safe) * a + np.where(near, f, np.sin(f * angle) / safe) * b
    return np.asarray(mixed / np.linalg.norm(mixed, axis=-1, keepdims=True))


@dataclass(frozen=True, eq=False)
class Pose:
    """A rigid-body transform: position_m [..., 3] and quaternion wxyz [..., 4], float64, finite, unit length."""

    position_m: Floats
    quaternion: Floats

    def __post_init__(self) -> None:
        position = np.asarray(self.position_m, np.float64)
        quaternion = np.array(self.quaternion, np.float64)
        if position.shape[-1:] != (3,) or quaternion.shape[-1:] != (4,):
            raise ConfigurationError(
                f"a pose needs position [..., 3] and quaternion [..., 4], found {position.shape} and {quaternion.shape}"
            )
        with np.errstate(over="ignore"):
            length = np.sqrt(np.add.reduce(quaternion * quaternion, -1, keepdims=True))
        object.__setattr__(self, "position_m", position)
        object.__setattr__(self, "quaternion", quaternion)
        unit = np.abs(length - 1) <= _UNIT_WITHIN
        every = bool(unit.all())
        if not (np.isfinite(position).all() and (every or (np.isfinite(length).all() and (length > 1e-6).all()))):
            raise ConfigurationError("a pose must be finite, its quaternion not zero; found NaN, infinity or 0")
        if not every:  # what is of unit length is left as it is: a pose read again is the same to the last bit
            object.__setattr__(self, "quaternion", np.where(unit, quaternion, quaternion / length))

    @classmethod
    def unchecked(cls, position_m: Floats, quaternion: Floats) -> Pose:
        """Return a pose of arrays that are known to be right: float64, finite, unit length. The checks cost 10 us a call,
        which counts where a motion is asked a thousand times a second for one instant.
        """
        made = object.__new__(cls)
        made.__dict__["position_m"], made.__dict__["quaternion"] = position_m, quaternion
        return made

    @classmethod
    def identity(cls) -> Pose:
        """Return the pose that changes nothing."""
        return cls(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))

    @classmethod
    def at(cls, x_m: float, y_m: float, z_m: float, yaw_rad: float = 0.0) -> Pose:
        """Return a pose at a place, turned about the upward axis."""
        return cls.from_rpy((x_m, y_m, z_m), (0.0, 0.0, yaw_rad))

    @classmethod
    def from_rpy(cls, position_m: ArrayLike, rpy_rad: ArrayLike) -> Pose:
        """From roll, pitch, yaw about the fixed axes x, y, z (REP 103): R = Rz(yaw) Ry(pitch) Rx(roll)."""
        half = np.moveaxis(np.asarray(rpy_rad, np.float64), -1, 0) / 2
        (cr, cp, cy), (sr, sp, sy) = np.cos(half), np.sin(half)
        quaternion = np.stack(
            (
                cr * cp * cy + sr * sp * sy,
                sr * cp * cy - cr * sp * sy,
                cr * sp * cy + sr * cp * sy,
                cr * cp * sy - sr * sp * cy,
            ),
            -1,
        )
        return cls(np.asarray(position_m, np.float64), quaternion)

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> Pose:
        """Of matrices [..., 4, 4] or [..., 3, 4] whose 3 x 3 block is a rotation within 1e-3 (no scale, no mirror)."""
        from scipy.spatial.transform import Rotation

        m = np.asarray(matrix, np.float64)
        if m.shape[-2:] not in ((4, 4), (3, 4)):
            raise ConfigurationError(f"a pose is made of matrices [..., 4, 4] or [..., 3, 4], found {m.shape}")
        turn = m[..., :3, :3]
        flaw = np.abs(turn @ np.swapaxes(turn, -1, -2) - np.eye(3)).max(initial=0)
        if not flaw < 1e-3 or not (np.linalg.det(turn) > 0).all():
            raise ConfigurationError("the matrix is not that of a rigid motion: its 3 x 3 block must be a rotation")
        flat = Rotation.from_matrix(m[..., :3, :3].reshape(-1, 3, 3)).as_quat(scalar_first=True)
        return cls(m[..., :3, 3], flat.reshape(*m.shape[:-2], 4))

    @property
    def shape(self) -> tuple[int, ...]:
        """Batch shape."""
        return np.broadcast_shapes(self.position_m.shape[:-1], self.quaternion.shape[:-1])

    def __getitem__(self, index: Any) -> Pose:
        """Return the poses at an index of the batch axes."""
        batch = (*index, slice(None)) if isinstance(index, tuple) else (index, slice(None))
        position = np.broadcast_to(self.position_m, (*self.shape, 3))
        return Pose(position[batch], np.broadcast_to(self.quaternion, (*self.shape, 4))[batch])

    def __matmul__(self, other: Pose) -> Pose:
        return Pose(self.transform(other.position_m), multiply(self.quaternion, other.quaternion))

    def inverse(self) -> Pose:
        """Return the transform that undoes this one."""
        back = conjugate(self.quaternion)
        return Pose(-rotate(back, self.position_m), back)

    def transform(self, points_m: Floats) -> Floats:
        """Take points [..., 3] from the inner to the outer frame."""
        return rotate(self.quaternion, points_m) + self.position_m

    def rotate(self, vectors: Floats) -> Floats:
        """Take directions [..., 3] from the inner to the outer frame."""
        return rotate(self.quaternion, vectors)

    def matrix(self) -> Floats:
        """Return homogeneous matrices [..., 4, 4]."""
        result = np.zeros((*self.shape, 4, 4))
        axes = [rotate(self.quaternion, axis) for axis in np.eye(3)]
        result[..., :3, :3] = np.stack(axes, -1)
        result[..., :3, 3] = self.position_m
        result[..., 3, 3] = 1
        return result

    def rpy_rad(self) -> Floats:
        """Return roll, pitch, yaw [..., 3] about the fixed axes x, y, z; pitch within +-pi/2."""
        w, x, y, z = np.moveaxis(self.quaternion, -1, 0)
        roll = np.arctan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
        pitch = np.arcsin(np.clip(2 * (w * y - z * x), -1, 1))
        yaw = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
        return np.stack((roll, pitch, yaw), -1)

    def interpolate(self, other: Pose, fraction: ArrayLike) -> Pose:
        """Linear in position, great-circle in rotation; fraction 0 is this pose, 1 the other."""
        f = np.asarray(fraction, np.float64)
        position = self.position_m + (other.position_m - self.position_m) * f[..., None]
        return Pose(position, slerp(self.quaternion, other.quaternion, f))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema

        entry = core_schema.union_schema([core_schema.float_schema(), core_schema.str_schema()])
        lists = {key: core_schema.list_schema(entry, min_length=n, max_length=n) for key, (_, n) in _SETTINGS.items()}
        fields = {key: core_schema.typed_dict_field(schema, required=False) for key, schema in lists.items()}
        return core_schema.no_info_plain_validator_function(
            _from_document, json_schema_input_schema=core_schema.typed_dict_schema(fields, extra_behavior="forbid")
        )

    def to_document(self) -> dict[str, list[float]]:
        """Return the settings that make this pose in a document."""
        return {"position_m": self.position_m.tolist(), "quaternion_wxyz": self.quaternion.tolist()}


def _from_document(value: object) -> Pose:
    """Read {position_m: [x, y, z], rpy_rad: [r, p, y]} or with quaternion_wxyz instead of rpy_rad."""
    if isinstance(value, Pose) and value.shape == ():
        return value
    if isinstance(value, Pose):
        raise ValueError(f"expected one pose, found a batch of shape {value.shape}")
    if not isinstance(value, Mapping):
        raise ValueError(f"expected {{position_m: [x, y, z], rpy_rad: [roll, pitch, yaw]}}, found {shown(value)}")
    unknown = [steps_text((str(key),)) for key in value if key not in _SETTINGS]
    problems = [Problem(key, f"is not a setting of Pose.{did_you_mean(key, _SETTINGS)}") for key in unknown]
    if "rpy_rad" in value and "quaternion_wxyz" in value:
        problems.append(Problem("", "give either rpy_rad or quaternion_wxyz, not both"))
    read = {key: _numbers(value[key], key, problems) for key in _SETTINGS if key in value}
    quaternion = np.array(read.get("quaternion_wxyz", (1.0, 0.0, 0.0, 0.0)))
    if not problems and abs(float(np.linalg.norm(quaternion)) - 1) > 1e-3:
        problems.append(Problem("quaternion_wxyz", f"must have length 1, found {shown(value['quaternion_wxyz'])}"))
    if problems:
        raise ConfigurationError(problems)
    position = read.get("position_m", [0.0, 0.0, 0.0])
    return Pose.from_rpy(position, read["rpy_rad"]) if "rpy_rad" in read else Pose(np.array(position), quaternion)


def _numbers(entry: object, key: str, problems: list[Problem]) -> list[float]:
    """Return the numbers of one setting in SI; what is wrong with them goes to the problems."""
    unit, count = _SETTINGS[key]
    if not isinstance(entry, list | tuple | np.ndarray) or len(entry) != count:
        problems.append(Problem(key, f"expected a list of {count} numbers, found {shown(entry)}"))
        return []
    numbers = []
    for index, item in enumerate(entry):
        try:
            numbers.append(to_si(item, unit))
        except ValueError as error:
            problems.append(Problem(f"{key}[{index}]", str(error)))
    return numbers
