"""Compiled loops of the engine's physics, second half: pulses become points. Import this lazily: it loads Numba.

All chance lives here. Noise of a pulse is the draw of element (beam * most pulses per beam + number of the pulse),
noise of a range that of element (beam): who else is in the batch, and how many threads there are, does not matter.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.bridges.engine_sense_kernels import POWER, RANGE, add_lobes, first_wrong, sense_paths, sense_rays
from sensorium.core.random_kernels import normal

BLOCK = 512
"""Pulses that are worked on together."""
TASK = 4096
"""Beams that one thread does in one go."""
_FOUND_RANGE, _FOUND_POWER, _SHOWN_RANGE, _SHOWN_POWER = range(5, 9)
_ROWS = 9
"""Rows of the block: those of the first half, then the merged pulses, then those that become points."""


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _nearest_first(work, base, slots):  # type: ignore[no-untyped-def]
    """Move the pulses of one beam to the front, sorted by range; return their number."""
    if slots == 1:
        return np.int64(work[RANGE, base] > 0.0)
    live = 0
    for j in range(base, base + slots):
        r, p = work[RANGE, j], work[POWER, j]
        if r > 0.0:
            k = base + live
            while k > base and work[RANGE, k - 1] > r:
                work[RANGE, k], work[POWER, k] = work[RANGE, k - 1], work[POWER, k - 1]
                k -= 1
            work[RANGE, k], work[POWER, k] = r, p
            live += 1
    return live


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _merge(work, first, count, slots, resolution_m, beam, element):  # type: ignore[no-untyped-def]
    """Merge the pulses of each beam that the receiver cannot tell apart; return the number of pulses that are left.

    A pulse opens with the nearest echo and takes in all that follow within the resolution: summed power, range weighted
    by power.
    """
    found = 0
    for i in range(count):
        j = i * slots
        end = j + _nearest_first(work, j, slots)
        number = (first + i) * slots
        while j < end:
            start, power, moment = work[RANGE, j], work[POWER, j], 0.0
            j += 1
            while j < end and work[RANGE, j] - start < resolution_m:
                power += work[POWER, j]
                moment += work[POWER, j] * (work[RANGE, j] - start)
                j += 1
            work[_FOUND_RANGE, found] = start + (moment / power if moment > 0.0 else 0.0)
            work[_FOUND_POWER, found] = power
            beam[found], element[found] = first + i, number
            number += 1
            found += 1
    return found


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _add_noise(work, found, noise_w, key, element):  # type: ignore[no-untyped-def]
    """Add the receiver's noise to each pulse."""
    for j in range(found):
        work[_FOUND_POWER, j] += noise_w * normal(key, element[j])


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _first_above(work, found, threshold_w, beam):  # type: ignore[no-untyped-def]
    """Keep of each beam the first pulse above the threshold; return their number."""
    shown, last = 0, np.int64(-1)
    for j in range(found):
        if work[_FOUND_POWER, j] > threshold_w and beam[j] != last:
            last = beam[j]
            work[_SHOWN_RANGE, shown], work[_SHOWN_POWER, shown] = work[_FOUND_RANGE, j], work[_FOUND_POWER, j]
            beam[shown] = last
            shown += 1
    return shown


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _blur_ranges(work, shown, instrument, key, beam):  # type: ignore[no-untyped-def]
    """Add the noise of the clock to each range; no range is below zero."""
    base, slope = instrument.range_noise_m, instrument.range_noise_slope
    for j in range(shown):
        r = work[_SHOWN_RANGE, j]
        work[_SHOWN_RANGE, j] = max(0.0, r + (base + slope * r) * normal(key, beam[j]))


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _middle(rows):  # type: ignore[no-untyped-def]
    """Return the direction of a beam whose first ray hit nothing, from the rays around it; not normalised.

    Two opposite rays of a cone have its axis in their middle. Where no such pair hit anything the middle of all that
    did is off by less than the divergence.
    """
    around = len(rows) - 1
    half = around // 2
    pairs = False
    for s in range(1, half + 1):
        pairs |= around % 2 == 0 and rows[s, 6] > 0.0 and rows[s + half, 6] > 0.0
    x, y, z, last = 0.0, 0.0, 0.0, 0
    for s in range(1, around + 1):
        opposite = s + half if s <= half else s - half
        if rows[s, 6] > 0.0 and (not pairs or rows[opposite, 6] > 0.0):
            px, py, pz = np.float64(rows[s, 0]), np.float64(rows[s, 1]), np.float64(rows[s, 2])
            r = math.sqrt(px * px + py * py + pz * pz)
            x, y, z = x + px / r, y + py / r, z + pz / r
            last = s
    if x * x + y * y + z * z == 0.0:  # no cone at all: two rays in opposite directions
        return np.float64(rows[last, 0]), np.float64(rows[last, 1]), np.float64(rows[last, 2])
    return x, y, z


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _write(beams, work, shown, beam, points, start):  # type: ignore[no-untyped-def]
    """Write the points: the direction of the beam at the measured range, and the power."""
    for j in range(shown):
        b, k = beam[j], start + j
        if beams[b, 0, 6] > 0.0:
            x, y, z = np.float64(beams[b, 0, 0]), np.float64(beams[b, 0, 1]), np.float64(beams[b, 0, 2])
        else:
            x, y, z = _middle(beams[b])
        scale = work[_SHOWN_RANGE, j] / math.sqrt(x * x + y * y + z * z)
        points[k, 0], points[k, 1], points[k, 2] = x * scale, y * scale, z * scale
        points[k, 3], points[k, 4], points[k, 5] = 0.0, 0.0, 0.0
        points[k, 6] = work[_SHOWN_POWER, j]


