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

_jit = nb.njit(cache=True, error_model="numpy")

_BLOCK = 256
"""Rays that one thread weighs in a row."""
_PER_ROOT_PI = 1.0 / math.sqrt(math.pi)


@_jit
def _dot(a, b):  # type: ignore[no-untyped-def]
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@_jit
def _cross(a, b):  # type: ignore[no-untyped-def]
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@_jit
def _plus(a, factor, b):  # type: ignore[no-untyped-def]
    return a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]


@_jit
def _times(factor, a):  # type: ignore[no-untyped-def]
    return factor * a[0], factor * a[1], factor * a[2]


@_jit
def _three(a):  # type: ignore[no-untyped-def]
    return a[0], a[1], a[2]


@_jit
def _at(rows, i, start):  # type: ignore[no-untyped-def]
    """Three numbers of a row, as a tuple: it stays in registers, where a view would be counted."""
    return rows[i, start], rows[i, start + 1], rows[i, start + 2]


@_jit
def _sinc(x):  # type: ignore[no-untyped-def]
    return math.sin(x) / x if abs(x) > 1e-6 else 1.0


@_jit
def _root(z):  # type: ignore[no-untyped-def]
    """Square root with a positive real part, for numbers far from overflow: a third of what cmath takes."""
    size = math.sqrt(z.real * z.real + z.imag * z.imag)
    if size == 0.0:
        return 0j
    if z.real >= 0.0:
        along = math.sqrt(0.5 * (size + z.real))
        return complex(along, 0.5 * z.imag / along)
    across = math.copysign(math.sqrt(0.5 * (size - z.real)), z.imag)
    return complex(0.5 * z.imag / across, across)


@_jit
def coefficients(permittivity, depth, cosine):  # type: ignore[no-untyped-def]
    """Complex reflection (TE, TM) of a half space (depth 0) or a plate; depth = 2 pi thickness / lambda. As materials.radio."""
    s = _root(permittivity - (1.0 - cosine * cosine))
    te, tm = (cosine - s) / (cosine + s), (permittivity * cosine - s) / (permittivity * cosine + s)
    if depth > 0.0:
        turn = cmath.exp(-2j * depth * s)
        te, tm = te * (1.0 - turn) / (1.0 - te * te * turn), tm * (1.0 - turn) / (1.0 - tm * tm * turn)
    return te, tm


@_jit
def reflect(field, direction, normal, permittivity, depth):  # type: ignore[no-untyped-def]
    """Return the field that a surface with this normal sends on, in the axes of the mirrored direction."""
    cosine = min(1.0, abs(_dot(direction, normal)))
    te, tm = coefficients(permittivity, depth, cosine)
    p = _cross(direction, normal)
    length = math.sqrt(_dot(p, p))
    if length < 1e-9:
        return te * field[0], te * field[1], te * field[2]
    p = (p[0] / length, p[1] / length, p[2] / length)
    across, along = te * _dot(field, p), tm * _dot(field, _cross(p, direction))
    q = _cross(p, _plus(direction, -2.0 * _dot(direction, normal), normal))
    return across * p[0] + along * q[0], across * p[1] + along * q[1], across * p[2] + along * q[2]


@nb.njit(cache=True, parallel=True, nogil=True, error_model="numpy")
def send(place, velocity, upright, turn, tubes, ray, field):  # type: ignore[no-untyped-def]
    """Write rays [N, 14] as `bounce` has them and their fields [N, 3]: tubes are directions and two edges [N, 3], turned by [3, 3].

    The field is the unit vector along the polarisation, at right angles to the direction.
    """
    for i in nb.prange(len(ray)):
        for c in range(3):
            ray[i, c] = place[c]
            ray[i, 3 + c] = _dot(_at(turn, c, 0), _at(tubes[0], i, 0))
            ray[i, 6 + c] = _dot(_at(turn, c, 0), _at(tubes[1], i, 0))
            ray[i, 9 + c] = _dot(_at(turn, c, 0), _at(tubes[2], i, 0))
        d = _at(ray, i, 3)
        across = _plus(_three(upright), -_dot(_three(upright), d), d)
        length = max(math.sqrt(_dot(across, across)), 1e-9)
        for c in range(3):
            field[i, c] = across[c] / length
        ray[i, 12], ray[i, 13] = 0.0, -_dot(d, _three(velocity))


