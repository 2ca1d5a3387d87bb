"""A bridge to Stone Soup (extra `tracking`): our detections into its trackers, its tracks as our states, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np

from sensorium.core.errors import ConfigurationError, MissingExtraError
from sensorium.tracking.gaussian import Gaussian
from sensorium.tracking.initiation import cartesian
from sensorium.tracking.measurement_models import MODELS, Position, RangeAngles, RangeAnglesSpeed
from sensorium.tracking.measurements import Measurements
from sensorium.tracking.motion_models import Flight, MotionModel, WienerAcceleration

if TYPE_CHECKING:
    from sensorium.tracking.detections import Detections

EPOCH = datetime(2026, 1, 1)
"""The time zero of a scenario, as recordings have it unless set."""


def _needed() -> None:
    try:
        import stonesoup  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("stonesoup", "tracking", "the bridge to Stone Soup") from error


def moment(time_ns: int, epoch: datetime = EPOCH) -> datetime:
    """Return a time of ours as Stone Soup wants it, to the microsecond."""
    return epoch + timedelta(microseconds=round(time_ns / 1000))


def time_ns_of(timestamp: datetime, epoch: datetime = EPOCH) -> int:
    """Return a time of theirs in nanoseconds since the start."""
    return ((timestamp - epoch) // timedelta(microseconds=1)) * 1000


def transition_model(motion: MotionModel) -> Any:
    """Return Stone Soup's model of the same motion, states in the same order."""
    _needed()
    from stonesoup.models.transition.linear import (
        CombinedLinearGaussianTransitionModel,
        ConstantAcceleration,
        ConstantVelocity,
    )

    if isinstance(motion, WienerAcceleration):
        return CombinedLinearGaussianTransitionModel([ConstantAcceleration(s) for s in motion.jerk_density_m2_s5])
    if isinstance(motion, Flight) or any(motion.acceleration_m_s2):
        raise ConfigurationError("Stone Soup's linear models know no given acceleration; take wiener_acceleration")
    return CombinedLinearGaussianTransitionModel([ConstantVelocity(s) for s in motion.acceleration_density_m2_s3])


def to_stone_soup(found: Detections, order: int = 3, epoch: datetime = EPOCH) -> set[Any]:
    """Return detections of places as Stone Soup's, in world coordinates, with linear measurement models.

    Ranges with angles become places to first order; radial speeds are left out. Angles alone have no linear model there
    and are refused: use `CartesianToElevationBearing` with the values of `found.measurements`.
    """
    _needed()
    from stonesoup.models.measurement.linear import LinearGaussian
    from stonesoup.types.detection import Detection

    m, made = found.measurements, set()
    for row in range(len(m)):
        place, noise = _place(m, row)
        rotation = m.rotation[row, 0]
        model = LinearGaussian(3 * order, (0, order, 2 * order), rotation @ noise @ rotation.T)
        place = rotation @ place + m.origin_m[row, 0]
        told = {name: float(column[row]) for name, column in found.features.items()} | {"row": row}
        now = moment(int(m.time_ns[row, 0]), epoch)
        made.add(Detection(place[:, None], timestamp=now, measurement_model=model, metadata=told))
    return made


def _place(m: Measurements, row: int) -> tuple[Any, Any]:
    model = MODELS[int(m.code[row, 0])]
    if isinstance(model, Position):
        return m.value[row, 0, :3], m.covariance[row, 0, :3, :3]
    if isinstance(model, RangeAngles | RangeAnglesSpeed):
        distance, azimuth, elevation = m.value[row, 0, :3]
        return cartesian(distance, azimuth, elevation, m.covariance[row, 0, :3, :3])
    raise ConfigurationError(f"a detection of {model.type} has no place; only position and range with angles have")


def frames(
    stream: Iterable[Detections], order: int = 3, epoch: datetime = EPOCH
) -> Iterator[tuple[datetime, set[Any]]]:
    """Yield (time, detections) as the trackers of Stone Soup read them; the times never fall."""
    last = epoch
    for found in stream:
        made = to_stone_soup(found, order, epoch)
        last = max([last, moment(found.stamp.time_ns, epoch), *(one.timestamp for one in made)])
        yield last, made


def from_stone_soup(states: Iterable[Any], epoch: datetime = EPOCH) -> Gaussian:
    """Return states or tracks of Stone Soup (their last state) as a batch of ours; empty ones give no row."""
    rows = [(time_ns_of(one.timestamp, epoch), np.ravel(one.mean).astype(np.float64), np.asarray(one.covar, np.float64))
            for one in states]  # fmt: skip
    if not rows:
        return Gaussian(np.empty(0, np.int64), np.empty((0, 9)), np.empty((0, 9, 9)))
    times, means, covariances = zip(*rows, strict=True)
    return Gaussian.of(np.array(times), np.array(means), np.array(covariances))
