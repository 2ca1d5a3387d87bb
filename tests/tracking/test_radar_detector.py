"""Radar scans made by hand: what stands is dropped whatever the car does, what moves has the radar's own covariance."""

from __future__ import annotations

import numpy as np
import pytest

from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.samples import Stamp
from sensorium.samples.radar import RadarScan
from sensorium.tracking.detections import standing
from sensorium.tracking.extended import ExtendedKalman
from sensorium.tracking.pose_path import PosePath
from sensorium.tracking.radar_detector import RadarDetector
from sensorium.tracking.tracker import Tracker

SEAT = standing(Pose.at(0, 0, 0.5))
SIGMA = np.array([0.02, 0.05, 0.01, 0.02])


def scan_of(
    places, velocities, own=(0.0, 0.0, 0.0), pose=None, snr_db=20.0, flat=False, index=0, sigma=SIGMA, span=None
):
    """What a radar at a pose that moves at `own` tells of places [N, 3], with errors as its covariance says."""
    pose = pose or Pose.at(0, 0, 0.5)
    local = pose.inverse().transform(np.asarray(places, float).reshape(-1, 3))
    away = pose.inverse().rotate(np.asarray(velocities, float).reshape(-1, 3) - np.asarray(own))
    x, y, z = local.T
    r = np.linalg.norm(local, axis=1)
    told = np.stack(
        (r, (local * away).sum(1) / r, np.arcsin(y / r) if flat else np.arctan2(y, x), np.arcsin(z / r)), -1
    )
    told += Draws(4, 0, "radar", index).normal("errors", told.size).reshape(told.shape) * sigma
    if flat:
        told[:, 3] = 0.0
    if span is not None:
        told[:, 1] = (told[:, 1] + span / 2) % span - span / 2
    columns, n = told.astype(np.float32).T, len(told)
    time_ns = index * 50_000_000
    return RadarScan(
        stamp=Stamp("radar", index, time_ns, time_ns + 12_000_000), range_m=columns[0], speed_m_s=columns[1],
        azimuth_rad=columns[2], elevation_rad=columns[3], cross_section_m2=np.ones(n, np.float32),
        snr_db=np.full(n, snr_db, np.float32), covariance=np.tile(np.diag(sigma**2).astype(np.float32), (n, 1, 1)),
    )  # fmt: skip


def street(count=300, seed=2):
    rng = np.random.default_rng(seed)
    return np.stack((rng.uniform(5, 60, count), rng.uniform(-20, 20, count), rng.uniform(0, 4, count)), -1)


def path_of(velocity, yaw=0.0):
    times = np.arange(0, 200_000_001, 20_000_000)
    places = np.array([0, 0, 0.5]) + times[:, None] * 1e-9 * np.asarray(velocity)
    return PosePath(times, Pose(places, np.tile(Pose.from_rpy((0, 0, 0), (0, 0, yaw)).quaternion, (len(times), 1))))


@pytest.mark.parametrize("own", [(0.0, 0.0, 0.0), (10.0, 0.0, 0.0), (25.0, -3.0, 0.0)])
def test_what_stands_is_dropped_and_what_moves_is_kept(own):
    """300 standing things and one that comes at 6 m/s, from a car at rest, at 10 and at 25 m/s: it alone is left.

    At three standard deviations 0.3 % of what stands may pass: at most four of 300.
    """
    path, still = path_of(own, 0.1), street()
    pose = path(np.array([6_000_000]))[0]
    places = np.vstack((still, [[20.0, 2.0, 0.6]]))
    scan = scan_of(places, np.vstack((np.zeros_like(still), [[-6.0, 1.0, 0.0]])), own, pose)
    found = RadarDetector().detect(scan, path, path.velocity_m_s)
    speeds = found.features["speed_over_ground_m_s"]
    assert len(found) <= 5
    assert speeds.min() == pytest.approx(-5.9, abs=0.4)
    assert (
        len(
            RadarDetector(keep_static=True, largest_elevation_rad=2.0, apart_m=0.0).detect(
                scan, path, path.velocity_m_s
            )
        )
        == 301
    )
    wrong = RadarDetector().detect(scan, path)  # a moving radar that believes to stand takes the street for moving
    assert len(wrong) > 100 or own[0] == 0


def test_speeds_that_fold_are_unfolded_towards_the_ground():
    """A radar that tells speeds apart by 19.6 m/s only, at 25 m/s: the street stands, and 6 m/s over ground are 6."""
    path, still = path_of((25.0, 0, 0)), street()
    pose = path(np.array([6_000_000]))[0]
    scan = scan_of(
        np.vstack((still, [[20, 0, 0.5]])), np.vstack((0 * still, [[-6, 0, 0]])), (25.0, 0, 0), pose, span=19.6
    )
    found = RadarDetector(speed_span_m_s=19.6).detect(scan, path, path.velocity_m_s)
    assert len(found) <= 5
    mover = np.argmin(found.features["speed_over_ground_m_s"])
    assert found.features["speed_over_ground_m_s"][mover] == pytest.approx(-6, abs=0.3)
    assert found.measurements.value[mover, 0, 3] == pytest.approx(-31, abs=0.3)


