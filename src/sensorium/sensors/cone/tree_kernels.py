"""A tree of boxes around faces, built once per model. Import this lazily: it loads Numba."""

from __future__ import annotations

import numba as nb
import numpy as np

LEAF_FACES = 4


@nb.njit(cache=True, error_model="numpy")
def _split(order, key, start, end, middle):  # type: ignore[no-untyped-def]
    """Reorder order[start:end] so that keys before `middle` are not larger than those from there on (Hoare's selection)."""
    low, high = start, end - 1
    while low < high:
        pivot = key[order[(low + high) // 2]]
        i, j = low, high
        while i <= j:
            while key[order[i]] < pivot:
                i += 1
            while key[order[j]] > pivot:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            return


@nb.njit(cache=True, error_model="numpy", nogil=True)
def built(corners):  # type: ignore[no-untyped-def]
    """Return order, box low and high, first face, number of faces and right child of all nodes for faces [F, 4, 3].

    Node 0 is the root, the left child of a node is the next one. A node with faces is a leaf; it holds
    order[first : first + count]. Halves are made at the median of the middles along the longest edge of their box.
    """
    faces = len(corners)
    order, middle = np.arange(faces), np.empty((3, faces))
    for face in range(faces):
        for axis in range(3):
            middle[axis, face] = corners[face, :, axis].min() + corners[face, :, axis].max()
    most = 2 * faces + 1
    low, high = np.empty((most, 3)), np.empty((most, 3))
    first, count, right = np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros(most, np.int64)
    starts, ends, parents = np.empty(128, np.int64), np.empty(128, np.int64), np.empty(128, np.int64)
    starts[0], ends[0], parents[0] = 0, faces, -1
    waiting, nodes = 1, 0
    while waiting > 0:
        waiting -= 1
        start, end, parent = starts[waiting], ends[waiting], parents[waiting]
        node = nodes
        nodes += 1
        if parent >= 0:
            right[parent] = node
        lowest, highest = np.full(3, np.inf), np.full(3, -np.inf)
        for at in range(start, end):
            for corner in range(4):
                for axis in range(3):
                    value = corners[order[at], corner, axis]
                    lowest[axis], highest[axis] = min(lowest[axis], value), max(highest[axis], value)
        low[node], high[node] = lowest, highest
        if end - start <= LEAF_FACES:
            first[node], count[node] = start, end - start
            continue
        half = (start + end) // 2
        _split(order, middle[np.argmax(highest - lowest)], start, end, half)
        starts[waiting], ends[waiting], parents[waiting] = half, end, node
        starts[waiting + 1], ends[waiting + 1], parents[waiting + 1] = start, half, -1
        waiting += 2
    return order, low[:nodes], high[:nodes], first[:nodes], count[:nodes], right[:nodes]
