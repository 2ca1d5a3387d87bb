"""Surfaces against closed forms: Fresnel, reciprocity, the white furnace, the mirror limit."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensorium.materials import reflectance as r
from sensorium.materials.library import standard_library
from sensorium.materials.optical_table import DIFFUSE, ETA, KAPPA, ROUGHNESS, SIGMA
from sensorium.materials.response import backscatter, returned

LIBRARY = standard_library()
UNIT = st.floats(0.05, 1.0)


def test_fresnel_oracles():
    """Glass at normal incidence and Brewster's angle, gold at 905 nm, total reflection beyond 41.8103 degrees."""
    assert r.fresnel(1.5, 0.0, 1.0) == pytest.approx(0.04, abs=1e-12)
    brewster = math.cos(math.atan(1.5))
    assert r.fresnel_sp(1.5, 0.0, brewster)[1] == pytest.approx(0.0, abs=1e-12)
    assert r.fresnel(1.5, 0.0, brewster) == pytest.approx(0.0739645, abs=1e-7)
    assert r.fresnel(0.17, 5.7, 1.0) == pytest.approx(0.98, abs=1e-3)
    assert r.fresnel(1 / 1.5, 0.0, math.cos(math.radians(41.8104))) == pytest.approx(1.0, abs=1e-9)
    assert r.fresnel(1 / 1.5, 0.0, math.cos(math.radians(41.80))) < 0.95


@given(eta=st.floats(0.1, 4), kappa=st.floats(0, 8), cosine=st.floats(0, 1))
def test_fresnel_stays_between_nothing_and_everything(eta, kappa, cosine):
    """0 <= R <= 1 for every index and angle, both polarisations."""
    for value in r.fresnel_sp(eta, kappa, cosine):
        assert -1e-9 <= value <= 1 + 1e-9


def test_fresnel_of_dielectrics_against_the_textbook_form():
    """tan and sin form for real indices: rs = -sin(t1 - t2)/sin(t1 + t2), rp = tan(t1 - t2)/tan(t1 + t2)."""
    for degrees in range(1, 90, 4):
        t1 = math.radians(degrees)
        t2 = math.asin(math.sin(t1) / 1.33)
        s, p = r.fresnel_sp(1.33, 0.0, math.cos(t1))
        assert s == pytest.approx((math.sin(t1 - t2) / math.sin(t1 + t2)) ** 2, abs=1e-12)
        assert p == pytest.approx((math.tan(t1 - t2) / math.tan(t1 + t2)) ** 2, abs=1e-12)


def directions(theta, phi):
    return np.array([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta) + 0 * phi])


def value(f, coat, light, view):
    """Evaluate a two-layer function for two unit vectors above the surface z = 0."""
    h = light + view
    h = h / np.linalg.norm(h)
    return f(*coat, light[2], view[2], float(light @ view), h[2], float(light @ h))


@settings(max_examples=60)
@given(
    UNIT,
    UNIT,
    st.floats(0, 6),
    st.floats(0.02, 1),
    st.floats(0, 0.97),
    st.floats(0, 1.2),
    st.floats(1.05, 2.5),
    st.floats(0, 3),
)
def test_reciprocity(nl, nv, phi, alpha, c, sigma, eta, kappa):
    """f(l, v) = f(v, l), both forms of the coat."""
    light, view = directions(np.arccos(nl), 0.0), directions(np.arccos(nv), phi)
    for f in (r.two_layer, r.two_layer_half_vector):
        forth, back = (value(f, (eta, kappa, alpha, c, sigma), a, b) for a, b in ((light, view), (view, light)))
        assert forth == pytest.approx(back, rel=1e-9)


def albedo(f, coat, theta, steps=160):
    """Integral of f cos over the hemisphere, light from the angle theta; grid refined about the mirror direction."""
    light = directions(theta, 0.0)
    x = (np.arange(steps) + 0.5) / steps
    u, w = np.meshgrid(x, x, indexing="ij")
    # half vectors over the hemisphere by the GGX distribution, then the Jacobian 4 l.h
    alpha = coat[2]
    cos2 = (1 - u) / (1 + (alpha**2 - 1) * u)
    nh, phi = np.sqrt(cos2), 2 * np.pi * w
    h = np.stack((np.sqrt(1 - cos2) * np.cos(phi), np.sqrt(1 - cos2) * np.sin(phi), nh), -1)
    lh = h @ light
    view = 2 * lh[..., None] * h - light
    total = 0.0
    for k in np.ndindex(u.shape):
        if lh[k] > 1e-6 and view[k][2] > 1e-6:
            density = r.ggx(alpha, nh[k]) * nh[k] / (4 * lh[k])
            specular = r.specular(coat[0], coat[1], alpha, light[2], view[k][2], nh[k], lh[k])
            total += specular * view[k][2] / density
    spread = total / steps**2
    mu, phi = np.meshgrid((np.arange(60) + 0.5) / 60, (np.arange(60) + 0.5) / 60 * 2 * np.pi, indexing="ij")
    base = 0.0
    for k in np.ndindex(mu.shape):
        view_k = directions(np.arccos(mu[k]), phi[k])
        nh, length = 0.0, np.linalg.norm(light + view_k)
        nh, lh_k = (light + view_k)[2] / length, float(light @ (light + view_k)) / length
        whole = f(*coat, light[2], view_k[2], float(light @ view_k), nh, lh_k)
        base += (whole - r.specular(coat[0], coat[1], alpha, light[2], view_k[2], nh, lh_k)) * mu[k]
    return spread + base * 2 * np.pi / 60**2


