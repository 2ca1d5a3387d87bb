"""Tracking and alerts from simulated scans of a street."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from sensorium.core.configuration import configured
from sensorium.core.errors import ConfigurationError, did_you_mean

if TYPE_CHECKING:
    from sensorium.apps.studies.following import Scene
    from sensorium.simulation.scenario import Scenario


@configured
class LidarAlerts:
    """Simulates a LiDAR on a car, follows everything that it sees, and compares with the truth of one body."""

    type: Literal["lidar_alerts"] = "lidar_alerts"
    sensor: str = "lidar"
    target: str | None = "ball"
    """The body that is meant to be followed; none: whatever alarms is a false alarm."""
    cameras: tuple[str, ...] = ()
    """Cameras on the same car that help."""
    radars: tuple[str, ...] = ()
    """Radars on the same car that help."""
    needs_scenario: ClassVar[bool] = True

    def row(self, scenario: Scenario, seed: int, run: int) -> dict[str, Any]:
        """Return when the target was found, how well it was followed, and the alerts."""
        from sensorium.apps.studies.following import follow
        from sensorium.tracing import EmbreeTracer

        mount = next(one for one in scenario.rig if one.name == self.sensor)
        rig = tuple(one for one in scenario.rig if one.name in (self.sensor, *self.cameras, *self.radars))
        names = [body.name for body in scenario.scene.bodies]
        if self.target is not None and self.target not in names:
            guess = did_you_mean(self.target, names)
            raise ConfigurationError(f"measure.target: there is no body '{self.target}' in the scenario.{guess}")
        simulation = replace(scenario.simulation(tracer=lambda scene: EmbreeTracer(scene, 1)), rig=rig)
        mounts = {one.name: one.pose for one in rig}
        scenes = list(follow(simulation.samples(scenario.duration_s), mount.name, mount.body, mounts))
        alerts = [scene.time_ns * 1e-9 for scene in scenes if scene.alert.any()]
        row = {
            "scans": len(scenes),
            "alert_s": alerts[0] if alerts else None,
            "alerting_scans": len(alerts),
            "image_detections": sum(sum(scene.image_detections.values()) for scene in scenes),
            "radar_detections": sum(sum(scene.radar_detections.values()) for scene in scenes),
            "most_tracks": max((len(scene.tracks.believed) for scene in scenes), default=0),
        }
        return row if self.target is None else {**row, **self._of_target(scenes, mount.body)}

    def _of_target(self, scenes: list[Scene], body: str) -> dict[str, Any]:
        """Return errors of the track nearest to the target, and when the target itself enters the car's way."""
        assert self.target is not None
        errors, speed_errors, first_s, seen = [], [], None, 0
        enters_s = None
        for scene in scenes:
            row = scene.truth.names.index(self.target)
            place = scene.truth.pose.position_m[row]
            own = scene.truth.pose[scene.truth.names.index(body)].inverse().transform(place)
            if enters_s is None and abs(own[1]) < 1.3:
                enters_s = scene.truth.stamp.time_ns * 1e-9
            late_s = (scene.truth.stamp.time_ns - scene.tracks.belief.time_ns) * 1e-9
            now = scene.tracks.belief.position_m + scene.tracks.belief.velocity_m_s * late_s[:, None]
            off = np.linalg.norm(now - place, axis=1)
            if len(off) and off.min() < 1.0:
                seen += 1
                first_s = scene.time_ns * 1e-9 if first_s is None else first_s
                if seen > 2:
                    errors.append(float(off.min()))
                    slower = scene.tracks.belief.velocity_m_s[off.argmin()] - scene.truth.velocity_m_s[row]
                    speed_errors.append(float(np.linalg.norm(slower)))
        return {
            "found_s": first_s,
            "scans_followed": seen,
            "rms_position_m": float(np.sqrt(np.mean(np.square(errors)))) if errors else None,
            "median_position_m": float(np.median(errors)) if errors else None,
            "rms_speed_m_s": float(np.sqrt(np.mean(np.square(speed_errors)))) if speed_errors else None,
            "median_speed_m_s": float(np.median(speed_errors)) if speed_errors else None,
            "enters_way_s": enters_s,
        }
