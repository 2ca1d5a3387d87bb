"""Echoes of single rain drops: which ones stand out of the noise, and how many there are up to each range.

The beam has the elliptic cross-section A_b(x) = pi (E + x tan Theta_h)(E + x tan Theta_v), evenly lit. (A Gaussian beam whose
irradiance falls to 1 / e^2 there gives the same mean and the same variance of all drops' light together.) A drop of the
diameter D inside it sends back

    P = P_peak eta A_rx q D^2 / (A_b(x) x^2) exp(-2 alpha x),   q = pi / (2 S),

S being the lidar ratio of the medium; the mean over all drops is the continuous backscatter beta = alpha / S of the LiDAR equation.
Only drops above one sigma of the dark receiver's noise count: D > D_min(x). Along the beam they form a Poisson process
of the density A_b(x) N0 / Lambda exp(-Lambda D_min(x)) per metre, tabulated here, and the diameter of each is D_min plus an
exponential number of the mean 1 / Lambda. Those below make up a hum that the echo mode leaves out, as it does that of fog.
"""

from __future__ import annotations

import math

import numpy as np

from sensorium.atmosphere import Medium
from sensorium.sensors.lidar.bundle import Bundle
from sensorium.sensors.lidar.links import LinkFigures
from sensorium.sensors.lidar.receiver import Air

Reach = tuple[float, float]

FAINTEST = 1.0
"""Share of the noise below which a drop does not count."""
_ROWS = 1024
_NEAREST_M = 0.01


def with_drops(air: Air, medium: Medium, link: LinkFigures, bundle: Bundle, noise_w: float, reach_m: Reach) -> Air:
    """Return the air with its table of drops between two ranges for a receiver of this noise."""
    if medium.drops is None:
        return air
    fall, faintest_w = medium.drops, FAINTEST * noise_w
    vertical_rad = bundle.divergence_rad if bundle.divergence_vertical_rad is None else bundle.divergence_vertical_rad
    tangents = math.tan(bundle.divergence_rad), math.tan(vertical_rad)
    of_one_mm = link.power_w * link.aperture_m2 * fall.backscatter_1_sr(medium.lidar_ratio_sr) * 1e-6  # P A_b x^2
    least = fall.slope_1_mm * math.sqrt(faintest_w / of_one_mm)
    x = np.geomspace(max(reach_m[0], _NEAREST_M), reach_m[1], _ROWS)
    area = math.pi * (link.emitter_radius_m + x * tangents[0]) * (link.emitter_radius_m + x * tangents[1])
    density = area * fall.count_1_m3 * np.exp(-least * x * np.sqrt(area) * np.exp(air.extinction_1_m * x))
    before = np.concatenate(([0.0], np.cumsum(0.5 * (density[1:] + density[:-1]) * np.diff(x))))
    return Air(*air[:5], x, before, faintest_w, least, link.emitter_radius_m, *tangents)
