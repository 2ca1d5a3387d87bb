"""Cross sections of plates, spheres and corners against their closed forms; speeds and ghosts of traced paths."""

import numpy as np
import pytest
from radars import C_M_S, corner, cross_section_db, dihedral, plate, thing, traced, view_of
from worlds import Gliding

from sensorium.core.pose import Pose
from sensorium.motion import Spinning
from sensorium.scene.mesh import Mesh
from sensorium.scene.shapes import Sphere

FREQUENCY_HZ = 77e9
WAVELENGTH_M = C_M_S / FREQUENCY_HZ


def db(value: float) -> float:
    return float(10 * np.log10(value))


@pytest.mark.parametrize(("side_m", "range_m"), [(0.1, 60.0), (0.2, 200.0), (0.3, 400.0)])
def test_plate(side_m, range_m):
    """sigma = 4 pi A^2 / lambda^2 met head-on, farther than 2 D^2 / lambda."""
    view = view_of(thing(plate(side_m), Pose.at(range_m, 0, 0)))
    found = cross_section_db(traced(view, 1.2 * side_m / range_m, side_m / range_m / 60), WAVELENGTH_M)
    assert found == pytest.approx(db(4 * np.pi * side_m**4 / WAVELENGTH_M**2), abs=1)


@pytest.mark.parametrize("tilt_deg", [0.2, 0.5, 1.0])
def test_lobe_of_a_tilted_plate(tilt_deg):
    """sigma = 4 pi A^2 / lambda^2 (cos t sinc(k a sin t))^2: the main lobe and the tops of the first side lobes."""
    side_m, range_m = 0.2, 200.0
    tilt = np.radians(tilt_deg)
    view = view_of(thing(plate(side_m), Pose.at(range_m, 0, 0, tilt)))
    phase = 2 * np.pi / WAVELENGTH_M * side_m * np.sin(tilt)
    expected = 4 * np.pi * side_m**4 / WAVELENGTH_M**2 * (np.cos(tilt) * np.sinc(phase / np.pi)) ** 2
    found = cross_section_db(traced(view, 1.2e-3, 1e-5), WAVELENGTH_M)
    assert found == pytest.approx(db(expected), abs=1)


@pytest.mark.parametrize("radius_m", [0.1, 0.3])
def test_sphere(radius_m):
    """sigma = pi r^2 while the circumference is many wavelengths; facets must be flat within lambda / 100."""
    view = view_of(thing(Sphere(radius_m=radius_m, facet_m=1e-5).mesh(), Pose.at(150.0, 0, 0)))
    found = cross_section_db(traced(view, 1.1 * radius_m / 150, 1e-5 * (radius_m / 0.3) ** 0.5, 1), WAVELENGTH_M)
    assert found == pytest.approx(db(np.pi * radius_m**2), abs=1)


@pytest.mark.parametrize("side_m", [0.1, 0.2, 0.4])
def test_trihedral(side_m):
    """sigma = 4 pi a^4 / (3 lambda^2) of a corner of three triangles along its axis, of three bounces that the rays find."""
    view = view_of(thing(corner(side_m), Pose.at(200.0, 0, 0)))
    paths = traced(view, 1.0 * side_m / 200, side_m / 200 / 150)
    assert cross_section_db(paths, WAVELENGTH_M) == pytest.approx(
        db(4 * np.pi * side_m**4 / (3 * WAVELENGTH_M**2)), abs=1
    )
    strongest = paths.bounces[np.argsort(-np.abs(paths.amplitude_m))[:100]]
    assert (strongest == 3).all()


def test_trihedral_keeps_its_cross_section_when_turned():
    """A corner looks bright from all around: 10 degrees off its axis within 1.5 dB."""
    turned = Pose.from_rpy((200.0, 0, 0), (0, 0, np.radians(10)))
    found = cross_section_db(traced(view_of(thing(corner(0.2), turned)), 1.2e-3, 7e-6), WAVELENGTH_M)
    assert found == pytest.approx(db(4 * np.pi * 0.2**4 / (3 * WAVELENGTH_M**2)), abs=1.5)


