"""The electronics as a compiled loop over beams. Import this lazily: it loads Numba.

Per beam: gather its echoes, sort by range, merge what one pulse cannot tell apart, add noise, compare with the threshold, pick
the returns of the mode, read the range with noise, blind zone, limit, ambiguity and whole steps.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.core.random_kernels import normal as draw_normal
from sensorium.core.random_kernels import normal_pair
from sensorium.core.random_kernels import uniform as draw_uniform
from sensorium.sensors.lidar.rain_kernels import MOST_DROPS, next_drop
from sensorium.sensors.lidar.receiver import DUAL, FIRST, LAST, SECOND

_NONE = np.int64(-1)
MOST = 64
"""Echoes per beam that are looked at, the nearest ones; a power of two for the addresses of the draws."""

BLOCK = 256
"""Beams that share their lists, one block after the other."""

AIR, CROSS = np.int64(-1), np.int64(-2)
"""Sources of echoes that no ray brought; a ray's echo has its row, a later one -3 - its number."""


@nb.njit(cache=True, error_model="numpy")
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


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def insert(ranges, powers, sources, count, distance, power, source):  # type: ignore[no-untyped-def]
    """Keep the list sorted by range; the farthest falls off when it is full."""
    if count == MOST:
        if distance >= ranges[count - 1]:
            return count
        count -= 1
    place = count
    while place > 0 and ranges[place - 1] > distance:
        ranges[place], powers[place], sources[place] = ranges[place - 1], powers[place - 1], sources[place - 1]
        place -= 1
    ranges[place], powers[place], sources[place] = distance, power, source
    return count + 1


@nb.njit(cache=True, forceinline=True, error_model="numpy")
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


@nb.njit(cache=True, error_model="numpy")
def _strongest(powers, count, threshold, but):  # type: ignore[no-untyped-def]
    """Return the number of the strongest echo above the threshold, leaving one out; -1 if there is none."""
    best = -1
    for i in range(count):
        if i != but and powers[i] > threshold and (best < 0 or powers[i] > powers[best]):
            best = i
    return best


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def pick(powers, count, threshold, mode):  # type: ignore[no-untyped-def]
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


@nb.njit(cache=True, error_model="numpy")
def _pick_last(powers, count, threshold):  # type: ignore[no-untyped-def]
    chosen, found = -1, 0
    for i in range(count):
        if powers[i] > threshold:
            chosen = i
            found += 1
    return chosen, found


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def gather(k, rays, distance, power, rules, ranges, powers, sources):  # type: ignore[no-untyped-def]
    """Collect the first echoes of beam k inside the limits.

    Return their number, the range of the nearest surface, and whether any was too near or too far.
    """
    count, near, far, solid = 0, False, False, math.inf
    for row in range(k * rays, (k + 1) * rays):
        d = distance[row]
        if d == math.inf or power[row] <= 0.0:
            continue
        solid = min(solid, d)
        if d < rules.nearest:
            near = True
        elif d > rules.farthest:
            far = True
        else:
            count = insert(ranges, powers, sources, count, d, float(power[row]), row)
    return count, solid, near, far


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def gather_later(k, count, first, distance, power, rules, ranges, powers, sources):  # type: ignore[no-untyped-def]
    """Add the echoes of beam k over mirrors and through glass inside the limits; return the number of all."""
    for e in range(first[k], first[k + 1]):
        if rules.nearest <= distance[e] <= rules.farthest:
            count = insert(ranges, powers, sources, count, distance[e], power[e], -3 - e)
    return count


@nb.njit(cache=True, error_model="numpy")
def _rain(k, count, solid, rules, air, key, ranges, powers, sources):  # type: ignore[no-untyped-def]
    """Add the echoes of rain drops in front of the nearest surface."""
    before = 0.0
    for i in range(MOST_DROPS):
        before, x, power = next_drop(air, key, k, i, before)
        if x >= solid or x > rules.farthest:
            break
        count = insert(ranges, powers, sources, count, x, power, AIR)
    return count


