"""How fast each topic really came, and how many points each scan had."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sensorium.apps.contents import Scans
from sensorium.core.time import seconds

Floats = NDArray[np.float64]

_MOST_LINES = 8
_BESIDE = ("/truth", "/tf", "/clock")
_ABOUT = ("/camera_info", "/settings")
LINES = ("#38bdf8", "#f59e0b", "#34d399", "#f472b6", "#a78bfa", "#facc15", "#fb7185", "#22d3ee")


def measured_rate_hz(times_ns: ArrayLike) -> tuple[Floats, Floats]:
    """Return the middle of each step in seconds and the rate 1 / (t[k+1] - t[k]) in it; infinite for equal times."""
    times = np.sort(np.asarray(times_ns, np.int64))
    if len(times) < 2:
        return np.empty(0), np.empty(0)
    step = np.diff(times)
    with np.errstate(divide="ignore"):
        return seconds(times[:-1]) + step * 0.5e-9, 1e9 / step


def draw_rates(axes: Any, times_ns: dict[str, NDArray[np.int64]]) -> None:
    """Draw the rate of every topic against time on a logarithmic scale; a dip is a gap."""
    rates = {topic: measured_rate_hz(times) for topic, times in times_ns.items()}
    shown = {topic: (at_s, rate_hz) for topic, (at_s, rate_hz) in rates.items() if np.isfinite(rate_hz).any()}
    if len(shown) > _MOST_LINES:  # measurements alone, without what is true or said beside them
        shown = {
            topic: each for topic, each in shown.items() if not topic.startswith(_BESIDE) and not topic.endswith(_ABOUT)
        }
    names = {topic: f"{np.median(rate_hz[np.isfinite(rate_hz)]):.4g} Hz" for topic, (_, rate_hz) in shown.items()}
    for number, (topic, (at_s, rate_hz)) in enumerate(shown.items()):
        keep = np.isfinite(rate_hz)
        above = list(names.values())[number + 1 :].count(names[topic])  # wide first: equal rates show as stripes
        axes.plot(at_s[keep], rate_hz[keep], color=LINES[number % len(LINES)], linewidth=1.4 + 1.5 * above,
                  solid_capstyle="butt", label=f"{topic}  {names[topic]}")  # fmt: skip
    axes.set_title("rate of each topic")
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    ticks = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
    axes.set_yticks(ticks, [str(tick) for tick in ticks])
    axes.minorticks_off()
    axes.set_ylim(min(low / 3, 2.0), max(high * 1.5, 20.0))
    axes.set_xlabel("time / s")
    axes.set_ylabel("rate / Hz")
    for line in axes.legend(loc="lower right", ncols=2, fontsize=6.5, frameon=False).get_lines():
        line.set_linewidth(2.5)


def draw_counts(axes: Any, scans: dict[str, Scans]) -> None:
    """Draw returns per scan (line) under beams per scan (dashes) against time, by LiDAR."""
    for number, (lidar, each) in enumerate(scans.items()):
        colour, at_s = LINES[number % len(LINES)], seconds(each.times_ns)
        lost = each.returns.sum() < each.beams.sum()  # a recording may not know how many beams were fired
        share = f"  {each.returns.sum() / each.beams.sum():.0%} of beams return" if lost else ""
        axes.plot(at_s, each.returns / 1e3, color=colour, linewidth=1.4, label=f"{lidar}{share}")
        if lost:
            axes.plot(at_s, each.beams / 1e3, color=colour, linewidth=0.9, linestyle=(0, (4, 3)), alpha=0.7)
    axes.set_title("returns per scan (dashed: beams fired)")
    axes.set_ylim(0, axes.get_ylim()[1] * 1.25)
    axes.set_xlabel("time / s")
    axes.set_ylabel("points per scan / 1000")
    axes.legend(loc="upper right", ncols=2, fontsize=6.5, frameon=False)
