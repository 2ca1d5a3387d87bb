"""What moves in the street: nobody drives or walks through anything, and all of it as drivers and people do."""

import numpy as np
import pytest

from sensorium.scene.street import ROOF_MOUNT, Street
from sensorium.scene.street.cars import ESTATE
from sensorium.scene.street.driving import (
    CROSSING_M,
    FASTEST_M_S,
    HARDEST_BRAKING_M_S2,
    Crossing,
    EgoDrive,
    LaneRoad,
    trips,
)
from sensorium.scene.street.pedestrians import CrossingPlan

STEP_NS = 100_000_000
TIMES = np.arange(0, 80_000_000_000, STEP_NS)
STREETS = [{}, {"seed": 5}, {"length_m": 90, "lanes": 2, "moving_cars": 12, "seed": 2}]


@pytest.fixture(scope="module", params=STREETS, ids=str)
def street(request):
    return Street(**request.param)


@pytest.fixture(scope="module")
def scene(street):
    return street.build()


def boxes(body, times):
    """Lowest and highest corners of the upright boxes around a body over time [times, 3]."""
    low, high = body.model.bounds_m
    corners = np.array(np.meshgrid(*zip(low, high, strict=True))).reshape(3, -1).T
    pose = body.motion.pose_at(times)
    around = np.stack([pose.transform(corner) for corner in corners])
    return around.min(0), around.max(0)


def still_boxes(body):
    """The tight box around each part of a body that does not move, as if over time [1, 3]."""
    pose = body.motion.pose_at(TIMES[:1])[0]
    for part in body.model.parts:
        vertices = pose.transform(part.mesh.vertices_m)
        yield vertices.min(0)[None], vertices.max(0)[None]


def gap_m(one, other):
    """Least distance of two boxes over time along the axis that keeps them farthest apart; negative if they overlap."""
    return np.maximum(one[0] - other[1], other[0] - one[1]).max(1).min()


def cars_of(scene):
    return [body for body in scene.bodies if body.label == "car"]


def test_cars_keep_apart(scene):
    """The boxes of any two cars never touch, parked ones and ego included."""
    around = {body.name: boxes(body, TIMES) for body in cars_of(scene)}
    names = sorted(around)
    for k, name in enumerate(names):
        for other in names[:k]:
            assert gap_m(around[name], around[other]) > 0.2, (name, other)


def test_ego_meets_nothing(scene):
    """The ego car's box meets no moving body's box and no box of a still part, but those of road and ground."""
    mine = boxes(scene.body("ego"), TIMES)
    for body in scene.bodies:
        if body.name not in ("ego", "road", "ground"):
            others = [boxes(body, TIMES)] if body.motion.moves else still_boxes(body)
            assert min(gap_m(mine, other) for other in others) > 0.2, body.name


def test_lanes_are_free_of_standing_things(street, scene):
    """No vertex of anything that stands still lies above the driving lanes below 2.1 m, but road and markings."""
    edge = street.layout.lanes_edge_m
    for body in scene.bodies:
        if body.motion.moves or body.name in ("road", "ground"):
            continue
        pose = body.motion.pose_at(TIMES[:1])[0]
        for part in body.model.parts:
            _, y, z = pose.transform(part.mesh.vertices_m).T
            assert not ((np.abs(y) < edge - 0.4) & (z < 2.1)).any(), (body.name, part.name)


def test_people_and_cars_keep_apart(scene):
    """Nobody's middle comes nearer than 0.6 m to any car's box."""
    around = {body.name: boxes(body, TIMES) for body in cars_of(scene)}
    people = [body for body in scene.bodies if body.label == "pedestrian"]
    assert len(people) >= 8
    for body in people:
        place = body.motion.pose_at(TIMES).position_m
        for name, box in around.items():
            assert gap_m((place[:, :2], place[:, :2]), (box[0][:, :2], box[1][:, :2])) > 0.6, (body.name, name)