def test_dihedral():
    """sigma = 8 pi a^2 b^2 / lambda^2 of two plates a x b at right angles (E. Knott, "Radar cross section", 2nd ed., table 6.1)."""
    view = view_of(thing(dihedral(0.15, 0.2), Pose.at(200.0, 0, 0)))
    found = cross_section_db(traced(view, 0.9e-3, 7e-6), WAVELENGTH_M)
    assert found == pytest.approx(db(8 * np.pi * 0.15**2 * 0.2**2 / WAVELENGTH_M**2), abs=1)


def test_glass_sends_back_less_than_metal():
    """sigma of a plate is that of metal times |R|^2: 20 log10 |(1 - n) / (1 + n)|, n^2 = 6.31 - j 17.98 sigma / f."""
    n = np.sqrt(6.31 - 17.9751j * 0.0036 * 77**1.3394 / 77)
    metal, glass = (
        cross_section_db(
            traced(view_of(thing(plate(0.2), Pose.at(200.0, 0, 0), material=name)), 1.2e-3, 1e-5), WAVELENGTH_M
        )
        for name in ("aluminium", "solid_glass")
    )
    assert glass - metal == pytest.approx(20 * np.log10(abs((1 - n) / (1 + n))), abs=0.05)


def test_uneven_planes_send_back_what_their_image_does():
    """Facets with a slope of 0.05 spread the echo of a metal plane over a disc; added up it is pi R^2, as of the flat plane."""
    paths = traced(view_of(thing(plate(40.0), Pose.at(20.0, 0, 0), material="car_paint_red")), 0.4, 2e-3, 1)
    share = (20.0 / paths.range_m) ** 4
    assert (paths.diffuse_m2 * share).sum() == pytest.approx(np.pi * 20.0**2, rel=0.03)
    assert not paths.amplitude_m.any()


@pytest.mark.parametrize("tilt_deg", [0.0, 3.0, 8.0])
def test_lobe_of_uneven_plates(tilt_deg):
    """sigma = A exp(-tan^2 b / (2 m^2)) / (2 m^2 cos^4 b), m = 0.05, of car paint; gamma = 1e-4 of it besides."""
    tilt = np.radians(tilt_deg)
    view = view_of(thing(plate(0.5), Pose.at(100.0, 0, 0, tilt), material="car_paint_red"))
    lobe = 0.25 * np.exp(-(np.tan(tilt) ** 2) / (2 * 0.05**2)) / (2 * 0.05**2 * np.cos(tilt) ** 4)
    expected = lobe * np.exp(-((4 * np.pi * 5e-6 * np.cos(tilt) / WAVELENGTH_M) ** 2)) + 0.25 * np.cos(tilt) * 1e-4
    assert traced(view, 4e-3, 2e-5, 1).diffuse_m2.sum() == pytest.approx(expected, rel=0.02)


def test_speed_is_positive_when_it_recedes():
    """A plate that comes nearer at 10 m/s has the speed -10 m/s; one that a radar follows at the same speed has none."""
    coming = Gliding(Pose.at(50.0, 0, 0), (-10.0, 0.0, 0.0))
    paths = traced(view_of(thing(plate(0.2), coming)), 4e-3, 1e-4, 1)
    assert paths.speed_m_s == pytest.approx(-10, abs=1e-3)
    carrier = Gliding(Pose.at(0.0, 0, 0), (-10.0, 0.0, 0.0))
    assert traced(view_of(thing(plate(0.2), coming), carrier=carrier), 4e-3, 1e-4, 1).speed_m_s == pytest.approx(
        0, abs=1e-3
    )