@nb.njit(cache=True, parallel=True, nogil=True, error_model="numpy")
def bounce(radar, wave, surfaces, bodies, hits, ray, field, back, mirrored, following):  # type: ignore[no-untyped-def]
    """Weigh one surface of each ray, and send the rays on.

    radar: place [3], velocity [3], acceleration [3], upright [3] of the polarisation. wave: wavenumber, number of the bounce,
    smallest power that goes on, whether rays go on, smallest cross section over R^4 of several bounces. surfaces: permittivity,
    depth, roughness, slope, gamma per material; material per part; offset of parts per body. bodies: place, velocity, spin,
    acceleration, spin's change [B, 3], moving [B]. hits: distance, body, part, normal. ray [N, 14]: origin, direction, edges, way,
    rate; changed. field [N, 3]; changed. back, mirrored [N, 10]: root of the cross section (re, im), diffuse cross section, range,
    speed, acceleration, direction heard, way back; written where a surface is met. following [N]: 1 if the ray goes on, 2 if back
    holds something, 4 if mirrored does.
    """
    k, number, faintest, onward, smallest = wave
    permittivity, depth, roughness, slope, gamma, part_material, part_offset = surfaces
    distance, hit_body, hit_part, hit_normal = hits
    blocks = (len(ray) + _BLOCK - 1) // _BLOCK
    for block in nb.prange(blocks):
        place, velocity, acceleration, upright = radar
        told = (_three(place), _three(velocity), _three(acceleration), _three(upright))
        for i in range(block * _BLOCK, min(len(ray), (block + 1) * _BLOCK)):
            following[i] = 0
            body = hit_body[i]
            if body < 0:
                continue
            material = part_material[part_offset[body] + hit_part[i]]
            eta, deep, rough = permittivity[material], depth[material], (k * roughness[material]) ** 2
            way, rate, f = ray[i, 12] + distance[i], ray[i, 13], _at(field, i, 0)
            d, u, w = _at(ray, i, 3), _at(ray, i, 6), _at(ray, i, 9)
            x = _plus(_at(ray, i, 0), distance[i], d)
            n = (float(hit_normal[i, 0]), float(hit_normal[i, 1]), float(hit_normal[i, 2]))
            n = _times(-1.0 if _dot(d, n) > 0.0 else 1.0, n)
            cosine = max(-_dot(d, n), 1e-6)
            lit = _cross(u, w)
            area = way * way * math.sqrt(_dot(lit, lit))
            e1 = _times(way, _plus(u, _dot(u, n) / cosine, d))
            e2 = _times(way, _plus(w, _dot(w, n) / cosine, d))
            v, a = _point_motion(bodies, body, x)
            surface = (eta, deep, rough, slope[material], gamma[material] * area)
            spot = (d, x, n, v, a, cosine, way, rate, area)
            tells = 2 * _straight(told, k, number, smallest, surface, spot, e1, e2, f, back, i)
            if number > 1:
                tells += 4 * _reversed(k, smallest, surface, spot, e1, e2, f, mirrored, i)
            following[i] = tells + (_onward(surface, spot, f, faintest, ray, field, i) if onward > 0.0 else 0)


@_jit
def _straight(radar, k, number, smallest, surface, spot, e1, e2, f, back, i):  # type: ignore[no-untyped-def]
    """Write what a spot sends straight to the radar; return 1 if that is anything, else 0."""
    place, velocity, acceleration, upright = radar
    eta, deep, rough, wavy, clutter = surface
    d, x, n, v, a, cosine, way, rate, area = spot
    b = (place[0] - x[0], place[1] - x[1], place[2] - x[2])
    r = math.sqrt(_dot(b, b))
    b = (-d[0], -d[1], -d[2]) if number == 1 else (b[0] / max(r, 1e-9), b[1] / max(r, 1e-9), b[2] / max(r, 1e-9))
    facing = _dot(n, b)
    if facing <= 0.0:
        return 0
    far, tilt = 0.5 * (way + r), facing + cosine
    weight, least = far * far / (way * max(r, 1e-9)), smallest * far * far * far * far
    heard, diffuse = 0j, clutter if number == 1 else 0.0
    h, known = _half(b, d)
    if wavy > 0.0 and known:
        spread = _spread(area / cosine, _dot(n, h), wavy) * math.exp(-rough * tilt * tilt) * weight**2
        if spread > least:
            heard = _received(reflect(f, d, h, eta, deep), upright, b)
            diffuse += spread * (heard.real**2 + heard.imag**2)
            heard = 0j
    else:
        size = k * area / cosine * 0.5 * tilt * weight * _PER_ROOT_PI
        if size * size > least and known:
            lobe = _sinc(0.5 * k * (_dot(d, e1) - _dot(b, e1))) * _sinc(0.5 * k * (_dot(d, e2) - _dot(b, e2)))
            size *= lobe * math.exp(-0.5 * rough * tilt * tilt)
            if size * size > least:
                heard = size * _received(reflect(f, d, h, eta, deep), upright, b)
    if heard == 0j and not diffuse > 0.0:
        return 0
    back[i, 0], back[i, 1], back[i, 2], back[i, 3], back[i, 9] = heard.real, heard.imag, diffuse, far, r
    back[i, 4] = 0.5 * (rate + _dot(d, v) - _dot(b, v) + _dot(b, velocity))
    back[i, 5] = _pull(d, v, velocity, a, acceleration, way) if number == 1 else 0.0
    back[i, 6], back[i, 7], back[i, 8] = -b[0], -b[1], -b[2]
    return 1


