"""Finding the piece of a piecewise curve at a time, for many curves and many times in one search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.time import Times

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Timeline:
    """The pieces of several curves, laid end to end on one axis of nanoseconds.

    Each curve has its own stretch of the axis, so that the starts of all pieces are in order and one binary search
    serves all curves. Everything is integer until the time since the start of the piece is known: nothing is lost
    however far the times are from zero.
    """

    first_ns: Times
    """Start of each curve [curves, 1]."""
    length_ns: Times
    """Duration of each curve [curves, 1]."""
    closed: NDArray[np.bool_]
    """Which curves repeat for ever [curves, 1]."""
    stretch_ns: Times
    """Where each curve begins on the common axis [curves, 1]."""
    piece_ns: Times
    """Where each piece begins on the common axis [pieces]."""

    @classmethod
    def of(cls, knots_ns: Times, closed: bool = False) -> Timeline:
        """Return the line of one curve whose pieces lie between the knots [pieces + 1]."""
        first, length = knots_ns[:1, None], knots_ns[-1:, None] - knots_ns[:1, None]
        return cls(first, length, np.array([[closed]]), np.zeros((1, 1), np.int64), knots_ns[:-1] - knots_ns[0])

    @classmethod
    def joined(cls, lines: Sequence[Timeline]) -> Timeline:
        """Return one line with the curves of all."""
        ends = np.cumsum([int((line.length_ns + 1).sum()) for line in lines])
        moved = [0, *ends[:-1].tolist()]
        return cls(
            np.concatenate([line.first_ns for line in lines]),
            np.concatenate([line.length_ns for line in lines]),
            np.concatenate([line.closed for line in lines]),
            np.concatenate([line.stretch_ns + by for line, by in zip(lines, moved, strict=True)]),
            np.concatenate([line.piece_ns + by for line, by in zip(lines, moved, strict=True)]),
        )

    def locate(self, times_ns: Times) -> tuple[Indices, Floats]:
        """Return piece and seconds since its start for all curves at all times [T], both flat [curves * T]."""
        since = times_ns - self.first_ns
        held = np.clip(since, 0, self.length_ns)
        if self.closed.any():
            held = np.where(self.closed, since % self.length_ns, held)
        place = (held + self.stretch_ns).ravel()
        piece = np.searchsorted(self.piece_ns, place, "right") - 1
        return piece, (place - self.piece_ns.take(piece)) * 1e-9

    def inside(self, times_ns: Times) -> NDArray[np.bool_]:
        """Return which times [T] lie between first and last instant of which curve [curves, T], both included."""
        since = times_ns - self.first_ns
        return np.asarray(self.closed | ((since >= 0) & (since <= self.length_ns)))
