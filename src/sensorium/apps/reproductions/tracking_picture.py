"""Error curves of the bouncing ball over time, one run and the mean of all, with the consistency below."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sensorium.apps.studies.ball_tracking import Errors
from sensorium.apps.whole_file import whole_file


def draw(errors: Errors, path: Path, run: int = 0) -> Path:
    """Write the picture: position and speed error (figure 9 of the publication), and the median NEES."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 10), layout="constrained")
    axes = figure.subplots(3, 1, sharex=True)
    for axis, values, unit in ((axes[0], errors.position_m, "position error / m"),
                               (axes[1], errors.speed_m_s, "speed error / (m/s)")):  # fmt: skip
        axis.semilogy(errors.time_s, values[run], "b--", lw=0.8, label="one run")
        mean = np.sqrt(np.nanmean(values**2, 0))
        axis.semilogy(errors.time_s, mean, "r", lw=1.4, label=f"root mean square of {len(values)} runs")
        axis.set_ylabel(unit)
        axis.grid(alpha=0.3, which="both")
        axis.legend(loc="upper center")
    low, middle, high = np.nanpercentile(errors.nees, (25, 50, 75), axis=0)
    axes[2].fill_between(errors.time_s, low, high, color="0.8", label="half of the runs")
    axes[2].semilogy(errors.time_s, middle, "k", lw=1, label="median NEES of place and velocity")
    axes[2].axhline(5.348, color="g", ls=":", label="median of chi-squared, 6 degrees of freedom")
    axes[2].set(xlabel="time / s", ylabel="NEES")
    axes[2].legend(loc="upper center")
    with whole_file(path) as part:
        figure.savefig(part, dpi=110)
    return path
