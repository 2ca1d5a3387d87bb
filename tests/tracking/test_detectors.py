"""Detectors on samples made by hand: where a thing is, what shape it has, and when there is none."""

from __future__ import annotations

import numpy as np
import pytest

from sensorium.core.errors import ConfigurationError
from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.samples import Calibration, Image, PointCloud, Stamp
from sensorium.tracking.cloud_background import CloudBackground
from sensorium.tracking.cloud_clusters import ClusterDetector, linked
from sensorium.tracking.cloud_shapes import FLAT, LINE, ROUND
from sensorium.tracking.detections import standing
from sensorium.tracking.image_detectors import FrameDifference, HottestPoint
from sensorium.tracking.image_registration import FeatureRegistration
from sensorium.tracking.pixel_angles import angles, directions

HEIGHT, WIDTH, FOCAL = 240, 320, 400.0
PINHOLE = Calibration(
    width=WIDTH, height=HEIGHT, model="plumb_bob",
    matrix=np.array([[FOCAL, 0, (WIDTH - 1) / 2], [0, FOCAL, (HEIGHT - 1) / 2], [0, 0, 1]]),
)  # fmt: skip
SEAT = standing(Pose.at(0, 0, 1.5))


def image(pixels: np.ndarray, index: int = 0, **more) -> Image:
    time_ns = index * 16_666_667
    return Image(stamp=Stamp("camera", index, time_ns, time_ns), pixels=pixels, encoding=more.pop("encoding", "mono8"),
                 calibration=more.pop("calibration", PINHOLE), exposure_s=more.pop("exposure_s", 0.0), **more)  # fmt: skip


def street(shift: float = 0.0, seed: int = 1) -> np.ndarray:
    """A smooth random texture, moved to the left by some pixels."""
    from scipy.ndimage import gaussian_filter
    from scipy.ndimage import shift as moved

    wide = gaussian_filter(np.random.default_rng(seed).normal(size=(HEIGHT, WIDTH + 80)), 3)
    wide = 110 + 60 * wide / wide.std() / 2
    return moved(wide, (0, -shift), order=3)[:, 20 : 20 + WIDTH]


def ball(column: float, row: float, background: np.ndarray, radius: float = 6.0, level: float = 230.0) -> np.ndarray:
    r, c = np.mgrid[:HEIGHT, :WIDTH]
    cover = np.clip(radius + 0.5 - np.hypot(c - column, r - row), 0, 1)
    return background * (1 - cover) + level * cover


def noisy(pixels: np.ndarray, index: int, sigma: float = 2.0) -> np.ndarray:
    noise = Draws(5, 0, "camera", index).normal("read", pixels.size).reshape(pixels.shape)
    return np.clip(np.rint(pixels + sigma * noise), 0, 255).astype(np.uint8)


def test_difference_finds_the_moving_ball():
    """A ball that moves by 9 px per image over a textured street with noise: one detection, within 1 px, at its angles."""
    detector = FrameDifference()
    seen, background = detector.init(), street()
    for index in range(6):
        column, row = 60 + 9 * index, 100 + 4 * index
        seen, found = detector.step(seen, image(noisy(ball(column, row, background), index), index), SEAT)
        if index < 3:
            assert len(found) == 0
            continue
        assert len(found) == 1
        assert found.features["column_px"][0] == pytest.approx(column, abs=1)
        assert found.features["row_px"][0] == pytest.approx(row, abs=1)
        azimuth, elevation = found.measurements.value[0, 0, :2]
        assert azimuth == pytest.approx(-np.arctan((column - 159.5) / FOCAL), abs=1 / FOCAL)
        assert elevation == pytest.approx(-np.arctan((row - 119.5) / np.hypot(FOCAL, column - 159.5)), abs=1 / FOCAL)


def test_plain_difference_lies_between():
    """With one image before, the change is where the ball is and where it was: its centroid lies in the middle."""
    detector = FrameDifference(images=1, dilation_px=6)
    seen, _ = detector.step(detector.init(), image(ball(100, 100, street())), SEAT)
    _, found = detector.step(seen, image(ball(110, 100, street()), 1), SEAT)
    assert len(found) == 1
    assert found.features["column_px"][0] == pytest.approx(105, abs=1)


def test_nothing_moves_nothing_is_found():
    """Twenty noisy images of the same street: no false alarm."""
    detector, seen = FrameDifference(), None
    seen = detector.init()
    for index in range(20):
        seen, found = detector.step(seen, image(noisy(street(), index), index), SEAT)
        assert len(found) == 0


