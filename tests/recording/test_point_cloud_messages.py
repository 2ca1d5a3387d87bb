"""PointCloud2 messages: the bytes of an independent serialiser, the fields of the makers' drivers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcap.records import Schema
from mcap_ros2.decoder import DecoderFactory
from parcels import SCAN_NS, cloud
from rosbags.typesys import Stores, get_typestore

from sensorium.core.errors import RecordingError
from sensorium.recording.point_layouts import LAYOUTS, POINT_TRUTH, point_layout
from sensorium.recording.ros_conventions import RosConventions
from sensorium.recording.ros_point_cloud import POINT_CLOUD_TYPE, point_cloud_cdr, point_cloud_messages

STORE = get_typestore(Stores.ROS2_JAZZY)
CONVENTIONS = RosConventions()
EPOCH_S = 1_767_225_600
U1, U2, U4, F4, F8 = 2, 4, 6, 7, 8
XYZ = [("x", 0, F4), ("y", 4, F4), ("z", 8, F4)]
XYZI = [*XYZ, ("intensity", 12, F4)]
DRIVERS = {
    "sensorium": (22, [*XYZI, ("ring", 16, U2), ("time", 18, F4)]),
    "velodyne": (22, [*XYZI, ("ring", 16, U2), ("time", 18, F4)]),
    "ouster": (
        48,
        [
            *(*XYZ, ("intensity", 16, F4), ("t", 20, U4), ("reflectivity", 24, U2), ("ring", 26, U2)),
            *(("ambient", 28, U2), ("range", 32, U4)),
        ],
    ),
    "hesai": (26, [*XYZI, ("ring", 16, U2), ("timestamp", 18, F8)]),
    "livox": (26, [*XYZI, ("tag", 16, U1), ("line", 17, U1), ("timestamp", 18, F8)]),
    "autoware": (
        32,
        [
            *(*XYZ, ("intensity", 12, U1), ("return_type", 13, U1), ("channel", 14, U2), ("azimuth", 16, F4)),
            *(("elevation", 20, F4), ("distance", 24, F4), ("time_stamp", 28, U4)),
        ],
    ),
}
"""Point step and (name, offset, PointField type) as the drivers' sources have them."""


def by_library(sample, layout, fields, step, data, dense=True) -> bytes:
    """The same message by the general serialiser."""
    kinds = STORE.types
    whole, rest = divmod(EPOCH_S * 10**9 + layout.stamp_ns(sample), 10**9)
    header = kinds["std_msgs/msg/Header"](kinds["builtin_interfaces/msg/Time"](whole, rest), sample.stamp.sensor)
    each = [kinds["sensor_msgs/msg/PointField"](name, offset, kind, 1) for name, offset, kind in fields]
    size = (False, step, step * len(sample), np.frombuffer(data, np.uint8), dense)
    message = kinds[POINT_CLOUD_TYPE](header, 1, len(sample), each, *size)
    return bytes(STORE.serialize_cdr(message, POINT_CLOUD_TYPE))


@given(
    name=st.sampled_from(sorted(LAYOUTS)),
    count=st.integers(0, 40),
    sensor=st.text("abcdefgh_ü", min_size=1, max_size=9),
    index=st.integers(0, 50),
)
def test_bytes_are_those_of_the_general_serialiser(name: str, count: int, sensor: str, index: int) -> None:
    """Head and tail of the hand-made CDR equal those of rosbags, for all alignments of names and all layouts."""
    sample, layout = cloud(index, count, sensor), LAYOUTS[name]
    step, fields = DRIVERS[name]
    cdr = point_cloud_cdr(sample, layout, CONVENTIONS)
    data = cdr[len(cdr) - 1 - step * count : len(cdr) - 1]
    assert bytes(cdr) == by_library(sample, layout, fields, step, bytes(data))


@pytest.mark.parametrize("name", sorted(LAYOUTS))
def test_an_independent_decoder_reads_the_points(name: str) -> None:
    """mcap_ros2 decodes the message from its own definition; x y z f32 at 0, 4, 8 are the points to the bit."""
    text, _ = STORE.generate_msgdef(POINT_CLOUD_TYPE, ros_version=2)
    decode = DecoderFactory().decoder_for("cdr", Schema(1, text.encode(), "ros2msg", POINT_CLOUD_TYPE))
    sample = cloud(3, 20)
    message = decode(bytes(point_cloud_cdr(sample, LAYOUTS[name], CONVENTIONS)))
    assert (message.height, message.width, message.is_dense, message.header.frame_id) == (1, 20, True, "roof")
    rows = np.frombuffer(bytes(message.data), np.uint8).reshape(20, message.point_step)
    np.testing.assert_array_equal(np.ascontiguousarray(rows[:, :12]).view("<f4"), sample.points_m)


def column(name: str, field: str, sample) -> np.ndarray:
    """One column, cut out of the CDR by the drivers' offsets."""
    step, fields = DRIVERS[name]
    offset, kind = next((offset, kind) for each, offset, kind in fields if each == field)
    cdr = bytes(point_cloud_cdr(sample, LAYOUTS[name], CONVENTIONS))
    kinds = {U1: "u1", U2: "<u2", U4: "<u4", F4: "<f4", F8: "<f8"}
    where = np.dtype({"names": ["v"], "formats": [kinds[kind]], "offsets": [offset], "itemsize": step})
    return np.frombuffer(cdr[len(cdr) - 1 - step * len(sample) : len(cdr) - 1], where)["v"]


