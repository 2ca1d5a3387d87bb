"""What a satellite receiver emits, read back by readers that we did not write."""

import contextlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from gnss_worlds import run, scene_of
from hypothesis import given, settings
from hypothesis import strategies as st
from pynmeagps import NMEAReader
from pyubx2 import UBXReader

from sensorium.core.errors import RecordingError, SensoriumError
from sensorium.core.time_scales import GPS_EPOCH_UNIX_S, calendar_of_gps_ns, week_and_second
from sensorium.recording import McapRecorder, RosConventions, open_recording
from sensorium.recording.gnss_files import export_gnss, write_gnss
from sensorium.recording.nmea import nmea_sentences
from sensorium.recording.rinex_observation import read_observations, write_observations
from sensorium.recording.ubx import ubx_messages
from sensorium.recording.ubx_reader import messages_in, read_raw
from sensorium.samples import FixType
from sensorium.sensors import Gnss

ALL = ("GPS L1", "GPS L5", "Galileo E1", "Galileo E5a")


@pytest.fixture(scope="module")
def samples():
    return run(Gnss(signals=ALL, undulation_m=47.5, rate_hz=5.0), scene_of(), 3)


@pytest.fixture(scope="module")
def lost(samples):
    none = np.full(3, np.nan)
    sky = replace(samples[0].satellites, used=np.zeros(len(samples[0].satellites.names), bool))
    return replace(
        samples[0], fix=FixType.NONE, geodetic=none, velocity_m_s=none, satellites=sky, dilution=np.full(7, np.inf)
    )


def sentences_of(sample):
    return [NMEAReader.parse(line) for line in nmea_sentences(sample).encode().splitlines(keepends=True)]


def by_kind(sample, kind):
    return [each for each in sentences_of(sample) if each.msgID == kind]


def utc_of(sample):
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=sample.utc_ns // 1000)


def test_nmea_place_speed_and_time(samples):
    """Degrees to 1e-7 minutes (0.2 mm), heights to 0.1 mm, speeds to 0.001 knots, time to 0.01 s."""
    for sample in samples:
        (gga,), (rmc,), (vtg,), (zda,) = (by_kind(sample, kind) for kind in ("GGA", "RMC", "VTG", "ZDA"))
        latitude, longitude = np.degrees(sample.geodetic[:2])
        for each in (gga, rmc):
            assert each.lat == pytest.approx(latitude, abs=1e-8)
            assert each.lon == pytest.approx(longitude, abs=1e-8)
        assert gga.alt + gga.sep == pytest.approx(sample.geodetic[2], abs=2e-4)
        assert (gga.sep, gga.quality, gga.numSV) == (47.5, 1, sample.used_count)
        assert pytest.approx(sample.dilution[2], abs=6e-3) == gga.HDOP
        at = utc_of(sample)
        found = datetime.combine(rmc.date, rmc.time, UTC)
        assert abs((found - at).total_seconds()) <= 0.0051
        assert (zda.day, zda.month, zda.year) == (at.day, at.month, at.year)
        speed = float(np.hypot(*sample.velocity_m_s[:2]))
        assert rmc.spd * 0.514444 == pytest.approx(speed, abs=3e-4)
        assert vtg.sogk / 3.6 == pytest.approx(speed, abs=3e-4)
        course = np.degrees(np.arctan2(sample.velocity_m_s[0], sample.velocity_m_s[1])) % 360
        assert vtg.cogt == pytest.approx(course, abs=0.0051)


def test_nmea_sky(samples):
    """GSV holds every satellite with its angles and strength, GSA those of the fix."""
    sample, systems = samples[0], {"GP": "G", "GA": "E", 1: "G", 3: "E"}
    seen, used = {}, set()
    for each in by_kind(sample, "GSV"):
        for k in range(1, 5):
            if getattr(each, f"svid_{k:02d}", "") not in ("", None):
                values = (getattr(each, f"{field}_{k:02d}") for field in ("elv", "az", "cno"))
                seen[f"{systems[each.talker]}{int(getattr(each, f'svid_{k:02d}')):02d}"] = tuple(values)
    for each in by_kind(sample, "GSA"):
        numbers = [getattr(each, f"svid_{k:02d}", "") for k in range(1, 13)]
        used |= {f"{systems[int(each.systemId)]}{int(number):02d}" for number in numbers if number not in ("", None)}
    sky = sample.satellites
    assert set(seen) == set(sky.names)
    assert used == {name for name, row in zip(sky.names, sky.used, strict=True) if row}
    for name, elevation, azimuth, strength in zip(
        sky.names, sky.elevation_rad, sky.azimuth_rad, sky.cn0_db_hz, strict=True
    ):
        assert float(seen[name][0]) == pytest.approx(np.degrees(elevation), abs=0.51)
        assert abs((float(seen[name][1]) - np.degrees(azimuth) + 180) % 360 - 180) <= 0.51
        assert float(seen[name][2] or 0) == pytest.approx(strength, abs=0.51)


