"""The cone sensor as an instrument: bodies, motion, lines, blind zone, occlusion, speed, noise, weather, bad input."""

import math
from dataclasses import replace

import cone_twin
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds import Gliding, mesh_of_box, model_of, random_mesh, random_pose, wall

from sensorium.atmosphere.weather import ConstantWeather, WeatherState
from sensorium.core.errors import ConfigurationError
from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.core.time import TimeWindow
from sensorium.motion import Fixed
from sensorium.samples import Stamp
from sensorium.scene.body import Body
from sensorium.scene.mesh import Mesh
from sensorium.scene.scene import Scene
from sensorium.scene.shapes import Box, Plane, Sphere
from sensorium.scene.view import View
from sensorium.sensors import ConeSensor, sensor_of
from sensorium.sensors.cone.faces import faces_of
from sensorium.sensors.cone.geometry import Geometry
from sensorium.sensors.cone.waves import Radio, Sound
from sensorium.simulation import observe
from sensorium.tracing import EmbreeTracer

WIDE = {"opening_horizontal_rad": "90 deg", "opening_vertical_rad": "70 deg", "length_m": 12.0}


class NoRays:
    """A tracer that must not be asked."""

    def during(self, window, near_m):
        raise AssertionError("a cone sensor traces no ray")


def box(name, pose, size_m=(1.0, 1.0, 1.0)):
    return Body(name, model_of(mesh_of_box(size_m)), Fixed(pose=pose))


def look(scene, pose=None, **settings):
    return observe(scene, ConeSensor(**{**WIDE, **settings}), pose, tracer=NoRays())


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["flat", "spherical"]), st.booleans())
def test_whole_scenes_against_the_twin(seed, front, moving):
    """Bodies of loose triangles anywhere, some moving: the nearest point of each is that of its triangles one by one."""
    rng = np.random.default_rng(seed)
    bodies, time_ns = [], 700_000_000
    for number in range(3):
        motion = Gliding(random_pose(rng), tuple(rng.normal(size=3)), tuple(rng.normal(size=3))) if moving else None
        motion = motion or Fixed(pose=random_pose(rng))
        bodies.append(Body(f"b{number}", model_of(random_mesh(rng, 4), random_mesh(rng, 1)), motion))
    scene, sensor_pose = Scene(tuple(bodies)), random_pose(rng, 1.0)
    sensor = ConeSensor(
        opening_horizontal_rad=rng.uniform(0.1, 2.8), opening_vertical_rad=rng.uniform(0.1, 2.8), length_m=6.0,
        front={"type": front}, detections=9,
    )  # fmt: skip
    found = observe(scene, sensor, sensor_pose, time_s=0.7, tracer=NoRays())
    a, b, deepest, farthest = sensor.field
    expected = []
    for body in bodies:
        pose = sensor_pose.inverse() @ body.motion.pose_at(np.array(time_ns))
        corners = np.concatenate([pose.transform(part.mesh.corners_m()) for part in body.model.parts])
        expected.append(cone_twin.nearest_of_triangles(corners, a, b, deepest, farthest))
    order = [number for number in np.argsort(expected) if expected[number] < np.inf]
    assert found.truth.body.tolist() == order
    np.testing.assert_allclose(found.range_m, np.array(expected)[order], atol=1e-6)
    np.testing.assert_allclose(found.points_m, found.truth.points_m, atol=1e-9)
    assert cone_twin.inside(found.truth.points_m, a, b, deepest, slack=1e-9).all()
    assert (found.range_m <= farthest).all()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_lines_converge_from_above(seed):
    """A face fully in the cone: exact <= lines <= exact + half the distance between two lines."""
    rng = np.random.default_rng(seed)
    corners = np.array([4.0, 0, 0]) + rng.uniform(-1, 1, (3, 3))
    scene = Scene((Body("t", model_of(Mesh(corners, np.array([[0, 1, 2]])))),))
    exact = look(scene).range_m[0]
    face = faces_of(scene.bodies[0].model.parts[0].mesh).corners_m[0]
    spread = max(np.linalg.norm(face[3] - face[0]), np.linalg.norm(face[2] - face[1]))
    for count in (2, 7, 60, 1000):
        lines = look(scene, method={"type": "lines", "count": count}).range_m[0]
        assert exact - 1e-12 <= lines <= exact + spread / (count - 1) / 2 + 1e-12


