"""What was recorded comes back; recordings of others are understood; damage is named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from parcels import assert_same_cloud, cloud, drive, truth
from rosbags.rosbag2 import StoragePlugin, Writer
from rosbags.typesys import Stores, get_typestore

from sensorium.core.errors import RecordingError
from sensorium.recording import McapRecorder, RosConventions, open_recording, point_layout
from sensorium.recording.point_layouts import LAYOUTS
from sensorium.recording.ros_point_cloud import POINT_CLOUD_TYPE
from sensorium.samples import PointCloud, TruthSample

TIME_NS = {"sensorium": 4, "ouster": 0, "autoware": 0, "hesai": 500, "livox": 300}
"""Resolution of the firing times: float32 below 0.125 s, integers, float64 seconds and nanoseconds since 1970."""


def record(path: Path, samples, conventions: RosConventions | None = None) -> Path:
    with McapRecorder(path, conventions) as recorder:
        for sample in samples:
            recorder.write(sample)
    return path


def test_samples_come_back(tmp_path: Path) -> None:
    """Clouds and the truth of points to the bit, firing times within 4 ns, truth of bodies within float64 rounding."""
    expected = drive(4, 200)
    found = list(open_recording(record(tmp_path / "a.mcap", expected)).samples())
    assert [type(sample) for sample in found] == [type(sample) for sample in expected]
    for each, original in zip(found, expected, strict=True):
        assert each.stamp == original.stamp
        if isinstance(original, PointCloud):
            assert_same_cloud(each, original, time_ns=4)
            assert each.beam_count == original.beam_count
            np.testing.assert_array_equal(each.beam, original.beam)
            np.testing.assert_array_equal(each.return_index, original.return_index)
            for name in ("body", "part", "material", "label", "incidence_rad", "cause", "missing"):
                np.testing.assert_array_equal(getattr(each.truth, name), getattr(original.truth, name))
        else:
            assert_same_truth(each, original)


def assert_same_truth(found: TruthSample, expected: TruthSample) -> None:
    assert (found.names, found.labels) == (expected.names, expected.labels)
    np.testing.assert_allclose(found.pose.matrix(), expected.pose.matrix(), rtol=0, atol=1e-13)
    np.testing.assert_allclose(found.box_centre_m, expected.box_centre_m, rtol=0, atol=1e-12)
    for name in ("velocity_m_s", "angular_velocity_rad_s", "acceleration_m_s2", "box_size_m"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


@pytest.mark.parametrize("name", sorted(TIME_NS))
def test_every_layout_is_understood(tmp_path: Path, name: str) -> None:
    """Columns are found by name: points to the bit, times within the resolution of the layout's own time column."""
    expected = cloud(3, 300)
    conventions = RosConventions(layouts={"roof": point_layout(name)})
    (found,) = open_recording(record(tmp_path / "a.mcap", [expected], conventions)).samples()
    np.testing.assert_array_equal(found.points_m, expected.points_m)
    late = found.time_offset_ns.astype(int) + found.stamp.time_ns - expected.stamp.time_ns - expected.time_offset_ns
    assert np.abs(late).max() <= TIME_NS[name]
    np.testing.assert_array_equal(found.ring, expected.ring)
    np.testing.assert_allclose(found.range_m, expected.range_m, rtol=0, atol=0.00051 if name == "ouster" else 1e-5)
    np.testing.assert_allclose(found.intensity, expected.intensity, rtol=0, atol=0.5 if name == "autoware" else 0)


def test_velodyne_clouds_start_at_their_first_return(tmp_path: Path) -> None:
    """With the stamp at the end the start of the scan is not in the message; firing times are right all the same."""
    expected = cloud(3, 300)
    conventions = RosConventions(layout=LAYOUTS["velodyne"])
    (found,) = open_recording(record(tmp_path / "a.mcap", [expected], conventions)).samples()
    fired_ns = found.stamp.time_ns + found.time_offset_ns.astype(np.int64)
    assert np.abs(fired_ns - expected.stamp.time_ns - expected.time_offset_ns).max() <= 4
    assert found.time_offset_ns.min() == 0


def test_one_sensor_can_be_asked_for(tmp_path: Path) -> None:
    """`samples(sensor)` yields that sensor alone; a wrong name is answered with the right one."""
    samples = [cloud(0), cloud(0, sensor="front"), truth(2), cloud(1)]
    recording = open_recording(record(tmp_path / "a.mcap", samples))
    assert recording.sensors == ("roof", "front", "truth")
    assert [each.stamp.index for each in recording.samples("roof")] == [0, 1]
    assert [each.stamp.sensor for each in recording.samples("truth")] == ["truth"]
    with pytest.raises(RecordingError, match="Did you mean 'front'"):
        next(recording.samples("frnt"))


def test_topics_are_listed_with_their_spans(tmp_path: Path) -> None:
    """Name, type, count, first and last time of each topic, in simulated time."""
    recording = open_recording(record(tmp_path / "a.mcap", drive(3)))
    topics = {topic.name: topic for topic in recording.topics}
    points = topics["/roof/points"]
    assert (points.count, points.first_ns, points.last_ns) == (3, 100_000_000, 300_000_000)
    assert (points.type_name, points.sensor) == (POINT_CLOUD_TYPE, "roof")
    assert (topics["/truth/boxes"].count, topics["/truth/boxes"].last_ns) == (7, 300_000_000)
    assert (recording.start_ns, recording.end_ns) == (0, 300_000_000)


