"""Making the sampled record of a beam: pulses, air, noise, digitiser. Import this lazily: it loads Numba.

Positions count in samples of the record.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.core.random_kernels import philox

_LOW, _32 = np.uint64(0xFFFFFFFF), np.uint64(32)
_UNIT = 2.0**-32
_jit = nb.njit(cache=True, nogil=True)





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
