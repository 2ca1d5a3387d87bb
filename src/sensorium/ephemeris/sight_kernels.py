"""Ranges with light time, satellite by satellite. Import this lazily: it loads Numba. The equations stand in `sight`."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.core.earth import EARTH_RATE_RAD_S as RATE_RAD_S
from sensorium.core.earth import SPEED_OF_LIGHT_M_S as LIGHT_M_S

_jit = nb.njit(cache=True, nogil=True, error_model="numpy")


@_jit
def moved(position, velocity, clock, drift, step, gravitation):  # type: ignore[no-untyped-def]
    """Return positions, velocities and clocks some hundredths of a second [N] later."""
    r, v, c = np.empty_like(position), np.empty_like(velocity), np.empty_like(clock)
    for n in range(len(position)):
        x, y, z = position[n, 0], position[n, 1], position[n, 2]
        vx, vy, vz, s = velocity[n, 0], velocity[n, 1], velocity[n, 2], step[n]
        r2 = x * x + y * y + z * z
        pull = -gravitation / (r2 * math.sqrt(r2))
        ax = pull * x + 2 * RATE_RAD_S * vy + RATE_RAD_S * RATE_RAD_S * x
        ay = pull * y - 2 * RATE_RAD_S * vx + RATE_RAD_S * RATE_RAD_S * y
        az = pull * z
        r[n, 0], r[n, 1], r[n, 2] = x + s * (vx + s / 2 * ax), y + s * (vy + s / 2 * ay), z + s * (vz + s / 2 * az)
        v[n, 0], v[n, 1], v[n, 2] = vx + s * ax, vy + s * ay, vz + s * az
        c[n] = clock[n] + s * drift[n]
    return r, v, c


@_jit
def ranges(satellite, place):  # type: ignore[no-untyped-def]
    """Return ranges [N] and directions [N, 3] from a place."""
    far, towards = np.empty(len(satellite)), np.empty((len(satellite), 3))
    for n in range(len(satellite)):
        x, y, z = satellite[n, 0], satellite[n, 1], satellite[n, 2]
        spin = RATE_RAD_S / LIGHT_M_S * (x * place[1] - y * place[0])
        dx, dy, dz = x - place[0], y - place[1], z - place[2]
        angle = RATE_RAD_S * ((math.sqrt(dx * dx + dy * dy + dz * dz) + spin) / LIGHT_M_S)
        s, c = math.sin(angle), math.cos(angle)
        dx, dy = c * x + s * y - place[0], c * y - s * x - place[1]
        far[n] = math.sqrt(dx * dx + dy * dy + dz * dz)
        towards[n, 0], towards[n, 1], towards[n, 2] = dx / far[n], dy / far[n], dz / far[n]
    return far, towards


@_jit
def range_rates(position, velocity, towards, far, place, moving):  # type: ignore[no-untyped-def]
    """Return how fast ranges [N] grow for a receiver that moves."""
    rate = np.empty(len(far))
    rx, ry, rz = moving[0] - RATE_RAD_S * place[1], moving[1] + RATE_RAD_S * place[0], moving[2]
    for n in range(len(far)):
        vx, vy = velocity[n, 0] - RATE_RAD_S * position[n, 1], velocity[n, 1] + RATE_RAD_S * position[n, 0]
        angle = RATE_RAD_S * (far[n] / LIGHT_M_S)
        s, c = math.sin(angle), math.cos(angle)
        vx, vy, vz = c * vx + s * vy, c * vy - s * vx, velocity[n, 2]
        closing = towards[n, 0] * (vx - rx) + towards[n, 1] * (vy - ry) + towards[n, 2] * (vz - rz)
        along = towards[n, 0] * vx + towards[n, 1] * vy + towards[n, 2] * vz
        rate[n] = closing / (1 + along / LIGHT_M_S)
    return rate
