"""What a surface reflects of light that meets it head-on, and how bright its base must be for that. Plain NumPy.

A material states the hemispherical reflectance rho of its whole surface. Met head-on, an Oren-Nayar base looks equally
bright from everywhere (the s of Fujii's form is 0), so that a base of reflectance C under a coat gives

    rho = rho_coat + p C (A0 + A1 C),  A0 = 1 - 0.5 s2 / (s2 + 0.33),  A1 = 0.17 s2 / (s2 + 0.13),  s2 = sigma^2.

rho_coat is what the coat itself sends back; p is the part of the base's light that passes the coat in and out. Without
a coat rho_coat = 0 and p = 1. The formulas of the layers are those of `materials.reflectance`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

BRIGHTEST = 0.97
"""Above this reflectance of the base the improved Oren-Nayar model sends back more light than it gets."""


@dataclass(frozen=True)
class HeadOn:
    """How a surface met head-on makes its reflectance from that of its base."""

    coat: float = 0.0
    """Sent back by the coat."""
    passage: float = 1.0
    """Part of the light scattered by the base that passes the coat, in and out."""
    sigma_rad: float = 0.0
    """Standard deviation of the facet angles of the base."""
    brightest: float = BRIGHTEST
    """Largest reflectance of the base."""

    @property
    def _facets(self) -> tuple[float, float]:
        s2 = self.sigma_rad**2
        return 1 - 0.5 * s2 / (s2 + 0.33), 0.17 * s2 / (s2 + 0.13)

    def reflectance(self, base: float) -> float:
        """Return the hemispherical reflectance of the whole surface."""
        a0, a1 = self._facets
        return self.coat + self.passage * base * (a0 + a1 * base)

    def base(self, reflectance: float) -> float:
        """Return the reflectance of the base under which the whole surface reflects so much; ValueError if none does."""
        low, high = self.coat, self.reflectance(self.brightest)
        if not low - 1e-9 <= reflectance <= high + 1e-9:
            raise ValueError(f"found {reflectance:.4g}, but this surface reflects from {low:.4g} to {high:.4g}")
        a0, a1 = self._facets
        scattered = max(0.0, reflectance - self.coat) / self.passage
        return min(self.brightest, 2 * scattered / (a0 + math.sqrt(a0 * a0 + 4 * a1 * scattered)))


def fresnel(eta: float, kappa: float, cosine: Floats) -> Floats:
    """Return the power reflectance for unpolarised light at these cosines (Fresnel with Snell's complex angle)."""
    m2, sine2 = complex(eta, kappa) ** 2, 1 - cosine**2
    root = np.sqrt(m2 - sine2)
    s, p = (cosine - root) / (cosine + root), (m2 * cosine - root) / (m2 * cosine + root)
    return np.asarray(0.5 * (np.abs(s) ** 2 + np.abs(p) ** 2))


@cache
def _places() -> tuple[Floats, Floats]:
    """Return places in 0..1 and their weights (Gauss and Legendre)."""
    place, weight = np.polynomial.legendre.leggauss(32)
    return (place + 1) / 2, weight / 2


def coat_reflectance(eta: float, kappa: float, roughness: float) -> float:
    """Return the part of light met head-on that a rough coat sends back at once.

    The integral of R(h) D(h) (n.h) G over the facets up to 45 degrees, in which D (n.h) dh becomes du dphi / (2 pi) with
    tan^2 t = a^2 u / (1 - u); G = 1 / (1 + L(2 t)) (B. Walter et al., EGSR 2007; E. Heitz, JCGT 2014).
    """
    place, weight = _places()
    a2 = roughness**2
    most = 1 / (1 + a2)
    u = most * place
    cos2 = (1 - u) / (1 - u + a2 * u)
    view = 2 * cos2 - 1
    shadow = 0.5 * (np.sqrt(1 + a2 * (1 / view**2 - 1)) - 1)
    return float(np.sum(most * weight * fresnel(eta, kappa, np.sqrt(cos2)) / (1 + shadow)))


def coat_passage(eta: float, kappa: float, in_and_out: bool) -> float:
    """Return the part of the base's light that passes the coat: T(1) times the mean of T(mu) over 2 mu dmu.

    In the half-vector form it is the mean of T(l.h) with l.h = cos(t / 2).
    """
    mu, weight = _places()
    at = mu if in_and_out else np.sqrt((1 + mu) / 2)
    mean = float(np.sum(weight * 2 * mu * (1 - fresnel(eta, kappa, at))))
    return mean * (1 - float(fresnel(eta, kappa, np.ones(1))[0])) if in_and_out else mean
