"""People on the pavements: some stand, some walk, one crosses at the zebra."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import Pose
from sensorium.motion.ends import AtRest, EndVelocities
from sensorium.motion.fixed import Fixed
from sensorium.motion.motion import Motion
from sensorium.motion.spline import Spline, Waypoint
from sensorium.scene.body import Body
from sensorium.scene.street.driving import CROSSING_M, Crossing, EgoDrive
from sensorium.scene.street.cars import ESTATE
from sensorium.scene.street.figures import FIGURES, STANDING, WALKING, Figure, person_model
from sensorium.scene.street.layout import KERB_WIDTH_M, Layout, Plots, chance

Floats = NDArray[np.float64]
Random = np.random.Generator

CROSSING_SPEED_M_S = 1.35
_WAIT_M = 0.8
"""From the kerb to where somebody waits, and to where the crossing ends."""
_BODY_M = 0.3
"""Radius of the space that a person takes."""
_WALKWAY_M = 1.3
"""From the kerb to where people walk, past posts, trees and bins."""
_TRIES = 60


@dataclass(frozen=True)
class CrossingPlan:
    """Somebody who walks over the zebra from the right to the left: before the ego car comes, or else behind it."""

    layout: Layout
    start_s: float

    @classmethod
    def around(cls, layout: Layout, drive: EgoDrive | None) -> CrossingPlan:
        """Return the plan that leaves the ego car's half of the road two seconds before the car arrives."""
        if drive is None:
            return cls(layout, 3.0)
        arrives = drive.arrives_s(layout.zebra_m - CROSSING_M - ESTATE.nose_m)
        start = arrives - 2.0 - (layout.kerb_m + _WAIT_M + 0.6) / CROSSING_SPEED_M_S
        if start < 0.3:
            start = drive.arrives_s(layout.zebra_m + CROSSING_M - ESTATE.tail_m) + 0.5
        return cls(layout, start)

    @property
    def on_road(self) -> Crossing:
        """When the person is between the kerbs."""
        to_kerb = self.start_s + _WAIT_M / CROSSING_SPEED_M_S
        return Crossing(to_kerb - 0.3, to_kerb + 2 * self.layout.kerb_m / CROSSING_SPEED_M_S + 0.6)

    def motion(self) -> Spline:
        """Return the walk from rest to rest."""
        kerb, x = self.layout.kerb_m, self.layout.zebra_m
        y = np.array([-kerb - _WAIT_M, -kerb - KERB_WIDTH_M, -kerb, *np.linspace(-kerb, kerb, 5)[1:-1], kerb, kerb + KERB_WIDTH_M, kerb + _WAIT_M])
        z = self.layout.height_m(x, y)
        z[[2, -3]] = 0.0
        times = self.start_s + (y - y[0]) / CROSSING_SPEED_M_S + 0.4
        times[0], times[-1] = self.start_s, times[-1] + 0.4
        return _walk(np.append(0.0, times), np.insert(np.column_stack((np.full_like(y, x), y, z)), 0, (x, y[0], z[0]), 0), None)


def pedestrians(layout: Layout, seed: int, count: int, plan: CrossingPlan | None, plots: Plots) -> Iterator[Body]:
    """Yield at most `count` people: the one who crosses, then a third who stand and the rest who walk."""
    if plan is not None:
        yield Body("pedestrian_0", person_model(FIGURES[0]), plan.motion(), "pedestrian")
    others = _Company(layout, plots, plan)
    for number in range(0 if plan is None else 1, count):
        random = chance(seed, f"pedestrian {number}")
        who = (STANDING if number % 3 == 2 else WALKING)
        figure = who[int(random.integers(len(who)))]
        for _ in range(_TRIES):
            motion = _stands(layout, random) if who is STANDING else _strolls(layout, random)
            if others.admit(motion):
                yield Body(f"pedestrian_{number}", person_model(figure), motion, "pedestrian")
                break


def _stands(layout: Layout, random: Random) -> Fixed:
    side = 1 if random.random() < 0.5 else -1
    x, across = random.uniform(0, layout.length_m), layout.kerb_m + random.uniform(0.9, layout.pavement_width_m - 0.5)
    y = side * across
    return Fixed(pose=Pose.at(x, y, float(layout.height_m(x, y)), random.uniform(-np.pi, np.pi)))


def _strolls(layout: Layout, random: Random) -> Spline:
    """Return a walk along a pavement to its end, swaying a little from side to side."""
    side, direction = (1 if random.random() < 0.5 else -1), (1 if random.random() < 0.5 else -1)
    free = max(layout.pavement_width_m - 0.55, _WALKWAY_M + 0.05)
    across = layout.kerb_m + random.uniform(_WALKWAY_M, free)
    speed, start = random.uniform(1.05, 1.6), random.uniform(0, layout.length_m)
    goal = (layout.end_m if direction > 0 else layout.start_m) - direction * random.uniform(2, 12)
    x = np.linspace(start, goal, max(3, round(abs(goal - start) / 2.5) + 1))
    y = side * (across + 0.06 * np.sin(x / 5 + random.uniform(0, 6)))
    times = np.abs(x - start) / speed
    times[-1] += times[1]  # the last steps take twice as long, to come to rest
    return _walk(times, np.column_stack((x, y, layout.height_m(x, y))), direction * speed)


def _walk(times_s: Floats, points_m: Floats, start_m_s: float | None) -> Spline:
    waypoints = tuple(
        Waypoint(time_s=time, position_m=(x, y, z)) for time, (x, y, z) in zip(times_s.tolist(), points_m.tolist(), strict=True)
    )
    ends = AtRest() if start_m_s is None else EndVelocities(start_m_s=(start_m_s, 0.0, 0.0))
    return Spline(waypoints=waypoints, ends=ends)


class _Company:
    """People who are about, so that nobody walks through anybody or through what stands on the pavement."""

    def __init__(self, layout: Layout, plots: Plots, plan: CrossingPlan | None) -> None:
        self._times = np.arange(0.0, (layout.end_m - layout.start_m) / 1.0, 0.25)
        self._plots = plots
        self._paths: list[Floats] = [] if plan is None else [self._path(plan.motion())]

    def admit(self, motion: Motion) -> bool:
        """Remember a person if there is room for all of the way; return whether there is."""
        path = self._path(motion)
        apart = all(np.linalg.norm(path - other, axis=1).min() > 2.2 * _BODY_M for other in self._paths)
        if apart and self._plots.free_along(path, _BODY_M):
            self._paths.append(path)
            return True
        return False

    def _path(self, motion: Motion) -> Floats:
        """Return places [times, 2], straight from waypoint to waypoint."""
        if isinstance(motion, Spline):
            times = [waypoint.time_s for waypoint in motion.waypoints]
            places = np.array([waypoint.position_m for waypoint in motion.waypoints])
            return np.stack([np.interp(self._times, times, places[:, k]) for k in range(2)], 1)
        assert isinstance(motion, Fixed), "people stand or walk"
        return np.broadcast_to(motion.pose.position_m[:2], (len(self._times), 2))
