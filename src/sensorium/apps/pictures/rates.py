"""How fast each topic really came, and how many points each scan had."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sensorium.apps.contents import Scans
from sensorium.core.time import seconds

Floats = NDArray[np.float64]

LINES = ("#38bdf8", "#f59e0b", "#34d399", "#f472b6", "#a78bfa", "#facc15", "#fb7185", "#22d3ee")


def measured_rate_hz(times_ns: ArrayLike) -> tuple[Floats, Floats]:
    """Return the middle of each interval in seconds and the rate in it, 1 / (t[k+1] - t[k]); infinite for equal times."""
    times = np.sort(np.asarray(times_ns, np.int64))
    if len(times) < 2:
        return np.empty(0), np.empty(0)
    step = np.diff(times)
    with np.errstate(divide="ignore"):
        return seconds(times[:-1]) + step * 0.5e-9, 1e9 / step


def draw_rates(axes: Any, times_ns: dict[str, NDArray[np.int64]]) -> None:
    """Draw the rate of every topic against time on a logarithmic scale; a dip is a gap."""
    for number, (topic, times) in enumerate(times_ns.items()):
        at_s, rate_hz = measured_rate_hz(times)
        keep = np.isfinite(rate_hz)
        if not keep.any():
            continue
        colour = LINES[number % len(LINES)]
        axes.plot(at_s[keep], rate_hz[keep], color=colour, linewidth=1.2, drawstyle="steps-mid",
                  label=f"{topic}  {np.median(rate_hz[keep]):.4g} Hz")  # fmt: skip
    axes.set_title("rate of each sensor")
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    axes.set_yticks([1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], ["1", "2", "5", "10", "20", "50", "100", "200", "500", "1k"])
    axes.minorticks_off()
    axes.set_ylim(min(low / 3, 2.0), max(high * 1.5, 20.0))
    axes.set_xlabel("time / s")
    axes.set_ylabel("rate / Hz")
    axes.legend(loc="lower right", ncols=2, fontsize=6.5, frameon=False)


def draw_counts(axes: Any, scans: dict[str, Scans]) -> None:
    """Draw returns per scan (line) under beams per scan (dashes) against time, by LiDAR."""
    for number, (lidar, each) in enumerate(scans.items()):
        colour, at_s = LINES[number % len(LINES)], seconds(each.times_ns)
        share = each.returns.sum() / max(1, each.beams.sum())
        axes.plot(at_s, each.beams / 1e3, color=colour, linewidth=0.9, linestyle=(0, (4, 3)), alpha=0.7)
        axes.plot(at_s, each.returns / 1e3, color=colour, linewidth=1.4, label=f"{lidar}  {share:.0%} of beams return")
    axes.set_title("returns per scan (dashed: beams fired)")
    axes.set_ylim(0, axes.get_ylim()[1] * 1.25)
    axes.set_xlabel("time / s")
    axes.set_ylabel("points per scan / 1000")
    axes.legend(loc="upper right", ncols=2, fontsize=6.5, frameon=False)
