"""Shooting and bouncing rays: what each tube of rays brings back from each surface. Import this lazily: it loads Numba.

H. Ling, R. Chou, S. Lee, IEEE Trans. Antennas and Propagation 37, 1989, with physical optics at every surface. A tube of solid
angle O that has come a way s along d lights the area s^2 O / |n.d|. Back to the radar along b, at a distance r, it sends

    sqrt(sigma) = sqrt(4 pi) / lambda  s^2 O / |n.d|  n.(b - d) / 2  sinc(k (d - b).e1 / 2) sinc(k (d - b).e2 / 2)  G  R^2 / (s r)

with e1, e2 the edges of the lit area, across which the phase turns evenly, R = (s + r) / 2, and G Fresnel's reflection of the
field in the plane of d and b, weakened by roughness. For b = -d that is the integral of physical optics over the surface. Surfaces
with undulations that the mesh does not have send back without phase, by the slopes of their facets (`_spread`).
"""

from __future__ import annotations

import cmath
import math

import numba as nb
import numpy as np

_jit = nb.njit(cache=True, error_model="numpy")

_BLOCK = 256
"""Rays that one thread weighs in a row."""


@_jit
def _dot(a, b):  # type: ignore[no-untyped-def]
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@_jit
def _sinc(x):  # type: ignore[no-untyped-def]
    return math.sin(x) / x if abs(x) > 1e-6 else 1.0


@_jit
def coefficients(permittivity, depth, cosine):  # type: ignore[no-untyped-def]
    """Complex reflection (TE, TM) of a half space (depth 0) or a plate; depth = 2 pi thickness / lambda. As materials.radio."""
    s = cmath.sqrt(permittivity - (1.0 - cosine * cosine))
    te, tm = (cosine - s) / (cosine + s), (permittivity * cosine - s) / (permittivity * cosine + s)
    if depth > 0.0:
        turn = cmath.exp(-2j * depth * s)
        te, tm = te * (1.0 - turn) / (1.0 - te * te * turn), tm * (1.0 - turn) / (1.0 - tm * tm * turn)
    return te, tm


@_jit
def reflect(field, direction, normal, permittivity, depth, out):  # type: ignore[no-untyped-def]
    """Write the field [3] that a surface with this normal sends on, in the axes of the mirrored direction."""
    cosine = min(1.0, abs(_dot(direction, normal)))
    te, tm = coefficients(permittivity, depth, cosine)
    px = direction[1] * normal[2] - direction[2] * normal[1]
    py = direction[2] * normal[0] - direction[0] * normal[2]
    pz = direction[0] * normal[1] - direction[1] * normal[0]
    length = math.sqrt(px * px + py * py + pz * pz)
    if length < 1e-9:
        for k in range(3):
            out[k] = te * field[k]
        return
    px, py, pz = px / length, py / length, pz / length
    dx, dy, dz = direction[0], direction[1], direction[2]
    qx, qy, qz = py * dz - pz * dy, pz * dx - px * dz, px * dy - py * dx
    across = field[0] * px + field[1] * py + field[2] * pz
    along = field[0] * qx + field[1] * qy + field[2] * qz
    twice = 2.0 * _dot(direction, normal)
    dx, dy, dz = dx - twice * normal[0], dy - twice * normal[1], dz - twice * normal[2]
    qx, qy, qz = py * dz - pz * dy, pz * dx - px * dz, px * dy - py * dx
    out[0] = te * across * px + tm * along * qx
    out[1] = te * across * py + tm * along * qy
    out[2] = te * across * pz + tm * along * qz


