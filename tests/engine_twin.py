"""The engine's physics once more, slow and obvious: one beam at a time, in plain Python, without noise."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sensorium.bridges.engine_physics import EnginePhysics
from sensorium.materials import standard_library

LOBES = {material.lobes.wire_id: material.lobes for material in standard_library() if material.lobes}
QUIET = {"nep_w_per_sqrt_hz": 1e-20, "range_noise_m": 0.0}
"""Settings with next to no chance: a noise of 3e-16 W, so that pulses of 1e-15 W are seen; ranges are true."""

Pulse = tuple[float, float]
"""Range and power."""


def mirror_lobe(angle_deg: float, sigma_deg: float) -> float:
    return min(1.0, 1 / (sigma_deg * math.sqrt(2 * math.pi))) * math.exp(-((angle_deg / sigma_deg) ** 2) / 2)


def angle_deg(a: np.ndarray, b: np.ndarray) -> float:
    return math.degrees(math.atan2(float(np.linalg.norm(np.cross(a, b))), abs(float(a @ b))))


def echo(row: Sequence[float], physics: EnginePhysics) -> Pulse:
    """What a hit point sends straight back."""
    point, normal, lobes = np.array(row[:3], float), np.array(row[3:6], float), LOBES[int(row[6])]
    r, t = float(np.linalg.norm(point)), angle_deg(point, normal)
    part = lobes.alpha * min(1.0, math.cos(math.radians(t)) / (2 * r**2))
    part += lobes.beta * mirror_lobe(t, lobes.sigma_deg) + lobes.gamma
    return r, physics.peak_power_w * physics.efficiency * part * math.exp(-2 * physics.attenuation_1_m * r)


def rose_pulses(rows: np.ndarray, physics: EnginePhysics) -> list[Pulse]:
    around = len(rows) - 1
    weights = [physics.central_weight] + [(1 - physics.central_weight) / max(1, around)] * around if around else [1.0]
    echoes = [(echo(row, physics), weight) for row, weight in zip(rows, weights, strict=True) if row[6]]
    return [(r, weight * p) for (r, p), weight in echoes]


def gun_pulses(rows: np.ndarray, physics: EnginePhysics) -> list[Pulse]:
    power = physics.peak_power_w * physics.efficiency
    pulses, before, path, passed = [], np.zeros(3), 0.0, 1.0
    for number, row in enumerate(rows.astype(float)):
        point, normal = row[:3], row[3:6] / np.linalg.norm(row[3:6])
        if row[6] == 0 or np.array_equal(point, before):
            break
        lobes = LOBES[int(row[6])]
        path += float(np.linalg.norm(point - before))
        if number == 0:
            pulses.append(echo(row, physics))
        else:
            back = float(np.linalg.norm(point))
            to_source, to_sensor = (before - point) / np.linalg.norm(before - point), -point / back
            if row[7] < math.degrees(physics.acceptance_rad) and (normal @ to_source) * (normal @ to_sensor) > 0:
                part = lobes.alpha * min(1.0, abs(float(normal @ to_sensor)) / (2 * back**2))
                part += lobes.beta * mirror_lobe(angle_deg(to_source + to_sensor, normal), lobes.sigma_deg)
                air = math.exp(-physics.attenuation_1_m * (path + back))
                pulses.append(((path + back) / 2, power * passed * part * air))
            if lobes.gamma:
                pulses.append((path, power * passed**2 * lobes.gamma * math.exp(-2 * physics.attenuation_1_m * path)))
        passed *= lobes.beta
        before = point
    return pulses


def first_merged(pulses: list[Pulse], resolution_m: float, threshold_w: float) -> Pulse | None:
    """The first pulse above the threshold, after all within the resolution of the nearest have merged."""
    left = sorted(pulses)
    while left:
        group = [pulse for number, pulse in enumerate(left) if number == 0 or pulse[0] - left[0][0] < resolution_m]
        left = left[len(group) :]
        power = sum(p for _, p in group)
        if power > threshold_w:
            return sum(r * p for r, p in group) / power, power
    return None


def points_of(frame: np.ndarray, physics: EnginePhysics) -> np.ndarray:
    """The points of beams whose first row is a hit."""
    found = []
    for beam in frame:
        rows = np.atleast_2d(beam)
        pulses = (gun_pulses if rows.shape[1] == 8 else rose_pulses)(rows, physics)
        seen = first_merged(pulses, physics.resolution_m, physics.threshold_sigma * physics.noise_w)
        if seen is not None:
            direction = rows[0, :3].astype(float)
            found.append([*(direction * seen[0] / np.linalg.norm(direction)), 0, 0, 0, seen[1]])
    return np.array(found, float).reshape(-1, 7)
