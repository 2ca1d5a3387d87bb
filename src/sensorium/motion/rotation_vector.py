"""Rotation vectors (axis times angle): their quaternions, and the angular velocity that their change makes.

With angle t = |p|, A = (1 - cos t) / t^2 and B = (t - sin t) / t^3 a rotation exp([p]x) that changes with p(time)
turns with

    w = p' + A p x p' + B p x (p x p')

in the frame in which p is written (J. Sola et al., "A micro Lie theory for state estimation in robotics", 2018, eq.
145). Its time derivative needs the derivatives of A and B with respect to t^2, here dA and dB.
"""

from __future__ import annotations

from math import factorial

import numpy as np
from numpy.typing import NDArray

from sensorium.core.vectors import cross

Floats = NDArray[np.float64]

_TERMS = 11  # of the series below, exact in double precision for an angle below one radian
_SERIES = [np.array([(-1.0) ** k / factorial(2 * k + n) for k in range(_TERMS)]) for n in (2, 3)]
_SLOPES = [np.append(series[1:] * np.arange(1.0, _TERMS), 0.0) for series in _SERIES]
_POWERS = np.stack((*_SERIES, *_SLOPES), 1)[::-1].copy()  # [terms, A B dA dB], highest power first


def quaternions(vectors_rad: Floats) -> Floats:
    """Return unit quaternions wxyz [..., 4] of rotation vectors [..., 3]."""
    angle = np.sqrt(np.sum(vectors_rad * vectors_rad, -1, keepdims=True))
    return np.concatenate((np.cos(angle / 2), np.sinc(angle / (2 * np.pi)) / 2 * vectors_rad), -1)


def rates(p: Floats, first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Return angular velocity and acceleration [..., 3] of rotation vectors [..., 3] with two time derivatives."""
    a, b, da, db = _factors(np.sum(p * p, -1, keepdims=True))
    grown = 2 * np.sum(p * first, -1, keepdims=True)  # rate of t^2
    once = cross(p, first)
    twice = cross(p, once)
    velocity = first + a * once + b * twice
    turned = cross(p, second)
    bent = cross(first, once) + cross(p, turned)
    return velocity, second + a * turned + b * bent + grown * (da * once + db * twice)


def vector_rate(p: Floats, body_rate: Floats) -> Floats:
    """Return p' [..., 3] that makes an angular velocity written in the turned frame: the inverse right Jacobian."""
    half = np.sqrt(np.sum(p * p, -1, keepdims=True)) / 2
    small = half < 1e-4
    safe = np.where(small, 1.0, half)
    factor = np.where(small, 1 / 12, (1 - safe / np.tan(safe)) / (4 * safe * safe))
    once = cross(p, body_rate)
    return np.asarray(body_rate + once / 2 + factor * cross(p, once))


def _factors(square: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return A, B and their derivatives for squares of angles; closed forms lose digits where angles are small."""
    small = square < 1
    every = bool(small.all())
    near = _sums(square if every else np.where(small, square, 0.0))
    if every:
        return near
    s = np.where(small, 1.0, square)
    t = np.sqrt(s)
    sine, versed = np.sin(t), 1 - np.cos(t)
    far = (
        versed / s,
        (t - sine) / (s * t),
        (t * sine - 2 * versed) / (2 * s * s),
        (3 * sine - t * np.cos(t) - 2 * t) / (2 * s * s * t),
    )
    a, b, da, db = (np.where(small, series, closed) for series, closed in zip(near, far, strict=True))
    return a, b, da, db


def _sums(x: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the four power series at x [..., 1], by Horner's rule, all in step."""
    result = np.zeros((*x.shape[:-1], 4))
    for coefficients in _POWERS:
        result = result * x + coefficients
    return result[..., 0:1], result[..., 1:2], result[..., 2:3], result[..., 3:4]
