"""The sampled receiver as a compiled loop over beams. Import this lazily: it loads Numba.

Per beam: gather its echoes, make the record where anybody looks, find the peaks, read their times, and report as the echo mode
does. A beam's record lives in a buffer of its block and is forgotten unless it is kept.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numba as nb
import numpy as np
from numpy.typing import NDArray

from sensorium.core.random_kernels import normal
from sensorium.sensors.lidar.detect_kernels import AIR, BLOCK, MOST, gather, gather_later, insert, pick, report, stray
from sensorium.sensors.lidar.echoes import NOISE
from sensorium.sensors.lidar.peak_kernels import correlate, find, read_peak
from sensorium.sensors.lidar.record_kernels import air_at, fill, pulse_at, ray_ends

_jit = nb.njit(cache=True, nogil=True, error_model="numpy")


class Echoes(NamedTuple):
    """What arrives: first echoes [N R], later ones [M] with the first of each beam [N + 1], noise power [N] or [1]."""

    rays: int
    distance: NDArray[np.float64]
    power: NDArray[np.float32]
    later_first: NDArray[np.int64]
    later_distance: NDArray[np.float64]
    later_power: NDArray[np.float64]
    noise: NDArray[np.float64]


class Room(NamedTuple):
    """Working space for one beam after the other."""

    y: NDArray[np.float64]
    z: NDArray[np.float64]
    tops: NDArray[np.int64]
    floors: NDArray[np.int64]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    ranges: NDArray[np.float64]
    places: NDArray[np.float64]
    powers: NDArray[np.float64]
    sources: NDArray[np.int64]
    marks: NDArray[np.float64]
    heights: NDArray[np.float64]
    roots: NDArray[np.int64]
    jitter: NDArray[np.float64]
    ends: NDArray[np.float64]


@_jit
def make_room(samples, rays):  # type: ignore[no-untyped-def]
    """Return working space for records of so many samples."""
    return Room(
        np.empty(samples), np.empty(samples), np.empty(MOST, np.int64), np.empty(MOST, np.int64),
        np.empty(MOST + 1, np.int64), np.empty(MOST + 1, np.int64), np.empty(MOST), np.empty(MOST), np.empty(MOST),
        np.empty(MOST, np.int64), np.empty(MOST), np.empty(MOST), np.empty(MOST, np.int64), np.empty(MOST), np.empty(rays + 1),
    )  # fmt: skip


@_jit
def windows(count, places, powers, level, gates, starts, stops):  # type: ignore[no-untyped-def]
    """Write the stretches in which echoes are looked for, in order and apart from one another; return their number.

    An echo is looked for while it is above a tenth of its peak or above the noise `level`: so no stretch ends or begins on the
    flank of a neighbour that outshines its own.
    """
    if gates.everywhere:
        starts[0], stops[0] = gates.first, gates.last
        return 1
    made = 0
    if gates.loud > gates.first:
        starts[0], stops[0] = gates.first, gates.loud
        made = 1
    for i in range(count):
        ratio = max(powers[i] / level, 1.0)
        step = min(len(gates.before) - 1, max(0, int(math.ceil(2.0 * math.log10(ratio))) - 2))
        start = max(gates.first, int(math.floor(places[i])) - gates.before[step])
        stop = min(gates.last, int(math.floor(places[i])) + 1 + gates.after[step])
        while made > 0 and start <= stops[made - 1]:  # a strong echo may reach back over several
            made -= 1
            start, stop = min(start, starts[made]), max(stop, stops[made])
        if stop > start:
            starts[made], stops[made] = start, stop
            made += 1
    return made


@_jit
def search(room, start, stop, sigma, gates, finder, rules, clock, seen, count, pulse, air):  # type: ignore[no-untyped-def]
    """Find the peaks of one stretch and add those inside the limits to the list of returns; return its length."""
    z = room.y
    if len(finder.template) > 0:
        z = room.z
        correlate(room.y, z, start - 1, stop + 1, finder.template, finder.lead)
    first, last, level = start - gates.margin, stop + gates.margin - 1, sigma * finder.noise
    threshold, swing = finder.threshold_sigmas * level, finder.swing_sigmas * level
    for i in range(find(z, start, stop, first, threshold, swing, room.tops, room.floors, 0)):
        position, power = read_peak(room.y, z, room.tops[i], room.floors[i], first, last, finder)
        x = (position + clock.first) / clock.per_metre
        if rules.nearest <= x <= rules.farthest:
            root = cause(room.tops[i], room, count, level, pulse, air)
            seen = insert(room.marks, room.heights, room.roots, seen, x, power, root)
    return seen


@_jit
def cause(top, room, count, level, pulse, air):  # type: ignore[no-untyped-def]
    """Return the source of the echo that is strongest at this sample; noise if none of them rises above it."""
    best, source = level, NOISE
    for i in range(count):
        share = room.powers[i] * pulse_at(top, room.places[i], pulse)
        if share > best:
            best, source = share, room.sources[i]
    if air_at(top, air, room.ends) > best:
        return AIR
    return source


@_jit
def reason(ranges, count, near, far, rules):  # type: ignore[no-untyped-def]
    """Return why a beam without a return has none."""
    for i in range(count):
        if rules.nearest <= ranges[i] <= rules.farthest:
            return 2
        near, far = near or ranges[i] < rules.nearest, far or ranges[i] > rules.farthest
    return 3 if near else (4 if far else 1)


@_jit
def record(k, room, made, count, sigma, gates, air, pulse, digits, key, whole):  # type: ignore[no-untyped-def]
    """Make the record of beam k in all stretches, or as a whole."""
    if whole:
        fill(room.y, 0, len(room.y), k, sigma, count, room.places, room.powers, room.ends, air, pulse, digits, key)
        return
    for w in range(made):
        start, stop = room.starts[w] - gates.margin, room.stops[w] + gates.margin
        fill(room.y, start, stop, k, sigma, count, room.places, room.powers, room.ends, air, pulse, digits, key)


@_jit
def listen(k, room, echoes, rules, wide, clock, pulse, air, no_drops, other, digits, gates, finder, keys, whole):  # type: ignore[no-untyped-def]
    """Make and search the record of beam k; return the number of returns and why there might be none."""
    sigma = echoes.noise[k] if len(echoes.noise) > 1 else echoes.noise[0]
    count, solid, near, far = gather(
        k, echoes.rays, echoes.distance, echoes.power, wide, room.ranges, room.powers, room.sources
    )
    count = gather_later(
        k,
        count,
        echoes.later_first,
        echoes.later_distance,
        echoes.later_power,
        wide,
        room.ranges,
        room.powers,
        room.sources,
    )
    count = stray(k, count, solid, sigma, rules, no_drops, other, keys, room.ranges, room.powers, room.sources)
    for i in range(count):
        room.places[i] = room.ranges[i] * clock.per_metre - clock.first
    ray_ends(k, echoes.rays, echoes.distance, clock, room.ends)
    level, seen = sigma * finder.noise, 0
    made = windows(count, room.places, room.powers, level, gates, room.starts, room.stops)
    record(k, room, made, count, sigma, gates, air, pulse, digits, keys[0], whole)
    for w in range(made):
        seen = search(room, room.starts[w], room.stops[w], sigma, gates, finder, rules, clock, seen, count, pulse, air)
    return seen, reason(room.ranges, count, near, far, rules)


@_jit
def draw_jitter(k, seen, rules, key, jitter):  # type: ignore[no-untyped-def]
    """Draw the noise of the clock for each return of beam k, if it has any.

    A function of its own: inside the parallel loop Numba takes a write into a field of the room for dead and drops it.
    """
    noisy = rules.range_noise_m + rules.range_noise_slope > 0.0
    for i in range(seen):
        jitter[i] = normal(key, k * MOST + i) if noisy else 0.0


@nb.njit(cache=True, parallel=True, nogil=True, error_model="numpy")
def detect(  # type: ignore[no-untyped-def]
    echoes, rules, wide, clock, pulse, air, no_drops, other, digits, gates, finder, keys, every,
    measured, received, source, missing, kept,
):  # fmt: skip
    """Fill range [N, 2] (NaN: none), power [N, 2], source [N, 2], the reason of a missing first return [N], records [K, S].

    `wide` are the rules with limits so far apart that every pulse which reaches into the record is in; `keys` are the
    generator keys of noise, air, crosstalk and clock; every `every`-th record is kept, none with 0.
    """
    beams = len(missing)
    for block in nb.prange((beams + BLOCK - 1) // BLOCK):
        room = make_room(clock.samples, echoes.rays)
        for k in range(block * BLOCK, min(beams, (block + 1) * BLOCK)):
            whole = every > 0 and k % every == 0
            seen, why = listen(
                k, room, echoes, rules, wide, clock, pulse, air, no_drops, other, digits, gates, finder, keys, whole
            )
            if whole:
                kept[k // every] = room.y
            draw_jitter(k, seen, rules, keys[3], room.jitter)
            chosen = pick(room.heights, seen, 0.0, rules.mode)
            report(k, chosen, room.marks, room.heights, room.jitter, room.roots, rules, measured, received, source)
            missing[k] = 0 if chosen[0] >= 0 else why
