"""The sampled receiver as a compiled loop over beams. Import this lazily: it loads Numba.

Per beam: gather its echoes, add their pulses on the receiver's clock where anybody looks, add the air's backscatter and the
noise, clip and round, find the peaks, read their times, and report as the echo mode does.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.core.random_kernels import normal, philox
from sensorium.sensors.lidar.cloud import NOISE
from sensorium.sensors.lidar.detect_kernels import AIR, BLOCK, MOST, gather, gather_later, insert, pick, report, stray
from sensorium.sensors.lidar.peak_kernels import correlate, find, read_peak

_LOW, _32 = np.uint64(0xFFFFFFFF), np.uint64(32)
_UNIT = 2.0**-32
_jit = nb.njit(cache=True, nogil=True)

QUADS_BITS = 18
"""A beam has room for 2^18 addresses of four samples each."""


@_jit
def add_noise(y, start, stop, sigma, key, beam):  # type: ignore[no-untyped-def]
    """Add white noise; sample n of a beam always gets the same number, whichever stretch is asked for.

    One Philox counter gives four samples by two Box-Muller pairs.
    """
    for quad in range(start >> 2, (stop + 3) >> 2):
        e = np.uint64((beam << QUADS_BITS) | quad)
        a, b, c, d = philox(key, e & _LOW, e >> _32, np.uint64(0), np.uint64(0))
        for half in range(2):
            u, v = (a, b) if half == 0 else (c, d)
            radius, angle = sigma * math.sqrt(-2.0 * math.log((u + 0.5) * _UNIT)), 2.0 * math.pi * (v + 0.5) * _UNIT
            n = 4 * quad + 2 * half
            if start <= n < stop:
                y[n] += radius * math.cos(angle)
            if start <= n + 1 < stop:
                y[n + 1] += radius * math.sin(angle)


@_jit
def add_pulse(y, start, stop, position, power, pulse):  # type: ignore[no-untyped-def]
    """Add an echo's pulse: the rows of the table are the pulse at places between two samples, mixed linearly."""
    whole = int(math.floor(position))
    place = (position - whole) * (len(pulse.table) - 1)
    j = min(int(place), len(pulse.table) - 2)
    late = power * (place - j)
    early = power - late
    begin = whole - pulse.lead
    for n in range(max(start, begin), min(stop, begin + pulse.table.shape[1])):
        y[n] += early * pulse.table[j, n - begin] + late * pulse.table[j + 1, n - begin]


@_jit
def air_at(n, air, cuts):  # type: ignore[no-untyped-def]
    """Return what the lit air sends back into sample n; `cuts` is where each ray of the bundle ends."""
    if n >= air.end:
        return 0.0
    lead, taps = air.lead, len(air.taps)
    if n + lead + 1 < cuts[0]:  # the nearest one
        return air.light[n]
    total = 0.0
    for i in range(taps):
        cell = n + lead - i  # its light arrives i - lead samples later than its place
        lit = 0.0
        for r in range(len(air.weights)):
            lit += air.weights[r] * min(1.0, max(0.0, cuts[r + 1] - cell + 0.5))
        if lit > 0.0 and 0 <= cell + taps < len(air.cells):
            total += air.cells[cell + taps] * lit * air.taps[i]
    return total


@_jit
def fill(y, start, stop, k, sigma, room, count, cuts, air, pulse, digits, key):  # type: ignore[no-untyped-def]
    """Make a stretch of beam k's record from nothing: pulses, air, noise, ceiling, digitiser."""
    for n in range(start, stop):
        y[n] = air_at(n, air, cuts)
    for i in range(count):
        add_pulse(y, start, stop, room.places[i], room.powers[i], pulse)
    add_noise(y, start, stop, sigma, key, k)
    for n in range(start, stop):
        value = y[n]
        if digits.step_w > 0.0:
            value = max(digits.lowest_w, math.floor(value / digits.step_w + 0.5) * digits.step_w)
        y[n] = min(value, digits.highest_w)


@_jit
def cut(k, rays, distance, clock, cuts):  # type: ignore[no-untyped-def]
    """Write where each ray of beam k ends, in samples; the nearest of them stands first."""
    cuts[0] = math.inf
    for r in range(rays):
        cuts[r + 1] = distance[k * rays + r] * clock.per_metre - clock.first
        cuts[0] = min(cuts[0], cuts[r + 1])


@_jit
def windows(count, places, gates, starts, stops):  # type: ignore[no-untyped-def]
    """Write the stretches in which echoes are looked for, in order and apart from one another; return their number."""
    if gates.everywhere:
        starts[0], stops[0] = gates.first, gates.last
        return 1
    made = 0
    if gates.loud > gates.first:
        starts[0], stops[0] = gates.first, gates.loud
        made = 1
    for i in range(count):
        start = max(gates.first, int(math.floor(places[i])) - gates.before)
        stop = min(gates.last, int(math.floor(places[i])) + 2 + gates.after)
        if made > 0 and start <= stops[made - 1]:
            stops[made - 1] = max(stop, stops[made - 1])
        elif stop > start:
            starts[made], stops[made] = start, stop
            made += 1
    return made


@_jit
def search(start, stop, sigma, room, found, margins, finder, filled):  # type: ignore[no-untyped-def]
    """Find the peaks of one stretch, whose record is known `margins` beyond; read place and power of each."""
    before = found
    if len(finder.template) > 0:
        correlate(room.y, room.z, start - 1, stop + 1, finder.template, finder.lead)
    z = room.z if len(finder.template) > 0 else room.y
    sigma_z = sigma * finder.noise
    found = find(z, start, stop, finder.threshold_sigmas * sigma_z, finder.swing_sigmas * sigma_z, room.tops, room.floors, found)
    for i in range(before, found):
        room.found[i], room.heights[i] = read_peak(
            room.y, z, room.tops[i], room.floors[i] - margins[0], start - margins[0], stop + margins[1] - 1, finder
        )
    return found
