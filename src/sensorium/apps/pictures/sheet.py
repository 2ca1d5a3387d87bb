"""The sheet: where each picture sits, and how all of them look."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.apps.colourings import Colouring, Ticks
from sensorium.apps.colours import scale
from sensorium.apps.pictures.birds_eye import (
    Ground,
    birds_eye_image,
    density_image,
    draw_boxes,
    draw_path,
    label_colour,
)
from sensorium.apps.pictures.perspective import Camera, render
from sensorium.apps.pictures.view import View
from sensorium.apps.placement import EDGES
from sensorium.apps.whole_file import whole_file
from sensorium.core.pose import Pose
from sensorium.samples import PointCloud

BACKGROUND, PANEL, INK, FAINT = "#0b0f17", "#0f1520", "#e5e9f0", "#8b98ad"
_STYLE = {
    "figure.facecolor": BACKGROUND, "savefig.facecolor": BACKGROUND, "axes.facecolor": PANEL,
    "axes.edgecolor": "#2b3648", "axes.labelcolor": FAINT, "xtick.color": FAINT, "ytick.color": FAINT,
    "text.color": INK, "axes.titlecolor": INK, "legend.labelcolor": INK, "axes.titlelocation": "left",
    "axes.titlesize": 10, "axes.labelsize": 8, "xtick.labelsize": 7.5, "ytick.labelsize": 7.5,
    "font.family": "DejaVu Sans",
}  # fmt: skip
_SIZE_IN, _DOTS_PER_INCH = (16.0, 15.2), 110
_PICTURES_IN = 5.2
_HEADER_PX = 48
_FADED = 0.5  # brightness of the scans before and after the chosen one


def style() -> Any:
    """Return the context in which everything on the sheet is drawn: light on dark."""
    import matplotlib

    return matplotlib.rc_context(_STYLE)


def new_sheet(pictures: int = 0) -> tuple[Any, dict[str, Any]]:
    """Return a figure and its axes: street, range, map, rates, counts; picture_0, ... if there are pictures of cameras."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    more = _PICTURES_IN if pictures else 0.0
    figure = Figure(figsize=(_SIZE_IN[0], _SIZE_IN[1] + more), dpi=_DOTS_PER_INCH)
    FigureCanvasAgg(figure)
    last = 1 - (1 - 0.928) * _SIZE_IN[1] / (_SIZE_IN[1] + more)
    heights = (7.0, 2.6, 2.5, 2.5, *([1.16 * more] if pictures else []))
    grid = figure.add_gridspec(
        len(heights), 2, height_ratios=heights, width_ratios=(1.8, 1), hspace=0.25, wspace=0.12,
        left=0.045, right=0.985, top=last, bottom=0.04,
    )  # fmt: skip
    places = {"street": grid[0, :], "range": grid[1, :], "map": grid[2:4, 0], "rates": grid[2, 1], "counts": grid[3, 1]}
    if pictures:
        strip = grid[4, :].subgridspec(1, pictures, wspace=0.03)
        places |= {f"picture_{number}": strip[0, number] for number in range(pictures)}
    return figure, {name: figure.add_subplot(place) for name, place in places.items()}


def draw_picture(axes: Any, picture: NDArray[np.uint8], title: str) -> None:
    """Draw an image of a camera."""
    axes.imshow(picture, interpolation="antialiased")
    axes.set_axis_off()
    axes.set_title(title)


def save_sheet(figure: Any, out_png: Path) -> Path:
    """Write the figure; its folder is made if need be."""
    with whole_file(out_png) as part:
        figure.savefig(part, metadata={"Software": "Sensorium"})
    return out_png


def size_px(axes: Any) -> tuple[int, int]:
    """Return width and height of axes on the sheet, so that pictures are computed for exactly these pixels."""
    box = axes.get_window_extent()
    return max(1, round(box.width)), max(1, round(box.height))


def write_header(figure: Any, title: str, facts: list[str]) -> None:
    """Write the title and a line of facts over the pictures."""
    high = figure.get_figheight() / _SIZE_IN[1]
    figure.text(0.045, 1 - 0.0275 / high, title, fontsize=19, weight="bold", va="center", color=INK)
    figure.text(0.045, 1 - 0.0475 / high, "   ·   ".join(facts), fontsize=9.5, va="center", color=FAINT)


def draw_street(axes: Any, view: View) -> None:
    """Draw the scan in perspective from behind and above the sensor: other scans faded, boxes as wires."""
    camera = chase_camera(view, *size_px(axes))
    points = np.concatenate((view.backdrop_m, view.points_m))
    colours = np.concatenate(((view.backdrop_colours * _FADED).astype(np.uint8), view.colours))
    axes.imshow(render(points, colours, camera, sky=BACKGROUND), interpolation="nearest", aspect="auto",
                extent=(0, camera.width_px, camera.height_px, 0))  # fmt: skip
    axes.set_axis_off()
    for box, label in enumerate(view.boxes.labels):
        pixels, depth = camera.project(view.boxes.corners_m[box])
        if depth.min() > 1.0:
            for start, end in EDGES:
                axes.plot(*pixels[[start, end]].T, color=label_colour(label), linewidth=0.9, alpha=0.75)
    axes.set_xlim(0, camera.width_px)
    axes.set_ylim(camera.height_px, 0)


