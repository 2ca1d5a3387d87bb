"""A bootstrap particle filter along sequences, for a batch of targets. Import this lazily: it loads Numba.

Chance is addressed by (key of the target, step, particle, number), so that a target does not depend on its neighbours
in the batch, nor on threads.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.core.random_kernels import normal_pair, uniform
from sensorium.tracking.measurement_kernels import cholesky, kinds_of, measured, size_of, wrap
from sensorium.tracking.motion_kernels import transition

_PAIRS = np.int64(8)
"""Room for this many pairs of draws in the address of a particle and a step."""


@nb.njit(cache=True, nogil=True, error_model="numpy")
def scatter(key, mean, covariance, particles):  # type: ignore[no-untyped-def]
    """Draw particles [N, n] from a normal distribution: mean + L e, L L' = covariance."""
    n = len(mean)
    lower, e = np.zeros((n, n)), np.empty(n + 1)
    jitter = covariance.copy()
    for i in range(n):
        jitter[i, i] += 1e-12 * (1.0 + covariance[i, i])  # a number that is known exactly has variance zero
    if not cholesky(jitter, n, lower):
        return False
    for i in range(len(particles)):
        for k in range(0, n, 2):
            e[k], e[k + 1] = normal_pair(key, i * _PAIRS + k // 2)
        for a in range(n):
            total = mean[a]
            for b in range(a + 1):
                total += lower[a, b] * e[b]
            particles[i, a] = total
    return True


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _move(parameters, order, dt, key, step, particles, f, u, q, roots, e):  # type: ignore[no-untyped-def]
    """Move every particle by the model, with noise of covariance Q = R R' on every axis."""
    count, n = particles.shape
    for axis in range(3):
        transition(parameters, axis, dt, f[axis], u[axis], q[axis])
        for i in range(order):
            q[axis, i, i] += 1e-15
        cholesky(q[axis], order, roots[axis])
    for i in range(count):
        address = (step * count + i) * _PAIRS
        for k in range(0, n, 2):
            e[k], e[k + 1] = normal_pair(key, address + k // 2)
        for axis in range(3):
            first = axis * order
            for a in range(order):
                total = u[axis, a]
                for b in range(a, order):
                    total += f[axis, a, b] * particles[i, first + b]
                for b in range(a + 1):
                    total += roots[axis, a, b] * e[first + b]
                particles[i, first + a] = total


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _weigh(order, code, value, noise, origin, carried, rotation, particles, weights, room):  # type: ignore[no-untyped-def]
    """Multiply the weights [N] by the likelihoods and normalise them; returns the effective number 1 / sum w^2, or 0."""
    m = size_of(code)
    lower, y, place = room[0], room[1, 0], room[1, 1]
    if not cholesky(noise, m, lower):
        return 0.0
    lowest = np.inf
    for i in range(len(particles)):
        for kind in range(kinds_of(code)):
            for axis in range(3):
                place[3 * kind + axis] = particles[i, axis * order + kind]
        measured(code, place, origin, carried, rotation, y)
        for k in range(m):
            y[k] = value[k] - y[k]
        wrap(code, y)
        distance = 0.0
        for k in range(m):
            for before in range(k):
                y[k] -= lower[k, before] * y[before]
            y[k] /= lower[k, k]
            distance += y[k] * y[k]
        cost = 0.5 * distance - math.log(weights[i]) if weights[i] > 0.0 else np.inf
        weights[i] = cost
        lowest = min(lowest, cost)
    total = 0.0
    for i in range(len(weights)):
        weights[i] = math.exp(lowest - weights[i])
        total += weights[i]
    squares = 0.0
    for i in range(len(weights)):
        weights[i] /= total
        squares += weights[i] * weights[i]
    return 1.0 / squares


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _resample(offset, particles, weights, spare):  # type: ignore[no-untyped-def]
    """Systematic resampling: N equidistant marks over the cumulated weights, all shifted by one draw."""
    count = len(weights)
    spare[:] = particles
    reached, source = weights[0], 0
    for i in range(count):
        mark = (i + offset) / count
        while reached < mark and source < count - 1:
            source += 1
            reached += weights[source]
        particles[i] = spare[source]
    weights[:] = 1.0 / count


@nb.njit(cache=True, nogil=True, error_model="numpy")
def moments(particles, weights, mean, covariance):  # type: ignore[no-untyped-def]
    """Fill the weighted mean [n] and covariance [n, n]."""
    count, n = particles.shape
    mean[:] = 0.0
    covariance[:] = 0.0
    for i in range(count):
        for a in range(n):
            mean[a] += weights[i] * particles[i, a]
    for i in range(count):
        for a in range(n):
            off = weights[i] * (particles[i, a] - mean[a])
            for b in range(a + 1):
                covariance[a, b] += off * (particles[i, b] - mean[b])
    for a in range(n):
        for b in range(a):
            covariance[b, a] = covariance[a, b]


@nb.njit(cache=True, nogil=True, error_model="numpy")
def run(  # type: ignore[no-untyped-def]
        start, stop, parameters, order, share, keys, first_step, time_ns, particles, weights, times_ns, code, value,
        noise, valid, origin, carried, rotation, kept, means, covariances):  # fmt: skip
    """Move, weigh and resample along the steps; particles [B, N, n], weights [B, N] and time_ns are changed in place.

    It resamples when the effective number falls below `share` of the particles. Returns whether times never fall.
    """
    n = 3 * order
    f, u, q = np.empty((3, 3, 3)), np.empty((3, 3)), np.empty((3, 3, 3))
    roots, e, room = np.zeros((3, 3, 3)), np.empty(n + 1), np.empty((2, 6, 6))
    spare = np.empty(particles.shape[1:])
    for b in range(start, stop):
        for t in range(times_ns.shape[1]):
            step_ns, step = times_ns[b, t] - time_ns[b], first_step + t
            if step_ns < 0:
                return False
            if step_ns > 0:
                _move(parameters, order, step_ns * 1e-9, keys[b], step + 1, particles[b], f, u, q, roots, e)
                time_ns[b] = times_ns[b, t]
            effective = np.inf
            if valid[b, t]:
                effective = _weigh(
                    order,
                    code[b, t],
                    value[b, t],
                    noise[b, t],
                    origin[b, t],
                    carried[b, t],
                    rotation[b, t],
                    particles[b],
                    weights[b],
                    room,
                )
            if kept[t] >= 0:
                moments(particles[b], weights[b], means[b, kept[t]], covariances[b, kept[t]])
            if effective < share * particles.shape[1]:
                address = ((step + 1) * np.int64(particles.shape[1])) * _PAIRS + _PAIRS - 1
                _resample(uniform(keys[b], address), particles[b], weights[b], spare)
    return True
