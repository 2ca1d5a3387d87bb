"""What a thermal camera receives, against the equation that it stands for."""

from dataclasses import replace

import numpy as np
import pytest
from worlds import Gliding, mesh_of_box, model_of, wall

from sensorium.atmosphere.infrared import infrared_air
from sensorium.atmosphere.weather import ConstantWeather, WeatherState
from sensorium.core.pose import Pose
from sensorium.core.time import TimeWindow
from sensorium.motion import Fixed
from sensorium.scene.body import Body, Model, Part
from sensorium.scene.scene import Scene
from sensorium.scene.sun import Sun
from sensorium.scene.temperature import FixedTemperature, Gradient, HeatBalance, HotSpot, Profile
from sensorium.scene.view import View
from sensorium.sensors.camera.lenses import Pinhole
from sensorium.sensors.camera.thermal import ThermalCamera
from sensorium.sensors.camera.thermal.optics import Optics
from sensorium.sensors.camera.thermal.response import Band
from sensorium.tracing import EmbreeTracer

BAND = Band()
SHARP = Optics(aberration_m=0.0, f_number=0.5, pitch_m="50 um")
CAMERA = ThermalCamera(lens=Pinhole(width=48, height=32, field_of_view_rad="40 deg"), optics=SHARP, truth={})
NIGHT = Sun(elevation_rad="-30 deg")


def b(t_k):
    return BAND.radiance_w_m2_sr(t_k)


def look(scene: Scene, camera: ThermalCamera = CAMERA, pose: Pose | None = None, time_ns: int = 0):
    view = View(scene, EmbreeTracer(scene), Fixed(), pose or Pose.identity(), TimeWindow(time_ns, time_ns))
    return camera.sense(view)


def room(t_k: float = 280.0, size_m: float = 12.0) -> Body:
    """A closed box of black walls about the camera."""
    return Body(
        "room",
        model_of(mesh_of_box((size_m,) * 3), material="ideal_none"),
        temperatures={"*": FixedTemperature(temperature_k=t_k)},
    )


def target(material: str, t_k: float, distance_m: float = 2.0, size_m: float = 6.0) -> Body:
    body = wall(distance_m, size_m, material)
    return replace(body, temperatures={"*": FixedTemperature(temperature_k=t_k)})


def tau(scene: Scene, distance_m) -> np.ndarray:
    return np.exp(-infrared_air(scene.weather.at(0), scene.air).extinction_1_m * distance_m)


def distances(scene: Scene, depth_m: float) -> np.ndarray:
    columns, rows = np.meshgrid(np.arange(48), np.arange(32))
    ray = CAMERA.lens.directions(np.stack((columns, rows), -1))
    return depth_m / ray[..., 2]


@pytest.mark.parametrize("t_k", [250.0, 300.0, 400.0])
def test_black_body(t_k):
    """e = 1: L = tau B(T) + (1 - tau) B(T_air), at every pixel, to 1e-6."""
    scene = Scene((target("ideal_none", t_k),), sun=NIGHT)
    signal, passed = look(scene), tau(scene, distances(scene, 2.0))
    np.testing.assert_allclose(signal.radiance, passed * b(t_k) + (1 - passed) * b(288.15), rtol=1e-6)
    np.testing.assert_allclose(signal.truth.temperature_k, t_k, rtol=1e-6)


def test_grey_target_in_a_cold_room():
    """e = 0.9 at 300 K in surroundings of 280 K: L = tau (0.9 B(300) + 0.1 B(280)) + (1 - tau) B(280), to 1e-6."""
    cold = ConstantWeather(state=WeatherState(temperature_k=280.0))
    scene = Scene((target("lambertian_10", 300.0), room()), sun=NIGHT, weather=cold)
    passed = tau(scene, distances(scene, 2.0))
    expected = passed * (0.9 * b(300.0) + 0.1 * b(280.0)) + (1 - passed) * b(280.0)
    np.testing.assert_allclose(look(scene).radiance, expected, rtol=1e-6)