def test_samples_come_in_the_order_of_readiness(tmp_path: Path) -> None:
    """Whatever the order of writing, reading is ordered by the time at which samples were ready."""
    samples = [cloud(index, 4000 if index % 2 else 20) for index in (3, 1, 2, 0)]
    recording = open_recording(record(tmp_path / "a.mcap", samples))
    assert [each.stamp.index for each in recording.samples()] == [0, 1, 2, 3]
    points = next(topic for topic in recording.topics if topic.name == "/roof/points")
    assert (points.first_ns, points.last_ns) == (100_000_000, 400_000_000)


def foreign_bag(path: Path) -> Path:
    """A bag by another writer: organised cloud with holes, big-endian, another order of fields."""
    store = get_typestore(Stores.ROS2_JAZZY)
    kinds = store.types
    rows = np.zeros((2, 3), np.dtype([("intensity", ">u2"), ("x", ">f4"), ("y", ">f4"), ("z", ">f4"), ("t", ">u4")]))
    rows["x"], rows["t"] = np.arange(6).reshape(2, 3), 1000
    rows["x"][1, 1] = np.nan
    fields = [("intensity", 0, 4), ("x", 2, 7), ("y", 6, 7), ("z", 10, 7), ("t", 14, 6)]
    header = kinds["std_msgs/msg/Header"](kinds["builtin_interfaces/msg/Time"](5, 7), "os_lidar")
    each = [kinds["sensor_msgs/msg/PointField"](*field, 1) for field in fields]
    data = np.frombuffer(rows.tobytes(), np.uint8)
    message = kinds[POINT_CLOUD_TYPE](header, 2, 3, each, True, 18, 54, data, False)
    with Writer(path, version=9, storage_plugin=StoragePlugin.MCAP) as writer:
        connection = writer.add_connection("/ouster/points", POINT_CLOUD_TYPE, typestore=store)
        writer.write(connection, 6_000_000_000, store.serialize_cdr(message, POINT_CLOUD_TYPE))
    return next(path.glob("*.mcap"))


def test_recordings_of_others_are_understood(tmp_path: Path) -> None:
    """A rosbag2 file: times since 1970, the frame stands for the sensor, holes are left out, big-endian is turned."""
    recording = open_recording(foreign_bag(tmp_path / "bag"))
    (found,) = recording.samples("/ouster/points")
    assert found.stamp.sensor == "os_lidar"
    assert (found.stamp.time_ns, found.stamp.ready_ns) == (5_000_000_007, 6_000_000_000)
    np.testing.assert_array_equal(found.points_m[:, 0], [0, 1, 2, 3, 5])
    np.testing.assert_array_equal(found.time_offset_ns, 1000)
    assert recording.metadata == {}


def test_missing_files_are_answered_with_near_ones(tmp_path: Path) -> None:
    """A misspelt name, and a run that did not end."""
    record(tmp_path / "drive.mcap", [])
    with pytest.raises(RecordingError, match=r"Did you mean 'drive\.mcap'"):
        open_recording(tmp_path / "drve.mcap")
    with McapRecorder(tmp_path / "long.mcap"), pytest.raises(RecordingError, match=r"--recover .*long\.mcap\.part"):
        open_recording(tmp_path / "long.mcap")


@pytest.mark.parametrize("kept", [0.2, 0.7, 0.999])
def test_cut_files_name_the_remedy(tmp_path: Path, kept: float) -> None:
    """A file without its end is refused at once, with the command that saves it."""
    data = record(tmp_path / "a.mcap", drive(3)).read_bytes()
    cut = tmp_path / "cut.mcap"
    cut.write_bytes(data[: int(len(data) * kept)])
    with pytest.raises(RecordingError, match=r"cut.mcap .*incomplete.*sensorium inspect --recover .*cut.mcap"):
        open_recording(cut)


def test_a_damaged_index_is_refused(tmp_path: Path) -> None:
    """One bit of the summary: its checksum says so before anything is believed."""
    path = record(tmp_path / "a.mcap", drive(3))
    data = bytearray(path.read_bytes())
    summary_start = int.from_bytes(data[-28:-20], "little")
    data[summary_start + 30] ^= 1
    path.write_bytes(data)
    with pytest.raises(RecordingError, match="the checksum of its index is wrong"):
        open_recording(path)


def test_other_files_are_not_recordings(tmp_path: Path) -> None:
    """Text, nothing at all, or a folder."""
    (tmp_path / "a.mcap").write_text("type: scenario\n" * 10)
    with pytest.raises(RecordingError, match="not an MCAP file"):
        open_recording(tmp_path / "a.mcap")
    (tmp_path / "b.mcap").write_bytes(b"")
    with pytest.raises(RecordingError, match="not an MCAP file"):
        open_recording(tmp_path / "b.mcap")
    with pytest.raises(RecordingError, match="there is no recording"):
        open_recording(tmp_path)
