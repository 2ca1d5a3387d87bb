"""The Allan deviation of a record as a picture: curves with their bands, and the slopes from which the parameters were read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sensorium.apps.pictures import sheet
from sensorium.evaluation import allan_models
from sensorium.evaluation.allan import AllanCurve, NoiseParameters
from sensorium.evaluation.inertial_record import InertialRecord

Found = tuple[InertialRecord, AllanCurve, NoiseParameters]
SHOWN = {
    "angular_velocity": ("deg/h", np.pi / 180 / 3600),
    "specific_force": ("ug", 9.80665e-6),
    "flux_density": ("nT", 1e-9),
}
"""Quantity -> unit on paper and its size in SI."""
_COLOURS = {"x": "#f472b6", "y": "#34d399", "z": "#38bdf8"}
_WIDTH_IN, _HEIGHT_IN = 7.2, 5.6


def write_allan_plot(found: Sequence[Found], path: Path, title: str) -> Path:
    """Write one PNG with a diagram for each instrument."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with sheet.style():
        figure = Figure(figsize=(_WIDTH_IN * len(found), _HEIGHT_IN), dpi=110)
        FigureCanvasAgg(figure)
        for axes, each in zip(figure.subplots(1, len(found), squeeze=False)[0], found, strict=True):
            draw_allan(axes, *each)
        figure.suptitle(title, x=0.02, ha="left", fontsize=12)
        figure.tight_layout()
        return sheet.save_sheet(figure, path)


def draw_allan(axes: Any, record: InertialRecord, curve: AllanCurve, found: NoiseParameters) -> None:
    """Draw the curves of all axes, and for each what was read from it."""
    unit, size = SHOWN[record.quantity]
    for channel, axis in enumerate(record.axes):
        colour = _COLOURS[axis]
        axes.fill_between(
            curve.tau_s, curve.low[:, channel] / size, curve.high[:, channel] / size, color=colour, alpha=0.2
        )
        axes.plot(curve.tau_s, curve.deviation[:, channel] / size, color=colour, linewidth=1.5, label=axis)
    tau = curve.tau_s
    bottom, top = curve.low.min() / size / 1.5, curve.high.max() / size * 1.5
    lines = (
        (found.random_walk, allan_models.white, "N / sqrt(tau)", "--"),
        (found.bias_instability, allan_models.flat, "0.664 B", ":"),
        (found.rate_random_walk, allan_models.walk, "K sqrt(tau / 3)", "-."),
    )
    for values, model, name, dashes in lines:
        if not np.isnan(values).all():
            axes.plot(
                tau, model(float(np.nanmean(values)), tau) / size, dashes, color=sheet.FAINT, linewidth=1, label=name
            )
    axes.set(
        xscale="log",
        yscale="log",
        ylim=(bottom, top),
        xlabel="cluster time tau / s",
        ylabel=f"Allan deviation / {unit}",
    )
    length = f"{record.filled} readings held" if record.filled else f"{curve.count} readings"
    axes.set_title(
        f"{record.sensor}, {record.instrument}: {length} at {record.rate_hz:.4g} Hz, band {curve.confidence:.0%}"
    )
    axes.grid(True, which="both", color="#2b3648", linewidth=0.4)
    axes.legend(fontsize=8, loc="best", frameon=False)
