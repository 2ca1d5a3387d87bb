"""Tracks: what a tracker believes of all things it follows, as one batch."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from sensorium.tracking.gaussian import Gaussian


class Status(IntEnum):
    """Where a track is in its life; deleted ones are gone."""

    TENTATIVE = 0
    """Seen too seldom to be believed."""
    CONFIRMED = 1
    COASTING = 2
    """Confirmed, but not seen for a while: it lives on its prediction."""


@dataclass(frozen=True, eq=False)
class Tracks:
    """N tracks; all arrays [N]."""

    belief: Gaussian
    number: NDArray[np.int64]
    """Never used twice."""
    status: NDArray[np.int8]
    hits: NDArray[np.int64]
    """Detections so far."""
    born_ns: NDArray[np.int64]
    seen_ns: NDArray[np.int64]
    """Time of the last detection."""
    next_number: int
    now_ns: int
    """Time of the last sample."""
    taken: NDArray[np.int64]
    """[D] number of the track that took each detection of the last sample."""

    def __len__(self) -> int:
        return len(self.number)

    def __getitem__(self, rows: NDArray[np.bool_]) -> Tracks:
        """Return some of them."""
        return Tracks(
            self.belief[rows], self.number[rows], self.status[rows], self.hits[rows], self.born_ns[rows],
            self.seen_ns[rows], self.next_number, self.now_ns, self.taken,
        )  # fmt: skip

    @property
    def believed(self) -> Tracks:
        """Those that are confirmed or coasting."""
        return self[self.status != Status.TENTATIVE]
