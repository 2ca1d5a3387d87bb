"""Movement between the instants that a physics engine knows. Import this lazily: it loads Numba.

A row of the record of a body holds position (3), quaternion wxyz (4), velocity (3), angular velocity (3), acceleration
(3) and angular acceleration (3), world frame; a row of a joint holds position, velocity, acceleration. With u = 0..1
inside a step of h seconds:

- Positions are the quintic Hermite polynomial through position, velocity and acceleration at both ends.
- Orientations are q0 exp(p(u)), where the rotation vector p is the quintic through its value and two derivatives at
  both ends. They follow from w = J(p) p' with J as in `motion.rotation_vector` (J. Sola et al., 2018, eq. 145).
- Velocities are the cubic Hermite polynomial through velocity and acceleration at both ends, accelerations its derivative.

So a velocity is the integral of the acceleration, and at the ends everything is the engine's own to the last bit. The
derivative of the position is the velocity as far as the engine's own steps are consistent: Runge-Kutta's are to fourth
order in h, while a semi-implicit Euler step moves the body by h v1 instead of h (v0 + v1)/2. The quintic makes up for
that difference, h^2 a/2; it must not appear in the acceleration, where it would make 3 a of a.
"""

from __future__ import annotations

import math

import numba as nb

_JIT = {"cache": True, "nogil": True, "error_model": "numpy"}


@nb.njit(inline="always", **_JIT)
def quintic(u, h, p0, v0, a0, p1, v1, a1):  # type: ignore[no-untyped-def]
    """Return the quintic Hermite polynomial; written from the nearer end, so that it is exact at both."""
    u2 = u * u
    u3 = u2 * u
    step = u3 * (10.0 + u * (-15.0 + 6.0 * u))
    first = u + u3 * (-6.0 + u * (8.0 - 3.0 * u))
    second = 0.5 * u2 + u3 * (-1.5 + u * (1.5 - 0.5 * u))
    last = u3 * (-4.0 + u * (7.0 - 3.0 * u))
    end = u3 * (0.5 + u * (-1.0 + 0.5 * u))
    return p0 + step * (p1 - p0) + h * (first * v0 + last * v1) + h * h * (second * a0 + end * a1)


@nb.njit(inline="always", **_JIT)
def cubic(u, h, v0, a0, v1, a1):  # type: ignore[no-untyped-def]
    """Return the cubic Hermite polynomial."""
    u2 = u * u
    return v0 + u2 * (3.0 - 2.0 * u) * (v1 - v0) + h * u * ((1.0 - u) * (1.0 - u) * a0 + u * (u - 1.0) * a1)


@nb.njit(inline="always", **_JIT)
def cubic_rate(u, h, v0, a0, v1, a1):  # type: ignore[no-untyped-def]
    """Return the time derivative of `cubic`."""
    return 6.0 * u * (1.0 - u) * (v1 - v0) / h + (1.0 - u) * (1.0 - 3.0 * u) * a0 + u * (3.0 * u - 2.0) * a1


@nb.njit(inline="always", **_JIT)
def _cross(a, b):  # type: ignore[no-untyped-def]
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@nb.njit(inline="always", **_JIT)
def _turned_back(q, v):  # type: ignore[no-untyped-def]
    """Rotate a vector by the inverse of a quaternion wxyz."""
    axis = (-q[1], -q[2], -q[3])
    t = _cross(axis, v)
    s = _cross(axis, t)
    w = q[0]
    return (
        v[0] + 2.0 * (w * t[0] + s[0]),
        v[1] + 2.0 * (w * t[1] + s[1]),
        v[2] + 2.0 * (w * t[2] + s[2]),
    )


@nb.njit(inline="always", **_JIT)
def _product(a, b):  # type: ignore[no-untyped-def]
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@nb.njit(inline="always", **_JIT)
def _rotation_between(a, b):  # type: ignore[no-untyped-def]
    """Return the rotation vector from quaternion a to b in the frame of a, the short way."""
    r = _product((a[0], -a[1], -a[2], -a[3]), b)
    sign = -1.0 if r[0] < 0.0 else 1.0
    sine = math.sqrt(r[1] * r[1] + r[2] * r[2] + r[3] * r[3])
    angle = 2.0 * math.atan2(sine, sign * r[0])
    scale = sign * (angle / sine if sine > 1e-12 else 2.0)
    return (scale * r[1], scale * r[2], scale * r[3])


