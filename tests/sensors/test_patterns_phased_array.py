"""A phased array does what its programme says."""

import numpy as np
import pytest

from sensorium.core.documents import build
from sensorium.core.errors import ConfigurationError
from sensorium.core.time import TimeWindow
from sensorium.sensors.lidar.patterns import (
    AnyPattern,
    ListedDirections,
    PhasedArray,
    RasterDirections,
    RowByRow,
    Scattered,
)  # fmt: skip

FIELD = {"horizontal_fov_rad": 1.2, "vertical_fov_rad": 0.5}


def test_listed_directions_are_held_for_their_dwell():
    """Direction i of pass n fires at n (sum of dwells) + the dwells before it."""
    azimuth, elevation = [0.3, -0.2, 0.1], [0.0, 0.1, -0.1]
    listed = ListedDirections(
        azimuth_rad=azimuth, elevation_rad=elevation, dwell_s=["5 us", "1 us", "4 us"], ring=(7, 8, 9)
    )
    beams = PhasedArray(programme=listed).beams(TimeWindow(1_003_000, 1_030_000))
    np.testing.assert_array_equal(
        beams.time_ns - 1_000_000, [5_000, 6_000, 10_000, 15_000, 16_000, 20_000, 25_000, 26_000]
    )
    order = [1, 2, 0, 1, 2, 0, 1, 2]
    np.testing.assert_array_equal(beams.ring, np.array((7, 8, 9))[order])
    np.testing.assert_allclose(
        np.arctan2(beams.direction[:, 1], beams.direction[:, 0]), np.array(azimuth)[order], atol=1e-12
    )
    np.testing.assert_allclose(np.arcsin(beams.direction[:, 2]), np.array(elevation)[order], atol=1e-12)


def test_a_long_programme_does_not_drift():
    """After 10^7 passes of a period of 3.3 us + 1/3 ns the pass starts within a nanosecond of the exact product."""
    period_s = 3.3e-6 + 1e-9 / 3
    listed = ListedDirections(azimuth_rad=[0.0], elevation_rad=[0.0], dwell_s=[period_s])
    exact = 10**7 * period_s * 1e9
    beams = PhasedArray(programme=listed).beams(TimeWindow(int(exact) - 10, int(exact) + 10))
    assert abs(beams.time_ns[0] - exact) <= 1.0


def test_a_raster_is_read_like_a_page():
    """Cells from the left, rows from the top, in the middles of equal cells."""
    raster = RasterDirections(columns=6, rows=4, dwell_s="1 us", **FIELD)
    beams = PhasedArray(programme=raster).beams(TimeWindow(0, 24_000))
    azimuth = np.arctan2(beams.direction[:, 1], beams.direction[:, 0]).reshape(4, 6)
    np.testing.assert_allclose(azimuth, np.tile(0.6 - 0.2 * (np.arange(6) + 0.5), (4, 1)), atol=1e-12)
    elevation = np.arcsin(beams.direction[:, 2]).reshape(4, 6)
    np.testing.assert_allclose(elevation[:, 0], 0.25 - 0.125 * (np.arange(4) + 0.5), atol=1e-12)
    np.testing.assert_array_equal(beams.ring.reshape(4, 6)[:, 3], (3, 2, 1, 0))


@pytest.mark.parametrize(("columns", "rows"), [(500, 40), (64, 64), (37, 11), (2, 2), (1, 9), (1, 1)])
def test_scattered_order_visits_each_cell_once(columns, rows):
    """The order is a permutation of the cells, whatever the size."""
    assert sorted(Scattered().cells(columns, rows)) == list(range(columns * rows))


@pytest.mark.parametrize(("columns", "rows"), [(500, 40), (64, 64), (128, 32)])
@pytest.mark.parametrize("part", [4, 16])
def test_scattered_order_covers_the_field_at_any_time(columns, rows, part):
    """Any run of 1/4 or 1/16 of the visits puts its even share into each of 4 x 4 blocks, within a third.

    (Row by row puts all of it into one quarter.)
    """
    cells, blocks = columns * rows, np.zeros((2, 16))
    for number, order in enumerate((Scattered(), RowByRow())):
        run = order.cells(columns, rows)[cells // 3 : cells // 3 + cells // part]
        row, column = np.divmod(run, columns)
        blocks[number] = np.bincount(row * 4 // rows * 4 + column * 4 // columns, minlength=16) / len(run) * 16
    assert np.abs(blocks[0] - 1).max() < 1 / 3
    assert blocks[1].max() > 2


def test_a_programme_may_be_written_with_units():
    """As a scenario would: angles in degrees, one dwell for all."""
    pattern = build(
        AnyPattern,
        {"type": "phased_array", "programme": {
            "type": "listed", "azimuth_rad": ["10 deg", "-10 deg"], "elevation_rad": [0, "2 deg"], "dwell_s": ["2 us"],
        }},
    )  # fmt: skip
    assert pattern.period_s == pytest.approx(4e-6)
    assert np.degrees(pattern.angular_step_rad(TimeWindow(0, 1000))) == pytest.approx(20.0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"elevation_rad": [0.0]}, "go in pairs, found 2 and 1"),
        ({"dwell_s": [1e-6] * 3}, "dwell_s has 3 entries; expected 1, or 2"),
        ({"dwell_s": [0.0]}, "1e-9 to 1e6 s"),
        ({"elevation_rad": [0.0, 2.0]}, "-90 .. 90 deg"),
        ({"azimuth_rad": [], "elevation_rad": []}, "holds no direction"),
        ({"ring": (1, 2, 3)}, "ring has 3 entries"),
    ],
)
def test_impossible_programmes_are_refused(settings, message):
    """The message says which list does not fit."""
    sound = {"azimuth_rad": [0.0, 0.1], "elevation_rad": [0.0, 0.1], "dwell_s": [1e-6]}
    with pytest.raises(ConfigurationError, match=message):
        ListedDirections(**{**sound, **settings})
