"""Pictures of radar scans: power over range and speed, detections from above with their speeds as arrows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sensorium.samples.radar import RadarMap, RadarScan

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_STILL_M_S = 0.3
"""Detections slower than this have no arrow."""
_ARROW_S = 0.5
"""An arrow is as long as the way in this time."""


def draw_range_speed(axes: Axes, told: RadarMap, scan: RadarScan | None = None, most_db: float = 50.0) -> None:
    """Draw a range-speed map in decibels over the noise, with the detections as rings."""
    half_r, half_v = ((axis[1] - axis[0]) / 2 for axis in (told.range_m, told.speed_m_s))
    extent = (
        float(told.speed_m_s[0] - half_v), float(told.speed_m_s[-1] + half_v),
        float(told.range_m[0] - half_r), float(told.range_m[-1] + half_r),
    )  # fmt: skip
    image = axes.imshow(
        told.power_db,
        origin="lower",
        aspect="auto",
        extent=extent,
        cmap="magma",
        vmin=0,
        vmax=most_db,
        interpolation="nearest",
    )
    axes.figure.colorbar(image, ax=axes, label="power over noise / dB")
    if scan is not None:
        span = extent[1] - extent[0]  # speeds beyond the map lie where they fold to
        speed = (scan.speed_m_s - extent[0]) % span + extent[0]
        axes.plot(speed, scan.range_m, "o", mfc="none", mec="#38bdf8", ms=6, lw=0.5)
    axes.set(xlabel="speed / m/s (positive: receding)", ylabel="range / m", xlim=extent[:2])


def draw_birds_eye(
    axes: Axes, scan: RadarScan, own_speed_m_s: float | None = None, outline_m: NDArray[np.float64] | None = None
) -> None:
    """Draw detections from above, forward to the right; arrows are speeds along the line of sight.

    `own_speed_m_s` is that of the radar along its x axis: speeds are over ground then, without it against the radar.
    Detections over mirrors are crosses, where truth is known. `outline_m` [N, 2 or 3] are points to draw below, in the same frame.
    """
    if outline_m is not None:
        axes.scatter(outline_m[:, 0], outline_m[:, 1], s=1, c="#cbd5e1", linewidths=0)
    points, strength = scan.points_m, np.clip(scan.snr_db, 10, 50)
    direction = points / np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-6)
    ground = scan.speed_m_s + (own_speed_m_s or 0.0) * direction[:, 0]
    against = "the radar" if own_speed_m_s is None else "the ground"
    ghost = np.zeros(len(scan), np.bool_) if scan.truth is None else np.asarray(np.abs(scan.truth.bounces) > 1)
    for marker, chosen in (("o", ~ghost), ("x", ghost)):
        shown = axes.scatter(
            points[chosen, 0], points[chosen, 1], c=ground[chosen], s=strength[chosen], marker=marker, cmap="coolwarm",
            vmin=-10, vmax=10, linewidths=1,
        )  # fmt: skip
    axes.figure.colorbar(shown, ax=axes, label=f"speed against {against} / m/s (positive: receding)")
    moves = np.abs(ground) > _STILL_M_S
    arrow = direction[moves] * ground[moves, None] * _ARROW_S
    axes.quiver(
        points[moves, 0],
        points[moves, 1],
        arrow[:, 0],
        arrow[:, 1],
        angles="xy",
        scale_units="xy",
        scale=1,
        width=0.002,
    )
    axes.plot(0, 0, "k^", ms=8)
    axes.set(xlabel="forward / m", ylabel="left / m", aspect="equal")


def draw_speeds_over_time(
    axes: Axes, times_s: NDArray[np.float64], speed_m_s: NDArray[np.float32], power_db: NDArray[np.float64]
) -> None:
    """Draw spectra [speeds, times] one beside the other: micro-Doppler."""
    extent = (float(times_s[0]), float(times_s[-1]), float(speed_m_s[0]), float(speed_m_s[-1]))
    image = axes.imshow(power_db, origin="lower", aspect="auto", extent=extent, cmap="magma", vmin=0, vmax=40)
    axes.figure.colorbar(image, ax=axes, label="power over noise / dB")
    axes.set(xlabel="time / s", ylabel="speed / m/s (positive: receding)")
