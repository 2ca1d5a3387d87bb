"""How surfaces reflect, as plain formulas: one written form for tests and for kernels. Import this lazily: it loads Numba.

Notation: n unit normal on the side of the light, l towards the source, v towards the receiver, h their half vector; nl = n.l,
nv = n.v, lv = l.v, nh = n.h, lh = l.h. A distribution function f has the unit 1/sr; the light that comes back per solid angle
from an area lit with irradiance E is f E. All functions work on scalars.
"""

from __future__ import annotations

import math

import numba as nb

_jit = nb.njit(cache=True, error_model="numpy")


@_jit
def fresnel_sp(eta, kappa, cosine):  # type: ignore[no-untyped-def]
    """Power reflectances (s, p) of a surface with relative complex index eta + i kappa, light arriving at this cosine.

    Fresnel with Snell's complex angle (M. Born, E. Wolf, "Principles of Optics", 14.2), with sin^2 t2 = sin^2 t1 / m^2:
    rs = (cos t1 - m cos t2) / (cos t1 + m cos t2),  rp = (m cos t1 - cos t2) / (m cos t1 + cos t2), in real arithmetic.
    """
    real, imaginary = eta * eta - kappa * kappa, 2.0 * eta * kappa  # m^2
    inside = real - 1.0 + cosine * cosine
    length = math.sqrt(inside * inside + imaginary * imaginary)
    x, y = (
        math.sqrt(max(0.0, 0.5 * (length + inside))),
        math.sqrt(max(0.0, 0.5 * (length - inside))),
    )  # m cos t2 = x + i y
    s = ((cosine - x) ** 2 + y * y) / ((cosine + x) ** 2 + y * y)
    real, imaginary = real * cosine, imaginary * cosine
    p = ((real - x) ** 2 + (imaginary - y) ** 2) / ((real + x) ** 2 + (imaginary + y) ** 2)
    return s, p


@_jit
def fresnel(eta, kappa, cosine):  # type: ignore[no-untyped-def]
    """Power reflectance for unpolarised light: the mean of both polarisations."""
    s, p = fresnel_sp(eta, kappa, cosine)
    return 0.5 * (s + p)


@_jit
def ggx(alpha, nh):  # type: ignore[no-untyped-def]
    """Density of facet normals [1/sr]: D = a^2 / (pi ((a^2 - 1) (n.h)^2 + 1)^2) (B. Walter et al., EGSR 2007, eq. 33)."""
    a2 = alpha * alpha
    bracket = (a2 - 1.0) * nh * nh + 1.0
    return a2 / (math.pi * bracket * bracket)


@_jit
def smith(alpha, cosine):  # type: ignore[no-untyped-def]
    """Smith's auxiliary function of GGX: L = (-1 + sqrt(1 + a^2 tan^2 t)) / 2."""
    tan2 = (1.0 - cosine * cosine) / (cosine * cosine)
    return 0.5 * (math.sqrt(1.0 + alpha * alpha * max(0.0, tan2)) - 1.0)


@_jit
def specular(eta, kappa, alpha, nl, nv, nh, lh):  # type: ignore[no-untyped-def]
    """Rough mirror layer: R(l.h) D(h) G / (4 n.l n.v) with height-correlated G = 1 / (1 + L(l) + L(v)) (E. Heitz, JCGT 2014)."""
    if nl <= 0.0 or nv <= 0.0:
        return 0.0
    g = 1.0 / (1.0 + smith(alpha, nl) + smith(alpha, nv))
    return fresnel(eta, kappa, lh) * ggx(alpha, nh) * g / (4.0 * nl * nv)


