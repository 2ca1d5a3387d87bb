"""A Kalman filter along sequences, for a batch of targets. Import this lazily: it loads Numba.

Arrays have the shapes of `measurements.Measurements`; [B, K] is what was kept. Each function works on the rows
`start` to `stop` of a batch, so that threads can share it; a row needs nothing of another.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from sensorium.tracking.gaussian_kernels import ROOM, innovation, update
from sensorium.tracking.motion_kernels import predict


@nb.njit(cache=True, nogil=True, error_model="numpy")
def run(  # type: ignore[no-untyped-def]
        start, stop, parameters, order, spread, time_ns, mean, covariance, times_ns, code, value, noise, valid, origin,
        carried, rotation, kept, means, covariances, nis):  # fmt: skip
    """Predict and update along the steps. `mean`, `covariance` and `time_ns` are changed in place to those of the end.

    kept [T] is the row of `means` and `covariances` where a step is stored, or -1. Returns whether times never fall.
    """
    n = 3 * order
    x, p = np.empty(n), np.empty((n, n))
    f, u, q, room = np.empty((3, 3, 3)), np.empty((3, 3)), np.empty((3, 3, 3)), np.empty(ROOM)
    for b in range(start, stop):
        x[:] = mean[b]
        p[:] = covariance[b]
        now = time_ns[b]
        for t in range(times_ns.shape[1]):
            step_ns = times_ns[b, t] - now
            if step_ns < 0:
                return False
            if step_ns > 0:
                predict(parameters, order, step_ns * 1e-9, x, p, f, u, q)
                now = times_ns[b, t]
            nis[b, t] = np.nan
            if valid[b, t]:
                nis[b, t], _ = update(
                    order,
                    spread,
                    code[b, t],
                    value[b, t],
                    noise[b, t],
                    origin[b, t],
                    carried[b, t],
                    rotation[b, t],
                    x,
                    p,
                    room,
                )
            if kept[t] >= 0:
                means[b, kept[t]] = x
                covariances[b, kept[t]] = p
        mean[b], covariance[b], time_ns[b] = x, p, now
    return True


@nb.njit(cache=True, nogil=True, error_model="numpy")
def distances(  # type: ignore[no-untyped-def]
        parameters, order, spread, time_ns, mean, covariance, times_ns, code, value, noise, origin, carried, rotation,
              nis, log_det):  # fmt: skip
    """Fill nis [B, D] and log_det [B, D] of every state against every one of D detections, at the detections' times."""
    n = 3 * order
    x, p = np.empty(n), np.empty((n, n))
    f, u, q, room = np.empty((3, 3, 3)), np.empty((3, 3)), np.empty((3, 3, 3)), np.empty(ROOM)
    seen_from = np.empty(3)
    for b in range(len(mean)):
        for d in range(len(times_ns)):
            x[:] = mean[b]
            p[:] = covariance[b]
            seen_from[:] = origin[d]
            step_ns = times_ns[d] - time_ns[b]
            if step_ns > 0:
                predict(parameters, order, step_ns * 1e-9, x, p, f, u, q)
            else:  # older than the state: the sensor moves along with the target instead
                for axis in range(3):
                    seen_from[axis] -= x[axis * order + 1] * (step_ns * 1e-9)
            nis[b, d], log_det[b, d] = innovation(
                order, spread, code[d], value[d], noise[d], seen_from, carried[d], rotation[d], x, p, room
            )


@nb.njit(cache=True, nogil=True, error_model="numpy")
def predict_all(parameters, order, time_ns, mean, covariance, times_ns):  # type: ignore[no-untyped-def]
    """Move states [B] on to times [B], in place; returns whether no time lies before its state."""
    f, u, q = np.empty((3, 3, 3)), np.empty((3, 3)), np.empty((3, 3, 3))
    for b in range(len(mean)):
        step_ns = times_ns[b] - time_ns[b]
        if step_ns < 0:
            return False
        if step_ns > 0:
            predict(parameters, order, step_ns * 1e-9, mean[b], covariance[b], f, u, q)
            time_ns[b] = times_ns[b]
    return True
