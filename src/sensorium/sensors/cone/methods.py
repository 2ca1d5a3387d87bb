"""How the nearest point of a face is found: by lines that cover it, or exactly."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Annotated, Literal

from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import Radians


class Method(ABC):
    """A way to search faces."""

    @property
    @abstractmethod
    def numbers(self) -> tuple[float, float]:
        """Largest number of lines per face (0: no lines) and the angle that adapts it (0: it is fixed), for kernels."""


@configured
class Exact(Method):
    """The true nearest point of every triangle within the cone."""

    type: Literal["exact"] = "exact"

    @property
    def numbers(self) -> tuple[float, float]:
        """No lines."""
        return 0.0, 0.0


@configured
class Lines(Method):
    """N lines per face, quad or triangle (document 000, section 3.1).

    Two triangles that make a flat convex quad are covered together; the lines of a triangle alone run along its longest
    edge and end in the opposite corner. The angle is wrong by at most atan(extent / 2 / ((N - 1) r)).
    """

    type: Literal["lines"] = "lines"
    count: Annotated[int, Field(ge=2, le=1_000_000)] = 100

    @property
    def numbers(self) -> tuple[float, float]:
        """The number."""
        return float(self.count), 0.0


@configured
class AdaptiveLines(Method):
    """As many lines on each face as its size and its distance ask for, to keep the error of the angle within a bound."""

    type: Literal["adaptive_lines"] = "adaptive_lines"
    error_rad: Annotated[Radians, Field(gt=0, lt=math.pi / 2)] = math.radians(0.1)
    most: Annotated[int, Field(ge=2, le=1_000_000)] = 10_000
    """However near or large a face is, it gets no more lines than this."""

    @property
    def numbers(self) -> tuple[float, float]:
        """The largest number and the bound."""
        return float(self.most), self.error_rad


AnyMethod = Annotated[Exact | Lines | AdaptiveLines, Field(discriminator="type")]
