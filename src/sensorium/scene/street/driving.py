"""How cars come along a lane: the ego car on a plan, the others after one another.

Drivers follow the Intelligent Driver Model (Treiber, Hennecke, Helbing, "Congested traffic states in empirical
observations and microscopic simulations", Phys. Rev. E 62, 1805, 2000): with speed v, wished speed v0, gap s and
approach rate w = v - v_leader,

    dv/dt = a (1 - (v/v0)^4 - (s*/s)^2),    s* = s0 + v T + v w / (2 sqrt(a b)).

They give way to whoever is on the zebra crossing, keep behind the ego car, and queue up at the end of the road. A way
is the place of a car's rear axle along its direction of travel: x on the right-hand side, length - x on the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.scene.street.car_shell import CarShape
from sensorium.scene.street.cars import ESTATE, SHAPES
from sensorium.scene.street.layout import RUN_OUT_M, ZEBRA_WIDTH_M, Layout

Floats = NDArray[np.float64]
Random = np.random.Generator

ACCELERATION_M_S2, BRAKING_M_S2, HEADWAY_S, STANDING_GAP_M = 1.4, 2.0, 1.3, 2.5
HARDEST_BRAKING_M_S2 = 3.5
SLOWEST_M_S, FASTEST_M_S = 8.0, 14.0
EGO_ACCELERATION_M_S2 = 2.0
"""Greatest acceleration of the ego car."""
CROSSING_M = ZEBRA_WIDTH_M / 2 + 0.5
"""Half of the space about the middle of the zebra that cars keep free for those who cross."""
_STEP_S, _STEPS_PER_KNOT = 0.2, 4
_FORESIGHT_S = 3.0
"""How long before somebody steps on the crossing drivers see it coming."""
_TRIES = 20
_CLOSEST_M = 1.5
_SPACING_M = 14.0
"""Least distance between cars at the start."""


@dataclass(frozen=True)
class Crossing:
    """When somebody is on the zebra crossing."""

    start_s: float
    end_s: float


@dataclass(frozen=True)
class EgoDrive:
    """The ego car's way: from rest at x = 0 to rest at x = length, with a smooth step of speed at both ends.

    Over a span T the speed is v (3 u^2 - 2 u^3), u = t/T, and the greatest acceleration 1.5 v/T.
    """

    length_m: float
    speed_m_s: float

    @property
    def cruise_m_s(self) -> float:
        """The speed that is reached; on a short street less than what is wished."""
        return min(self.speed_m_s, float(np.sqrt(self.length_m * EGO_ACCELERATION_M_S2 / 1.5)))

    @property
    def ramp_s(self) -> float:
        """Duration of the start, and of the stop."""
        return 1.5 * self.cruise_m_s / EGO_ACCELERATION_M_S2

    @property
    def duration_s(self) -> float:
        """Time from the start to the stop."""
        return self.length_m / self.cruise_m_s + self.ramp_s

    def way_m(self, time_s: Floats | float) -> Floats:
        """Return the distance travelled; the ramp covers v T (u^3 - u^4/2)."""
        t, v, ramp = np.clip(np.asarray(time_s, np.float64), 0, self.duration_s), self.cruise_m_s, self.ramp_s
        u, back = np.minimum(t / ramp, 1), np.minimum((self.duration_s - t) / ramp, 1)
        steady = np.clip(t, ramp, self.duration_s - ramp) - ramp
        return np.asarray(v * steady + v * ramp * (0.5 + (u**3 - u**4 / 2) - (back**3 - back**4 / 2)))

    def arrives_s(self, way_m: float) -> float:
        """Return when a distance has been travelled."""
        times = np.linspace(0, self.duration_s, 2001)
        return float(np.interp(way_m, self.way_m(times), times))


@dataclass(frozen=True, eq=False)
class Trip:
    """One car's way over time, from its speed at the start to rest."""

    shape: CarShape
    time_s: Floats
    way_m: Floats
    start_m_s: float


@dataclass(frozen=True)
class LaneRoad:
    """What a lane holds for its drivers."""

    end_m: float
    """Way at which the first of the queue stops."""
    zebra_m: float
    drive: EgoDrive | None
    """The ego car, if it drives in this lane."""
    crossing: Crossing | None

    @classmethod
    def of(cls, layout: Layout, side: int, drive: EgoDrive | None, crossing: Crossing | None) -> LaneRoad:
        """Return the road of one direction."""
        zebra = layout.zebra_m if side < 0 else layout.length_m - layout.zebra_m
        return cls(layout.length_m + RUN_OUT_M, zebra, drive, crossing)

    def gives_way(self, time_s: float) -> bool:
        """Return whether drivers wait before the crossing."""
        return self.crossing is not None and self.crossing.start_s - _FORESIGHT_S < time_s < self.crossing.end_s


