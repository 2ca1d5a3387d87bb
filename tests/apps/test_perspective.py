import numpy as np
import pytest

from sensorium.apps.pictures.perspective import Camera, render

RED, BLUE = (255, 0, 0), (0, 0, 255)


def test_what_is_looked_at_is_in_the_middle():
    """A camera that looks from p at q sees q in the middle of the picture, at depth |q - p|, and the horizon level."""
    start, target = np.array([3.0, -2.0, 5.0]), np.array([20.0, 9.0, 1.0])
    camera = Camera.looking(start, target, 640, 400)
    pixel, depth = camera.project(target)
    np.testing.assert_allclose(pixel, (320, 200), atol=1e-9)
    assert depth == pytest.approx(np.linalg.norm(target - start))
    left = np.cross([0, 0, 1], target - start)
    sideways, _ = camera.project(target + 0.5 * left / np.linalg.norm(left))
    assert sideways[0] < 320
    assert sideways[1] == pytest.approx(200)


def test_projection_follows_the_pinhole_formula():
    """u = w/2 - f y/x, v = h/2 - f z/x with f = (w/2) / tan(fov/2): half the field of view is at the edge."""
    camera = Camera.looking((0, 0, 0), (1, 0, 0), 600, 400)
    half = camera.field_of_view_rad / 2
    pixel, depth = camera.project([[10 * np.cos(half), 10 * np.sin(half), 0.0], [5.0, 0.0, 1.0]])
    np.testing.assert_allclose(pixel, [[0, 200], [300, 200 - camera.focal_px / 5]], atol=1e-9)
    np.testing.assert_allclose(depth, [10 * np.cos(half), 5.0])


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_near_point_hides_the_far_one(order):
    """Of two points on one line of sight the nearer colour is seen, in whichever order they come."""
    camera = Camera.looking((0, 0, 0), (1, 0, 0), 80, 60)
    points, colours = np.array([[4.0, 0, 0], [9.0, 0, 0]]), np.array([RED, BLUE], np.uint8)
    picture = render(points[list(order)], colours[list(order)], camera, size_m=0.4, sky="#000000")
    assert tuple(picture[30, 40]) == RED
    assert not picture[..., 2].any()


def test_size_shrinks_with_distance():
    """A disc of d metres at r covers pi/4 (f d / r)^2 pixels, but is at least 1.5 px wide."""
    camera = Camera.looking((0, 0, 0), (1, 0, 0), 400, 300)
    picture = render([[10.0, 0, 0]], np.array([RED], np.uint8), camera, size_m=0.05, sky="#000000")
    across = max(camera.focal_px * 0.05 / 10, 1.5)
    covered = picture[..., 0].sum() / 255
    assert covered == pytest.approx(np.pi / 4 * across**2, abs=np.pi * across * 0.5)


def test_depth_casts_shadow_only_backwards():
    """Eye-dome lighting darkens a far wall beside a near one; the near one and the open wall stay as bright."""
    camera = Camera.looking((0, 0, 0), (1, 0, 0), 200, 100)
    y, z = (axis.ravel() for axis in np.meshgrid(np.linspace(-6, 6, 900), np.linspace(-3, 3, 450)))
    far = np.stack((np.where(y > 0, 8.0, 10.0), y, z), -1)
    picture = render(far, np.full((len(far), 3), 200, np.uint8), camera, size_m=0.06)[..., 0].astype(int)
    row = picture[50]
    assert row[20] == row[180] == row[97] == 200  # left of the middle is y > 0: near
    assert row[102] < 190


@pytest.mark.parametrize("points", [np.empty((0, 3)), [[-5.0, 0.0, 0.0]], [[5.0, 40.0, 0.0]]])
def test_where_nothing_is_seen_is_sky(points):
    """No points, a point behind the camera, a point beside the picture: the colour of the sky everywhere."""
    camera = Camera.looking((0, 0, 0), (1, 0, 0), 20, 10)
    picture = render(points, np.full((len(points), 3), 255, np.uint8), camera, sky="#102030")
    assert (picture == (16, 32, 48)).all()
