"""The compiled loop over chains of faults. Import this lazily: it loads Numba.

Steps outside, readings inside: each step goes over the whole block. A draw is a function of the reading's number and
the axis, so that a block gives the same bytes as its readings one by one. What `figures` hold stands in `fault.Operation`.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.core.random_kernels import normal, uniform
from sensorium.noise.fault import Operation

_AFFINE, _CLAMP, _WHITE = int(Operation.AFFINE), int(Operation.CLAMP), int(Operation.WHITE)
_MARKOV, _WALK, _CONSTANT = int(Operation.GAUSS_MARKOV), int(Operation.RANDOM_WALK), int(Operation.CONSTANT)
_SCALE, _COUPLE, _ROUND = int(Operation.SCALE), int(Operation.COUPLE), int(Operation.ROUND)
_DRIFT, _VIBRATE, _DROP = int(Operation.DRIFT), int(Operation.VIBRATE), int(Operation.DROP)


@nb.njit(cache=True, error_model="numpy", nogil=True)
def _affine(u, f):  # type: ignore[no-untyped-def]
    for row in range(len(u)):
        x, y, z = u[row, 0], u[row, 1], u[row, 2]
        for axis in range(3):
            u[row, axis] = f[3 * axis] * x + f[3 * axis + 1] * y + f[3 * axis + 2] * z + f[9 + axis]


@nb.njit(cache=True, error_model="numpy", nogil=True)
def _couple(u, f, beside):  # type: ignore[no-untyped-def]
    for row in range(len(u)):
        x, y, z = beside[row, 0], beside[row, 1], beside[row, 2]
        for axis in range(3):
            u[row, axis] += f[3 * axis] * x + f[3 * axis + 1] * y + f[3 * axis + 2] * z


@nb.njit(cache=True, error_model="numpy", nogil=True)
def _clamp(u, f):  # type: ignore[no-untyped-def]
    for row in range(len(u)):
        for axis in range(3):
            u[row, axis] = max(f[axis], min(u[row, axis], f[3 + axis]))


@nb.njit(cache=True, error_model="numpy", nogil=True)
def _white(u, f, key, first):  # type: ignore[no-untyped-def]
    for axis in range(3):
        if f[axis] != 0.0:
            for row in range(len(u)):
                u[row, axis] += f[axis] * normal(key, 3 * (first + row) + axis)


@nb.njit(cache=True, error_model="numpy", nogil=True)
def _gauss_markov(u, f, key, first, memory):  # type: ignore[no-untyped-def]
    """x[k+1] = p x[k] + q n[k+1]; x of the first reading has the standard deviation s of all others."""
    drawn = np.empty(len(u))
    for axis in range(3):
        p, q, s, x = f[axis], f[3 + axis], f[6 + axis], memory[axis]
        if s == 0.0:
            continue
        for row in range(len(u)):
            drawn[row] = normal(key, 3 * (first + row) + axis)
        for row in range(len(u)):
            x = s * drawn[row] if math.isnan(x) else p * x + q * drawn[row]
            u[row, axis] += x
        memory[axis] = x


@nb.njit(cache=True, error_model="numpy", nogil=True)
def _random_walk(u, f, key, first, memory):  # type: ignore[no-untyped-def]
    drawn = np.empty(len(u))
    for axis in range(3):
        q, x = f[axis], memory[axis]
        if q == 0.0:
            continue
        for row in range(len(u)):
            drawn[row] = normal(key, 3 * (first + row) + axis)
        for row in range(len(u)):
            x = 0.0 if math.isnan(x) else x + q * drawn[row]
            u[row, axis] += x
        memory[axis] = x


@nb.njit(cache=True, error_model="numpy", nogil=True)
def _constant(u, f, key, scales):  # type: ignore[no-untyped-def]
    for axis in range(3):
        drawn = f[axis] * normal(key, axis)
        for row in range(len(u)):
            u[row, axis] += u[row, axis] * drawn if scales else drawn


@nb.njit(cache=True, error_model="numpy", nogil=True)
def _round(u, f):  # type: ignore[no-untyped-def]
    for row in range(len(u)):
        for axis in range(3):
            u[row, axis] = max(f[1], min(np.rint(u[row, axis] / f[0]), f[2])) * f[0]


@nb.njit(cache=True, error_model="numpy", nogil=True)
def _drift(u, f, first, temperature_k):  # type: ignore[no-untyped-def]
    """Self-heating goes up as dT (1 - exp(-t / tau)) from the first reading on."""
    for row in range(len(u)):
        warm = f[7] if f[8] == 0.0 else f[7] * (1.0 - math.exp(-(first + row) / (f[9] * f[8])))
        above = temperature_k + warm - f[6]
        for axis in range(3):
            u[row, axis] += (f[axis] + f[3 + axis] * u[row, axis]) * above


@nb.njit(cache=True, error_model="numpy", nogil=True)
def _vibrate(u, f, key, first):  # type: ignore[no-untyped-def]
    for axis in range(3):
        phase = uniform(key, axis)
        for row in range(len(u)):
            u[row, axis] += f[axis] * math.sin(2.0 * math.pi * ((f[3] * (first + row)) % 1.0 + phase))


@nb.njit(cache=True, error_model="numpy", nogil=True)
def _drop(u, f, key, first, memory):  # type: ignore[no-untyped-def]
    for row in range(len(u)):
        lost = uniform(key, first + row) < f[0]
        for axis in range(3):
            if lost:
                u[row, axis] = memory[axis] if f[1] == 1.0 else math.nan
            else:
                memory[axis] = u[row, axis]


@nb.njit(cache=True, error_model="numpy", nogil=True)
def run(codes, figures, keys, memory, u, beside, first, temperature_k):  # type: ignore[no-untyped-def]
    """Take readings u [N, 3] through all steps, in place; memory [S, 3] in place."""
    for step in range(len(codes)):
        code, f, key = codes[step], figures[step], keys[step]
        if code == _AFFINE:
            _affine(u, f)
        elif code == _CLAMP:
            _clamp(u, f)
        elif code == _WHITE:
            _white(u, f, key, first)
        elif code == _MARKOV:
            _gauss_markov(u, f, key, first, memory[step])
        elif code == _WALK:
            _random_walk(u, f, key, first, memory[step])
        elif code == _CONSTANT or code == _SCALE:
            _constant(u, f, key, code == _SCALE)
        elif code == _COUPLE:
            _couple(u, f, beside)
        elif code == _ROUND:
            _round(u, f)
        elif code == _DRIFT:
            _drift(u, f, first, temperature_k)
        elif code == _VIBRATE:
            _vibrate(u, f, key, first)
        elif code == _DROP:
            _drop(u, f, key, first, memory[step])