def test_a_mirror_shows_what_is_behind_the_camera():
    """A mirroring face (m = 1) takes L_env from the mirrored ray: a hot plate behind the camera stands in it at its place."""
    plate = replace(target("ideal_none", 400.0, -3.0, 1.0), name="plate")
    scene = Scene((target("silver_mirror", 300.0), plate, room()), sun=NIGHT)
    image = look(scene).radiance
    # half of 1 m at 2 m + 5 m: mirrored at 1 / 7 of the focal length
    half = 0.5 / 7 * CAMERA.lens.focal_px[0]
    columns, rows = np.meshgrid(np.arange(48) - 23.5, np.arange(32) - 15.5)
    inside = np.maximum(np.abs(columns), np.abs(rows)) < half - 1
    outside = np.maximum(np.abs(columns), np.abs(rows)) > half + 1
    passed = tau(scene, 2.0) * tau(scene, 5.0)
    np.testing.assert_allclose(image[inside], 0.98 * passed * b(400.0) + 0.02 * b(300.0), rtol=5e-3)
    assert image[outside].max() < b(300.0)


def test_emissivity_falls_towards_grazing_incidence():
    """A mirroring face: e(t) = e_n (1 - (1 - cos t)^5), the rest is the room (Schlick); glass at 80 deg is half a mirror."""
    turned = Pose.at(2.0, 0.0, 0.0, np.radians(75.0))
    face = Body(
        "face",
        wall(0.0, 20.0, "window_glass").model,
        Fixed(pose=turned),
        temperatures={"*": FixedTemperature(temperature_k=320.0)},
    )
    scene = Scene(
        (face, room(280.0, 60.0)), sun=NIGHT, weather=ConstantWeather(state=WeatherState(temperature_k=280.0))
    )
    signal = look(scene)
    seen = signal.truth.body == 0
    columns, rows = np.meshgrid(np.arange(48), np.arange(32))
    ray = CAMERA.lens.directions(np.stack((columns, rows), -1))
    cosine = np.abs((ray * signal.truth.normal).sum(-1))
    e = 0.88 * (1 - (1 - cosine) ** 5)
    passed = np.exp(-infrared_air(scene.weather.at(0), scene.air).extinction_1_m * signal.truth.depth_m / ray[..., 2])
    expected = passed * (e * b(320.0) + (1 - e) * b(280.0)) + (1 - passed) * b(280.0)
    assert e[seen].min() < 0.6
    inner = seen & np.roll(seen, 1, 1) & np.roll(seen, -1, 1)
    np.testing.assert_allclose(signal.radiance[inner], expected[inner], rtol=1e-4)


def test_sky_falls_with_elevation_and_closes_with_clouds():
    """The clear zenith is far colder than the horizon, which is as warm as the air; a covered sky is as its clouds' bases."""
    up = Pose.from_rpy((0, 0, 1.5), (0, -np.pi / 2, 0))
    away = Body("away", wall(5.0, 0.1).model, Fixed(pose=Pose.at(-50.0, 0, -20.0)))
    clear, covered = (
        Scene((away,), sun=NIGHT, weather=ConstantWeather(state=WeatherState(cloud_cover=c))) for c in (0.0, 1.0)
    )
    kelvin = [
        CAMERA.detector.kelvin_of(CAMERA.detector.counts_of(look(s, pose=up).radiance[16, 24]))
        for s in (clear, covered)
    ]
    assert kelvin[0] < 235
    assert 276 < kelvin[1] < 284
    ahead = look(clear)
    assert ahead.radiance[15, 24] > ahead.radiance[8, 24] > ahead.radiance[0, 24]
    assert ahead.radiance[15, 24] == pytest.approx(float(b(288.15)), rel=0.02)
    assert ahead.radiance[-1, 24] == pytest.approx(float(b(288.15)), rel=1e-6)  # below the horizon: endless air
    assert np.isnan(ahead.truth.temperature_k).all()


