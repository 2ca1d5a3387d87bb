"""Radar messages become scans again; `ros_radar` is the way out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.recording.point_cloud_reader import PointCloudReader, rows_of
from sensorium.recording.received import Received
from sensorium.recording.ros_conventions import nanoseconds_of
from sensorium.recording.ros_radar import ARRAY_TYPE, RADAR_LAYOUT, RADAR_TRUTH_LAYOUT, register_radar_types
from sensorium.recording.ros_types import deserialise
from sensorium.samples import PointCloud, Stamp
from sensorium.samples.radar import RadarCube, RadarMap, RadarScan, RadarTruth

Parts = dict[str, Any]
_MAP, _CUBE = ["range_m", "speed_m_s"], ["chirp", "channel", "sample", "iq"]


class RadarReader:
    """Joins the messages of a scan; the RadarScan comes last. Clouds that are no radar's go to the reader of clouds.

    A RadarScan of another source stands alone: its cross sections and covariances are not known (nan).
    """

    def __init__(self, clouds: PointCloudReader) -> None:
        self._clouds = clouds
        self._parts: dict[tuple[str, int], Parts] = {}

    def take(self, received: Received) -> RadarScan | PointCloud | None:
        """Return the scan that this message completes."""
        topic = received.topic
        cloud_of_radar = topic.layout in (RADAR_LAYOUT, RADAR_TRUTH_LAYOUT)
        if topic.type_name.endswith("PointCloud2") and not cloud_of_radar:
            return self._clouds.take(received)
        register_radar_types()
        message = deserialise(received.cdr, topic.type_name)
        whose = topic.sensor, received.index
        if topic.type_name == ARRAY_TYPE:
            kind, part = _array(message)
            self._keep(whose, kind, part)
            return None
        if cloud_of_radar:
            self._keep(whose, topic.layout, rows_of(message, topic.name))
            return None
        sensor = topic.sensor or str(message.header.frame_id)
        stamp = Stamp(
            sensor, received.index, nanoseconds_of(message.header.stamp) - received.epoch_ns, received.ready_ns
        )
        return _scan(message, self._parts.pop(whose, {}), stamp)

    def _keep(self, whose: tuple[str, int], kind: str, part: Any) -> None:
        if whose not in self._parts:
            self._parts = {key: parts for key, parts in self._parts.items() if key[0] != whose[0]}
        self._parts.setdefault(whose, {})[kind] = part


def _array(message: Any) -> tuple[str, RadarMap | RadarCube | None]:
    """Return what a Float32MultiArray holds: a map, a cube, or nothing of ours."""
    dimensions = message.layout.dim
    labels = [str(each.label).split() for each in dimensions]
    names = [label[0] if label else "" for label in labels]
    sizes = [each.size for each in dimensions]
    if names not in (_MAP, _CUBE) or np.prod(sizes) != len(message.data):
        return "", None
    values = np.asarray(message.data, np.float32).reshape(sizes)
    if names == _MAP:
        axes = [_axis(label, size) for label, size in zip(labels, values.shape, strict=True)]
        return "map", RadarMap(power_db=values, range_m=axes[0], speed_m_s=axes[1])
    rate, slope, start = map(float, labels[2][1:])
    samples = np.ascontiguousarray(values).view(np.complex64)[..., 0]
    return "cube", RadarCube(
        samples=samples, sample_rate_hz=rate, slope_hz_s=slope, start_hz=start, chirp_period_s=float(labels[0][1])
    )


def _axis(label: list[str], size: int) -> NDArray[np.float32]:
    first, step = map(float, label[1:])
    return np.asarray(first + step * np.arange(size), np.float32)


def _scan(message: Any, parts: Parts, stamp: Stamp) -> RadarScan:
    rows = [(r.range, r.doppler_velocity, r.azimuth, r.elevation, r.amplitude) for r in message.returns]
    columns = np.array(rows, np.float32).reshape(-1, 5).T
    points, truth = parts.get(RADAR_LAYOUT), parts.get(RADAR_TRUTH_LAYOUT)
    section, covariance = np.full(len(rows), np.nan, np.float32), np.full((len(rows), 4, 4), np.nan, np.float32)
    if points is not None and len(points) == len(rows):
        section = (10 ** (points["rcs"].astype(np.float64) / 10)).astype(np.float32)
        covariance[:] = 0.0
        for place, name in enumerate(("range", "speed", "azimuth", "elevation")):
            covariance[:, place, place] = points[f"variance_{name}"]
    told = None
    if truth is not None and len(truth) == len(rows):
        told = RadarTruth(
            body=truth["body"].astype(np.int32),
            part=truth["part"].astype(np.int32),
            bounces=truth["bounces"].astype(np.int8),
        )
    names = ("range_m", "speed_m_s", "azimuth_rad", "elevation_rad", "snr_db")
    return RadarScan(
        stamp=stamp,
        **dict(zip(names, columns, strict=True)),
        cross_section_m2=section,
        covariance=covariance,
        truth=told,
        map=parts.get("map"),
        cube=parts.get("cube"),
    )