@pytest.mark.parametrize("error_deg", [1.0, 0.1, 0.01])
def test_adaptive_lines_keep_their_bound(error_deg):
    """The direction is off by no more than asked for, near and far."""
    for distance_m in (0.8, 3.0, 9.0):
        scene = Scene((box("o", Pose.at(distance_m, 0.123, 0.077)),))
        method = {"type": "adaptive_lines", "error_rad": math.radians(error_deg), "most": 100_000}
        exact, lines = look(scene).points_m[0], look(scene, method=method).points_m[0]
        cosine = exact @ lines / np.linalg.norm(exact) / np.linalg.norm(lines)
        assert math.degrees(math.acos(min(1.0, cosine))) <= error_deg + 1e-6


def test_frames_and_signs():
    """x forward, y left, z up: a box to the left and above has positive azimuth and elevation."""
    found = look(Scene((box("o", Pose.at(5, 2, 1.5), (0.01, 0.01, 0.01)),)))
    assert found.azimuth_rad[0] == pytest.approx(math.atan2(2, 5), abs=0.01)
    assert found.elevation_rad[0] == pytest.approx(math.atan2(1.5, math.hypot(5, 2)), abs=0.01)
    assert found.profile_rad[0] == pytest.approx(math.atan2(1.5, 5), abs=0.01)


@pytest.mark.parametrize("method", [{"type": "exact"}, {"type": "lines", "count": 1001}])
def test_long_wall_with_its_middle_outside(method):
    """A wall of 100 m whose centre is far outside the cone is seen where it is inside."""
    scene = Scene((box("wall", Pose.at(3.0, 52.0, 0.0), (0.2, 100.0, 3.0)),))
    found = look(scene, method=method)
    assert found.range_m[0] == pytest.approx(math.hypot(2.9, 2.0), abs=1e-6)


def test_outside_of_the_cone_nothing_is_seen():
    """Behind, beside and beyond: no detection."""
    for pose in (Pose.at(-3, 0, 0), Pose.at(2, 8, 0), Pose.at(20, 0, 0), Pose.at(3, 0, 9)):
        assert len(look(Scene((box("o", pose),)))) == 0


def test_front_flat_and_spherical():
    """In the corner of a flat cone things farther than its length are seen, in a spherical one they are not."""
    scene = Scene((box("o", Pose.at(11.0, 9.0, 0.0)),))
    assert look(scene, front={"type": "flat"}).range_m[0] > 12
    assert len(look(scene, front={"type": "spherical"})) == 0


def test_several_detections_one_per_body():
    """Three bodies, from near to far; no more than asked for."""
    scene = Scene(tuple(box(f"b{i}", Pose.at(x, y, 0)) for i, (x, y) in enumerate([(8, 0), (4, 2), (6, -3)])))
    found = look(scene, detections=5)
    assert found.truth.body.tolist() == [1, 2, 0]
    assert look(scene, detections=2).truth.body.tolist() == [1, 2]
    assert len(look(scene)) == 1


def test_occlusion_through_the_tracer():
    """What stands behind another body is left out, what stands beside it is not."""
    scene = Scene((box("near", Pose.at(3, 0, 0)), box("hidden", Pose.at(6, 0, 0)), box("beside", Pose.at(6, 3.5, 0))))
    sensor = ConeSensor(**WIDE, detections=5, occlusion=True)
    assert observe(scene, sensor, tracer=EmbreeTracer(scene)).truth.body.tolist() == [0, 2]
    assert observe(scene, replace(sensor, occlusion=False), tracer=NoRays()).truth.body.tolist() == [0, 1, 2]


def test_carrier_is_not_seen():
    """The body that carries the sensor is no obstacle, unless asked for."""
    scene = Scene((box("car", Pose.at(1, 2, 3)), box("o", Pose.at(6, 2, 3))))
    mount = Pose.at(0.45, 0, 0)
    found = observe(scene, ConeSensor(**WIDE), mount, body="car", tracer=NoRays())
    assert found.truth.body.tolist() == [1]
    assert found.range_m[0] == pytest.approx(4.05)
    seen = observe(scene, ConeSensor(**WIDE, sees_carrier=True), mount, body="car", tracer=NoRays())
    assert seen.range_m[0] == pytest.approx(0.05)


def test_blind_zone():
    """Too near: no range, but the sensor says so (REP 117); a body behind it is still reported in the list."""
    scene = Scene((box("close", Pose.at(0.7, 0, 0)), box("far", Pose.at(5, 0, 0))))
    found = look(scene, range_min_m=0.3, detections=3)
    assert found.too_near
    assert found.nearest_m == -math.inf
    assert found.truth.body.tolist() == [1]


