"""Which detection belongs to which track."""

from __future__ import annotations

from typing import Annotated, Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured

Floats = NDArray[np.float64]
Pairs = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Rows of tracks and of detections that belong together."""


class Association(Protocol):
    """Chooses pairs by their costs [tracks, detections]; infinite: impossible. Nobody is in two pairs."""

    def pairs(self, cost: Floats, alone: float) -> Pairs:
        """Return the pairs; a pair must cost less than `alone`, the price of leaving a track without a detection."""


@configured
class NearestNeighbour:
    """Takes the cheapest pair, then the cheapest of what is left, and so on."""

    type: Literal["nearest_neighbour"] = "nearest_neighbour"

    def pairs(self, cost: Floats, alone: float) -> Pairs:
        """Return the pairs."""
        tracks, found = np.nonzero(cost < alone)
        taken_track, taken_detection = np.zeros(cost.shape[0], np.bool_), np.zeros(cost.shape[1], np.bool_)
        rows: list[tuple[int, int]] = []
        for best in np.argsort(cost[tracks, found], kind="stable"):
            track, detection = tracks[best], found[best]
            if not (taken_track[track] or taken_detection[detection]):
                taken_track[track] = taken_detection[detection] = True
                rows.append((int(track), int(detection)))
        chosen = np.array(rows, np.intp).reshape(-1, 2)
        return chosen[:, 0], chosen[:, 1]


@configured
class GlobalAssignment:
    """Minimises the cost of all pairs together, with the price of each track that stays alone.

    D. Crouse, "On implementing 2D rectangular assignment algorithms", IEEE Trans. AES 52, 2016, as scipy has it.
    """

    type: Literal["global_assignment"] = "global_assignment"

    def pairs(self, cost: Floats, alone: float) -> Pairs:
        """Return the pairs."""
        from scipy.optimize import linear_sum_assignment

        tracks, found = cost.shape
        never = 1e3 * (abs(alone) + np.abs(cost[np.isfinite(cost)]).max(initial=1.0)) * (tracks + 1)
        table = np.full((tracks, found + tracks), never)
        table[:, :found] = np.where(cost < alone, cost, never)
        table[np.arange(tracks), found + np.arange(tracks)] = alone
        rows, columns = linear_sum_assignment(table)
        real = columns < found
        real[real] = cost[rows[real], columns[real]] < alone
        return rows[real], columns[real]


AnyAssociation = Annotated[NearestNeighbour | GlobalAssignment, Field(discriminator="type")]
