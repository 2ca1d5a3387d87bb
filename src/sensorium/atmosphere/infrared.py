"""The air as thermal cameras and warm surfaces meet it: how fast it dims heat radiation, and what the sky sends down.

Water vapour rules both. Pressures follow Bolton 1980 (doi:10.1175/1520-0493(1980)108<1046:TCOEPT>2.0.CO;2):
e = RH 611.2 Pa exp(17.67 t / (t + 243.5)), t in degrees Celsius.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sensorium.atmosphere.medium import Medium, of_visibility, rain_extinction
from sensorium.atmosphere.weather import WeatherState
from sensorium.core.configuration import configured
from sensorium.core.units import Fraction, Kelvin, NonNegativeNumber

Floats = NDArray[np.float64]

_DIFFUSIVITY = 1.66
"""Air mass at which a sky radiates as its mean over the hemisphere (Elsasser 1942)."""
_LAPSE_K_M, _CLOUD_BASE_M = 6.5e-3, 1500.0
_WET_LAYER_M = 300.0
"""Height over which fog, rain and dust near the ground reach up; assumed."""
_GAUGE_M = 100.0
_DUST_M2_G = 0.25
"""Extinction of mineral dust per mass near 10 um, half of that of visible light; assumed."""


@configured
class InfraredAir:
    """The air in one infrared window, from one state of the weather."""

    temperature_k: Kelvin
    """Of the air near the ground."""
    extinction_1_m: NonNegativeNumber
    """alpha of tau = exp(-alpha d)."""
    depth: NonNegativeNumber
    """Optical depth of the clear sky towards the zenith."""
    cloud_cover: Fraction
    cloud_k: Kelvin
    """Of the bases of the clouds."""

    def sky_emissivity(self, elevation_rad: ArrayLike) -> Floats:
        """Return 1 - exp(-depth m), m the air mass of Kasten and Young 1989 (doi:10.1364/AO.28.004735); 1 below the horizon."""
        degrees = np.degrees(np.asarray(elevation_rad, np.float64))
        above = np.maximum(degrees, 0.0)
        mass = 1 / (np.sin(np.radians(above)) + 0.50572 * (above + 6.07995) ** -1.6364)
        return np.where(degrees < 0, 1.0, 1 - np.exp(-self.depth * mass))

    @property
    def diffuse_emissivity(self) -> float:
        """Mean over the hemisphere, weighted with the cosine from the zenith."""
        return 1 - math.exp(-_DIFFUSIVITY * self.depth)


def vapour_pressure_pa(weather: WeatherState) -> float:
    """Return the partial pressure of water vapour."""
    celsius = weather.temperature_k - 273.15
    return weather.humidity * 611.2 * math.exp(17.67 * celsius / (celsius + 243.5))


def infrared_air(weather: WeatherState, medium: Medium | None = None, short: bool = False) -> InfraredAir:
    """Return the air in the window from 8 to 14 um, or with `short` in that from 3 to 5 um.

    The clear sky from 8 to 14 um radiates as 0.24 + 2.98e-8 e^2 exp(3000 / T) (e in hPa) of a black body at the temperature of the
    air (Idso 1981, doi:10.1029/WR017i002p00295), a mean over the hemisphere; from 3 to 5 um as 0.6, assumed.
    """
    e_hpa, t_k = vapour_pressure_pa(weather) / 100, weather.temperature_k
    clear = 0.6 if short else min(0.99, 0.24 + 2.98e-8 * e_hpa**2 * math.exp(3000 / t_k))
    particles = particle_extinction_1_m(weather, medium, 4e-6 if short else 10e-6)
    return InfraredAir(
        temperature_k=t_k,
        extinction_1_m=gas_extinction_1_m(weather, short) + particles,
        depth=-math.log(1 - clear) / _DIFFUSIVITY + particles * _WET_LAYER_M,
        cloud_cover=closed_sky(weather),
        cloud_k=t_k - _LAPSE_K_M * _CLOUD_BASE_M,
    )


def closed_sky(weather: WeatherState) -> float:
    """Return the part of the sky that clouds close: what is told, and all of it where rain or snow falls."""
    return max(weather.cloud_cover, min(1.0, (weather.rain_mm_h + weather.snow_mm_h) / 0.5))


def gas_extinction_1_m(weather: WeatherState, short: bool = False) -> float:
    """Return what water vapour and other gases take away.

    8 to 14 um: the transmission over 100 m of the formula in radiometric cameras (Minkina and Dudzik 2009, Infrared
    Thermography, chapter 2): tau = 1.9 exp(-sqrt(d) (0.006569 - 0.002276 sqrt(w))) - 0.9 exp(-sqrt(d) (0.01262 - 0.00667 sqrt(w))),
    w the mass of vapour in g/m3. It is no exponential in d: beyond 100 m the true air dims less than this.
    3 to 5 um: 1e-3/m for carbon dioxide at 4.3 um and 4e-5/m per g/m3, assumed.
    """
    w_g_m3 = 1000 * vapour_pressure_pa(weather) / (461.5 * weather.temperature_k)
    if short:
        return 1e-3 + 4e-5 * w_g_m3
    root, way = math.sqrt(w_g_m3), math.sqrt(_GAUGE_M)
    passed = 1.9 * math.exp(-way * (0.006569 - 0.002276 * root)) - 0.9 * math.exp(-way * (0.01262 - 0.00667 * root))
    return -math.log(min(max(passed, 1e-6), 1.0)) / _GAUGE_M


def particle_extinction_1_m(weather: WeatherState, medium: Medium | None, wavelength_m: float) -> float:
    """Return what haze, fog, rain, snow and dust take away.

    Haze and fog by visibility after Kim; where the scene's medium is denser than the weather tells, the medium counts. Rain after
    ITU-R P.1814; wet snow after the same, 4.81 S^0.72 dB/km at 10 um; drops and flakes are larger than the wavelength.
    """
    air = of_visibility(weather.visibility_m).extinction_at(wavelength_m)
    rain = rain_extinction(weather.rain_mm_h)
    snow = 4.81e-3 / 4.342944819 * weather.snow_mm_h**0.72
    told = air + rain + snow + _DUST_M2_G * weather.dust_g_m3
    return float(max(told, medium.extinction_at(wavelength_m) if medium else 0.0))


def sky_irradiance_w_m2(weather: WeatherState, temperature_k: ArrayLike | None = None) -> Floats:
    """Return the heat radiation of the whole sky onto level ground, over all wavelengths.

    Clear: sigma T^4 (1 - (1 + w) exp(-sqrt(1.2 + 3 w))), w = 46.5 e / T, e in hPa (Prata 1996, doi:10.1002/qj.49712253306); a
    cloud of cover c closes that part of what is left open, at the temperature of its base. `temperature_k`: of the air at
    other hours of the day, with the same vapour in it.
    """
    t_k = np.asarray(weather.temperature_k if temperature_k is None else temperature_k, np.float64)
    w = 46.5 * vapour_pressure_pa(weather) / 100 / t_k
    clear = 1 - (1 + w) * np.exp(-np.sqrt(1.2 + 3 * w))
    cloud_k = t_k - _LAPSE_K_M * _CLOUD_BASE_M
    return 5.670374419e-8 * (clear * t_k**4 + (1 - clear) * closed_sky(weather) * cloud_k**4)
