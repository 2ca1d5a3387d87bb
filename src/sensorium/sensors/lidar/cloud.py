"""From detected returns to a point cloud, with the truth beside it where asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.time import TimeWindow
from sensorium.samples import PointCloud, PointTruth, Stamp
from sensorium.sensors.lidar.beams import Beams
from sensorium.sensors.lidar.echoes import LaterEchoes, Seen

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

    part_offset: Whole
    part_material: Whole
    part_class: Whole
    seen: Seen
    later: LaterEchoes

    def of(self, source: NDArray[np.int64], missing: NDArray[np.int8]) -> PointTruth:
        """Return the truth of returns by their sources."""
        from sensorium.sensors.lidar import cloud_kernels

        seen, later = self.seen, self.later
        body, part, material, label, incidence, cause = cloud_kernels.truth(
            source, seen.body, seen.part, seen.incidence_cos, later.body, later.part, later.incidence_cos, later.cause,
            self.part_offset, self.part_material, self.part_class,
        )  # fmt: skip
        return PointTruth(
            body=body, part=part, material=material, label=label, incidence_rad=incidence, cause=cause, missing=missing
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
