"""Cars: the one that carries sensors, those parked along the kerb, and those that drive in the lanes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sensorium.core.pose import Pose
from sensorium.motion.ends import EndVelocities
from sensorium.motion.fixed import Fixed
from sensorium.motion.orientation import Facing
from sensorium.motion.spline import Spline, Waypoint
from sensorium.scene.body import Body
from sensorium.scene.street.car_shell import CarShape
from sensorium.scene.street.cars import ESTATE, PAINTS, SHAPES, car_model, ego_model
from sensorium.scene.street.driving import CROSSING_M, EgoDrive, LaneRoad, Trip, trips
from sensorium.scene.street.layout import SIDES, Layout, chance
from sensorium.scene.street.pedestrians import CrossingPlan
from sensorium.scene.street.warmth import Temperatures, driven, just_parked

_SLOT_M = 6.6
"""Length of a parking bay."""
_USUAL_M_S = 8.0
"""Speed whose wind has been cooling cars that drive."""
_JUST_CAME = 0.3
"""Part of the parked cars that are still warm."""


def ego(layout: Layout, drive: EgoDrive) -> Body:
    """Return the car that carries sensors, driving along the outermost lane on the right."""
    times = np.linspace(0, drive.duration_s, max(8, round(drive.duration_s / 0.5)) + 1)
    motion = _along_lane(layout, -1, 0, Trip(ESTATE, times, drive.way_m(times), 0.0))
    return Body("ego", ego_model(), motion, "car", driven(ESTATE, _USUAL_M_S))


def parked_cars(layout: Layout, seed: int, count: int) -> Iterator[Body]:
    """Yield cars that stand along both kerbs, as many as there is room for."""
    random = chance(seed, "parked cars")
    if layout.parking_width_m < 1.9:
        return
    slots = [(side, x) for side in SIDES for x in np.arange(layout.start_m + 4, layout.end_m - 4, _SLOT_M)]
    free = [slot for slot in slots if _may_park(layout, *slot)]
    chosen = sorted(random.permutation(len(free))[:count])
    for number, (side, x) in enumerate(free[k] for k in chosen):
        shape, paint = SHAPES[int(random.choice(3, p=(0.45, 0.35, 0.2)))], str(random.choice(PAINTS))
        y = side * (layout.kerb_m - 0.14 - shape.half_width_m - random.uniform(0, 0.08))
        yaw = (0.0 if side < 0 else np.pi) + (np.pi if random.random() < 0.1 else 0.0)
        middle = (shape.nose_m + shape.tail_m) / 2 * np.cos(yaw)
        x += random.uniform(-0.6, 0.6) - middle
        pose = Pose.at(x, y, 0.0, yaw + random.uniform(-0.012, 0.012))
        yield Body(f"parked_car_{number}", car_model(shape, paint), Fixed(pose=pose), "car", _left(shape, seed, number))


def _left(shape: CarShape, seed: int, number: int) -> Temperatures:
    """Return how warm a parked car is: most have cooled, some have just come."""
    random = chance(seed, f"parked heat {number}")
    return just_parked(shape, round(float(random.uniform(0.3, 0.9)), 1)) if random.random() < _JUST_CAME else {}


def _may_park(layout: Layout, side: int, x_m: float) -> bool:
    """Return whether a slot is far enough from the crossing and from the bus stop."""
    at_bus_stop = side < 0 and abs(x_m - layout.bus_stop_m) < 9
    return not at_bus_stop and abs(x_m - layout.zebra_m) > CROSSING_M + 7.7


def moving_cars(
    layout: Layout, seed: int, count: int, drive: EgoDrive | None, plan: CrossingPlan | None
) -> Iterator[Body]:
    """Yield cars that drive on all lanes, at most `count`: on a short street with much traffic not all find room."""
    lanes = [(side, lane) for lane in range(layout.lanes) for side in (1, -1)]
    number = 0
    for k, (side, lane) in enumerate(lanes):
        share = count // len(lanes) + (k < count % len(lanes))
        random = chance(seed, f"moving cars {side} {lane}")
        road = LaneRoad.of(
            layout, side, drive if (side, lane) == (-1, 0) else None, plan.on_half(side) if plan else None
        )
        for trip in trips(road, share, random):
            motion = _along_lane(layout, side, lane, trip)
            model = car_model(trip.shape, str(random.choice(PAINTS)))
            yield Body(f"car_{number}", model, motion, "car", driven(trip.shape, _USUAL_M_S))
            number += 1


def _along_lane(layout: Layout, side: int, lane: int, trip: Trip) -> Spline:
    """Return the motion along a lane; it starts at the trip's first speed and ends at rest."""
    y, forward = layout.lane_m(side, lane), float(-side)
    x = trip.way_m if side < 0 else layout.length_m - trip.way_m
    places = zip(trip.time_s.tolist(), x.tolist(), strict=True)
    waypoints = tuple(Waypoint(time_s=time, position_m=(place, y, 0.0)) for time, place in places)
    facing = Facing(rpy_rad=(0.0, 0.0, 0.0 if side < 0 else np.pi))
    return Spline(
        waypoints=waypoints, orientation=facing, ends=EndVelocities(start_m_s=(forward * trip.start_m_s, 0.0, 0.0))
    )
