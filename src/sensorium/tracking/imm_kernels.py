"""Interacting multiple models along sequences, for a batch of targets. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.tracking.gaussian_kernels import ROOM, update
from sensorium.tracking.motion_kernels import predict


@nb.njit(cache=True, nogil=True, error_model="numpy")
def switching(dwell_s, dt, into, chance):  # type: ignore[no-untyped-def]
    """Fill chance [M, M] from model i to j in a time step: it stays with exp(-t / dwell_i), else goes to j by into [M, M]."""
    for i in range(len(dwell_s)):
        stay = math.exp(-dt / dwell_s[i])
        for j in range(len(dwell_s)):
            chance[i, j] = stay if i == j else (1.0 - stay) * into[i, j]


@nb.njit(cache=True, nogil=True, error_model="numpy")
def merged(weights, means, covariances, mean, covariance):  # type: ignore[no-untyped-def]
    """Fill mean [n] and covariance [n, n] of a mixture: the spread of the means counts as well."""
    n = len(mean)
    mean[:] = 0.0
    covariance[:] = 0.0
    for k in range(len(weights)):
        for a in range(n):
            mean[a] += weights[k] * means[k, a]
    for k in range(len(weights)):
        for a in range(n):
            off = means[k, a] - mean[a]
            for b in range(a + 1):
                covariance[a, b] += weights[k] * (covariances[k, a, b] + off * (means[k, b] - mean[b]))
    for a in range(n):
        for b in range(a):
            covariance[b, a] = covariance[a, b]


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _mix(chance, probability, x, p, mixed_x, mixed_p, share):  # type: ignore[no-untyped-def]
    """Start every model from what all of them believe, weighted by the chance that it came from each."""
    models = len(probability)
    for j in range(models):
        total = 0.0
        for i in range(models):
            share[i] = chance[i, j] * probability[i]
            total += share[i]
        for i in range(models):
            share[i] = share[i] / total if total > 0.0 else (1.0 if i == j else 0.0)
        merged(share, x, p, mixed_x[j], mixed_p[j])
    for j in range(models):
        total = 0.0
        for i in range(models):
            total += chance[i, j] * probability[i]
        share[j] = total
    probability[:] = share
    x[:] = mixed_x
    p[:] = mixed_p


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _weigh(nis, log_det, probability):  # type: ignore[no-untyped-def]
    """Multiply the probabilities by the likelihoods exp(-(nis + log det S) / 2) and normalise; returns the mean nis."""
    lowest = np.inf
    for k in range(len(probability)):
        lowest = min(lowest, nis[k] + log_det[k])
    total = 0.0
    for k in range(len(probability)):
        probability[k] *= math.exp(0.5 * (lowest - nis[k] - log_det[k]))
        total += probability[k]
    mean = 0.0
    for k in range(len(probability)):
        probability[k] /= total
        mean += probability[k] * nis[k]
    return mean


@nb.njit(cache=True, nogil=True, error_model="numpy")
def run(  # type: ignore[no-untyped-def]
        start, stop, parameters, order, spread, dwell_s, into, time_ns, means, covariances, probability, times_ns, code,
        value, noise, valid, origin, carried, rotation, kept, kept_mean, kept_covariance, kept_probability, nis):  # fmt: skip
    """Mix, predict, update and weigh along the steps; the state [B, M, ...] is changed in place."""
    n, models = 3 * order, len(dwell_s)
    f, u, q, room = np.empty((3, 3, 3)), np.empty((3, 3)), np.empty((3, 3, 3)), np.empty(ROOM)
    mixed_x, mixed_p, share = np.empty((models, n)), np.empty((models, n, n)), np.empty(models)
    chance, each, log_det = np.empty((models, models)), np.empty(models), np.empty(models)
    for b in range(start, stop):
        x, p, weights = means[b], covariances[b], probability[b]
        for t in range(times_ns.shape[1]):
            step_ns = times_ns[b, t] - time_ns[b]
            if step_ns < 0:
                return False
            if step_ns > 0:
                switching(dwell_s, step_ns * 1e-9, into, chance)
                _mix(chance, weights, x, p, mixed_x, mixed_p, share)
                for k in range(models):
                    predict(parameters[k], order, step_ns * 1e-9, x[k], p[k], f, u, q)
                time_ns[b] = times_ns[b, t]
            nis[b, t] = np.nan
            if valid[b, t]:
                for k in range(models):
                    each[k], log_det[k] = update(
                        order,
                        spread,
                        code[b, t],
                        value[b, t],
                        noise[b, t],
                        origin[b, t],
                        carried[b, t],
                        rotation[b, t],
                        x[k],
                        p[k],
                        room,
                    )
                nis[b, t] = _weigh(each, log_det, weights)
            if kept[t] >= 0:
                merged(weights, x, p, kept_mean[b, kept[t]], kept_covariance[b, kept[t]])
                kept_probability[b, kept[t]] = weights
    return True
