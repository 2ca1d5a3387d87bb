"""The heat balance of surfaces against closed forms and a slow, obvious march through time."""

import itertools
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from scipy.linalg import solve_banded
from scipy.optimize import brentq
from worlds import wall

from sensorium.atmosphere.weather import ConstantWeather, WeatherState
from sensorium.scene.origin import Origin
from sensorium.scene.scene import Scene
from sensorium.scene.temperature.balance import SHARES, Exchange
from sensorium.scene.temperature.day import LAG_STEPS, STEP_S, STEPS, convection_w_m2_k, day_before
from sensorium.scene.temperature.slab import SIGMA_W_M2_K4, Face, Slab
from sensorium.scene.temperature.temperature import HeatBalance

DAY_S = STEPS * STEP_S
OMEGA = 2 * np.pi / DAY_S
ASPHALT = Slab(2100.0, 1000.0, 0.7, 5.0)


def day(hour: float, wind_m_s: float = 2.0, cloud: float = 0.0):
    place = Origin(latitude_rad="50 deg", longitude_rad="8 deg", start_utc=datetime(2026, 6, 21, int(hour), tzinfo=UTC))
    weather = ConstantWeather(state=WeatherState(wind_m_s=(wind_m_s, 0.0), cloud_cover=cloud))
    return day_before(Scene((wall(5.0),), origin=place, weather=weather), 0)


def test_periodic_flux_into_half_space():
    """q cos(w t) onto a half space that loses h T: amplitude q / |h + Y|, Y = (1 + i) sqrt(w k rho c / 2), phase arg(h + Y).

    Carslaw and Jaeger 1959, 2.6 and 2.9. A slab of 5 m is thicker than 30 diurnal depths.
    """
    t = STEP_S * np.arange(STEPS)
    h = 12.0
    answer = ASPHALT.response(h, STEPS, STEP_S)
    # sum over j of answer[j] q(t - j): the periodic convolution
    ours = np.fft.irfft(np.fft.rfft(answer) * np.fft.rfft(100 * np.cos(OMEGA * t)), STEPS)
    y = (1 + 1j) * np.sqrt(OMEGA * 0.7 * 2100 * 1000 / 2)
    closed = np.real(100 * np.exp(1j * OMEGA * t) / (h + y))
    np.testing.assert_allclose(ours, closed, atol=0.01 * abs(100 / (h + y)))
    flux = np.fft.rfft(np.cos(OMEGA * t))
    exact = np.fft.irfft(flux * ASPHALT.admittance_w_m2_k(STEPS, STEP_S), STEPS)
    np.testing.assert_allclose(exact, np.real(np.exp(1j * OMEGA * t) * y), rtol=1e-6, atol=1e-6 * abs(y))


def test_steady_state_of_a_heated_wall():
    """Nothing changes: h (T_a - T) + a - eps sigma T^4 + (T_in - T) / (1 / U + L / k) = 0."""
    slab = Slab(1800.0, 840.0, 0.77, 0.24, back_w_m2_k=2.0)
    face = Face(slab, 0.9, 10.0, np.full(STEPS, 280.0), behind_k=293.0)
    absorbed = np.full((1, STEPS), 250.0)
    through = 1 / (1 / 2.0 + 0.24 / 0.77)

    def excess(t):
        return 10 * (280 - t) + 250 - 0.9 * SIGMA_W_M2_K4 * t**4 + through * (293 - t)

    np.testing.assert_allclose(face.temperature_k(absorbed, STEP_S), brentq(excess, 200, 400, xtol=1e-10), rtol=1e-7)


def test_own_heat_reaches_the_face():
    """An insulated plate that makes 100 W/m2 itself loses just these: h (T - T_a) + eps sigma (T^4 - T_s^4) = 100."""
    face = Face(Slab(7800.0, 450.0, 50.0, 0.001), 0.9, 10.0, np.full(STEPS, 280.0), own_w_m2=100.0)
    t = face.temperature_k(np.full((1, STEPS), 0.9 * SIGMA_W_M2_K4 * 280.0**4), STEP_S)[0, 0]
    assert 10 * (t - 280) + 0.9 * SIGMA_W_M2_K4 * (t**4 - 280**4) == pytest.approx(100, rel=1e-6)


