"""Materials of the library before a LiDAR: sheeting by its definition, windscreens, clear ice, mirrors."""

import numpy as np
import pytest
from worlds import mesh_of_box, model_of

from sensorium.atmosphere import Medium
from sensorium.core.pose import Pose
from sensorium.core.time import TimeWindow
from sensorium.materials.library import standard_library
from sensorium.materials.reflectance import fresnel, slab_transmission
from sensorium.motion import Fixed
from sensorium.samples.causes import Cause
from sensorium.scene.body import Body
from sensorium.scene.mesh import Mesh
from sensorium.scene.scene import Scene
from sensorium.scene.view import View
from sensorium.sensors import Lidar
from sensorium.sensors.lidar import Channel, Spinning
from sensorium.sensors.lidar.links import Radar
from sensorium.tracing import EmbreeTracer

LIBRARY = standard_library()
VACUUM = Medium(name="vacuum", extinction_1_m=0.0)
SENT_W, APERTURE_M2 = Radar().peak_power_w * Radar().efficiency, np.pi * Radar().aperture_radius_m ** 2


def sheet(material: str, distance_m: float, tilt_deg: float = 0.0, half_m: float = 3.0) -> Body:
    """A square ahead whose front looks back at the sensor, turned about the vertical."""
    mesh = Mesh(
        np.array([[0, -1, -1], [0, -1, 1], [0, 1, 1], [0, 1, -1]], float) * half_m, np.array([[0, 1, 2], [0, 2, 3]])
    )
    return Body(
        material, model_of(mesh, material=material), Fixed(pose=Pose.at(distance_m, 0, 0, np.radians(tilt_deg)))
    )


def ahead(*bodies: Body, wavelength_m: float = 905e-9) -> tuple[float, dict[Cause, float]]:
    """Return the power of the beam that looks straight ahead from the first surface, and from all later ones by cause."""
    pattern = Spinning(firing_cycle_s=1e-4, channels=(Channel(ring=0, elevation_rad=0.0),), start_azimuth_rad=0.0)
    lidar = Lidar(pattern=pattern, depth=5, range_max_m=200, wavelength_m=wavelength_m)
    scene = Scene(bodies, LIBRARY, VACUUM)
    signal = lidar.sense(View(scene, EmbreeTracer(scene), Fixed(), Pose.identity(), TimeWindow(0, 100_000_000)))
    rows = slice(signal.later.first[0], signal.later.first[1])
    later: dict[Cause, float] = {}
    for cause, power in zip(signal.later.cause[rows], signal.later.power_w[rows], strict=True):
        later[Cause(cause)] = later.get(Cause(cause), 0.0) + float(power)
    return float(np.sum(signal.first.power_w[: lidar.bundle.rays], dtype=float)), later


def test_sheeting_at_30_degrees_returns_what_its_coefficient_defines():
    """R_A = I / (E A): a beam of cross-section S lights E = P / S across itself and A = S / cos b of the sheet.

    The sheet sends I = R_A(30 deg) E A towards the sensor, which collects I A_rx / x^2; 180 cd/lx/m2 is the minimum of
    ASTM D4956 type III at 30 degrees and 0.1 degree.
    """
    distance_m, tilt = 50.0, np.radians(30)
    retro = LIBRARY["traffic_sign"].retroreflection
    coefficient = retro.coefficient_1_sr * 2.0 ** -((tilt / retro.half_entrance_rad) ** 2)
    assert coefficient * 2.0 ** -((np.radians(0.1) / retro.half_observation_rad) ** 2) == pytest.approx(180, rel=0.05)
    cross_section_m2 = 0.02
    illuminance, lit_m2 = SENT_W / cross_section_m2, cross_section_m2 / np.cos(tilt)
    intensity = coefficient * illuminance * lit_m2
    power, _ = ahead(sheet("traffic_sign", distance_m, 30))
    assert power == pytest.approx(intensity * APERTURE_M2 / distance_m**2, rel=5e-3)


