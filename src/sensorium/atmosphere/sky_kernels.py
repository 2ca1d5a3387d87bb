"""Reading the sky. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb

_COS_SUN = math.cos(0.004654)


@nb.njit(cache=True, forceinline=True, error_model="numpy", _nrt=False)
def sky_radiance(sky, x, y, z, with_sun):  # type: ignore[no-untyped-def]
    """Return the radiance of the three bands from a unit direction; below the horizon that of the land."""
    if z < 0.0:
        mix = min(1.0, -z * 12.0)
        r, g, b = (
            (1.0 - mix) * sky.radiance[0, 0, 0],
            (1.0 - mix) * sky.radiance[0, 0, 1],
            (1.0 - mix) * sky.radiance[0, 0, 2],
        )
        return r + mix * sky.land[0], g + mix * sky.land[1], b + mix * sky.land[2]
    rows, columns = sky.radiance.shape[0] - 1, sky.radiance.shape[1]
    v = math.sqrt(min(1.0, z)) * rows
    i = min(int(v), rows - 1)
    u = (math.atan2(y, x) / (2.0 * math.pi) + 1.0) * columns
    j = int(u)
    f, h = v - i, u - j
    j %= columns
    k = (j + 1) % columns
    a, b, c, d = (1.0 - f) * (1.0 - h), (1.0 - f) * h, f * (1.0 - h), f * h
    t = sky.radiance
    red = a * t[i, j, 0] + b * t[i, k, 0] + c * t[i + 1, j, 0] + d * t[i + 1, k, 0]
    green = a * t[i, j, 1] + b * t[i, k, 1] + c * t[i + 1, j, 1] + d * t[i + 1, k, 1]
    blue = a * t[i, j, 2] + b * t[i, k, 2] + c * t[i + 1, j, 2] + d * t[i + 1, k, 2]
    if with_sun and x * sky.sun[0] + y * sky.sun[1] + z * sky.sun[2] > _COS_SUN:
        red, green, blue = red + sky.disc[0], green + sky.disc[1], blue + sky.disc[2]
    return red, green, blue
