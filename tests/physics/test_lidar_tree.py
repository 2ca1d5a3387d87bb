"""Mirrors and glass: both kinds of ghost, panes and refraction, against geometry."""

import numpy as np
import pytest
from worlds import mesh_of_box, model_of

from sensorium.atmosphere import Medium
from sensorium.core.pose import Pose
from sensorium.core.time import TimeWindow
from sensorium.materials.library import MaterialLibrary, standard_library
from sensorium.materials.material import Material
from sensorium.materials.reflectance import fresnel, slab_reflectance
from sensorium.materials.surface import Glass, Mirror, Pane
from sensorium.motion import Fixed
from sensorium.samples.causes import Cause
from sensorium.scene.body import Body
from sensorium.scene.mesh import Mesh
from sensorium.scene.scene import Scene
from sensorium.scene.view import View
from sensorium.sensors import Lidar
from sensorium.sensors.lidar import Channel, Spinning
from sensorium.sensors.lidar.bundle import Bundle
from sensorium.sensors.lidar.links import Radar
from sensorium.tracing import EmbreeTracer

VACUUM = Medium(name="vacuum", extinction_1_m=0.0)
WINDOW = TimeWindow(0, 100_000_000)
SILVER = (0.17, 5.7)


def library() -> MaterialLibrary:
    clean = {"value": 0.0, "source": "by definition"}
    optical = {
        "reflectance_905nm": clean,
        "reflectance_1550nm": clean,
        "colour": {"value": [0, 0, 0], "source": "by definition"},
    }
    surfaces = {
        "test_mirror": Mirror(index_905nm=SILVER, index_1550nm=SILVER),
        "test_pane": Pane(eta_905nm=1.5, thickness_m=0.006),
        "test_glass": Glass(eta_905nm=1.5),
    }
    return standard_library().with_materials(
        Material(name=name, optical=optical, surface=s) for name, s in surfaces.items()
    )


LIBRARY = library()


def sheet(name: str, material: str, pose: Pose, half_m: float = 3.0) -> Body:
    """A square whose front looks along its own -x."""
    mesh = Mesh(
        np.array([[0, -1, -1], [0, -1, 1], [0, 1, 1], [0, 1, -1]], float) * half_m, np.array([[0, 1, 2], [0, 2, 3]])
    )
    return Body(name, model_of(mesh, material=material), Fixed(pose=pose))


def lidar(**settings) -> Lidar:
    """A beam that fires straight ahead (and slowly turns away), followed over four surfaces."""
    pattern = Spinning(firing_cycle_s=1e-4, channels=(Channel(ring=0, elevation_rad=0.0),), start_azimuth_rad=0.0)
    return Lidar(pattern=pattern, depth=4, range_max_m=200, **settings)


def first_beam(instrument: Lidar, scene: Scene):
    """Echoes beyond the first surface of the beam that looks straight ahead: distance, power, cause."""
    signal = instrument.sense(View(scene, EmbreeTracer(scene), Fixed(), Pose.identity(), WINDOW))
    later, rows = signal.later, slice(signal.later.first[0], signal.later.first[1])
    return later.distance_m[rows], later.power_w[rows], later.cause[rows], signal


def test_mirror_ghost_appears_behind_the_mirror():
    """There and back over a mirror at 45 degrees: range L1 + L2 and power of a wall there, times R squared."""
    mirror = sheet("mirror", "test_mirror", Pose.at(10, 0, 0, np.radians(-45)))
    board = sheet("board", "lambertian_80", Pose.at(10, 7, 0, np.radians(90)))
    distance, power, cause, _ = first_beam(lidar(acceptance_rad=0.0), Scene((mirror, board), LIBRARY, VACUUM))
    ghost = cause == Cause.MIRROR_GHOST
    assert ghost.sum() == 1
    assert distance[ghost][0] == pytest.approx(17.0, abs=1e-3)
    rho, link = LIBRARY["lambertian_80"].optical.reflectance_905nm.value, Radar()
    share = fresnel(*SILVER, np.cos(np.radians(45)))
    expected = link.peak_power_w * link.efficiency * rho / np.pi * link.figures().aperture_m2 / 17.0**2 * share**2
    assert power[ghost][0] == pytest.approx(expected, rel=1e-3)


# The beam goes to a mirror at (20, 0), which turns it by 4 degrees towards +y, onto a board along y = 1 that faces -y.
TURNING_MIRROR = sheet("mirror", "test_mirror", Pose.at(20, 0, 0, np.radians(-2)))
SIDE_BOARD = sheet("board", "lambertian_80", Pose.at(5.7, 1.0, 0, np.radians(90)), half_m=1.0)


def test_direct_ghost_is_half_the_way_round():
    """Lit over a mirror, seen directly: (L1 + L2 + L3) / 2, only inside the acceptance angle of the receiver."""
    scene = Scene((TURNING_MIRROR, SIDE_BOARD), LIBRARY, VACUUM)
    distance, power, cause, _ = first_beam(lidar(acceptance_rad="20 deg"), scene)
    direct = cause == Cause.DIRECT_GHOST
    back = 1.0 / np.tan(np.radians(4))
    l1, l2, l3 = 20.0, 1.0 / np.sin(np.radians(4)), np.hypot(20.0 - back, 1.0)
    assert direct.sum() == 1
    assert distance[direct][0] == pytest.approx((l1 + l2 + l3) / 2, abs=2e-3)
    rho, link = LIBRARY["lambertian_80"].optical.reflectance_905nm.value, Radar()
    sent = link.peak_power_w * link.efficiency * fresnel(*SILVER, np.cos(np.radians(2))) * rho / np.pi
    assert power[direct][0] == pytest.approx(sent * (1.0 / l3) * link.figures().aperture_m2 / l3**2, rel=1e-3)
    narrow = first_beam(lidar(acceptance_rad="9 deg"), scene)[2]  # the board appears 10 degrees beside the beam
    assert not (narrow == Cause.DIRECT_GHOST).any()


