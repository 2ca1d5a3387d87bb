"""Magnetic fields against closed forms and published values."""

from __future__ import annotations

import math
from datetime import datetime

import numpy as np
import pytest

from sensorium.core.configuration import build
from sensorium.core.errors import ConfigurationError, SceneError
from sensorium.core.pose import Pose
from sensorium.motion.spinning import Spinning
from sensorium.scene.magnetism import AnyMagneticField, DipoleField, EarthField, TotalField, UniformField
from sensorium.scene.origin import Origin
from sensorium.scene.scene import Scene
from sensorium.simulation.scenario import scenario_of

NOW = np.zeros((), np.int64)


def field(scene: Scene, *place: float) -> np.ndarray:
    return scene.flux_density_t(np.array(place), NOW)


def test_dipole_on_its_axis_and_across() -> None:
    """B = mu0/(4 pi) 2m/r^3 along the axis, -mu0/(4 pi) m/r^3 in the plane across it."""
    scene = Scene(magnetic_field=DipoleField(moment_a_m2=(0, 0, 50.0), position_m=(1, 0, 0)))
    assert field(scene, 1, 0, 2.0) == pytest.approx((0, 0, 1e-7 * 2 * 50 / 8))
    assert field(scene, 1, 2.0, 0) == pytest.approx((0, 0, -1e-7 * 50 / 8))


def test_dipole_field_has_no_sources_and_no_curl() -> None:
    """div B = 0 and curl B = 0 outside: by central differences with h = 1 mm to some 10 (h/r)^2 of B/r."""
    scene, place, h = Scene(magnetic_field=DipoleField(moment_a_m2=(3, -2, 5))), np.array((0.7, 0.4, -0.5)), 1e-3
    slopes = np.array([(field(scene, *(place + h * e)) - field(scene, *(place - h * e))) / (2 * h) for e in np.eye(3)])
    size = np.linalg.norm(field(scene, *place))
    assert abs(np.trace(slopes)) < 1e-4 * size
    assert np.abs(slopes - slopes.T).max() < 1e-4 * size


def test_dipole_moves_with_its_body() -> None:
    """A magnet on a turntable: its field at a fixed place turns with it, R m for m and R p for its place."""
    turning = Spinning(pose=Pose.at(2, 0, 0), angular_velocity_rad_s=(0, 0, math.pi))
    on_body = DipoleField(moment_a_m2=(1, 0, 0), position_m=(0.5, 0, 0), body="table")
    placed = on_body.placed(None, {"table": turning}.__getitem__)
    half_a_second = np.array([500_000_000])  # a quarter turn: the magnet is at (2, 0.5, 0) and points along y
    still = DipoleField(moment_a_m2=(0, 1, 0), position_m=(2, 0.5, 0))
    place = np.array([(1.0, -2.0, 0.3)])
    assert placed.flux_density_t(place, half_a_second) == pytest.approx(still.flux_density_t(place, NOW), rel=1e-9)


def test_fields_add_up() -> None:
    """The sum of two fields is their sum, place by place."""
    one, two = UniformField(b_t=(1e-6, 2e-6, 3e-6)), DipoleField(moment_a_m2=(1, 2, 3))
    both = Scene(magnetic_field=TotalField(fields=(one, two)))
    assert field(both, 1, 1, 0) == pytest.approx(one.b_t + two.flux_density_t(np.array((1.0, 1.0, 0.0)), NOW))


def test_inside_a_magnet_there_is_no_dipole() -> None:
    """Nearer than the magnet's radius the formula is refused."""
    with pytest.raises(SceneError, match="formula of a dipole does not hold"):
        field(Scene(magnetic_field=DipoleField(moment_a_m2=(1, 0, 0))), 0.001, 0, 0)


@pytest.mark.parametrize(
    ("latitude_deg", "longitude_deg", "north_east_down_nt"),
    [(80, 0, (6521.6, 145.9, 54791.5)), (0, 120, (39677.8, -109.6, -10580.2))],
)
def test_earth_field_at_published_places(latitude_deg, longitude_deg, north_east_down_nt) -> None:
    """Test values of the WMM 2025 report for 2025.0 and 0 km, to the 0.1 nT that it prints."""
    origin = Origin(
        latitude_rad=math.radians(latitude_deg),
        longitude_rad=math.radians(longitude_deg),
        start_utc=datetime(2025, 1, 1),
    )
    east, north, up = field(Scene(origin=origin, magnetic_field=EarthField()), 0, 0, 0) * 1e9
    assert (north, east, -up) == pytest.approx(north_east_down_nt, abs=0.06)


def test_earth_field_over_the_scene_is_that_of_a_vacuum() -> None:
    """Between the currents of core and sky div B = 0 and curl B = 0: the gradient is symmetric and without trace."""
    origin = Origin(latitude_rad=0.84, longitude_rad=0.2)
    scene = Scene(origin=origin, magnetic_field=EarthField())
    slopes = np.array([field(scene, *(1e4 * axis)) - field(scene, 0, 0, 0) for axis in np.eye(3)])
    assert np.abs(slopes - slopes.T).max() < 2e-3 * np.abs(slopes).max()
    assert abs(np.trace(slopes)) < 2e-3 * np.abs(slopes).max()
    assert field(scene, 0, 0, 1e4)[2] > field(scene, 0, 0, 0)[2]  # downwards and weaker the higher one is


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"start_utc": datetime(2031, 1, 1)}, "holds from 2025.0 to 2030.0, but the scenario starts at 2031.00"),
        ({"start_utc": datetime(2024, 12, 31)}, "choose another start_utc"),
        ({"altitude_m": 1e6}, "850000 m above the ellipsoid"),
    ],
)
def test_the_model_refuses_outside_its_validity(settings, says) -> None:
    with pytest.raises(SceneError, match=says):
        Scene(origin=Origin(**{"latitude_rad": 0.8, "longitude_rad": 0.2, **settings}), magnetic_field=EarthField())


def test_the_earth_needs_a_place() -> None:
    with pytest.raises(SceneError, match="give the scenario an `origin`"):
        Scene(magnetic_field=EarthField())


def test_far_from_the_origin_the_linear_form_ends() -> None:
    scene = Scene(origin=Origin(latitude_rad=0.8, longitude_rad=0.2), magnetic_field=EarthField())
    with pytest.raises(SceneError, match="beyond the 100 km"):
        field(scene, 150e3, 0, 0)


def test_a_dipole_on_an_unknown_body_is_refused() -> None:
    """The scene refuses when it is made, and says which body may have been meant."""
    with pytest.raises(SceneError, match="no body 'cra'"):
        Scene(magnetic_field=DipoleField(moment_a_m2=(1, 0, 0), body="cra"))


def test_scenarios_choose_a_field_by_its_type() -> None:
    """`magnetic_field: {type: earth}` with an origin; a sum; a wrong type is told with what there is."""
    document = {
        "name": "field", "world": {"type": "bodies"}, "origin": {"latitude_rad": "48 deg", "longitude_rad": "11 deg"},
        "magnetic_field": {"type": "sum", "fields": [{"type": "earth"}, {"type": "dipole", "moment_a_m2": [100, 0, 0]}]},
    }  # fmt: skip
    scene = scenario_of(document).scene
    assert np.linalg.norm(field(scene, 0, 0, 500.0)) == pytest.approx(48e-6, abs=1e-6)
    with pytest.raises(ConfigurationError, match=r"'eart' is not known. Did you mean 'earth'"):
        build(AnyMagneticField, {"type": "eart"})
