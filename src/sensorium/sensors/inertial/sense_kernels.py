"""What instruments on a moving body feel. Import this lazily: it loads Numba."""

from __future__ import annotations

import numba as nb

ACCELEROMETER, GYROSCOPE, MAGNETOMETER = 0, 1, 2


@nb.njit(cache=True, error_model="numpy", forceinline=True)
def _into(q, x, y, z):  # type: ignore[no-untyped-def]
    """Return the vector in the frame that the quaternion wxyz takes to the world: v - 2 w (q x v) + 2 q x (q x v)."""
    w, a, b, c = q[0], q[1], q[2], q[3]
    tx, ty, tz = 2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)
    return x - w * tx + b * tz - c * ty, y - w * ty + c * tx - a * tz, z - w * tz + a * ty - b * tx


@nb.njit(cache=True, error_model="numpy", forceinline=True)
def _turned(m, x, y, z, out):  # type: ignore[no-untyped-def]
    out[0] = m[0] * x + m[1] * y + m[2] * z
    out[1] = m[3] * x + m[4] * y + m[5] * z
    out[2] = m[6] * x + m[7] * y + m[8] * z


@nb.njit(cache=True, error_model="numpy", forceinline=True)
def _force(body, gravity, mount, out):  # type: ignore[no-untyped-def]
    """Specific force F^-1 (a - g + dw/dt x r + w x (w x r)), all taken in the body's axes, r constant there."""
    q = body[3:7]
    fx, fy, fz = _into(q, body[10] - gravity[0], body[11] - gravity[1], body[12] - gravity[2])
    wx, wy, wz = _into(q, body[7], body[8], body[9])
    dx, dy, dz = _into(q, body[13], body[14], body[15])
    x, y, z = mount[9], mount[10], mount[11]
    sx, sy, sz = wy * z - wz * y, wz * x - wx * z, wx * y - wy * x
    fx += dy * z - dz * y + wy * sz - wz * sy
    fy += dz * x - dx * z + wz * sx - wx * sz
    fz += dx * y - dy * x + wx * sy - wy * sx
    _turned(mount, fx, fy, fz, out)


@nb.njit(cache=True, error_model="numpy", nogil=True)
def places(body, mount, out):  # type: ignore[no-untyped-def]
    """Write where an instrument is in the world [N, 3]: p + R r."""
    x, y, z = mount[9], mount[10], mount[11]
    for row in range(len(body)):
        w, a, b, c = body[row, 3], body[row, 4], body[row, 5], body[row, 6]
        tx, ty, tz = 2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)
        out[row, 0] = body[row, 0] + x + w * tx + b * tz - c * ty
        out[row, 1] = body[row, 1] + y + w * ty + c * tx - a * tz
        out[row, 2] = body[row, 2] + z + w * tz + a * ty - b * tx


@nb.njit(cache=True, error_model="numpy", nogil=True)
def feel(body, mounts, kinds, gravity, flux, iron, out, beside):  # type: ignore[no-untyped-def]
    """Write the true signals [S, N, 3] of S instruments, and the force on the gyroscope [N, 3] if room is given for it."""
    for s in range(len(kinds)):
        mount = mounts[s]
        for row in range(len(body)):
            if kinds[s] == ACCELEROMETER:
                _force(body[row], gravity, mount, out[s, row])
            elif kinds[s] == GYROSCOPE:
                x, y, z = _into(body[row, 3:7], body[row, 7], body[row, 8], body[row, 9])
                _turned(mount, x, y, z, out[s, row])
                if len(beside) > 0:
                    _force(body[row], gravity, mount, beside[row])
            else:
                x, y, z = _into(body[row, 3:7], flux[row, 0], flux[row, 1], flux[row, 2])
                _turned(mount, x, y, z, out[s, row])
                x, y, z = out[s, row, 0], out[s, row, 1], out[s, row, 2]
                _turned(iron, x, y, z, out[s, row])
                for axis in range(3):
                    out[s, row, axis] += iron[9 + axis]
