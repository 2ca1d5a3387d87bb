"""Risley prisms against refraction worked out in another way."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from sensorium.core.errors import ConfigurationError
from sensorium.core.time import TimeWindow
from sensorium.sensors.lidar.patterns import Emitter, Prism, Rosette

SECOND = TimeWindow(0, 10**9)


def bent(light, normal, before, after):
    """Snell's law by components: the part along the face scales with the index, the part across it fills up to one."""
    normal = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
    across = np.sum(light * normal, -1, keepdims=True)
    along = (light - across * normal) * before / after
    return along + np.sign(across) * normal * np.sqrt(1 - np.sum(along**2, -1, keepdims=True))


def through_prisms(light, prisms, seconds):
    """Send light through plane face, inclined face, inclined face, plane face, built from rotations of real wedges."""
    axis = np.array([1.0, 0, 0])
    for prism, sign in zip(prisms, (-1, 1), strict=True):
        turn = Rotation.from_rotvec(np.outer(2 * np.pi * prism.rate_hz * seconds + prism.phase_rad, axis))
        tilt = Rotation.from_rotvec([0, 0, sign * prism.wedge_rad])  # the thick end lies to the left at angle zero
        inclined = turn.apply(tilt.apply(axis))
        faces = (axis, inclined) if sign < 0 else (inclined, axis)
        light = bent(light, faces[0], 1.0, prism.refractive_index)
        light = bent(light, faces[1], prism.refractive_index, 1.0)
    return light


@pytest.mark.parametrize("seed", range(4))
def test_refraction_at_all_four_faces(seed):
    """Directions equal those of an independent vector refraction, for unequal prisms and tilted emitters, to 1e-9."""
    rng = np.random.default_rng(seed)
    prisms = tuple(
        Prism(wedge_rad=rng.uniform(0.05, 0.4), refractive_index=rng.uniform(1.4, 1.8), rate_hz=rng.uniform(-150, 150),
              phase_rad=rng.uniform(0, 6))
        for _ in range(2)
    )  # fmt: skip
    emitters = (Emitter(), Emitter(ring=1, azimuth_rad=0.05, elevation_rad=-0.08, firing_offset_s="3 us"))
    beams = Rosette(prisms=prisms, laser_rate_hz="50 kHz", emitters=emitters).beams(
        TimeWindow(10**9, 10**9 + 40_000_000)
    )
    assert len(beams) == 4000
    for ring, emitter in enumerate(emitters):
        rows = beams.ring == ring
        assert (beams.time_ns[rows] % 20_000 == 3_000 * ring).all()
        flat = math.cos(emitter.elevation_rad)
        light = np.array([flat * math.cos(emitter.azimuth_rad), flat * math.sin(emitter.azimuth_rad),
                          math.sin(emitter.elevation_rad)])  # fmt: skip
        expected = through_prisms(light, prisms, beams.time_ns[rows] * 1e-9)
        np.testing.assert_allclose(beams.direction[rows], expected, atol=1e-9)


def standing(first_rad, second_rad, wedge_rad=0.3, index=1.5):
    """Return the direction behind two prisms that stand still with their thick ends at these angles."""
    prisms = tuple(
        Prism(wedge_rad=wedge_rad, refractive_index=index, rate_hz=0, phase_rad=p) for p in (first_rad, second_rad)
    )
    return Rosette(prisms=prisms, laser_rate_hz=1e3).beams(TimeWindow(0, 1_000_000)).direction[0]


def test_opposite_prisms_are_a_plate():
    """Equal wedges with opposite thick ends have parallel faces: the beam leaves as it came."""
    np.testing.assert_allclose(standing(0.7, 0.7 + np.pi), (1, 0, 0), atol=1e-12)