@nb.njit(cache=True, error_model="numpy")
def stray(k, count, solid, sigma, rules, air, other, keys, ranges, powers, sources):  # type: ignore[no-untyped-def]
    """Add what comes by chance: returns from the air in front of the nearest surface, the pulse of another LiDAR."""
    if len(air.drops_before) > 0:
        count = _rain(k, count, solid, rules, air, keys[1], ranges, powers, sources)
    if air.probability > 0.0 and draw_uniform(keys[1], k * 64 + 62) < air.probability:
        x = gamma_draw(keys[1], k, air.shape) * air.scale_m
        if x < solid and rules.nearest <= x <= rules.farthest:
            from_drops = air.power_at_1_m_w / (x * x) * math.exp(-2.0 * air.extinction_1_m * x)
            count = insert(
                ranges, powers, sources, count, x, max(from_drops, 2.0 * rules.threshold_sigmas * sigma), AIR
            )
    if other.probability > 0.0 and draw_uniform(keys[2], 4 * k) < other.probability:
        x = rules.nearest + (rules.farthest - rules.nearest) * draw_uniform(keys[2], 4 * k + 1)
        from_m = 10.0 + max(0.0, rules.farthest - 10.0) * draw_uniform(keys[2], 4 * k + 2)
        count = insert(ranges, powers, sources, count, x, other.white_at_1_m_w / (from_m * from_m), CROSS)
    return count


@nb.njit(cache=True, error_model="numpy")
def read_range(x, jitter, rules):  # type: ignore[no-untyped-def]
    """Return what the clock says of a range: noise, folded by the ambiguity, in whole steps."""
    x += (rules.range_noise_m + rules.range_noise_slope * x) * jitter
    if rules.ambiguity_m < math.inf:
        x -= rules.ambiguity_m * math.floor(x / rules.ambiguity_m)
    if rules.resolution_m > 0.0:
        x = math.floor(x / rules.resolution_m + 0.5) * rules.resolution_m
    return x


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def report(k, chosen, ranges, powers, jitter, sources, rules, measured, received, source):  # type: ignore[no-untyped-def]
    """Write the chosen echoes of beam k as the clock reads them; NaN for none."""
    for j in range(2):
        i = chosen[j]
        if i >= 0:
            measured[k, j] = read_range(ranges[i], jitter[i], rules)
            received[k, j], source[k, j] = powers[i], sources[i]
        else:
            measured[k, j], received[k, j], source[k, j] = math.nan, 0.0, 0


@nb.njit(cache=True, error_model="numpy")
def draw_first(key, beam, level, late):  # type: ignore[no-untyped-def]
    """Draw power and clock noise of the first echo of the beams from `beam` on, several at once; most have no other echo."""
    for i in range(len(level)):
        level[i], late[i] = normal_pair(key, (beam + i) * MOST)


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def detect(  # type: ignore[no-untyped-def]
    rays, distance, power, later_first, later_distance, later_power, noise, rules, air, other, keys,
    measured, received, source, missing,
):  # fmt: skip
    """Fill range [N, 2] (NaN: none), power [N, 2], source [N, 2] and the reason of a missing first return [N].

    `noise` is the noise power of each beam [N] or of all [1]; `rules`, `air` and `other` are the tuples of `receiver`; `keys` are
    the generator keys of echoes, air and crosstalk.
    """
    beams = len(missing)
    by_chance = air.probability > 0.0 or other.probability > 0.0 or len(air.drops_before) > 0
    for block in nb.prange((beams + BLOCK - 1) // BLOCK):
        ranges, powers, jitter, sources = np.empty(MOST), np.empty(MOST), np.empty(MOST), np.empty(MOST, np.int64)
        level, late = np.empty(BLOCK), np.empty(BLOCK)
        draw_first(keys[0], block * BLOCK, level, late)
        for k in range(block * BLOCK, min(beams, (block + 1) * BLOCK)):
            sigma = noise[k] if len(noise) > 1 else noise[0]
            count, solid, near, far = gather(k, rays, distance, power, rules, ranges, powers, sources)
            count = gather_later(k, count, later_first, later_distance, later_power, rules, ranges, powers, sources)
            if by_chance:
                count = stray(k, count, solid, sigma, rules, air, other, keys, ranges, powers, sources)
            count = _merge(ranges, powers, sources, count, rules.separation_m)
            powers[0] += sigma * level[k - block * BLOCK]
            jitter[0] = late[k - block * BLOCK]
            for i in range(1, count):
                more, jitter[i] = normal_pair(keys[0], k * MOST + i)
                powers[i] += sigma * more
            chosen = pick(powers, count, rules.threshold_sigmas * sigma, rules.mode)
            report(k, chosen, ranges, powers, jitter, sources, rules, measured, received, source)
            missing[k] = 0 if chosen[0] >= 0 else (2 if count > 0 else (3 if near else (4 if far else 1)))
