"""What the engine's physics refuses: hit points that no engine means."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sensorium.bridges.engine_wire import Floats
from sensorium.core.errors import WireError

NEAREST_M, FARTHEST_M = 1e-3, 1e4
"""A hit nearer or farther than this is a mistake: no LiDAR sees it, and centimetres taken for metres reach that far."""
SHORTEST_NORMAL, LONGEST_NORMAL = 0.9, 1.1
"""A normal has unit length but for the rounding and blending of the engine."""


def refusal(beams: Floats, known: NDArray[np.bool_]) -> WireError:
    """Return the error that tells the first row of beams [N, rows, 7 or 8] that is wrong, and why.

    Numbers must be finite. Rows with a hit need a material that is `known`, a distance of 1 mm to 10 km, a normal of
    unit length within 10 percent, and an angle of 0 to 180 degrees.
    """
    from sensorium.bridges.engine_sense_kernels import first_wrong

    beam, row = divmod(int(first_wrong(beams, known)), beams.shape[1])
    return WireError(f"beam {beam}, row {row}: {_reason(beams[beam, row], known)}")


def _reason(row: Floats, known: NDArray[np.bool_]) -> str:
    """Say what is wrong with a row."""
    if not np.isfinite(row).all():
        return f"number {int(np.flatnonzero(~np.isfinite(row))[0])} is {row[~np.isfinite(row)][0]}"
    material = float(row[6])
    distance_m, length = np.linalg.norm(row[:6].astype(float).reshape(2, 3), axis=1)
    if not (0 <= material < len(known) and material == int(material) and known[int(material)]):
        return f"there is no material {material:g}; known are {', '.join(map(str, np.flatnonzero(known)))}"
    if not NEAREST_M <= distance_m <= FARTHEST_M:
        return f"a hit at {distance_m:g} m is absurd; positions are in metres, in the sensor's frame"
    if not SHORTEST_NORMAL <= length <= LONGEST_NORMAL:
        return f"a normal must have unit length, found {length:g}"
    return f"the angle between segments must be 0 to 180 degrees, found {row[-1]:g}"