def march(slab: Slab, emissivity: float, h: float, air_k, absorbed, days: int = 12, cells: int = 60, fine: int = 5):
    """Finite differences in depth, implicit in time, radiation taken at the last step: slow, obvious, of first order."""
    dx, dt = slab.thickness_m / cells, STEP_S / fine
    heat = slab.density_kg_m3 * slab.specific_heat_j_kg_k * dx / dt
    u = slab.conductivity_w_m_k / dx
    t = np.full(cells + 1, air_k.mean())
    out = np.empty(STEPS)
    capacity = np.full(cells + 1, heat)
    capacity[[0, -1]] /= 2
    for step in range(days * STEPS * fine):
        now = (step + 1) / fine
        air = np.interp(now % STEPS, np.arange(STEPS + 1), np.append(air_k, air_k[0]))
        gain = np.interp(now % STEPS, np.arange(STEPS + 1), np.append(absorbed, absorbed[0]))
        slope = 4 * emissivity * SIGMA_W_M2_K4 * t[0] ** 3
        bands = np.zeros((3, cells + 1))
        bands[0, 1:], bands[2, :-1] = -u, -u
        bands[1] = capacity + 2 * u
        bands[1, [0, -1]] -= u
        bands[1, 0] += h + slope
        right = capacity * t
        right[0] += gain + h * air + slope * t[0] - emissivity * SIGMA_W_M2_K4 * t[0] ** 4
        t = solve_banded((1, 1), bands, right)
        if (step + 1) % fine == 0:
            out[round(now) % STEPS] = t[0]
    return out


@pytest.mark.parametrize(
    "slab", [Slab(2100.0, 1000.0, 0.7, 0.3), Slab(7800.0, 450.0, 50.0, 0.002), Slab(500.0, 1600.0, 0.13, 0.03)]
)
def test_a_summer_day_as_the_march_has_it(slab):
    """The nonlinear periodic solution follows the march through twelve equal days within 0.15 K."""
    today = day(18)
    absorbed = 0.85 * np.maximum(today.sun[:, 2], 0) * today.direct_w_m2 + 0.9 * today.sky_w_m2
    ours = Face(slab, 0.9, 12.0, today.air_k).temperature_k(absorbed[None], STEP_S)[0]
    theirs = march(slab, 0.9, 12.0, today.air_k, absorbed)
    assert np.ptp(ours) > 8
    assert np.abs(ours - theirs).max() < 0.15


def test_a_plate_follows_the_march():
    """The same in short: a metal sheet forgets within a step, so two days and few cells do."""
    slab, today = Slab(7800.0, 450.0, 50.0, 0.004), day(18)
    absorbed = 0.85 * np.maximum(today.sun[:, 2], 0) * today.direct_w_m2 + 0.9 * today.sky_w_m2
    ours = Face(slab, 0.9, 12.0, today.air_k).temperature_k(absorbed[None], STEP_S)[0]
    assert np.abs(ours - march(slab, 0.9, 12.0, today.air_k, absorbed, days=2, cells=3)).max() < 0.25


def warmth(material: str, today, surface: HeatBalance | None = None):
    from sensorium.materials.library import standard_library

    library = standard_library()
    return Exchange(library, library.row(material), today).balance(surface or HeatBalance())


