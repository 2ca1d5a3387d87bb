"""Broadcast orbits against RTKLIB's, and their own consistency."""

import csv
from pathlib import Path

import numpy as np
import pytest

from sensorium.ephemeris.rinex_navigation import read_navigation

REFERENCE = Path(__file__).parent / "reference"
with (REFERENCE / "positions.csv").open() as file:
    ROWS = [
        (f, name, int(ns), np.array([float(v) for v in xyz]), float(c)) for f, name, ns, *xyz, c in csv.reader(file)
    ]
STEP_NS = 500_000_000


def state_of(orbits, name, gps_ns):
    states = orbits.states_at(np.full(len(orbits.names), gps_ns))
    row = orbits.names.index(name)
    return states.position_m[row], states.velocity_m_s[row], states.clock_s[row], states.clock_drift[row]


@pytest.mark.parametrize("file", ["mixed.rnx", "gps.26n"])
def test_positions_and_clocks_agree_with_rtklib(file):
    """RINEX 3 (GPS, Galileo, GLONASS, BeiDou with a geostationary one) and RINEX 2: 0.1 mm, and 1e-12 s of clock.

    GLONASS is integrated with another step than RTKLIB's, 60 s here as well, and agrees as closely.
    """
    content = read_navigation([REFERENCE / file])
    assert content.damage == []
    orbits = content.orbits()
    rows = [row for row in ROWS if row[0] == file]
    assert len(rows) >= 15
    for _, name, gps_ns, position_m, clock_s in rows:
        found_m, _, found_s, _ = state_of(orbits, name, gps_ns)
        np.testing.assert_allclose(found_m, position_m, atol=1e-4, err_msg=name)
        relativity = name[0] != "R"
        assert found_s == pytest.approx(clock_s, abs=1e-12 if relativity else 1e-15), name


def test_velocity_is_the_derivative_of_position():
    """v(t) = (r(t + h) - r(t - h)) / 2h to h^2 a''/6 = 1e-6 m/s with h = 0.5 s; clock drift likewise."""
    orbits = read_navigation([REFERENCE / "mixed.rnx"]).orbits()
    at = ROWS[1][2] + 777 * 10**9
    for name in orbits.names:
        before, _, clock_before, _ = state_of(orbits, name, at - STEP_NS)
        after, _, clock_after, _ = state_of(orbits, name, at + STEP_NS)
        _, velocity, _, drift = state_of(orbits, name, at)
        np.testing.assert_allclose(velocity, after - before, atol=2e-6, err_msg=name)
        assert drift == pytest.approx(clock_after - clock_before, abs=1e-15)