def test_registration_takes_the_own_motion_out():
    """A camera that turns by 3 px per image sees edges everywhere; registered, only the ball is left."""
    plain, registered = FrameDifference(), FrameDifference(registration=FeatureRegistration())
    last = {}
    for name, detector in (("plain", plain), ("registered", registered)):
        seen = detector.init()
        for index in range(5):
            pixels = noisy(ball(200 - 12 * index, 120, street(3.0 * index)), index)
            seen, found = detector.step(seen, image(pixels, index), SEAT)
        last[name] = found.features
    assert (
        last["plain"]["area_px"].sum() == 0 or last["plain"]["area_px"].sum() > 1000
    )  # lost in the edges, or all edges
    assert last["registered"]["area_px"].sum() < 300
    best = np.argmax(last["registered"]["area_px"])
    assert last["registered"]["column_px"][best] == pytest.approx(152, abs=1.5)


@pytest.mark.parametrize(("encoding", "shape"), [("rgb8", (HEIGHT, WIDTH, 3)), ("bayer_rggb8", (HEIGHT, WIDTH))])
def test_colour_images_are_grey_to_the_detector(encoding, shape):
    detector = FrameDifference()
    seen = detector.init()
    for index in range(4):
        grey = ball(60 + 10 * index, 80, street())
        pixels = noisy(grey if len(shape) == 2 else np.repeat(grey[..., None], 3, -1), index)
        seen, found = detector.step(seen, image(pixels, index, encoding=encoding), SEAT)
    assert found.features["column_px"] == pytest.approx([90], abs=1)


def test_rows_of_a_rolling_shutter_have_their_own_time():
    """Row 80 begins 80 row delays late; the middle of its exposure counts."""
    detector = HottestPoint()
    made = image(ball(100, 80, street() / 4), exposure_s=0.002, row_delay_s=1e-5)
    found = detector.detect(made, SEAT)
    assert found.measurements.time_ns[0, 0] == pytest.approx(80 * 10_000 + 1_000_000, abs=5_000)


def test_hottest_point():
    """A warm ball at a part of a pixel, before a ground far warmer than the sky, with saturated pixels in the image.

    It is found within 0.4 px; a flat image has none, nor has one of noise alone.
    """
    flat = np.full((HEIGHT, WIDTH), 3000.0)
    flat[:50] = 1500.0
    warm = ball(200.3, 100.7, flat, 3.0, 3400.0)
    warm[::37, ::41] = 16383
    noise = Draws(6).normal("read", warm.size).reshape(warm.shape) * 8
    found = HottestPoint().detect(image((warm + noise).astype(np.uint16), encoding="mono16"), SEAT)
    assert found.features["column_px"] == pytest.approx([200.3], abs=0.4)
    assert found.features["row_px"] == pytest.approx([100.7], abs=0.4)
    assert len(HottestPoint().detect(image(np.full((HEIGHT, WIDTH), 7, np.uint8)), SEAT)) == 0
    assert len(HottestPoint().detect(image((3000 + noise).astype(np.uint16), encoding="mono16"), SEAT)) == 0


def test_size_of_images_must_stay():
    seen, _ = FrameDifference().step(FrameDifference().init(), image(np.zeros((4, 4), np.uint8)), SEAT)
    with pytest.raises(ConfigurationError, match="keep their size"):
        FrameDifference().step(seen, image(np.zeros((4, 5), np.uint8), 1), SEAT)


@pytest.mark.parametrize("model", ["plumb_bob", "rational_polynomial", "equidistant"])
def test_directions_undo_the_lens(model):
    """OpenCV projects points through a lens with distortion; their directions come back within 1e-5."""
    cv2 = pytest.importorskip("cv2")
    rays = np.random.default_rng(2).uniform(-0.25, 0.25, (50, 2))
    points = np.concatenate((rays, np.ones((50, 1))), 1)
    d = np.array(
        [-0.1, 0.02, 1e-3, -5e-4, 0.003, 0, 0, 0][: {"plumb_bob": 5, "rational_polynomial": 8, "equidistant": 4}[model]]
    )
    project = cv2.fisheye.projectPoints if model == "equidistant" else cv2.projectPoints
    pixels, _ = project(points[:, None], np.zeros(3), np.zeros(3), PINHOLE.matrix, d)
    lens = Calibration(width=WIDTH, height=HEIGHT, model=model, matrix=PINHOLE.matrix, distortion=d)
    expected = points / np.linalg.norm(points, axis=1, keepdims=True)
    np.testing.assert_allclose(directions(lens, pixels.reshape(-1, 2)), expected, atol=1e-5)


def test_covariance_of_angles_is_that_of_pixels():
    """One pixel at the image's centre is 1 / f rad in both directions."""
    _, covariance = angles(PINHOLE, np.array([[159.5, 119.5]]), 1.0)
    np.testing.assert_allclose(covariance[0], np.eye(2) / FOCAL**2, rtol=1e-4, atol=1e-12)


# --- point clouds


def cloud_of(points: np.ndarray, offsets_ns: np.ndarray | None = None) -> PointCloud:
    n = len(points)
    return PointCloud(
        stamp=Stamp("lidar", 0, 0, 100_000_000), points_m=points.astype(np.float32),
        range_m=np.linalg.norm(points, axis=1).astype(np.float32), intensity=np.zeros(n, np.float32),
        ring=np.zeros(n, np.uint16), time_offset_ns=np.zeros(n, np.uint32) if offsets_ns is None else offsets_ns,
        beam=np.arange(n, dtype=np.uint32), beam_count=n,
    )  # fmt: skip


