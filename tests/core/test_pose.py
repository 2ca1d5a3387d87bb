"""Poses form the group SE(3)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation, Slerp

from sensorium.core.configuration import build, to_document
from sensorium.core.errors import ConfigurationError
from sensorium.core.pose import Pose, slerp

REACH_M = 1e4
EPS = 2.0**-52
LOOSE_M = 40 * EPS * REACH_M  # some dozens of roundings of coordinates of that size

parts = st.floats(-1, 1, allow_nan=False)
vectors = hnp.arrays(np.float64, 3, elements=st.floats(-REACH_M, REACH_M, allow_nan=False))
quaternions = hnp.arrays(np.float64, 4, elements=parts).filter(lambda q: np.linalg.norm(q) > 1e-3)
poses = st.builds(Pose, vectors, quaternions)
angles = st.floats(-math.pi, math.pi, allow_nan=False)


def rotation(pose: Pose) -> Rotation:
    return Rotation.from_quat(pose.quaternion, scalar_first=True)


def assert_same(one: Pose, other: Pose, scale: float = 1.0) -> None:
    """Same place and same rotation; q and -q are the same rotation."""
    assert_allclose(one.position_m, other.position_m, rtol=0, atol=LOOSE_M * scale)
    dot = np.abs(np.sum(one.quaternion * other.quaternion, -1))
    assert_allclose(dot, 1, atol=20 * EPS)


@given(poses, poses, vectors)
def test_product_means_one_after_the_other(a: Pose, b: Pose, point: np.ndarray) -> None:
    """(A B) p = A (B p), and the product is a pose again: unit quaternion, finite."""
    product = a @ b
    assert np.linalg.norm(product.quaternion) == pytest.approx(1, abs=4 * EPS)
    assert_allclose(product.transform(point), a.transform(b.transform(point)), rtol=0, atol=4 * LOOSE_M)


@given(poses, poses, poses)
def test_associative(a: Pose, b: Pose, c: Pose) -> None:
    """(A B) C = A (B C)."""
    assert_same((a @ b) @ c, a @ (b @ c), 4)


@given(poses)
def test_identity_and_inverse(pose: Pose) -> None:
    """A 1 = 1 A = A, and A A^-1 = A^-1 A = 1."""
    one = Pose.identity()
    for same in (pose @ one, one @ pose, pose.inverse().inverse()):
        assert_same(same, pose)
    for nothing in (pose @ pose.inverse(), pose.inverse() @ pose):
        assert_same(nothing, one, 4)


@given(poses, vectors)
def test_agrees_with_an_independent_implementation(pose: Pose, vector: np.ndarray) -> None:
    """Rotation of vectors and the 3 x 3 matrix are those of scipy for the same quaternion."""
    theirs = rotation(pose)
    assert_allclose(pose.rotate(vector), theirs.apply(vector), rtol=0, atol=LOOSE_M)
    assert_allclose(pose.matrix()[:3, :3], theirs.as_matrix(), rtol=0, atol=20 * EPS)
    assert_allclose((pose.matrix() @ [*vector, 1])[:3], pose.transform(vector), rtol=0, atol=2 * LOOSE_M)


@given(poses)
def test_matrix_and_back(pose: Pose) -> None:
    """The matrix of a pose makes the same pose, as [4, 4] and as [3, 4]."""
    assert_same(Pose.from_matrix(pose.matrix()), pose)
    assert_same(Pose.from_matrix(pose.matrix()[:3]), pose)


@given(angles, angles, angles)
def test_roll_pitch_yaw_turn_about_fixed_axes(roll: float, pitch: float, yaw: float) -> None:
    """R = Rz(yaw) Ry(pitch) Rx(roll), as REP 103 says and scipy computes for the extrinsic sequence xyz."""
    pose = Pose.from_rpy((0, 0, 0), (roll, pitch, yaw))
    assert_same(pose, Pose(np.zeros(3), Rotation.from_euler("xyz", [roll, pitch, yaw]).as_quat(scalar_first=True)))


@given(poses)
def test_roll_pitch_yaw_round_trip(pose: Pose) -> None:
    """The angles of a pose make the same rotation; near pitch +-90 deg arcsin leaves sqrt(eps), about 1e-8."""
    again = Pose.from_rpy(pose.position_m, pose.rpy_rad())
    assert (rotation(again) * rotation(pose).inv()).magnitude() < 1e-7
    assert abs(pose.rpy_rad()[1]) <= math.pi / 2


@given(quaternions, quaternions, st.floats(0, 1))
def test_slerp_is_the_shortest_arc(a: np.ndarray, b: np.ndarray, fraction: float) -> None:
    """Slerp agrees with scipy's, which turns about one fixed axis at constant speed the shorter way round."""
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    assume(abs(a @ b) > 1e-6)  # half a turn has no shorter way
    theirs = Slerp([0, 1], Rotation.from_quat(np.stack((a, b)), scalar_first=True))(fraction)
    ours = Rotation.from_quat(slerp(a, b, np.asarray(fraction)), scalar_first=True)
    assert (ours * theirs.inv()).magnitude() < 1e-7


@given(poses, poses)
def test_interpolation_starts_and_ends_at_its_poses(a: Pose, b: Pose) -> None:
    """Fraction 0 is the first pose, 1 the second, and fractions [N] make poses [N]."""
    between = a.interpolate(b, [0, 0.25, 1])
    assert between.shape == (3,)
    assert_same(between[0], a)
    assert_same(between[2], b)
    assert_allclose(between.position_m[1], 0.75 * a.position_m + 0.25 * b.position_m, atol=LOOSE_M)


