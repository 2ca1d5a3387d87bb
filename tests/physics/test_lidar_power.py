"""The power of an echo against the LiDAR equation and the divergence formula."""

import numpy as np
import pytest
from worlds import Gliding, mesh_of_box, model_of, wall

from sensorium.atmosphere import Medium
from sensorium.core.pose import Pose
from sensorium.core.time import TimeWindow
from sensorium.materials.library import standard_library
from sensorium.motion import Fixed
from sensorium.scene.body import Body
from sensorium.scene.mesh import Mesh
from sensorium.scene.scene import Scene
from sensorium.scene.view import View
from sensorium.sensors import Lidar
from sensorium.sensors.lidar import Channel, Spinning
from sensorium.sensors.lidar.bundle import Bundle
from sensorium.sensors.lidar.link_kernels import glint_power, overlap
from sensorium.sensors.lidar.links import Overlap, Radar, ThreeLobe
from sensorium.sensors.lidar.scan import Emission
from sensorium.tracing import EmbreeTracer

ONE_BEAM = Spinning(firing_cycle_s="100 us", channels=(Channel(ring=0, elevation_rad=0.0),))
VACUUM = Medium(name="vacuum", extinction_1_m=0.0)


def signal(lidar: Lidar, scene: Scene):
    window = TimeWindow(0, 100_000_000)
    return lidar.sense(View(scene, EmbreeTracer(scene), Fixed(), Pose.identity(), window))


def matt_wall(distance_m: float, material: str = "lambertian_80", size_m: float = 400.0) -> Body:
    body = wall(distance_m, size_m)
    return Body("wall", model_of(body.model.parts[0].mesh, material=material), body.motion)


def ahead(lidar: Lidar, scene: Scene) -> tuple[float, float]:
    """Power and distance of the beam that looks straight ahead."""
    s = signal(lidar, scene)
    rays = lidar.bundle.rays
    k = int(np.argmax(s.beams.direction[:, 0]))
    return float(np.sum(s.first.power_w[k * rays : (k + 1) * rays], dtype=float)), float(s.first.distance_m[k * rays])


def test_divergence_oracle():
    """R = E = 5 mm, thetaD = 1.5 mrad, x = 10 m: w = 20 mm, ratio 0.135894; exactly one at x = 0."""
    assert overlap(0.005, 0.0, 0.005, np.tan(1.5e-3), 10.0) == pytest.approx(0.135894, abs=1e-6)
    assert overlap(0.005, 0.0, 0.005, np.tan(1.5e-3), 0.0) == pytest.approx(1.0, abs=1e-15)
    assert overlap(0.005, 0.02, 0.005, np.tan(1.5e-3), 10.0) == pytest.approx(
        0.135894 * np.exp(-2 * 0.02**2 / 0.02**2), rel=1e-4
    )


@pytest.mark.parametrize("distance_m", [5.0, 20.0, 80.0])
def test_lidar_equation(distance_m):
    """P = P_peak eta rho/pi cos A / x^2 exp(-2 alpha x) on a matt wall met head-on."""
    alpha = 0.004
    link = Radar(peak_power_w=60, efficiency=0.4, aperture_radius_m=0.025)
    scene = Scene((matt_wall(distance_m),), air=Medium(extinction_1_m=alpha))
    power, distance = ahead(Lidar(pattern=ONE_BEAM, link=link, range_max_m=200), scene)
    rho = standard_library()["lambertian_80"].optical.reflectance_905nm.value
    expected = 60 * 0.4 * rho / np.pi * np.pi * 0.025**2 / distance**2 * np.exp(-2 * alpha * distance)
    assert power == pytest.approx(expected, rel=1e-4)


def test_lamberts_law_and_inverse_square_along_a_wall():
    """On one straight wall the power falls as cos(a)^3: cos for the slant, cos^2 for the distance d / cos(a)."""
    scene = Scene((matt_wall(10.0),), air=VACUUM)
    s = signal(Lidar(pattern=ONE_BEAM, range_max_m=500), scene)
    cosine = s.beams.direction[:, 0]
    seen = (s.first.power_w > 0) & (cosine > 0.05)
    assert seen.sum() > 400
    relative = s.first.power_w[seen] / s.first.power_w.max()
    np.testing.assert_allclose(relative, cosine[seen] ** 3 / cosine.max() ** 3, rtol=2e-4)


def test_overlap_link_has_the_same_far_field():
    """Document 004's link: f cos t g(x); beyond 50 m its g falls as 1/x^2 within 2 percent from 50 to 100 m."""
    link = Overlap(peak_power_w=60, efficiency=0.4)
    scenes = [Scene((matt_wall(d),), air=VACUUM) for d in (10.0, 50.0, 100.0)]
    powers = [ahead(Lidar(pattern=ONE_BEAM, link=link, range_max_m=200), scene)[0] for scene in scenes]
    rho = standard_library()["lambertian_80"].optical.reflectance_905nm.value
    assert powers[0] == pytest.approx(60 * 0.4 * rho / np.pi * 0.135894, rel=1e-4)
    w = [d * np.tan(1.5e-3) + 0.005 for d in (50.0, 100.0)]
    assert powers[1] / powers[2] == pytest.approx(
        (1 - np.exp(-2 * 0.005**2 / w[0] ** 2)) / (1 - np.exp(-2 * 0.005**2 / w[1] ** 2)), rel=1e-4
    )


