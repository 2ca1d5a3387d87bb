"""Why a LiDAR reports a return, and why it does not."""

from __future__ import annotations

from enum import IntEnum


class Cause(IntEnum):
    """What made a return."""

    SURFACE = 0
    """The first surface on the beam."""
    AIR = 1
    """Fog, rain, snow or dust."""
    MIRROR_GHOST = 2
    """Seen over a mirror, there and back: it appears behind the mirror."""
    DIRECT_GHOST = 3
    """Lit over a mirror, seen directly: half the way round."""
    THROUGH_GLASS = 4
    """A surface behind glass."""
    CROSSTALK = 5
    """The pulse of another LiDAR."""
    NOISE = 6
    """Nothing but noise crossed the threshold."""
    BLOOMING = 7
    """Stray light of a bright surface beside the beam."""


class Missing(IntEnum):
    """Why a beam gave no return; DETECTED if it did."""

    DETECTED = 0
    NO_HIT = 1
    """Nothing was there to send light back."""
    BELOW_THRESHOLD = 2
    TOO_NEAR = 3
    TOO_FAR = 4
