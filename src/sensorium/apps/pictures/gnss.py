"""What a satellite receiver saw and said: sky plot, track on the ground plan, satellites and dilution over time, errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sensorium.apps.pictures.sheet import FAINT, INK, PANEL, save_sheet, style, write_header
from sensorium.core.earth import LocalFrame, ecef_of_geodetic
from sensorium.core.errors import RecordingError
from sensorium.samples.gnss import FixType, GnssFix

if TYPE_CHECKING:
    from sensorium.recording.reader import Recording

Floats = NDArray[np.float64]

FIX_COLOURS = {
    FixType.NONE: "#475569", FixType.SINGLE: "#38bdf8", FixType.DIFFERENTIAL: "#a78bfa", FixType.FLOAT: "#facc15",
    FixType.FIXED: "#34d399", FixType.PREDICTED: "#fb7185",
}  # fmt: skip
_STRENGTHS = (20.0, 50.0)


def gnss_sheet(
    samples: Sequence[GnssFix],
    out_png: Path | str,
    title: str = "satellite navigation",
    outlines_m: Sequence[Floats] = (),
    tracks_m: Mapping[str, Floats] | None = None,
) -> Path:
    """Write one PNG about the samples of one receiver.

    Places are drawn in the world of the truth if the samples tell it, else around the first fix. `outlines_m` are polygons
    [N, 2] of the ground plan, `tracks_m` further tracks [N, 2] by their names.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=(16, 10.5), dpi=110)
        FigureCanvasAgg(figure)
        grid = figure.add_gridspec(3, 2, width_ratios=(1, 1.55), height_ratios=(1.75, 0.8, 0.8), hspace=0.3, wspace=0.14,
                                   left=0.045, right=0.985, top=0.865, bottom=0.055)  # fmt: skip
        _draw_sky(figure.add_subplot(grid[0, 0], projection="polar"), _telling(samples))
        _draw_track(figure.add_subplot(grid[0, 1]), samples, outlines_m, tracks_m or {})
        _draw_counts(figure.add_subplot(grid[1, 0]), samples)
        _draw_dilution(figure.add_subplot(grid[2, 0]), samples)
        _draw_errors(figure.add_subplot(grid[1, 1]), samples)
        _draw_strengths(figure.add_subplot(grid[2, 1]), samples)
        kinds = {kind: sum(sample.fix == kind for sample in samples) for kind in FixType}
        facts = [f"{count} {kind.name.lower()}" for kind, count in kinds.items() if count]
        write_header(figure, title, [f"{len(samples)} epochs", *facts])
        return save_sheet(figure, Path(out_png))


def recorded_sheet(recording: Recording, out_png: Path) -> Path:
    """Write the sheet of the first satellite receiver in a recording."""
    samples = [sample for sample in recording.samples() if isinstance(sample, GnssFix)]
    if not samples:
        raise RecordingError(f"{recording.path} holds nothing of a satellite receiver")
    first = samples[0].stamp.sensor
    return gnss_sheet(
        [sample for sample in samples if sample.stamp.sensor == first], out_png, f"satellite receiver {first}"
    )


def _telling(samples: Sequence[GnssFix]) -> GnssFix:
    """Return the sample with a fix that is nearest to the middle, or the middle one if none has."""
    middle = len(samples) // 2
    fixed = [k for k, sample in enumerate(samples) if sample.used_count]
    return samples[min(fixed, key=lambda k: abs(k - middle))] if fixed else samples[middle]


def _seconds(samples: Sequence[GnssFix]) -> Floats:
    return np.array([sample.stamp.time_ns for sample in samples]) * 1e-9


def _draw_sky(axes: Any, sample: GnssFix) -> None:
    """Draw satellites by azimuth and elevation: filled if direct, ringed if used, hollow if hidden; colour is C/N0."""
    sky, truth = sample.satellites, sample.truth
    axes.set_theta_zero_location("N")
    axes.set_theta_direction(-1)
    axes.set_rlim(90, 0)
    axes.set_rgrids([0, 30, 60], ["0°", "30°", "60°"], color=FAINT, fontsize=7)
    axes.set_thetagrids([0, 90, 180, 270], ["N", "E", "S", "W"])
    axes.grid(color="#2b3648")
    direct = np.ones(len(sky.names), bool) if truth is None else truth.direct
    azimuth, elevation = sky.azimuth_rad, np.degrees(sky.elevation_rad)
    shown = sky.cn0_db_hz > 0
    drawn = axes.scatter(azimuth[shown], elevation[shown], c=sky.cn0_db_hz[shown], cmap="viridis", vmin=_STRENGTHS[0],
                         vmax=_STRENGTHS[1], s=np.where(direct[shown], 150, 60), zorder=3)  # fmt: skip
    axes.scatter(azimuth[~shown], elevation[~shown], facecolors="none", edgecolors="#64748b", s=60, zorder=2)
    used = sky.used
    axes.scatter(azimuth[used], elevation[used], facecolors="none", edgecolors=INK, s=260, linewidths=1.1, zorder=4)
    if truth is not None:
        mirrored = truth.reflections > 0
        axes.scatter(azimuth[mirrored], elevation[mirrored], marker="x", c="#fb7185", s=46, zorder=5, linewidths=1.3)
    for name, a, e in zip(sky.names, azimuth, elevation, strict=True):
        axes.annotate(name, (a, e), xytext=(7, 7), textcoords="offset points", fontsize=6.5, color=FAINT)
    axes.figure.colorbar(drawn, ax=axes, shrink=0.6, pad=0.11, label="C/N0 / dB-Hz")
    axes.set_title(
        f"sky at {sample.stamp.time_ns * 1e-9:.1f} s: ring used, small hidden, hollow lost, cross mirrored", pad=18
    )


