"""Surfaces of the library: every figure sourced, reflectances that hold together, an order as in the street, refusals."""

import dataclasses
import math
import re

import numpy as np
import pytest

from sensorium.core.errors import ConfigurationError
from sensorium.materials import Material, MaterialLibrary, standard_library
from sensorium.materials import normal_incidence as head_on
from sensorium.materials import reflectance as r
from sensorium.materials.optical_table import ALBEDO, COATED, DIFFUSE, GLASS, MATT, MIRROR, PANE, RETRO, SIGMA
from sensorium.materials.response import backscatter, mirrored, scattered, transmitted
from sensorium.materials.surface import Coated, Glass, Matt, Mirror, Pane

LIBRARY = standard_library()
WAVELENGTHS_M = (905e-9, 1550e-9)


def figures(surface) -> dict[str, str]:
    """Name of each figure of a surface -> its source."""
    names = [field.name for field in dataclasses.fields(surface)]
    numbers = [name for name in names if name not in ("type", "coat") and not name.endswith("_source")]
    return {name: getattr(surface, name.split("_")[0] + "_source") for name in numbers}


@pytest.mark.parametrize("material", LIBRARY, ids=LIBRARY.names)
def test_every_figure_has_a_source_and_both_wavelengths(material):
    """A source is a citation with its doi, or says how the figure came; what is told at 905 nm is told at 1550 nm."""
    sourced = figures(material.surface)
    for name, source in sourced.items():
        assert source.startswith(("assumed", "computed")) or re.search(r"doi:10\.\d{4}", source), (name, source)
        assert name.replace("905nm", "1550nm") in sourced
    for section in (material.lobes, material.retroreflection):
        assert section is None or section.source.strip()


def test_every_kind_of_surface_has_named_materials():
    """At least 30 materials with a surface of their own: matt, two-layer, mirror, pane, solid glass, retro-reflector."""
    table = LIBRARY.optical_table(905e-9)
    assert set(table.kind) == {MATT, COATED, MIRROR, PANE, GLASS}
    directional = (table.kind != MATT) | (table.values[:, SIGMA] > 0)
    assert directional.sum() >= 30
    assert (table.values[:, RETRO] > 0).sum() >= 5
    assert {"mirror", "silver_mirror", "window_glass", "windscreen_glass", "water", "wet_asphalt"} <= set(LIBRARY.names)


def sent_back_head_on(table, row: int) -> float:
    """Integral of f cos over the hemisphere for light from the normal (midpoints, fine near the normal), and the mirror."""
    t = (np.arange(3000) + 0.5) / 3000
    angle = math.pi / 2 * t**2
    f = np.array([scattered(table, row, 1.0, c, c) for c in np.cos(angle)])
    rough = float(np.sum(f * np.cos(angle) * 2 * math.pi * np.sin(angle) * math.pi * t / 3000))
    return rough + mirrored(table, row, 1.0, False)


@pytest.mark.parametrize("wavelength_m", WAVELENGTHS_M)
def test_the_whole_surface_reflects_what_its_material_states(wavelength_m):
    """Coat, base, mirror and dust add up to the hemispherical reflectance of the optical section."""
    table, stated = LIBRARY.optical_table(wavelength_m), LIBRARY.reflectance(wavelength_m)
    for row, material in enumerate(LIBRARY):
        if material.name.startswith("ideal"):  # mirrors of the three-lobe table, with no surface of their own
            continue
        assert sent_back_head_on(table, row) == pytest.approx(stated[row], abs=1.5e-3), material.name


def test_what_a_coat_mirrors_is_what_the_optical_section_tells():
    """mirrored rho is the part of the coat, or Fresnel's part of a mirror or a pane; the rest leaves diffusely."""
    table, stated, told = LIBRARY.optical_table(905e-9), LIBRARY.reflectance(905e-9), LIBRARY.column("mirrored")
    for row, material in enumerate(LIBRARY):
        assert stated[row] * (1 - told[row]) == pytest.approx(table.values[row, ALBEDO], abs=1e-3), material.name


def test_head_on_formulas_are_those_of_the_kernels():
    """fresnel, the coat's part and the passage in NumPy against the kernels' formulas, summed over 20 000 midpoints."""
    t = (np.arange(20000) + 0.5) / 20000 * math.pi / 2
    solid = 2 * math.pi * np.sin(t) * np.cos(t) * math.pi / 2 / 20000
    for eta, kappa, roughness in ((1.5, 0.0, 0.3), (1.33, 0.0, 1.0), (2.05, 8.26, 0.5)):
        fresnel = np.array([r.fresnel(eta, kappa, c) for c in np.cos(t)])
        np.testing.assert_allclose(head_on.fresnel(eta, kappa, np.cos(t)), fresnel, atol=1e-12)
        layer = [r.specular(eta, kappa, roughness, 1.0, math.cos(a), math.cos(a / 2), math.cos(a / 2)) for a in t]
        assert head_on.coat_reflectance(eta, kappa, roughness) == pytest.approx(np.sum(layer * solid), abs=1e-6)
        passage = (1 - r.fresnel(eta, kappa, 1.0)) * np.sum((1 - fresnel) * solid) / math.pi
        assert head_on.coat_passage(eta, kappa, True) == pytest.approx(passage, abs=1e-6)
        turned = np.array([1 - r.fresnel(eta, kappa, c) for c in np.cos(t / 2)])
        assert head_on.coat_passage(eta, kappa, False) == pytest.approx(np.sum(turned * solid) / math.pi, abs=1e-6)