def test_aligned_prisms_bend_by_the_plane_formula():
    """Both thick ends up: d = asin(n sin w) - w behind the first prism, w + asin(sin(d - w) / n) inside the second."""
    n, w = 1.5, 0.3
    d = math.asin(n * math.sin(w)) - w
    inside = w + math.asin(math.sin(d - w) / n)
    expected = math.asin(n * math.sin(inside))
    direction = standing(np.pi / 2, np.pi / 2, w, n)
    assert math.atan2(direction[2], direction[0]) == pytest.approx(expected, abs=1e-12)
    assert abs(direction[1]) < 1e-12


def test_thin_wedges_add_like_circles():
    """For small w the deflections (n - 1) w towards the two thick ends add; the rest is of third order in w."""
    n, a, b = 1.5, 0.4, 2.1
    for w in (0.02, 0.01):
        direction = standing(a, b, w, n)
        expected = (n - 1) * w * np.array([math.cos(a) + math.cos(b), math.sin(a) + math.sin(b)])
        assert np.abs(direction[1:] - expected).max() < 2 * w**3


def test_largest_deflection_is_the_edge_of_the_field():
    """deflection_rad is reached, to the density of the pattern, and never passed."""
    prisms = (Prism(wedge_rad="18 deg", rate_hz=121.0), Prism(wedge_rad="12 deg", rate_hz=-77.0))
    rosette = Rosette(prisms=prisms, laser_rate_hz="100 kHz")
    off_axis = np.arccos(rosette.beams(SECOND).direction[:, 0])
    assert off_axis.max() <= rosette.deflection_rad + 1e-9
    assert off_axis.max() == pytest.approx(rosette.deflection_rad, rel=1e-3)


def test_the_rosette_fills_its_field_from_scan_to_scan():
    """Ten scans of 0.1 s meet at least twice as many cells of 0.2 deg as one: the pattern does not repeat."""
    prisms = (Prism(wedge_rad="18 deg", rate_hz="7294 rpm"), Prism(wedge_rad="18 deg", rate_hz="-4664 rpm"))
    rosette = Rosette(prisms=prisms, laser_rate_hz="100 kHz")
    directions = [rosette.beams(TimeWindow(k * 10**8, (k + 1) * 10**8)).direction for k in range(10)]
    cells = [set(map(tuple, np.floor(np.degrees(d[:, 1:]) / 0.2).astype(int))) for d in directions]
    assert len(set().union(*cells)) > 2 * max(len(scan) for scan in cells)


def test_angular_step_bounds_the_distance_of_shots():
    """Shots lie no farther apart than the stated step (for thin wedges, so 20 % more for these), and reach half."""
    prisms = (Prism(wedge_rad="18 deg", rate_hz="7294 rpm"), Prism(wedge_rad="18 deg", rate_hz="-4664 rpm"))
    rosette = Rosette(prisms=prisms, laser_rate_hz="100 kHz")
    direction = rosette.beams(SECOND).direction
    step = np.linalg.norm(np.diff(direction, axis=0), axis=1).max()
    assert 0.5 * rosette.angular_step_rad(SECOND) < step < 1.2 * rosette.angular_step_rad(SECOND)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"prisms": (Prism(wedge_rad="50 deg", rate_hz=1), Prism(wedge_rad="50 deg", rate_hz=1))},
            "reflect light totally",
        ),
        ({"emitters": (Emitter(firing_offset_s="11 us"),)}, r"emitters\[0\] fires"),
        ({"prisms": (Prism(wedge_rad=0.1, rate_hz=1),)}, "prisms"),
        ({"laser_rate_hz": 0}, "laser_rate_hz"),
    ],
)
def test_impossible_optics_are_refused(settings, message):
    """The message says what light cannot do."""
    sound = {"prisms": (Prism(wedge_rad=0.3, rate_hz=1), Prism(wedge_rad=0.3, rate_hz=-1)), "laser_rate_hz": "100 kHz"}
    with pytest.raises(ConfigurationError, match=message):
        Rosette(**{**sound, **settings})