def some_poses(*shape: int) -> Pose:
    random = np.random.default_rng(len(shape))
    return Pose(random.normal(size=(*shape, 3)), random.normal(size=(*shape, 4)))


@pytest.mark.parametrize(("one", "other"), [((), (5,)), ((5,), ()), ((4, 1), (5,)), ((4, 5), (4, 5)), ((0,), ())])
def test_batches_broadcast_like_arrays(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    """A product of batches is, entry by entry, the product of single poses, with NumPy's rules for the shapes."""
    a, b = some_poses(*one), some_poses(*other)
    product, shape = a @ b, np.broadcast_shapes(one, other)
    assert product.shape == shape
    assert product.matrix().shape == (*shape, 4, 4)
    wide_a, wide_b = np.broadcast_to(a.matrix(), (*shape, 4, 4)), np.broadcast_to(b.matrix(), (*shape, 4, 4))
    assert_allclose(product.matrix(), wide_a @ wide_b, atol=100 * EPS)
    assert_same(Pose.from_matrix(product.matrix()), product)


def test_position_and_rotation_of_different_batch() -> None:
    """Many places with one rotation are a batch as well, and an index picks poses, never components."""
    pose = Pose(np.arange(15.0).reshape(5, 3), np.array([1.0, 0, 0, 0]))
    assert pose.shape == (5,)
    for index in (2, slice(1, 3), np.array([0, 4]), np.arange(5) > 2, (..., 1), (None, 2)):
        numbers = np.arange(5)[index]
        assert pose[index].shape == numbers.shape
        assert_allclose(pose[index].matrix(), pose.matrix()[numbers])


@pytest.mark.parametrize(
    ("position", "quaternion"),
    [
        ([math.nan, 0, 0], [1, 0, 0, 0]), ([0, 0, math.inf], [1, 0, 0, 0]), ([0, 0, 0], [math.nan, 0, 0, 1]),
        ([0, 0, 0], [0, 0, 0, 0]), ([0, 0], [1, 0, 0, 0]), ([0, 0, 0], [1, 0, 0]), ([0, 0, 0], [1e200, 1e200, 0, 0]),
    ],
)  # fmt: skip
def test_what_is_no_pose_is_refused(position: list[float], quaternion: list[float]) -> None:
    """NaN, infinity, a quaternion without length, and wrong shapes never become a pose."""
    with pytest.raises(ConfigurationError, match="a pose"):
        Pose(np.array(position), np.array(quaternion))


@pytest.mark.parametrize(
    "matrix", [2 * np.eye(4), np.diag([1.0, 1, -1, 1]), np.full((4, 4), math.nan), np.eye(3), np.zeros((4, 4))]
)
def test_what_is_no_rigid_matrix_is_refused(matrix: np.ndarray) -> None:
    """Scaled, mirrored, damaged and misshapen matrices are no poses."""
    with pytest.raises(ConfigurationError, match=r"rigid motion|is made of matrices"):
        Pose.from_matrix(matrix)


@given(poses)
def test_document_and_back(pose: Pose) -> None:
    """A pose in a document is the same pose when read again, to the last bit."""
    again = build(Pose, to_document(pose))
    assert again.position_m.tobytes() == pose.position_m.tobytes()
    assert again.quaternion.tobytes() == pose.quaternion.tobytes()


def test_documents_of_poses() -> None:
    """Angles, quaternions and units are read; a part left out is zero."""
    assert_same(build(Pose, {}), Pose.identity())
    assert_same(build(Pose, {"position_m": ["1 m", "50 cm", 0]}), Pose(np.array([1, 0.5, 0]), np.array([1.0, 0, 0, 0])))
    turned = build(Pose, {"rpy_rad": [0, 0, "90 deg"]})
    assert_allclose(turned.rotate(np.array([1.0, 0, 0])), [0, 1, 0], atol=2 * EPS)
    half = math.sqrt(0.5)
    assert_same(build(Pose, {"quaternion_wxyz": [half, 0, 0, half]}), turned)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"positio_m": [0, 0, 0]}, "positio_m is not a setting of Pose. Did you mean 'position_m'?"),
        ({"position_m": [0, "1 s", 0]}, "position_m[1]: 's' is a unit of another kind in '1 s'"),
        ({"position_m": [0, 0]}, "position_m: expected a list of 3 numbers, found [0, 0]"),
        ({"quaternion_wxyz": [1, 1, 0, 0]}, "quaternion_wxyz: must have length 1, found [1, 1, 0, 0]"),
        ({"rpy_rad": [0, 0, 0], "quaternion_wxyz": [1, 0, 0, 0]}, "give either rpy_rad or quaternion_wxyz"),
        ([1, 2, 3], "expected {position_m: [x, y, z], rpy_rad: [roll, pitch, yaw]}, found [1, 2, 3]"),
        (some_poses(5), "expected one pose, found a batch of shape (5,)"),
    ],
)
def test_refused_documents(document: Any, message: str) -> None:
    """Every refusal names the setting and what would be right."""
    with pytest.raises(ConfigurationError) as caught:
        build(Pose, document)
    assert str(caught.value).startswith(message)
