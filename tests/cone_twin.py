"""The cone sensor again, slow and obvious: sample every triangle, keep what is in the cone, look closer where it is nearest."""

from __future__ import annotations

import numpy as np


def inside(points, a, b, deepest=np.inf, farthest=np.inf, slack=0.0):
    """Whether points [..., 3] are in the cone; slack in metres per metre."""
    x, y, z = np.moveaxis(points, -1, 0)
    room = slack * (1 + np.abs(x))
    near = np.linalg.norm(points, axis=-1) <= farthest + room
    return (np.hypot(y / a, z / b) <= x + room) & (x >= -room) & (x <= deepest + room) & near


def _weights(steps):
    i, j = np.meshgrid(np.arange(steps + 1), np.arange(steps + 1), indexing="ij")
    keep = i + j <= steps
    u, v = i[keep] / steps, j[keep] / steps
    return np.stack((1 - u - v, u, v), 1)


def _by_direction(triangle, a, b, steps=25):
    """Weights of the points in which rays of the cone meet the triangle: finds it where the cone is thin on it."""
    rho, phi = np.meshgrid(np.linspace(0, 1, steps), np.linspace(0, 2 * np.pi, 3 * steps), indexing="ij")
    ways = np.stack((np.ones_like(rho), a * rho * np.cos(phi), b * rho * np.sin(phi)), -1).reshape(-1, 3)
    e1, e2 = triangle[1] - triangle[0], triangle[2] - triangle[0]
    h = np.cross(ways, e2)
    with np.errstate(all="ignore"):
        det = h @ e1
        u = (h @ -triangle[0]) / det
        q = np.cross(-triangle[0], e1)
        v, t = (ways @ q) / det, (e2 @ q) / det
        hit = (u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0)
    return np.stack((1 - u[hit] - v[hit], u[hit], v[hit]), 1)


def nearest_of_triangle(triangle, a, b, deepest=np.inf, farthest=np.inf, rounds=32, samples=100):
    """Smallest distance from the origin to a sampled point of the triangle [3, 3] in the cone, inf if no sample is inside.

    Around the nearest sample so far new ones are drawn, from a region that shrinks. Those outside the cone are drawn back
    towards the middle of all that were inside, which is inside as well, until they are on the surface of the cone.
    """
    cone, rng = (a, b, deepest, farthest), np.random.default_rng(0)
    weights = np.concatenate((_weights(30), _by_direction(triangle, a, b)))
    weights = weights[inside(weights @ triangle, *cone)]
    if not len(weights):
        return np.inf
    middle, width = weights.mean(0), 0.3
    where = weights[np.argmin(np.linalg.norm(weights @ triangle, axis=1))]
    for _ in range(rounds):
        moved = where + width * rng.normal(size=(samples, 3))
        moved[np.arange(samples // 3), rng.integers(0, 3, samples // 3)] = 0  # the edges
        moved = np.maximum(moved, 1e-300)
        weights = _drawn_back(moved / moved.sum(1, keepdims=True), middle, triangle, cone)
        weights = np.concatenate((weights, where[None]))
        where = weights[np.argmin(np.linalg.norm(weights @ triangle, axis=1))]
        width *= 0.6
    return float(np.linalg.norm(where @ triangle))


def _drawn_back(weights, middle, triangle, cone):
    low = np.where(inside(weights @ triangle, *cone), 1.0, 0.0)
    high = np.ones(len(weights))
    for _ in range(36):
        half = (low + high) / 2
        ok = inside((middle + half[:, None] * (weights - middle)) @ triangle, *cone)
        low, high = np.where(ok, half, low), np.where(ok, high, half)
    return middle + low[:, None] * (weights - middle)


def nearest_of_triangles(triangles, *cone):
    """The nearest of all [T, 3, 3]."""
    return min((nearest_of_triangle(triangle, *cone) for triangle in triangles), default=np.inf)
