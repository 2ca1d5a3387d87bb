"""The electronics as a compiled loop over beams. Import this lazily: it loads Numba.

Per beam: gather its echoes, sort by range, merge what one pulse cannot tell apart, add noise, compare with the threshold, pick
the returns of the mode, read the range with noise, blind zone, limit, ambiguity and whole steps.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.core.random_kernels import normal as draw_normal
from sensorium.core.random_kernels import uniform as draw_uniform
from sensorium.sensors.lidar.receiver import DUAL, FIRST, LAST, SECOND

_NONE = np.int64(-1)
_MOST = 64
"""Echoes per beam that are looked at, the nearest ones; a power of two for the addresses of the draws."""

AIR, CROSS = np.int64(-1), np.int64(-2)
"""Sources of echoes that no ray brought; a ray's echo has its row, a later one -3 - its number."""


@nb.njit(cache=True)
def gamma_draw(key, element, shape):  # type: ignore[no-untyped-def]
    """Draw from the gamma distribution with unit scale (G. Marsaglia, W. W. Tsang, ACM TOMS 26, 2000); element is an address."""
    boost = 1.0
    k = shape
    if k < 1.0:
        boost = draw_uniform(key, element * 64 + 63) ** (1.0 / k)
        k += 1.0
    d = k - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    for attempt in range(31):
        x = draw_normal(key, element * 64 + 2 * attempt)
        v = (1.0 + c * x) ** 3
        u = draw_uniform(key, element * 64 + 2 * attempt + 1)
        if v > 0.0 and math.log(u) < 0.5 * x * x + d - d * v + d * math.log(v):
            return d * v * boost
    return d * boost


@nb.njit(cache=True)
def _insert(ranges, powers, sources, count, distance, power, source):  # type: ignore[no-untyped-def]
    """Keep the list sorted by range; the farthest falls off when it is full."""
    if count == _MOST:
        if distance >= ranges[count - 1]:
            return count
        count -= 1
    place = count
    while place > 0 and ranges[place - 1] > distance:
        ranges[place], powers[place], sources[place] = ranges[place - 1], powers[place - 1], sources[place - 1]
        place -= 1
    ranges[place], powers[place], sources[place] = distance, power, source
    return count + 1


@nb.njit(cache=True)
def _merge(ranges, powers, sources, count, separation):  # type: ignore[no-untyped-def]
    """Join neighbours closer than the separation: sum of powers, power-weighted range, source of the strongest."""
    kept = 0
    strongest = 0.0
    for i in range(count):
        if kept > 0 and ranges[i] - ranges[kept - 1] < separation:
            total = powers[kept - 1] + powers[i]
            if total > 0.0:
                ranges[kept - 1] += (ranges[i] - ranges[kept - 1]) * powers[i] / total
            if powers[i] > strongest:
                strongest, sources[kept - 1] = powers[i], sources[i]
            powers[kept - 1] = total
        else:
            ranges[kept], powers[kept], sources[kept] = ranges[i], powers[i], sources[i]
            strongest = powers[i]
            kept += 1
    return kept


@nb.njit(cache=True)
def _strongest(powers, count, threshold, but):  # type: ignore[no-untyped-def]
    """Return the number of the strongest echo above the threshold, leaving one out; -1 if there is none."""
    best = -1
    for i in range(count):
        if i != but and powers[i] > threshold and (best < 0 or powers[i] > powers[best]):
            best = i
    return best


@nb.njit(cache=True)
def _pick(powers, count, threshold, mode):  # type: ignore[no-untyped-def]
    """Return the numbers of the one or two echoes that the mode reports; -1 for none."""
    if mode == FIRST or mode == LAST:
        chosen = -1
        for i in range(count):
            if powers[i] > threshold and (mode == LAST or chosen < 0):
                chosen = i
        return chosen, -1
    best = _strongest(powers, count, threshold, _NONE)
    if mode == SECOND:
        return _strongest(powers, count, threshold, best) if best >= 0 else -1, -1
    if mode == DUAL and best >= 0:
        last, _ = _pick_last(powers, count, threshold)
        return best, last if last != best else _strongest(powers, count, threshold, best)
    return best, -1


