"""The street as the published visualiser shows it: every point coloured by received power, on a logarithmic scale."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.apps.colours import Rgb, scale
from sensorium.apps.pictures.perspective import Camera, render
from sensorium.apps.pictures.sheet import BACKGROUND, FAINT, INK, save_sheet, style
from sensorium.apps.reproductions.lidar_street import DEVICE, PEAK_POWER_W, StreetScan
from sensorium.core.pose import Pose
from sensorium.samples import PointCloud
from sensorium.sensors import sensor_of
from sensorium.simulation import observe

_STATIONS_M = (-16.0, -8.0, 0.0, 8.0)
"""Where scans are taken along the street, from the place of the measured one: the cloud grows as the car drives."""
_STEP_W = 2e-8
"""Step of the 16-bit scale, far below the threshold."""
_SIZE_PX, _DOTS_PER_INCH = (1800, 950), 100

Floats = NDArray[np.float64]


def draw(street: StreetScan, png: Path) -> Path:
    """Write the picture."""
    points, power_w = _cloud(street)
    low, high = np.percentile(power_w, (1.0, 99.8))
    colours = by_power(power_w, float(low), float(high))
    start, target = street.sensor.transform(np.array([[-11.0, 3.2, 5.2], [13.0, 1.0, -1.6]]))
    camera = Camera.looking(start, target, *_SIZE_PX)
    with style():
        figure, axes = _figure()
        axes.imshow(render(points, colours, camera, size_m=0.045, sky=BACKGROUND), interpolation="nearest")
        axes.set_axis_off()
        _draw_scale(axes, float(low), float(high))
        _point_out(axes, camera, street)
        title = "Four scans of an Alpha Prime with beams of five rays: received power"
        axes.text(0.012, 0.965, title, transform=axes.transAxes, fontsize=15, weight="bold", color=INK, va="center")
        return save_sheet(figure, png)


def by_power(power_w: Floats, low_w: float, high_w: float) -> Rgb:
    """Blue (`low_w` and below) to red (`high_w` and above), on a logarithmic scale."""
    fraction = np.log(np.maximum(power_w, 1e-30) / low_w) / np.log(high_w / low_w)
    table = scale("intensity")
    colours = 255 * table[np.rint(np.clip(fraction, 0, 1) * (len(table) - 1)).astype(np.int64)]
    return np.asarray(np.rint(colours), np.uint8)


def _cloud(street: StreetScan) -> tuple[Floats, Floats]:
    """Return the points of all scans in the world and their powers."""
    link = {"peak_power_w": PEAK_POWER_W}
    power = {"type": "power", "bits": 16, "full_power_w": 65535 * _STEP_W}
    lidar = sensor_of(DEVICE, link=link, scale=power, bundle={"rays": 5})
    points, powers = [], []
    for number, along in enumerate(_STATIONS_M):
        pose = Pose(street.sensor.position_m + (along, 0.0, 0.0), street.sensor.quaternion)
        cloud = observe(street.scene, lidar, pose, seed=number, tracer=street.tracer)
        assert isinstance(cloud, PointCloud)
        points.append(pose.transform(cloud.points_m.astype(np.float64)))
        powers.append(cloud.intensity.astype(np.float64) * _STEP_W)
    return np.concatenate(points), np.concatenate(powers)


def _figure() -> tuple[Any, Any]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    width, height = _SIZE_PX
    figure = Figure(figsize=(width / _DOTS_PER_INCH, height / _DOTS_PER_INCH), dpi=_DOTS_PER_INCH)
    FigureCanvasAgg(figure)
    return figure, figure.add_axes((0.0, 0.0, 1.0, 1.0))


def _point_out(axes: Any, camera: Camera, street: StreetScan) -> None:
    """Name what the publication circles, each at the middle of the rays that met it."""
    car = street.body == street.scene.body_numbers["car_ahead"]
    x, y, z = (street.points_m - (street.crossing_m, 0.0, 0.0)).T
    sign, far = street.of("traffic_sign"), street.distance_m > 50
    shown = {
        "crossing": street.named("zebra"),
        "car, its windscreen dark": car & street.of("windscreen_glass"),
        "sign": sign & (np.abs(x) < 5) & (y < 0),
        "wall": street.named("walls") & (np.abs(x - 8) < 1) & (y > 0) & (z < 3),
        "sign far away": sign & far & (x > 0) & (x < x[sign & far & (x > 0)].min() + 1),
    }
    for name, rows in shown.items():
        pixel, _ = camera.project(street.points_m[rows].mean(0))
        axes.annotate(name, pixel, (0, 62), textcoords="offset points", ha="center", color=INK, fontsize=11,
                      bbox={"facecolor": BACKGROUND, "edgecolor": "none", "alpha": 0.75, "boxstyle": "round,pad=0.3"},
                      arrowprops={"arrowstyle": "-", "color": INK, "linewidth": 1.0})  # fmt: skip


def _draw_scale(axes: Any, low_w: float, high_w: float) -> None:
    """Draw the colour bar with the powers that are powers of ten."""
    from matplotlib.patches import FancyBboxPatch

    panel = FancyBboxPatch(
        (0.71, 0.025), 0.28, 0.085, "round,pad=0,rounding_size=0.008", mutation_aspect=2.0, transform=axes.transAxes,
        facecolor=BACKGROUND, edgecolor="none", alpha=0.85, zorder=3,
    )  # fmt: skip
    axes.add_patch(panel)
    inset = axes.inset_axes((0.72, 0.06, 0.26, 0.018), zorder=4)
    inset.imshow(scale("intensity")[None], aspect="auto", extent=(np.log10(low_w), np.log10(high_w), 0, 1))
    decades = np.arange(np.ceil(np.log10(low_w)), np.floor(np.log10(high_w)) + 1)
    inset.set_xticks(decades.tolist(), [f"{10.0 ** (decade + 6):g}" for decade in decades])
    inset.set_yticks([])
    inset.tick_params(labelsize=9)
    inset.set_title("received power / µW", fontsize=9, color=FAINT, pad=4)
