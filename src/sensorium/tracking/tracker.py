"""From detections to tracks: predict, associate, update, start, confirm, coast, delete."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Gt, Lt
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.time import nanoseconds
from sensorium.core.units import Number, PositiveSeconds
from sensorium.tracking.any_filter import AnyGaussianFilter
from sensorium.tracking.association import AnyAssociation, GlobalAssignment
from sensorium.tracking.detections import Detections
from sensorium.tracking.extended import ExtendedKalman
from sensorium.tracking.gaussian import Gaussian
from sensorium.tracking.initiation import SinglePoint
from sensorium.tracking.measurement_models import MODELS
from sensorium.tracking.measurements import Measurements
from sensorium.tracking.tracks import Status, Tracks


@configured
class Tracker:
    """Follows everything that any sensor detects; sensors may come in any order and at any rate.

    >>> tracks = tracker.init()
    >>> for found in detections: tracks = tracker.step(tracks, found)

    Times, not numbers of misses, decide when a track coasts or dies, so that a fast sensor that cannot see a thing does
    not kill what a slow one keeps alive.
    """

    type: Literal["tracker"] = "tracker"
    filter: AnyGaussianFilter = Field(default_factory=ExtendedKalman)
    association: AnyAssociation = Field(default_factory=GlobalAssignment)
    initiation: SinglePoint = Field(default_factory=SinglePoint)
    gate_probability: Annotated[Number, Gt(0), Lt(1)] = 0.997
    """Part of the true detections that the gate lets through."""
    confirm_hits: Annotated[int, Ge(1)] = 3
    tentative_s: PositiveSeconds = 0.25
    """A track that is not confirmed dies when it was not seen for this long."""
    confirm_s: PositiveSeconds = 0.6
    """Or when it was not confirmed within this time from its first detection."""
    coast_s: PositiveSeconds = 0.25
    """A confirmed track coasts when it was not seen for this long."""
    delete_s: PositiveSeconds = 1.0
    """It dies when it was not seen for this long."""

    def init(self) -> Tracks:
        """Return no tracks."""
        size = 3 * self.filter.motion.order
        none = np.empty(0, np.int64)
        belief = Gaussian(none, np.empty((0, size)), np.empty((0, size, size)))
        return Tracks(belief, none, np.empty(0, np.int8), none, none, none, 0, 0, none)

    def step(self, tracks: Tracks, detections: Detections) -> Tracks:
        """Return the tracks after the detections of one sample."""
        m = detections.measurements
        chosen, found = self._pairs(tracks, m)
        taken = np.full(len(m), -1, np.int64)
        taken[found] = tracks.number[chosen]
        belief = self._updated(tracks.belief, m, chosen, found)
        hits, seen_ns = tracks.hits.copy(), tracks.seen_ns.copy()
        hits[chosen] += 1
        seen_ns[chosen] = np.maximum(seen_ns[chosen], m.time_ns[found, 0])
        last_ns = int(m.time_ns.max()) if len(m) else detections.stamp.time_ns
        now_ns = max(tracks.now_ns, last_ns)
        updated = replace(tracks, belief=belief, hits=hits, seen_ns=seen_ns, now_ns=now_ns)
        fresh = np.flatnonzero(taken < 0)
        taken[fresh] = tracks.next_number + np.arange(len(fresh))
        return self._alive(self._with_new(updated, m[fresh], taken[fresh]), taken)

    def near(self, tracks: Tracks, detections: Detections) -> NDArray[np.bool_]:
        """Return which detections [D] lie within the gate of any track."""
        m = detections.measurements
        if not len(tracks) or not len(m):
            return np.zeros(len(m), np.bool_)
        nis, _ = self.filter.distances(tracks.belief, m)
        return np.asarray((nis < self._gate(m)).any(0))

    def _gate(self, m: Measurements) -> NDArray[np.float64]:
        """Return the largest squared distance [D] of true detections, by how many numbers they have."""
        from scipy.special import chdtri

        sizes = np.array([model.size for model in MODELS])[m.code[:, 0]]
        return np.asarray(chdtri(sizes, 1 - self.gate_probability))

    def _pairs(self, tracks: Tracks, m: Measurements) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Associate within the gate; the cost is the distance plus log det S, so that vague tracks do not take everything."""
        if not len(tracks) or not len(m):
            return np.empty(0, np.intp), np.empty(0, np.intp)
        nis, log_det = self.filter.distances(tracks.belief, m)
        gate = self._gate(m)
        cost = np.where(nis < gate, nis + log_det, np.inf)
        finite = cost[np.isfinite(cost)]
        return self.association.pairs(cost, float(finite.max()) + float(gate.max()) if len(finite) else 0.0)

    def _updated(
        self, belief: Gaussian, m: Measurements, chosen: NDArray[np.intp], found: NDArray[np.intp]
    ) -> Gaussian:
        if not len(chosen):
            return belief
        old = belief[chosen]
        new = self.filter.step(old, _not_older(old, m[found]))
        time_ns, mean, covariance = belief.time_ns.copy(), belief.mean.copy(), belief.covariance.copy()
        time_ns[chosen], mean[chosen], covariance[chosen] = new.time_ns, new.mean, new.covariance
        return Gaussian(time_ns, mean, covariance)

    def _with_new(self, tracks: Tracks, m: Measurements, numbers: NDArray[np.int64]) -> Tracks:
        if not len(m):
            return tracks
        born, count = m.time_ns[:, 0], len(m)
        return replace(
            tracks,
            belief=tracks.belief.joined(self.initiation.state(m, self.filter.motion.order)),
            number=np.concatenate((tracks.number, numbers)),
            status=np.concatenate((tracks.status, np.full(count, Status.TENTATIVE, np.int8))),
            hits=np.concatenate((tracks.hits, np.ones(count, np.int64))),
            born_ns=np.concatenate((tracks.born_ns, born)),
            seen_ns=np.concatenate((tracks.seen_ns, born)),
            next_number=tracks.next_number + count,
        )

    def _alive(self, tracks: Tracks, taken: NDArray[np.int64]) -> Tracks:
        """Decide over each track by how often and when it was seen."""
        unseen_ns = tracks.now_ns - tracks.seen_ns
        believed = (tracks.hits >= self.confirm_hits) | (tracks.status != Status.TENTATIVE)
        status = np.where(believed, Status.CONFIRMED, Status.TENTATIVE).astype(np.int8)
        status[believed & (unseen_ns > nanoseconds(self.coast_s))] = Status.COASTING
        patience = np.where(believed, nanoseconds(self.delete_s), nanoseconds(self.tentative_s))
        late = ~believed & (tracks.now_ns - tracks.born_ns > nanoseconds(self.confirm_s))
        return replace(tracks, status=status, taken=taken)[(unseen_ns <= patience) & ~late]


def _not_older(belief: Gaussian, m: Measurements) -> Measurements:
    """Return the measurements as if made at the time of their tracks where they are older.

    A place v t behind the present one, seen from o, looks as the present one does from o + v t. A scan is complete only
    when its first points are old, so that cameras are often ahead.
    """
    late_s = np.maximum(belief.time_ns - m.time_ns[:, 0], 0) * 1e-9
    origin = m.origin_m + (belief.velocity_m_s * late_s[:, None])[:, None]
    return replace(m, time_ns=np.maximum(m.time_ns, belief.time_ns[:, None]), origin_m=origin)
