"""A recording as a Rerun file: clouds in colour, truth boxes, frames and plots, with a layout that shows them.

Clouds are placed in the map frame point by point, each from where the sensor was when its beam fired, and stand at the
middle of their scan. So they fit the boxes, and they stay where they are while the sensor moves on.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sensorium.apps.colours import Colouring, Rgb, colouring
from sensorium.apps.contents import Contents
from sensorium.apps.pictures.birds_eye import label_colour
from sensorium.apps.pictures.rates import LINES, measured_rate_hz
from sensorium.apps.pictures.view import middle_ns
from sensorium.apps.placement import Placement
from sensorium.apps.raw_messages import mounts_of
from sensorium.apps.summary import facts_of, title_of
from sensorium.apps.whole_file import whole_file
from sensorium.core.errors import MissingExtraError
from sensorium.core.time import seconds
from sensorium.samples import PointCloud, TruthSample

if TYPE_CHECKING:
    from sensorium.recording.reader import Recording

TIMELINE = "time"
WORLD = "world"
_POINT_SIZE_PX = 1.3


def write_rerun_file(recording: Recording, path: Path | str, *, colour: str = "intensity", follow: str = "") -> Path:
    """Write a recording as a Rerun file; the same recording gives the same content.

    `colour` is intensity, range, height or ring. The camera follows the body named by `follow` (default: the one that
    carries the first LiDAR; "map" for a camera that stands still).
    """
    rerun = rerun_package("writing a Rerun file")
    paint, out = colouring(colour), Path(path)
    contents = Contents.of(recording)
    placement = Placement.of(contents.truth, mounts_of(recording))
    stream = rerun.RecordingStream("sensorium", recording_id=_identity(recording), send_properties=False)
    encoded = stream.binary_stream()  # Rerun's own file never returns when the disk is full (0.41)
    stream.set_log_tick_enabled(False)
    stream.set_log_time_enabled(False)
    stream.send_recording_name(title_of(recording))
    stream.send_blueprint(_layout(rerun, contents, follow or _first_carrier(contents, placement)))
    _log_standing(rerun, stream, recording, contents, placement)
    with whole_file(out) as part, part.open("wb") as file:
        for sample in recording.samples():
            if isinstance(sample, PointCloud):
                _log_cloud(rerun, stream, sample, placement, paint)
            elif isinstance(sample, TruthSample):
                _log_truth(rerun, stream, sample, placement)
            file.write(encoded.read(flush=False) or b"")
        file.write(encoded.read() or b"")
    return out


def rerun_package(purpose: str) -> Any:
    """Return the Rerun package, or say how to install it."""
    try:
        import rerun
    except ImportError:
        raise MissingExtraError("rerun-sdk", "viewer", purpose) from None
    return rerun


def _identity(recording: Recording) -> str:
    return f"{title_of(recording)} seed {recording.metadata.get('seed', '?')} {recording.start_ns}-{recording.end_ns}"


def _first_carrier(contents: Contents, placement: Placement) -> str:
    return next((body for body in map(placement.carrier_of, contents.scans) if body), "")


def _log_standing(rerun: Any, stream: Any, recording: Recording, contents: Contents, placement: Placement) -> None:
    """Log what does not change: axes, mounts, paths, the plots, and the facts."""
    stream.log(WORLD, rerun.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
    for name, mount in placement.mounts.items():
        frame = rerun.Transform3D(translation=mount.pose.position_m, quaternion=_xyzw(mount.pose.quaternion))
        stream.log(f"{WORLD}/{mount.body}/{name}", frame, rerun.TransformAxes3D(0.4), static=True)
    for name, track in placement.tracks.items():
        if np.ptp(track.pose.position_m, axis=0).max(initial=0.0) > 0.5:
            colour = _rgb([label_colour(placement.boxes[name][0])])
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


def _log_cloud(rerun: Any, stream: Any, cloud: PointCloud, placement: Placement, paint: Colouring) -> None:
    placed = placement.in_world(cloud)
    stream.set_time(TIMELINE, duration=middle_ns(cloud) * 1e-9)
    points = rerun.Points3D(placed.points_m, colors=paint(placed), radii=rerun.Radius.ui_points(_POINT_SIZE_PX))
    stream.log(f"{WORLD}/points/{cloud.stamp.sensor}", points)


def _log_truth(rerun: Any, stream: Any, sample: TruthSample, placement: Placement) -> None:
    stream.set_time(TIMELINE, duration=sample.stamp.time_ns * 1e-9)
    carriers = {mount.body for mount in placement.mounts.values()}
    for row, name in enumerate(sample.names):
        if name in carriers:
            pose = sample.pose[row]
            frame = rerun.Transform3D(translation=pose.position_m, quaternion=_xyzw(pose.quaternion))
            stream.log(f"{WORLD}/{name}", frame)
    boxes = placement.boxes_at(sample.stamp.time_ns)
    shown = rerun.Boxes3D(
        centers=boxes.pose.position_m, half_sizes=boxes.size_m / 2, quaternions=_xyzw(boxes.pose.quaternion),
        colors=_rgb(map(label_colour, boxes.labels)), radii=rerun.Radius.ui_points(1.0),
        labels=list(boxes.names), show_labels=False,
    )  # fmt: skip
    stream.log(f"{WORLD}/truth", shown)


def _layout(rerun: Any, contents: Contents, follow: str) -> Any:
    """Return the layout: the world on the left, plots and facts on the right."""
    blueprint = rerun.blueprint
    eye = blueprint.EyeControls3D(
        position=(-16.0, 0.0, 9.0), look_target=(12.0, 0.0, 0.0), eye_up=(0.0, 0.0, 1.0),
        tracking_entity=f"{WORLD}/{follow}" if follow and follow != "map" else None,
    )  # fmt: skip
    world = blueprint.Spatial3DView(
        origin=WORLD, name="map", background=(11, 15, 23), line_grid=False, eye_controls=eye
    )
    plots = blueprint.Vertical(
        blueprint.TimeSeriesView(origin="plots/returns", name="returns per scan"),
        blueprint.TimeSeriesView(origin="plots/rate", name="rate of each sensor / Hz"),
        blueprint.TextDocumentView(origin="facts", name="recording"),
        row_shares=(2, 2, 1),
    )
    return blueprint.Blueprint(
        blueprint.Horizontal(world, plots, column_shares=(3, 1)),
        blueprint.TimePanel(state="collapsed", timeline=TIMELINE, loop_mode="all"),
        blueprint.SelectionPanel(state="hidden"),
        blueprint.BlueprintPanel(state="hidden"),
        auto_views=False,
    )


def _xyzw(quaternion_wxyz: Any) -> Any:
    return np.roll(quaternion_wxyz, -1, axis=-1)


def _rgb(colours: Iterable[str]) -> Rgb:
    return np.array([[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in colours], np.uint8).reshape(-1, 3)
