"""Places from ranges: exact without noise, right in their statistics with it, and wrong ranges are found."""

from dataclasses import replace

import numpy as np
import pytest

from sensorium.core.earth import SPEED_OF_LIGHT_M_S, LocalFrame
from sensorium.core.time_scales import gps_of_calendar_ns
from sensorium.ephemeris.broadcast import BroadcastOrbits
from sensorium.ephemeris.sight import angles_rad, sight
from sensorium.ephemeris.sources import Nominal
from sensorium.positioning.dilution import dilution
from sensorium.positioning.integrity import solve_checked, threshold
from sensorium.positioning.least_squares import solve
from sensorium.positioning.ranges import Models, Ranges

AT_NS = gps_of_calendar_ns(2026, 6, 15, 12, 0, 7.25)
FRAME = LocalFrame(np.deg2rad(48.1), np.deg2rad(11.5), 520.0)
L1 = 1_575.42e6
VELOCITY = np.array([20.0, -7.0, 0.5])


def exact_ranges(orbits, models, clock_s=3.4e-5, frame=FRAME, mask_deg=5.0, velocity=VELOCITY):
    """Ranges without noise to all satellites above the mask, as the truth has them."""
    seen = sight(orbits, frame.origin_m, frame.rotate_to_ecef(velocity), AT_NS)
    azimuth, elevation = angles_rad(seen.towards, frame.axes)
    up = np.flatnonzero((elevation > np.deg2rad(mask_deg)) & seen.states.usable)
    names, count = tuple(orbits.names[k] for k in up), len(up)
    nothing = np.zeros(count)
    rate = seen.range_rate_m_s[up] + SPEED_OF_LIGHT_M_S * (1e-8 - seen.states.clock_drift[up])
    empty = Ranges(AT_NS, names, nothing, np.ones(count), np.full(count, L1), rate, np.full(count, 0.05))
    geodetic = np.array([frame.latitude_rad, frame.longitude_rad, frame.altitude_m])
    delay = models.delays_m(empty, geodetic, azimuth[up], elevation[up])
    satellite_s = seen.states.clock_s[up] - seen.states.group_delay_s[up]
    pseudorange = seen.range_m[up] + SPEED_OF_LIGHT_M_S * (clock_s - satellite_s) + delay
    tag_ns = AT_NS + round(clock_s * 1e9)
    return Ranges(
        tag_ns, names, pseudorange, np.ones(count), np.full(count, L1), rate, np.full(count, 0.05)
    ), seen.towards[up]


ORBITS = Nominal().orbits_at(AT_NS)
MODELS = Models(ORBITS.klobuchar)


@pytest.mark.parametrize("place", [(48.1, 11.5, 520.0), (-33.9, 151.2, 20.0), (0.0, 0.0, 0.0), (64.1, -21.9, 3000.0)])
@pytest.mark.parametrize("start", ["centre", "near"])
def test_noise_free_ranges_solve_to_a_millimetre(place, start):
    """With ionosphere and troposphere modelled on both sides place and clock are exact to 0.2 mm, velocity to 1e-6 m/s."""
    frame = LocalFrame(np.deg2rad(place[0]), np.deg2rad(place[1]), place[2])
    ranges, _ = exact_ranges(ORBITS, MODELS, frame=frame)
    found = solve(ranges, ORBITS, MODELS, None if start == "centre" else frame.origin_m + 300.0)
    assert np.abs(found.position_m - frame.origin_m).max() < 2e-4
    assert np.abs(found.clock_m - 3.4e-5 * SPEED_OF_LIGHT_M_S).max() < 2e-4
    np.testing.assert_allclose(found.velocity_m_s, VELOCITY, atol=1e-6)
    assert found.clock_drift_m_s == pytest.approx(1e-8 * SPEED_OF_LIGHT_M_S, abs=1e-6)


def test_eccentric_orbits_with_clocks_and_group_delays():
    """The same with eccentricities, the relativity that comes of them, clocks and group delays; 0.2 mm."""
    rng, n = np.random.default_rng(3), len(ORBITS.kepler_names)
    records = replace(
        ORBITS.kepler_records, eccentricity=rng.uniform(0, 0.02, n), clock_s=rng.uniform(-5e-4, 5e-4, n),
        clock_drift=rng.uniform(-1e-11, 1e-11, n), group_delay_s=rng.uniform(-1e-8, 1e-8, n), crs_m=rng.uniform(-90, 90, n),
    )  # fmt: skip
    orbits = BroadcastOrbits(ORBITS.kepler_names, records, klobuchar=ORBITS.klobuchar)
    found = solve(exact_ranges(orbits, MODELS)[0], orbits, MODELS)
    assert np.abs(found.position_m - FRAME.origin_m).max() < 2e-4
    np.testing.assert_allclose(found.velocity_m_s, VELOCITY, atol=1e-6)