@pytest.mark.parametrize("row", range(len(LIBRARY.materials)), ids=LIBRARY.names)
def test_white_furnace(row):
    """No material of the library sends back more than it gets, from head-on to 89 degrees."""
    table = LIBRARY.optical_table(905e-9)
    values = table.values[row]
    for degrees in (0, 45, 75, 89):
        theta = math.radians(degrees)
        if table.kind[row] == 1:
            coat = values[ETA], values[KAPPA], values[ROUGHNESS], values[DIFFUSE], values[SIGMA]
            assert albedo(r.two_layer, coat, theta, steps=40) <= 1.005
        else:
            mu = (np.arange(40) + 0.5) / 40
            phi = (np.arange(40) + 0.5) / 40 * 2 * np.pi
            light = directions(theta, 0.0)
            total = sum(
                r.oren_nayar(values[DIFFUSE], values[SIGMA], light[2], m, float(light @ directions(np.arccos(m), p)))
                * m
                for m in mu
                for p in phi
            )
            assert total * 2 * np.pi / 1600 <= 1.005


def test_the_half_vector_form_gains_energy_as_stated():
    """n 1.5, a 0.2, C 0.9: albedo 1.047 at 85 and 1.085 at 89 degrees; the default gives 0.525 and 0.329."""
    coat = (1.5, 0.0, 0.2, 0.9, 0.0)
    for f, at_85, at_89 in ((r.two_layer_half_vector, 1.047, 1.085), (r.two_layer, 0.525, 0.329)):
        assert albedo(f, coat, math.radians(85)) == pytest.approx(at_85, abs=0.004)
        assert albedo(f, coat, math.radians(89)) == pytest.approx(at_89, abs=0.006)


def test_a_smooth_coat_is_a_mirror():
    """Roughness 1e-3: 99 percent of the layer's energy lies within 3 widths 2 a of the mirror direction, as GGX's tail says.

    With D(h) the share of facets within tan t <= 3 a is 9 / 10 of the whole; light turns by twice the facet's angle.
    """
    alpha = 1e-3
    t = np.linspace(0, np.arctan(3 * alpha), 20001)
    density = np.array([r.ggx(alpha, math.cos(x)) * math.cos(x) for x in t])
    assert np.trapezoid(density * 2 * np.pi * np.sin(t), t) == pytest.approx(0.9, abs=1e-3)


@pytest.mark.parametrize("degrees", [0, 0.37, 3.1, 20, 50, 75, 88])
def test_kernel_response_is_the_formula(degrees):
    """Backscatter from the table equals the written formula at l = v for every material, within the table's steps."""
    cosine = math.cos(math.radians(degrees))
    table = LIBRARY.optical_table(905e-9)
    for row in range(len(LIBRARY.materials)):
        assert backscatter(table, row, cosine) == pytest.approx(returned(table, row, cosine, 0.0), rel=2e-3, abs=1e-9)


def test_oren_nayar_without_roughness_is_lambert():
    """sigma = 0 gives C / pi in all directions."""
    assert r.oren_nayar(0.6, 0.0, 0.3, 0.8, 0.1) == pytest.approx(0.6 / np.pi)
    assert r.lambert(0.6) == pytest.approx(0.6 / np.pi)


def test_three_lobes_integrate_to_one():
    """I_R integrates to one over the angle with the exponent -1/2."""
    angle = np.linspace(-89, 89, 20001)
    lobe = [r.three_lobe(0.0, 1.0, 0.0, 5.0, math.cos(math.radians(a)), 10.0) for a in angle]
    assert np.trapezoid(lobe, angle) == pytest.approx(1.0, abs=1e-5)
    assert r.three_lobe(1.0, 0.0, 0.0, 1.0, 0.5, 10.0) == pytest.approx(0.5 / 200)
    assert r.three_lobe(0.0, 0.0, 1.0, 1.0, 0.5, 10.0) == 1.0
