"""Air and sky in the infrared against published values."""

import numpy as np
import pytest

from sensorium.atmosphere.infrared import (
    gas_extinction_1_m,
    infrared_air,
    sky_irradiance_w_m2,
    vapour_pressure_pa,
)
from sensorium.atmosphere.medium import medium
from sensorium.atmosphere.weather import WeatherState


@pytest.mark.parametrize(("celsius", "hpa"), [(0.0, 6.112), (20.0, 23.37), (30.0, 42.43)])
def test_vapour_pressure(celsius, hpa):
    """Saturation over water as in the tables (Smithsonian, 0.3 %)."""
    assert vapour_pressure_pa(WeatherState(temperature_k=celsius + 273.15, humidity=1.0)) == pytest.approx(
        hpa * 100, rel=3e-3
    )


def test_transmission_of_clear_air():
    """The cameras' formula gives 0.94 over 100 m at 20 degC and 50 % humidity; more vapour takes more."""
    usual = WeatherState(temperature_k=293.15)
    assert np.exp(-100 * gas_extinction_1_m(usual)) == pytest.approx(0.937, abs=0.003)
    damp, dry = WeatherState(temperature_k=303.15, humidity=0.9), WeatherState(temperature_k=263.15, humidity=0.3)
    assert gas_extinction_1_m(damp) > 1.5 * gas_extinction_1_m(usual) > 1.5 * gas_extinction_1_m(dry) > 0


def test_clear_sky_in_the_window():
    """Idso 1981: 0.24 + 2.98e-8 e^2 exp(3000 / T) over the hemisphere; more in damp air, 1 at the horizon."""
    air = infrared_air(WeatherState())
    assert air.diffuse_emissivity == pytest.approx(0.24 + 2.98e-8 * 8.52**2 * np.exp(3000 / 288.15), rel=5e-3)
    up = air.sky_emissivity(np.radians([90, 45, 20, 5, 0, -5]))
    assert (np.diff(up) >= 0).all()
    assert up[0] < 0.22
    assert up[4] > 0.999
    assert infrared_air(WeatherState(temperature_k=303.15, humidity=0.9)).diffuse_emissivity > 0.9


def test_whole_sky():
    """Prata 1996: 270 to 300 W/m2 from a clear sky at 15 degC and 50 %; a covered one is nearer to sigma T^4 = 391."""
    clear, covered = (float(sky_irradiance_w_m2(WeatherState(cloud_cover=c))) for c in (0.0, 1.0))
    assert 270 < clear < 300
    assert clear + 60 < covered < 391
    assert float(sky_irradiance_w_m2(WeatherState(rain_mm_h=2.0))) == covered


def test_fog_closes_air_and_sky():
    """The denser of weather and medium counts: fog by either hides the sky and what is far."""
    for air in (infrared_air(WeatherState(visibility_m=50.0)), infrared_air(WeatherState(), medium("dense_fog"))):
        assert air.extinction_1_m == pytest.approx(3.912 / 50, rel=0.02)
        assert air.sky_emissivity(np.pi / 2) > 0.99
