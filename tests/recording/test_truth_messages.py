"""Truth messages against matrices by an independent library."""

from __future__ import annotations

import numpy as np
import pytest
from parcels import Seat, cloud, truth
from rosbags.typesys import Stores, get_typestore
from scipy.spatial.transform import Rotation

from sensorium.core.errors import RecordingError
from sensorium.core.pose import Pose
from sensorium.recording.messages import messages_of
from sensorium.recording.ros_conventions import RosConventions, topic_name
from sensorium.recording.ros_frames import clock_message, mount_message
from sensorium.samples import PointCloud, Sample

STORE = get_typestore(Stores.ROS2_JAZZY)
SEATS = (Seat("roof", "car", Pose.from_rpy((1, 0, 2), (0, 0.1, 0))), Seat("front", "car", Pose.at(2, 0, 0.5)))
CONVENTIONS = RosConventions(mounts=SEATS)


def decoded(sample, conventions=CONVENTIONS) -> dict:
    return {
        message.topic.name: STORE.deserialize_cdr(message.cdr, message.topic.type_name)
        for message in messages_of(sample, conventions)
    }


def xyz(vector) -> list[float]:
    return [vector.x, vector.y, vector.z]


def matrix(quaternion) -> np.ndarray:
    return Rotation.from_quat([quaternion.x, quaternion.y, quaternion.z, quaternion.w]).as_matrix()


def matrices(sample) -> np.ndarray:
    return Rotation.from_quat(sample.pose.quaternion, scalar_first=True).as_matrix()


def test_transforms_take_body_points_to_the_map() -> None:
    """/tf: header.frame_id = map, child = body, rotation xyzw and translation are those of T_world_body."""
    sample = truth(3)
    transforms = decoded(sample)["/tf"].transforms
    assert [each.child_frame_id for each in transforms] == list(sample.names)
    for each, expected, place in zip(transforms, matrices(sample), sample.pose.position_m, strict=True):
        assert each.header.frame_id == "map"
        assert each.header.stamp.nanosec == 150_000_000
        np.testing.assert_allclose(matrix(each.transform.rotation), expected, atol=1e-12)
        np.testing.assert_array_equal(xyz(each.transform.translation), place)


def test_every_frame_has_one_parent() -> None:
    """/tf and /tf_static together are a tree with the root map: no child appears twice (REP 105)."""
    static = STORE.deserialize_cdr(mount_message(CONVENTIONS).cdr, "tf2_msgs/msg/TFMessage").transforms
    edges = [(each.header.frame_id, each.child_frame_id) for each in [*decoded(truth())["/tf"].transforms, *static]]
    children = [child for _, child in edges]
    assert sorted(children) == sorted({"car", "bike", "walker", "roof", "front"})
    parents = {child: parent for parent, child in edges}
    for frame in children:
        while frame != "map":
            frame = parents[frame]
    np.testing.assert_allclose(
        matrix(static[0].transform.rotation), Rotation.from_euler("y", 0.1).as_matrix(), atol=1e-12
    )
    assert xyz(static[1].transform.translation) == [2, 0, 0.5]


def test_boxes_stand_where_the_bodies_are() -> None:
    """Marker pose = T_world_body * box centre, scale = box size, one cube per body, class in ns, name in text."""
    sample = truth(2)
    markers = decoded(sample)["/truth/boxes"].markers
    centres = np.einsum("bij,bj->bi", matrices(sample), sample.box_centre_m) + sample.pose.position_m
    for row, each in enumerate(markers):
        np.testing.assert_allclose(xyz(each.pose.position), centres[row], rtol=0, atol=1e-10)
        np.testing.assert_array_equal(xyz(each.scale), sample.box_size_m[row])
        np.testing.assert_allclose(matrix(each.pose.orientation), matrices(sample)[row], atol=1e-12)
        assert (each.type, each.action, each.id, each.ns, each.text) == (
            1,
            0,
            row,
            sample.labels[row],
            sample.names[row],
        )
        assert 0 < each.color.a <= 1
    assert markers[0].color == markers[2].color != markers[1].color


