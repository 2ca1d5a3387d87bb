"""From the signals of instruments to their readings: range, anti-alias filter, rate, chain. Import this lazily."""

from __future__ import annotations

import math

import numba as nb

from sensorium.noise.chain_kernels import run


@nb.njit(cache=True, error_model="numpy", nogil=True)
def _filtered(u, sections, z):  # type: ignore[no-untyped-def]
    """Run second order sections (transposed direct form II) over u [N, 3], in place; z [Q, 3, 2] remembers.

    A fresh filter is as if the first value had stood there for ever: y = u, z1 = (1 - b0) u, z2 = (b2 - a2) u.
    """
    for section in range(len(sections)):
        b0, b1, b2, a1, a2 = sections[section]
        for axis in range(3):
            z1, z2 = z[section, axis, 0], z[section, axis, 1]
            if math.isnan(z1) and len(u) > 0:
                z1, z2 = (1.0 - b0) * u[0, axis], (b2 - a2) * u[0, axis]
            for row in range(len(u)):
                x = u[row, axis]
                y = b0 * x + z1
                z1 = b1 * x - a1 * y + z2
                z2 = b2 * x - a2 * y
                u[row, axis] = y
            z[section, axis, 0], z[section, axis, 1] = z1, z2


@nb.njit(cache=True, error_model="numpy", nogil=True)
def _clamped(u, bounds):  # type: ignore[no-untyped-def]
    for row in range(len(u)):
        for axis in range(3):
            u[row, axis] = max(bounds[axis], min(u[row, axis], bounds[3 + axis]))


@nb.njit(cache=True, error_model="numpy", nogil=True)
def read(signals, beside, gyroscope, tables, keys, memory, filters, first, looks, temperature_k, out):  # type: ignore[no-untyped-def]
    """Write the readings out [S, R, 3] of S instruments in a block whose first reading has the number `first`.

    `signals` [S, R x looks, 3] and `beside`, the force [R x looks, 3] on the instrument in row `gyroscope`, are used up.
    An instrument reads where the number is a multiple of its divisor; its own count is that number over the divisor. Its
    readings stand at the beginning of its row.
    """
    codes, figures, bounds, sections, section_counts, divisors, present = tables
    for s in range(len(codes)):
        u, readings, divisor = signals[s], out[s], divisors[s]
        if bounds[s, 0] > -math.inf:
            _clamped(u, bounds[s])
        _filtered(u, sections[s, : section_counts[s]], filters[s])
        count = 0
        for reading in range(len(readings)):
            if (first + reading) % divisor == 0:
                row = (reading + 1) * looks - 1
                for axis in range(3):
                    readings[count, axis] = u[row, axis]
                    if s == gyroscope:
                        beside[count, axis] = beside[row, axis]
                count += 1
        own = (first + divisor - 1) // divisor
        run(codes[s], figures[s], keys[s], memory[s], readings[:count], beside, own, temperature_k)
        for axis in range(3):
            if not present[s, axis]:
                for reading in range(count):
                    readings[reading, axis] = math.nan