@nb.njit(cache=True, parallel=True, nogil=True, error_model="numpy")
def bounce(radar, wave, surfaces, bodies, hits, ray, field, back, mirrored, following):  # type: ignore[no-untyped-def]
    """Weigh one surface of each ray, and send the rays on.

    radar: place [3], velocity [3], acceleration [3], upright [3] of the polarisation. wave: wavenumber, number of the bounce,
    smallest power that goes on, whether rays go on, smallest cross section over R^4 of several bounces. surfaces: permittivity,
    depth, roughness, slope, gamma per material; material per part; offset of parts per body. bodies: place, velocity, spin,
    acceleration, spin's change [B, 3], moving [B]. hits: distance, body, part, normal. ray [N, 14]: origin, direction, edges, way,
    rate; changed. field [N, 3]; changed. back, mirrored [N, 10]: root of the cross section (re, im), diffuse cross section, range,
    speed, acceleration, direction heard, way back.
    """
    k, number, faintest, onward, smallest = wave
    permittivity, depth, roughness, slope, gamma, part_material, part_offset = surfaces
    distance, hit_body, hit_part, hit_normal = hits
    blocks = (len(ray) + _BLOCK - 1) // _BLOCK
    for block in nb.prange(blocks):
        d, e1, e2, x, n = np.empty(3), np.empty(3), np.empty(3), np.empty(3), np.empty(3)
        v, a, b, h, turned = np.zeros(3), np.zeros(3), np.empty(3), np.empty(3), np.empty(3, np.complex128)
        for i in range(block * _BLOCK, min(len(ray), (block + 1) * _BLOCK)):
            following[i] = False
            back[i, :3] = 0.0
            mirrored[i, :3] = 0.0
            body = hit_body[i]
            if body < 0:
                continue
            material = part_material[part_offset[body] + hit_part[i]]
            eta, deep, rough = permittivity[material], depth[material], (k * roughness[material]) ** 2
            way, rate, f = ray[i, 12] + distance[i], ray[i, 13], field[i]
            for c in range(3):
                d[c] = ray[i, 3 + c]
                x[c] = ray[i, c] + distance[i] * d[c]
                n[c] = hit_normal[i, c]
            side = -1.0 if _dot(d, n) > 0.0 else 1.0
            for c in range(3):
                n[c] *= side
            cosine = max(-_dot(d, n), 1e-6)
            area = way * way * math.sqrt(_cross2(ray[i, 6:9], ray[i, 9:12]))
            step1, step2 = _dot(ray[i, 6:9], n) / cosine, _dot(ray[i, 9:12], n) / cosine
            for c in range(3):
                e1[c] = way * (ray[i, 6 + c] + d[c] * step1)
                e2[c] = way * (ray[i, 9 + c] + d[c] * step2)
            _point_motion(bodies, body, x, v, a)
            surface = (eta, deep, rough, slope[material], gamma[material] * area)
            spot = (d, x, n, v, a, cosine, way, rate, area)
            _straight(radar, k, number, smallest, surface, spot, e1, e2, f, b, h, turned, back[i])
            if number > 1:
                _reversed(k, smallest, surface, spot, e1, e2, f, mirrored[i])
            if onward > 0.0:
                following[i] = _onward(surface, spot, k, f, turned, faintest, ray[i])


@_jit
def _straight(radar, k, number, smallest, surface, spot, e1, e2, f, b, h, turned, back):  # type: ignore[no-untyped-def]
    """Write what a spot sends straight to the radar."""
    place, velocity, acceleration, upright = radar
    eta, deep, rough, wavy, clutter = surface
    d, x, n, v, a, cosine, way, rate, area = spot
    r = _way_back(place, x, d, number, b)
    facing = _dot(n, b)
    if facing <= 0.0:
        return
    far, tilt = 0.5 * (way + r), facing + cosine
    lobe = _sinc(0.5 * k * (_dot(d, e1) - _dot(b, e1))) * _sinc(0.5 * k * (_dot(d, e2) - _dot(b, e2)))
    size = k * area / cosine * 0.5 * tilt * lobe * math.exp(-0.5 * rough * tilt * tilt) / math.sqrt(math.pi)
    size *= far * far / (way * max(r, 1e-9))
    back[2] = clutter if number == 1 else 0.0
    if wavy > 0.0 and _half(b, d, h):
        spread = (
            _spread(area / cosine, _dot(n, h), wavy)
            * math.exp(-rough * tilt * tilt)
            * (far * far / (way * max(r, 1e-9))) ** 2
        )
        if spread > smallest * far**4:
            reflect(f, d, h, eta, deep, turned)
            heard = _received(turned, upright, b)
            back[2] += spread * (heard.real**2 + heard.imag**2)
    elif size * size > smallest * far**4 and _half(b, d, h):
        reflect(f, d, h, eta, deep, turned)
        heard = _received(turned, upright, b)
        back[0], back[1] = size * heard.real, size * heard.imag
    back[3], back[9] = far, r
    back[4] = 0.5 * (rate + _dot(d, v) - _dot(b, v) + _dot(b, velocity))
    back[5] = _pull(d, v, velocity, a, acceleration, way) if number == 1 else 0.0
    for c in range(3):
        back[6 + c] = -b[c]


@_jit
def _reversed(k, smallest, surface, spot, e1, e2, f, mirrored):  # type: ignore[no-untyped-def]
    """Write what a spot sends back along the way that the ray came: there and back over a mirror."""
    eta, deep, rough, wavy, clutter = surface
    d, _, _, v, _, cosine, way, rate, area = spot
    twice = f[0] * f[0] + f[1] * f[1] + f[2] * f[2]
    size = k * area * _sinc(k * _dot(d, e1)) * _sinc(k * _dot(d, e2)) / math.sqrt(math.pi)
    size *= math.exp(-2.0 * rough * cosine * cosine)
    whole = twice.real**2 + twice.imag**2
    if clutter * whole > smallest * way**4:
        mirrored[2] = clutter * whole
    if wavy > 0.0:
        back = coefficients(eta, deep, 1.0)[0]
        spread = _spread(area / cosine, cosine, wavy) * math.exp(-4.0 * rough * cosine * cosine)
        spread *= whole * (back.real**2 + back.imag**2)
        mirrored[2] += spread if spread > smallest * way**4 else 0.0
    elif size * size * whole > smallest * way**4:
        heard = coefficients(eta, deep, 1.0)[0] * twice
        mirrored[0], mirrored[1] = size * heard.real, size * heard.imag
    mirrored[3], mirrored[4], mirrored[5] = way, rate + _dot(d, v), 0.0