def chase_camera(view: View, width_px: int, height_px: int) -> Camera:
    """Return a camera behind and above the sensor that looks ahead; nearer where all points are near (a room)."""
    origin = view.sensor.position_m
    reach_m = np.percentile(np.linalg.norm(view.points_m - origin, axis=1), 75) if len(view.points_m) else 20.0
    size = float(np.clip(reach_m / 18.0, 0.1, 1.0))
    level = Pose.from_rpy(origin, (0.0, 0.0, view.heading_rad))
    start, target = level.transform(np.array([[-13.0, 1.0, 6.0], [16.0, 0.0, -1.0]]) * size)
    return Camera.looking(start, target, width_px, height_px)


def draw_map(axes: Any, view: View) -> None:
    """Draw the map from above: other scans in grey, the chosen scan in colour, truth boxes, paths."""
    ground = Ground.around(np.concatenate((view.backdrop_m, view.points_m)), *size_px(axes))
    axes.imshow(density_image(view.backdrop_m, ground), extent=ground.extent, interpolation="nearest", aspect="auto")
    scan = birds_eye_image(view.points_m, view.colours, ground)
    axes.imshow(scan, extent=ground.extent, interpolation="nearest", aspect="auto")
    for path in view.other_paths_m:
        draw_path(axes, path, "#94a3b8", 0.7)
    draw_path(axes, view.path_m, "#ffffff")
    draw_boxes(axes, view.boxes)
    axes.set_xlim(ground.left_m, ground.right_m)
    axes.set_ylim(ground.bottom_m, ground.top_m)
    axes.set_xlabel("east / m")
    axes.set_ylabel("north / m")


def draw_key(axes: Any, paint: Colouring, cloud: PointCloud, rows: NDArray[Any] | None = None) -> None:
    """Say in a corner of a picture what the colours of a cloud (of some of its rows) mean."""
    if paint.ticks is not None:
        _draw_bar(axes, paint.name, paint.ticks())
        return
    entries = paint.legend(cloud, rows)
    if entries:
        from matplotlib.lines import Line2D

        dots = [
            Line2D([], [], linestyle="", marker="o", color=np.array(rgb) / 255, label=name) for name, rgb in entries
        ]
        axes.legend(handles=dots, loc="lower right", ncols=-(-len(dots) // 6), fontsize=7.5, framealpha=0.85,
                    facecolor=BACKGROUND, edgecolor="none", labelcolor=INK, title=paint.name, title_fontsize=7.5)  # fmt: skip


def _draw_bar(axes: Any, name: str, ticks: Ticks) -> None:
    from matplotlib.patches import FancyBboxPatch

    panel = FancyBboxPatch(
        (0.775, 0.02), 0.215, 0.1, "round,pad=0,rounding_size=0.008", mutation_aspect=2.5, transform=axes.transAxes,
        facecolor=BACKGROUND, edgecolor="none", alpha=0.85, zorder=3,
    )  # fmt: skip
    axes.add_patch(panel)
    inset = axes.inset_axes((0.787, 0.067, 0.191, 0.018), zorder=4)
    inset.imshow(scale(name)[None], aspect="auto", extent=(0, 1, 0, 1))
    inset.set_xticks([place for place, _ in ticks], [text for _, text in ticks])
    inset.set_yticks([])
    inset.tick_params(length=2, pad=2, labelsize=7)
    unit = "" if name == "intensity" else " / m"
    inset.set_title(f"{name}{unit}", fontsize=7.5, color=FAINT, pad=3)


def new_picture(width_px: int, height_px: int, title: str, facts: list[str]) -> tuple[Any, Any]:
    """Return a figure with a header and axes below it for one picture of exactly this size."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    high = height_px + _HEADER_PX
    figure = Figure(figsize=(width_px / _DOTS_PER_INCH, high / _DOTS_PER_INCH), dpi=_DOTS_PER_INCH)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, height_px / high))
    axes.set_axis_off()
    middle = 1 - _HEADER_PX / high / 2
    figure.text(0.012, middle, title, fontsize=14, weight="bold", va="center", color=INK)
    figure.text(0.988, middle, "   ·   ".join(facts), fontsize=9.5, va="center", ha="right", color=FAINT)
    return figure, axes


def say_empty(axes: Any, what: str) -> None:
    """Say in place of a picture why there is none."""
    axes.set_axis_off()
    axes.text(0.5, 0.5, what, ha="center", va="center", transform=axes.transAxes, color=FAINT)
