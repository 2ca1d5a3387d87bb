"""Stray light from bright echoes into the beams beside them. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

_BLOCK = 256
MOST = 16
"""Ranges at which one beam hears stray light; sources at any more ranges, in the order of azimuth, are left out."""


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def _is_bright(rays, power, least):  # type: ignore[no-untyped-def]
    """Return for each block of beams whether one of them receives more than `least` in all."""
    beams = len(power) // rays
    blocks = (beams + _BLOCK - 1) // _BLOCK
    found = np.zeros(blocks, np.bool_)
    for block in nb.prange(blocks):
        top = np.float32(0.0)
        for row in range(block * _BLOCK * rays, min(beams, (block + 1) * _BLOCK) * rays):
            top = max(top, power[row])
        found[block] = top * rays > least  # no beam of the block can have more
    return found


@nb.njit(cache=True, error_model="numpy", nogil=True)
def _source(k, rays, distance, power, separation):  # type: ignore[no-untyped-def]
    """Return the strongest ray of beam k, the power of all that merges with it, and its power-weighted range."""
    best = k * rays
    for row in range(k * rays, (k + 1) * rays):
        if power[row] > power[best]:
            best = row
    total, weighted = 0.0, 0.0
    for row in range(k * rays, (k + 1) * rays):
        if power[row] > 0.0 and abs(distance[row] - distance[best]) < max(separation, 1e-9):
            total += power[row]
            weighted += power[row] * distance[row]
    return best, total, weighted / total if total > 0.0 else math.inf


@nb.njit(cache=True, error_model="numpy", nogil=True)
def bright(rays, distance, power, least, separation):  # type: ignore[no-untyped-def]
    """Return beam, strongest ray, power [W] and range [m] of the strongest first echo of every beam that has more than `least`."""
    if rays < 1:
        none = np.zeros(0, np.int64)
        return none, none, np.zeros(0), np.zeros(0)
    beams, some = len(power) // rays, _is_bright(rays, power, least)
    room = 0
    for block in range(len(some)):
        room += _BLOCK if some[block] else 0
    beam, row, level, place = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room), np.empty(room)
    made = 0
    for block in range(len(some)):
        if not some[block]:
            continue
        for k in range(block * _BLOCK, min(beams, (block + 1) * _BLOCK)):
            best, total, middle = _source(k, rays, distance, power, separation)
            if total > least:
                beam[made], row[made], level[made], place[made] = k, best, total, middle
                made += 1
    return beam[:made], row[:made], level[:made], place[:made]


@nb.njit(cache=True, nogil=True)
def bands(distance, separation):  # type: ignore[no-untyped-def]
    """Return numbers of the bands of rising ranges; a band is no longer than the separation."""
    number = np.empty(len(distance), np.int64)
    made, start = -1, -math.inf
    for i in range(len(distance)):
        if distance[i] - start > separation:
            made, start = made + 1, distance[i]
        number[i] = made
    return number


@nb.njit(cache=True, error_model="numpy", nogil=True)
def _cell(x, y, z, pitch):  # type: ignore[no-untyped-def]
    """Return the number of the cell of a direction: rows of elevation `pitch` high, cut into whole columns as wide."""
    row = math.floor((math.asin(max(-1.0, min(1.0, z))) + 0.5 * math.pi) / pitch)
    columns = max(1, math.floor(2.0 * math.pi * math.cos((row + 0.5) * pitch - 0.5 * math.pi) / pitch))
    column = math.floor((math.atan2(y, x) / (2.0 * math.pi) + 0.5) * columns) % columns
    return np.int64(row) * 4294967296 + np.int64(column)


@nb.njit(cache=True, error_model="numpy", nogil=True)
def cells(direction, pitch):  # type: ignore[no-untyped-def]
    """Return the cell of each direction [N]."""
    out = np.empty(len(direction), np.int64)
    for k in range(len(direction)):
        out[k] = _cell(direction[k, 0], direction[k, 1], direction[k, 2], pitch)
    return out


@nb.njit(cache=True, error_model="numpy", nogil=True)
def crowd(direction, keys, lowest, highest, pitch):  # type: ignore[no-untyped-def]
    """Return the number of beams in each of these cells (rising), which hold beams of heights z from lowest to highest."""
    count = np.zeros(len(keys))
    for k in range(len(direction)):
        if lowest - pitch <= direction[k, 2] <= highest + pitch:
            key = _cell(direction[k, 0], direction[k, 1], direction[k, 2], pitch)
            i = np.searchsorted(keys, key)
            if i < len(keys) and keys[i] == key:
                count[i] += 1.0
    return count


@nb.njit(cache=True, error_model="numpy", nogil=True)
def _collect(first, last, k, direction, sources, own, power, distance, band, law, found, bins):  # type: ignore[no-untyped-def]
    """Add what strays into beam k from the sources first .. last to its bins of range; return their number.

    A bin is a row of `bins`: power, its middle range, share of the strongest source; `found` holds band and source.
    """
    level, width, chord2, count = law
    for s in range(first, last):
        if own[k] == s:
            continue
        c2 = 0.0
        for a in range(3):
            c2 += (direction[k, a] - sources[s, a]) ** 2
        if c2 > chord2:
            continue
        angle = 2.0 * math.asin(min(1.0, 0.5 * math.sqrt(c2)))
        got = power[s] * level / (1.0 + (angle / width) ** 2)
        b = 0
        while b < count and found[b, 0] != band[s]:
            b += 1
        if b == MOST:
            continue
        if b == count:
            found[b, 0], found[b, 1] = band[s], s
            bins[b, 0], bins[b, 1], bins[b, 2] = 0.0, 0.0, got
            count += 1
        bins[b, 0] += got
        bins[b, 1] += (distance[s] - bins[b, 1]) * (got / bins[b, 0])
        if got > bins[b, 2]:
            bins[b, 2], found[b, 1] = got, s
    return count


@nb.njit(cache=True, error_model="numpy", nogil=True)
def _heard(k, direction, sources, azimuth, own, power, distance, band, level, width, reach, found, bins):  # type: ignore[no-untyped-def]
    """Fill the bins of beam k; return their number.

    Everything within `reach` of a beam at the elevation e lies within asin(sin(reach) / cos e) of its azimuth, or all round if a
    pole is within reach.
    """
    chord, flat = 2.0 * math.sin(0.5 * reach), math.hypot(direction[k, 0], direction[k, 1])
    chord2 = chord * chord * (1.0 + 1e-12)
    if flat <= math.sin(reach):
        return _collect(
            0, len(azimuth), k, direction, sources, own, power, distance, band, (level, width, chord2, 0), found, bins
        )
    half = math.asin(math.sin(reach) / flat) + 1e-9
    here = math.atan2(direction[k, 1], direction[k, 0])
    count = 0
    for turn in (-1, 0, 1):
        low, high = here - half + 2.0 * math.pi * turn, here + half + 2.0 * math.pi * turn
        if high < -math.pi or low > math.pi:
            continue
        first, last = np.searchsorted(azimuth, low, side="left"), np.searchsorted(azimuth, high, side="right")
        law = (level, width, chord2, count)
        count = _collect(first, last, k, direction, sources, own, power, distance, band, law, found, bins)
    return count


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def _sweep(  # type: ignore[no-untyped-def]
    direction, own, row, power, distance, band, sources, azimuth, level, width, reach, least, place, out
):
    """Count the echoes of every beam into `place` [N + 1] if `out` has no room, or write them where `place` says."""
    beams, writing = len(direction), len(out[0]) > 0
    chord = 2.0 * math.sin(0.5 * reach)
    lowest, highest = sources[:, 2].min() - chord, sources[:, 2].max() + chord
    for block in nb.prange((beams + _BLOCK - 1) // _BLOCK):
        found, bins = np.empty((MOST, 2), np.int64), np.empty((MOST, 3))
        for k in range(block * _BLOCK, min(beams, (block + 1) * _BLOCK)):
            if direction[k, 2] < lowest or direction[k, 2] > highest or (writing and place[k + 1] == place[k]):
                continue
            count = _heard(k, direction, sources, azimuth, own, power, distance, band, level, width, reach, found, bins)
            made = 0
            for b in range(count):
                if bins[b, 0] <= least:
                    continue
                if writing:
                    i = place[k] + made
                    out[0][i], out[1][i] = k, row[found[b, 1]]
                    out[2][i], out[3][i] = bins[b, 0], bins[b, 1]
                made += 1
            if not writing:
                place[k + 1] = made


@nb.njit(cache=True, error_model="numpy", nogil=True)
def halo(  # type: ignore[no-untyped-def]
    direction, own, row, power, distance, band, sources, azimuth, level, width, reach, least
):
    """Return beam, strongest source's ray, power [W] and range [m] of what strays into each beam, by beam.

    `own` .. `azimuth` describe the sources by rising azimuth (see `Sources`); a beam does not hear the source that it sees itself;
    echoes below `least` are dropped.
    """
    place, none = np.zeros(len(direction) + 1, np.int64), np.zeros(0, np.int64)
    nowhere = (none, none, np.zeros(0), np.zeros(0))
    _sweep(direction, own, row, power, distance, band, sources, azimuth, level, width, reach, least, place, nowhere)
    for k in range(len(direction)):
        place[k + 1] += place[k]
    total = place[-1]
    out = (np.empty(total, np.int64), np.empty(total, np.int64), np.empty(total), np.empty(total))
    if total > 0:
        _sweep(direction, own, row, power, distance, band, sources, azimuth, level, width, reach, least, place, out)
    return out