def test_odometry_has_its_twist_in_the_body_frame() -> None:
    """nav_msgs/Odometry: twist in child_frame_id, so v_body = R^T v_world; only carriers have the topic."""
    sample = truth(5)
    messages = decoded(sample)
    assert [name for name in messages if name.endswith("/odom")] == ["/truth/car/odom"]
    odometry, rotation = messages["/truth/car/odom"], matrices(sample)[0]
    assert (odometry.header.frame_id, odometry.child_frame_id) == ("map", "car")
    np.testing.assert_allclose(xyz(odometry.twist.twist.linear), rotation.T @ sample.velocity_m_s[0], atol=1e-10)
    np.testing.assert_allclose(
        xyz(odometry.twist.twist.angular), rotation.T @ sample.angular_velocity_rad_s[0], atol=1e-10
    )
    np.testing.assert_array_equal(xyz(odometry.pose.pose.position), sample.pose.position_m[0])
    assert not odometry.pose.covariance.any()


def test_motion_holds_everything_in_the_map_frame() -> None:
    """MultiDOFJointTrajectory: names, transforms, twists and accelerations of all bodies, unchanged."""
    sample = truth(5)
    motion = decoded(sample)["/truth/motion"]
    assert motion.joint_names == list(sample.names)
    (point,) = motion.points
    np.testing.assert_array_equal([xyz(each.linear) for each in point.velocities], sample.velocity_m_s)
    np.testing.assert_array_equal([xyz(each.angular) for each in point.velocities], sample.angular_velocity_rad_s)
    np.testing.assert_array_equal([xyz(each.linear) for each in point.accelerations], sample.acceleration_m_s2)


def test_clock_counts_from_the_epoch() -> None:
    """/clock = epoch + simulated time, 2026-01-01T00:00:00Z by default."""
    clock = STORE.deserialize_cdr(clock_message(1_250_000_000, RosConventions()).cdr, "rosgraph_msgs/msg/Clock").clock
    assert np.datetime64(clock.sec, "s") == np.datetime64("2026-01-01T00:00:01")
    assert clock.nanosec == 250_000_000


@pytest.mark.parametrize("names", [("car", "roof"), ("car", "map"), ("car", "car")])
def test_second_parents_are_refused(names: tuple[str, ...]) -> None:
    """A body named like a sensor, the world or another body would break the tree of frames."""
    with pytest.raises(RecordingError, match="second parent"):
        messages_of(truth(names=names), CONVENTIONS)


@pytest.mark.parametrize("seats", [("a", "a"), ("car", "b"), ("map", "b")])
def test_mounts_with_one_name_are_refused(seats: tuple[str, str]) -> None:
    """Two sensors of one name, or one named like its carrier or the world, would share a frame."""
    with pytest.raises(RecordingError, match="two parents"):
        RosConventions(mounts=tuple(Seat(name, "car", Pose.identity()) for name in seats))


def test_topics_are_legal() -> None:
    """ROS 2 topics are letters, digits, underscores and slashes; no part starts with a digit."""
    assert topic_name("truth", "car 2/left", "odom") == "/truth/car_2_left/odom"
    assert topic_name("4th", "") == "/_4th/_"


def test_unknown_samples_are_named() -> None:
    """A class without a message is refused by name; a subclass of a known class is recorded like it."""

    class Smell(Sample):
        pass

    class BetterCloud(PointCloud):
        pass

    with pytest.raises(RecordingError, match="class Smell cannot be recorded"):
        messages_of(Smell(stamp=truth().stamp), CONVENTIONS)
    plain = cloud()
    better = BetterCloud(**{name: getattr(plain, name) for name in plain.__dataclass_fields__})
    assert messages_of(better, CONVENTIONS)[0].cdr == messages_of(plain, CONVENTIONS)[0].cdr
