"""What lies on a road, as far as tyres feel it.

Peak adhesion of car tyres: J. Y. Wong, "Theory of Ground Vehicles", table 1.3 (after Taborek): asphalt and concrete dry
0.8 to 0.9, asphalt wet 0.5 to 0.7, snow packed hard 0.2, ice 0.1. MuJoCo has one coefficient for sticking and sliding;
that a sliding tyre holds less (0.75, 0.45 to 0.6, 0.15, 0.07 in the same table) is left out.
"""

from __future__ import annotations

from typing import Literal

RoadSurface = Literal["dry", "wet", "snow", "ice"]

ADHESION: dict[RoadSurface, float] = {"dry": 0.85, "wet": 0.6, "snow": 0.2, "ice": 0.1}
"""Coefficient of friction by what lies on the road; the middle of the ranges above."""

MATERIALS: dict[RoadSurface, str] = {"wet": "wet_asphalt", "snow": "snow", "ice": "ice"}
"""What a road looks like that is not dry; a dry one keeps its own material."""