def test_single_layer_is_seen_from_both_sides():
    """Faces that look away are skipped only where a body is closed: a plane has two sides."""
    plane = Body("p", model_of(Plane(size_m=(4, 4)).mesh()), Fixed(pose=Pose.at(0, 0, 0)))
    for rise in (1, -1):
        up = Pose.from_rpy((0, 0, -rise * 2.0), (0, -rise * math.pi / 2, 0))
        for method in ({"type": "exact"}, {"type": "lines", "count": 3}):
            assert look(Scene((plane,)), up, method=method).range_m[0] == pytest.approx(2.0)


def test_from_inside_a_closed_body():
    """A sensor in a closed room sees its walls."""
    assert look(Scene((box("room", Pose.at(0, 0, 0), (8, 8, 8)),))).range_m[0] == pytest.approx(4.0)


def test_faces_of_shapes():
    """A box is six quads, a plane one; a single triangle stays one, its lines along its longest edge. All closed or not."""
    assert len(faces_of(Box(size_m=(1, 2, 3)).mesh()).corners_m) == 6
    assert faces_of(Box(size_m=(1, 2, 3)).mesh()).closed
    assert faces_of(mesh_of_box()).closed
    assert len(faces_of(mesh_of_box()).corners_m) == 6
    assert not faces_of(Plane(size_m=(1, 1)).mesh()).closed
    (alone,) = faces_of(Mesh(np.array([[0, 0, 0], [1, 0, 0], [0, 3.0, 0]]), np.array([[0, 1, 2]]))).corners_m
    np.testing.assert_array_equal(alone[2], alone[3])
    assert np.linalg.norm(alone[1] - alone[0]) == pytest.approx(math.sqrt(10))


def test_faces_cover_the_mesh():
    """Quads and triangles together have the area of the mesh, and each quad is flat."""
    mesh = Sphere(radius_m=1.0, facet_m=0.02).mesh()
    faces = faces_of(mesh)
    a, b, c, d = np.moveaxis(faces.corners_m, 1, 0)
    halves = np.linalg.norm(np.cross(b - a, c - a), axis=1) + np.linalg.norm(np.cross(c - a, d - a), axis=1)
    corners = mesh.corners_m()
    whole = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    assert halves.sum() == pytest.approx(whole.sum(), rel=1e-12)
    assert len(faces.corners_m) < 0.6 * len(whole)


def test_degenerate_faces_are_skipped_and_counted():
    """Triangles without area are left out; the reading says how many."""
    corners = np.array([[3.0, -1, -1], [3, 1, -1], [3, 0, 1], [1, 0, 0], [1.5, 0, 0], [2, 0, 0]])
    mesh = Mesh(corners, np.array([[0, 1, 2], [3, 4, 5], [3, 3, 4]]))
    found = look(Scene((Body("o", model_of(mesh)),)))
    assert found.range_m[0] == pytest.approx(3.0)
    assert found.truth.degenerate_faces == 2
    assert len(look(Scene((Body("o", model_of(Mesh(corners, np.array([[3, 4, 5]])))),)))) == 0


def test_empty_scene_is_no_error():
    """No body, no detection."""
    found = look(Scene(()))
    assert len(found) == 0
    assert found.nearest_m == math.inf


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"opening_horizontal_rad": 0.0}, "opening_horizontal_rad"),
        ({"opening_vertical_rad": "180 deg"}, "opening_vertical_rad"),
        ({"opening_vertical_rad": "-5 deg"}, "opening_vertical_rad"),
        ({"length_m": 0.0}, "length_m"),
        ({"method": {"type": "lines", "count": 1}}, "count"),
        ({"method": {"type": "line"}}, "lines"),
        ({"range_min_m": 12.0}, "smaller than length_m"),
        ({"dropout": {"type": "chance", "probability": 1.5}}, "probability"),
        ({"noise": {"range_m": -1}}, "range_m"),
        ({"detections": 0}, "detections"),
    ],
)
def test_bad_settings_are_named(settings, said):
    with pytest.raises(ConfigurationError, match=said):
        ConeSensor(**{**WIDE, **settings})