def test_nmea_without_a_fix(lost):
    """Fields are empty, quality is 0, RMC says void; nothing is invented."""
    (gga,), (rmc,) = by_kind(lost, "GGA"), by_kind(lost, "RMC")
    assert (gga.quality, gga.lat, rmc.status) == (0, "", "V")


def test_ubx_navigation(samples):
    """NAV-PVT: 1e-7 deg, 1 mm, 1 mm/s, time to 1 ns; NAV-SAT: whole degrees and decibels, 0.1 m."""
    for sample in samples:
        parsed = [UBXReader.parse(data) for data in frames(ubx_messages(sample))]
        assert [each.identity for each in parsed] == ["NAV-PVT", "NAV-SAT", "RXM-RAWX"]
        pvt, sat, _ = parsed
        assert pvt.lat == pytest.approx(np.degrees(sample.geodetic[0]), abs=5.1e-8)
        assert pvt.lon == pytest.approx(np.degrees(sample.geodetic[1]), abs=5.1e-8)
        assert pvt.height == pytest.approx(sample.geodetic[2] * 1e3, abs=0.51)
        assert pvt.hMSL == pytest.approx((sample.geodetic[2] - 47.5) * 1e3, abs=0.51)
        np.testing.assert_allclose([pvt.velE, pvt.velN, -pvt.velD], sample.velocity_m_s * 1e3, atol=0.51)
        assert (pvt.fixType, pvt.gnssFixOk, pvt.numSV) == (3, 1, sample.used_count)
        assert pvt.pDOP == pytest.approx(sample.dilution[1], abs=6e-3)
        at = datetime(pvt.year, pvt.month, pvt.day, pvt.hour, pvt.min, pvt.second, tzinfo=UTC)
        whole = round(at.timestamp()) * 10**9 + pvt.nano
        assert whole == sample.utc_ns
        assert pvt.iTOW == round(week_and_second(sample.gps_ns)[1] * 1e3)
        assert sat.numSvs == len(sample.satellites.names)
        for k, name in enumerate(sample.satellites.names, 1):
            assert (getattr(sat, f"gnssId_{k:02d}"), getattr(sat, f"svId_{k:02d}")) == (
                {"G": 0, "E": 2}[name[0]],
                int(name[1:]),
            )
            assert getattr(sat, f"svUsed_{k:02d}") == sample.satellites.used[k - 1]
            assert getattr(sat, f"cno_{k:02d}") == pytest.approx(sample.satellites.cn0_db_hz[k - 1], abs=0.51)


def frames(data):
    place = 0
    while place < len(data):
        length = int.from_bytes(data[place + 4 : place + 6], "little") + 8
        yield data[place : place + length]
        place += length


def test_ubx_raw(samples):
    """RXM-RAWX: pseudorange and phase to the bit, Doppler in single precision, C/N0 to 1 dB."""
    for sample in samples:
        raw, rawx = sample.raw, UBXReader.parse(list(frames(ubx_messages(sample)))[2])
        assert rawx.numMeas == len(raw) > 20
        assert rawx.week == week_and_second(raw.gps_ns)[0]
        assert rawx.rcvTow == week_and_second(raw.gps_ns)[1]
        assert rawx.leapS == sample.leap_s == 18
        column = {name: np.array([getattr(rawx, f"{name}_{k:02d}") for k in range(1, len(raw) + 1)])
                  for name in ("prMes", "cpMes", "doMes", "cno", "sigId", "gnssId", "svId")}  # fmt: skip
        np.testing.assert_array_equal(column["prMes"], raw.pseudorange_m)
        np.testing.assert_array_equal(column["cpMes"], raw.carrier_cycles)
        np.testing.assert_allclose(column["doMes"], raw.doppler_hz, rtol=1e-7)
        np.testing.assert_allclose(column["cno"], raw.cn0_db_hz, atol=0.51)
        assert {(g, s) for g, s in zip(column["gnssId"], column["sigId"], strict=True)} == {
            (0, 0),
            (0, 7),
            (2, 0),
            (2, 4),
        }
        back, leap_s = read_raw(
            next(payload for c, n, payload in messages_in(ubx_messages(sample)) if (c, n) == (2, 0x15))
        )
        assert (back.names, back.codes, back.gps_ns, leap_s) == (raw.names, raw.codes, raw.gps_ns, 18)


def test_ubx_without_a_fix(lost):
    pvt = UBXReader.parse(next(frames(ubx_messages(lost))))
    assert (pvt.fixType, pvt.gnssFixOk, pvt.hAcc) == (0, 0, 0xFFFFFFFF)