@_jit
def oren_nayar(reflectance, sigma, nl, nv, lv):  # type: ignore[no-untyped-def]
    """Rough diffuse layer, Fujii's improvement: C/pi (A + B s/t), s = l.v - n.l n.v, t = 1 if s <= 0 else max(n.l, n.v).

    A = 1 - 0.5 s2/(s2 + 0.33) + 0.17 C s2/(s2 + 0.13), B = 0.45 s2/(s2 + 0.09), s2 = sigma^2, sigma the standard deviation of
    facet angles [rad]. Not energy conserving for C > 0.97. (Y. Fujii, "Oren-Nayar reflectance model", 2012.)
    """
    if nl <= 0.0 or nv <= 0.0:
        return 0.0
    s2 = sigma * sigma
    a = 1.0 - 0.5 * s2 / (s2 + 0.33) + 0.17 * reflectance * s2 / (s2 + 0.13)
    b = 0.45 * s2 / (s2 + 0.09)
    s = lv - nl * nv
    t = 1.0 if s <= 0.0 else max(nl, nv)
    return reflectance / math.pi * (a + b * s / t)


@_jit
def two_layer(eta, kappa, alpha, reflectance, sigma, nl, nv, lv, nh, lh):  # type: ignore[no-untyped-def]
    """Rough clear coat over a rough diffuse base: fs + T(n.l) T(n.v) fd; reciprocal, and within the white furnace."""
    coat = (1.0 - fresnel(eta, kappa, nl)) * (1.0 - fresnel(eta, kappa, nv))
    return specular(eta, kappa, alpha, nl, nv, nh, lh) + coat * oren_nayar(reflectance, sigma, nl, nv, lv)


@_jit
def two_layer_half_vector(eta, kappa, alpha, reflectance, sigma, nl, nv, lv, nh, lh):  # type: ignore[no-untyped-def]
    """The form fs + T(l.h) fd: reciprocal, but it gains energy at grazing incidence (albedo up to 1.085 at 89 degrees)."""
    coat = 1.0 - fresnel(eta, kappa, lh)
    return specular(eta, kappa, alpha, nl, nv, nh, lh) + coat * oren_nayar(reflectance, sigma, nl, nv, lv)


@_jit
def lambert(reflectance):  # type: ignore[no-untyped-def]
    """A matt surface: C / pi."""
    return reflectance / math.pi


@_jit
def retroreflection(coefficient, half_entrance, half_observation, nl, observation):  # type: ignore[no-untyped-def]
    """Coefficient of retroreflection [1/sr] at an entrance angle (cosine n.l) and an observation angle [rad].

    R_A(b, a) = R_A(0, 0) 2^-(b / b_half)^2 2^-(a / a_half)^2 (CIE 54.2: R_A = I / (E A), with E across the beam and A the
    area of the sheet, which receives E A n.l); R_A / n.l takes the place of f n.v.
    """
    entrance = math.acos(min(1.0, nl)) / half_entrance
    apart = observation / half_observation
    return coefficient * 2.0 ** -(entrance * entrance + apart * apart)


@_jit
def three_lobe(alpha, beta, gamma, sigma_deg, cosine, distance):  # type: ignore[no-untyped-def]
    """Light of the three-lobe model going straight back to its emitter: I = alpha I_D + beta I_R + gamma I_C.

    I_D = cos t / (2 r^2), I_R = exp(-(t/sigma)^2 / 2) / (sigma sqrt(2 pi)), I_C = 1 with t and sigma in degrees. The exponent is
    -1/2, with which I_R integrates to one; the published form with -2 integrates to one half.
    """
    angle = math.degrees(math.acos(min(1.0, cosine))) / sigma_deg
    glossy = math.exp(-0.5 * angle * angle) / (sigma_deg * math.sqrt(2.0 * math.pi))
    return alpha * cosine / (2.0 * distance * distance) + beta * glossy + gamma


@_jit
def slab_reflectance(single, through=1.0):  # type: ignore[no-untyped-def]
    """Reflectance of a pane from that of one face R and its inner transmission t, all inner reflections summed.

    R + R (1 - R)^2 t^2 / (1 - R^2 t^2), which is 2 R / (1 + R) if the pane is clear.
    """
    return single + single * (1.0 - single) ** 2 * through * through / (1.0 - single * single * through * through)


@_jit
def slab_transmission(single, through=1.0):  # type: ignore[no-untyped-def]
    """Transmission of a pane, all inner reflections summed: (1 - R)^2 t / (1 - R^2 t^2)."""
    return (1.0 - single) ** 2 * through / (1.0 - single * single * through * through)
