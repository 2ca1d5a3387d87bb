"""Counts and ranges of the points of a simulated LiDAR."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from sensorium.core.configuration import configured
from sensorium.core.errors import ConfigurationError
from sensorium.samples import PointCloud

if TYPE_CHECKING:
    from sensorium.simulation.scenario import Scenario


@configured
class PointStatistics:
    """Simulates the scenario and tells of all scans of a LiDAR how many returns there were, and how far."""

    type: Literal["point_statistics"] = "point_statistics"
    sensor: str = "lidar"
    needs_scenario: ClassVar[bool] = True

    def row(self, scenario: Scenario, seed: int, run: int) -> dict[str, Any]:
        """Return the statistics of a run."""
        from sensorium.tracing import EmbreeTracer

        mounts = tuple(
            one for one in scenario.rig if one.name == self.sensor
        )  # others change nothing but the time it takes
        simulation = replace(scenario.simulation(tracer=lambda scene: EmbreeTracer(scene, 1)), rig=mounts)
        clouds = []
        for sample in simulation.samples(scenario.duration_s):
            if sample.stamp.sensor == self.sensor:
                if not isinstance(sample, PointCloud):
                    raise ConfigurationError(
                        f"the sensor '{self.sensor}' gives {type(sample).__name__}, no point clouds"
                    )
                clouds.append(sample)
        ranges = np.concatenate([cloud.range_m for cloud in clouds]) if clouds else np.empty(0, np.float32)
        fired = sum(cloud.beam_count for cloud in clouds)
        told = np.percentile(ranges, (5, 50, 95)).tolist() if len(ranges) else [None] * 3
        return {
            "scans": len(clouds),
            "returns": len(ranges),
            "returns_per_beam": len(ranges) / fired if fired else None,
            "range_mean_m": float(ranges.mean(dtype=np.float64)) if len(ranges) else None,
            **dict(zip(("range_p5_m", "range_p50_m", "range_p95_m"), told, strict=True)),
        }