@nb.njit(cache=True)
def _pick_last(powers, count, threshold):  # type: ignore[no-untyped-def]
    chosen, found = -1, 0
    for i in range(count):
        if powers[i] > threshold:
            chosen = i
            found += 1
    return chosen, found


@nb.njit(cache=True, parallel=True, nogil=True)
def detect(  # type: ignore[no-untyped-def]
    rays, distance, power, later_first, later_distance, later_power, noise, threshold_sigmas, separation, mode,
    nearest, farthest, ambiguity, range_noise, range_slope, resolution,
    air, crosstalk, keys, measured, received, source, missing,
):  # fmt: skip
    """Fill range [N, 2] (NaN: none), power [N, 2], source [N, 2] and the reason of a missing first return [N].

    `noise` is the noise power of each beam [N] or of all [1]; `air` = (probability, shape, scale, power at 1 m, extinction),
    `crosstalk` = (probability, power of a white surface at 1 m); `keys` = generator keys (power, range, air, crosstalk).
    """
    beams = len(missing)
    for k in nb.prange(beams):
        ranges, powers, sources = np.empty(_MOST), np.empty(_MOST), np.empty(_MOST, np.int64)
        count, near, far = 0, False, False
        solid = math.inf
        for r in range(rays):
            row = k * rays + r
            d = distance[row]
            if d == math.inf or power[row] <= 0.0:
                continue
            solid = min(solid, d)
            if d < nearest:
                near = True
            elif d > farthest:
                far = True
            else:
                count = _insert(ranges, powers, sources, count, d, float(power[row]), row)
        for e in range(later_first[k], later_first[k + 1]):
            if nearest <= later_distance[e] <= farthest:
                count = _insert(ranges, powers, sources, count, later_distance[e], later_power[e], -3 - e)
        sigma = noise[k] if len(noise) > 1 else noise[0]
        if air[0] > 0.0 and draw_uniform(keys[2], k * 64 + 62) < air[0]:
            x = gamma_draw(keys[2], k, air[1]) * air[2]
            if x < solid and nearest <= x <= farthest:
                p = max(air[3] / (x * x) * math.exp(-2.0 * air[4] * x), 2.0 * threshold_sigmas * sigma)
                count = _insert(ranges, powers, sources, count, x, p, AIR)
        if crosstalk[0] > 0.0 and draw_uniform(keys[3], 4 * k) < crosstalk[0]:
            x = nearest + (farthest - nearest) * draw_uniform(keys[3], 4 * k + 1)
            from_m = 10.0 + max(0.0, farthest - 10.0) * draw_uniform(keys[3], 4 * k + 2)
            count = _insert(ranges, powers, sources, count, x, crosstalk[1] / (from_m * from_m), CROSS)
        count = _merge(ranges, powers, sources, count, separation)
        for i in range(count):
            powers[i] += sigma * draw_normal(keys[0], k * _MOST + i)
        chosen = _pick(powers, count, threshold_sigmas * sigma, mode)
        for j in range(2):
            i = chosen[j]
            if i < 0:
                measured[k, j], received[k, j], source[k, j] = math.nan, 0.0, 0
                continue
            x = ranges[i]
            if range_noise > 0.0 or range_slope > 0.0:
                x += (range_noise + range_slope * x) * draw_normal(keys[1], 2 * k + j)
            if ambiguity < math.inf:
                x -= ambiguity * math.floor(x / ambiguity)
            if resolution > 0.0:
                x = math.floor(x / resolution + 0.5) * resolution
            measured[k, j], received[k, j], source[k, j] = x, powers[i], sources[i]
        missing[k] = 0 if chosen[0] >= 0 else (2 if count > 0 else (3 if near else (4 if far else 1)))