@_jit
def _onward(surface, spot, k, f, turned, faintest, ray):  # type: ignore[no-untyped-def]
    """Change field and ray to those behind the surface; return whether enough is left."""
    eta, deep, rough, _, _ = surface
    d, x, n, v, _, cosine, way, rate, _ = spot
    reflect(f, d, n, eta, deep, turned)
    kept, power = math.exp(-2.0 * rough * cosine * cosine), 0.0
    for c in range(3):
        f[c] = turned[c] * kept
        power += f[c].real ** 2 + f[c].imag ** 2
    _mirror(ray, n, x, way)
    ray[13] = rate + _dot(d, v) - (ray[3] * v[0] + ray[4] * v[1] + ray[5] * v[2])
    return power > faintest


@_jit
def _spread(area, cosine, slope):  # type: ignore[no-untyped-def]
    """Cross section of an area whose facets lie about its mean plane with a Gaussian of slopes, for a reflectance of 1.

    sigma_0 = exp(-tan^2 b / (2 m^2)) / (2 m^2 cos^4 b), b the angle between the normal and the facets that mirror into view
    (A. Fung, "Microwave scattering and emission models", 1994, the limit of high frequencies). Over a plane that is pi R^2, as the
    image has it.
    """
    if cosine <= 0.0:
        return 0.0
    c2 = cosine * cosine
    twice = 2.0 * slope * slope
    return area * math.exp(-(1.0 - c2) / (c2 * twice)) / (twice * c2 * c2)


@_jit
def _way_back(place, x, d, number, b):  # type: ignore[no-untyped-def]
    """Write the unit direction from a point to the radar, and return the distance."""
    r = 0.0
    for c in range(3):
        b[c] = place[c] - x[c]
        r += b[c] * b[c]
    r = math.sqrt(r)
    for c in range(3):
        b[c] = -d[c] if number == 1 else b[c] / max(r, 1e-9)
    return r


@_jit
def _half(b, d, h):  # type: ignore[no-untyped-def]
    """Write the unit vector half way between two directions, one in and one out; return whether there is one."""
    length = 0.0
    for c in range(3):
        h[c] = b[c] - d[c]
        length += h[c] * h[c]
    length = math.sqrt(length)
    for c in range(3):
        h[c] /= max(length, 1e-12)
    return length > 1e-6


@_jit
def _pull(d, v, velocity, a, acceleration, way):  # type: ignore[no-untyped-def]
    """Second derivative of the range: d.(a - a_radar) + |v across|^2 / R."""
    pull, across, along = 0.0, 0.0, 0.0
    for c in range(3):
        apart = v[c] - velocity[c]
        pull += d[c] * (a[c] - acceleration[c])
        across += apart * apart
        along += d[c] * apart
    return pull + (across - along * along) / way


@_jit
def _cross2(a, b):  # type: ignore[no-untyped-def]
    x, y, z = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    return x * x + y * y + z * z


@_jit
def _mirror(ray, n, x, way):  # type: ignore[no-untyped-def]
    """Change a ray's origin, direction and edges to those behind the surface."""
    for start in (3, 6, 9):
        twice = 2.0 * (ray[start] * n[0] + ray[start + 1] * n[1] + ray[start + 2] * n[2])
        for c in range(3):
            ray[start + c] -= twice * n[c]
    for c in range(3):
        ray[c] = x[c] + 1e-4 * n[c]
    ray[12] = way


@_jit
def _received(field, upright, b):  # type: ignore[no-untyped-def]
    """The part of a field that travels along b and that the antenna hears: along its polarisation, at right angles to b."""
    along = _dot(upright, b)
    px, py, pz = upright[0] - along * b[0], upright[1] - along * b[1], upright[2] - along * b[2]
    length = math.sqrt(px * px + py * py + pz * pz)
    return (field[0] * px + field[1] * py + field[2] * pz) / max(length, 1e-9)


@_jit
def _point_motion(bodies, body, x, v, a):  # type: ignore[no-untyped-def]
    """Write velocity and acceleration of the point x of a body: v + w x r, a + dw x r + w x (w x r)."""
    place, velocity, spin, acceleration, change, moving = bodies
    if not moving[body]:
        v[:] = 0.0
        a[:] = 0.0
        return
    w, dw = spin[body], change[body]
    rx, ry, rz = x[0] - place[body, 0], x[1] - place[body, 1], x[2] - place[body, 2]
    sx, sy, sz = w[1] * rz - w[2] * ry, w[2] * rx - w[0] * rz, w[0] * ry - w[1] * rx
    v[0], v[1], v[2] = velocity[body, 0] + sx, velocity[body, 1] + sy, velocity[body, 2] + sz
    a[0] = acceleration[body, 0] + dw[1] * rz - dw[2] * ry + w[1] * sz - w[2] * sy
    a[1] = acceleration[body, 1] + dw[2] * rx - dw[0] * rz + w[2] * sx - w[0] * sz
    a[2] = acceleration[body, 2] + dw[0] * ry - dw[1] * rx + w[0] * sy - w[1] * sx
