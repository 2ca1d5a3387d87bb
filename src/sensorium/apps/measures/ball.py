"""Tracking errors of the bouncing ball at the level of measurements."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from sensorium.apps.studies.bouncing_ball import BouncingBall
from sensorium.core.configuration import configured


@configured
class BallTracking:
    """Tracks one throw, another one in each repetition, and tells the errors in the spans that matter."""

    type: Literal["ball_tracking"] = "ball_tracking"
    filter: Literal["kalman", "extended_kalman", "unscented_kalman", "interacting_models"] = "extended_kalman"
    ball: BouncingBall = Field(default_factory=BouncingBall)
    """Its seed and its number of runs are set by the campaign."""
    needs_scenario: ClassVar[bool] = False

    def row(self, scenario: None, seed: int, run: int) -> dict[str, Any]:
        """Return the root mean squares over time."""
        from dataclasses import replace

        from sensorium.apps.studies.ball_tracking import track

        errors = track(replace(self.ball, seed=seed, runs=1, first_run=run), self.filter, threads=1)
        spans = {"early": (0.0, 0.095), "settled": (0.3, np.inf)}
        found: dict[str, Any] = {}
        for name, (low, high) in spans.items():
            inside = (errors.time_s >= low) & (errors.time_s < high)
            for what, values in (("position_m", errors.position_m), ("speed_m_s", errors.speed_m_s)):
                square = values[0, inside] ** 2
                found[f"rms_{name}_{what}"] = float(np.sqrt(np.nanmean(square))) if len(square) else None
        found["mean_nees"] = float(np.nanmean(errors.nees))
        return found
