"""The delay lock loop's resting place among several paths. Import this lazily: it loads Numba."""

from __future__ import annotations

import cmath
import math

import numba as nb
import numpy as np

_SCAN_STEPS_PER_CHIP = 24
_BISECTIONS = 26
_WEAKEST = 1e-4


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _composite(x, start, end, delay, turned, table, steps):  # type: ignore[no-untyped-def]
    """S(x), x and delays in chips."""
    middle, total = (len(table) - 1) // 2, 0.0 + 0.0j
    for p in range(start, end):
        place = (x - delay[p]) * steps + middle
        low = int(math.floor(place))
        if low < 0 or low >= len(table) - 1:
            continue
        part = place - low
        total += turned[p] * (table[low] * (1.0 - part) + table[low + 1] * part)
    return total


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _power(x, start, end, delay, turned, table, steps):  # type: ignore[no-untyped-def]
    value = _composite(x, start, end, delay, turned, table, steps)
    return value.real * value.real + value.imag * value.imag


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _rest(start, end, delay, turned, table, steps, spacing):  # type: ignore[no-untyped-def]
    """Return the place [chips] where early and late power agree, next to the highest peak."""
    half, latest = spacing / 2, 0.0
    for p in range(start, end):
        latest = max(latest, delay[p])
    latest = min(latest, 1.5)
    best, peak = -1.0, 0.0
    for n in range(-_SCAN_STEPS_PER_CHIP // 4, int(latest * _SCAN_STEPS_PER_CHIP) + _SCAN_STEPS_PER_CHIP // 4 + 1):
        x = n / _SCAN_STEPS_PER_CHIP
        power = _power(x, start, end, delay, turned, table, steps)
        if power > best:
            best, peak = power, x
    low, high = peak - max(half, 0.1), peak + max(half, 0.1)
    for _ in range(_BISECTIONS):
        x = (low + high) / 2
        early = _power(x - half, start, end, delay, turned, table, steps)
        late = _power(x + half, start, end, delay, turned, table, steps)
        if early < late:
            low = x
        else:
            high = x
    return (low + high) / 2


@nb.njit(cache=True, nogil=True, error_model="numpy")
def settle(first, satellites, excess, rate, amplitude, band, chip, spacing, per_m, tables, kind, steps):  # type: ignore[no-untyped-def]
    """Return code error [m], phase error [m], rate error [m/s] and power of each channel.

    The phase is told against the strongest path, so that it goes on growing with that path's excess and does not wrap.
    """
    count = len(satellites)
    code, phase, speed, power = np.zeros(count), np.zeros(count), np.zeros(count), np.zeros(count)
    delay, turned = np.empty(len(excess)), np.empty(len(excess), np.complex128)
    for c in range(count):
        s = satellites[c]
        start, end = first[s], first[s + 1]
        strongest, most, paths = -1, 0.0, 0
        for p in range(start, end):
            size = abs(amplitude[p, band[c]])
            if size > most:
                strongest, most = p, size
        if strongest < 0:
            continue
        for p in range(start, end):
            size = abs(amplitude[p, band[c]])
            paths += size > _WEAKEST * most
            turns = (excess[p] - excess[strongest]) * per_m[c]
            delay[p] = excess[p] / chip[c]
            turned[p] = amplitude[p, band[c]] * cmath.exp(-2j * math.pi * (turns - math.floor(turns)))
        speed[c] = rate[strongest]
        if paths == 1:
            code[c] = phase[c] = excess[strongest]
            power[c] = most * most
            phase[c] -= cmath.phase(turned[strongest]) / (2 * math.pi * per_m[c])
            continue
        x = _rest(start, end, delay, turned, tables[kind[c]], steps, spacing[c])
        prompt = _composite(x, start, end, delay, turned, tables[kind[c]], steps)
        code[c] = x * chip[c]
        phase[c] = excess[strongest] - cmath.phase(prompt) / (2 * math.pi * per_m[c])
        power[c] = prompt.real * prompt.real + prompt.imag * prompt.imag
    return code, phase, speed, power
