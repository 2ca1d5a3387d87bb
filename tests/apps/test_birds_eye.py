import numpy as np
import pytest

from sensorium.apps.pictures.birds_eye import Ground, birds_eye_image, density_image

GROUND = Ground(left_m=-10.0, right_m=30.0, bottom_m=-5.0, top_m=15.0, pixel_m=0.5)
RED, BLUE = (255, 0, 0), (0, 0, 255)


@pytest.mark.parametrize(
    ("point", "row", "column"),
    [((-10, 15, 0), 0, 0), ((29.9, -4.9, 0), 39, 79), ((0.1, 0.1, 9), 29, 20), ((5.6, 14.9, 0), 0, 31)],
)
def test_points_lie_where_the_map_says(point, row, column):
    """Row = floor((top - y) / pixel), column = floor((x - left) / pixel): north is up, east is right."""
    point = np.array([point]) - [0, 1e-9, 0]
    image = birds_eye_image(point, np.array([RED], np.uint8), GROUND)
    assert image.shape == (40, 80, 4)
    assert np.argwhere(image[..., 3] > 0).tolist() == [[row, column]]
    assert tuple(image[row, column]) == (*RED, 255)


def test_points_outside_are_left_out():
    """Nothing is wrapped or clipped to the edge."""
    outside = np.array([[-10.1, 0, 0], [30.1, 0, 0], [0, 15.1, 0], [0, -5.1, 0]])
    assert not birds_eye_image(outside, np.tile(np.array(RED, np.uint8), (4, 1)), GROUND).any()
    assert not density_image(outside, GROUND)[..., 3].any()


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_highest_point_is_seen_from_above(order):
    """A roof hides the road under it, in whichever order the points come."""
    points, colours = np.array([[1.1, 1.1, 0.0], [1.2, 1.2, 6.0]]), np.array([RED, BLUE], np.uint8)
    image = birds_eye_image(points[list(order)], colours[list(order)], GROUND)
    assert image[image[..., 3] > 0].tolist() == [[*BLUE, 255]]


def test_density_grows_with_the_number_of_points():
    """Opacity rises with log(1 + n) to full at the 98th percentile, and is 0 where nothing is."""
    points = np.repeat([[0.2, 0.2, 0], [5.2, 0.2, 0], [9.2, 0.2, 0]], [1, 10, 100], axis=0)
    opacity = density_image(points, GROUND)[..., 3].astype(int)
    few, some, many = opacity[29, 20], opacity[29, 30], opacity[29, 38]
    assert 0 < few < some < many == 255
    assert (opacity > 0).sum() == 3


def test_the_ground_holds_the_points_with_square_pixels():
    """98 % of the points lie inside, the picture has the asked size, and a pixel is as wide as it is high."""
    points = np.random.default_rng(0).normal(size=(5000, 3)) * [30, 4, 1] + [100, -50, 0]
    ground = Ground.around(points, 600, 300)
    assert ground.shape == (300, 600)
    assert ground.pixels(points)[2].mean() > 0.97
    assert (ground.left_m + ground.right_m) / 2 == pytest.approx(100, abs=3)
