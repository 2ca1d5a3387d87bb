"""The broadcast orbit, record by record. Import this lazily: it loads Numba. The equations' sources stand in `kepler`."""

from __future__ import annotations

import math

import numba as nb
import numpy as np


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _anomaly(mean, eccentricity):  # type: ignore[no-untyped-def]
    """Solve Kepler's equation M = E - e sin E by Newton's method."""
    anomaly = mean + eccentricity * math.sin(mean)
    for _ in range(6):
        step = (anomaly - eccentricity * math.sin(anomaly) - mean) / (1 - eccentricity * math.cos(anomaly))
        anomaly -= step
        if abs(step) < 1e-15:
            break
    return anomaly


@nb.njit(cache=True, nogil=True, error_model="numpy")
def propagate(table, geostationary, toe_ns, toc_ns, gps_ns, light_m_s):  # type: ignore[no-untyped-def]
    """Return position, velocity [M, 3], clock and drift [M] from rows [M, 22] as `KeplerRecords.table` has them."""
    count = len(table)
    position, velocity, clock, drift = np.empty((count, 3)), np.empty((count, 3)), np.empty(count), np.empty(count)
    for m in range(count):
        (second, mu, turn, root_a, e, tilt0, tilt_rate0, node0, node_rate0, perigee, mean, motion0,
         cuc, cus, cic, cis, crc, crs, clock0, clock1, clock2, _) = table[m]  # fmt: skip
        t = (gps_ns[m] - toe_ns[m]) * 1e-9
        motion = math.sqrt(mu) / (root_a * root_a * root_a) + motion0
        anomaly = _anomaly(mean + motion * t, e)
        sine, cosine = math.sin(anomaly), math.cos(anomaly)
        rate, root = motion / (1 - e * cosine), math.sqrt(1 - e * e)
        argument = math.atan2(root * sine, cosine - e) + perigee
        argument_rate = root * rate / (1 - e * cosine)
        s2, c2 = math.sin(2 * argument), math.cos(2 * argument)
        latitude = argument + cus * s2 + cuc * c2
        latitude_rate = argument_rate * (1 + 2 * (cus * c2 - cuc * s2))
        a = root_a * root_a
        radius = a * (1 - e * cosine) + crs * s2 + crc * c2
        radius_rate = a * e * sine * rate + 2 * argument_rate * (crs * c2 - crc * s2)
        tilt = tilt0 + tilt_rate0 * t + cis * s2 + cic * c2
        tilt_rate = tilt_rate0 + 2 * argument_rate * (cis * c2 - cic * s2)
        su, cu = math.sin(latitude), math.cos(latitude)
        x, y = radius * cu, radius * su
        vx, vy = radius_rate * cu - radius * latitude_rate * su, radius_rate * su + radius * latitude_rate * cu
        node_rate = node_rate0 - (0.0 if geostationary[m] else turn)
        node = node0 + node_rate * t - turn * second
        sn, cn, si, ci = math.sin(node), math.cos(node), math.sin(tilt), math.cos(tilt)
        px, py = x * cn - y * ci * sn, x * sn + y * ci * cn
        across_rate = vy * ci - y * si * tilt_rate
        position[m, 0], position[m, 1], position[m, 2] = px, py, y * si
        velocity[m, 0] = vx * cn - across_rate * sn - node_rate * py
        velocity[m, 1] = vx * sn + across_rate * cn + node_rate * px
        velocity[m, 2] = vy * si + y * ci * tilt_rate
        relativity = -2 * math.sqrt(mu) / (light_m_s * light_m_s) * e * root_a
        since = (gps_ns[m] - toc_ns[m]) * 1e-9
        clock[m] = clock0 + since * (clock1 + since * clock2) + relativity * sine
        drift[m] = clock1 + 2 * since * clock2 + relativity * cosine * rate
    return position, velocity, clock, drift