def test_people_walk_around_each_other_and_posts(scene):
    """Nobody's middle comes nearer than 0.55 m to anybody's, or 0.2 m to a post, trunk, bin or bench at knee height."""
    people = [
        (body.name, body.motion.pose_at(TIMES).position_m[:, :2]) for body in scene.bodies if body.label == "pedestrian"
    ]
    for k, (name, way) in enumerate(people):
        for other, its_way in people[:k]:
            assert np.linalg.norm(way - its_way, axis=1).min() > 0.55, (name, other)
    for body in scene.bodies:
        if body.name.startswith(("lamp", "sign", "tree", "traffic", "bin", "bench", "cabinet", "bus")):
            pose = body.motion.pose_at(TIMES[:1])[0]
            vertices = np.concatenate([pose.transform(part.mesh.vertices_m) for part in body.model.parts])
            low = vertices[vertices[:, 2] < 1.7, :2]
            if len(low) and not body.name.endswith("_pit"):
                for name, way in people:
                    inside = (way > low.min(0) - 0.2) & (way < low.max(0) + 0.2)
                    assert not inside.all(1).any(), (name, body.name)


def test_cars_keep_to_the_right(street, scene):
    """Moving cars head along their lane with their middle in it: +x at y < 0, -x at y > 0, and end at rest."""
    for body in scene.bodies:
        if body.name.startswith("car_") or body.name == "ego":
            moves = body.motion.kinematics_at(TIMES)
            ahead = moves.pose.rotate(np.array([1.0, 0.0, 0.0]))
            side = np.sign(moves.pose.position_m[:, 1])
            lane = np.abs(moves.pose.position_m[:, 1]) / street.lane_width_m - 0.5
            assert ahead[:, 0] == pytest.approx(-side)
            assert lane == pytest.approx(np.round(lane), abs=1e-9)
            assert (moves.velocity_m_s[:, 0] * ahead[:, 0]).min() > -0.05, body.name
            assert np.linalg.norm(body.motion.kinematics_at(TIMES[-1:] + 10**12).velocity_m_s) == 0


def test_cars_drive_calmly(scene):
    """Speed is at most 14 m/s + 6 %; nobody brakes or accelerates beyond the drivers' limits, splines within 30 %."""
    cars = [body for body in scene.bodies if body.name.startswith("car_")]
    assert cars
    for body in cars:
        moves = body.motion.kinematics_at(TIMES[1:])
        assert np.abs(moves.velocity_m_s).max() < FASTEST_M_S * 1.06
        assert np.linalg.norm(moves.acceleration_m_s2, axis=1).max() < 1.3 * HARDEST_BRAKING_M_S2, body.name


def test_somebody_crosses_while_cars_wait(street, scene):
    """The first pedestrian goes from kerb to kerb on the zebra, and no car is on that half of it then."""
    layout = street.layout
    walker = scene.body("pedestrian_0").motion.pose_at(TIMES).position_m
    plan = CrossingPlan.around(layout, EgoDrive(street.length_m, street.ego_speed_m_s))
    assert walker[:, 1].min() < -layout.kerb_m
    assert walker[:, 1].max() > layout.kerb_m
    assert walker[:, 0] == pytest.approx(layout.zebra_m)
    for side in (-1, 1):
        when = plan.on_half(side)
        during = (when.start_s * 1e9 < TIMES) & (when.end_s * 1e9 > TIMES)
        on_half = (np.abs(walker[:, 1]) < layout.kerb_m) & (walker[:, 1] * side > 0.4)
        assert (on_half <= during).all()
        for body in cars_of(scene):
            low, high = boxes(body, TIMES[during])
            if body.motion.moves and low[0, 1] * side > 0:
                on_zebra = (high[:, 0] > layout.zebra_m - CROSSING_M) & (low[:, 0] < layout.zebra_m + CROSSING_M)
                assert not on_zebra.any(), body.name


@pytest.mark.parametrize("seed", range(8))
def test_drivers_give_way_at_once(seed):
    """Even if somebody steps on the zebra in the first second, nobody drives over it until they are gone."""
    road = LaneRoad(end_m=230.0, zebra_m=90.0, drive=None, crossing=Crossing(0.6, 9.0))
    for trip in trips(road, 5, np.random.default_rng(seed)):
        during = (trip.time_s >= road.crossing.start_s) & (trip.time_s <= road.crossing.end_s)
        front, rear = trip.way_m + trip.shape.nose_m, trip.way_m + trip.shape.tail_m
        assert not (during & (front > 90 - CROSSING_M) & (rear < 90 + CROSSING_M)).any()


