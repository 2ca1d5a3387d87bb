"""The picture of the publication, again: the cone, an obstacle covered with lines, and the point nearest to the sensor."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.apps.benchmarks.cone_worlds import cone_sensor, readings
from sensorium.apps.pictures.sheet import FAINT, INK, save_sheet, style
from sensorium.core.pose import Pose
from sensorium.motion.fixed import Fixed
from sensorium.samples import Ranges
from sensorium.scene.body import Body
from sensorium.scene.build import body, part
from sensorium.scene.scene import Scene
from sensorium.scene.shapes import Box
from sensorium.sensors import ConeSensor
from sensorium.sensors.cone.faces import faces_of

Floats = NDArray[np.float64]

_LINES = 10
_SIZE_M = (1.0, 2.6, 2.2)
_CONE, _BOX, _BY_LINES, _EXACT = "#38bdf8", "#94a3b8", "#f472b6", "#a3e635"
_COUNTS = np.unique(np.round(np.geomspace(2, 3000, 60)).astype(int))


def draw(png: Path) -> Path:
    """Write the picture: the scene on the left, on the right what the number of lines costs in accuracy."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    sensor = cone_sensor(opening_horizontal_rad="50 deg", opening_vertical_rad="30 deg", length_m=9.0)
    pose = Pose.from_rpy((6.4, 1.9, 0.25), (0.2, 0.06, 0.17))
    obstacle = body("obstacle", part("box", Box(size_m=_SIZE_M), "concrete"), motion=Fixed(pose=pose))
    with style():
        figure = Figure(figsize=(15, 7), dpi=110)
        FigureCanvasAgg(figure)
        axes: Any = figure.add_axes((-0.1, -0.1, 0.82, 1.1), projection="3d", facecolor="none")
        _draw_cone(axes, sensor)
        _draw_obstacle(axes, obstacle)
        _draw_points(axes, sensor, obstacle)
        _set_view(axes)
        _draw_errors(figure.add_axes((0.68, 0.12, 0.29, 0.72)), sensor, obstacle)
        title = f"Nearest point of an obstacle in an elliptical cone: {_LINES} lines per face, and exact"
        figure.text(0.03, 0.95, title, fontsize=15, weight="bold", color=INK, va="center")
        return save_sheet(figure, png)


def _look(sensor: ConeSensor, obstacle: Body, method: dict[str, Any]) -> Ranges:
    settings = {
        "opening_horizontal_rad": sensor.opening_horizontal_rad,
        "opening_vertical_rad": sensor.opening_vertical_rad,
        "length_m": sensor.length_m,
    }
    return next(iter(readings(cone_sensor(**settings, method=method), Scene((obstacle,)), (0,))))


def _draw_cone(axes: Any, sensor: ConeSensor) -> None:
    a, b, depth, _ = sensor.field
    turn = np.linspace(0, 2 * np.pi, 73)
    for share in (0.25, 0.5, 0.75, 1.0):
        x = share * depth
        axes.plot(np.full_like(turn, x), a * x * np.cos(turn), b * x * np.sin(turn), color=_CONE, lw=1.6 if share == 1 else 0.6,
                  alpha=0.9 if share == 1 else 0.5)  # fmt: skip
    for angle in turn[:-1:6]:
        axes.plot(
            [0, depth],
            [0, a * depth * math.cos(angle)],
            [0, b * depth * math.sin(angle)],
            color=_CONE,
            lw=0.5,
            alpha=0.4,
        )


def _draw_obstacle(axes: Any, obstacle: Body) -> None:
    pose = obstacle.motion.pose_at(np.array(0))
    for face in faces_of(obstacle.model.parts[0].mesh).corners_m:
        v0, v1, v2, v3 = pose.transform(face)
        for k in range(_LINES):
            one, two = v0 + (v3 - v0) * k / (_LINES - 1), v1 + (v2 - v1) * k / (_LINES - 1)
            axes.plot(*np.stack((one, two), 1), color=_BOX, lw=0.7, alpha=0.8)


def _draw_points(axes: Any, sensor: ConeSensor, obstacle: Body) -> None:
    for name, method, colour in (
        ("exact", {"type": "exact"}, _EXACT), (f"{_LINES} lines", {"type": "lines", "count": _LINES}, _BY_LINES)
    ):  # fmt: skip
        found = _look(sensor, obstacle, method)
        x, y, z = found.points_m[0]
        axes.plot([0, x], [0, y], [0, z], color=colour, lw=1.8)
        axes.scatter([x], [y], [z], color=colour, s=45, depthshade=False, label=f"{name}: {found.range_m[0]:.4f} m")
    axes.legend(loc="upper left", bbox_to_anchor=(0.12, 0.82), frameon=False, fontsize=11)


def _set_view(axes: Any) -> None:
    axes.set(xlim=(0, 9), ylim=(-4.5, 4.5), zlim=(-2.8, 2.8))
    axes.set_box_aspect((9, 9, 5.6), zoom=1.15)
    axes.view_init(elev=22, azim=-125)
    axes.set_axis_off()
    for end, name in (((1.4, 0, 0), "x"), ((0, 1.4, 0), "y"), ((0, 0, 1.4), "z")):
        axes.plot(*zip((0, 0, 0), end, strict=True), color=INK, lw=1.2)
        axes.text(*(1.15 * np.array(end)), name, color=INK, fontsize=10)


def _draw_errors(axes: Any, sensor: ConeSensor, obstacle: Body) -> None:
    """Draw the angle between the nearest point by lines and the true one, and its bound (document 000, equation 4.1)."""
    exact = _look(sensor, obstacle, {"type": "exact"})
    towards = exact.points_m[0] / exact.range_m[0]
    off_deg = []
    for count in _COUNTS:
        point = _look(sensor, obstacle, {"type": "lines", "count": int(count)}).points_m[0]
        aside = np.linalg.norm(np.cross(towards, point / np.linalg.norm(point)))
        off_deg.append(math.degrees(math.asin(min(1.0, float(aside)))))
    bound_deg = np.degrees(np.arctan(max(_SIZE_M[1:]) / 2 / (_COUNTS - 1) / exact.range_m[0]))
    axes.loglog(_COUNTS, bound_deg, color=FAINT, lw=1.2, label="bound")
    axes.loglog(_COUNTS, np.maximum(off_deg, 1e-12), "o", color=_BY_LINES, ms=3.5, label="measured")
    axes.set(xlabel="lines per face", ylabel="angle between nearest point by lines and exact / deg", ylim=(1e-5, 30))
    axes.grid(color="#2b3648", lw=0.5)
    axes.legend(frameon=False, fontsize=9, loc="lower left")
