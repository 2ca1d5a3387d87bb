"""What a place on Earth sees, against the published formula and against differences."""

import numpy as np

from sensorium.core.earth import EARTH_RATE_RAD_S, SPEED_OF_LIGHT_M_S, LocalFrame, geodetic_of_ecef, geodetic_of_one
from sensorium.core.time_scales import gps_of_calendar_ns
from sensorium.ephemeris.sight import angles_rad, moved, sight
from sensorium.ephemeris.sources import Nominal

AT_NS = gps_of_calendar_ns(2026, 6, 15, 12, 0, 7.25)
ORBITS = Nominal().orbits_at(AT_NS)
FRAME = LocalFrame(np.deg2rad(48.1), np.deg2rad(11.5), 520.0)
VELOCITY = np.array([200.0, -70.0, 5.0])


def test_the_earth_turns_while_signals_are_under_way():
    """rho = |r_s - r_r| + omega (x_s y_r - y_s x_r) / c (Sagnac; RTKLIB's manual, E.3), r_s at transmission; to 1 mm."""
    seen = sight(ORBITS, FRAME.origin_m, np.zeros(3), AT_NS)
    sent_ns = AT_NS - np.rint(seen.range_m / SPEED_OF_LIGHT_M_S * 1e9).astype(np.int64)
    place = ORBITS.states_at(sent_ns).position_m
    receiver = FRAME.origin_m
    sagnac = EARTH_RATE_RAD_S / SPEED_OF_LIGHT_M_S * (place[:, 0] * receiver[1] - place[:, 1] * receiver[0])
    assert np.abs(sagnac).max() > 15
    np.testing.assert_allclose(seen.range_m, np.linalg.norm(place - receiver, axis=1) + sagnac, atol=1e-3)


def test_range_rates_are_the_derivatives_of_ranges():
    """Differences over +-50 ms of a receiver that moves: second order terms are below 1e-4 m/s."""
    step_s, velocity = 0.05, FRAME.rotate_to_ecef(VELOCITY)
    place = FRAME.origin_m
    before, now, after = (
        sight(ORBITS, place + k * step_s * velocity, velocity, AT_NS + round(k * step_s * 1e9)) for k in (-1, 0, 1)
    )
    np.testing.assert_allclose((after.range_m - before.range_m) / (2 * step_s), now.range_rate_m_s, atol=1e-4)


def test_states_moved_are_states_of_another_instant():
    """20 ms by the pull of a sphere are 20 ms of the orbit: to a micrometre and a micrometre per second."""
    at = np.full(len(ORBITS.names), AT_NS)
    found, true = moved(ORBITS.states_at(at), np.full(len(at), 0.02)), ORBITS.states_at(at + 20_000_000)
    np.testing.assert_allclose(found.position_m, true.position_m, atol=2e-6)
    np.testing.assert_allclose(found.velocity_m_s, true.velocity_m_s, atol=2e-5)


def test_azimuth_and_elevation():
    """North is 0, east a quarter turn; up is 90 degrees."""
    axes = FRAME.axes
    azimuth, elevation = angles_rad(np.array([axes[1], axes[0], axes[2], -axes[0]]), axes)
    np.testing.assert_allclose((np.degrees(azimuth)[[0, 1, 3]] + 1) % 360 - 1, [0, 90, 270], atol=1e-9)
    np.testing.assert_allclose(np.degrees(elevation), [0, 0, 90, 0], atol=1e-5)


def test_the_fast_geodetic_conversion_is_pymap3ds():
    """To 1e-11 rad and 0.1 mm, from the Dead Sea to the stratosphere and at the poles."""
    rng = np.random.default_rng(1)
    for latitude, longitude, altitude in [
        *rng.uniform((-1.57, -3.1, -500), (1.57, 3.1, 20_000), (40, 3)),
        (1.5707963, 0.3, 9.0),
    ]:
        place = LocalFrame(latitude, longitude, altitude).origin_m
        slow, fast = geodetic_of_ecef(place), geodetic_of_one(place)
        assert abs(fast[0] - latitude) < 1e-11
        assert abs(fast[2] - altitude) < 1e-4
        assert abs(slow[0] - fast[0]) < 1e-10