def test_three_lobe_link():
    """P = I P_peak eps exp(-2 A r) with the lobes of asphalt."""
    lobes = standard_library()["asphalt"].lobes
    scene = Scene((matt_wall(20.0, "asphalt"),), air=Medium(extinction_1_m=0.01))
    power, r = ahead(Lidar(pattern=ONE_BEAM, link=ThreeLobe(peak_power_w=50, efficiency=0.5)), scene)
    # the beam nearest to straight ahead may be off by half a step of the sweep
    i = lobes.alpha / (2 * r**2) + lobes.beta / (lobes.sigma_deg * np.sqrt(2 * np.pi)) + lobes.gamma
    assert power == pytest.approx(50 * 0.5 * i * np.exp(-0.02 * r), rel=1e-3)


@pytest.mark.parametrize("rays", [1, 5, 9, 19])
def test_bundle_shares_the_power_of_a_partly_covered_footprint(rays):
    """A half plane that covers half of the beam returns half the power, within the weight of the rays on the edge."""
    mesh = Mesh(np.array([[0, 0, -50], [0, 0, 50], [0, 50, 50], [0, 50, -50]], float), np.array([[0, 1, 2], [0, 2, 3]]))
    half = Body("half", model_of(mesh, material="lambertian_80"), Fixed(pose=Pose.at(20.0, 1e-5, 0)))
    bundle = Bundle(rays=rays, divergence_rad="2 mrad")
    lidar = Lidar(pattern=ONE_BEAM, bundle=bundle, range_max_m=100)
    whole, _ = ahead(lidar, Scene((matt_wall(20.0),), air=VACUUM))
    part, _ = ahead(lidar, Scene((half,), air=VACUUM))
    on_edge = bundle.weights[np.abs(bundle.offsets[:, 0]) < 1e-9].sum()
    assert abs(part / whole - 0.5) <= on_edge / 2 + 1e-3


def test_bundle_weights_are_the_moments_of_a_gaussian_beam():
    """Weights sum to 1, and <rho^2> = theta^2 / 2 for 5, 9 and 19 rays; the rose stands on the cone, right-hand ray first."""
    for rays in (5, 9, 19):
        bundle = Bundle(rays=rays, divergence_rad=1e-3)
        assert bundle.weights.sum() == pytest.approx(1.0)
        assert np.sum(bundle.weights * np.sum(bundle.offsets**2, 1)) == pytest.approx(0.5e-6, rel=1e-5)
    rose = Bundle(rays=5, divergence_rad=1e-3).offsets / np.tan(1e-3)
    np.testing.assert_allclose(rose, [[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1]], atol=1e-12)


def test_rose_is_counter_clockwise_from_the_right_as_seen_along_the_beam():
    """In the world: looking along x, the second ray goes to the right (-y), the third upwards."""
    bundle = Bundle(rays=5, divergence_rad=0.01)
    lidar = Lidar(
        pattern=Spinning(firing_cycle_s=1e-4, channels=ONE_BEAM.channels, start_azimuth_rad=0),
        bundle=bundle,
        range_max_m=50,
    )
    view = View(Scene(()), EmbreeTracer(Scene(())), Fixed(), Pose.identity(), TimeWindow(0, 100_000_000))
    table = view.scene.library.optical_table(905e-9)
    emission = Emission(view, lidar.pattern.beams(view.window), bundle, table, lidar.link.figures(), 0.0, 50.0)
    direction = emission.cast(np.array([0])).rays.direction
    assert direction[1, 1] < -0.009
    assert direction[2, 2] > 0.009


def test_mirror_head_on_returns_the_beam():
    """A mirror at normal incidence sends the beam back: R g(2 x), far more than any matt surface."""
    from sensorium.materials.surface import Mirror

    library = standard_library()
    silver = library["lambertian_80"].__class__(
        name="silver_mirror",
        optical=library["lambertian_80"].optical,
        surface=Mirror(index_905nm=(0.17, 5.7), index_1550nm=(0.4, 10)),
    )
    scene = Scene((matt_wall(20.0, "silver_mirror"),), library.with_materials([silver]), air=VACUUM)
    link = Radar()
    power, _ = ahead(Lidar(pattern=ONE_BEAM, link=link, depth=1), scene)
    matt, _ = ahead(Lidar(pattern=ONE_BEAM, link=link, depth=1), Scene((matt_wall(20.0),), air=VACUUM))
    assert power - matt == pytest.approx(glint_power(link.figures(), 0.9799, 0.0, 20.0, 0.0), rel=1e-2)
    assert power > 1000 * matt


def test_movement_inside_the_bundle_is_shared():
    """All rays of a beam fire at the same time: a car passing by is met by all of them or by none of the later ones."""
    car = Body(
        "car", model_of(mesh_of_box((2.0, 2.0, 2.0)), material="lambertian_80"), Gliding(Pose.at(10, -5, 0), (0, 50, 0))
    )
    s = signal(Lidar(pattern=ONE_BEAM, bundle=Bundle(rays=5, divergence_rad=1e-4)), Scene((car,), air=VACUUM))
    hit = np.isfinite(s.first.distance_m).reshape(-1, 5)
    assert hit.all(1).sum() > 20
    assert (hit.any(1) != hit.all(1)).sum() <= 4