@nb.njit(cache=True, nogil=True, error_model="numpy")
def some_points(beams, first, last, share, surfaces, known, instrument, keys, points):  # type: ignore[no-untyped-def]
    """Write the points of the beams first..last to `points` from row `first` on; return their number.

    The keys are those of the noise of powers and of ranges. If a row is not sound nothing is written, and -1 returned.
    """
    paths = beams.shape[2] == 8
    slots = 2 * beams.shape[1] - 1 if paths else beams.shape[1]
    work, beam, element = np.zeros((_ROWS, BLOCK)), np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64)
    written = 0
    if first_wrong(beams[first:last], known) >= 0:
        return -1
    for start in range(first, last, BLOCK // slots):
        count = min(BLOCK // slots, last - start)
        if paths:
            sense_paths(beams, start, count, surfaces, instrument, work)
        else:
            sense_rays(beams, start, count, share, surfaces, work)
        add_lobes(work, count * slots, instrument)
        found = _merge(work, start, count, slots, instrument.resolution_m, beam, element)
        _add_noise(work, found, instrument.noise_w, keys[0], element)
        shown = _first_above(work, found, instrument.threshold_w, beam)
        _blur_ranges(work, shown, instrument, keys[1], beam)
        _write(beams, work, shown, beam, points, first + written)
        written += shown
    return written


@nb.njit(cache=True, parallel=True, nogil=True, error_model="numpy")
def all_points(beams, share, surfaces, known, instrument, keys, points):  # type: ignore[no-untyped-def]
    """Write the points of all beams, by several threads; the result is that of `some_points`."""
    count = len(beams)
    tasks = (count + TASK - 1) // TASK
    written = np.empty(tasks, np.int64)
    for task in nb.prange(tasks):
        first, last = task * TASK, min(count, (task + 1) * TASK)
        written[task] = some_points(beams, first, last, share, surfaces, known, instrument, keys, points)
    end = written[0]
    for task in range(1, tasks):
        if written[task] < 0 or end < 0:
            return -1
        for row in range(task * TASK, task * TASK + written[task]):
            points[end] = points[row]
            end += 1
    return end
