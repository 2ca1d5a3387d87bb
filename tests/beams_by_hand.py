"""Beams whose echoes are written down instead of traced, for tests of what a LiDAR's electronics make of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sensorium.core.random import Draws
from sensorium.core.time import TimeWindow
from sensorium.samples import PointCloud, Stamp
from sensorium.samples.causes import Cause
from sensorium.sensors import Lidar
from sensorium.sensors.lidar import Channel, Spinning
from sensorium.sensors.lidar.beams import Beams
from sensorium.sensors.lidar.bundle import Bundle
from sensorium.sensors.lidar.echoes import FirstEchoes, LaterEchoes
from sensorium.sensors.lidar.lidar import LidarSignal
from sensorium.sensors.lidar.receiver import Air, Receiver, ReturnMode

ONE_BEAM = Spinning(firing_cycle_s=1e-4, channels=(Channel(ring=0, elevation_rad=0.0),))
NO_AIR = Air(0.0, 1.0, 1.0, 0.0, 0.0)
NOISE_W = Receiver().noise_w
"""Sigma of the receiver of `listener`, unless it says otherwise."""
SILENT = {"nep_w_sqrt_hz": 1e-20}
"""A receiver without noise to speak of."""
HALF_C_M_S = 299_792_458.0 / 2


def listener(rays: int = 1, mode: str = "strongest", receiver: dict | None = None, **settings) -> Lidar:
    """Return a LiDAR for beams by hand: no jitter, no steps, 0.5 to 100 m."""
    return Lidar(
        pattern=ONE_BEAM, bundle=Bundle(rays=rays), receiver=Receiver(**(receiver or {})), returns=ReturnMode(type=mode),
        **settings,
    )  # fmt: skip


def beams_of(lidar: Lidar, distance_m, power_w, air: Air = NO_AIR, noise_w=None) -> LidarSignal:
    """Return beams along x; rows of distance and power [N, R] are the echoes of their rays, NaN or infinity for none."""
    power, distance = (np.asarray(values, float) for values in np.broadcast_arrays(power_w, distance_m))
    count, rays = distance.shape[0], lidar.bundle.rays
    far, faint = np.full((count, rays), np.inf), np.zeros((count, rays), np.float32)
    far[:, : distance.shape[1]], faint[:, : power.shape[1]] = np.where(np.isnan(distance), np.inf, distance), power
    beams = Beams(
        np.arange(count) * 10, np.zeros((count, 3)), np.tile([1.0, 0, 0], (count, 1)), np.zeros(count, np.uint16)
    )
    noise = np.array([lidar.receiver.noise_w]) if noise_w is None else np.asarray(noise_w, float)
    first = FirstEchoes(far.ravel(), faint.ravel())
    return LidarSignal(TimeWindow(0, 100_000_000), beams, first, LaterEchoes.none(count), noise, air, None)


def over_a_mirror(signal: LidarSignal, beam: int, distance_m: float, power_w: float) -> LidarSignal:
    """Return the signal with one echo over a mirror in one of its beams."""
    whole = np.zeros(1, np.int32)
    first = (np.arange(len(signal.beams) + 1) > beam).astype(np.int64)
    cause = np.full(1, Cause.MIRROR_GHOST, np.int8)
    later = LaterEchoes(first, np.array([distance_m]), np.array([power_w]), cause, whole, whole, np.ones(1))
    return replace(signal, later=later)


def hear(lidar: Lidar, signal: LidarSignal, seed: int = 1) -> PointCloud:
    """Return what the LiDAR reports of these beams."""
    return lidar.detect(signal, None, Draws(seed, sensor="lidar"), Stamp("lidar", 0, 0, 100_000_000))[0]


def one_range(cloud: PointCloud) -> np.ndarray:
    """Return the first reported range of every beam [N], NaN for none."""
    out = np.full(cloud.beam_count, np.nan)
    first = cloud.return_index == 0
    out[cloud.beam[first]] = cloud.range_m[first]
    return out
