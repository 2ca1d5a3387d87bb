"""Look into a recording: one sheet of pictures, and a summary in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sensorium.apps.colours import by_intensity
from sensorium.apps.pictures import sheet
from sensorium.apps.pictures.range_image import draw_range_image, range_image
from sensorium.apps.pictures.rates import draw_counts, draw_rates
from sensorium.apps.placement import Placement
from sensorium.core.errors import RecordingError, did_you_mean
from sensorium.core.time import nanoseconds, seconds
from sensorium.samples import PointCloud, TruthSample

if TYPE_CHECKING:
    from sensorium.recording.reader import Recording

Times = NDArray[np.int64]

_BACKDROP_SCANS = 24
_BACKDROP_POINTS = 900_000


@dataclass(frozen=True, eq=False)
class Contents:
    """What one pass through a recording finds, without keeping the points."""

    times_ns: dict[str, Times]
    """Start of every sample, by sensor."""
    scans: dict[str, tuple[Times, NDArray[np.int64]]]
    """Returns and beams of every scan, by LiDAR."""
    truth: list[TruthSample] = field(default_factory=list)

    @classmethod
    def of(cls, recording: Recording) -> Contents:
        """Read the recording once."""
        times: dict[str, list[int]] = {}
        scans: dict[str, list[tuple[int, int]]] = {}
        truth: list[TruthSample] = []
        for sample in recording.samples():
            times.setdefault(sample.stamp.sensor, []).append(sample.stamp.time_ns)
            if isinstance(sample, PointCloud):
                scans.setdefault(sample.stamp.sensor, []).append((len(sample), sample.beam_count))
            elif isinstance(sample, TruthSample):
                truth.append(sample)
        counts = {name: np.array(rows, np.int64).T for name, rows in scans.items()}
        return cls({name: np.array(t, np.int64) for name, t in times.items()},
                   {name: (rows[0], rows[1]) for name, rows in counts.items()}, truth)  # fmt: skip


def inspect_sheet(
    recording: Recording, out_png: Path | str, lidar: str | None = None, time_s: float | None = None
) -> Path:
    """Write one PNG that shows a recording: the street as a LiDAR sees it, the scan unrolled, the map, rates and counts.

    `lidar` names the LiDAR whose scan is shown (default: the one with the most points), `time_s` the time of the scan
    (default: the middle of the recording).
    """
    contents = Contents.of(recording)
    placement = Placement.of(contents.truth, recording.mounts)
    figure, axes = sheet.new_sheet()
    facts = recording_facts(recording)
    shown = _choose_lidar(contents, lidar)
    if shown:
        cloud = _draw_scan(axes, recording, contents, placement, shown, time_s)
        facts.append(f"scan {cloud.stamp.index} of {shown} at {seconds(cloud.stamp.time_ns):.2f} s")
    else:
        for name in ("street", "range", "map", "counts"):
            sheet.say_empty(axes[name], "no point cloud in this recording")
    draw_rates(axes["rates"], contents.times_ns)
    sheet.write_header(figure, _title(recording), facts)
    out = Path(out_png)
    sheet.save_sheet(figure, out)
    return out
