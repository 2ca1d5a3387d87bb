"""The road with its markings, kerbs and pavements, and the ground beyond."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from sensorium.scene.body import Body, Model, Part
from sensorium.scene.mesh import Mesh
from sensorium.scene.street.extrusion import both_sides, boxes, join, mirrored, sheet, shifted, turned
from sensorium.scene.street.layout import KERB_WIDTH_M, ZEBRA_WIDTH_M, Layout, chance

Floats = NDArray[np.float64]

MARKING_THICKNESS_M = 0.003
LINE_WIDTH_M = 0.12
_DASH_M, _GAP_M = 3.0, 6.0
_BAR_M = 0.5
_GROUND_BEYOND_M = 60.0


def road_bodies(layout: Layout, seed: int) -> Iterable[Body]:
    """Return the road and the ground."""
    parts = (
        Part("asphalt", _asphalt(layout), "asphalt", "road"),
        Part("lines", _lines(layout), "road_marking", "road_marking"),
        Part("zebra", _zebra(layout), "road_marking", "road_marking"),
        Part("manholes", _manholes(layout, seed), "steel", "road"),
        Part("kerbs", both_sides(_strip(layout, _kerb_rows(layout))), "kerb_stone", "kerb"),
        Part("pavements", both_sides(_strip(layout, _pavement_rows(layout))), "concrete", "pavement"),
    )
    ground = (Part("grass", _ground(layout, seed), "grass", "terrain"),)
    return (Body("road", Model("road", parts), label="road"), Body("ground", Model("ground", ground), label="terrain"))


def _stations(layout: Layout) -> Floats:
    """Return x along the road, about 10 m apart, with the dropped kerb's corners in between."""
    half = ZEBRA_WIDTH_M / 2
    even = np.linspace(layout.start_m, layout.end_m, round((layout.end_m - layout.start_m) / 10) + 1)
    corners = layout.zebra_m + np.array([-half - 0.9, -half, half, half + 0.9])
    return np.union1d(even, corners)


def _asphalt(layout: Layout) -> Mesh:
    across = np.array([-layout.kerb_m, -layout.lanes_edge_m, 0.0, layout.lanes_edge_m, layout.kerb_m])
    y, x = np.meshgrid(np.unique(across), _stations(layout), indexing="ij")
    return sheet(np.stack((x, y, np.zeros_like(x)), -1))


def _strip(layout: Layout, rows: list[tuple[Floats, Floats]]) -> Mesh:
    """Return the sheet through rows (y, z) along the stations, the innermost row first; it faces up and to the road."""
    x = _stations(layout)
    return sheet(
        np.stack([np.stack((x, np.broadcast_to(y, x.shape), np.broadcast_to(z, x.shape)), -1) for y, z in rows])
    )


def _kerb_rows(layout: Layout) -> list[tuple[Floats, Floats]]:
    """A face that leans back a little, a bevelled edge, and the top."""
    top, y = layout.kerb_height_m(_stations(layout)), np.asarray(layout.kerb_m)
    return [(y, np.asarray(-0.02)), (y + 0.01, top - 0.015), (y + 0.025, top), (y + KERB_WIDTH_M, top)]


def _pavement_rows(layout: Layout) -> list[tuple[Floats, Floats]]:
    inner, outer = layout.kerb_m + KERB_WIDTH_M, layout.pavement_edge_m
    x = _stations(layout)
    across = np.linspace(inner, outer, 3)
    return [(np.asarray(y), layout.height_m(x, y)) for y in across]


def _lines(layout: Layout) -> Mesh:
    """Return the dashed centre line, dashed lane lines and solid edge lines as thin slabs."""
    edge = layout.lanes_edge_m - (0.0 if layout.parking_width_m else 0.25)
    dashed = [y for lane in range(1, layout.lanes) for y in (lane * layout.lane_width_m, -lane * layout.lane_width_m)]
    pieces = [_slabs(_dashes(layout), y) for y in (0.0, *dashed)]
    pieces += [_slabs(_solid(layout), y) for y in (edge, -edge)]
    return join(pieces)


