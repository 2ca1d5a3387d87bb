"""The compiled loops around Embree. Import this lazily: it loads Numba.

Rays go in packets of 16, as structure of arrays of 32-bit words (RTCRayHit16 of Embree 4.4):
origin 0..2, near 3, direction 4..6, time 7, far 8, mask 9, id 10, flags 11, normal 12..14, u 15, v 16, triangle 17,
geometry 18, instance 19, instanced primitive 20. Positions are taken relative to an anchor near the sensor before they
become 32-bit numbers, so that a scene far from the origin loses nothing.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.tracing.embree.library import (
    FORMAT_FLOAT3X4,
    rtc_commit_geometry,
    rtc_commit_scene,
    rtc_intersect16,
    rtc_occluded16,
    rtc_set_matrix,
    rtc_set_quaternion,
    rtc_set_time_steps,
)

_WIDTH = 16
_PACKETS_PER_TASK = 64
_NOTHING = np.uint32(0xFFFFFFFF)
_RAY_WORDS, _HIT_WORDS = 12 * _WIDTH, 21 * _WIDTH


@nb.njit(cache=True, error_model="numpy")
def aligned(words):  # type: ignore[no-untyped-def]
    """Return float32 memory on a 64-byte border, as Embree asks for."""
    raw = np.empty(words + 16, np.float32)
    start = ((64 - raw.ctypes.data % 64) % 64) // 4
    return raw[start : start + words]


@nb.njit(cache=True, error_model="numpy")
def _load(r, valid, first, origin, direction, time_ns, anchor, start_ns, per_ns, near, far):  # type: ignore[no-untyped-def]
    """Fill one packet; return False if a ray in it cannot be traced. Straight code without branches, so that it is vectorised."""
    words = r.view(np.uint32)
    count = min(_WIDTH, len(origin) - first)
    for j in range(_WIDTH):
        valid[j] = -1 if j < count else 0
        r[48 + j], r[128 + j] = near, far
        words[144 + j], words[160 + j], words[176 + j] = _NOTHING, 0, 0
    ax, ay, az = anchor[0], anchor[1], anchor[2]
    good = 0
    for j in range(count):
        k = first + j
        dx, dy, dz = direction[k, 0], direction[k, 1], direction[k, 2]
        inverse = 1.0 / max(abs(dx), abs(dy), abs(dz))  # scaled first, so that no length over- or underflows
        dx, dy, dz = dx * inverse, dy * inverse, dz * inverse
        inverse = 1.0 / math.sqrt(dx * dx + dy * dy + dz * dz)
        x, y, z = origin[k, 0] - ax, origin[k, 1] - ay, origin[k, 2] - az
        when = (time_ns[k] - start_ns) * per_ns
        # a sum that is not finite (NaN, infinity, length zero) is not equal to itself after subtracting itself
        check = x + y + z + inverse * (dx + dy + dz)
        good += (check - check == 0.0) & (when >= 0.0) & (when <= 1.0)
        r[j], r[16 + j], r[32 + j] = x, y, z
        r[64 + j], r[80 + j], r[96 + j] = dx * inverse, dy * inverse, dz * inverse
        r[112 + j] = when
    return good == count


@nb.njit(cache=True, error_model="numpy")
def _turned(q, first, count, when, x, y, z):  # type: ignore[no-untyped-def]
    """Rotate a vector by an instance's quaternion keys q[first:first + count] at a time in 0..1 and give it unit length."""
    scale = 1.0 / math.sqrt(x * x + y * y + z * z)
    x, y, z = x * scale, y * scale, z * scale
    if count == 1 and q[first, 0] == 1.0:  # a tile: nothing turns
        return x, y, z
    place = when * (count - 1)
    key = min(max(int(place), 0), max(count - 2, 0))
    a, b = first + key, first + min(key + 1, count - 1)
    wb = place - key
    wa = 1.0 - wb
    dot = q[a, 0] * q[b, 0] + q[a, 1] * q[b, 1] + q[a, 2] * q[b, 2] + q[a, 3] * q[b, 3]
    if abs(dot) < 0.9999999:  # great-circle weights, as Embree turns the instance itself
        angle = math.acos(abs(dot))
        wa, wb = math.sin(wa * angle), math.sin(wb * angle)
    if dot < 0.0:
        wb = -wb
    w, i = wa * q[a, 0] + wb * q[b, 0], wa * q[a, 1] + wb * q[b, 1]
    j, k = wa * q[a, 2] + wb * q[b, 2], wa * q[a, 3] + wb * q[b, 3]
    s = 2.0 / (w * w + i * i + j * j + k * k)
    cx, cy, cz = j * z - k * y, k * x - i * z, i * y - j * x
    return (
        x + s * (w * cx + j * cz - k * cy),
        y + s * (w * cy + k * cx - i * cz),
        z + s * (w * cz + i * cy - j * cx),
    )


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def intersect(  # type: ignore[no-untyped-def]
    scene, how, origin, direction, time_ns, near, far, anchor, start_ns, per_ns,
    geometry_first, geometry_body, geometry_part, key_first, key_count, key_quaternion,
    distance, body, part, triangle, barycentric, normal,
):  # fmt: skip
    """Trace all rays and fill the hit arrays; return the number of packets that hold a ray which cannot be traced.

    `how` is the address of Embree's arguments.
    """
    n = len(origin)
    packets = (n + _WIDTH - 1) // _WIDTH
    tasks = (packets + _PACKETS_PER_TASK - 1) // _PACKETS_PER_TASK
    refused = 0
    for task in nb.prange(tasks):
        r = aligned(_HIT_WORDS)
        words = r.view(np.uint32)
        valid = aligned(_WIDTH).view(np.int32)
        for packet in range(task * _PACKETS_PER_TASK, min(packets, (task + 1) * _PACKETS_PER_TASK)):
            first = packet * _WIDTH
            if not _load(r, valid, first, origin, direction, time_ns, anchor, start_ns, per_ns, near, far):
                refused += 1
                continue
            for j in range(2 * _WIDTH):
                words[18 * _WIDTH + j] = _NOTHING
            rtc_intersect16(valid.ctypes.data, scene, r.ctypes.data, how)
            for j in range(min(_WIDTH, n - first)):
                k = first + j
                instance = words[19 * 16 + j]
                if instance == _NOTHING:
                    distance[k] = math.inf
                    body[k], part[k], triangle[k] = -1, -1, -1
                    barycentric[k, 0], barycentric[k, 1] = 0.0, 0.0
                    normal[k, 0], normal[k, 1], normal[k, 2] = 0.0, 0.0, 0.0
                    continue
                row = geometry_first[instance] + words[18 * 16 + j]
                distance[k] = r[128 + j]
                body[k], part[k], triangle[k] = geometry_body[row], geometry_part[row], words[17 * 16 + j]
                barycentric[k, 0], barycentric[k, 1] = r[15 * 16 + j], r[16 * 16 + j]
                normal[k, 0], normal[k, 1], normal[k, 2] = _turned(
                    key_quaternion, key_first[instance], key_count[instance], r[112 + j],
                    r[12 * 16 + j], r[13 * 16 + j], r[14 * 16 + j],
                )  # fmt: skip
    return refused


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def occlude(scene, how, origin, direction, time_ns, near, far, anchor, start_ns, per_ns, blocked):  # type: ignore[no-untyped-def]
    """Find whether anything lies on each ray; return the number of packets that hold a ray which cannot be traced."""
    n = len(origin)
    packets = (n + _WIDTH - 1) // _WIDTH
    tasks = (packets + _PACKETS_PER_TASK - 1) // _PACKETS_PER_TASK
    refused = 0
    for task in nb.prange(tasks):
        r = aligned(_RAY_WORDS)
        valid = aligned(_WIDTH).view(np.int32)
        for packet in range(task * _PACKETS_PER_TASK, min(packets, (task + 1) * _PACKETS_PER_TASK)):
            first = packet * _WIDTH
            if not _load(r, valid, first, origin, direction, time_ns, anchor, start_ns, per_ns, near, far):
                refused += 1
                continue
            rtc_occluded16(valid.ctypes.data, scene, r.ctypes.data, how)
            for j in range(min(_WIDTH, n - first)):
                blocked[first + j] = r[128 + j] == -math.inf
    return refused


