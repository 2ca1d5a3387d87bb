"""Truth is a parcel as well: where every body really was."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import Pose
from sensorium.samples.sample import Sample


@dataclass(frozen=True, eq=False, kw_only=True)
class TruthSample(Sample):
    """Poses, twists and boxes of the tracked bodies (all that move, and all that carry sensors) at one instant."""

    names: tuple[str, ...]
    """[B] body names."""
    labels: tuple[str, ...]
    """[B] class labels."""
    pose: Pose
    """T_world_body [B]."""
    velocity_m_s: NDArray[np.float64]
    """[B, 3] of the body's origin, world frame."""
    angular_velocity_rad_s: NDArray[np.float64]
    """[B, 3] world frame."""
    acceleration_m_s2: NDArray[np.float64]
    """[B, 3] of the body's origin, world frame, without gravity."""
    box_centre_m: NDArray[np.float64]
    """[B, 3] centre of the body's box, in the body frame."""
    box_size_m: NDArray[np.float64]
    """[B, 3] edge lengths of the body's box along the body's axes."""
