"""People on the pavements: some stand, some walk, one crosses at the zebra."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import Pose
from sensorium.motion.ends import AtRest, EndVelocities
from sensorium.motion.fixed import Fixed
from sensorium.motion.spline import Spline, Waypoint
from sensorium.scene.body import Body
from sensorium.scene.street.cars import ESTATE
from sensorium.scene.street.driving import CROSSING_M, Crossing, EgoDrive
from sensorium.scene.street.figures import FIGURES, STANDING, WALKING, person_model
from sensorium.scene.street.layout import Layout, Plots, chance
from sensorium.scene.street.warmth import PERSON

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

    def on_half(self, side: int) -> Crossing:
        """Return when the person is on one half of the road, or within a step of it."""
        y_m = (-self.layout.kerb_m - 0.3, 0.6) if side < 0 else (-1.2, self.layout.kerb_m + 0.3)
        start, end = (self.start_s + (y + self.layout.kerb_m + _WAIT_M) / CROSSING_SPEED_M_S for y in y_m)
        return Crossing(start, end + 0.7)

    def walk(self) -> Walk:
        """Return the walk from rest to rest."""
        x, reach = self.layout.zebra_m, self.layout.kerb_m + _WAIT_M
        y = np.linspace(-reach, reach, round(2 * reach / 0.4) + 1)
        z = self.layout.height_m(x, y)
        times = self.start_s + (y - y[0]) / CROSSING_SPEED_M_S
        times[1:] += 0.3  # the first and the last step take longer: from rest and to rest
        times[-1] += 0.3
        places = np.column_stack((np.full_like(y, x), y, z))
        return Walk(np.append(0.0, times), np.concatenate((places[:1], places)), None)


@dataclass(frozen=True, eq=False)
class Walk:
    """Where somebody is at what times; one place: somebody stands there."""

    times_s: Floats
    places_m: Floats
    start_m_s: float | None
    """Speed along x at the start; none: from rest."""

    def motion(self) -> Spline:
        """Return the smooth way through the places."""
        waypoints = tuple(
            Waypoint(time_s=time, position_m=(x, y, z))
            for time, (x, y, z) in zip(self.times_s.tolist(), self.places_m.tolist(), strict=True)
        )
        ends = AtRest() if self.start_m_s is None else EndVelocities(start_m_s=(self.start_m_s, 0.0, 0.0))
        return Spline(waypoints=waypoints, ends=ends)

    def at(self, times_s: Floats) -> Floats:
        """Return places [times, 2], straight from one to the next."""
        return np.stack([np.interp(times_s, self.times_s, self.places_m[:, k]) for k in range(2)], 1)


def pedestrians(layout: Layout, seed: int, count: int, plan: CrossingPlan | None, plots: Plots) -> Iterator[Body]:
    """Yield at most `count` people: the one who crosses, then a third who stand and the rest who walk."""
    company = _Company(layout, plots)
    if plan is not None:
        company.admits(plan.walk())
        yield Body("pedestrian_0", person_model(FIGURES[0]), plan.walk().motion(), "pedestrian", PERSON)
    for number in range(0 if plan is None else 1, count):
        random, stands = chance(seed, f"pedestrian {number}"), number % 3 == 2
        who = STANDING if stands else WALKING
        model, turn = person_model(who[int(random.integers(len(who)))]), random.uniform(-np.pi, np.pi)
        for _ in range(_TRIES):
            walk = _stand(layout, random) if stands else _stroll(layout, random)
            if company.admits(walk):
                x, y, z = walk.places_m[0].tolist()
                motion = Fixed(pose=Pose.at(x, y, z, turn)) if stands else walk.motion()
                yield Body(f"pedestrian_{number}", model, motion, "pedestrian", PERSON)
                break


def _stand(layout: Layout, random: Random) -> Walk:
    side = 1 if random.random() < 0.5 else -1
    x, across = random.uniform(0, layout.length_m), layout.kerb_m + random.uniform(0.9, layout.pavement_width_m - 0.5)
    return Walk(np.zeros(1), np.array([(x, side * across, float(layout.height_m(x, side * across)))]), None)


def _stroll(layout: Layout, random: Random) -> Walk:
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
    return Walk(times, np.column_stack((x, y, layout.height_m(x, y))), direction * speed)


class _Company:
    """People who are about, so that nobody walks through anybody or through what stands on the pavement."""

    def __init__(self, layout: Layout, plots: Plots) -> None:
        self._times = np.arange(0.0, (layout.end_m - layout.start_m) / 1.0, 0.25)
        self._plots = plots
        self._paths = np.empty((0, len(self._times), 2))

    def admits(self, walk: Walk) -> bool:
        """Remember a person if there is room all of the way; return whether there is."""
        if not self._plots.free_along(walk.places_m[:, :2], _BODY_M):
            return False
        path = walk.at(self._times)
        if np.hypot(*np.moveaxis(self._paths - path, -1, 0)).min(initial=np.inf) < 2.2 * _BODY_M:
            return False
        self._paths = np.concatenate((self._paths, path[None]))
        return True
