"""Things in a radar scan: what moves over ground, as measurements of range, direction and radial speed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.pose import Pose
from sensorium.core.units import NonNegativeMetres, Number, PositiveMetres
from sensorium.samples.radar import RadarScan
from sensorium.tracking.detections import Detections, PoseAt, detections
from sensorium.tracking.measurement_models import RangeAngleSpeed, RangeAnglesSpeed

Floats = NDArray[np.float64]
VelocityAt = Callable[[NDArray[np.int64]], Floats]
"""Velocity [N, 3] of a sensor in the world at times [N]; `PosePath.velocity_m_s` is one."""
_WITH_ELEVATION, _FLAT = (0, 2, 3, 1), (0, 2, 1)
"""Columns of a scan's covariance (range, speed, azimuth, elevation) in the order of our measurements."""


@configured
class RadarDetector:
    """Drops what stands and what is weak, and hands the rest on with the covariance that the radar tells.

    What stands recedes at -u . v, u the direction to it and v the radar's own velocity. A detection stands when its speed is
    nearer to that than `static_speed_m_s` and than three standard deviations, which hold the error of u as well.
    """

    type: Literal["radar_detector"] = "radar_detector"
    static_speed_m_s: Number = 0.4
    """Things slower than this along the line of sight are taken for standing."""
    least_snr_db: Number = 10.0
    farthest_m: PositiveMetres = 80.0
    largest_elevation_rad: Number = 0.35
    """Beyond, the antenna hears little and mistakes much."""
    depth_m: NonNegativeMetres = 0.1
    """How much deeper the middle of a thing lies than what sends back, as a standard deviation."""
    speed_noise_m_s: Number = 0.1
    """Standard deviation of speeds within one thing and of echoes over the road, on top of the radar's own."""
    apart_m: NonNegativeMetres = 0.6
    """Of echoes that are nearer to each other, in range and across, the strongest counts: the others came over the road."""
    speed_span_m_s: Number | None = None
    """Speeds differ from what the radar tells by multiples of this; none: they do not. Those nearest to standing are chosen."""
    keep_static: bool = False
    """Whether detections that stand are kept."""

    def detect(self, scan: RadarScan, pose_at: PoseAt, velocity_at: VelocityAt | None = None) -> Detections:
        """Return what moves; `velocity_at` is the velocity of the radar, none: it stands.

        The time of all is the middle of the frame. Features are the speed over ground along the line of sight, the radar cross
        section and the signal-to-noise ratio. A scan without any elevation has measurements without one.
        """
        middle_ns = (scan.stamp.time_ns + scan.stamp.ready_ns) // 2
        times_ns = np.full(len(scan), middle_ns, np.int64)
        own = np.zeros((len(scan), 3)) if velocity_at is None else velocity_at(times_ns)
        covariance = scan.covariance.astype(np.float64)
        still = self._standing_speed(scan, pose_at(times_ns), own)
        over_ground = scan.speed_m_s - still
        if self.speed_span_m_s is not None:
            over_ground -= self.speed_span_m_s * np.rint(over_ground / self.speed_span_m_s)
        kept = (scan.snr_db >= self.least_snr_db) & (scan.range_m <= self.farthest_m)
        kept &= np.abs(scan.elevation_rad) <= self.largest_elevation_rad
        if not self.keep_static:
            kept &= np.abs(over_ground) > self._doubt(scan, pose_at(times_ns), own, covariance)
        kept = self._strongest(scan, kept)
        flat = not scan.elevation_rad.any()
        columns = np.array(_FLAT if flat else _WITH_ELEVATION)
        told = np.stack((scan.range_m, still + over_ground, scan.azimuth_rad, scan.elevation_rad), -1).astype(
            np.float64
        )
        covariance[:, 0, 0] += self.depth_m**2
        covariance[:, 1, 1] += self.speed_noise_m_s**2
        found = detections(
            scan.stamp, RangeAngleSpeed() if flat else RangeAnglesSpeed(), times_ns[kept], told[kept][:, columns],
            covariance[kept][:, columns[:, None], columns], pose_at,
            {"speed_over_ground_m_s": over_ground[kept].astype(np.float64),
             "cross_section_m2": scan.cross_section_m2[kept].astype(np.float64),
             "snr_db": scan.snr_db[kept].astype(np.float64)}, own[kept],
        )  # fmt: skip
        return found

    def _strongest(self, scan: RadarScan, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return those kept that have no stronger one beside them; greedily from the strongest on."""
        places = scan.range_m[:, None] * np.stack((np.cos(scan.azimuth_rad), np.sin(scan.azimuth_rad)), -1)
        left, chosen = kept.copy(), np.zeros_like(kept)
        while left.any():
            best = int(np.argmax(np.where(left, scan.snr_db, -np.inf)))
            chosen[best] = True
            left &= np.linalg.norm(places - places[best], axis=1) > self.apart_m
            left[best] = False
        return chosen

    def _standing_speed(self, scan: RadarScan, pose: Pose, own: Floats) -> Floats:
        """Return the radial speed [N] of what stands in the measured directions: -u . v."""
        line = pose.rotate(_directions(scan.azimuth_rad, scan.elevation_rad))
        return np.asarray(-(line * own).sum(-1), np.float64)

    def _doubt(self, scan: RadarScan, pose: Pose, own: Floats, covariance: Floats) -> Floats:
        """Return how far [N] from that a speed must be: three standard deviations of its error and that of the direction."""
        step, still = 1e-4, self._standing_speed(scan, pose, own)
        variance = covariance[:, 1, 1].copy()
        for axis, (a, e) in enumerate(((step, 0.0), (0.0, step))):
            turned = -(pose.rotate(_directions(scan.azimuth_rad + a, scan.elevation_rad + e)) * own).sum(-1)
            variance = variance + ((turned - still) / step) ** 2 * covariance[:, 2 + axis, 2 + axis]
        return np.asarray(np.maximum(self.static_speed_m_s, 3 * np.sqrt(variance)), np.float64)


def _directions(azimuth_rad: NDArray[np.floating], elevation_rad: NDArray[np.floating]) -> Floats:
    a, e = np.asarray(azimuth_rad, np.float64), np.asarray(elevation_rad, np.float64)
    return np.stack((np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)), -1)
