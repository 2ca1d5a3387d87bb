"""exp, log, cosine and angle as plain arithmetic, for compiled loops. Import this lazily: it loads Numba.

Numba calls the C library for `math.exp` and its kin, one number at a time. The functions below are sums of powers
without a branch: the compiler inlines them and works on 4 to 8 numbers at once, six times as fast for a whole echo.
They are good to 1e-11, far below the 6e-8 of the 32-bit results that are made of them.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

_LOG2_E = 1 / math.log(2)
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
"""ln 2 in two parts; the first has so few digits that a whole number times it is exact."""
_SQRT_HALF_BITS = np.int64(0x3FE6A09E667F3BCD)
_MANTISSA = np.int64(0x000FFFFFFFFFFFFF)
_E3, _E4, _E5, _E6, _E7, _E8, _E9, _E10 = (1 / math.factorial(n) for n in range(3, 11))
_S0, _S1, _S2, _S3, _S4, _S5, _S6, _S7, _S8 = (
    (-1) ** n * (2 * math.pi) ** (2 * n + 1) / math.factorial(2 * n + 1) for n in range(9)
)
_A1, _A2, _A3, _A4, _A5, _A6, _A7, _A8, _A9, _A10, _A11, _A12 = (
    0.5 * 4**n / (n * n * math.comb(2 * n, n)) for n in range(1, 13)
)


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def exp_minus(x):  # type: ignore[no-untyped-def]
    """Return exp(-x) for x >= 0; beyond 700 it stays at exp(-700), 1e-304.

    -x = k ln 2 + f with |f| <= ln(2)/2: 2^k is an exponent, exp(f) its series to f^10.
    """
    x = min(x, 700.0)
    k = math.floor(0.5 - x * _LOG2_E)
    f = -x - k * _LN2_HIGH - k * _LN2_LOW
    tail = _E5 + f * (_E6 + f * (_E7 + f * (_E8 + f * (_E9 + f * _E10))))
    series = 1.0 + f * (1.0 + f * (0.5 + f * (_E3 + f * (_E4 + f * tail))))
    return series * np.int64((np.int64(k) + 1023) << 52).view(np.float64)


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def log_positive(x):  # type: ignore[no-untyped-def]
    """Return ln x for a normal number x > 0.

    x = 2^e m with m in sqrt(1/2)..sqrt(2): ln m = 2 artanh(z), z = (m - 1)/(m + 1), as its series to z^15.
    """
    bits = np.float64(x).view(np.int64) - _SQRT_HALF_BITS
    e = bits >> 52
    m = np.int64((bits & _MANTISSA) + _SQRT_HALF_BITS).view(np.float64)
    z = (m - 1.0) / (m + 1.0)
    w = z * z
    tail = 1 / 9 + w * (1 / 11 + w * (1 / 13 + w * (1 / 15)))
    series = 2.0 * z * (1.0 + w * (1 / 3 + w * (1 / 5 + w * (1 / 7 + w * tail))))
    return e * _LN2_HIGH + (series + e * _LN2_LOW)


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def cos_of_turns(u):  # type: ignore[no-untyped-def]
    """Return cos(2 pi u) for 0 <= u <= 1: it is sin(2 pi w) with w = |u - 1/2| - 1/4, its series to w^17."""
    w = abs(u - 0.5) - 0.25
    z = w * w
    tail = _S4 + z * (_S5 + z * (_S6 + z * (_S7 + z * _S8)))
    return w * (_S0 + z * (_S1 + z * (_S2 + z * (_S3 + z * tail))))


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def sin_of_turns(u):  # type: ignore[no-untyped-def]
    """Return sin(2 pi u) for 0 <= u <= 1: the cosine a quarter turn before."""
    back = u - 0.25
    return cos_of_turns(back + (back < 0.0))


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def angle_squared(cosine):  # type: ignore[no-untyped-def]
    """Return the square of an angle of 0..90 degrees [rad^2] from its cosine.

    With y = sin^2(t/4) the square is 16 arcsin^2(sqrt y) = 8 sum over n of (4y)^n / (n^2 C(2n, n)), to n = 12; and
    sin^2(t/4) = s / (2 + 2 sqrt(1 - s)) with s = sin^2(t/2) = (1 - cos t)/2.
    """
    s = max(0.0, 0.5 - 0.5 * cosine)
    y = s / (2.0 + 2.0 * math.sqrt(1.0 - s))
    tail = _A7 + y * (_A8 + y * (_A9 + y * (_A10 + y * (_A11 + y * _A12))))
    return 16.0 * y * (_A1 + y * (_A2 + y * (_A3 + y * (_A4 + y * (_A5 + y * (_A6 + y * tail))))))
