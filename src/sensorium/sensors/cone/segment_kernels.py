"""What part of a segment lies in the cone, and its point nearest to the apex. Import this lazily: it loads Numba.

The apex is the origin, the axis is +x: (y/a)^2 + (z/b)^2 <= x^2, 0 <= x <= deepest, with a and b the tangents of half the
opening angles. This region is convex, so that what a segment has in it is one piece.
"""

from __future__ import annotations

import math

import numba as nb


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def clipped(px, py, pz, ex, ey, ez, a, b, deepest):  # type: ignore[no-untyped-def]
    """Return the span (low, high) of t in [0, 1] for which p + t e is in the cone; low > high: none.

    a2 t^2 + 2 a1 t + a0 <= 0 with the roots q/a2 and a0/q, q = -(a1 + sign(a1) sqrt(a1^2 - a2 a0)): no digits cancel. The
    half-space x >= 0 is cut off first, so that the mirror image of the cone behind the apex plays no part. a2 > 0: the line leaves
    the cone on both sides, it is inside between the roots. a2 <= 0: it goes on inside for ever, towards larger x.
    """
    low, high = 0.0, 1.0
    if ex > 0.0:
        low, high = max(low, -px / ex), min(high, (deepest - px) / ex)
    elif ex < 0.0:
        low, high = max(low, (deepest - px) / ex), min(high, -px / ex)
    elif px < 0.0 or px > deepest:
        return 1.0, 0.0
    x, u, v, du, dv = px, py / a, pz / b, ey / a, ez / b
    a2, a1 = du * du + dv * dv - ex * ex, u * du + v * dv - x * ex
    t0 = -a1 / a2 if abs(a1) <= 2.0 * abs(a2) and a2 != 0.0 else 0.0
    if t0 != 0.0:  # count from between the roots: close together they keep their digits
        x, u, v = px + t0 * ex, (py + t0 * ey) / a, (pz + t0 * ez) / b
        a1 = u * du + v * dv - x * ex
    a0 = u * u + v * v - x * x
    if a2 == 0.0 and a1 == 0.0:  # a single point, or a line on the surface of the cone
        return (low, high) if a0 <= 1e-15 * x * x else (1.0, 0.0)
    inner = a1 * a1 - a2 * a0
    if a2 > 0.0:
        if inner < 0.0:
            return 1.0, 0.0
        q = -(a1 + math.copysign(math.sqrt(inner), a1))
        one, two = t0 + q / a2, t0 + (a0 / q if q != 0.0 else q / a2)
        return max(low, min(one, two)), min(high, max(one, two))
    q = -(a1 + math.copysign(math.sqrt(max(inner, 0.0)), a1))
    one = t0 + q / a2 if a2 < 0.0 else math.copysign(math.inf, a1)  # 0 is the limit from below: one root moves away
    two = t0 + a0 / q if q != 0.0 else one
    return (max(low, max(one, two)), high) if ex > 0.0 else (low, min(high, min(one, two)))


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def nearest(px, py, pz, ex, ey, ez, a, b, deepest):  # type: ignore[no-untyped-def]
    """Return |q|^2 and q of the point q nearest to the apex on the part of p + t e, t in [0, 1], in the cone; inf: none.

    t = -p.e / |e|^2, held within the part that is inside (document 000, equation 3.2).
    """
    low, high = clipped(px, py, pz, ex, ey, ez, a, b, deepest)
    if not low <= high:
        return math.inf, 0.0, 0.0, 0.0
    length = ex * ex + ey * ey + ez * ez
    t = -(px * ex + py * ey + pz * ez) / length if length > 0.0 else low
    t = min(max(t, low), high)
    x, y, z = px + t * ex, py + t * ey, pz + t * ez
    return x * x + y * y + z * z, x, y, z