@dataclass(frozen=True, eq=False)
class _Queue:
    """Cars in a lane, the foremost first; the ego car is one of them if it drives here."""

    shapes: tuple[CarShape, ...]
    start_m: Floats
    start_m_s: Floats
    wished_m_s: Floats
    phase_rad: Floats
    ego: int
    """Place of the ego car in the queue; -1: none."""

    @classmethod
    def drawn(cls, road: LaneRoad, count: int, random: Random) -> _Queue:
        """Return cars at random places; those behind the ego car start from rest, as it does, all others under way."""
        behind = 0 if road.drive is None else min(count // 3, 1)
        first = -RUN_OUT_M + 2 if road.drive is None else 0.6 * road.zebra_m
        places = np.append(_spread(first, road.end_m - 35, count - behind, random), random.uniform(-17, -11, behind))
        shapes = [SHAPES[int(k)] for k in random.choice(3, count, p=(0.45, 0.4, 0.15))]
        slowest = SLOWEST_M_S if road.drive is None else min(max(SLOWEST_M_S, 1.08 * road.drive.speed_m_s), FASTEST_M_S)
        wished = random.uniform(slowest, FASTEST_M_S, count)
        if road.drive is not None:
            places, wished, shapes = np.append(places, 0.0), np.append(wished, road.drive.speed_m_s), [*shapes, ESTATE]
        order = np.argsort(-places)
        start = np.where((places > 0) | (road.drive is None), wished, 0.0)
        ego = -1 if road.drive is None else int(np.flatnonzero(order == count)[0])
        phase = random.uniform(0, 2 * np.pi, len(places))
        return cls(tuple(shapes[k] for k in order), places[order], start[order], wished[order], phase, ego)

    @property
    def noses_m(self) -> Floats:
        """From the rear axle to the front."""
        return np.array([shape.nose_m for shape in self.shapes])

    @property
    def tails_m(self) -> Floats:
        """From the rear axle to the rear end, negative."""
        return np.array([shape.tail_m for shape in self.shapes])


def _spread(low_m: float, high_m: float, count: int, random: Random) -> Floats:
    """Return random places with at least the least spacing, as far as there is room for it."""
    slack = max(high_m - low_m - _SPACING_M * (count - 1), 0.0)
    return low_m + np.sort(random.uniform(0, slack, count)) + _SPACING_M * np.arange(count)


def trips(road: LaneRoad, count: int, random: Random) -> list[Trip]:
    """Return the ways of at most `count` cars; starts are drawn again until everybody can drive calmly."""
    for fewer in range(count):
        for _ in range(_TRIES):
            queue = _Queue.drawn(road, count - fewer, random)
            ways = _driven(road, queue)
            if ways is not None and _leaves_crossing_free(road, queue, ways):
                return [_trip(queue, k, ways[:, k]) for k in range(len(queue.shapes)) if k != queue.ego]
    return []


def _driven(road: LaneRoad, queue: _Queue) -> Floats | None:
    """Return ways [steps, cars] until all have come to rest; None if two come too close or somebody brakes hard."""
    way, speed, noses, tails = queue.start_m, queue.start_m_s, queue.noses_m, queue.tails_m
    longest_s = road.end_m / SLOWEST_M_S if road.drive is None else max(road.end_m / SLOWEST_M_S, road.drive.duration_s)
    times = np.arange(0, longest_s + 60, _STEP_S)
    ego = None if road.drive is None else road.drive.way_m(times)
    line, ways = road.zebra_m - CROSSING_M, [way]
    for step, time in enumerate(times[1:], 1):
        gap = np.append(road.end_m, way[:-1] + tails[:-1]) - way - noses
        wished = queue.wished_m_s * (1 + 0.05 * np.sin(0.35 * time + queue.phase_rad))
        change = _idm(speed, wished, gap, speed - np.append(0.0, speed[:-1]))
        if road.gives_way(time):
            to_line = line - way - noses
            yields = to_line > speed**2 / (2 * HARDEST_BRAKING_M_S2)
            change = np.where(yields, np.minimum(change, _idm(speed, wished, to_line, speed)), change)
        change = np.maximum(change, -speed / _STEP_S)  # nobody drives backwards
        if ego is not None:
            change[queue.ego] = 0.0
        if gap.min() < _CLOSEST_M or change.min() < -HARDEST_BRAKING_M_S2:
            return None
        way, speed = way + speed * _STEP_S + change * _STEP_S**2 / 2, speed + change * _STEP_S
        if ego is not None:
            way[queue.ego], speed[queue.ego] = ego[step], (ego[step] - ego[step - 1]) / _STEP_S
        ways.append(way)
        if speed.max() < 0.02 and time > 10:
            break
    return np.array(ways)


def _idm(speed: Floats, wished: Floats, gap: Floats, approach: Floats) -> Floats:
    """Return the acceleration of the Intelligent Driver Model."""
    brake = approach / (2 * np.sqrt(ACCELERATION_M_S2 * BRAKING_M_S2))
    wanted = STANDING_GAP_M + np.maximum(speed * (HEADWAY_S + brake), 0.0)
    return np.asarray(ACCELERATION_M_S2 * (1 - (speed / wished) ** 4 - (wanted / np.maximum(gap, 0.1)) ** 2))


def _leaves_crossing_free(road: LaneRoad, queue: _Queue, ways: Floats) -> bool:
    """Return whether no car is on the crossing while somebody else is."""
    if road.crossing is None:
        return True
    fronts, rears = ways + queue.noses_m, ways + queue.tails_m
    time = np.arange(len(ways)) * _STEP_S
    during = (time >= road.crossing.start_s) & (time <= road.crossing.end_s)
    on_it = (fronts > road.zebra_m - CROSSING_M) & (rears < road.zebra_m + CROSSING_M)
    return not on_it[during].any()


def _trip(queue: _Queue, car: int, ways: Floats) -> Trip:
    """Return knots of a car's way up to its stop; steps of less than 2 cm count as standing still."""
    knots = ways[::_STEPS_PER_KNOT].copy()
    for k in range(1, len(knots)):
        if knots[k] < knots[k - 1] + 0.02:
            knots[k] = knots[k - 1]
    last = int(np.flatnonzero(np.diff(knots) > 0)[-1]) + 2
    times = np.arange(last, dtype=np.float64) * (_STEP_S * _STEPS_PER_KNOT)
    return Trip(queue.shapes[car], times, knots[:last], float(queue.start_m_s[car]))
