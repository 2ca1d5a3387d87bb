"""Radar scans as radar_msgs/RadarScan and PointCloud2; range-speed maps and samples as std_msgs/Float32MultiArray.

radar_msgs (ros-perception) is not part of the Jazzy distribution; its definition is registered here, and a recording carries it.

- /<sensor>/scan, radar_msgs/RadarScan: range [m], azimuth and elevation [rad, REP 103], `doppler_velocity` [m/s] and `amplitude`,
  the signal-to-noise ratio [dB]. The message leaves the sign of the Doppler velocity open. Here it is the change of the range:
  **positive is receding, negative is coming nearer**.
- /<sensor>/points, PointCloud2: x y z, intensity (= snr), range, speed (sign as above), rcs [dB over 1 m2], snr [dB], azimuth,
  elevation and the variances of range, speed, azimuth and elevation.
- /<sensor>/map: Float32MultiArray of dB over the noise; its dimensions are labelled "range_m FIRST STEP", "speed_m_s FIRST STEP".
- /<sensor>/cube: Float32MultiArray; dimensions "chirp PERIOD_S", "channel", "sample RATE_HZ SLOPE_HZ_S START_HZ" and "iq": I and Q.
- /truth/<sensor>/scan, PointCloud2: what each detection is: body, part, bounces.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.recording.ros_conventions import RosConventions, RosMessage, Topic, topic_name
from sensorium.recording.ros_point_cloud import DATATYPES, POINT_CLOUD_TYPE
from sensorium.recording.ros_types import ros_type, serialise, type_store
from sensorium.samples.radar import RadarScan

RADAR_SCAN_TYPE = "radar_msgs/msg/RadarScan"
ARRAY_TYPE = "std_msgs/msg/Float32MultiArray"
RADAR_LAYOUT, RADAR_TRUTH_LAYOUT = "radar", "radar_truth"

_RETURN = """
# All variables below are relative to the radar's frame of reference.
float32 range
float32 azimuth
float32 elevation
float32 doppler_velocity
float32 amplitude
"""
_SCAN = "std_msgs/Header header\nradar_msgs/RadarReturn[] returns\n"


@cache
def register_radar_types() -> None:
    """Make radar_msgs known to the store of message types."""
    from rosbags.typesys import get_types_from_msg

    found: dict[str, Any] = {}
    for text, name in ((_RETURN, "radar_msgs/msg/RadarReturn"), (_SCAN, RADAR_SCAN_TYPE)):
        found.update(get_types_from_msg(text, name))
    type_store().register({name: made for name, made in found.items() if name not in type_store().types})


def radar_messages(scan: RadarScan, conventions: RosConventions) -> tuple[RosMessage, ...]:
    """Return all messages of a scan, the radar_msgs/RadarScan last."""
    return tuple(_messages(scan, conventions))


def _messages(scan: RadarScan, conventions: RosConventions) -> Iterator[RosMessage]:
    register_radar_types()
    sensor = scan.stamp.sensor
    header = conventions.header(scan.stamp.time_ns, sensor)
    if scan.truth is not None and conventions.point_truth:
        truth = {name: getattr(scan.truth, name) for name in ("body", "part", "bounces")}
        topic = Topic(topic_name("truth", sensor, "scan"), POINT_CLOUD_TYPE, sensor, layout=RADAR_TRUTH_LAYOUT)
        yield RosMessage(topic, _cloud(header, {**_places(scan), **truth}))
    if scan.cube is not None:
        cube = scan.cube
        labels = (
            f"chirp {cube.chirp_period_s!r}",
            "channel",
            f"sample {cube.sample_rate_hz!r} {cube.slope_hz_s!r} {cube.start_hz!r}",
            "iq",
        )
        values = np.ascontiguousarray(cube.samples).view(np.float32).reshape(*cube.samples.shape, 2)
        yield RosMessage(Topic(topic_name(sensor, "cube"), ARRAY_TYPE, sensor), _array(labels, values))
    if scan.map is not None:
        axes = (("range_m", scan.map.range_m), ("speed_m_s", scan.map.speed_m_s))
        names = tuple(f"{name} {float(axis[0])!r} {_step(axis)!r}" for name, axis in axes)
        yield RosMessage(Topic(topic_name(sensor, "map"), ARRAY_TYPE, sensor), _array(names, scan.map.power_db))
    points = Topic(topic_name(sensor, "points"), POINT_CLOUD_TYPE, sensor, layout=RADAR_LAYOUT)
    yield RosMessage(points, _cloud(header, {**_places(scan), **_columns(scan)}))
    yield RosMessage(Topic(topic_name(sensor, "scan"), RADAR_SCAN_TYPE, sensor), _scan(header, scan))


def _step(axis: NDArray[np.float32]) -> float:
    return float(axis[-1] - axis[0]) / max(1, len(axis) - 1)


def _scan(header: Any, scan: RadarScan) -> bytes:
    make = ros_type("radar_msgs/RadarReturn")
    rows = zip(scan.range_m, scan.azimuth_rad, scan.elevation_rad, scan.speed_m_s, scan.snr_db, strict=True)
    message = ros_type("radar_msgs/RadarScan")(header, [make(*map(float, row)) for row in rows])
    return serialise(message, RADAR_SCAN_TYPE)


def _places(scan: RadarScan) -> dict[str, Any]:
    return dict(zip("xyz", scan.points_m.T, strict=True))


def _columns(scan: RadarScan) -> dict[str, Any]:
    variances = np.diagonal(scan.covariance, axis1=1, axis2=2)
    return {
        "intensity": scan.snr_db,
        "range": scan.range_m,
        "speed": scan.speed_m_s,
        "rcs": 10 * np.log10(np.maximum(scan.cross_section_m2, 1e-30)),
        "snr": scan.snr_db,
        "azimuth": scan.azimuth_rad,
        "elevation": scan.elevation_rad,
        **{f"variance_{name}": variances[:, k] for k, name in enumerate(("range", "speed", "azimuth", "elevation"))},
    }


def _cloud(header: Any, columns: dict[str, Any]) -> bytes:
    """Return a PointCloud2 of columns [N]: whole numbers as int32, all others as float32."""
    kinds = [
        (name, "<i4" if np.issubdtype(np.asarray(column).dtype, np.integer) else "<f4")
        for name, column in columns.items()
    ]
    rows = np.zeros(len(columns["x"]), np.dtype(kinds))
    for name, column in columns.items():
        rows[name] = column
    field, step = ros_type("sensor_msgs/PointField"), rows.dtype.itemsize
    fields = [field(name, 4 * place, DATATYPES[kind], 1) for place, (name, kind) in enumerate(kinds)]
    data = np.frombuffer(rows.tobytes(), np.uint8)
    cloud = ros_type("sensor_msgs/PointCloud2")(header, 1, len(rows), fields, False, step, step * len(rows), data, True)
    return serialise(cloud, POINT_CLOUD_TYPE)


def _array(labels: tuple[str, ...], values: NDArray[np.float32]) -> bytes:
    """Return a Float32MultiArray, the last axis running fastest."""
    dimension = ros_type("std_msgs/MultiArrayDimension")
    sizes = [int(np.prod(values.shape[axis:])) for axis in range(values.ndim)]
    shape = [dimension(*each) for each in zip(labels, values.shape, sizes, strict=True)]
    layout = ros_type("std_msgs/MultiArrayLayout")(shape, 0)
    return serialise(ros_type("std_msgs/Float32MultiArray")(layout, values.ravel().astype(np.float32)), ARRAY_TYPE)
