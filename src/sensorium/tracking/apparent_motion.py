"""Moving or standing: what does not share the common apparent motion of all the rest moves by itself.

Seen from a vehicle everything that stands moves as one rigid picture, v(p) = -v_ego - w x p. That motion is fitted to all
tracks with weights that outliers lose, so that it needs no odometry; the outliers against it are what moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Gt, Lt
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.units import NonNegativeNumber, Number
from sensorium.tracking.gaussian import Gaussian

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Apparent:
    """The common motion, and who does not share it."""

    velocity_m_s: Floats
    """[3] of what stands at the origin."""
    yaw_rate_rad_s: float
    moving: NDArray[np.bool_]
    """[N]."""
    distance: Floats
    """[N] squared Mahalanobis distance of each velocity from the common motion, 3 degrees of freedom."""


@configured
class CommonMotion:
    """Fits a velocity and a yaw rate by weighted least squares, again and again without the outliers (Tukey's weights)."""

    type: Literal["common_motion"] = "common_motion"
    confidence: Annotated[Number, Gt(0), Lt(1)] = 0.999
    """Part of the standing tracks that are told to stand."""
    slowest_m_s: NonNegativeNumber = 0.25
    """Added to the uncertainty of each velocity: what is slower counts as standing, jitter of detections included."""
    rounds: Annotated[int, Ge(1)] = 12

    def apparent(self, tracks: Gaussian, expected_m_s: Floats | None = None) -> Apparent:
        """Tell standing from moving. With fewer than three tracks nothing is fitted: `expected_m_s` [3], the apparent
        velocity of what stands by the vehicle's own account, is the common motion then, or the median without one.
        """
        from scipy.special import chdtri

        place, velocity = tracks.position_m, tracks.velocity_m_s
        count = len(place)
        covariance = tracks.velocity_covariance_m2_s2 + np.eye(3) * self.slowest_m_s**2
        inverse = np.linalg.inv(covariance)
        motion = np.zeros(4)
        if expected_m_s is not None:
            motion[:3] = expected_m_s
        elif count:
            motion[:3] = np.median(velocity, 0)
        design = np.zeros((count, 3, 4))
        design[:, :, :3] = np.eye(3)
        design[:, 0, 3], design[:, 1, 3] = -place[:, 1], place[:, 0]
        edge, distance = float(chdtri(3, 1 - self.confidence)), np.zeros(count)
        for _ in range(self.rounds if count >= 3 else 1):
            off = velocity - design @ motion
            distance = np.einsum("ni,nij,nj->n", off, inverse, off)
            weight = np.maximum(1 - distance / (2 * edge), 0.0) ** 2
            if count < 3 or np.count_nonzero(weight) < 2:
                break
            normal = np.einsum("n,nia,nij,njb->ab", weight, design, inverse, design)
            right = np.einsum("n,nia,nij,nj->a", weight, design, inverse, velocity)
            motion = np.linalg.solve(normal + 1e-9 * np.eye(4), right)
        off = velocity - design @ motion
        distance = np.einsum("ni,nij,nj->n", off, inverse, off)
        return Apparent(motion[:3], float(motion[3]), distance > edge, distance)
