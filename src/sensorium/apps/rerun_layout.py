"""The layout of the Rerun viewer: the world on the left, plots and facts on the right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

TIMELINE = "time"
WORLD = "world"
POINTS = f"{WORLD}/points"
IMAGES = "images"


def layout(
    rerun: Any,
    lidars: Iterable[str],
    follow: str,
    title: str,
    accumulate_s: float | None = None,
    cameras: Iterable[str] = (),
) -> Any:
    """Return the blueprint; the camera follows the body `follow` ("": it stands still).

    With `accumulate_s` the view shows the clouds of so many seconds before the chosen instant, and all else at it.
    """
    blueprint = rerun.blueprint
    eye = blueprint.EyeControls3D(
        position=(-16.0, 0.0, 9.0), look_target=(12.0, 0.0, 0.0), eye_up=(0.0, 0.0, 1.0),
        tracking_entity=f"{WORLD}/{follow}" if follow else None,
    )  # fmt: skip
    last = {} if accumulate_s is None else {f"{POINTS}/{lidar}": _last(rerun, accumulate_s) for lidar in lidars}
    world = blueprint.Spatial3DView(
        origin=WORLD, name=title, background=(11, 15, 23), line_grid=False, eye_controls=eye, overrides=last
    )
    pictures = [blueprint.Spatial2DView(origin=f"{IMAGES}/{name}", name=name) for name in cameras]
    plots = blueprint.Vertical(
        *pictures,
        blueprint.TimeSeriesView(origin="plots/returns", name="returns per scan"),
        blueprint.TimeSeriesView(origin="plots/rate", name="rate of each sensor / Hz"),
        blueprint.TextDocumentView(origin="facts", name="recording"),
        row_shares=(*[3] * len(pictures), 2, 2, 1),
    )
    return blueprint.Blueprint(
        blueprint.Horizontal(world, plots, column_shares=(2, 1) if pictures else (3, 1)),
        blueprint.TimePanel(state="collapsed", timeline=TIMELINE, loop_mode="all"),
        blueprint.SelectionPanel(state="hidden"),
        blueprint.BlueprintPanel(state="hidden"),
        auto_views=False,
    )


def _last(rerun: Any, time_s: float) -> Any:
    start = rerun.TimeRangeBoundary.cursor_relative(seconds=-time_s)
    end = rerun.TimeRangeBoundary.cursor_relative()
    return rerun.blueprint.VisibleTimeRanges(timeline=TIMELINE, start=start, end=end)
