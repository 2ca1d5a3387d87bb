"""First-order lag: a probe follows its surroundings with a time constant."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_REACH, _STEPS = 16.0, 128
"""How many time constants are looked back (what is older weighs 1e-7), and in how many steps."""


def lagged(course: Callable[[Floats], Floats], time_s: float, lag_s: float) -> float:
    """Return y(t) of lag dy/dt = u(t) - y: the integral of u(t - s) exp(-s / lag) / lag over s >= 0.

    The course u(times) is taken as straight between instants an eighth of the lag apart and integrated exactly there; before
    the first one it is constant. No state is needed, so that a reading does not depend on the rate of readings.
    """
    if lag_s == 0:
        return float(course(np.array([time_s]))[0])
    times = time_s - lag_s * np.linspace(_REACH, 0.0, _STEPS + 1)
    return float(_weights() @ course(times))


@cache
def _weights() -> Floats:
    """Return the weights of the instants: within a step h of straight u from u0 to u1, in units of the lag, y becomes

    y e + u0 ((1 - e) / h - e) + u1 (1 - (1 - e) / h), e = exp(-h).
    """
    h = _REACH / _STEPS
    e = np.exp(-h)
    old, new = (1 - e) / h - e, 1 - (1 - e) / h
    decay = e ** np.arange(_STEPS - 1, -1, -1)
    weights = np.zeros(_STEPS + 1)
    weights[:-1] += old * decay
    weights[1:] += new * decay
    weights[0] += e**_STEPS
    return weights
