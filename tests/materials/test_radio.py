"""Radio properties of materials: bands, sources, tables and what is refused."""

import numpy as np
import pytest

from sensorium.core.errors import ConfigurationError, SceneError
from sensorium.materials import Material, MaterialLibrary, standard_library
from sensorium.materials.radio import Radio, RadioBand, reflection, rough_factor

P2040_AT_10_GHZ = {  # a 10^b, c 10^d of ITU-R P.2040-3, table 3
    "concrete": (5.24, 0.0462 * 10**0.7822),
    "brick": (3.91, 0.0238 * 10**0.16),
    "plaster": (2.73, 0.0085 * 10**0.9395),
    "wood": (1.99, 0.0047 * 10**1.0718),
    "window_glass": (6.31, 0.0036 * 10**1.3394),
    "steel": (1.0, 1e7),
    "soil": (15 * 10**-0.1, 0.035 * 10**1.63),
}


@pytest.mark.parametrize("name", sorted(P2040_AT_10_GHZ))
def test_catalogue_holds_the_table_of_the_recommendation(name):
    """eta = a f^b - j c f^d / (2 pi f e_0), f in GHz: ITU-R P.2040-3, section 3."""
    real, conductivity = P2040_AT_10_GHZ[name]
    found = standard_library()[name].radio.permittivity(10e9)
    assert found.real == pytest.approx(real, rel=1e-6)
    assert found.imag == pytest.approx(-conductivity / (2 * np.pi * 10e9 * 8.8541878128e-12), rel=1e-6)


def test_every_material_has_radio_properties_with_sources():
    """From the bands of satellites to 77 GHz; a source is a citation, or says how the figure came."""
    library = standard_library()
    for frequency_hz in (1.17645e9, 1.57542e9, 24.125e9, 61e9, 77e9, 79e9):
        table = library.radio_table(frequency_hz)
        assert (table.permittivity.real >= 1).all()
        assert (table.permittivity.imag <= 0).all()
    for material in library:
        sources = [band.source for band in material.radio.bands]
        sources += [material.radio.roughness_source, material.radio.clutter_source]
        for source in sources:
            told = source.startswith(("assumed", "computed", "by definition", "ITU-R P.2040-3"))
            assert told or "doi:10." in source, (material.name, source)


def test_bands_join_without_a_jump():
    """Where two bands of a material meet, both give the same permittivity within 2 percent."""
    for material in standard_library():
        for below, above in zip(material.radio.bands, material.radio.bands[1:], strict=False):
            assert below.high_hz == above.low_hz
            low, high = below.permittivity(below.high_hz), above.permittivity(above.low_hz)
            assert abs(low - high) <= 0.02 * abs(low), material.name


@pytest.mark.parametrize("frequency_hz", [1.5e9, 7e9, 24e9, 61e9, 77e9])
def test_water_follows_the_law_of_debye(frequency_hz):
    """eta = e_inf + (e_s - e_inf) / (1 + j w tau) with 5.6, 80.2, 9.36 ps (Kaatze 1989), within 5 percent."""
    expected = 5.6 + (80.2 - 5.6) / (1 + 2j * np.pi * frequency_hz * 9.36e-12)
    assert abs(standard_library()["water"].radio.permittivity(frequency_hz) - expected) < 0.05 * abs(expected)


def test_half_space_reflects_as_the_optical_formula():
    """|R_TE|^2, |R_TM|^2 are Fresnel's power reflectances of the index sqrt(eta) (materials.reflectance)."""
    from sensorium.materials.reflectance import fresnel_sp

    for name in ("concrete", "water", "leaves"):
        eta = standard_library()[name].radio.permittivity(77e9)
        index = np.sqrt(eta)
        for cosine in (1.0, 0.7, 0.2, 0.02):
            te, tm = reflection(eta, np.inf, cosine, 77e9)
            assert fresnel_sp(index.real, -index.imag, cosine) == pytest.approx((abs(te) ** 2, abs(tm) ** 2))


def test_plates_are_clear_at_half_a_wavelength():
    """A plate without loss of thickness lambda / (2 n) lets everything through; of lambda / (4 n): R = ((n2-1)/(n2+1))^2."""
    eta, frequency_hz = 4.0, 60e9
    wavelength_m = 299_792_458.0 / frequency_hz
    te, tm = reflection(eta, np.array([wavelength_m / 4, wavelength_m / 8]), 1.0, frequency_hz)
    assert abs(te[0]) < 1e-12
    assert abs(te[1]) == pytest.approx(3 / 5)
    assert abs(tm[1]) == pytest.approx(3 / 5)


def test_rough_surfaces_mirror_less():
    """A height of lambda/8 rms met head-on leaves exp(-(pi/2)^2 / 2) of the amplitude (Ament 1953); grazing: all."""
    wavelength_m = 299_792_458.0 / 77e9
    assert rough_factor(wavelength_m / 8, 1.0, 77e9) == pytest.approx(np.exp(-((np.pi / 2) ** 2) / 2))
    assert rough_factor(wavelength_m / 8, 1e-3, 77e9) == pytest.approx(1, abs=1e-5)


def test_frequencies_outside_the_bands_are_refused_by_name():
    """Nothing is extrapolated; materials that are not asked for do not matter."""
    library = standard_library()
    with pytest.raises(SceneError, match=r"'\w+': its radio properties are known for .*1 to 100 GHz, not at 122 GHz"):
        library.radio_table(122e9)
    assert np.isnan(library.radio_table(122e9, rows=[]).roughness_m).all()
    bare = Material(name="bare", optical=library["asphalt"].optical)
    with pytest.raises(SceneError, match="'bare': it has no section 'radio'"):
        MaterialLibrary((bare,)).radio_table(77e9)


def test_bands_must_have_width_and_materials_a_band():
    """An empty list of bands and a band that ends before it starts are refused."""
    with pytest.raises(ConfigurationError, match="must end above its start 10 GHz, found 1 GHz"):
        RadioBand(low_hz="10 GHz", high_hz="1 GHz", a=1, c=0, source="x")
    with pytest.raises(ConfigurationError, match="bands"):
        Radio(bands=(), roughness_m=0, roughness_source="x", clutter_gamma=0, clutter_source="x")