def seen_sphere(centre: np.ndarray, radius: float) -> np.ndarray:
    """Points on the near side of a sphere, on the grid of a HDL-64E at the origin."""
    distance = np.linalg.norm(centre)
    azimuth = np.arctan2(centre[1], centre[0]) + np.arange(-60, 61) * 0.003
    elevation = np.arcsin(centre[2] / distance) + np.arange(-30, 31) * 0.00745
    a, e = np.meshgrid(azimuth, elevation)
    ray = np.stack((np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)), -1).reshape(-1, 3)
    along = ray @ centre
    inside = along**2 - distance**2 + radius**2
    hit = inside > 0
    return ray[hit] * (along[hit] - np.sqrt(inside[hit]))[:, None]


def scene(with_ball: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """A road, a wall, a lamp post and a ball, from a LiDAR 1.5 m above the road."""
    rng = np.random.default_rng(1)
    road = np.stack((rng.uniform(3, 40, 4000), rng.uniform(-8, 8, 4000), rng.normal(-1.5, 0.02, 4000)), -1)
    wall = np.stack((rng.uniform(10, 14, 3000), np.full(3000, 9.0), rng.uniform(-1.2, 2, 3000)), -1)
    post = np.stack((np.full(150, 15.0), np.full(150, -5.0), np.linspace(-1.3, 2.5, 150)), -1)
    post += rng.normal(size=(150, 3)) * 0.03
    centre = np.array([12.0, 2.0, -0.6])
    sphere = seen_sphere(centre, 0.11) + rng.normal(size=(len(seen_sphere(centre, 0.11)), 3)) * 0.01
    return np.vstack((road, wall, post, *([sphere] if with_ball else []))), centre


def test_clusters_have_their_shapes():
    """Road gone; the wall is flat, the post a line, the ball round; the ball's centre within 3 sigma and 6 cm."""
    points, centre = scene()
    found = ClusterDetector().detect(cloud_of(points), SEAT)
    assert sorted(found.features["kind"].tolist()) == sorted([FLAT, LINE, ROUND])
    ball_row = np.flatnonzero(found.features["kind"] == ROUND)[0]
    distance, azimuth, elevation = found.measurements.value[ball_row, 0]
    place = distance * np.array(
        [np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)]
    )
    assert np.linalg.norm(place - centre) < 0.06
    expected = np.array([np.linalg.norm(centre), np.arctan2(2, 12), np.arcsin(-0.6 / np.linalg.norm(centre))])
    sigma = np.sqrt(np.diagonal(found.measurements.covariance[ball_row, 0]))
    assert (np.abs(found.measurements.value[ball_row, 0] - expected) < 3 * sigma).all()


def test_background_is_removed():
    """What an empty scan has seen is gone; the ball stays. Nothing learned: nothing removed."""
    empty, _ = scene(with_ball=False)
    points, _ = scene()
    lift = np.array([0, 0, 1.5])
    background = CloudBackground().learned(empty + lift)
    found = ClusterDetector().detect(cloud_of(points), SEAT, background)
    assert found.features["kind"].tolist() == [ROUND]
    assert len(ClusterDetector().detect(cloud_of(empty), SEAT, background)) == 0
    assert len(ClusterDetector().detect(cloud_of(points), SEAT, CloudBackground())) == 3
    with pytest.raises(ConfigurationError, match="from the origin"):
        background.learned(np.array([[1e9, 0, 0]]))


def test_each_detection_has_the_time_of_its_points():
    """Two things that the scan meets at 10 and 60 ms."""
    one, other = seen_sphere(np.array([8.0, 2, -0.5]), 0.2), seen_sphere(np.array([8.0, -2, -0.5]), 0.2)
    offsets = np.concatenate((np.full(len(one), 10_000_000), np.full(len(other), 60_000_000))).astype(np.uint32)
    found = ClusterDetector().detect(cloud_of(np.vstack((one, other)), offsets), SEAT)
    assert sorted(found.measurements.time_ns[:, 0].tolist()) == [10_000_000, 60_000_000]


def test_an_empty_scan_has_no_things():
    assert len(ClusterDetector().detect(cloud_of(np.empty((0, 3))), SEAT)) == 0


def test_links_are_the_components_of_near_pairs():
    """Against every pair: two points are in one group if a chain of steps below the distance joins them."""
    points = np.random.default_rng(3).uniform(0, 6, (120, 3))
    near = np.linalg.norm(points[:, None] - points, axis=-1) < 0.7
    for _ in range(7):
        near = (near.astype(int) @ near.astype(int)) > 0
    groups = linked(points, 0.7)
    agree = (groups[:, None] == groups) == near
    assert (
        agree.mean() > 0.999
    )  # points of one cell stand for each other, so that pairs at the very distance may differ
