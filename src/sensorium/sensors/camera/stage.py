"""What does not change from frame to frame: tables of a scene's surfaces and materials, kept as long as the scene lives."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from sensorium.materials.optical_table import GLASS, PANE
from sensorium.materials.visible_table import VisibleTable, visible_table
from sensorium.scene.scene import Scene
from sensorium.scene.surfaces import Surfaces, surfaces_of
from sensorium.sensors.camera.grain import Grains, grains_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Stage:
    """A scene as a camera needs it."""

    surfaces: Surfaces
    visible: VisibleTable
    grains: Grains
    plain: Grains
    turns: Floats
    """[bodies, 4] rotation of the bodies that stand still."""
    moving: tuple[int, ...]
    glazed: bool
    """Whether there are panes through which the sun shines."""

    def turns_at(self, scene: Scene, time_ns: int) -> Floats:
        """Return the rotation of every body at an instant [bodies, 4]."""
        turns = self.turns.copy()
        if self.moving:
            turns[list(self.moving)] = scene.poses_at(self.moving, np.array([time_ns])).quaternion[:, 0]
        return turns


_STAGES: WeakKeyDictionary[Scene, Stage] = WeakKeyDictionary()


def stage_of(scene: Scene) -> Stage:
    """Return the tables of a scene; made once, since scenes do not change."""
    found = _STAGES.get(scene)
    if found is None:
        found = _STAGES[scene] = _made(scene)
    return found


def _made(scene: Scene) -> Stage:
    numbers = list(range(len(scene.bodies)))
    turns = np.tile([1.0, 0.0, 0.0, 0.0], (len(numbers), 1))
    still = [number for number in numbers if not scene.bodies[number].motion.moves]
    if still:
        turns[still] = scene.poses_at(still, np.array([0])).quaternion[:, 0]
    moving = tuple(number for number in numbers if scene.bodies[number].motion.moves)
    library = scene.library
    visible = visible_table(library)
    glass = (visible.kind == PANE) | (visible.kind == GLASS)
    glazed = bool(glass[scene.part_material].any())
    return Stage(surfaces_of(scene), visible, grains_of(library), grains_of(library, 0.0), turns, moving, glazed)
