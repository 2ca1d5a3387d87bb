"""The life of tracks, who moves, and who will be in the way."""

from __future__ import annotations

import numpy as np
import pytest

from sensorium.core.errors import ConfigurationError
from sensorium.core.pose import Pose
from sensorium.evaluation.track_quality import purity
from sensorium.samples import Stamp, TruthSample
from sensorium.tracking.apparent_motion import CommonMotion
from sensorium.tracking.association import GlobalAssignment, NearestNeighbour
from sensorium.tracking.collision import CollisionAlert
from sensorium.tracking.detections import detections, standing
from sensorium.tracking.frames import seen_from
from sensorium.tracking.gaussian import Gaussian
from sensorium.tracking.measurement_models import Angles, Position
from sensorium.tracking.pose_path import PosePath
from sensorium.tracking.tracker import Tracker
from sensorium.tracking.tracks import Status

NOISE = np.eye(3) * 0.05**2
HERE = standing(Pose.identity())


def scan(step: int, places: np.ndarray, period_s: float = 0.1):
    time_ns = round(step * period_s * 1e9)
    places = np.asarray(places, float).reshape(-1, 3)
    times = np.full(len(places), time_ns)
    return detections(
        Stamp("lidar", step, time_ns, time_ns), Position(), times, places, np.tile(NOISE, (len(places), 1, 1)), HERE
    )


def test_life_of_a_track():
    """Tentative, confirmed with the third hit, coasting 0.25 s after the last one, gone after 1 s."""
    tracker = Tracker()
    tracks, seen = tracker.init(), []
    for step in range(20):
        tracks = tracker.step(tracks, scan(step, [[10, 0.1 * step, 0]] if step < 5 else []))
        seen.append(Status(tracks.status[0]).name if len(tracks) else "GONE")
    assert seen[:2] == ["TENTATIVE"] * 2
    assert seen[2:7] == ["CONFIRMED"] * 5
    assert seen[7:15] == ["COASTING"] * 8
    assert seen[15:] == ["GONE"] * 5


def test_a_false_alarm_dies_young():
    """One detection that never comes again is never believed and is gone after half a second."""
    tracker = Tracker()
    tracks = tracker.step(tracker.init(), scan(0, [[5, 5, 0]]))
    for step in range(1, 8):
        tracks = tracker.step(tracks, scan(step, []))
        assert len(tracks.believed) == 0
    assert len(tracks) == 0


@pytest.mark.parametrize("association", [NearestNeighbour(), GlobalAssignment()], ids=lambda a: a.type)
def test_ten_targets_keep_their_tracks(association):
    """Nine standing things and one that crosses among them, with noise and false alarms: purity above 99 %, 10 believed."""
    rng = np.random.default_rng(5)
    still = np.stack((np.linspace(8, 40, 9), np.where(np.arange(9) % 2, 6.0, -6.0), np.ones(9)), -1)
    tracker = Tracker(association=association)
    tracks, numbers, targets = tracker.init(), [], []
    for step in range(40):
        ball = [20.0, -5 + 0.25 * step, 1.0]
        places = np.vstack((still, ball)) + rng.normal(size=(10, 3)) * 0.05
        false = rng.uniform([0, -20, 0], [50, 20, 3], (1, 3))
        tracks = tracker.step(tracks, scan(step, np.vstack((places, false))))
        numbers += tracks.taken.tolist()
        targets += [*range(10), -step - 1]
    true = np.array(targets) >= 0
    assert purity(np.array(numbers)[true], np.array(targets)[true]) > 0.99
    assert purity(numbers, targets) > 0.95  # false alarms find each other
    assert len(tracks.believed) == 10
    apparent = CommonMotion().apparent(tracks.believed.belief)
    moving = tracks.believed.belief.position_m[apparent.moving]
    assert len(moving) == 1
    np.testing.assert_allclose(moving[0], ball, atol=0.3)
    fastest = np.argmax(np.abs(tracks.believed.belief.velocity_m_s[:, 1]))
    assert abs(tracks.believed.belief.velocity_m_s[fastest, 1] - 2.5) < 0.5