def test_turning_wheel_shows_the_speed_of_its_rim():
    """A wheel at rest that turns with w about y has radial speeds from -w r to w r; its points are pulled to the middle."""
    radius_m, spin = 0.3, 40.0
    wheel = Sphere(radius_m=radius_m, facet_m=1e-3).mesh()
    view = view_of(thing(wheel, Spinning(pose=Pose.at(10.0, 0, 0), angular_velocity_rad_s=(0.0, spin, 0.0))))
    paths = traced(view, 0.031, 2e-4, 1)
    assert paths.speed_m_s.max() == pytest.approx(spin * radius_m, rel=0.02)
    assert paths.speed_m_s.min() == pytest.approx(-spin * radius_m, rel=0.02)
    nearest = np.argmin(paths.range_m)
    # front of the wheel: it moves along z at w r and is pulled to the middle, away from the radar: w^2 r + (w r)^2 / R
    expected = spin**2 * radius_m + (spin * radius_m) ** 2 / paths.range_m[nearest]
    assert paths.acceleration_m_s2[nearest] == pytest.approx(expected, rel=0.01)


def test_speeds_are_the_change_of_the_range():
    """(R(t + dt) - R(t - dt)) / 2 dt of a ball over a moving mirror equals the speed of its ghost."""
    wall = thing(plate(20.0), Gliding(Pose.at(5.0, 6.0, 0.0, np.pi / 2), (0.3, -0.5, 0.0)), "wall")
    ball = thing(Sphere(radius_m=0.5, facet_m=1e-4).mesh(), Gliding(Pose.at(20.0, 0, 0), (-3.0, 1.0, 0.0)), "ball")
    ranges = []
    for end_ns in (0, 200_000_000):  # the middle of the window is the instant
        paths = traced(view_of(wall, ball, end_ns=end_ns), 0.04, 2e-4, 2, middle_rad=(np.arctan2(12, 20), 0.0))
        ghost = paths.taken((paths.bounces == -2) & (paths.body == 1))
        ranges.append((ghost.range_m.min(), ghost.speed_m_s[np.argmin(ghost.range_m)]))
    slope = (ranges[1][0] - ranges[0][0]) / 0.1
    assert slope == pytest.approx((ranges[0][1] + ranges[1][1]) / 2, abs=0.05)


def test_ghost_lies_at_the_mirrored_position():
    """A ball in front of a wall y = 6 is seen a second time at (x, 12 - y), there and back over the wall."""
    wall = thing(plate(30.0), Pose.at(10.0, 6.0, 0.0, np.pi / 2), "wall")
    ball = thing(Sphere(radius_m=0.3, facet_m=1e-4).mesh(), Pose.at(20.0, 1.0, 0), "ball")
    paths = traced(view_of(wall, ball), 0.05, 3e-4, 2, middle_rad=(np.arctan2(11, 20), 0.0))
    ghost = paths.taken((paths.bounces == -2) & (paths.body == 1))
    place = (ghost.range_m[:, None] * ghost.heard)[np.argmin(ghost.range_m)]
    expected = np.array([20.0, 11.0, 0.0])
    expected -= 0.3 * expected / np.linalg.norm(expected)
    assert place == pytest.approx(expected, abs=0.05)


def test_what_is_hidden_sends_nothing():
    """A plate behind a larger one is not met."""
    front, back = thing(plate(0.5), Pose.at(20.0, 0, 0), "front"), thing(plate(0.3), Pose.at(25.0, 0, 0), "back")
    assert set(traced(view_of(front, back), 0.02, 5e-4).body) == {0}


def test_clutter_is_the_constant_gamma_law():
    """Ground lit at the grazing angle g: the diffuse cross section is gamma sin(g) times its area."""
    ground = Mesh(
        np.array([[10, -2, -1], [30, -2, -1], [30, 2, -1], [10, 2, -1]], float), np.array([[0, 1, 2], [0, 2, 3]])
    )
    paths = traced(view_of(thing(ground, Pose.identity(), material="asphalt")), 0.25, 5e-4, 1)
    x = np.linspace(10, 30, 20001)
    width = 4.0
    y = np.linspace(-2, 2, 101)
    far = np.sqrt(x[:, None] ** 2 + y**2 + 1)
    expected = 10**-2 * (1 / far).mean() * 20 * width
    assert paths.diffuse_m2.sum() == pytest.approx(expected, rel=0.02)
