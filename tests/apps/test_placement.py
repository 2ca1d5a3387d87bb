import numpy as np
import pytest

from sensorium.apps.placement import EDGES, Boxes, Placement, Stage, Track
from sensorium.core.pose import Pose
from sensorium.samples import PointCloud, TruthSample


@pytest.fixture
def placement(drive, mounts):
    return Placement.of([sample for sample in drive if isinstance(sample, TruthSample)], mounts)


def test_a_wall_seen_from_a_moving_car_is_flat_again(drive, placement):
    """A wall at x = 40 m, scanned at 10 m/s for 0.1 s, is bent by 1 m as measured; placed beam by beam it is flat.

    Float32 points at 65 m carry 65 * 2^-24 = 4 um; the truth between its samples is exact for a constant speed.
    """
    for sample in drive:
        if isinstance(sample, PointCloud):
            placed = placement.in_world(sample)
            np.testing.assert_allclose(placed.points_m[:, 0], 40.0, atol=2e-5)
            still = placement.sensor_at("lidar", sample.stamp.time_ns).transform(sample.points_m.astype(float))
            assert np.ptp(still[:, 0]) > 0.5


def test_the_sensor_rides_with_its_body(placement):
    """T_world_sensor = T_world_ego(t) T_ego_sensor: after 0.225 s at 10 m/s it is at x = 2.25 + 1 m and looks to +y."""
    pose = placement.sensor_at("lidar", 225_000_000)
    np.testing.assert_allclose(pose.position_m, (3.25, 0.0, 2.0), atol=1e-9)
    np.testing.assert_allclose(pose.rotate(np.array([1.0, 0, 0])), (0, 1, 0), atol=1e-12)


def test_a_sensor_without_truth_stays_at_its_mount(mounts):
    """Where nothing is known of the body, the cloud appears as if the body stood at the origin."""
    alone = Placement.of([], mounts)
    np.testing.assert_allclose(alone.sensor_at("lidar", [0, 5]).position_m, [(1, 0, 2)] * 2)
    assert alone.carrier_of("lidar") == ""


def test_a_track_holds_its_ends():
    """Before the first and after the last instant the nearest pose holds; between them the mix is linear."""
    track = Track(np.array([0, 100]), Pose(np.array([[0.0, 0, 0], [1.0, 0, 0]]), np.tile([1.0, 0, 0, 0], (2, 1))))
    np.testing.assert_allclose(track.at([-50, 0, 25, 100, 900]).position_m[:, 0], (0, 0, 0.25, 1, 1))


def test_boxes_have_the_corners_of_their_size(placement):
    """The van's box, 6 x 2 x 2 m about (20, 3, 1): corners at its ends, twelve edges of the three lengths."""
    boxes = placement.boxes_at(0, without=("ego",))
    corners = boxes.corners_m[0]
    assert (boxes.names, boxes.labels) == (("van",), ("truck",))
    np.testing.assert_allclose((corners.min(0), corners.max(0)), ((17, 2, 0), (23, 4, 2)), atol=1e-12)
    lengths = sorted(round(float(np.linalg.norm(corners[a] - corners[b])), 9) for a, b in EDGES)
    assert lengths == [2.0] * 8 + [6.0] * 4


def test_containment_agrees_with_the_turned_box():
    """A point is inside when |R^T (p - c)| <= size / 2 + margin on every axis: the formula at random poses."""
    rng = np.random.default_rng(5)
    pose = Pose.from_rpy(rng.normal(size=(3, 3)) * 4, rng.uniform(-3, 3, (3, 3)))
    size = rng.uniform(0.5, 5, (3, 3))
    points = rng.uniform(-8, 8, (4000, 3))
    found = Boxes(("a", "b", "c"), ("",) * 3, pose, size).contain(points, margin_m=0.2)
    matrices = pose.matrix()
    local = np.einsum("bij,bnj->bni", np.swapaxes(matrices[:, :3, :3], 1, 2), points - pose.position_m[:, None])
    np.testing.assert_array_equal(found, (np.abs(local) <= size[:, None] / 2 + 0.2).all(-1).any(0))
    assert 50 < found.sum() < 3950


def test_round_a_body_everything_stands_as_the_body_sees_it(drive, placement):
    """T_ego_world(t) p: at 0.25 s the car is at x = 2.5 m, so the wall is 37.5 m ahead; a body without truth sees the
    world; on the ground nothing is moved.
    """
    scan = next(sample for sample in drive if isinstance(sample, PointCloud))
    round_car = Stage(placement, "ego")
    np.testing.assert_allclose(round_car.cloud(scan, 250_000_000).points_m[:, 0], 37.5, atol=2e-5)
    van = placement.boxes_at(250_000_000, without=("ego",)).pose
    np.testing.assert_allclose(round_car.place(van, 250_000_000).position_m, [(17.5, 3, 1)], atol=1e-9)
    for still in (Stage(placement), Stage(placement, "")):
        np.testing.assert_allclose(still.cloud(scan, 250_000_000).points_m[:, 0], 40.0, atol=2e-5)
        np.testing.assert_allclose(still.place(van, 250_000_000).position_m, [(20, 3, 1)], atol=1e-9)
