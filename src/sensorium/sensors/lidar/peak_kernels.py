"""Finding and timing peaks in a sampled record. Import this lazily: it loads Numba.

Positions count in samples of the record. `y` is the record, `z` what the detector looks at: the record itself, or the record
after the matched filter.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.sensors.lidar.peak_detection import CENTROID, FRACTION, MATCHED

_jit = nb.njit(cache=True, nogil=True, error_model="numpy")


@_jit
def correlate(y, z, start, stop, template, lead):  # type: ignore[no-untyped-def]
    """Write z_n = sum y_(n - lead + i) template_i for start <= n < stop."""
    for n in range(start, stop):
        total = 0.0
        for i in range(len(template)):
            total += y[n - lead + i] * template[i]
        z[n] = total


@_jit
def find(z, start, stop, first, threshold, swing, tops, floors, found):  # type: ignore[no-untyped-def]
    """Append the peaks of a stretch and the valley in front of each (`first` if none); return how many there are now.

    An excursion runs from the first sample above the threshold to the first below threshold - swing. Inside it a new peak
    needs a fall and a rise of more than a swing. What only falls from the first sample on is the tail of something in front.
    """
    inside, upwards, top, low = False, False, start, first
    for n in range(start, stop):
        if not inside:
            if z[n] > threshold:
                inside, upwards, top, low = True, True, n, first
            continue
        if upwards:
            if z[n] > z[top]:
                top = n
            elif z[n] < z[top] - swing:
                found = _append(tops, floors, found, top, low, start)
                upwards, low = False, n
        elif z[n] < z[low]:
            low = n
        elif z[n] > z[low] + swing and z[n] > threshold:
            upwards, top = True, n
        inside = z[n] >= threshold - swing
    return _append(tops, floors, found, top, low, start) if inside and upwards else found


@_jit
def _append(tops, floors, found, top, low, start):  # type: ignore[no-untyped-def]
    if found == len(tops) or top == start:
        return found
    tops[found], floors[found] = top, low
    return found + 1


@_jit
def rising(y, top, first, level):  # type: ignore[no-untyped-def]
    """Return where the record passes a level on the way up to a peak, not before `first`; NaN if it does not."""
    for n in range(top - 1, first - 1, -1):
        if y[n] < level:
            return n + (level - y[n]) / (y[n + 1] - y[n])
    return math.nan


@_jit
def falling(y, top, last, level):  # type: ignore[no-untyped-def]
    """Return where the record passes a level on the way down from a peak, not after `last`; NaN if it does not."""
    for n in range(top + 1, last + 1):
        if y[n] < level:
            return n - (level - y[n]) / (y[n - 1] - y[n])
    return math.nan


@_jit
def vertex(z, top):  # type: ignore[no-untyped-def]
    """Return the top of the parabola through a peak and its neighbours, at most half a sample away."""
    curvature = 2.0 * z[top] - z[top - 1] - z[top + 1]
    if curvature <= 0.0:
        return float(top)
    return top + min(0.5, max(-0.5, 0.5 * (z[top + 1] - z[top - 1]) / curvature))


@_jit
def centroid(y, top, half):  # type: ignore[no-untyped-def]
    """Return the centre of gravity of the samples around a peak; NaN if it lies outside of them."""
    weight, moment = 0.0, 0.0
    for n in range(top - half, top + half + 1):
        weight += y[n]
        moment += y[n] * (n - top)
    return top + moment / weight if abs(moment) < half * weight else math.nan


@_jit
def raw_time(y, z, top, first, finder):  # type: ignore[no-untyped-def]
    """Return the time mark of a peak as the method reads it, before its bias is taken off; NaN if it cannot be read."""
    if finder.kind == FRACTION:
        return rising(y, top, max(first, top - finder.before), finder.parameter * y[top])
    if finder.kind == CENTROID:
        return centroid(y, top, int(finder.parameter))
    return vertex(z, top)


@_jit
def unbiased(raw, finder):  # type: ignore[no-untyped-def]
    """Return the position of the echo whose time mark this is: whole samples pass through, the rest is looked up."""
    shifted = raw - finder.origin
    whole = math.floor(shifted)
    place = (shifted - whole) * (len(finder.unbias) - 1)
    j = min(int(place), len(finder.unbias) - 2)
    return whole + finder.unbias[j] + (place - j) * (finder.unbias[j + 1] - finder.unbias[j])


@_jit
def behind_ceiling(y, top, first, last, finder):  # type: ignore[no-untyped-def]
    """Return the position of an echo whose top is cut off; NaN if an edge is missing.

    The wider the pulse at half the ceiling, the earlier its edge: the known pulse shape tells by how much (walk correction).
    Straight lines to samples that are cut off themselves leave an error of some tenths of a sample.
    """
    level = 0.5 * finder.ceiling_w
    edge, end = rising(y, top, first, level), falling(y, top, last, level)
    if math.isnan(edge) or math.isnan(end):
        return math.nan
    place = min((end - edge) / finder.lag_step, len(finder.lag) - 1.0)
    j = min(int(place), len(finder.lag) - 2)
    return edge + finder.lag[j] + (place - j) * (finder.lag[j + 1] - finder.lag[j])


@_jit
def read_peak(y, z, top, floor, first, last, finder):  # type: ignore[no-untyped-def]
    """Return position and power of the echo that made a peak; the record is known from `first` to `last`."""
    if y[top] >= finder.ceiling_w:
        position = behind_ceiling(y, top, first, last, finder)
        return (position if not math.isnan(position) else float(top)), y[top]
    raw = raw_time(y, z, top, max(first, floor), finder)
    position = vertex(z, top) if math.isnan(raw) else unbiased(raw, finder)
    place = (min(1.0, max(-1.0, position - top)) + 1.0) * 0.5 * (len(finder.crest) - 1)
    j = min(int(place), len(finder.crest) - 2)
    return position, z[top] / (finder.crest[j] + (place - j) * (finder.crest[j + 1] - finder.crest[j]))


@_jit
def time_marks(table, lead, finder):  # type: ignore[no-untyped-def]
    """Return the time mark of a clean echo for every place between two samples [K + 1], relative to the earlier sample."""
    phases, taps = table.shape
    marks = np.empty(phases)
    y, z = np.zeros(5 * taps), np.zeros(5 * taps)
    for j in range(phases):
        y[2 * taps : 3 * taps] = table[j]
        z[:] = y
        if finder.kind == MATCHED:
            correlate(y, z, taps, 4 * taps, finder.template, lead)
        top = int(np.argmax(z))
        marks[j] = raw_time(y, z, top, 0, finder) - (2 * taps + lead)
    return marks