def places_m(samples: Sequence[GnssFix]) -> Floats:
    """Return the fixes [N, 3] in the world frame of the truth, or around the first fix without one; NaN where none is."""
    known = next((s for s in samples if s.truth is not None), None)
    geodetic = np.array([sample.geodetic for sample in samples])
    fixed = np.isfinite(geodetic).all(1)
    if known is not None and known.truth is not None:
        there = known.truth
        frame = LocalFrame(*(float(value) for value in there.geodetic))
        offset = there.position_m
    elif fixed.any():
        frame, offset = LocalFrame(*(float(value) for value in geodetic[fixed][0])), np.zeros(3)
    else:
        return np.full((len(samples), 3), np.nan)
    found = np.full((len(samples), 3), np.nan)
    found[fixed] = frame.to_local(ecef_of_geodetic(*geodetic[fixed].T)) + offset
    return found


def _draw_track(
    axes: Any, samples: Sequence[GnssFix], outlines_m: Sequence[Floats], tracks_m: Mapping[str, Floats]
) -> None:
    for outline in outlines_m:
        axes.fill(*outline.T, facecolor="#1e293b", edgecolor="#334155", linewidth=0.6, zorder=1)
    place = places_m(samples)
    if all(sample.truth is not None for sample in samples):
        true = np.array([sample.truth.position_m for sample in samples if sample.truth is not None])
        axes.plot(*true[:, :2].T, color="#ffffff", linewidth=1.2, label="truth", zorder=2)
    for kind in FixType:
        rows = [k for k, sample in enumerate(samples) if sample.fix == kind and np.isfinite(place[k]).all()]
        if rows:
            axes.plot(*place[rows, :2].T, linestyle="", marker="o", markersize=2.6, color=FIX_COLOURS[kind],
                      label=f"fix, {kind.name.lower()}", zorder=3)  # fmt: skip
    for (name, track), colour in zip(tracks_m.items(), ("#f472b6", "#a3e635", "#fb923c"), strict=False):
        axes.plot(*track[:, :2].T, color=colour, linewidth=1.4, label=name, zorder=4)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_title("track on the ground plan")
    axes.set_xlabel("east / m")
    axes.set_ylabel("north / m")
    axes.legend(fontsize=7.5, facecolor=PANEL, edgecolor="none", loc="upper right")


def _draw_counts(axes: Any, samples: Sequence[GnssFix]) -> None:
    at = _seconds(samples)
    axes.plot(at, [len(s.satellites.names) for s in samples], color="#64748b", label="above the horizon")
    if all(sample.truth is not None for sample in samples):
        axes.plot(at, [s.truth.direct.sum() for s in samples if s.truth is not None], color="#facc15", label="direct")
    axes.plot(at, [s.used_count for s in samples], color="#38bdf8", label="in the fix")
    axes.set_ylim(0, None)
    axes.set_title("satellites")
    axes.legend(fontsize=7, facecolor=PANEL, edgecolor="none", ncols=3, loc="upper right")


def _draw_dilution(axes: Any, samples: Sequence[GnssFix]) -> None:
    values = np.array([sample.dilution for sample in samples])
    values = np.where(np.isfinite(values) & (values < 100), values, np.nan)
    for row, name, colour in ((1, "PDOP", "#f59e0b"), (2, "HDOP", "#34d399"), (3, "VDOP", "#f472b6")):
        if np.isfinite(values[:, row]).any():
            axes.plot(_seconds(samples), values[:, row], color=colour, label=name)
    axes.set_yscale("log")
    axes.set_title("dilution of precision")
    axes.set_xlabel("time / s")
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=7, facecolor=PANEL, edgecolor="none", ncols=3, loc="upper right")


def _draw_errors(axes: Any, samples: Sequence[GnssFix]) -> None:
    place = places_m(samples)
    if all(sample.truth is not None for sample in samples):
        place = place - np.array([sample.truth.position_m for sample in samples if sample.truth is not None])
        axes.set_title("error of the fix")
    elif np.isfinite(place).any():
        place = place - np.nanmedian(place, 0)
        axes.set_title("fix minus its median")
    for axis, (name, colour) in enumerate((("east", "#38bdf8"), ("north", "#34d399"), ("up", "#f472b6"))):
        axes.plot(_seconds(samples), place[:, axis], color=colour, label=name, linewidth=1.1)
    finite = np.abs(place[np.isfinite(place)])
    reach = float(np.percentile(finite, 99)) * 1.3 + 0.1 if len(finite) else 1.0
    axes.set_ylim(-reach, reach)
    axes.axhline(0, color="#2b3648", linewidth=0.8)
    axes.set_ylabel("m")
    axes.legend(fontsize=7, facecolor=PANEL, edgecolor="none", ncols=3, loc="upper right")


def _draw_strengths(axes: Any, samples: Sequence[GnssFix]) -> None:
    names = sorted({name for sample in samples for name in sample.satellites.names})
    place = {name: row for row, name in enumerate(names)}
    table = np.full((len(names), len(samples)), np.nan)
    for column, sample in enumerate(samples):
        for name, strength in zip(sample.satellites.names, sample.satellites.cn0_db_hz, strict=True):
            table[place[name], column] = strength if strength > 0 else np.nan
    at = _seconds(samples)
    extent = (at[0], max(at[-1], at[0] + 1e-3), len(names) - 0.5, -0.5)
    axes.imshow(table, aspect="auto", extent=extent, vmin=_STRENGTHS[0], vmax=_STRENGTHS[1], cmap="viridis",
                interpolation="nearest")  # fmt: skip
    axes.set_yticks(range(len(names)), names, fontsize=5)
    axes.set_title("C/N0 of each satellite (20 to 50 dB-Hz; dark: lost)")
    axes.set_xlabel("time / s")
