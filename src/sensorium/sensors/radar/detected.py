"""Detections become a sample, each with what it really is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sensorium.samples import Stamp
from sensorium.samples.radar import RadarCube, RadarMap, RadarScan, RadarTruth
from sensorium.sensors.radar.link import FrontEnd
from sensorium.sensors.radar.paths import Paths
from sensorium.sensors.radar.processing import Found

Floats = NDArray[np.float64]


def scan_of(
    found: Found,
    path: NDArray[np.intp] | None,
    paths: Paths,
    front: FrontEnd,
    attenuation_1_m: float,
    stamp: Stamp,
    map: RadarMap | None = None,
    cube: RadarCube | None = None,
) -> RadarScan:
    """Return the sample, strongest first; `path` holds the strongest path of each detection, -1 for none; None: not asked."""
    order = np.argsort(-found.snr, kind="stable")
    found = Found(*(column[order] for column in found))
    flat = np.cos(found.elevation_rad)
    direction = np.stack(
        (flat * np.cos(found.azimuth_rad), flat * np.sin(found.azimuth_rad), np.sin(found.elevation_rad)), -1
    )
    per_m2 = front.power_per_m2_w(found.range_m, direction, direction, attenuation_1_m)
    variance = front.variances(found.snr, found.azimuth_rad, found.elevation_rad)
    covariance = np.zeros((len(order), 4, 4), np.float32)
    covariance[:, range(4), range(4)] = variance
    single = {name: np.asarray(getattr(found, name), np.float32) for name in Found._fields[:4]}
    return RadarScan(
        stamp=stamp,
        **single,
        cross_section_m2=(found.power_w / np.maximum(per_m2, 1e-300)).astype(np.float32),
        snr_db=(10 * np.log10(np.maximum(found.snr, 1e-12))).astype(np.float32),
        covariance=covariance,
        truth=None if path is None else _truth(path[order], paths),
        map=map,
        cube=cube,
    )


def _truth(path: NDArray[np.intp], paths: Paths) -> RadarTruth:
    def of(column: NDArray[np.int32] | NDArray[np.int8], none: int) -> NDArray[np.int32]:
        padded = np.append(column, none).astype(np.int32)  # the last row stands for -1
        return np.asarray(padded[path], np.int32)

    return RadarTruth(body=of(paths.body, -1), part=of(paths.part, -1), bounces=of(paths.bounces, 0).astype(np.int8))


def folded(value: Floats, period: float, start: float) -> Floats:
    """Return values brought into start .. start + period."""
    return np.asarray(start + (value - start) % period)


def apparent(paths: Paths, front: FrontEnd, folds: int = 1) -> tuple[Floats, Floats]:
    """Return range and speed as the radar measures them: both folded into what it can tell apart.

    A speed that is folded takes its part of the beat with it, so that the range is off as well. With `folds` speeds so many times
    faster are told apart.
    """
    chirps = front.chirps
    fastest = chirps.speed_max_m_s(front.transmitters) * folds
    speed = folded(paths.speed_m_s, 2 * fastest, -fastest)
    per_speed = chirps.start_hz / chirps.slope_hz_s
    beat = folded(paths.range_m + per_speed * paths.speed_m_s, chirps.range_max_m, 0.0)
    return beat - per_speed * speed, speed
