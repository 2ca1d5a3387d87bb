"""Navigation files: what is damaged is named, and what is written can be read."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensorium.core.errors import ConfigurationError, SensoriumError
from sensorium.core.time_scales import (
    calendar_of_gps_ns,
    gps_of_calendar_ns,
    gps_of_unix_ns,
    gps_of_utc_calendar_ns,
    leap_seconds,
    unix_of_gps_ns,
)
from sensorium.ephemeris.navigation_writer import write_navigation
from sensorium.ephemeris.nominal import greenwich_deg, nominal_orbits
from sensorium.ephemeris.rinex_navigation import read_navigation
from sensorium.ephemeris.sources import NavigationFiles, Nominal
from sensorium.ephemeris.sp3 import read_sp3

MIXED = Path(__file__).parent / "reference" / "mixed.rnx"
NOON_NS = gps_of_calendar_ns(2026, 6, 15, 12)


def test_a_damaged_value_is_named_and_the_rest_is_used(tmp_path):
    lines = MIXED.read_text().splitlines()
    first = next(k for k, line in enumerate(lines) if line.startswith("G07"))
    lines[first + 2] = lines[first + 2][:30] + "??" + lines[first + 2][32:]
    path = tmp_path / "bad.rnx"
    path.write_text("\n".join(lines))
    whole, found = read_navigation([MIXED]), read_navigation([path])
    assert len(found.kepler) == len(whole.kepler) - 1
    (damage,) = found.damage
    assert (damage.file, damage.line) == ("bad.rnx", first + 3)
    assert "should be a number" in damage.reason


def test_a_record_cut_short_and_impossible_values(tmp_path):
    lines = MIXED.read_text().splitlines()
    starts = [k for k, line in enumerate(lines) if line[:1] in "GEC" and line[1:3].isdigit()]
    strange = list(lines)
    strange[starts[1] + 2] = strange[starts[1] + 2][:23] + f"{0.9:19.12E}" + strange[starts[1] + 2][42:]
    del strange[starts[0] + 5]
    path = tmp_path / "bad.rnx"
    path.write_text("\n".join(strange))
    reasons = [damage.reason for damage in read_navigation([path]).damage]
    assert any("7 lines instead of 8" in reason for reason in reasons)
    assert any("eccentricity should lie in" in reason for reason in reasons)


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "is not a RINEX file"), (f"{'     4.00':60}RINEX VERSION / TYPE", "cannot be read"),
     (f"{'     3.04           OBSERVATION DATA':60}RINEX VERSION / TYPE", "no navigation file")],
)  # fmt: skip
def test_other_files_are_refused(tmp_path, text, message):
    path = tmp_path / "x.rnx"
    path.write_text(text + "\n")
    with pytest.raises(ConfigurationError, match=message):
        read_navigation([path])


def test_ephemerides_too_old_are_refused_with_what_they_serve():
    with pytest.raises(ConfigurationError, match=r"serve 2026-06-15 .* not 2026-06-20"):
        NavigationFiles(files=(MIXED,)).orbits_at(gps_of_calendar_ns(2026, 6, 20))
    states = read_navigation([MIXED]).orbits().states_at(np.full(10, gps_of_calendar_ns(2026, 6, 16, 12)))
    assert not states.usable.any()


def test_unhealthy_satellites_are_not_usable(tmp_path):
    lines = MIXED.read_text().splitlines()
    for first in [k for k, line in enumerate(lines) if line.startswith("G07")]:
        lines[first + 6] = lines[first + 6][:23] + f"{1.0:19.12E}" + lines[first + 6][42:]
    path = tmp_path / "sick.rnx"
    path.write_text("\n".join(lines))
    orbits = read_navigation([path]).orbits()
    states = orbits.states_at(np.full(len(orbits.names), NOON_NS))
    assert not states.usable[orbits.names.index("G07")]
    assert states.usable[orbits.names.index("G01")]


def test_written_records_are_read_back(tmp_path):
    """Twelve decimals of each value: positions to a millimetre."""
    orbits = nominal_orbits("GE", NOON_NS)
    write_navigation(tmp_path / "n.rnx", orbits)
    back = read_navigation([tmp_path / "n.rnx"])
    assert back.damage == []
    again = back.orbits()
    assert again.names == orbits.names
    assert again.klobuchar == pytest.approx(orbits.klobuchar)
    at = np.full(len(orbits.names), NOON_NS + 1_234_567_890_123)
    np.testing.assert_allclose(again.states_at(at).position_m, orbits.states_at(at).position_m, atol=1e-3)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_no_damage_makes_the_reader_fail(data, tmp_path_factory):
    """Whatever a line holds: records, damage, or one error of ours."""
    lines = MIXED.read_text().splitlines()
    place = data.draw(st.integers(0, len(lines) - 1))
    lines[place] = data.draw(st.text(st.characters(codec="ascii"), max_size=82)).replace("\n", " ").replace("\r", " ")
    path = tmp_path_factory.mktemp("any") / "x.rnx"
    path.write_text("\n".join(lines))
    try:
        orbits = read_navigation([path]).orbits()
        orbits.states_at(np.full(len(orbits.names), NOON_NS))
    except SensoriumError:
        pass


def test_nominal_constellations():
    """24 and 24 satellites on circles; the ground track of GPS repeats after a sidereal day; periods as published."""
    orbits = Nominal().orbits_at(NOON_NS)
    assert sum(name[0] == "G" for name in orbits.names) == sum(name[0] == "E" for name in orbits.names) == 24
    at = np.full(len(orbits.names), NOON_NS)
    states = orbits.states_at(at)
    gps = np.array([name[0] == "G" for name in orbits.names])
    np.testing.assert_allclose(np.linalg.norm(states.position_m, axis=1)[gps], 26_559_700, rtol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(states.position_m, axis=1)[~gps], 29_600_318, rtol=1e-9)
    drift = np.deg2rad(-4.4874e-7)
    day_ns = round(2 * np.pi / (7.2921151467e-5 - drift) * 1e9)
    later = nominal_orbits("GE", NOON_NS + day_ns).states_at(at + day_ns)
    np.testing.assert_allclose(later.position_m[gps], states.position_m[gps], atol=0.05)
    # 17 revolutions in 10 sidereal days for Galileo
    ten_ns = round(10 * 86_164.0905 * 1e9)
    later = nominal_orbits("GE", NOON_NS + ten_ns).states_at(at + ten_ns)
    assert np.linalg.norm(later.position_m[~gps] - states.position_m[~gps], axis=1).max() < 1e6


def test_nominal_records_join_smoothly():
    """Records of different times tell the same orbit: the change from one to the next is below a millimetre."""
    a, b = nominal_orbits("GE", NOON_NS, 0), nominal_orbits("GE", NOON_NS + 7_200 * 10**9, 0)
    at = np.full(48, NOON_NS + 3_600 * 10**9)
    np.testing.assert_allclose(a.states_at(at).position_m, b.states_at(at).position_m, atol=1e-3)


def test_sidereal_time():
    """18 h 36 m 14.4 s on 1993-07-01, as the table of the nominal constellation has it; its equinox is that of J2000 (1 s)."""
    assert greenwich_deg(741_484_800) == pytest.approx(279.06, abs=1e-2)


def sp3_text(orbits, start_ns, epochs, step_s=900):
    year, month, day, hour, minute, second = calendar_of_gps_ns(start_ns)
    lines = [f"#dP{year:4d} {month:2d} {day:2d} {hour:2d} {minute:2d} {second:11.8f} {epochs:7d} ORBIT IGS20 FIT TST",
             "%c M  cc GPS ccc cccc cccc cccc cccc ccccc ccccc ccccc ccccc"]  # fmt: skip
    for k in range(epochs):
        at = start_ns + k * step_s * 10**9
        year, month, day, hour, minute, second = calendar_of_gps_ns(at)
        lines.append(f"*  {year:4d} {month:2d} {day:2d} {hour:2d} {minute:2d} {second:11.8f}")
        states = orbits.states_at(np.full(len(orbits.names), at))
        spin = np.cross([0, 0, 7.2921151467e-5], states.position_m)
        relativity = -2 * (states.position_m * (states.velocity_m_s + spin)).sum(1) / 299_792_458.0**2
        for name, place, clock in zip(
            orbits.names, states.position_m / 1e3, (states.clock_s - relativity) * 1e6, strict=True
        ):
            lines.append(f"P{name}{place[0]:14.6f}{place[1]:14.6f}{place[2]:14.6f}{clock:14.6f}")
    return "\n".join([*lines, "EOF"])


def test_precise_orbits_are_interpolated_within_their_published_accuracy(tmp_path):
    """IGS final orbits are good to 2.5 cm; from epochs every 15 minutes the orbit comes back within 5 mm in the middle of the file.

    Velocity to 0.1 mm/s; clocks with the relativistic term to 30 ps, which is 1 cm.
    """
    orbits = read_navigation([MIXED]).orbits()
    galileo = [name for name in orbits.names if name[0] in "GE"]
    path = tmp_path / "t.sp3"
    # one record only, so that no change of record lies between the epochs
    from sensorium.ephemeris.broadcast import BroadcastOrbits

    r = orbits.kepler_records
    rows = np.array([k for k, n in enumerate(orbits.kepler_names) if n in galileo and r.toe_ns[k] == NOON_NS])
    one = BroadcastOrbits([orbits.kepler_names[k] for k in rows], r.rows(rows))
    path.write_text(sp3_text(one, NOON_NS - 2 * 3600 * 10**9, 17))
    precise, damage = read_sp3([path])
    assert damage == []
    for offset_s in (0.0, 100.0, 450.0, -333.3, 1500.0):
        at = np.full(len(one.names), NOON_NS + round(offset_s * 1e9))
        true, found = one.states_at(at), precise.states_at(at)
        np.testing.assert_allclose(found.position_m, true.position_m, atol=5e-3)
        np.testing.assert_allclose(found.velocity_m_s, true.velocity_m_s, atol=1e-4)
        np.testing.assert_allclose(found.clock_s, true.clock_s, atol=3e-11)
    assert not precise.states_at(np.full(len(one.names), NOON_NS + 3 * 3600 * 10**9)).usable.any()


def test_damaged_sp3_lines_are_named(tmp_path):
    orbits = nominal_orbits("G", NOON_NS)
    lines = sp3_text(orbits, NOON_NS - 2 * 3600 * 10**9, 17).splitlines()
    lines[5] = lines[5][:10] + "x" + lines[5][11:]
    path = tmp_path / "t.sp3"
    path.write_text("\n".join(lines))
    precise, damage = read_sp3([path])
    assert [(each.file, each.line) for each in damage] == [("t.sp3", 6)]
    assert len(precise.names) == 24


def test_leap_seconds_and_time_scales():
    """GPS - UTC: 0 in 1980, 13 in 1999 to 2005, 18 since 2017 (IERS Bulletin C); round trips to the nanosecond."""
    assert leap_seconds(315_964_800 * 10**9) == 0
    assert leap_seconds(1_000_000_000 * 10**9) == 13
    assert leap_seconds(1_781_524_800 * 10**9) == 18
    for unix_ns in (1_483_228_799 * 10**9, 1_483_228_800 * 10**9, 1_781_524_800_123_456_789):
        assert unix_of_gps_ns(gps_of_unix_ns(unix_ns)) == unix_ns
    assert gps_of_utc_calendar_ns(2026, 6, 15, 12, 0, 0) - gps_of_calendar_ns(2026, 6, 15, 12) == 18 * 10**9
    assert calendar_of_gps_ns(NOON_NS + 250_000_000) == (2026, 6, 15, 12, 0, 0.25)
