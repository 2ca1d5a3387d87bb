"""The bridge: our detections through a tracker of Stone Soup, and its tracks back."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

from sensorium.core.errors import ConfigurationError
from sensorium.core.pose import Pose
from sensorium.samples import Stamp
from sensorium.tracking.detections import detections, standing
from sensorium.tracking.measurement_models import Angles, RangeAngles
from sensorium.tracking.motion_models import Flight, WienerAcceleration
from sensorium.tracking.stone_soup import EPOCH, frames, from_stone_soup, time_ns_of, to_stone_soup, transition_model
from sensorium.tracking.tracker import Tracker

SEAT = Pose.from_rpy((1.0, 2.0, 1.5), (0.0, 0.1, 0.3))
NOISE = np.diag([0.02, 0.003, 0.003]) ** 2


def scans(count: int = 25):
    """Two things that pass each other, in range and angles."""
    rng = np.random.default_rng(4)
    for step in range(count):
        t = 0.1 * (step + 1)
        places = SEAT.inverse().transform(np.array([[15 + t, -4 + 2 * t, 1.0], [20 - t, 4 - 2 * t, 0.5]]))
        x, y, z = places.T
        value = np.stack((np.linalg.norm(places, axis=1), np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))), -1)
        value += rng.normal(size=(2, 3)) * np.sqrt(np.diag(NOISE))
        time_ns = round(t * 1e9)
        stamp = Stamp("lidar", step, time_ns, time_ns)
        yield detections(stamp, RangeAngles(), np.full(2, time_ns), value, np.tile(NOISE, (2, 1, 1)), standing(SEAT))


def test_their_tracker_takes_our_detections():
    """Global nearest neighbour with Stone Soup's parts, over our stream: its two tracks are ours, within 3 cm."""
    from stonesoup.dataassociator.neighbour import GNNWith2DAssignment
    from stonesoup.deleter.error import CovarianceBasedDeleter
    from stonesoup.hypothesiser.distance import DistanceHypothesiser
    from stonesoup.initiator.simple import SimpleMeasurementInitiator
    from stonesoup.measures import Mahalanobis
    from stonesoup.predictor.kalman import KalmanPredictor
    from stonesoup.tracker.simple import MultiTargetTracker
    from stonesoup.types.state import GaussianState
    from stonesoup.updater.kalman import KalmanUpdater

    motion = WienerAcceleration()
    updater = KalmanUpdater(None)
    hypothesiser = DistanceHypothesiser(
        KalmanPredictor(transition_model(motion)), updater, Mahalanobis(), missed_distance=5
    )
    prior = GaussianState(np.zeros((9, 1)), np.diag(np.tile([0.0, 25.0, 100.0], 3)))
    theirs = MultiTargetTracker(
        SimpleMeasurementInitiator(prior),
        CovarianceBasedDeleter(1e4),
        frames(scans()),
        GNNWith2DAssignment(hypothesiser),
        updater,
    )
    for _, now in theirs:
        tracks = now
    found = from_stone_soup(track.state for track in tracks)
    tracker = Tracker()
    ours = tracker.init()
    for scan in scans():
        ours = tracker.step(ours, scan)
    assert len(found) == len(ours) == 2
    order = [np.argsort(one.position_m[:, 0]) for one in (found, ours.belief)]
    np.testing.assert_allclose(found.position_m[order[0]], ours.belief.position_m[order[1]], atol=0.03)
    assert (found.time_ns == 2_500_000_000).all()


def test_a_detection_keeps_place_and_spread():
    """The linear model holds the covariance in the world: a sample of many agrees within 5 / sqrt(N)."""
    first = next(iter(scans()))
    made = sorted(to_stone_soup(first), key=lambda one: one.metadata["row"])
    rng, row = np.random.default_rng(1), first.measurements.value[0, 0]
    r, a, e = (row + rng.normal(size=(20_000, 3)) * np.sqrt(np.diag(NOISE))).T
    places = SEAT.transform(np.stack((r * np.cos(e) * np.cos(a), r * np.cos(e) * np.sin(a), r * np.sin(e)), -1))
    np.testing.assert_allclose(np.ravel(made[0].state_vector).astype(float), places.mean(0), atol=1e-3)
    np.testing.assert_allclose(
        made[0].measurement_model.covar(), np.cov(places.T), atol=5 * 0.0036 / np.sqrt(20_000) * 2
    )


def test_times_and_refusals():
    assert time_ns_of(EPOCH + timedelta(seconds=1.25)) == 1_250_000_000
    assert len(from_stone_soup([])) == 0
    stamp = Stamp("camera", 0, 0, 0)
    seen = detections(stamp, Angles(), np.zeros(1, int), np.zeros((1, 2)), np.eye(2)[None], standing(SEAT))
    with pytest.raises(ConfigurationError, match="no place"):
        to_stone_soup(seen)
    with pytest.raises(ConfigurationError, match="no given acceleration"):
        transition_model(Flight())