@nb.njit(inline="always", **_JIT)
def _without_jacobian(p, w):  # type: ignore[no-untyped-def]
    """Return x with J(p) x = w: w - p x w / 2 + f p x (p x w), f = (1 - (t/2) cot(t/2)) / t^2, t = |p|."""
    s = p[0] * p[0] + p[1] * p[1] + p[2] * p[2]
    if s < 1e-2:
        f = 1.0 / 12.0 + s * (1.0 / 720.0 + s * (1.0 / 30240.0 + s / 1209600.0))
    else:
        half = 0.5 * math.sqrt(s)
        f = (1.0 - half / math.tan(half)) / s
    once = _cross(p, w)
    twice = _cross(p, once)
    return (
        w[0] - 0.5 * once[0] + f * twice[0],
        w[1] - 0.5 * once[1] + f * twice[1],
        w[2] - 0.5 * once[2] + f * twice[2],
    )


@nb.njit(inline="always", **_JIT)
def _bend(p, v):  # type: ignore[no-untyped-def]
    """Return the angular acceleration of a rotation vector p that changes evenly with v: J'(p) v.

    A v x v + B (v x (p x v)) + 2 (p . v) (dA p x v + dB p x (p x v)), dA and dB with respect to |p|^2.
    """
    s = p[0] * p[0] + p[1] * p[1] + p[2] * p[2]
    if s < 4e-2:
        b = 1.0 / 6.0 - s * (1.0 / 120.0 - s * (1.0 / 5040.0 - s * (1.0 / 362880.0 - s / 39916800.0)))
        da = -1.0 / 24.0 + s * (1.0 / 360.0 - s * (1.0 / 13440.0 - s / 907200.0))
        db = -1.0 / 120.0 + s * (1.0 / 2520.0 - s * (1.0 / 120960.0 - s / 9979200.0))
    else:
        t = math.sqrt(s)
        sine, cosine = math.sin(t), math.cos(t)
        b = (t - sine) / (s * t)
        da = (t * sine - 2.0 * (1.0 - cosine)) / (2.0 * s * s)
        db = (3.0 * sine - t * cosine - 2.0 * t) / (2.0 * s * s * t)
    grown = 2.0 * (p[0] * v[0] + p[1] * v[1] + p[2] * v[2])
    once = _cross(p, v)
    twice = _cross(p, once)
    bent = _cross(v, once)
    return (
        b * bent[0] + grown * (da * once[0] + db * twice[0]),
        b * bent[1] + grown * (da * once[1] + db * twice[1]),
        b * bent[2] + grown * (da * once[2] + db * twice[2]),
    )


@nb.njit(inline="always", **_JIT)
def _three(row, first):  # type: ignore[no-untyped-def]
    return (row[first], row[first + 1], row[first + 2])


@nb.njit(**_JIT)
def _write_pose(start, end, u, h, position, quaternion):  # type: ignore[no-untyped-def]
    """Write position [3] and quaternion [4] at the part u of the step between two rows."""
    if u == 0.0:
        for axis in range(3):
            position[axis] = start[axis]
        for part in range(4):
            quaternion[part] = start[3 + part]
        return
    for axis in range(3):
        position[axis] = quintic(
            u, h, start[axis], start[7 + axis], start[13 + axis], end[axis], end[7 + axis], end[13 + axis]
        )
    q0 = (start[3], start[4], start[5], start[6])
    p1 = _rotation_between(q0, (end[3], end[4], end[5], end[6]))
    v0, a0 = _turned_back(q0, _three(start, 10)), _turned_back(q0, _three(start, 16))
    w1, dw1 = _turned_back(q0, _three(end, 10)), _turned_back(q0, _three(end, 16))
    v1 = _without_jacobian(p1, w1)
    bend = _bend(p1, v1)
    a1 = _without_jacobian(p1, (dw1[0] - bend[0], dw1[1] - bend[1], dw1[2] - bend[2]))
    x = quintic(u, h, 0.0, v0[0], a0[0], p1[0], v1[0], a1[0])
    y = quintic(u, h, 0.0, v0[1], a0[1], p1[1], v1[1], a1[1])
    z = quintic(u, h, 0.0, v0[2], a0[2], p1[2], v1[2], a1[2])
    half = 0.5 * math.sqrt(x * x + y * y + z * z)
    scale = 0.5 * (math.sin(half) / half if half > 1e-8 else 1.0)
    q = _product(q0, (math.cos(half), scale * x, scale * y, scale * z))
    length = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    for part in range(4):
        quaternion[part] = q[part] / length


