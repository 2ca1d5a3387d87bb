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
_ADDRESSES = 18
"""A beam has 2^18 addresses of four samples each."""

_jit = nb.njit(cache=True, nogil=True, error_model="numpy")


@_jit
def add_noise(y, start, stop, sigma, key, beam):  # type: ignore[no-untyped-def]
    """Add white noise; sample n of a beam always gets the same number, whichever stretch is asked for.

    One Philox counter gives four samples by two Box-Muller pairs.
    """
    for quad in range(start >> 2, (stop + 3) >> 2):
        e = np.uint64((beam << _ADDRESSES) | quad)
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
def air_at(n, air, ends):  # type: ignore[no-untyped-def]
    """Return what the lit air sends back into sample n.

    In front of all surfaces it is known; near and behind them the light of every lit cell is gathered with the pulse.
    """
    if n >= air.stop:
        return 0.0
    if n + air.lead + 1 < ends[0]:
        return air.light[n]
    total, taps = 0.0, len(air.taps)
    for i in range(taps):
        cell = n + air.lead - i
        lit = 0.0
        for r in range(len(air.weights)):
            lit += air.weights[r] * min(1.0, max(0.0, ends[r + 1] - cell + 0.5))
        if lit > 0.0:
            total += air.cells[cell + taps] * lit * air.taps[i]
    return total


@_jit
def pulse_at(n, position, pulse):  # type: ignore[no-untyped-def]
    """Return the share of its peak that an echo has at sample n."""
    whole = int(math.floor(position))
    i = n - whole + pulse.lead
    if i < 0 or i >= pulse.table.shape[1]:
        return 0.0
    place = (position - whole) * (len(pulse.table) - 1)
    j = min(int(place), len(pulse.table) - 2)
    return pulse.table[j, i] + (place - j) * (pulse.table[j + 1, i] - pulse.table[j, i])


@_jit
def fill(y, start, stop, beam, sigma, count, places, powers, ends, air, pulse, digits, key):  # type: ignore[no-untyped-def]
    """Make a stretch of a beam's record from nothing: air, pulses, noise, ceiling, digitiser."""
    for n in range(start, stop):
        y[n] = air_at(n, air, ends)
    for i in range(count):
        add_pulse(y, start, stop, places[i], powers[i], pulse)
    add_noise(y, start, stop, sigma, key, beam)
    for n in range(start, stop):
        value = y[n]
        if digits.step_w > 0.0:
            value = max(digits.lowest_w, math.floor(value / digits.step_w + 0.5) * digits.step_w)
        y[n] = min(value, digits.highest_w)


@_jit
def ray_ends(k, rays, distance, clock, ends):  # type: ignore[no-untyped-def]
    """Write where each ray of beam k ends [1 + R]; the nearest of them stands first."""
    ends[0] = math.inf
    for r in range(rays):
        ends[r + 1] = distance[k * rays + r] * clock.per_metre - clock.first
        ends[0] = min(ends[0], ends[r + 1])
