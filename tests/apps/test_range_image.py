import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensorium.apps.pictures.range_image import range_image, ring_elevations


def test_a_sphere_unrolls_to_one_range(sphere_room):
    """From the centre of a sphere of radius 5 m every pixel is 5 m, within float32."""
    image = range_image(sphere_room, columns=180)
    assert image.range_m.shape == (8, 180)
    np.testing.assert_allclose(image.range_m, 5.0, rtol=1e-6)


def test_the_default_width_leaves_no_holes(sphere_room):
    """One return per beam fills every pixel of the default image, which is a little narrower than a ring has beams."""
    image = range_image(sphere_room)
    assert 160 < image.range_m.shape[1] < 180
    assert np.isfinite(image.range_m).all()


@pytest.mark.parametrize(
    ("azimuth_deg", "column"), [(179.5, 0), (90.5, 89), (0.5, 179), (-0.5, 180), (-90.5, 270), (-179.5, 359)]
)
def test_a_point_appears_where_it_is(make_cloud, azimuth_deg, column):
    """With 360 columns azimuth a lies in column floor(180 - a), so left is left; ring 0 is the lowest row."""
    azimuth = np.radians(azimuth_deg)
    points = [[7 * np.cos(azimuth), 7 * np.sin(azimuth), 0.0], [0.0, 30.0, 3.0]]
    image = range_image(make_cloud(points, [0, 3]), columns=360)
    row, found = np.argwhere(np.abs(image.range_m - 7) < 1e-5)[0]
    assert (row, found) == (3, column)
    assert np.degrees(image.azimuth_rad[column]) == pytest.approx(azimuth_deg, abs=0.5)
    assert np.isfinite(image.range_m).sum() == 2


def test_of_two_returns_the_nearer_is_seen(make_cloud):
    """Two returns in one pixel: the smaller range stays, whatever their order."""
    for ranges in ([4.0, 9.0], [9.0, 4.0]):
        image = range_image(make_cloud([[r, 0.0, 0.0] for r in ranges], [0, 0]), columns=8)
        assert np.nanmin(image.range_m) == np.nanmax(image.range_m) == 4.0


@given(st.floats(-1.2, 1.2), st.floats(-0.3, 0.3), st.floats(1.0, 80.0))
def test_elevation_does_not_need_the_height_of_the_origin(make_cloud, elevation, origin_m, first_m):
    """z = z0 + r sin(e): the slope of z over r gives e whatever z0; z in float32 at 100 m allows 1e-5 rad over 20 m."""
    ranges = first_m + np.linspace(0, 20, 50)
    points = np.stack((ranges * np.cos(elevation), 0 * ranges, origin_m + ranges * np.sin(elevation)), -1)
    found = ring_elevations(make_cloud(points, np.zeros(50), range_m=ranges), rings=2)
    assert found[0] == pytest.approx(elevation, abs=1e-5 / np.cos(1.2))
    assert np.isnan(found[1])


def test_elevations_of_equal_ranges(sphere_room):
    """Without a spread of ranges z / r = sin(e) must do: the room's fan is -24 to 4 deg in equal steps."""
    np.testing.assert_allclose(np.degrees(ring_elevations(sphere_room, 8)), np.linspace(-24, 4, 8), atol=1e-4)