def _slabs(spans_m: Floats, y_m: float) -> Mesh:
    count, half = np.ones(len(spans_m)), LINE_WIDTH_M / 2
    low = np.column_stack((spans_m[:, 0], (y_m - half) * count, 0 * count))
    high = np.column_stack((spans_m[:, 1], (y_m + half) * count, MARKING_THICKNESS_M * count))
    return boxes(low, high)


def _dashes(layout: Layout) -> Floats:
    start = np.arange(layout.start_m, layout.end_m - _DASH_M, _DASH_M + _GAP_M)
    spans = np.column_stack((start, start + _DASH_M))
    clear = ZEBRA_WIDTH_M / 2 + 0.5
    return spans[(spans[:, 0] > layout.zebra_m + clear) | (spans[:, 1] < layout.zebra_m - clear)]


def _solid(layout: Layout) -> Floats:
    """Return spans of about 10 m along the road, left open at the zebra crossing."""
    clear, spans = ZEBRA_WIDTH_M / 2 + 0.5, []
    for low, high in ((layout.start_m, layout.zebra_m - clear), (layout.zebra_m + clear, layout.end_m)):
        cuts = np.linspace(low, high, max(2, round((high - low) / 10) + 1))
        spans.append(np.column_stack((cuts[:-1], cuts[1:])))
    return np.concatenate(spans)


def _zebra(layout: Layout) -> Mesh:
    """Return bars along the road, half a metre wide and half a metre apart, from kerb to kerb."""
    count = int((2 * layout.kerb_m - _BAR_M) // (2 * _BAR_M))
    y = (np.arange(count) - (count - 1) / 2) * 2 * _BAR_M
    x, half = np.full(count, layout.zebra_m), ZEBRA_WIDTH_M / 2
    low = np.column_stack((x - half, y - _BAR_M / 2, np.zeros(count)))
    high = np.column_stack((x + half, y + _BAR_M / 2, np.full(count, MARKING_THICKNESS_M)))
    return boxes(low, high)


def _manholes(layout: Layout, seed: int) -> Mesh:
    """Return lids in the lanes, about one every 40 m."""
    random = chance(seed, "manholes")
    count = max(1, round(layout.length_m / 40))
    x = np.linspace(0.1, 0.95, count) * layout.length_m + random.uniform(-4, 4, count)
    x = np.where(np.abs(x - layout.zebra_m) < 4, x + 8, x)
    y = random.choice([-0.6, 0.6], count) * layout.lane_width_m
    lid = turned([(0.31, 0.0), (0.30, 0.004), (0.0, 0.004)], 20)
    return join(shifted(lid, *place) for place in zip(x, y, strict=True))


def _ground(layout: Layout, seed: int) -> Mesh:
    """Return level gardens and, behind the houses, gentle waves; at both ends the ground closes over the road."""
    edge = layout.pavement_edge_m
    far = layout.house_line_m + np.array([0.0, 8.0, 16.0, 24.0, 34.0, 46.0, 60.0])
    columns = np.concatenate(([edge], far))
    x = np.linspace(layout.start_m - _GROUND_BEYOND_M, layout.end_m + _GROUND_BEYOND_M, round(layout.length_m / 8) + 18)
    random = chance(seed, "ground")
    pieces = []
    for _ in range(2):
        y, along = np.meshgrid(columns, x, indexing="ij")
        phase = random.uniform(0, 2 * np.pi, 3)
        waves = np.sin(along / 17 + phase[0]) + np.sin(y / 11 + phase[1]) + np.sin((along + y) / 29 + phase[2])
        rise = 0.35 * waves * np.clip((y - layout.house_line_m - 16) / 12, 0, 1)
        pieces.append(sheet(np.stack((along, y, layout.ground_m + rise), -1)))
    return join((pieces[0], mirrored(pieces[1]), *_ends(layout)))


def _ends(layout: Layout) -> list[Mesh]:
    across = np.array([-layout.pavement_edge_m, -layout.kerb_m, layout.kerb_m, layout.pavement_edge_m])
    height = np.array([layout.ground_m, 0.0, 0.0, layout.ground_m])
    spans = ((layout.start_m - _GROUND_BEYOND_M, layout.start_m), (layout.end_m, layout.end_m + _GROUND_BEYOND_M))
    return [sheet([[(x, y, z) for x in span] for y, z in zip(across, height, strict=True)]) for span in spans]
