"""The sky as a picture: radiance in the red, green and blue band for every direction, by sun, clouds and air.

Brightness over the sky: CIE S 011 / ISO 15469, L ~ f(chi) phi(Z) with phi = 1 + a exp(b / cos Z), f = 1 + c (exp(d chi) -
exp(d pi/2)) + e cos^2 chi, between the CIE's clear sky of type 12 and its overcast sky of type 1, mixed by the cloud cover.
It is scaled so that the sky gives level ground the diffuse irradiance of `irradiance`.

Colour: three bands of 100 nm from 400 to 700 nm. The optical depths per air mass come from the reference spectra of ASTM G173
(direct beam at air mass 1.5 over extraterrestrial). A clear sky scatters 1 - exp(-depth m) of each band, with the depth of
molecules and thin haze, which makes the zenith blue and the horizon white; clouds scatter all bands alike.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sensorium.atmosphere.irradiance import airmass
from sensorium.atmosphere.solar_position import SUN_SOLID_ANGLE_SR

Floats = NDArray[np.float64]

OUTSIDE_W_M2 = np.array([158.77, 184.68, 186.52])
"""Extraterrestrial irradiance from 600 to 700, 500 to 600 and 400 to 500 nm (ASTM G173)."""
DEPTHS = np.log(OUTSIDE_W_M2 / np.array([125.92, 133.77, 115.12])) / 1.5
"""Optical depth of the three bands per air mass (ASTM G173, direct and circumsolar)."""
SCATTERING = np.array([0.050, 0.098, 0.220]) + np.array([0.035, 0.040, 0.047])
"""Depth of what scatters: molecules (A. Bucholtz, Applied Optics 34, 1995) and a thin haze (assumed)."""
VISIBLE_SHARE = 0.43
"""Part of the irradiance of all wavelengths that lies between 400 and 700 nm (ASTM G173, global)."""
LUMENS_PER_VISIBLE_WATT = 256.0
"""110 lm/W of daylight over that share."""
DAY_WHITE = np.array([139.24, 151.01, 139.58]) / 429.83
"""Shares of the bands in the global irradiance of ASTM G173: what a camera calls white."""

_CLEAR, _OVERCAST = (-1.0, -0.32, 10.0, -3.0, 0.45), (4.0, -0.7, 0.0, -1.0, 0.0)
_ROWS, _COLUMNS = 48, 96
_LAND_ALBEDO = np.array([0.12, 0.12, 0.09])


class Sky(NamedTuple):
    """The sky of one instant, for kernels."""

    radiance: NDArray[np.float32]
    """[ROWS + 1, COLUMNS, 3] W/(m2 sr) over the upper half: rows by sqrt(sine of the elevation), columns from east to north."""
    land: Floats
    """[3] radiance of the land beyond the scene, which fills what is below the horizon."""
    level_w_m2: Floats
    """[3] irradiance of level ground by the sky alone."""
    sun: Floats
    """[3] unit vector towards the sun."""
    beam_w_m2: Floats
    """[3] across the beam of the sun."""
    disc: Floats
    """[3] radiance of the sun's disc."""


def sky_of(sun: Floats, direct_w_m2: float, diffuse_w_m2: float, cloud_cover: float) -> Sky:
    """Return the sky for a sun, and the light of all wavelengths that it and the sky give."""
    elevation = float(np.arcsin(np.clip(sun[2], -1, 1)))
    mass = float(airmass(max(elevation, 0.0)))
    beam = OUTSIDE_W_M2 * np.exp(-DEPTHS * min(mass, 12.0))
    beam *= VISIBLE_SHARE * direct_w_m2 / beam.sum()
    up, direction, weight = _grid()
    pattern = _pattern(up, direction @ sun, max(elevation, np.radians(1.0)), cloud_cover)
    lit = OUTSIDE_W_M2 * np.exp(
        -DEPTHS * min(mass, 8.0) * 0.6
    )  # the light that is scattered has lost less than the beam
    blue = lit * (1 - np.exp(-SCATTERING * np.minimum(1 / np.maximum(up, 0.03), 12.0)[..., None]))
    white = DAY_WHITE * np.ones((*up.shape, 1))
    mixed = (1 - cloud_cover) * blue / blue.sum(-1, keepdims=True) + cloud_cover * white
    radiance = pattern[..., None] * mixed
    level = (radiance * weight[..., None]).sum((0, 1))
    radiance *= VISIBLE_SHARE * diffuse_w_m2 / level.sum()
    level = (radiance * weight[..., None]).sum((0, 1))
    rim = radiance[0].mean(0)
    land = 0.5 * _LAND_ALBEDO / np.pi * (level + beam * max(0.0, sun[2])) + 0.5 * rim * 0.5
    return Sky(radiance.astype(np.float32), land, level, np.asarray(sun, np.float64), beam, beam / SUN_SOLID_ANGLE_SR)


def _grid() -> tuple[Floats, Floats, Floats]:
    """Return sine of the elevation, direction and cosine-weighted solid angle of the places of the table."""
    s = np.linspace(0, 1, _ROWS + 1)
    up = np.repeat((s * s)[:, None], _COLUMNS, 1)
    azimuth = np.arange(_COLUMNS) * (2 * np.pi / _COLUMNS)
    flat = np.sqrt(1 - up * up)
    direction = np.stack((flat * np.cos(azimuth), flat * np.sin(azimuth), up), -1)
    edges = np.concatenate(([0.0], ((s[1:] + s[:-1]) / 2) ** 2, [1.0]))
    band = (edges[1:] ** 2 - edges[:-1] ** 2) / 2  # integral of sine over the sine
    return up, direction, np.repeat(band[:, None], _COLUMNS, 1) * (2 * np.pi / _COLUMNS)


def _pattern(up: Floats, cosine: Floats, elevation: float, cover: float) -> Floats:
    """Return the relative luminance of the CIE's skies; the zenith has one."""
    zenith, chi = np.pi / 2 - elevation, np.arccos(np.clip(cosine, -1, 1))
    total = np.zeros(up.shape)
    for share, (a, b, c, d, e) in ((1 - cover, _CLEAR), (cover, _OVERCAST)):
        graded = 1 + a * np.exp(b / np.maximum(up, 0.01))
        around = 1 + c * (np.exp(d * chi) - np.exp(d * np.pi / 2)) + e * np.cos(chi) ** 2
        at_zenith = (1 + a * np.exp(b)) * (
            1 + c * (np.exp(d * zenith) - np.exp(d * np.pi / 2)) + e * np.cos(zenith) ** 2
        )
        total += share * graded * around / at_zenith
    return np.maximum(total, 1e-6)
