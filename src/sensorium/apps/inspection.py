"""Look into a recording: one sheet of pictures that shows at a glance what is in it and whether it is whole."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sensorium.apps.cloud_on_image import points_on, viewable, with_points
from sensorium.apps.colourings import Colouring, colouring
from sensorium.apps.colours import by_range
from sensorium.apps.contents import Contents
from sensorium.apps.pictures import sheet
from sensorium.apps.pictures.radar import draw_birds_eye, draw_range_speed
from sensorium.apps.pictures.range_image import draw_range_image, range_image
from sensorium.apps.pictures.rates import draw_counts, draw_rates
from sensorium.apps.pictures.view import BACKDROP_SCANS, View, middle_ns
from sensorium.apps.placement import Placement
from sensorium.apps.raw_messages import mounts_of
from sensorium.apps.summary import facts_of, tallies_of, title_of
from sensorium.core.errors import RecordingError
from sensorium.core.time import nanoseconds, seconds
from sensorium.samples import Image, PointCloud
from sensorium.samples.radar import RadarScan

_MOST_PICTURES = 3

if TYPE_CHECKING:
    from sensorium.recording.reader import Recording


def inspect_sheet(
    recording: Recording,
    out_png: Path | str,
    *,
    lidar: str | None = None,
    time_s: float | None = None,
    colour: str = "intensity",
) -> Path:
    """Write one PNG that shows a recording: a scan as a street, unrolled, and on a map, with rates and point counts.

    `lidar` names the LiDAR whose scan is shown (default: the one with the most points), `time_s` the start of the scan
    (default: the middle of the recording), `colour` is a name in `apps.colourings.COLOURINGS`.
    """
    paint = colouring(colour, recording.scene_names)
    contents = Contents.of(recording)
    facts = [f"{name} {value}" for name, value in facts_of(recording).items()]
    with sheet.style():
        shown, cloud = contents.lidar(lidar), None
        rig = [mount.name for mount in mounts_of(recording)]
        cameras = tuple(sorted(contents.cameras, key=lambda name: rig.index(name) if name in rig else len(rig)))[
            :_MOST_PICTURES
        ]
        cameras += cameras[:1] if shown else ()  # the first once more, with the points of the scan
        radars = contents.radars[:_MOST_PICTURES]
        figure, axes = sheet.new_sheet(len(cameras) + len(radars))
        if shown:
            cloud = _draw_scan(axes, recording, contents, shown, contents.scan_number(shown, time_s), paint)
            facts.append(f"scan {cloud.stamp.index} of {shown} at {seconds(cloud.stamp.time_ns):.2f} s")
        else:
            for name in ("street", "range", "map", "counts"):
                sheet.say_empty(axes[name], "no point cloud in this recording")
        middle = (recording.start_ns + recording.end_ns) // 2 if time_s is None else nanoseconds(time_s)
        middle = middle if cloud is None else middle_ns(cloud)
        placement = Placement.of(contents.truth, mounts_of(recording))
        for number, camera in enumerate(cameras):
            image = _image_at(recording, camera, int(np.abs(contents.times_ns[camera] - middle).argmin()))
            _draw_image(axes[f"picture_{number}"], image, cloud if camera in cameras[:number] else None, placement)
        for number, radar in enumerate(radars, len(cameras)):
            scan = _scan_at(recording, radar, int(np.abs(contents.times_ns[radar] - middle).argmin()))
            _draw_radar(axes[f"picture_{number}"], scan)
        times = {topic: tally.times_ns for topic, tally in tallies_of(recording).items()}
        draw_rates(axes["rates"], times)
        sheet.write_header(figure, title_of(recording), facts)
        return sheet.save_sheet(figure, Path(out_png))


def _image_at(recording: Recording, camera: str, number: int) -> Image:
    """Return an image of a camera by its place in the recording."""
    images = (sample for sample in recording.samples(sensor=camera) if isinstance(sample, Image))
    return next(islice(images, number, None))


def _scan_at(recording: Recording, radar: str, number: int) -> RadarScan:
    """Return a scan of a radar by its place in the recording."""
    scans = (sample for sample in recording.samples(sensor=radar) if isinstance(sample, RadarScan))
    return next(islice(scans, number, None))


def _draw_radar(axes: Any, scan: RadarScan) -> None:
    """Draw the range-speed map of a scan where it was kept, else its detections from above."""
    if scan.map is not None:
        draw_range_speed(axes, scan.map, scan)
    else:
        draw_birds_eye(axes, scan)
    axes.set_title(
        f"{scan.stamp.sensor}: scan {scan.stamp.index}, {len(scan)} detections, speeds against the radar itself"
    )


def _draw_image(axes: Any, image: Image, cloud: PointCloud | None, placement: Placement) -> None:
    """Draw an image, with the points of a cloud over it if one is given."""
    title = f"{image.stamp.sensor}: image {image.stamp.index}, {image.exposure_s * 1e3:.2g} ms, {image.gain_db:.0f} dB"
    picture = viewable(image)
    if cloud is not None:
        cloud = placement.in_sensor(cloud)
        seen = points_on(image, cloud, placement)
        picture, title = (
            with_points(image, seen, by_range(cloud.range_m[seen.rows])),
            f"{title}, points of the scan by range",
        )
    sheet.draw_picture(axes, picture, title)


def _draw_scan(
    axes: dict[str, Any], recording: Recording, contents: Contents, lidar: str, number: int, paint: Colouring
) -> PointCloud:
    chosen, others = _read_scans(recording, lidar, number, len(contents.scans[lidar].times_ns))
    placement = Placement.of(contents.truth, mounts_of(recording))
    view = View.of(chosen, others, placement, paint)
    sheet.draw_street(axes["street"], view)
    axes["street"].set_title(f"{lidar}: one scan bright, {len(others)} others faded, colour = {paint.name}")
    sheet.draw_key(axes["street"], paint, chosen)
    draw_range_image(axes["range"], range_image(placement.in_sensor(chosen)))
    axes["range"].set_title("the scan unrolled")
    sheet.draw_map(axes["map"], view)
    axes["map"].set_title("map: the scan in colour, other scans grey, truth boxes, path of the sensor white")
    draw_counts(axes["counts"], contents.scans)
    return chosen


def _read_scans(recording: Recording, lidar: str, number: int, count: int) -> tuple[PointCloud, list[PointCloud]]:
    """Return the chosen scan and some others, evenly spread over the recording."""
    wanted = set(np.linspace(0, count - 1, min(count, BACKDROP_SCANS)).round().astype(int).tolist()) - {number}
    chosen, others = None, []
    for place, sample in enumerate(recording.samples(sensor=lidar)):
        if not isinstance(sample, PointCloud):
            continue
        if place == number:
            chosen = sample
        elif place in wanted:
            others.append(sample)
    if chosen is None:
        raise RecordingError(f"scan {number} of '{lidar}' is gone: {recording.path} changed while it was read")
    return chosen, others