def test_angles_and_places_make_one_track():
    """A camera starts the track along its line of sight, a LiDAR gives it the range."""
    tracker, place = Tracker(), np.array([15.0, 3.0, 1.0])
    azimuth, elevation = np.arctan2(3, 15), np.arctan2(1, np.hypot(3, 15))
    tracks = tracker.init()
    for step in range(6):
        now = np.array([step * 16_666_667])
        seen = detections(
            Stamp("camera", step, int(now[0]), int(now[0])), Angles(), now, np.array([[azimuth, elevation]]),
            np.eye(2)[None] * 1e-6, HERE,
        )  # fmt: skip
        tracks = tracker.step(tracks, seen)
    assert len(tracks) == 1
    assert np.linalg.norm(tracks.belief.position_m[0]) == pytest.approx(20, abs=0.5)
    tracks = tracker.step(tracks, scan(1, place))
    assert len(tracks) == 1
    np.testing.assert_allclose(tracks.belief.position_m[0], place, atol=0.05)


def test_an_older_detection_does_not_pull_back():
    """A scan whose points are 50 ms older than the track: a thing at 10 m/s stays where it is, not half a metre behind."""
    tracker, tracks = Tracker(), None
    tracks = tracker.init()
    for step in range(20):
        tracks = tracker.step(tracks, scan(step, [[10, step * 0.5, 0]], 0.05))
    before = tracks.belief.position_m[0].copy()
    tracks = tracker.step(tracks, scan(18, [[10, 18 * 0.5, 0]], 0.05))
    assert len(tracks) == 1
    np.testing.assert_allclose(tracks.belief.position_m[0], before, atol=0.03)


def belief(place, velocity, sigma=0.1):
    place, velocity = np.atleast_2d(place), np.atleast_2d(velocity)
    mean = np.zeros((len(place), 9))
    mean[:, ::3], mean[:, 1::3] = place, velocity
    return Gaussian.of(0, mean, np.eye(9) * sigma**2)


def test_common_motion_is_found_without_odometry():
    """Eight standing things seen from a car with 10 m/s that turns with 0.1 rad/s, and one that walks: v = -v_ego - w x p."""
    rng = np.random.default_rng(3)
    place = rng.uniform([5, -15, 0], [50, 15, 4], (9, 3))
    velocity = np.stack((-10 + 0.1 * place[:, 1], -0.1 * place[:, 0], np.zeros(9)), -1)
    velocity[4] += [0.0, 3.0, 0.0]
    found = CommonMotion().apparent(belief(place, velocity + rng.normal(size=(9, 3)) * 0.1))
    np.testing.assert_allclose(found.velocity_m_s, [-10, 0, 0], atol=0.5)
    assert found.yaw_rate_rad_s == pytest.approx(-0.1, abs=0.02)
    assert found.moving.tolist() == [k == 4 for k in range(9)]
    few = CommonMotion().apparent(belief(place[:0], velocity[:0]))
    assert len(few.moving) == 0


def test_standing_things_are_told_to_move_as_seldom_as_asked():
    """Velocities that scatter as their covariance says: false alarms below ten times 1 - confidence."""
    rng = np.random.default_rng(4)
    alarms = 0
    for _ in range(200):
        place = rng.uniform([5, -15, 0], [50, 15, 4], (20, 3))
        alarms += CommonMotion(slowest_m_s=0.0).apparent(belief(place, rng.normal(size=(20, 3)) * 0.1)).moving.sum()
    assert alarms <= 10 * 0.001 * 200 * 20