@_jit
def _reversed(k, smallest, surface, spot, e1, e2, f, mirrored, i):  # type: ignore[no-untyped-def]
    """Write what a spot sends back along the way that the ray came, over a mirror; return 1 if that is anything, else 0."""
    eta, deep, rough, wavy, clutter = surface
    d, _, _, v, _, cosine, way, rate, area = spot
    twice = _dot(f, f)
    whole, least = twice.real**2 + twice.imag**2, smallest * way * way * way * way
    heard, diffuse = 0j, clutter * whole if clutter * whole > least else 0.0
    if wavy > 0.0:
        back = coefficients(eta, deep, 1.0)[0]
        spread = _spread(area / cosine, cosine, wavy) * math.exp(-4.0 * rough * cosine * cosine)
        spread *= whole * (back.real**2 + back.imag**2)
        diffuse += spread if spread > least else 0.0
    else:
        size = k * area * _PER_ROOT_PI
        if size * size * whole > least:
            size *= _sinc(k * _dot(d, e1)) * _sinc(k * _dot(d, e2)) * math.exp(-2.0 * rough * cosine * cosine)
            if size * size * whole > least:
                heard = size * coefficients(eta, deep, 1.0)[0] * twice
    if heard == 0j and not diffuse > 0.0:
        return 0
    mirrored[i, 0], mirrored[i, 1], mirrored[i, 2] = heard.real, heard.imag, diffuse
    mirrored[i, 3], mirrored[i, 4], mirrored[i, 5] = way, rate + _dot(d, v), 0.0
    return 1


@_jit
def _onward(surface, spot, f, faintest, ray, field, i):  # type: ignore[no-untyped-def]
    """Change field and ray to those behind the surface; return 1 if enough is left, else 0."""
    eta, deep, rough, _, _ = surface
    d, x, n, v, _, cosine, way, rate, _ = spot
    turned = reflect(f, d, n, eta, deep)
    power = 0.0
    for c in range(3):
        power += turned[c].real ** 2 + turned[c].imag ** 2
    kept = math.exp(-2.0 * rough * cosine * cosine)
    if power * kept * kept <= faintest:
        return 0
    for start in (3, 6, 9):
        edge = _at(ray, i, start)
        ray[i, start], ray[i, start + 1], ray[i, start + 2] = _plus(edge, -2.0 * _dot(edge, n), n)
    ray[i, 0], ray[i, 1], ray[i, 2] = _plus(x, 1e-4, n)
    ray[i, 12], ray[i, 13] = way, rate + _dot(d, v) - _dot(_at(ray, i, 3), v)
    field[i, 0], field[i, 1], field[i, 2] = turned[0] * kept, turned[1] * kept, turned[2] * kept
    return 1


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
def _half(b, d):  # type: ignore[no-untyped-def]
    """Return the unit vector half way between two directions, one in and one out, and whether there is one."""
    h = (b[0] - d[0], b[1] - d[1], b[2] - d[2])
    length = math.sqrt(_dot(h, h))
    scale = max(length, 1e-12)
    return (h[0] / scale, h[1] / scale, h[2] / scale), length > 1e-6


@_jit
def _pull(d, v, velocity, a, acceleration, way):  # type: ignore[no-untyped-def]
    """Second derivative of the range: d.(a - a_radar) + |v across|^2 / R."""
    apart, pulled = _plus(v, -1.0, velocity), _plus(a, -1.0, acceleration)
    along = _dot(d, apart)
    return _dot(d, pulled) + (_dot(apart, apart) - along * along) / way


@_jit
def _received(field, upright, b):  # type: ignore[no-untyped-def]
    """The part of a field that travels along b and that the antenna hears: along its polarisation, at right angles to b."""
    p = _plus(upright, -_dot(upright, b), b)
    return _dot(field, p) / max(math.sqrt(_dot(p, p)), 1e-9)


@_jit
def _point_motion(bodies, body, x):  # type: ignore[no-untyped-def]
    """Return velocity and acceleration of the point x of a body: v + w x r, a + dw x r + w x (w x r)."""
    place, velocity, spin, acceleration, change, moving = bodies
    if not moving[body]:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    w, r = _at(spin, body, 0), _plus(x, -1.0, _at(place, body, 0))
    carried = _cross(w, r)
    a = _plus(_plus(_at(acceleration, body, 0), 1.0, _cross(_at(change, body, 0), r)), 1.0, _cross(w, carried))
    return _plus(_at(velocity, body, 0), 1.0, carried), a