def readings(sensor, scene, times_ns, carrier=None):
    """Samples at these times, one after the other."""
    state, samples = sensor.initial_state(Draws(0)), []
    for index, time_ns in enumerate(times_ns):
        view = View(scene, NoRays(), carrier or Fixed(), Pose.identity(), TimeWindow(time_ns, time_ns))
        stamp = Stamp("s", index, time_ns, time_ns)
        sample, state = sensor.detect(sensor.sense(view), state, Draws(0).at("s", index), stamp)
        samples.append(sample)
    return samples


def test_speed_with_the_true_time_between_readings():
    """Uneven times, exact speed: 2 m/s away, 0.5 m/s to the side, whatever the time between two readings."""
    motion = Gliding(Pose.at(2, 0, 0), (2.0, 0.5, 0.0))
    scene = Scene((Body("o", model_of(Sphere(radius_m=1e-3).mesh()), motion),))
    times = np.cumsum(np.random.default_rng(1).integers(10_000_000, 60_000_000, 40))
    samples = readings(ConeSensor(**WIDE), scene, times.tolist())
    assert np.isnan(samples[0].speed_m_s[0])
    total = np.array([sample.speed_m_s[0] for sample in samples[1:]])
    np.testing.assert_allclose(total, math.hypot(2, 0.5), rtol=2e-3)


def test_speed_is_not_mixed_up_between_bodies():
    """A nearer body that appears begins without a speed; nobody jumps from one to the other."""
    passing = Gliding(Pose.at(3, -6, 0), (0.0, 6.0, 0.0))
    scene = Scene((box("still", Pose.at(8, 0, 0)), Body("passing", model_of(mesh_of_box()), passing)))
    samples = readings(ConeSensor(**WIDE), scene, range(0, 2_000_000_000, 50_000_000))
    for sample in samples:
        if sample.truth.body[0] == 0 and not np.isnan(sample.speed_m_s[0]):
            assert sample.speed_m_s[0] < 1e-9
    assert {sample.truth.body[0] for sample in samples} == {0, 1}


def test_doppler_is_the_slope_of_the_distance():
    """Body turning and moving, sensor moving: the Doppler speed is the time derivative of the range (differences of 1 us)."""
    motion = Gliding(Pose.at(7, 1, 0.2), (-2.0, 1.0, 0.3), (0.1, 0.4, 0.8))
    carrier = Gliding(Pose.at(0, 0, 0), (1.0, 0.2, 0.0), (0.0, 0.0, 0.05))
    scene = Scene((Body("o", model_of(mesh_of_box((1, 2, 1))), motion),))
    sensor = ConeSensor(**WIDE, speed={"type": "doppler"})
    before, now, after = readings(sensor, scene, [499_999_500, 500_000_000, 500_000_500], carrier)
    slope = (after.range_m[0] - before.range_m[0]) / 1e-6
    assert now.radial_speed_m_s[0] == pytest.approx(slope, abs=1e-5)


def test_noise_has_its_standard_deviation():
    """Range, azimuth and elevation: 4000 readings, within 5 standard errors sigma / sqrt(2 N)."""
    sensor = ConeSensor(
        **WIDE, noise={"range_m": 0.03, "range_share": 0.01, "azimuth_rad": 0.02, "elevation_rad": 0.01}
    )
    scene = Scene((wall(4.0),))
    signal = sensor.sense(View(scene, NoRays(), Fixed(), Pose.identity(), sensor.window(0)))
    samples = [sensor.detect(signal, {}, Draws(3).at("s", i), Stamp("s", i, 0, 0))[0] for i in range(4000)]
    band = 5 / math.sqrt(2 * 4000)
    for name, sigma in (("range_m", math.hypot(0.03, 0.04)), ("azimuth_rad", 0.02), ("elevation_rad", 0.01)):
        values = np.array([getattr(sample, name)[0] for sample in samples])
        assert values.std() == pytest.approx(sigma, rel=band)
    assert samples[0].variance_m2 == pytest.approx(0.03**2 + (0.01 * samples[0].range_m[0]) ** 2)


def test_dropout_by_chance():
    """A quarter is missed: within 5 sqrt(p q / N)."""
    sensor = ConeSensor(**WIDE, dropout={"type": "chance", "probability": 0.25})
    signal = sensor.sense(View(Scene((wall(4.0),)), NoRays(), Fixed(), Pose.identity(), sensor.window(0)))
    seen = [len(sensor.detect(signal, {}, Draws(3).at("s", i), Stamp("s", i, 0, 0))[0]) for i in range(3000)]
    assert np.mean(seen) == pytest.approx(0.75, abs=5 * math.sqrt(0.25 * 0.75 / 3000))