def test_dilution_is_that_of_the_formula():
    """Roots of the diagonal of (H^T H)^-1, in east, north, up; a regular tetrahedron has a known one: PDOP = 3/2."""
    up = np.array([0.0, 0.0, 1.0])
    angles = np.array([0, 2, 4]) * np.pi / 3
    low = np.stack((np.cos(angles) * np.sqrt(8) / 3, np.sin(angles) * np.sqrt(8) / 3, np.full(3, -1 / 3)), 1)
    found = dilution(np.concatenate((up[None], low)))
    assert found.position == pytest.approx(1.5)
    assert found.time == pytest.approx(0.5)
    assert found.geometric == pytest.approx(np.hypot(1.5, 0.5))
    ranges, towards = exact_ranges(ORBITS, MODELS)
    enu = towards @ FRAME.axes.T
    h = np.concatenate((-enu, np.ones((len(enu), 1))), 1)
    q = np.linalg.inv(h.T @ h)
    ours = dilution(enu)
    assert ours.horizontal == pytest.approx(np.sqrt(q[0, 0] + q[1, 1]))
    assert ours.vertical == pytest.approx(np.sqrt(q[2, 2]))
    assert np.isinf(dilution(enu[:3]).position)
    assert len(ranges) == len(towards)


def noisy(ranges, rng, sigma=1.0):
    return replace(
        ranges,
        pseudorange_m=ranges.pseudorange_m + rng.normal(0, sigma, len(ranges)),
        sigma_m=np.full(len(ranges), sigma),
    )


def test_covariance_is_that_of_the_errors():
    """Over 300 epochs the mean of e^T C^-1 e is 3 sin-weighted: noise equal for all, weights by elevation, so that C is larger.

    With the true covariance it were 3 +- 4 sqrt(6 / 300); the weights make it smaller, never larger.
    """
    rng, ranges = np.random.default_rng(1), exact_ranges(ORBITS, MODELS)[0]
    values = []
    for _ in range(300):
        found = solve(noisy(ranges, rng), ORBITS, MODELS, FRAME.origin_m)
        error = FRAME.to_local(found.position_m)
        values.append(error @ np.linalg.solve(found.covariance_m2, error))
    assert 0.3 < np.mean(values) < 3 + 4 * np.sqrt(6 / 300)


def test_integrity_has_its_false_alarms_and_finds_a_wrong_range():
    """The threshold is a quantile of chi squared; a range 40 m off is named and left out, and the fix is as without it."""
    from scipy.stats import chi2

    assert threshold(7, 1e-3) == pytest.approx(chi2.ppf(1 - 1e-3, 7))
    rng, ranges = np.random.default_rng(2), exact_ranges(ORBITS, MODELS)[0]
    clean = solve_checked(noisy(ranges, rng), ORBITS, MODELS, FRAME.origin_m)
    assert clean.passed
    assert clean.excluded == ()
    for row in range(0, len(ranges), 3):
        one = noisy(ranges, rng)
        one.pseudorange_m[row] += 60.0
        found = solve_checked(one, ORBITS, MODELS, FRAME.origin_m)
        assert found.passed
        assert ranges.names[row] in found.excluded
        assert np.abs(FRAME.to_local(found.solution.position_m)).max() < 8


def test_too_few_satellites_are_no_solution():
    ranges, _ = exact_ranges(ORBITS, MODELS)
    assert solve(ranges.rows(np.array([0, 1, 2])), ORBITS, MODELS) is None
    gps = np.flatnonzero([name[0] == "G" for name in ranges.names])[:4]
    found = solve_checked(ranges.rows(gps), ORBITS, MODELS)
    assert found.passed is None


def test_unknown_satellites_are_left_out():
    """A name that the orbits do not know does no harm."""
    ranges, _ = exact_ranges(ORBITS, MODELS)
    strange = replace(ranges, names=("G32", *ranges.names[1:]))
    found = solve(strange, ORBITS, MODELS)
    assert "G32" not in found.ranges.names
    assert np.abs(found.position_m - FRAME.origin_m).max() < 1e-3