@pytest.mark.parametrize("material", ["asphalt", "car_paint_black", "roof_tile"])
def test_sun_and_shade_add_up(material):
    """Shade plus the sun of all spans is what the whole, nonlinear balance of a sunlit level surface says, within 1.5 K."""
    from sensorium.materials.library import standard_library

    today, library = day(13), standard_library()
    row = library.row(material)
    it = {name: library.column(name)[row] for name in ("solar_absorptance", "emissivity", "density_kg_m3",
          "specific_heat_j_kg_k", "conductivity_w_m_k", "thickness_m")}  # fmt: skip
    slab = Slab(*(it[name] for name in ("density_kg_m3", "specific_heat_j_kg_k", "conductivity_w_m_k", "thickness_m")))
    direct = it["solar_absorptance"] * np.maximum(today.sun[:, 2], 0) * today.direct_w_m2
    absorbed = today.absorbed_w_m2(np.ones(1), it["solar_absorptance"], it["emissivity"]) + direct
    whole = Face(slab, it["emissivity"], convection_w_m2_k(2.0), today.air_k).temperature_k(absorbed, STEP_S)[0, -1]
    found = warmth(material, today)
    assert found.base_k[-1] + found.sun_k[:, 2].sum() == pytest.approx(whole, abs=1.5)
    assert found.sun_k[:, 2].sum() > 15


def test_mass_remembers_and_sheets_forget():
    """At 22 h UTC, three hours after sunset, asphalt is warmed by hours past; a car's sheet is not, and is colder than the air."""
    night = day(22)
    road, roof = warmth("asphalt", night), warmth("car_paint_black", night)
    assert road.sun_k[2:, 2].sum() > 3
    assert np.abs(roof.sun_k).max() < 0.1
    assert roof.base_k[-1] < night.air_k[-1] - 3
    assert road.base_k[-1] + road.sun_k[:, 2].sum() > night.air_k[-1]


def test_clouds_wind_and_rooms():
    """A covered sky keeps roofs warm at night, wind ties them to the air, a heated room behind panes shows."""
    open_sky, covered, windy = day(1), day(1, cloud=1.0), day(1, wind_m_s=10.0)
    roofs = [warmth("car_paint_white", each).base_k[-1] - each.air_k[-1] for each in (open_sky, covered, windy)]
    assert roofs[0] < roofs[1] - 2
    assert roofs[0] < roofs[2] - 2
    pane = warmth("window_glass", open_sky, HeatBalance(behind_k=293.15, behind_w_m2_k=3.3)).base_k[2]
    assert pane > warmth("window_glass", open_sky).base_k[2] + 0.5


def test_shares_of_sky_are_fine_enough():
    """Linear interpolation between the solved shares is within 0.1 K of the balance in the middle of each gap."""
    today = day(13)
    face = Face(ASPHALT, 0.94, 12.0, today.air_k)
    middle = (SHARES[1:] + SHARES[:-1]) / 2
    nodes = face.temperature_k(today.absorbed_w_m2(SHARES, 0.9, 0.94), STEP_S)[:, -1]
    exact = face.temperature_k(today.absorbed_w_m2(middle, 0.9, 0.94), STEP_S)[:, -1]
    assert np.abs((nodes[1:] + nodes[:-1]) / 2 - exact).max() < 0.1


def test_directions_to_the_sun_are_those_of_their_span():
    """All lie between the sun's directions at the span's ends; without light a span has none."""
    today = day(13)
    directions, lit = today.sun_directions
    assert lit.all()
    for span, (new, old) in enumerate(itertools.pairwise(LAG_STEPS)):
        low, high = today.sun[::-1][new:old, 2].min(), today.sun[::-1][new:old, 2].max()
        assert ((directions[span, :, 2] >= low) & (directions[span, :, 2] <= high)).all()
    assert day(1).sun_directions[1].tolist() == [False, False, False, True]


def test_without_a_date_now_is_noon():
    """A scene without place and date has a sun that stands still and shines by half a cosine about now."""
    today = day_before(Scene((wall(5.0),)), 0)
    assert np.argmax(today.direct_w_m2) == STEPS - 1
    assert today.direct_w_m2[STEPS // 2] == 0
    assert (today.sun == today.sun[0]).all()
    assert replace(today).weather == WeatherState()