@nb.njit(inline="always", **_JIT)
def _step_of(instants, time_ns):  # type: ignore[no-untyped-def]
    """Return the number of the step that holds a time, and the part of it that has passed; before the first: 0, 0."""
    last = len(instants) - 1
    if last == 0 or time_ns <= instants[0]:
        return 0, 0.0
    if time_ns >= instants[last]:
        return last, 0.0
    k = int((time_ns - instants[0]) * (last / (instants[last] - instants[0])))
    k = min(max(k, 0), last - 1)
    while time_ns < instants[k]:
        k -= 1
    while time_ns >= instants[k + 1]:
        k += 1
    return k, (time_ns - instants[k]) / (instants[k + 1] - instants[k])


@nb.njit(**_JIT)
def poses(instants, table, bodies, times_ns, h, position, quaternion):  # type: ignore[no-untyped-def]
    """Fill position [B, T, 3] and quaternion [B, T, 4] of bodies [B] of the record [K, ., 19] at times [T]."""
    for t in range(len(times_ns)):
        k, u = _step_of(instants, times_ns[t])
        for b in range(len(bodies)):
            body = bodies[b]
            end = table[k, body] if u == 0.0 else table[k + 1, body]
            _write_pose(table[k, body], end, u, h, position[b, t], quaternion[b, t])


@nb.njit(**_JIT)
def kinematics(instants, table, body, times_ns, h, pose, rates):  # type: ignore[no-untyped-def]
    """Fill pose [T, 7] (position, quaternion) and rates [4, T, 3]: v, w, a, dw/dt; before the first instant all rest."""
    for t in range(len(times_ns)):
        k, u = _step_of(instants, times_ns[t])
        start = table[k, body]
        end = start if u == 0.0 else table[k + 1, body]
        _write_pose(start, end, u, h, pose[t, :3], pose[t, 3:])
        resting = times_ns[t] < instants[0]
        for axis in range(3):
            for turning in range(2):
                first, second = 7 + 3 * turning + axis, 13 + 3 * turning + axis
                if resting:
                    rates[turning, t, axis] = 0.0
                    rates[2 + turning, t, axis] = 0.0
                elif u == 0.0:
                    rates[turning, t, axis] = start[first]
                    rates[2 + turning, t, axis] = start[second]
                else:
                    v0, a0, v1, a1 = start[first], start[second], end[first], end[second]
                    rates[turning, t, axis] = cubic(u, h, v0, a0, v1, a1)
                    rates[2 + turning, t, axis] = cubic_rate(u, h, v0, a0, v1, a1)


@nb.njit(**_JIT)
def joint(instants, table, number, times_ns, h, out):  # type: ignore[no-untyped-def]
    """Fill position, velocity and acceleration [3, T] of a joint of the record [K, ., 3]."""
    for t in range(len(times_ns)):
        k, u = _step_of(instants, times_ns[t])
        p0, v0, a0 = table[k, number, 0], table[k, number, 1], table[k, number, 2]
        if u == 0.0:
            resting = times_ns[t] < instants[0]
            out[0, t], out[1, t], out[2, t] = p0, 0.0 if resting else v0, 0.0 if resting else a0
            continue
        p1, v1, a1 = table[k + 1, number, 0], table[k + 1, number, 1], table[k + 1, number, 2]
        out[0, t] = quintic(u, h, p0, v0, a0, p1, v1, a1)
        out[1, t] = cubic(u, h, v0, a0, v1, a1)
        out[2, t] = cubic_rate(u, h, v0, a0, v1, a1)
