"""How fast the engine's physics is: beams per second without tracing and without the network."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from sensorium.bridges.engine_physics import EnginePhysics
from sensorium.bridges.engine_wire import Floats, Guns, Layout, Roses, SingleRays
from sensorium.core.random import Draws

PUBLISHED_BEAMS_PER_S = {"single_rays": 1e6, "roses": 2e5}
"""Industrial Problem Solving with Physics 2021 (University of Trento), section 1.3.7: the physics alone, in NumPy."""
_DIVERGENCE_RAD = 1e-3
_GOLDEN_TURN_RAD = math.pi * (3 - math.sqrt(5))


@dataclass(frozen=True)
class Throughput:
    """One measured figure."""

    layout: str
    """single_rays, roses or guns."""
    beams: int
    """Beams of the batch."""
    beams_per_s: float
    """Median over the repetitions; refusal of bad rows and making of the result included."""
    published_beams_per_s: float | None
    """The figure to beat, where there is one."""


def engine_throughput(beams: int = 500_000, repeats: int = 9, seed: int = 1) -> tuple[Throughput, ...]:
    """Measure all three layouts with all threads of Numba; every beam hits something, with the default instrument.

    The scene is random: ranges of 2 to 120 m, all twelve materials, incidence at random; one rose in five lies on an
    edge, with half of its rays 2 m behind. Frames are made beforehand; the first call, which may compile, does not
    count.
    """
    physics, found = EnginePhysics(), []
    for kind, layout in (("single_rays", SingleRays()), ("roses", Roses()), ("guns", Guns(reflections=3))):
        frame = random_frame(layout, beams, Draws(seed))
        physics.points(frame, Draws(seed))
        times = []
        for number in range(repeats):
            start = perf_counter()
            physics.points(frame, Draws(seed, sample=number))
            times.append(perf_counter() - start)
        found.append(Throughput(kind, beams, beams / median(times), PUBLISHED_BEAMS_PER_S.get(kind)))
    return tuple(found)


def random_frame(layout: Layout, beams: int, draws: Draws) -> Floats:
    """Return beams [beams, *layout.beam_shape] that all hit something."""
    rows = 1 if len(layout.beam_shape) == 1 else layout.beam_shape[0]
    frame = np.zeros((beams, rows, layout.beam_shape[-1]), np.float32)
    nearest_m = 2 + 118 * draws.uniform("range", beams)
    material = 1 + np.floor(12 * draws.uniform("material", beams))
    axis = _unit(beams)
    normal = _towards_sensor(axis, draws)
    right = np.cross(axis, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right, axis=1)[:, None]
    for row in range(rows):
        direction, range_m = axis, nearest_m
        if isinstance(layout, Roses) and row:
            turn = 2 * math.pi * (row - 1) / (rows - 1)
            aside = math.cos(turn) * right + math.sin(turn) * np.cross(right, axis)
            direction = math.cos(_DIVERGENCE_RAD) * axis + math.sin(_DIVERGENCE_RAD) * aside
            range_m = nearest_m + np.where((np.arange(beams) % 5 == 0) & (row > rows // 2), 2.0, 0.0)
        if isinstance(layout, Guns):
            range_m = nearest_m + 5.0 * row
        frame[:, row, :3], frame[:, row, 3:6], frame[:, row, 6] = direction * range_m[:, None], normal, material
    return frame.reshape(beams, *layout.beam_shape)


def _unit(count: int) -> NDArray[np.float64]:
    """Return directions [count, 3] spread evenly over a band of 40 degrees about the horizon (golden spiral)."""
    up = np.sin(np.radians(20)) * np.linspace(-1, 1, count)
    turn = _GOLDEN_TURN_RAD * np.arange(count)
    return np.stack((np.sqrt(1 - up**2) * np.cos(turn), np.sqrt(1 - up**2) * np.sin(turn), up), 1)


def _towards_sensor(axis: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
    """Return random unit normals [N, 3] on the side of the sensor."""
    aside = np.stack([draws.normal(name, len(axis)) for name in "xyz"], 1)
    normal = aside / np.linalg.norm(aside, axis=1)[:, None]
    return np.asarray(normal * -np.sign(np.sum(normal * axis, 1))[:, None])