def test_sheeting_outshines_white_paint_at_50_m():
    """At 50 m and 10 degrees a sign brings back over 500 times what white paint does, a licence plate over 100 times."""
    paint, plate, sign = (
        ahead(sheet(name, 50.0, 10))[0] for name in ("car_paint_white", "licence_plate", "traffic_sign")
    )
    assert sign > 500 * paint
    assert plate > 100 * paint


@pytest.mark.parametrize(("material", "wavelength_m"), [("windscreen_glass", 905e-9), ("windscreen_glass", 1550e-9),
                                                        ("window_glass", 905e-9)])  # fmt: skip
def test_seats_behind_a_windscreen(material, wavelength_m):
    """A pane tilted by 40 degrees is dark itself and weakens what lies behind by T^2, absorption and inner reflections in T."""
    pane, seats = sheet(material, 10.0, 40), sheet("cloth_light", 12.0)
    bare, _ = ahead(seats, wavelength_m=wavelength_m)
    own, later = ahead(pane, seats, wavelength_m=wavelength_m)
    surface, short = LIBRARY[material].surface, wavelength_m < 1e-6
    eta = surface.eta_905nm if short else surface.eta_1550nm
    absorption = surface.absorption_905nm_1_m if short else surface.absorption_1550nm_1_m
    inner = np.sqrt(1 - (np.sin(np.radians(40)) / eta) ** 2)
    once = np.exp(-absorption * surface.thickness_m / inner)
    passed = slab_transmission(fresnel(eta, 0.0, np.cos(np.radians(40))), once)
    assert later[Cause.THROUGH_GLASS] == pytest.approx(bare * passed**2, rel=2e-3)
    assert own < 0.02 * bare


def test_clear_ice_is_dark_at_1550_nm():
    """Through 1 cm of ice and back: (1 - R)^4 exp(-2 a d), 0.83 at 905 nm and nothing at 1550 nm."""
    ice = Body("ice", model_of(mesh_of_box((0.01, 4.0, 4.0)), material="clear_ice"), Fixed(pose=Pose.at(5, 0, 0)))
    board, surface = sheet("lambertian_80", 10.0), LIBRARY["clear_ice"].surface
    bare, _ = ahead(board)
    _, through = ahead(ice, board)
    face = ((surface.eta_905nm - 1) / (surface.eta_905nm + 1)) ** 2
    passed = (1 - face) ** 4 * np.exp(-2 * surface.absorption_905nm_1_m * 0.01)
    optical_path_m = 10.0 + 0.01 * (surface.eta_905nm - 1)
    assert through[Cause.THROUGH_GLASS] == pytest.approx(bare * passed * (10.0 / optical_path_m) ** 2, rel=5e-3)
    _, dark = ahead(ice, board, wavelength_m=1550e-9)
    assert dark.get(Cause.THROUGH_GLASS, 0.0) < 1e-6 * bare


@pytest.mark.parametrize(("material", "least"), [("silver_mirror", 0.98), ("mirror", 0.75), ("chrome", 0.30)])
def test_a_sign_beside_the_road_seen_in_a_mirror(material, least):
    """A board over a mirror at 45 degrees appears behind it with R^2 of its light: silver, aluminium and chromium differ."""
    board = Body(
        "board",
        model_of(sheet("x", 0).model.parts[0].mesh, material="lambertian_80"),
        Fixed(pose=Pose.at(10, 7, 0, np.pi / 2)),
    )
    bare, _ = ahead(sheet("lambertian_80", 17.0))
    _, later = ahead(sheet(material, 10.0, -45), board)
    index = LIBRARY[material].surface.index_905nm
    share = later[Cause.MIRROR_GHOST] / bare
    assert share == pytest.approx(fresnel(*index, np.cos(np.radians(45))) ** 2, rel=2e-3)
    assert least < share < 1
