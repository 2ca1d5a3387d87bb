"""A plot of dead reckoning: the way from above, and the error over the way."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from sensorium.evaluation.dead_reckoning import Drift, Track


def draw_drifts(truth: Track, drifts: Sequence[Drift], out_png: Path, title: str = "") -> Path:
    """Write the picture and return its path."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure, (above, error) = plt.subplots(1, 2, figsize=(13, 6))
    above.plot(*truth.position_m[:, :2].T, color="black", lw=2.5, label=f"truth, {truth.way_m[-1]:.1f} m")
    for drift, colour in zip(drifts, ("tab:blue", "tab:orange", "tab:green", "tab:red"), strict=False):
        label = f"{drift.track.name}: {drift.final_m:.2f} m off in the end ({drift.share:.2%})"
        above.plot(*drift.track.position_m[:, :2].T, color=colour, lw=1.2, label=label)
        error.plot(np.asarray(drift.track.times_ns) * 1e-9, np.maximum(drift.error_m, 1e-4), color=colour, label=label)
    above.plot(*truth.position_m[0, :2], "o", color="black", ms=5)
    above.set(xlabel="x / m", ylabel="y / m", aspect="equal", title="from above; the dot is the start")
    error.set(xlabel="time / s", ylabel="level distance from the truth / m", yscale="log", title="drift")
    above.set_adjustable("datalim")
    for axes in (above, error):
        axes.grid(alpha=0.3)
    above.legend(fontsize=8)
    if title:
        figure.suptitle(title)
    figure.tight_layout()
    out_png.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(out_png, dpi=110)
    plt.close(figure)
    return out_png