@pytest.mark.parametrize("sigma_rad", [0.0, 0.4, 1.0])
def test_a_base_gives_the_reflectance_it_was_solved_for(sigma_rad):
    """C -> rho -> C over the whole reach, with and without a coat."""
    for surface in (head_on.HeadOn(sigma_rad=sigma_rad), head_on.HeadOn(0.04, 0.87, sigma_rad)):
        for base in (0.0, 0.02, 0.5, 0.97):
            assert surface.base(surface.reflectance(base)) == pytest.approx(base, abs=1e-12)


def back(name: str, degrees: float, wavelength_m: float = 905e-9) -> float:
    """Return what comes back to the sensor, as the reflectance of a Lambertian plate met head-on."""
    table = LIBRARY.optical_table(wavelength_m)
    return backscatter(table, LIBRARY.row(name), math.cos(math.radians(degrees))) * math.pi


@pytest.mark.parametrize("degrees", [12, 30, 50])
def test_order_of_brightness_at_905_nm(degrees):
    """From sheeting over white and green to asphalt, tyres, black paint and windscreens, with factors as in the street."""
    steps = [("traffic_sign", "licence_plate", 1.5), ("licence_plate", "car_paint_white", 20), ("car_paint_white", "leaves", 1),
             ("leaves", "brick", 1), ("brick", "asphalt", 1.3), ("asphalt", "wet_asphalt", 1.3),
             ("wet_asphalt", "windscreen_glass", 20), ("asphalt", "tyre", 2), ("tyre", "windscreen_glass", 10),
             ("car_paint_black", "windscreen_glass", 4), ("asphalt", "car_paint_black", 5)]  # fmt: skip
    for brighter, darker, factor in steps:
        assert back(brighter, degrees) > factor * back(darker, degrees), (brighter, darker)


def test_windscreens_mirrors_and_still_water_are_dark_beside_the_normal():
    """Less than 1.5 percent of a white plate comes back from glass, mirrors, water and clear ice at 12 degrees and more."""
    for name in (
        "windscreen_glass",
        "window_glass",
        "mirror",
        "silver_mirror",
        "chrome",
        "lucid_metal",
        "water",
        "clear_ice",
    ):
        assert back(name, 12) < 0.015, name


def test_water_ice_and_snow_are_dark_at_1550_nm():
    """Water absorbs at 1550 nm: snow, skin and wet roads lose most of what they send back at 905 nm, asphalt nothing."""
    for name, factor in (("snow", 8), ("skin", 4), ("wet_asphalt", 2), ("ice", 5)):
        assert back(name, 30) > factor * back(name, 30, 1550e-9), name
    assert back("asphalt", 30) == pytest.approx(back("asphalt", 30, 1550e-9), rel=0.1)


def luminance_en1436(name: str) -> float:
    """R_L = L / E in the geometry of EN 1436: light from 1.24 degrees above the road, seen from 2.29 degrees above it."""
    table, row = LIBRARY.optical_table(905e-9), LIBRARY.row(name)
    nl, nv, apart = math.sin(math.radians(1.24)), math.sin(math.radians(2.29)), math.radians(1.05)
    found = scattered(table, row, nl, nv, math.cos(apart)) * nl
    retro = LIBRARY[name].retroreflection
    if retro is not None:
        share = 2 ** -((math.acos(nl) / retro.half_entrance_rad) ** 2 + (apart / retro.half_observation_rad) ** 2)
        found += retro.coefficient_1_sr * share / nv
    return found


def test_roads_in_the_light_of_headlamps():
    """R_L = 13 mcd/lx/m2 of asphalt and 200 of markings, as their sources say; a marking outshines asphalt at all angles."""
    assert luminance_en1436("asphalt") == pytest.approx(0.0135, rel=0.05)
    for name in ("road_marking", "stripes"):
        assert luminance_en1436(name) == pytest.approx(0.2, rel=0.05)
        assert all(back(name, degrees) > 3 * back("asphalt", degrees) for degrees in (0, 20, 40, 60, 70, 80, 85, 88))