def test_measurements_have_the_order_and_the_covariance_of_the_scan():
    """Range, azimuth, elevation, speed with the variances that the radar tells, correlations as well."""
    scan = scan_of([[20, 3, 1.5]], [[-6, 1, 0]])
    scan.covariance[0, 0, 1] = scan.covariance[0, 1, 0] = 3e-4
    found = RadarDetector(depth_m=0.0, speed_noise_m_s=1e-9).detect(scan, SEAT).measurements
    told = [scan.range_m[0], scan.azimuth_rad[0], scan.elevation_rad[0], scan.speed_m_s[0]]
    np.testing.assert_allclose(found.value[0, 0], told, rtol=1e-6)
    expected = np.diag(SIGMA[[0, 2, 3, 1]] ** 2)
    expected[0, 3] = expected[3, 0] = 3e-4
    np.testing.assert_allclose(found.covariance[0, 0], expected, rtol=1e-5)
    assert found.time_ns[0, 0] == 6_000_000
    wider = RadarDetector().detect(scan, SEAT).measurements.covariance[0, 0]
    assert wider[0, 0] == pytest.approx(SIGMA[0] ** 2 + 0.1**2)
    assert wider[3, 3] == pytest.approx(SIGMA[1] ** 2 + 0.1**2)


def test_echoes_over_the_road_are_dropped():
    """Of three echoes within half a metre the strongest is left; one 2 m aside at the same range is another thing."""
    scan = scan_of([[20, 0, 1], [20.1, 0.1, 0], [19.9, 0.1, 0.5], [20, 3, 1]], [[-6, 0, 0]] * 4, sigma=SIGMA / 100)
    scan.snr_db[:] = 15, 30, 20, 12
    found = RadarDetector().detect(scan, SEAT)
    assert sorted(found.features["snr_db"].tolist()) == [12, 30]


def test_no_elevation_makes_measurements_without_one():
    found = RadarDetector().detect(scan_of([[20, 3, 1.5]], [[-6, 1, 0]], flat=True), SEAT).measurements
    assert found.code[0, 0] == 5
    assert found.value[0, 0, 2] == pytest.approx(-5.78, abs=0.3)


def test_weak_far_and_empty():
    assert len(RadarDetector().detect(scan_of([[20, 3, 1]], [[-6, 1, 0]], snr_db=5.0), SEAT)) == 0
    assert len(RadarDetector(farthest_m=15).detect(scan_of([[20, 3, 1]], [[-6, 1, 0]]), SEAT)) == 0
    assert len(RadarDetector().detect(scan_of(np.empty((0, 3)), np.empty((0, 3))), SEAT)) == 0


def test_velocity_of_a_path():
    """The slope between known poses, a mount on a turning body included; held beyond the ends; none of one pose."""
    path = path_of((3.0, -1.0, 0.5))
    np.testing.assert_allclose(path.velocity_m_s(np.array([-5, 50_000_000, 10**9])), [[3.0, -1.0, 0.5]] * 3, atol=1e-9)
    turning = PosePath(
        np.array([0, 10_000_000]), Pose(np.zeros((2, 3)), np.array([[1, 0, 0, 0], [np.cos(0.01), 0, 0, np.sin(0.01)]])),
        Pose.at(2.0, 0, 0),
    )  # fmt: skip
    np.testing.assert_allclose(turning.velocity_m_s(np.array([5_000_000]))[0], [0, 4.0, 0], atol=0.05)
    assert not PosePath(np.array([0]), Pose(np.zeros((1, 3)), np.eye(4)[:1])).velocity_m_s(np.array([7])).any()


def test_radar_alone_follows_past_clutter():
    """A thing at 5 m/s across and -8 m/s along, seen from a car at 10 m/s among 60 standing things and false alarms.

    One confirmed track that lives to the end, within 1 m and 1 m/s; the gate keeps the false alarms out.
    """
    path, tracker, rng = path_of((10.0, 0, 0)), Tracker(filter=ExtendedKalman()), np.random.default_rng(3)
    tracks = tracker.init()
    still = street(60)
    for index in range(4):
        time_s = index * 0.05 + 0.006
        pose = path(np.array([round(time_s * 1e9)]))[0]
        thing = np.array([40.0, -3.0, 1.0]) + time_s * np.array([-8.0, 5.0, 0])
        false = np.stack((rng.uniform(5, 60, 3), rng.uniform(-20, 20, 3), rng.uniform(0, 4, 3)), -1)
        moves = np.vstack((0 * still, rng.uniform(-20, 20, (3, 3)), [[-8.0, 5.0, 0]]))
        scan = scan_of(np.vstack((still, false, thing)), moves, (10.0, 0, 0), pose, index=index)
        tracks = tracker.step(tracks, RadarDetector().detect(scan, path, path.velocity_m_s))
    best = tracks.believed
    assert len(best) == 1
    assert np.linalg.norm(best.belief.position_m[0] - thing) < 1.0
    line = (thing - pose.position_m) / np.linalg.norm(thing - pose.position_m)
    assert line @ best.belief.velocity_m_s[0] == pytest.approx(line @ np.array([-8.0, 5.0, 0]), abs=1.0)
