"""Measurements as plain arrays: for a batch of targets, each with a sequence in order of time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sensorium.core.errors import ConfigurationError
from sensorium.core.pose import Pose
from sensorium.tracking.measurement_models import MeasurementModel

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Measurements:
    """T measurements of each of B targets; what is the same for all targets may be stored once (strides of zero)."""

    time_ns: NDArray[np.int64]
    """[B, T], not falling along T."""
    code: NDArray[np.int64]
    """[B, T] of the measurement model."""
    value: Floats
    """[B, T, W] in the order of the model, W = 3, or 4 if a radar is among them; the rest of shorter models is unused."""
    covariance: Floats
    """[B, T, W, W]."""
    valid: NDArray[np.bool_]
    """[B, T] whether there is a measurement; where not, the filter only predicts."""
    origin_m: Floats
    """[B, T, 3] of the sensor in the world."""
    rotation: Floats
    """[B, T, 3, 3] world from sensor."""
    velocity_m_s: Floats
    """[B, T, 3] of the sensor in the world; only radial speeds depend on it."""

    @classmethod
    def of(
        cls,
        models: MeasurementModel | Sequence[MeasurementModel],
        time_ns: ArrayLike,
        value: ArrayLike,
        covariance: ArrayLike,
        valid: ArrayLike = True,
        pose: Pose | None = None,
        velocity_m_s: ArrayLike = (0.0, 0.0, 0.0),
    ) -> Measurements:
        """Return checked measurements; all shapes are repeated to [B, T, ...] of the values.

        Values [B, T, m] and covariances [..., m, m] may have the numbers of the longest model or more, up to four. The pose
        is T_world_sensor, default: at the world's origin, at rest.
        """
        values = np.asarray(value, np.float64)
        if values.ndim != 3 or values.shape[2] not in (2, 3, 4):
            raise ConfigurationError(f"values of measurements are [B, T, 2 to 4], found {values.shape}")
        batch = values.shape[:2]
        chosen = models if isinstance(models, Sequence) else (models,)
        codes = np.array([model.code for model in chosen], np.int64)
        most = max(model.size for model in chosen)
        if values.shape[2] < most:
            raise ConfigurationError(f"a model wants {most} numbers per measurement, found {values.shape[2]}")
        pose, width = pose or Pose.identity(), max(3, values.shape[2])
        try:
            return cls(
                np.broadcast_to(np.asarray(time_ns, np.int64), batch),
                np.broadcast_to(codes, batch),
                _padded(values, 1, width),
                np.broadcast_to(_padded(np.asarray(covariance, np.float64), 2, width), (*batch, width, width)),
                np.broadcast_to(np.asarray(valid, np.bool_), batch),
                np.broadcast_to(pose.position_m, (*batch, 3)),
                np.broadcast_to(pose.matrix()[..., :3, :3], (*batch, 3, 3)),
                np.broadcast_to(np.asarray(velocity_m_s, np.float64), (*batch, 3)),
            )
        except ValueError as error:
            raise ConfigurationError(f"measurements [{batch[0]}, {batch[1]}] do not fit together: {error}") from None

    @classmethod
    def one(
        cls, model: MeasurementModel, time_ns: int, value: Floats, covariance: Floats,
        origin_m: Floats | None = None, rotation: Floats | None = None, velocity_m_s: Floats | None = None,
    ) -> Measurements:  # fmt: skip
        """Return one measurement [m] with its covariance [m, m] without checks, for filters that run along with a sensor."""
        width = max(3, model.size)
        values, noise = np.zeros((1, 1, width)), np.zeros((1, 1, width, width))
        values[0, 0, : model.size] = value
        noise[0, 0, : model.size, : model.size] = covariance
        return cls(
            np.array([[time_ns]], np.int64), np.array([[model.code]], np.int64), values, noise, _VALID,
            _ORIGIN if origin_m is None else origin_m.reshape(1, 1, 3),
            _AXES if rotation is None else rotation.reshape(1, 1, 3, 3),
            _ORIGIN if velocity_m_s is None else velocity_m_s.reshape(1, 1, 3),
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.value)

    @property
    def steps(self) -> int:
        """T."""
        return int(self.value.shape[1])

    def __getitem__(self, rows: slice | NDArray[np.intp]) -> Measurements:
        """Return the measurements of some targets."""
        return Measurements(*(getattr(self, field.name)[rows] for field in fields(self)))

    def between(self, start: int, stop: int) -> Measurements:
        """Return the steps start .. stop - 1 of all targets."""
        return Measurements(*(getattr(self, field.name)[:, start:stop] for field in fields(self)))


_VALID, _ORIGIN, _AXES = np.ones((1, 1), np.bool_), np.zeros((1, 1, 3)), np.eye(3).reshape(1, 1, 3, 3)


def _padded(array: Floats, axes: int, width: int) -> Floats:
    """Return an array whose last axes have a length, with zeros added if they were shorter."""
    missing = width - array.shape[-1]
    return np.pad(array, [(0, 0)] * (array.ndim - axes) + [(0, missing)] * axes) if missing else array