def test_absorbing_panes_keep_the_books():
    """R + T + absorbed = 1 with R and T of the series of inner reflections; green glass passes 0.37 head-on at 905 nm."""
    table = LIBRARY.optical_table(905e-9)
    for name in ("window_glass", "windscreen_glass"):
        surface, row = LIBRARY[name].surface, LIBRARY.row(name)
        for degrees in (0, 40, 80):
            cosine = math.cos(math.radians(degrees))
            inner = math.sqrt(1 - (math.sin(math.radians(degrees)) / surface.eta_905nm) ** 2)
            once = math.exp(-surface.absorption_905nm_1_m * surface.thickness_m / inner)
            face = r.fresnel(surface.eta_905nm, 0.0, cosine)
            inside = (1 - face) * once * face ** np.arange(60) * once ** np.arange(60)
            assert transmitted(table, row, cosine, False) == pytest.approx(np.sum(inside[::2]) * (1 - face), rel=1e-9)
            assert mirrored(table, row, cosine, False) == pytest.approx(
                face + np.sum(inside[1::2]) * (1 - face), rel=1e-9
            )
    assert transmitted(table, LIBRARY.row("windscreen_glass"), 1.0, False) == pytest.approx(0.368, abs=2e-3)


OPTICAL = {"reflectance_905nm": 0.5, "reflectance_1550nm": 0.5, "colour": [0.5, 0.5, 0.5]}
CLEAR = {"index_905nm": (1.5, 0), "index_1550nm": (1.5, 0)}


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: Matt(sigma_rad="60 deg"), "sigma_rad: must be at most 1"),
        (lambda: Matt(sigma_rad=-0.1), "sigma_rad: must be at least 0"),
        (lambda: Coated(**CLEAR, roughness=0.0005), "roughness: must be at least 0.001"),
        (lambda: Coated(**CLEAR, roughness=1.5), "roughness: must be at most 1"),
        (lambda: Coated(**CLEAR | {"index_905nm": (0, 0)}, roughness=0.1), "index_905nm[0]: must be greater than 0"),
        (lambda: Coated(**CLEAR | {"index_1550nm": (1.5, -1)}, roughness=0.1), "index_1550nm[1]: must be at least 0"),
        (lambda: Mirror(index_905nm=(12, 3), index_1550nm=(1, 3)), "index_905nm[0]: must be at most 10"),
        (lambda: Mirror(index_905nm=(2, 80), index_1550nm=(1, 3)), "index_905nm[1]: must be at most 50"),
        (lambda: Pane(eta_905nm=0.7), "eta_905nm: must be at least 1"),
        (lambda: Glass(eta_1550nm=5), "eta_1550nm: must be at most 4"),
        (lambda: Pane(eta_source=""), "eta_source"),
    ],
)
def test_figures_out_of_range_are_refused(make, told):
    """Roughness, facet angles and refractive indices that no surface has: where, what was found, what is right."""
    with pytest.raises(ConfigurationError) as caught:
        make()
    assert told in str(caught.value)


def test_what_the_surface_cannot_reflect_is_refused():
    """A base above 0.97 under Oren-Nayar or a coat, and less than the coat alone sends back: found, and the right range."""
    bright, dark = OPTICAL | {"reflectance_905nm": 0.97}, OPTICAL | {"reflectance_1550nm": 0.01}
    rough, coat = Matt(sigma_rad=0.3), Coated(**CLEAR, roughness=0.05)
    cases = [(bright, rough, "optical.reflectance_905nm: found 0.97, but this surface reflects from 0 to 0.9315"),
             (bright, coat, "optical.reflectance_905nm: found 0.97, but this surface reflects from 0.03993 to 0.8857"),
             (dark, coat, "optical.reflectance_1550nm: found 0.01, but this surface reflects from 0.03993")]  # fmt: skip
    for optical, surface, told in cases:
        with pytest.raises(ConfigurationError) as caught:
            Material(name="chalk", optical=optical, surface=surface)
        assert told in str(caught.value)
    white = Material(name="chalk", optical=OPTICAL | {"reflectance_905nm": 1.0})
    assert MaterialLibrary((white,)).optical_table(905e-9).values[0, DIFFUSE] == 1.0  # Lambert's surface may be white


def test_files_say_where_a_surface_is_wrong(tmp_path):
    """The line of the material, or of the figure, stands before what is wrong."""
    path = tmp_path / "mine.yaml"
    optical = "{reflectance_905nm: 0.97, reflectance_1550nm: 0.5, colour: [1, 1, 1]}"
    path.write_text(
        f"chalk:\n  optical: {optical}\n  surface: {{type: matt, sigma_rad: 20 deg}}\n"
        f"gloss:\n  optical: {optical}\n  surface: {{type: coated, index_905nm: [1.5, 0], index_1550nm: [1.5, 0], roughness: 3}}\n"
    )
    with pytest.raises(ConfigurationError) as caught:
        MaterialLibrary.from_yaml(path)
    assert "mine.yaml:1: chalk: optical.reflectance_905nm: found 0.97, but this surface reflects" in str(caught.value)
    assert "mine.yaml:6: gloss.surface.roughness: must be at most 1" in str(caught.value)