@pytest.mark.parametrize(
    "weather",
    [{"visibility_m": 100.0}, {"rain_mm_h": 50.0}, {"snow_mm_h": 5.0}, {"dust_g_m3": 0.05}, {"humidity": 1.0}],
)
def test_the_air_takes_contrast(weather):
    """A target of 320 K at 100 m fades towards the air's temperature in fog, rain, snow, dust and damp: by tau of that air."""
    clear = Scene((target("ideal_none", 320.0, 100.0, 200.0),), sun=NIGHT)
    thick = replace(clear, weather=ConstantWeather(state=WeatherState(**weather)))
    kept = [float((look(s).radiance[16, 24] - b(288.15)) / (b(320.0) - b(288.15))) for s in (clear, thick)]
    assert kept[1] < kept[0] - 0.01
    assert kept[1] == pytest.approx(tau(thick, 100.0), rel=2e-3)


def test_patterns_lie_where_the_body_is():
    """A gradient of 10 K/m along y and a spot of 20 K move with the body: T = T0 + g y + rise exp(-r^2 / 2)."""
    pattern = Profile(
        base=FixedTemperature(temperature_k=300.0), rise_k=5.0, gradient=Gradient(k_m=(0.0, 10.0, 0.0)),
        spots=(HotSpot(centre_m=(0.0, 0.3, 0.1), radius_m=0.2, rise_k=20.0),),
    )  # fmt: skip
    mover = Body(
        "mover",
        wall(0.0, 3.0, "ideal_none").model,
        Gliding(Pose.at(2.0, 0, 0), (0.0, 1.0, 0.0)),
        temperatures={"*": pattern},
    )
    signal = look(Scene((mover,), sun=NIGHT), time_ns=250_000_000)  # now 0.25 m to the left
    columns, rows = np.meshgrid(np.arange(48), np.arange(32))
    plane = CAMERA.lens.directions(np.stack((columns, rows), -1))
    y, z = (-2 * plane[..., i] / plane[..., 2] for i in (0, 1))
    expected = 305 + 10 * (y - 0.25) + 20 * np.exp(-0.5 * ((y - 0.25 - 0.3) ** 2 + (z - 0.1) ** 2) / 0.2**2)
    inside = signal.truth.body == 0
    np.testing.assert_allclose(signal.truth.temperature_k[inside], expected[inside], atol=2e-3)


def street_of_one_roof(sun: Sun | None):
    """A black sheet on the ground, half of it below a roof."""
    ground = Part(
        "ground",
        wall(0.0, 60.0).model.parts[0].mesh.moved(Pose.from_rpy((0, 0, 0), (0, np.pi / 2, 0))),
        "car_paint_black",
        "ground",
    )
    roof = Part("roof", mesh_of_box((6.0, 6.0, 0.1)).moved(Pose.at(8.0, 4.0, 3.0)), "concrete", "roof")
    return Scene((Body("all", Model("all", (ground, roof))),), sun=sun)


def test_sun_warms_and_roofs_cast_cold_shadows_by_day_and_warm_ones_by_night():
    """By day the place in the shade is colder by tens of kelvin; by night a roof keeps the cold sky off the ground below."""
    camera = replace(CAMERA, lens=Pinhole(width=96, height=64, field_of_view_rad="80 deg"))
    pose = Pose.at(0, 0, 1.5)
    day = look(street_of_one_roof(Sun(elevation_rad="80 deg")), camera, pose)
    night = look(street_of_one_roof(NIGHT), camera, pose)
    ground = day.truth.part == 0
    columns, rows = np.meshgrid(np.arange(96), np.arange(64))
    ray = camera.lens.directions(np.stack((columns, rows), -1))
    x, y = day.truth.depth_m, -day.truth.depth_m * ray[..., 0] / ray[..., 2]
    under = ground & (np.abs(x - 8) < 1.5) & (np.abs(y - 4) < 1.5)
    free = ground & (np.abs(x - 8) < 1.5) & (np.abs(y + 4) < 1.5)
    assert under.sum() > 10
    assert day.truth.temperature_k[free].mean() - day.truth.temperature_k[under].mean() > 25
    assert night.truth.temperature_k[under].mean() - night.truth.temperature_k[free].mean() > 1.5


