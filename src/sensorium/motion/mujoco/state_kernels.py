"""The engine's state as rows of the record. Import this lazily: it loads Numba.

MuJoCo keeps the velocity and the acceleration of a body as six numbers, rotation first, at the centre of mass of the
tree that the body belongs to. With r from there to the body's origin v = v_c + w x r, a = a_c + dw x r + w x v; the
engine's acceleration is that against free fall, so that gravity is added (`mj_objectAcceleration`, MuJoCo 4).
"""

from __future__ import annotations

import math

import numba as nb


@nb.njit(cache=True, nogil=True, error_model="numpy")
def keep_bodies(bodies, root, gravity, xpos, xquat, cvel, cacc, com, out):  # type: ignore[no-untyped-def]
    """Write rows [B, 19] of bodies [B]; return whether all of it is finite."""
    total = 0.0
    for row in range(len(bodies)):
        body = bodies[row]
        at = root[body]
        x, y, z = xpos[body, 0] - com[at, 0], xpos[body, 1] - com[at, 1], xpos[body, 2] - com[at, 2]
        wx, wy, wz = cvel[body, 0], cvel[body, 1], cvel[body, 2]
        ax, ay, az = cacc[body, 0], cacc[body, 1], cacc[body, 2]
        vx = cvel[body, 3] + wy * z - wz * y
        vy = cvel[body, 4] + wz * x - wx * z
        vz = cvel[body, 5] + wx * y - wy * x
        line = out[row]
        for axis in range(3):
            line[axis] = xpos[body, axis]
            line[10 + axis] = cvel[body, axis]
            line[16 + axis] = cacc[body, axis]
        for part in range(4):
            line[3 + part] = xquat[body, part]
        line[7], line[8], line[9] = vx, vy, vz
        line[13] = cacc[body, 3] + ay * z - az * y + wy * vz - wz * vy + gravity[0]
        line[14] = cacc[body, 4] + az * x - ax * z + wz * vx - wx * vz + gravity[1]
        line[15] = cacc[body, 5] + ax * y - ay * x + wx * vy - wy * vx + gravity[2]
        for column in range(19):
            total += line[column]
    return math.isfinite(total)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def keep_joints(place, degree, qpos, qvel, qacc, out):  # type: ignore[no-untyped-def]
    """Write rows [J, 3] of hinges and slides; return whether all of it is finite."""
    total = 0.0
    for joint in range(len(place)):
        out[joint, 0] = qpos[place[joint]]
        out[joint, 1] = qvel[degree[joint]]
        out[joint, 2] = qacc[degree[joint]]
        total += out[joint, 0] + out[joint, 1] + out[joint, 2]
    return math.isfinite(total)