def test_direct_ghost_is_hidden_by_what_stands_in_between():
    """A board between the lit surface and the sensor takes the direct ghost away."""
    screen = Body(
        "screen", model_of(mesh_of_box((0.01, 0.3, 2.0)), material="asphalt"), Fixed(pose=Pose.at(2.0, 0.351, 0))
    )
    bodies = TURNING_MIRROR, SIDE_BOARD
    open_view = first_beam(lidar(acceptance_rad="20 deg"), Scene(bodies, LIBRARY, VACUUM))[2]
    hidden = first_beam(lidar(acceptance_rad="20 deg"), Scene((*bodies, screen), LIBRARY, VACUUM))[2]
    assert (open_view == Cause.DIRECT_GHOST).any()
    assert not (hidden == Cause.DIRECT_GHOST).any()


def test_pane_lets_the_wall_behind_it_through():
    """Through a pane met head-on: optical path + (n - 1) t, power times T^4 of the way in and out (T^2 each way)."""
    pane = sheet("pane", "test_pane", Pose.at(5, 0, 0))
    board = sheet("board", "lambertian_80", Pose.at(15, 0, 0))
    distance, power, cause, _ = first_beam(lidar(), Scene((pane, board), LIBRARY, VACUUM))
    through = cause == Cause.THROUGH_GLASS
    assert through.sum() == 1
    assert distance[through][0] == pytest.approx(15.0 + 0.5 * 0.006, abs=3e-4)
    rho, link = LIBRARY["lambertian_80"].optical.reflectance_905nm.value, Radar()
    plain = link.peak_power_w * link.efficiency * rho / np.pi * link.figures().aperture_m2 / 15.0**2
    assert power[through][0] == pytest.approx(plain * (1 - slab_reflectance(0.04)) ** 2, rel=2e-3)


def test_refraction_through_a_tilted_slab_of_glass():
    """A 1 m thick slab tilted by 40 degrees shifts the beam by t sin(a - b) / cos(a); it leaves parallel to where it came in."""
    tilt, thickness = np.radians(40), 1.0
    slab = Body(
        "slab", model_of(mesh_of_box((thickness, 8.0, 8.0)), material="test_glass"), Fixed(pose=Pose.at(5, 0, 0, tilt))
    )
    inner = np.arcsin(np.sin(tilt) / 1.5)
    shift = thickness * np.sin(tilt - inner) / np.cos(inner)
    for offset, expected in ((0.01, True), (-0.01, False)):
        # a board whose edge lies just inside or just outside of where the shifted beam arrives
        edge = shift - offset
        mesh = Mesh(np.array([[0, 0, -2], [0, 0, 2], [0, 4, 2], [0, 4, -2]], float), np.array([[0, 1, 2], [0, 2, 3]]))
        board = Body("board", model_of(mesh, material="lambertian_80"), Fixed(pose=Pose.at(20, edge, 0)))
        distance, _, cause, _ = first_beam(lidar(), Scene((slab, board), LIBRARY, VACUUM))
        met = distance[(cause == Cause.THROUGH_GLASS) & (distance > 15)]
        assert (len(met) > 0) == expected
        if expected:
            inside = thickness / np.cos(inner)
            outside = 20 - inside * np.cos(tilt - inner)
            assert met.min() == pytest.approx(outside + 1.5 * inside, abs=2e-3)


def test_total_reflection_inside_glass_loses_nothing():
    """A 45 degree prism turns the beam by 90 degrees: only the two faces met head-on take their 4 percent each way."""
    corners = np.array([[0, -1, -1], [0, 1, -1], [2, 1, -1], [0, -1, 1], [0, 1, 1], [2, 1, 1]], float)
    faces = np.array([[0, 2, 1], [3, 4, 5], [0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4], [0, 3, 5], [0, 5, 2]])
    prism = Body("prism", model_of(Mesh(corners, faces[:, ::-1]), material="test_glass"), Fixed(pose=Pose.at(5, 0, 0)))
    board = sheet("board", "lambertian_80", Pose.at(6, 8, 0, np.radians(90)))
    distance, power, _, _ = first_beam(lidar(acceptance_rad=0), Scene((prism, board), LIBRARY, VACUUM))
    best = int(np.argmax(power))
    assert distance[best] == pytest.approx(5.0 + 1.5 * 2.0 + 7.0, abs=3e-3)
    rho, link = LIBRARY["lambertian_80"].optical.reflectance_905nm.value, Radar()
    plain = link.peak_power_w * link.efficiency * rho / np.pi * link.figures().aperture_m2 / distance[best] ** 2
    assert power[best] == pytest.approx(plain * 0.96**4, rel=2e-3)


def test_depth_one_sees_neither_ghost_nor_what_is_behind_glass():
    """With depth 1 nothing is followed."""
    pane = sheet("pane", "test_pane", Pose.at(5, 0, 0))
    board = sheet("board", "lambertian_80", Pose.at(15, 0, 0))
    pattern = lidar().pattern
    instrument = Lidar(pattern=pattern, depth=1, bundle=Bundle(rays=5))
    assert len(first_beam(instrument, Scene((pane, board), LIBRARY, VACUUM))[3].later.distance_m) == 0
