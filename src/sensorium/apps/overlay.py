"""A scan over a picture of the scene that it was taken in: what did each beam meet, and where are beams missing?

A recording carries its scenario, so the scene can be made again. The camera stands where the LiDAR was, so nothing lies
between a point and the camera but what lay between it and the LiDAR.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sensorium.apps.colourings import colouring
from sensorium.apps.contents import Contents
from sensorium.apps.pictures import sheet
from sensorium.apps.pictures.perspective import Camera, with_dots
from sensorium.apps.pictures.photograph import photograph
from sensorium.apps.raw_messages import RecordedMount, mounts_of
from sensorium.apps.summary import title_of
from sensorium.core.errors import RecordingError, SensoriumError
from sensorium.core.pose import Pose
from sensorium.core.time import seconds
from sensorium.samples import PointCloud

if TYPE_CHECKING:
    from sensorium.motion.motion import Motion
    from sensorium.recording.reader import Recording
    from sensorium.scene.rays import Tracer
    from sensorium.scene.scene import Scene

Floats = NDArray[np.float64]

SIZE_PX = (1600, 800)
_DIMMED = 0.55  # brightness of the scene under the points
_HALF_PICTURE_RAD = Camera.field_of_view_rad / 2
_DOT_PX = (2.4, 5.0)  # for crowded and for lonely points


def write_overlay(
    recording: Recording,
    out_png: Path | str,
    *,
    lidar: str | None = None,
    time_s: float | None = None,
    colour: str = "intensity",
    tracer: Tracer | None = None,
) -> Path:
    """Write one PNG: the scene as seen from the LiDAR, and over it the points of one scan that can be seen from there.

    `lidar`, `time_s` and `colour` choose as for `inspect_sheet`. The picture shows the instant at which the middle of
    what it shows was scanned. `tracer` is one of the recording's own scene (default: Embree).
    """
    paint = colouring(colour, recording.scene_names)
    cloud, scene = _chosen(recording, lidar, time_s), scene_of(recording)
    seat = _Seat.of(recording, scene, cloud)
    points_m = seat.world_points(cloud)
    placed = replace(cloud, points_m=points_m.astype(np.float32))
    colours = paint(placed)
    shown = photograph(scene, tracer or _embree(scene), seat.camera, seat.time_ns)
    seen = shown.sees(points_m)
    dimmed = np.asarray(np.rint(shown.picture * _DIMMED), np.uint8)
    facts = [
        f"scan {cloud.stamp.index} of {cloud.stamp.sensor}", f"picture at {seconds(seat.time_ns):.3f} s",
        f"{seen.sum()} of {len(cloud)} points in sight", f"colour = {colour}",
    ]  # fmt: skip
    with sheet.style():
        figure, axes = sheet.new_picture(*SIZE_PX, title_of(recording), facts)
        picture = with_dots(dimmed, points_m[seen], colours[seen], seat.camera, _dot_px(int(seen.sum())))
        axes.imshow(picture, interpolation="nearest", aspect="auto", extent=(0, SIZE_PX[0], SIZE_PX[1], 0))
        sheet.draw_key(axes, paint, placed, seen)
        return sheet.save_sheet(figure, Path(out_png))


def scene_of(recording: Recording) -> Scene:
    """Return the scene of a recording, made again from the scenario that it carries."""
    from sensorium.core.yaml_text import parse_yaml
    from sensorium.simulation.scenario import scenario_of

    if not recording.scenario_text.strip():
        raise RecordingError(
            f"{recording.path} does not carry its scenario, so its scene cannot be drawn; recordings that were made "
            "with `sensorium run` or `sensorium demo` do"
        )
    try:
        return scenario_of(parse_yaml(recording.scenario_text, f"scenario in {recording.path.name}")).scene
    except SensoriumError as error:
        error.add_note(f"The scene of {recording.path} cannot be made again; files that it needs may have moved.")
        raise


def _dot_px(points: int) -> float:
    """Return the width of a dot: a third of the distance between points that are evenly spread over the picture."""
    return float(np.clip(np.sqrt(SIZE_PX[0] * SIZE_PX[1] / max(points, 1)) / 3, *_DOT_PX))


@dataclass(frozen=True, eq=False)
class _Seat:
    """The camera in the place of a LiDAR, and the instant of the picture."""

    motion: Motion
    mount: Pose
    camera: Camera
    time_ns: int

    @classmethod
    def of(cls, recording: Recording, scene: Scene, cloud: PointCloud) -> _Seat:
        """Look where the vehicle goes, or where the sensor looks if it sees much more there."""
        mount = _mount_of(recording, cloud.stamp.sensor)
        motion = scene.body(mount.body).motion
        x, y, z = mount.pose.rotate(cloud.points_m.astype(np.float64)).T  # as seen from the vehicle's heading
        azimuth, elevation = np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))
        ahead = np.abs(azimuth) < _HALF_PICTURE_RAD
        own_x, own_y, _ = mount.pose.rotate(np.array([1.0, 0.0, 0.0]))
        yaw = float(np.arctan2(own_y, own_x))
        own = np.abs((azimuth - yaw + np.pi) % (2 * np.pi) - np.pi) < _HALF_PICTURE_RAD
        yaw, some = (yaw, own) if own.sum() > 2 * ahead.sum() else (0.0, ahead)
        pitch = float(np.clip(np.median(elevation[some]), -0.25, 0.25)) if some.any() else 0.0
        offset_ns = int(np.median(cloud.time_offset_ns[some])) if some.any() else 0
        time_ns = cloud.stamp.time_ns + offset_ns
        body = motion.pose_at(np.array([time_ns]))[0]
        start = body.transform(mount.pose.position_m)
        look = np.array([np.cos(yaw) * np.cos(pitch), np.sin(yaw) * np.cos(pitch), np.sin(pitch)])
        return cls(motion, mount.pose, Camera.looking(start, start + body.rotate(look), *SIZE_PX), time_ns)

    def world_points(self, cloud: PointCloud) -> Floats:
        """Return the points in the world, each from where the sensor was when its beam fired."""
        times = cloud.stamp.time_ns + cloud.time_offset_ns.astype(np.int64)
        return (self.motion.pose_at(times) @ self.mount).transform(cloud.points_m.astype(np.float64))


def _chosen(recording: Recording, lidar: str | None, time_s: float | None) -> PointCloud:
    contents = Contents.of(recording)
    name = contents.lidar(lidar)
    if not name:
        raise RecordingError(f"there is no point cloud in {recording.path}, so there is nothing to draw over its scene")
    clouds = (sample for sample in recording.samples(sensor=name) if isinstance(sample, PointCloud))
    number = contents.scan_number(name, time_s)
    return next(cloud for place, cloud in enumerate(clouds) if place == number)


def _mount_of(recording: Recording, sensor: str) -> RecordedMount:
    for mount in mounts_of(recording):
        if mount.name == sensor:
            return mount
    raise RecordingError(f"{recording.path} does not say where '{sensor}' is mounted: it has no frame of that name")


def _embree(scene: Scene) -> Tracer:
    from sensorium.tracing import EmbreeTracer

    return EmbreeTracer(scene)