@nb.njit(cache=True, error_model="numpy")
def _matrix(q, m):  # type: ignore[no-untyped-def]
    """Write the rotation of a unit quaternion into the left of a 3 x 4 matrix."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    m[0, 0], m[0, 1], m[0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
    m[1, 0], m[1, 1], m[1, 2] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
    m[2, 0], m[2, 1], m[2, 2] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)


@nb.njit(cache=True, error_model="numpy")
def _miss(position, quaternion, stride, radius):  # type: ignore[no-untyped-def]
    """Return how far a point of the body strays from its path [M, ...] if every stride-th sample is a key.

    Between keys Embree mixes positions and matrices linearly. The deviation of the mixed matrix, times the radius of the
    body, bounds that of its points: r theta^2 / 8 for a turn by theta between keys.
    """
    worst = 0.0
    a, b, m = np.empty((3, 4)), np.empty((3, 4)), np.empty((3, 4))
    for left in range(0, len(position) - 1, stride):
        right = left + stride
        _matrix(quaternion[left], a)
        _matrix(quaternion[right], b)
        for middle in range(left + 1, right):
            f = (middle - left) / stride
            _matrix(quaternion[middle], m)
            shifted, turned = 0.0, 0.0
            for i in range(3):
                shifted += (position[left, i] * (1.0 - f) + position[right, i] * f - position[middle, i]) ** 2
                for j in range(3):
                    turned += (a[i, j] * (1.0 - f) + b[i, j] * f - m[i, j]) ** 2
            worst = max(worst, math.sqrt(shifted) + radius * math.sqrt(turned / 2.0))
    return worst


@nb.njit(cache=True, error_model="numpy")
def to_middles(position, quaternion, middle):  # type: ignore[no-untyped-def]
    """Move positions [B, M, 3] of body origins to the middles [B, 3] of the models, in place."""
    m = np.zeros((3, 4))
    for body in range(len(position)):
        for sample in range(position.shape[1]):
            _matrix(quaternion[body, sample], m)
            for i in range(3):
                for j in range(3):
                    position[body, sample, i] += m[i, j] * middle[body, j]


@nb.njit(cache=True, error_model="numpy")
def coarsest_strides(position, quaternion, radius, tolerance):  # type: ignore[no-untyped-def]
    """Return for each body the largest power-of-two stride between its samples that keeps it within the tolerance.

    0 where none does. A stride of one cannot be judged from these samples, so the finest answer is two.
    """
    bodies, samples = position.shape[:2]
    strides = np.zeros(bodies, np.int64)
    for body in range(bodies):
        stride = samples - 1
        while stride >= 2:
            if _miss(position[body], quaternion[body], stride, radius[body]) <= tolerance:
                strides[body] = stride
                break
            stride //= 2
    return strides


@nb.njit(cache=True, error_model="numpy")
def thinned(position, quaternion, rows, strides):  # type: ignore[no-untyped-def]
    """Return every stride-th sample of some rows, one body after the other, and how many each has."""
    counts, total = np.empty(len(rows), np.int64), 0
    for i in range(len(rows)):
        counts[i] = (position.shape[1] - 1) // strides[i] + 1
        total += counts[i]
    positions, quaternions = np.empty((total, 3)), np.empty((total, 4))
    at = 0
    for i in range(len(rows)):
        for key in range(counts[i]):
            sample = key * strides[i]
            for a in range(3):
                positions[at, a] = position[rows[i], sample, a]
            for a in range(4):
                quaternions[at, a] = quaternion[rows[i], sample, a]
            at += 1
    return counts, positions, quaternions


@nb.njit(cache=True, error_model="numpy")
def place(  # type: ignore[no-untyped-def]
    world, handles, steps_now, key_first, key_count, key_position, key_quaternion, turns, anchor
):
    """Give every instance its keys, relative to the anchor, and commit the world scene.

    Matrices cost Embree a thirtieth of what quaternions cost; only bodies marked in `turns` get quaternions.
    """
    matrix = aligned(12).reshape(3, 4)
    q = aligned(16)  # RTCQuaternionDecomposition: scale 0..2, skew 3..5, shift 6..8, wxyz 9..12, translation 13..15
    for a in range(16):
        q[a] = 1.0 if a < 3 else 0.0
    for i in range(len(handles)):
        if steps_now[i] != key_count[i]:
            rtc_set_time_steps(handles[i], np.uint32(key_count[i]))
            steps_now[i] = key_count[i]
        for step in range(key_count[i]):
            row = key_first[i] + step
            if turns[i]:
                for a in range(4):
                    q[9 + a] = key_quaternion[row, a]
                for a in range(3):
                    q[13 + a] = key_position[row, a] - anchor[a]
                rtc_set_quaternion(handles[i], np.uint32(step), q.ctypes.data)
            else:
                _matrix(key_quaternion[row], matrix)
                for a in range(3):
                    matrix[a, 3] = key_position[row, a] - anchor[a]
                rtc_set_matrix(handles[i], np.uint32(step), FORMAT_FLOAT3X4, matrix.ctypes.data)
        rtc_commit_geometry(handles[i])
    rtc_commit_scene(world)