def test_faint_echoes_are_missed():
    """At the rated distance on the axis with no reserve half is found; nearer all; off the axis less."""
    found = []
    for pose in (Pose.at(11.51, 0, 0), Pose.at(4, 0, 0), Pose.at(9.4, 6.3, 0)):
        sensor = ConeSensor(
            **WIDE, dropout={"type": "faintness", "reserve_db": 0.0, "fluctuation_db": 3.0, "spreading_db": 40},
            beam={"type": "gaussian", "width_horizontal_rad": "60 deg", "width_vertical_rad": "60 deg"},
        )  # fmt: skip
        scene = Scene(
            (box("o", pose, (0.02, 0.02, 0.02)) if pose.position_m[0] < 11 else box("o", Pose.at(12.49, 0, 0)),)
        )
        signal = sensor.sense(View(scene, NoRays(), Fixed(), Pose.identity(), sensor.window(0)))
        hits = [len(sensor.detect(signal, {}, Draws(3).at("s", i), Stamp("s", i, 0, 0))[0]) for i in range(2000)]
        found.append(np.mean(hits))
    assert found[0] == pytest.approx(0.5, abs=0.06)
    assert found[1] > 0.999
    assert found[2] < 0.2


def test_absorption_of_sound():
    """ISO 9613-2:1996, table 2 (from part 1): 20 degrees, 70 %: 5.0, 9.0, 22.9, 76.6 dB/km at 1, 2, 4, 8 kHz; 10 degrees: 3.7."""
    warm, cool = (WeatherState(temperature_k=k, humidity=0.7) for k in (293.15, 283.15))
    for frequency, table in ((1000, 5.0), (2000, 9.0), (4000, 22.9), (8000, 76.6)):
        assert 1000 * Sound(frequency_hz=frequency).attenuation_db_m(warm) == pytest.approx(table, rel=0.02)
    assert 1000 * Sound(frequency_hz=1000).attenuation_db_m(cool) == pytest.approx(3.7, rel=0.02)


def test_rain_weakens_radar():
    """ITU-R P.838-3 at 80 GHz, horizontal: k = 1.1704, alpha = 0.7115 (its table 5)."""
    for rain in (1.0, 10.0, 50.0):
        found = 1000 * Radio(frequency_hz=80e9).attenuation_db_m(WeatherState(rain_mm_h=rain))
        assert found == pytest.approx(1.1704 * rain**0.7115, rel=1e-3)
    assert Radio().attenuation_db_m(WeatherState()) == 0


def test_cold_air_makes_ultrasound_read_too_far():
    """c ~ sqrt(T): at -10 degrees a device that believes in 20 degrees reads sqrt(293.15 / 263.15) of the distance."""
    scene = Scene((wall(3.0),), weather=ConstantWeather(state=WeatherState(temperature_k=263.15)))
    found = look(scene, wave={"type": "sound"})
    assert found.range_m[0] == pytest.approx(3.0 * math.sqrt(293.15 / 263.15))
    assert look(scene, wave={"type": "sound", "assumed_k": None}).range_m[0] == pytest.approx(3.0)


def test_presets():
    """The parking sensor tells ranges alone, the radar angles and Doppler speed as well."""
    scene = Scene((wall(2.0), Body("o", model_of(mesh_of_box()), Gliding(Pose.at(1.4, 0, 0), (-1.0, 0, 0)))))
    tracer = EmbreeTracer(scene)
    parking = observe(scene, sensor_of("ultrasonic_parking"), tracer=tracer)
    radar = observe(scene, sensor_of("short_range_radar"), tracer=tracer)
    assert parking.radiation == "ultrasound"
    assert np.isnan(parking.azimuth_rad).all()
    assert parking.range_m[0] == pytest.approx(0.9, abs=0.06)
    assert radar.radial_speed_m_s[0] == pytest.approx(-1.0, abs=0.25)
    assert not np.isnan(radar.azimuth_rad).any()


def test_geometry_is_made_once_and_goes_with_its_scene():
    """Asking twice gives the same object; the scene is not kept alive by it."""
    import gc
    import weakref

    scene = Scene((wall(3.0),))
    assert Geometry.of(scene) is Geometry.of(scene)
    gone = weakref.ref(scene)
    del scene
    gc.collect()
    assert gone() is None