def test_damaged_ubx_is_refused(samples):
    data = bytearray(ubx_messages(samples[0]))
    data[20] ^= 1
    with pytest.raises(RecordingError, match="checksum"):
        list(messages_in(bytes(data)))


def test_rinex_observations_by_columns(samples, tmp_path):
    """Every value stands in the column that RINEX 3.04 (table A3) gives it; read here by position alone."""
    path = tmp_path / "o.rnx"
    write_gnss(path, samples)
    lines = path.read_text().splitlines()
    body = lines[lines.index(next(line for line in lines if "END OF HEADER" in line)) + 1 :]
    types = {line[0]: line[7:60].split() for line in lines if line.endswith("SYS / # / OBS TYPES") and line[0] != " "}
    assert types["G"] == ["C1C", "L1C", "D1C", "S1C", "C5Q", "L5Q", "D5Q", "S5Q"]
    raw, rows = samples[0].raw, {}
    head = body[0]
    assert head[0] == ">"
    year, month, day, hour, minute, second = calendar_of_gps_ns(raw.gps_ns)
    assert [int(word) for word in head[1:18].split()] == [year, month, day, hour, minute]
    assert float(head[18:29]) == pytest.approx(second, abs=6e-8)
    for line in body[1 : 1 + int(head[32:35])]:
        for k, kind in enumerate(types[line[0]]):
            text = line[3 + 16 * k : 17 + 16 * k]
            if text.strip():
                rows[line[:3], kind] = float(text)
    for k, (name, code) in enumerate(zip(raw.names, raw.codes, strict=True)):
        assert rows[name, "C" + code] == pytest.approx(raw.pseudorange_m[k], abs=5.1e-4)
        assert rows[name, "L" + code] == pytest.approx(raw.carrier_cycles[k], abs=5.1e-4)
        assert rows[name, "D" + code] == pytest.approx(raw.doppler_hz[k], abs=5.1e-4)
        assert rows[name, "S" + code] == pytest.approx(raw.cn0_db_hz[k], abs=5.1e-4)
    assert len(rows) == 4 * len(raw)


@pytest.mark.filterwarnings("ignore")
def test_rinex_observations_by_georinex(samples, tmp_path):
    """Every value to half of its last digit, 1 mm and 0.001 cycles, by a reader that shares nothing with the writer."""
    import georinex

    path = tmp_path / "o.rnx"
    write_gnss(path, samples[:1])
    found, raw = georinex.load(path), samples[0].raw
    assert set(found.sv.values) == set(raw.names)
    for k, (name, code) in enumerate(zip(raw.names, raw.codes, strict=True)):
        row = found.sel(sv=name).isel(time=0)
        for kind, value in (
            ("C", raw.pseudorange_m),
            ("L", raw.carrier_cycles),
            ("D", raw.doppler_hz),
            ("S", raw.cn0_db_hz),
        ):
            assert float(row[kind + code]) == pytest.approx(value[k], abs=5.1e-4)


def test_rinex_observations_are_read_back(samples, tmp_path):
    path = tmp_path / "o.rnx"
    write_observations(path, [sample.raw for sample in samples])
    found = read_observations(path)
    assert found.damage == []
    assert len(found.epochs) == len(samples)
    for epoch, sample in zip(found.epochs, samples, strict=True):
        order = {pair: k for k, pair in enumerate(zip(epoch.names, epoch.codes, strict=True))}
        rows = [order[pair] for pair in zip(sample.raw.names, sample.raw.codes, strict=True)]
        assert abs(epoch.gps_ns - sample.raw.gps_ns) <= 50
        np.testing.assert_allclose(epoch.pseudorange_m[rows], sample.raw.pseudorange_m, atol=5.1e-4)
        np.testing.assert_allclose(epoch.frequency_hz[rows], sample.raw.frequency_hz)