def test_what_moves_throws_no_lasting_shadow():
    """A lid that flies over the ground does not cool it: only what stands still does."""
    scene = street_of_one_roof(Sun(elevation_rad="80 deg"))
    ground = Body("ground", Model("ground", (scene.bodies[0].model.parts[0],)))
    lid = Body("lid", Model("lid", (scene.bodies[0].model.parts[1],)), Gliding(Pose.identity(), (10.0, 0.0, 0.0)))
    camera, pose = replace(CAMERA, lens=Pinhole(width=96, height=64, field_of_view_rad="80 deg")), Pose.at(0, 0, 1.5)
    flying = look(replace(scene, bodies=(ground, lid)), camera, pose)
    still = look(scene, camera, pose)
    assert (
        flying.truth.temperature_k[flying.truth.body == 0].min()
        > still.truth.temperature_k[still.truth.part == 0].min() + 20
    )


def test_a_default_street_has_no_fixed_temperature():
    """HeatBalance is what scenes take unless told otherwise."""
    assert Scene().temperature == HeatBalance()


def test_sunlight_thrown_back_counts_from_3_to_5_um_and_hardly_from_8_to_14():
    """A matt face, e = 0.9, in the sun: L grows by (1 - e) E cos / pi, E = B(5772 K) 6.794e-5 sr times what the air leaves.

    From 3 to 5 um that is 10 to 40 % of what a face of 300 K emits, from 8 to 14 um less than 0.2 %.
    """
    from sensorium.scene.daylight import daylight
    from sensorium.sensors.camera.thermal.detector import Microbolometer, PhotonDetector

    for detector, low, high in (
        (Microbolometer(response=Band(low_m=3e-6, high_m=5e-6)), 0.1, 0.4),
        (Microbolometer(), 0, 2e-3),
        (PhotonDetector(), 0.1, 0.6),
    ):
        camera = replace(CAMERA, detector=detector)
        lit = Scene((target("lambertian_10", 300.0),), sun=Sun(elevation_rad="40 deg", azimuth_rad="180 deg"))
        dark = replace(lit, sun=Sun(elevation_rad="40 deg", azimuth_rad=0.0))  # behind the face
        sunny, shaded = (look(scene, camera).radiance[16, 24] for scene in (lit, dark))
        light = daylight(lit, np.zeros(1, np.int64)).direct_w_m2[0] / 1361
        disc = (
            detector.response.photon_radiance_1_s_m2_sr(5772.0)
            if detector.photons
            else detector.response.radiance_w_m2_sr(5772.0)
        )
        expected = 0.1 * np.cos(np.radians(40)) / np.pi * disc * 6.794e-5 * light
        own = float(detector.radiance_of(np.array([300.0]))[0])
        assert low <= (sunny - shaded) / own < high
        if low:
            assert sunny - shaded == pytest.approx(expected, rel=0.05)  # the ground's heat comes to both alike


def test_a_wet_road_mirrors_warm_things():
    """Rain on level ground: at grazing incidence the film shows the warm wall behind it, dry asphalt hardly does."""
    ground = wall(0.0, 60.0).model.parts[0].mesh.moved(Pose.from_rpy((0, 0, 0), (0, np.pi / 2, 0)))
    road = Body(
        "road",
        Model("road", (Part("road", ground, "asphalt", "road"),)),
        temperatures={"*": FixedTemperature(temperature_k=288.15)},
    )
    hot = target("ideal_none", 330.0, 12.0, 3.0)
    rises = []
    for rain in (0.0, 5.0):
        weather = ConstantWeather(state=WeatherState(rain_mm_h=rain, cloud_cover=1.0))
        seen = []
        for bodies in ((road,), (road, hot)):
            signal = look(Scene(bodies, sun=NIGHT, weather=weather), pose=Pose.at(0, 0, 1.0))
            seen.append(np.where(signal.truth.body == 0, signal.radiance, np.nan)[18:22, 22:26])
        rises.append(float(np.nanmean(seen[1] - seen[0])))
    assert rises[1] > 5 * max(rises[0], 0.01)
    assert rises[1] > 0.5
