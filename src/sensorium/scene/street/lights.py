"""What burns in the street: lamps over the road, headlights and tail lights of cars that are under way, traffic lights.

Figures are assumed, in the range of their kind: a street lamp of 5000 lm (EN 13201 class P3 with this spacing), dipped headlights
of about 20 000 cd (ECE R112 asks for 10 100 to 44 100 cd at 50R), tail lights of 8 cd (ECE R7: 4 to 17 cd).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import radians

import numpy as np

from sensorium.scene.body import Body, Part
from sensorium.scene.lamp import Lamp

_WARM, _COOL, _RED, _GREEN = (0.44, 0.36, 0.20), (0.36, 0.36, 0.28), (0.97, 0.025, 0.005), (0.03, 0.72, 0.25)


def lights_of(bodies: Iterable[Body]) -> Iterator[Lamp]:
    """Yield the lamps of the street's bodies."""
    for body in bodies:
        for part in body.model.parts:
            if body.model.name == "lamp" and part.name == "lens":
                yield Lamp(body.name, part.name, _middle(part), (0.0, 0.0, -1.0), 1600.0, radians(62), 0.068, _WARM)
            elif part.name == "headlights" and body.motion.moves:
                yield from _pair(body, part, front=True)
            elif part.name == "tail_lights" and body.motion.moves:
                yield from _pair(body, part, front=False)
            elif body.label == "traffic_light" and part.name == "green":
                yield Lamp(body.name, part.name, _middle(part), (1.0, 0.0, 0.0), 200.0, radians(15), 0.0314, _GREEN,
                           burns="always")  # fmt: skip


def _middle(part: Part) -> tuple[float, float, float]:
    low, high = part.mesh.bounds_m()
    x, y, z = (low + high) / 2
    return float(x), float(y), float(low[2]) - 0.01 if part.name == "lens" else float(z)


def _pair(body: Body, part: Part, front: bool) -> Iterator[Lamp]:
    low, high = part.mesh.bounds_m()
    x = float(high[0]) + 0.05 if front else float(low[0]) - 0.05
    for side in (1.0, -1.0):
        place = x, side * 0.78 * float(high[1]), float(low[2] + high[2]) / 2
        if front:
            axis = np.array([1.0, -0.02, -0.018])
            axis /= np.linalg.norm(axis)
            a, b, c = axis.tolist()
            yield Lamp(body.name, part.name, place, (a, b, c), 20_000.0, radians(11), 0.03, _COOL, cut_off=True)
        else:
            yield Lamp(body.name, part.name, place, (-1.0, 0.0, 0.0), 8.0, radians(50), 0.02, _RED)