def test_damaged_observation_lines_are_named_and_the_rest_is_used(samples, tmp_path):
    """File, line, reason; other satellites of the epoch and other epochs are there."""
    path = tmp_path / "o.rnx"
    write_observations(path, [sample.raw for sample in samples])
    lines = path.read_text().splitlines()
    first = next(k for k, line in enumerate(lines) if line.startswith(">"))
    lines[first + 2] = lines[first + 2].replace(".", "x", 1)
    second = next(k for k in range(first + 1, len(lines)) if lines[k].startswith(">"))
    lines[second] = lines[second].replace("2026", "20z6")
    path.write_text("\n".join(lines))
    found = read_observations(path)
    assert len(found.epochs) == len(samples) - 1
    assert [str(each).partition(": ")[0] for each in found.damage] == [f"o.rnx:{first + 3}", f"o.rnx:{second + 1}"]
    assert "should be a number" in found.damage[0].reason
    assert len(set(found.epochs[0].names)) == len(set(samples[0].raw.names)) - 1


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_no_damage_makes_the_observation_reader_fail(data, samples, tmp_path_factory):
    """Whatever a line holds: epochs, damage, or one error of ours."""
    path = tmp_path_factory.mktemp("any") / "o.rnx"
    write_observations(path, [sample.raw for sample in samples])
    lines = (path.read_text() if data.draw(st.booleans()) else RINEX_2).splitlines()
    place = data.draw(st.integers(0, len(lines) - 1))
    lines[place] = data.draw(st.text(st.characters(codec="ascii", exclude_characters="\r\n"), max_size=90))
    path.write_text("\n".join(lines))
    with contextlib.suppress(SensoriumError):
        read_observations(path)


def test_no_observation_file_is_refused(tmp_path):
    path = tmp_path / "x.rnx"
    path.write_text("hello\n")
    with pytest.raises(RecordingError, match="is no RINEX observation file"):
        read_observations(path)


def test_recording_and_reading_back(samples, tmp_path):
    """Fix and velocity to the bit, time to the nanosecond, raw measurements as RXM-RAWX has them."""
    path = tmp_path / "r.mcap"
    epoch_ns = samples[0].utc_ns // 10**9 * 10**9
    with McapRecorder(path, RosConventions(epoch_ns=epoch_ns)) as recorder:
        for sample in samples:
            recorder.write(sample)
    recording = open_recording(path)
    assert [topic.name for topic in recording.topics if "gnss" in topic.name] == [
        "/gnss/fix",
        "/gnss/time_reference",
        "/gnss/ubx",
        "/gnss/velocity",
    ]
    back = list(recording.samples())
    assert len(back) == len(samples)
    for one, two in zip(samples, back, strict=True):
        np.testing.assert_allclose(two.geodetic, one.geodetic, rtol=1e-15)
        np.testing.assert_array_equal(two.covariance_m2, one.covariance_m2)
        np.testing.assert_array_equal(two.velocity_m_s, one.velocity_m_s)
        np.testing.assert_array_equal(two.raw.pseudorange_m, one.raw.pseudorange_m)
        assert (two.utc_ns, two.gps_ns, two.fix, two.stamp) == (one.utc_ns, one.gps_ns, one.fix, one.stamp)
        assert two.used_count == one.used_count
    for kind in ("nmea", "ubx", "rnx"):
        (file,) = export_gnss(recording, tmp_path / "out", kind)
        assert file.stat().st_size > 500
    assert epoch_ns / 1e9 > GPS_EPOCH_UNIX_S


RINEX_2 = """\
     2.11           OBSERVATION DATA    M (MIXED)           RINEX VERSION / TYPE
  4182119.3950   850861.5945  4724698.4871                  APPROX POSITION XYZ
     7    C1    L1    D1    S1    P2    L2    S2            # / TYPES OF OBSERV
  2026     6    15    12     0    0.0000000     GPS         TIME OF FIRST OBS
                                                            END OF HEADER
 26  6 15 12  0  0.0000000  0  2G 7E11
  21234567.123   111589000.50017     -1234.567          45.000    21234571.456
  86953100.25016        40.000
  27000000.500   141886000.125         500.250          38.000

 26  6 15 12  0  1.0000000  0  1  7
  21234400.000

 26  6 15 12  0  2.0000000  0  2G07G08
  2123x400.000

  22234400.000

"""


def test_observations_of_version_2(tmp_path):
    """Five values a line, satellites in the line of the epoch, a blank for GPS; loss of lock in its column; damage named."""
    path = tmp_path / "o.26o"
    lines = RINEX_2.splitlines()
    path.write_text("\n".join(lines) + "\n")
    found = read_observations(path)
    first, second, third = found.epochs
    assert first.names == ("G07", "G07", "E11")
    assert first.codes == ("1C", "2P", "1C")
    np.testing.assert_allclose(first.pseudorange_m, [21234567.123, 21234571.456, 27000000.5])
    np.testing.assert_allclose(first.carrier_cycles, [111589000.5, 86953100.25, 141886000.125])
    np.testing.assert_allclose(first.cn0_db_hz, [45.0, 40.0, 38.0])
    np.testing.assert_array_equal(first.slipped, [True, True, False])
    assert second.names == ("G07",)
    assert second.gps_ns - first.gps_ns == 10**9
    assert third.names == ("G08",)
    assert [str(each) for each in found.damage] == ["o.26o:15: C1 should be a number, found '2123x400.000'"]
    np.testing.assert_allclose(found.position_m, [4182119.395, 850861.5945, 4724698.4871])