def test_alert_comes_with_its_time():
    """A ball at y = -6 m with 2 m/s reaches the way of half width 1.3 m after 2.35 s; one that leaves never does."""
    alert = CollisionAlert()
    tracks = belief([[15, -6, 0.5], [15, -6, 0.5], [15, -6, 9.0]], [[0, 2, 0], [0, -2, 0], [0, 2, 0]])
    found = alert.assess(tracks, np.array([True, True, True]))
    assert found.alert.tolist() == [True, False, False]
    assert found.time_s[0] == pytest.approx(2.35, abs=0.06)
    assert np.isinf(found.time_s[1:]).all()
    assert not alert.assess(tracks, np.array([False] * 3)).alert.any()
    assert len(alert.assess(tracks[:0], np.empty(0, bool)).alert) == 0


def test_states_seen_from_a_vehicle():
    """A car at (10, 5) that looks left and drives with 2 m/s: what stands 3 m to its left comes from behind to the front."""
    car = Pose.at(10.0, 5.0, 0.0, np.pi / 2)
    seen = seen_from(belief([[7, 5, 1]], [[1, 0, 0]]), car, np.array([0.0, 2.0, 0.0]))
    np.testing.assert_allclose(seen.position_m, [[0, 3, 1]], atol=1e-12)
    np.testing.assert_allclose(seen.velocity_m_s, [[-2, -1, 0]], atol=1e-12)
    spread = np.diag(np.arange(1.0, 10))
    turned = seen_from(Gaussian.of(0, np.zeros(9), spread), car)
    np.testing.assert_allclose(turned.position_covariance_m2[0], np.diag([4.0, 1, 7]), atol=1e-12)


def test_without_others_the_own_speed_tells_who_moves():
    """One track alone: against the vehicle's own account it moves, against its own median it cannot."""
    alone = belief([[10, 0, 1]], [[-10, 2, 0]])
    assert CommonMotion().apparent(alone, np.array([-10.0, 0, 0])).moving.tolist() == [True]
    assert CommonMotion().apparent(alone).moving.tolist() == [False]


def test_poses_between_those_of_the_truth():
    """Half way in time is half way in place and turn; beyond the ends the pose is held; unknown bodies have a suggestion."""
    samples = [
        TruthSample(
            stamp=Stamp("truth", k, k * 100, k * 100), names=("car",), labels=("car",),
            pose=Pose(np.array([[2.0 * k, 0, 0]]), Pose.at(0, 0, 0, 0.2 * k).quaternion[None]),
            velocity_m_s=np.zeros((1, 3)), angular_velocity_rad_s=np.zeros((1, 3)), acceleration_m_s2=np.zeros((1, 3)),
            box_centre_m=np.zeros((1, 3)), box_size_m=np.ones((1, 3)),
        )
        for k in range(3)
    ]  # fmt: skip
    path = PosePath.of_truth(samples, "car", Pose.at(0, 0, 1))
    found = path(np.array([-50, 50, 150, 900]))
    np.testing.assert_allclose(found.position_m[:, 0], [0, 1, 3, 4], atol=1e-12)
    np.testing.assert_allclose(found.position_m[:, 2], 1)
    np.testing.assert_allclose(found.rpy_rad()[:, 2], [0, 0.1, 0.3, 0.4], atol=1e-12)
    with pytest.raises(ConfigurationError, match="Did you mean 'car'"):
        PosePath.of_truth(samples, "cra")


def test_alert_counts_what_place_and_speed_have_in_common():
    """y = 0 within +-1.3 m after s: chance erf(1.3 / (sqrt(2) sigma)), sigma^2 = pp + 2 pv s + vv s^2; the largest counts."""
    from math import erf, sqrt

    state = belief([[15, 0, 0.5]], [[0, 0, 0]], 1.0)
    state.covariance[0, 3, 4] = state.covariance[0, 4, 3] = -0.8
    found = CollisionAlert(step_s=0.1).assess(state, np.array([True]))
    variance = min(1 - 1.6 * s + s**2 for s in np.arange(0, 4.01, 0.1))
    assert found.probability[0] == pytest.approx(erf(1.3 / sqrt(2 * variance)), abs=1e-6)