@pytest.mark.parametrize("seed", range(4))
def test_nobody_is_in_the_way_of_a_fast_ego_car(seed):
    """On a kilometre of road an ego car at 20 m/s, who follows nobody, overtakes nobody who drives at most 14 m/s."""
    drive = EgoDrive(1000.0, 20.0)
    road = LaneRoad(end_m=1030.0, zebra_m=50.0, drive=drive, crossing=None)
    ways = [(trip, trip.way_m, drive.way_m(trip.time_s)) for trip in trips(road, 4, np.random.default_rng(seed))]
    assert len(ways) == 4
    for trip, way, ego in ways:
        gap = np.maximum(way + trip.shape.tail_m - ego - ESTATE.nose_m, ego + ESTATE.tail_m - way - trip.shape.nose_m)
        assert gap.min() > 1.0


@pytest.mark.parametrize(("length_m", "speed_m_s"), [(200.0, 10.0), (60.0, 14.0), (2000.0, 20.0), (60.0, 2.0)])
def test_ego_drive(length_m, speed_m_s):
    """From rest at 0 to rest at the length; the speed is at most what is wished, the acceleration at most 2 m/s^2."""
    drive = EgoDrive(length_m, speed_m_s)
    step = 1e-3
    times = np.arange(0, drive.duration_s, step)
    way = drive.way_m(times)
    speed, acceleration = np.diff(way) / step, np.diff(way, 2) / step**2
    assert way[0] == 0
    assert drive.way_m(drive.duration_s) == pytest.approx(length_m, rel=1e-12)
    assert drive.way_m(drive.duration_s + 5) == pytest.approx(length_m, rel=1e-12)
    assert speed.max() == pytest.approx(min(speed_m_s, np.sqrt(length_m * 2 / 1.5)), rel=1e-6)
    assert speed.min() >= 0
    assert np.abs(acceleration).max() == pytest.approx(2.0, abs=0.01)
    assert drive.way_m(drive.arrives_s(0.4 * length_m)) == pytest.approx(0.4 * length_m, abs=0.01)


def test_ego_follows_its_plan():
    """The body moves as planned: its spline, with a knot every half second, stays within 5 mm of the way."""
    street = Street(moving_cars=0, parked_cars=0, pedestrians=0, house_density=0, tree_spacing_m=None)
    drive = EgoDrive(street.length_m, street.ego_speed_m_s)
    moves = street.build().body("ego").motion.kinematics_at(TIMES)
    assert moves.pose.position_m[:, 0] == pytest.approx(drive.way_m(TIMES * 1e-9), abs=0.005)
    assert moves.pose.position_m[:, 1] == pytest.approx(-street.lane_width_m / 2)
    cruising = (drive.ramp_s * 1e9 + 1e9 < TIMES) & ((drive.duration_s - drive.ramp_s) * 1e9 - 1e9 > TIMES)
    assert moves.velocity_m_s[cruising, 0] == pytest.approx(10.0, abs=0.01)


def test_roof_mount_sees_over_the_car():
    """Nothing of the ego car is higher than the mount; level rays from it, and those 5 degrees down, miss the car."""
    street = Street(moving_cars=0, parked_cars=0, pedestrians=0, house_density=0, tree_spacing_m=None)
    model = street.build().body("ego").model
    x, y, z = ROOF_MOUNT.position_m
    assert z == pytest.approx(1.9)
    vertices = np.concatenate([part.mesh.vertices_m for part in model.parts]) - (x, y, z)
    reach = np.hypot(vertices[:, 0], vertices[:, 1])
    assert vertices[:, 2].max() < -0.04
    assert (vertices[:, 2] < -reach * np.tan(np.radians(5)))[reach > 0.3].all()
    assert model.bounds_m[0][0] == pytest.approx(-1.06, abs=0.02)
    assert abs(model.bounds_m[0][2]) < 1e-9
