"""From detected returns to a point cloud, with the truth beside it where asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.time import TimeWindow
from sensorium.samples import PointCloud, PointTruth, Stamp
from sensorium.samples.causes import Cause
from sensorium.scene.scene import Scene
from sensorium.sensors.lidar.beams import Beams
from sensorium.sensors.lidar.echoes import NOISE, LaterEchoes, Met

Whole = NDArray[np.int32]
Brightness = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]
"""Intensities of powers [W] at ranges [m]."""


@dataclass(frozen=True, eq=False)
class Detected:
    """What the electronics report of N beams."""

    range_m: NDArray[np.float64]
    """[N, 2] NaN: no return."""
    power_w: NDArray[np.float64]
    """[N, 2]"""
    source: NDArray[np.int64]
    """[N, 2] row of the ray; -1 air, -2 crosstalk, -3 - e the later echo e; NOISE."""
    missing: NDArray[np.int8]
    """[N] a `Missing`."""


@dataclass(frozen=True, eq=False)
class Looked:
    """What every ray met and what the later echoes came from: the truth before the detector chooses."""

    body: Whole
    """Of the rays [N R], then of the later echoes [M]; -1: nothing."""
    part: Whole
    material: Whole
    label: Whole
    incidence_rad: NDArray[np.float32]
    cause: NDArray[np.int8]
    rays: int
    """Number of rows that belong to rays."""

    @classmethod
    def at(cls, scene: Scene, met: Met, later: LaterEchoes) -> Looked:
        """Look up material, class and incidence of everything that was met."""
        from sensorium.sensors.lidar import cloud_kernels

        body, part = np.concatenate((met.hits.body, later.body)), np.concatenate((met.hits.part, later.part))
        material, label, incidence = cloud_kernels.looked(
            body, part, met.rays.direction, met.hits.normal, later.incidence_cos,
            scene.part_offset, scene.part_material, scene.part_class,
        )  # fmt: skip
        cause = np.concatenate((np.full(len(body) - len(later.body), Cause.SURFACE, np.int8), later.cause))
        return cls(body, part, material, label, incidence, cause, len(met.rays.direction))

    def of(self, source: NDArray[np.int64], missing: NDArray[np.int8]) -> PointTruth:
        """Return the truth of returns by their sources."""
        row = np.where(source >= 0, source, self.rays - 3 - source)
        airborne = (source == -1) | (source == -2) | (source == NOISE)
        row[airborne] = 0

        def chosen(column: NDArray[np.int32], nothing: int) -> Whole:
            return np.where(airborne, nothing, column[row] if len(column) else nothing).astype(np.int32)

        cause = np.where(source == -1, Cause.AIR, np.where(source == -2, Cause.CROSSTALK, self.cause[row]))
        cause = np.where(source == NOISE, Cause.NOISE, cause)
        return PointTruth(
            body=chosen(self.body, -1),
            part=chosen(self.part, -1),
            material=chosen(self.material, -1),
            label=chosen(self.label, -1),
            incidence_rad=np.where(airborne, 0, self.incidence_rad[row]).astype(np.float32),
            cause=cause.astype(np.int8),
            missing=missing,
        )


def cloud_of(
    detected: Detected, brightness: Brightness, beams: Beams, window: TimeWindow, looked: Looked | None, stamp: Stamp
) -> PointCloud:
    """Return the reported returns as points in the sensor frame, in firing order."""
    from sensorium.sensors.lidar import cloud_kernels

    slots = cloud_kernels.filled(detected.range_m)
    points, distance, power, ring, offset = cloud_kernels.points(
        slots,
        detected.range_m,
        detected.power_w,
        beams.origin_m,
        beams.direction,
        beams.time_ns,
        window.start_ns,
        beams.ring,
    )
    return PointCloud(
        stamp=stamp,
        points_m=points,
        range_m=distance,
        intensity=brightness(power, distance).astype(np.float32),
        ring=ring,
        time_offset_ns=offset,
        beam=(slots // 2).astype(np.uint32),
        return_index=(slots % 2).astype(np.uint8),
        beam_count=len(beams),
        truth=looked.of(detected.source.ravel()[slots], detected.missing) if looked else None,
    )