def test_velodyne_time_counts_back_from_the_stamp() -> None:
    """stamp = time of the last return; stamp + time = firing time within float32's 7.5 ns; time <= 0."""
    sample = cloud(4, 30)
    time_s, stamp_ns = column("velodyne", "time", sample).astype(float), LAYOUTS["velodyne"].stamp_ns(sample)
    fired_ns = sample.stamp.time_ns + sample.time_offset_ns.astype(np.int64)
    assert stamp_ns == fired_ns[-1]
    assert time_s.max() == 0
    assert np.abs(stamp_ns + time_s * 1e9 - fired_ns).max() < 7.5


def test_sensorium_time_counts_from_the_start() -> None:
    """stamp = start of the scan; stamp + time = firing time within float32's 7.5 ns below 0.125 s; time >= 0."""
    sample = cloud(4, 30)
    time_s = column("sensorium", "time", sample).astype(float)
    assert LAYOUTS["sensorium"].stamp_ns(sample) == sample.stamp.time_ns
    assert time_s.min() >= 0
    assert np.abs(time_s * 1e9 - sample.time_offset_ns).max() < 7.5


def test_absolute_times() -> None:
    """Hesai: Unix seconds within half an ulp of float64 (0.12 us); Livox: Unix nanoseconds within 128 ns."""
    sample = cloud(4, 30)
    fired_ns = EPOCH_S * 10**9 + sample.stamp.time_ns + sample.time_offset_ns.astype(np.int64)
    hesai, livox = column("hesai", "timestamp", sample), column("livox", "timestamp", sample)
    assert np.abs((hesai - EPOCH_S) * 1e9 - (fired_ns - EPOCH_S * 10**9)).max() <= 120
    assert np.abs(livox.astype(np.int64) - fired_ns).max() <= 128


def test_relative_times_and_millimetres() -> None:
    """Ouster: t in ns after the stamp, range in whole mm; Autoware: time_stamp in ns after the stamp."""
    sample = cloud(4, 30)
    np.testing.assert_array_equal(column("ouster", "t", sample), sample.time_offset_ns)
    np.testing.assert_array_equal(column("autoware", "time_stamp", sample), sample.time_offset_ns)
    assert np.abs(column("ouster", "range", sample) * 1e-3 - sample.range_m).max() <= 0.0005 + 1e-5


def test_autoware_angles_lead_back_to_the_points() -> None:
    """x = d cos(el) cos(az), y = d cos(el) sin(az), z = d sin(el), azimuth in 0..2 pi; float32 at up to 150 m."""
    sample = cloud(2, 200)
    azimuth, elevation, distance = (
        column("autoware", field, sample).astype(float) for field in ("azimuth", "elevation", "distance")
    )
    assert azimuth.min() >= 0
    assert azimuth.max() <= 2 * np.pi + 1e-6
    flat = distance * np.cos(elevation)
    points = np.stack((flat * np.cos(azimuth), flat * np.sin(azimuth), distance * np.sin(elevation)), -1)
    assert np.abs(points - sample.points_m).max() < 150 * 4e-7


def test_truth_of_points_goes_to_its_own_topic_first() -> None:
    """The sensor's own topic carries what a device would send, no more; the truth comes before it, row by row."""
    sample = cloud(1, 20, truth=True)
    beams, truth, points = point_cloud_messages(sample, CONVENTIONS)
    names = [message.topic.name for message in (beams, truth, points)]
    assert names == ["/truth/roof/beams", "/truth/roof/points", "/roof/points"]
    assert bytes(points.cdr) == bytes(point_cloud_cdr(sample, LAYOUTS["sensorium"], CONVENTIONS))
    message = STORE.deserialize_cdr(bytes(truth.cdr), POINT_CLOUD_TYPE)
    rows = np.frombuffer(message.data.tobytes(), POINT_TRUTH.dtype)
    np.testing.assert_array_equal(rows["label"], sample.truth.label)
    np.testing.assert_array_equal(rows["beam"], sample.beam)
    np.testing.assert_array_equal(rows["cause"], sample.truth.cause)
    missing = STORE.deserialize_cdr(beams.cdr, beams.topic.type_name).data
    np.testing.assert_array_equal(missing, sample.truth.missing)
    assert len(point_cloud_messages(sample, RosConventions(point_truth=False))) == 1


def test_clouds_with_holes_say_so() -> None:
    """is_dense is true exactly when no coordinate is NaN."""
    sample = cloud(0, 5)
    sample.points_m[2, 1] = np.nan
    assert point_cloud_cdr(sample, LAYOUTS["sensorium"], CONVENTIONS)[-1] == 0


def test_unknown_layout_suggests_the_nearest() -> None:
    """A wrong name is an error that names the right one."""
    with pytest.raises(RecordingError, match="Did you mean 'velodyne'"):
        point_layout("velodine")


def test_stamps_beyond_the_format_are_refused() -> None:
    """A ROS stamp has 31 bits of seconds: 2038 is its end."""
    with pytest.raises(RecordingError, match="choose another epoch"):
        point_cloud_cdr(
            cloud(), LAYOUTS["sensorium"], RosConventions(epoch_ns=2**31 * 10**9 - SCAN_NS // 1000 + SCAN_NS)
        )
