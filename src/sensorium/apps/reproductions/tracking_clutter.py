"""Detections, tracks and the ball among static things, from a car at 10 m/s (after figure 8 of the publication).

The publication shows the detections of its camera over time; here they are those of the LiDAR, whose tracks are three-dimensional.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sensorium.apps.studies.following import Scene, follow
from sensorium.apps.whole_file import whole_file
from sensorium.simulation.scenario import load_scenario, scenario_path

SCENARIO = "bouncing_ball_drive"
_SECONDS, _NEAR_M = 5.5, 1.0


def driven(seconds: float = _SECONDS) -> list[Scene]:
    """Return what is believed after each scan of the LiDAR on the driving car."""
    scenario = load_scenario(scenario_path(SCENARIO), [f"duration_s={seconds}"])
    rig = tuple(mount for mount in scenario.rig if mount.name == "lidar")
    samples = replace(scenario, rig=rig).simulation().samples(seconds)
    return list(follow(samples, "lidar", "car", {rig[0].name: rig[0].pose}))


def draw(scenes: list[Scene], path: Path) -> Path:
    """Write detections over time, all tracks from above with what moves in red, and the ball's track beside the truth."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 11), layout="constrained")
    seen, above, ball = figure.subplots(3, 1)
    for scene in scenes:
        azimuth_deg = np.degrees(scene.detections.measurements.value[:, 0, 1])
        seen.plot(np.full(len(azimuth_deg), scene.time_ns * 1e-9), azimuth_deg, "k.", ms=3)
    seen.set(xlabel="time / s", ylabel="azimuth of detections / deg", ylim=(-60, 60))
    _tracks(scenes, above)
    truth = np.array([scene.truth.pose.position_m[scene.truth.names.index("ball")] for scene in scenes])
    ball.plot(truth[:, 1], truth[:, 2], "b", lw=1, label="truth at the end of each scan")
    places = [_nearest(scene) for scene in scenes]
    near = np.array([place for place in places if place is not None]).reshape(-1, 3)
    ball.plot(near[:, 1], near[:, 2], "r:o", ms=3, label="track")
    ball.set(xlabel="across the road, to the left / m", ylabel="height / m")
    ball.invert_xaxis()
    ball.legend()
    with whole_file(path) as part:
        figure.savefig(part, dpi=110)
    return path


def _tracks(scenes: list[Scene], axis: Any) -> None:
    """Draw confirmed tracks from above; each in its colour, red where it is told to move."""
    for number in np.unique(np.concatenate([scene.tracks.believed.number for scene in scenes])):
        rows = [(scene, np.flatnonzero(scene.tracks.number == number)) for scene in scenes]
        places = np.array([scene.tracks.belief.position_m[row[0]] for scene, row in rows if len(row)])
        moving = np.array([scene.moving[row[0]] for scene, row in rows if len(row)])
        axis.plot(
            places[:, 0], places[:, 1], ".-", ms=3, lw=0.7, color=f"C{[0, 1, 2, 4, 5, 6, 7, 8, 9][int(number) % 9]}"
        )
        axis.plot(places[moving, 0], places[moving, 1], "r.", ms=7)
    axis.set(
        xlabel="along the road / m",
        ylabel="to the left / m",
        title="tracks from above; red: told to move",
        ylim=(-15, 15),
    )


def _nearest(scene: Scene) -> np.ndarray[Any, np.dtype[np.float64]] | None:
    """Return the place, at the time of the truth, of the track nearest to the ball, if one is near."""
    belief = scene.tracks.belief
    late_s = (scene.truth.stamp.time_ns - belief.time_ns) * 1e-9
    now = belief.position_m + belief.velocity_m_s * late_s[:, None]
    off = np.linalg.norm(now - scene.truth.pose.position_m[scene.truth.names.index("ball")], axis=1)
    return now[np.argmin(off)] if len(off) and off.min() < _NEAR_M else None
