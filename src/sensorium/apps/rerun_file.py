"""A recording as a Rerun file: clouds in colour, truth boxes, frames and plots, with a layout that shows them.

Points are placed one by one, each from where the sensor was when its beam fired, and a cloud stands at the middle of its
scan. So clouds fit the boxes, and on the ground they stay where they are while the sensor moves on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sensorium.apps.accumulation import Accumulation
from sensorium.apps.cloud_on_image import points_on, viewable
from sensorium.apps.colourings import Colouring, colouring
from sensorium.apps.colours import Rgb
from sensorium.apps.contents import Contents
from sensorium.apps.pictures.birds_eye import label_colour
from sensorium.apps.pictures.rates import LINES, measured_rate_hz
from sensorium.apps.pictures.view import middle_ns
from sensorium.apps.placement import Placement, Stage
from sensorium.apps.raw_messages import mounts_of
from sensorium.apps.rerun_layout import IMAGES, POINTS, TIMELINE, WORLD, layout
from sensorium.apps.rerun_sink import sink_to
from sensorium.apps.summary import facts_of, title_of
from sensorium.apps.whole_file import whole_file
from sensorium.core.errors import ConfigurationError, MissingExtraError, RecordingError, did_you_mean
from sensorium.core.time import seconds
from sensorium.samples import Image, PointCloud, TruthSample

if TYPE_CHECKING:
    from sensorium.recording.reader import Recording

FRAMES = ("ground", "vehicle")
_POINT_SIZE_PX = 1.3


def write_rerun_file(
    recording: Recording,
    path: Path | str,
    *,
    colour: str = "intensity",
    follow: str = "",
    frame: str = "ground",
    accumulate_s: float | None = None,
    voxel_m: float = 0.1,
) -> Path:
    """Write a recording as a Rerun file; the same recording gives the same content.

    `colour` is a name in `apps.colourings.COLOURINGS`. `follow` names a body (default: the one that carries the first
    LiDAR): on the ground (`frame` "ground", the map) the camera follows it, and "map" lets the camera stand still; with
    `frame` "vehicle" everything is shown in its frame. `accumulate_s` shows the clouds of so many seconds together,
    thinned to one point for each cube with the edge `voxel_m`.
    """
    rerun = rerun_package("writing a Rerun file")
    _check_frame(frame, accumulate_s)
    kept = None if accumulate_s is None else Accumulation(accumulate_s, voxel_m)
    paint, out = colouring(colour, recording.scene_names), Path(path)
    contents = Contents.of(recording)
    placement = Placement.of(contents.truth, mounts_of(recording))
    body = _followed(follow, contents, placement)
    stage = Stage(placement, body if frame == "vehicle" else None)
    stream = rerun.RecordingStream("sensorium", recording_id=_identity(recording), send_properties=False)
    with whole_file(out) as part, sink_to(stream, part):
        stream.set_log_tick_enabled(False)
        stream.set_log_time_enabled(False)
        stream.send_recording_name(title_of(recording))
        title = "map" if frame == "ground" else f"frame of {body or 'the vehicle'}"
        stream.send_blueprint(
            layout(rerun, contents.scans, body if frame == "ground" else "", title, accumulate_s, contents.cameras)
        )
        _log_standing(rerun, stream, recording, contents, stage)
        show = _Show(rerun, stream, stage, paint, kept)
        for sample in recording.samples():
            if isinstance(sample, PointCloud):
                show.cloud(sample)
                stream.flush()  # waits for the file, so that a recording of any length fits into memory
            elif isinstance(sample, TruthSample):
                show.truth(sample)
            elif isinstance(sample, Image):
                show.image(sample)
                stream.flush()
    return out


def rerun_package(purpose: str) -> Any:
    """Return the Rerun package, or say how to install it."""
    try:
        import rerun
    except ImportError:
        raise MissingExtraError("rerun-sdk", "viewer", purpose) from None
    return rerun


def _check_frame(frame: str, accumulate_s: float | None) -> None:
    if frame not in FRAMES:
        raise ConfigurationError(f"'{frame}' is not a frame to show clouds in.{did_you_mean(frame, FRAMES)}")
    if frame == "vehicle" and accumulate_s is not None:
        raise ConfigurationError(
            "clouds cannot be accumulated in the frame of a vehicle that moves on between them; "
            "use the frame 'ground', or do not accumulate"
        )


def _followed(follow: str, contents: Contents, placement: Placement) -> str:
    """Return the body to follow; "" if there is none or the camera shall stand still."""
    if follow == "map":
        return ""
    if follow and follow not in placement.tracks:
        near = did_you_mean(follow, placement.tracks)
        raise RecordingError(f"there is no body '{follow}' in the truth of the recording.{near}")
    return follow or next((body for body in map(placement.carrier_of, contents.scans) if body), "")


def _identity(recording: Recording) -> str:
    return f"{title_of(recording)} seed {recording.metadata.get('seed', '?')} {recording.start_ns}-{recording.end_ns}"


def _log_standing(rerun: Any, stream: Any, recording: Recording, contents: Contents, stage: Stage) -> None:
    """Log what does not change: axes, mounts, paths on the ground, the plots, and the facts."""
    stream.log(WORLD, rerun.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
    for name, mount in stage.placement.mounts.items():
        frame = rerun.Transform3D(translation=mount.pose.position_m, quaternion=_xyzw(mount.pose.quaternion))
        stream.log(f"{WORLD}/{mount.body}/{name}", frame, rerun.TransformAxes3D(0.4), static=True)
    for name, track in stage.placement.tracks.items() if stage.vehicle is None else ():
        if np.ptp(track.pose.position_m, axis=0).max(initial=0.0) > 0.5:
            colour = _rgb([label_colour(stage.placement.boxes[name][0])])
            path = rerun.LineStrips3D([track.pose.position_m], colors=colour, radii=rerun.Radius.ui_points(1.0))
            stream.log(f"{WORLD}/paths/{name}", path, static=True)
    for number, (sensor, times) in enumerate(contents.times_ns.items()):
        at_s, rate_hz = measured_rate_hz(times)
        _log_plot(rerun, stream, f"plots/rate/{sensor}", f"{sensor} / Hz", number, at_s, rate_hz)
    for number, (lidar, scans) in enumerate(contents.scans.items()):
        _log_plot(rerun, stream, f"plots/returns/{lidar}", lidar, number, seconds(scans.times_ns), scans.returns)
    facts = "\n".join(f"* {name}: {value}" for name, value in facts_of(recording).items())
    document = rerun.TextDocument(f"# {title_of(recording)}\n\n{facts}\n", media_type="text/markdown")
    stream.log("facts", document, static=True)


def _log_plot(rerun: Any, stream: Any, entity: str, name: str, number: int, at_s: Any, values: Any) -> None:
    keep = np.isfinite(values)
    colour = _rgb([LINES[number % len(LINES)]])
    stream.log(entity, rerun.SeriesLines(colors=colour, names=name, widths=1.5), static=True)
    if keep.any():
        times = rerun.TimeColumn(TIMELINE, duration=np.asarray(at_s)[keep])
        stream.send_columns(entity, [times], rerun.Scalars.columns(scalars=np.asarray(values, np.float64)[keep]))


@dataclass(frozen=True, eq=False)
class _Show:
    """Logs samples one by one."""

    rerun: Any
    stream: Any
    stage: Stage
    paint: Colouring
    kept: Accumulation | None
    last: dict[str, PointCloud] = field(default_factory=dict)
    """The latest cloud of each LiDAR, for the points over images."""

    def image(self, image: Image) -> None:
        """Log an image, and over it the points of the latest clouds where the calibration puts them."""
        rerun, name = self.rerun, image.stamp.sensor
        self.stream.set_time(TIMELINE, duration=image.stamp.time_ns * 1e-9)
        self.stream.log(f"{IMAGES}/{name}", rerun.Image(viewable(image)).compress(jpeg_quality=92))
        for lidar, cloud in self.last.items():
            seen = points_on(image, cloud, self.stage.placement)
            dots = rerun.Points2D(
                seen.pixels + 0.5, colors=self.paint(cloud)[seen.rows], radii=rerun.Radius.ui_points(1.5)
            )
            self.stream.log(f"{IMAGES}/{name}/{lidar}", dots)

    def cloud(self, cloud: PointCloud) -> None:
        time_ns = middle_ns(cloud)
        self.last[cloud.stamp.sensor] = cloud
        placed = self.stage.cloud(cloud, time_ns)
        points_m, colours = placed.points_m, self.paint(placed)
        if self.kept is not None:
            rows = self.kept.fresh(points_m, time_ns)
            points_m, colours = points_m[rows], colours[rows]
        self.stream.set_time(TIMELINE, duration=time_ns * 1e-9)
        size = self.rerun.Radius.ui_points(_POINT_SIZE_PX)
        self.stream.log(f"{POINTS}/{cloud.stamp.sensor}", self.rerun.Points3D(points_m, colors=colours, radii=size))

    def truth(self, sample: TruthSample) -> None:
        rerun, time_ns = self.rerun, sample.stamp.time_ns
        self.stream.set_time(TIMELINE, duration=time_ns * 1e-9)
        carriers = {mount.body for mount in self.stage.placement.mounts.values()}
        for row, name in enumerate(sample.names):
            if name in carriers:
                pose = self.stage.place(sample.pose[row], time_ns)
                frame = rerun.Transform3D(translation=pose.position_m, quaternion=_xyzw(pose.quaternion))
                self.stream.log(f"{WORLD}/{name}", frame)
        boxes = self.stage.placement.boxes_at(time_ns)
        pose = self.stage.place(boxes.pose, time_ns)
        shown = rerun.Boxes3D(
            centers=pose.position_m, half_sizes=boxes.size_m / 2, quaternions=_xyzw(pose.quaternion),
            colors=_rgb(map(label_colour, boxes.labels)), radii=rerun.Radius.ui_points(1.0),
            labels=list(boxes.names), show_labels=False,
        )  # fmt: skip
        self.stream.log(f"{WORLD}/truth", shown)


def _xyzw(quaternion_wxyz: Any) -> Any:
    return np.roll(quaternion_wxyz, -1, axis=-1)


def _rgb(colours: Iterable[str]) -> Rgb:
    return np.array([[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in colours], np.uint8).reshape(-1, 3)
