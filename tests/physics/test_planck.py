"""Planck's law in bands against closed values and against quadrature of the law itself."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from sensorium.core.errors import ConfigurationError
from sensorium.sensors.camera.thermal import planck
from sensorium.sensors.camera.thermal.response import Band, ResponseCurve

LONG, SHORT = Band(low_m=8e-6, high_m=14e-6), Band(low_m=3e-6, high_m=5e-6)


def spectral(wavelength_m: float, t_k: float, photons: bool = False) -> float:
    """L = 2 h c^2 / lambda^5 / (exp(h c / lambda k T) - 1); over h c / lambda for photons."""
    h, c, k = 6.62607015e-34, 299_792_458.0, 1.380649e-23
    value = 2 * h * c**2 / wavelength_m**5 / np.expm1(h * c / (wavelength_m * k * t_k))
    return value * wavelength_m / (h * c) if photons else value


def test_closed_values():
    """8 to 14 um at 300 K: 54.9335 W/(m2 sr); 3 to 5 um: 1.86596; all wavelengths: sigma T^4 / pi."""
    assert LONG.radiance_w_m2_sr(300.0) == pytest.approx(54.9335, rel=1e-6)
    assert SHORT.radiance_w_m2_sr(300.0) == pytest.approx(1.86596, rel=2.5e-6)  # the figure has six digits
    whole = planck.weighted_radiance(np.array([3.0, 300.0, 3000.0]), np.array([0.0, np.inf]), np.ones(2))
    np.testing.assert_allclose(whole, 5.670374419e-8 * np.array([3.0, 300.0, 3000.0]) ** 4 / np.pi, rtol=1e-9)


@given(low_um=st.floats(2.0, 15.0), width_um=st.floats(0.05, 5.0), t_k=st.floats(100.0, 1900.0), photons=st.booleans())
def test_any_band_is_the_integral_of_the_law(low_um, width_um, t_k, photons):
    """The series equals adaptive quadrature of the spectral radiance to 1e-8."""
    band = Band(low_m=low_um * 1e-6, high_m=(low_um + width_um) * 1e-6)
    ours = planck.weighted_radiance(t_k, *band.nodes(), photons=photons)
    theirs, _ = quad(spectral, *band.limits_m, args=(t_k, photons), epsabs=0, epsrel=1e-11)
    assert ours == pytest.approx(theirs, rel=1e-8)


@pytest.mark.parametrize("photons", [False, True])
def test_a_curve_is_the_integral_of_law_times_response(photons):
    """A response that is linear between nodes loses nothing: quadrature piece by piece."""
    curve = ResponseCurve(wavelength_m=("7.5 um", "9 um", "12 um", "14 um"), response=(0.1, 1.0, 0.8, 0.0))
    x, y = curve.nodes()
    theirs = sum(
        quad(lambda w: np.interp(w, x, y) * spectral(w, 290.0, photons), a, b, epsabs=0, epsrel=1e-11)[0]
        for a, b in itertools.pairwise(x)
    )
    assert planck.weighted_radiance(290.0, x, y, photons) == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize("band", [LONG, SHORT])
@pytest.mark.parametrize("photons", [False, True])
def test_kernels_table_and_its_inverse(band, photons):
    """From 150 K on the table is within 1e-6 of the integral, and the way back within 1e-5 K, far below a millikelvin."""
    from sensorium.sensors.camera.thermal.planck_kernels import radiances, temperatures

    t_k = np.random.default_rng(1).uniform(150.0, 1990.0, 5000)
    exact = planck.weighted_radiance(t_k, *band.nodes(), photons=photons)
    np.testing.assert_allclose(radiances(band.table(photons), t_k), exact, rtol=1e-6)
    np.testing.assert_allclose(temperatures(band.table(photons), exact), t_k, atol=1e-5)


def test_ends_of_the_table():
    """Radiances beyond the table give its coldest and hottest temperature, not a wild one."""
    from sensorium.sensors.camera.thermal.planck_kernels import temperatures

    table = LONG.table()
    assert temperatures(table, np.array([-1.0, 0.0, 1e9])).tolist() == [50.0, 50.0, 2000.0]


@pytest.mark.parametrize("wrong", [0.0, -20.0, np.nan, np.inf])
def test_temperatures_below_absolute_zero_are_refused(wrong):
    """Nothing has a temperature of 0 K or less; the message says what was found, and how degrees are written."""
    with pytest.raises(ConfigurationError, match="must be above 0 K"):
        LONG.radiance_w_m2_sr([300.0, wrong])


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"type": "band", "low_m": "14 um", "high_m": "8 um"}, "must be smaller"),
        ({"type": "band", "low_m": "500 nm"}, "low_m"),
        ({"type": "curve", "wavelength_m": ["8 um", "9 um"], "response": [1.0]}, "as many responses"),
        ({"type": "curve", "wavelength_m": ["9 um", "8 um"], "response": [1.0, 1.0]}, "must rise"),
        ({"type": "curve", "wavelength_m": ["8 um", "9 um"], "response": [0, 0]}, "zero everywhere"),
    ],
)
def test_responses_that_cannot_be(settings, says):
    """A band that is upside down, visible light, curves that do not fit together."""
    from sensorium.core.configuration import build
    from sensorium.sensors.camera.thermal.response import AnyResponse

    with pytest.raises(ConfigurationError, match=says):
        build(AnyResponse, settings)
