"""Temperature and radiance of surfaces, for kernels. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb

from sensorium.sensors.camera.thermal.planck_kernels import radiance

_LEVEL, _FILM_EMISSIVITY, _FILM_MIRRORED = 0.7, 0.96, 0.5


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def base_k(heat, kind, share):  # type: ignore[no-untyped-def]
    """Return the temperature of a kind of surface in the shade that sees a share of sky: linear between the solved shares."""
    last = heat.base_k.shape[1] - 1
    place = min(max(share, 0.0), 1.0) * last
    i = min(int(place), last - 1)
    return heat.base_k[kind, i] + (place - i) * (heat.base_k[kind, i + 1] - heat.base_k[kind, i])


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def sun_k(heat, kind, span, thin, nx, ny, nz):  # type: ignore[no-untyped-def]
    """Return what unhindered sunlight of a span adds: max(0, n . S); a thin sheet is warmed through from either side."""
    s = heat.sun_k[kind, span]
    rise = nx * s[0] + ny * s[1] + nz * s[2]
    return abs(rise) if thin else max(rise, 0.0)


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def pattern_k(parts, part, triangle, u, v):  # type: ignore[no-untyped-def]
    """Return what the pattern over the body adds at a place on a triangle: rise, gradient and hot spots."""
    rise = parts.rise[part, 0]
    first = parts.corner_first[part]
    if first < 0:
        return rise
    c = parts.corner[first + triangle]
    w = 1.0 - u - v
    x = w * c[0, 0] + u * c[1, 0] + v * c[2, 0]
    y = w * c[0, 1] + u * c[1, 1] + v * c[2, 1]
    z = w * c[0, 2] + u * c[1, 2] + v * c[2, 2]
    g = parts.rise[part]
    rise += (x - g[1]) * g[4] + (y - g[2]) * g[5] + (z - g[3]) * g[6]
    for j in range(parts.spot_first[part], parts.spot_first[part + 1]):
        s = parts.spot[j]
        a, b, d = (x - s[0]) * s[3], (y - s[1]) * s[4], (z - s[2]) * s[5]
        r2 = a * a + b * b + d * d
        if r2 < 60.0:
            rise += s[6] * math.exp(-0.5 * r2)
    return rise


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def skin_of(skin, part, wetness, up):  # type: ignore[no-untyped-def]
    """Return emissivity towards the normal and mirrored part of a face whose normal has the third component `up`.

    A film of water on what faces the sky has the emissivity of water, and mirrors: as smooth as the stones below leave it.
    """
    e, m = skin[part, 0], skin[part, 1]
    if wetness > 0.0 and up > _LEVEL:
        e, m = e + wetness * (_FILM_EMISSIVITY - e), m + wetness * max(_FILM_MIRRORED - m, 0.0)
    return e, m


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def sky(air, up):  # type: ignore[no-untyped-def]
    """Return the radiance of the sky in a direction whose third component is `up`; of the ground below the horizon."""
    if up <= 0.0:
        return air.ground
    last = len(air.sky) - 1
    place = math.sqrt(min(up, 1.0)) * last
    i = min(int(place), last - 1)
    return air.sky[i] + (place - i) * (air.sky[i + 1] - air.sky[i])


@nb.njit(cache=True, error_model="numpy")
def met(air, table, parts, heat, skin, part, triangle, u, v, nx, ny, nz, dx, dy, dz, distance):  # type: ignore[no-untyped-def]
    """Return the radiance that arrives from what a second ray met, as far as it can be told without a third ray.

    The surface counts as sunlit where it faces the sun, sees the share (1 + n_z) / 2 of sky, and throws back what it would in
    the open.
    """
    if part < 0:
        return sky(air, dz)
    cosine = nx * dx + ny * dy + nz * dz
    if cosine > 0.0:
        nx, ny, nz = -nx, -ny, -nz
    kind = parts.kind[part]
    share = 0.5 * (1.0 + nz)
    t_k = base_k(heat, kind, share) + pattern_k(parts, part, triangle, u, v)
    for span in range(len(heat.lit)):
        if heat.lit[span]:
            t_k += sun_k(heat, kind, span, parts.thin[part], nx, ny, nz)
    emissivity = skin[part, 0]
    around = share * air.dome + (1.0 - share) * air.ground
    passed = math.exp(-air.alpha * distance)
    return passed * (emissivity * radiance(table, t_k) + (1.0 - emissivity) * around) + (1.0 - passed) * air.here
