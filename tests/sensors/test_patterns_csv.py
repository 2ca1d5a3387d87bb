"""Patterns from files: what stands in the file is what fires; what cannot fire is told with its line."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensorium.core.documents import Document, build
from sensorium.core.errors import ConfigurationError, SensoriumError
from sensorium.core.time import TimeWindow
from sensorium.sensors.lidar.patterns import AnyPattern, CsvPattern

ANGLE = st.floats(-1.5, 1.5)


@pytest.fixture
def written(tmp_path_factory):
    """Return a function that writes a table and makes its pattern."""
    folder = tmp_path_factory.mktemp("tables")

    def write(text, period_s=1e-3, name="table.csv"):
        path = folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return CsvPattern(file=path, period_s=period_s)

    return write


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz")


def angles(beams):
    return np.arctan2(beams.direction[:, 1], beams.direction[:, 0]), np.arcsin(beams.direction[:, 2])


def test_the_table_repeats_every_period(written):
    """Row (t, a, e) fires at n period + t with azimuth a and elevation e; rows may stand in any order."""
    pattern = written("time_us,azimuth_deg,elevation_deg,ring\n300,-20,5,1\n0,10,0,0\n900.5,30,-5,2\n")
    beams = pattern.beams(TimeWindow(2_000_500, 4_000_000))
    np.testing.assert_array_equal(beams.time_ns, [2_300_000, 2_900_500, 3_000_000, 3_300_000, 3_900_500])
    np.testing.assert_allclose(np.degrees(angles(beams)), [[-20, 30, 10, -20, 30], [5, -5, 0, 5, -5]], atol=1e-12)
    np.testing.assert_array_equal(beams.ring, [1, 2, 0, 1, 2])


@pytest.mark.parametrize(
    "text",
    [
        "time_s,azimuth_rad,elevation_rad\n0,0.1,0.2\n5e-4,-0.1,0.2\n",
        "time_ms;azimuth_mrad;elevation_mrad\n0;100;200\n0.5;-100;200\n",
        f"Time/s,Azimuth/deg,Zenith/deg\n0,{math.degrees(0.1)},{90 - math.degrees(0.2)}\n5e-4,{math.degrees(-0.1)},"
        f"{90 - math.degrees(0.2)}\n",
        "\ufeff# a comment\r\n\r\nelevation_rad\tazimuth_rad\ttime_ns\r\n0.2\t0.1\t0\r\n# b\r\n0.2\t-0.1\t500000\r\n",
        '"time_us", "azimuth_rad", "elevation_rad", "ring"\n"0","0.1","0.2","0"\n500,-0.1,0.2,0',
    ],
)
def test_one_pattern_in_many_spellings(written, text):
    """Units, separators, order of columns, comments, quotes, line ends and byte-order marks make no difference."""
    beams = written(text).beams(TimeWindow(0, 1_000_000))
    np.testing.assert_array_equal(beams.time_ns, [0, 500_000])
    np.testing.assert_allclose(angles(beams), [[0.1, -0.1], [0.2, 0.2]], atol=1e-12)


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        (
            "time_s,azimuth_deg,elevation_deg\n0,0,0\n1e-4,x,0\n",
            "table.csv:3",
            "azimuth_deg: expected a number, found 'x'",
        ),
        (
            "time_s,azimuth_deg,elevation_deg\n# note\n0,0\n",
            "table.csv:3",
            "expected 3 cells as in the header, found 2",
        ),
        ("time_s,azimuth_deg,elevation_deg\n0,0,0,0\n", "table.csv:2", "found 4"),
        (
            "time_s,azimuth_deg,elevation_deg\n0,0,0\n1e-3,0,0\n",
            "table.csv:3",
            "not inside the period; period_s is 0.001 s",
        ),
        ("time_s,azimuth_deg,elevation_deg\n-1e-9,0,0\n", "table.csv:2", "time is negative"),
        ("time_s,azimuth_deg,elevation_deg\n0,0,91\n", "table.csv:2", "elevation is beyond 90 deg"),
        ("time_s,azimuth_deg,zenith_deg\n0,0,-1\n", "table.csv:2", "elevation is beyond 90 deg"),
        ("time_s,azimuth_deg,elevation_deg\n0,nan,0\n", "table.csv:2", "not finite"),
        ("time_s,azimuth_deg,elevation_deg,ring\n0,0,0,1.5\n", "table.csv:2", "ring is not a whole number"),
        ("time_s,azimuth_deg,elevation_deg,ring\n0,0,0,70000\n", "table.csv:2", "ring is not a whole number"),
        ("# first\ntime_s,azimut_deg,elevation_deg\n0,0,0\n", "table.csv:2", "Did you mean 'azimuth_deg'"),
        ("time_s,elevation_deg\n0,0\n", "table.csv:1", "expected one column azimuth_deg, found 0"),
        (
            "time_s,azimuth_deg,elevation_deg,zenith_deg\n0,0,0,0\n",
            "table.csv:1",
            "elevation_deg or zenith_deg, found 2",
        ),
        ("time_s,azimuth_deg,elevation_deg\n", "table.csv", "no beam"),
        ("", "table.csv", "is empty"),
        (b"time_s,azimuth_deg,elevation_deg\n0,0,\xff\n", "table.csv", "not text in UTF-8"),
    ],
)
def test_a_bad_row_is_told_with_its_line(written, text, place, reason):
    """The message holds file, line and reason."""
    with pytest.raises(ConfigurationError) as caught:
        written(text)
    assert f"{place}" in str(caught.value)
    assert reason in str(caught.value)


def test_all_bad_rows_are_told_at_once(written):
    """Twenty are named, the others counted as more."""
    rows = "".join(f"{i}e-6,?,0\n" for i in range(50))
    with pytest.raises(ConfigurationError) as caught:
        written("time_s,azimuth_deg,elevation_deg\n" + rows)
    assert str(caught.value).count("expected a number") == 20
    assert "more" in str(caught.value)


def test_a_missing_file_is_told(tmp_path):
    """In Python when the pattern is made; in a document with the place where it was looked for."""
    with pytest.raises(ConfigurationError, match="cannot be opened"):
        CsvPattern(file=tmp_path / "none.csv", period_s=1)
    with pytest.raises(ConfigurationError, match=r"file: there is no file.*none\.csv"):
        build(AnyPattern, Document({"type": "csv", "file": "none.csv", "period_s": 1}, folder=tmp_path))


def test_a_file_stands_beside_its_document(tmp_path):
    """A relative path starts at the folder of the scenario."""
    (tmp_path / "mid.csv").write_text("time_s,azimuth_deg,elevation_deg\n0,1,2\n")
    pattern = build(AnyPattern, Document({"type": "csv", "file": "mid.csv", "period_s": "1 ms"}, folder=tmp_path))
    assert len(pattern.beams(TimeWindow(0, 10_000_000))) == 10


@settings(max_examples=50)
@given(
    rows=st.lists(st.tuples(st.integers(0, 999_999), ANGLE, ANGLE, st.integers(0, 65535)), min_size=1, max_size=40),
    start=st.integers(0, 10**10),
)
def test_any_sound_table_is_fired_as_it_stands(folder, rows, start):
    """One period from any instant holds each row once, with its numbers."""
    text = "time_ns,azimuth_rad,elevation_rad,ring\n" + "".join(f"{t},{a!r},{e!r},{r}\n" for t, a, e, r in rows)
    (folder / "sound.csv").write_text(text)
    beams = CsvPattern(file=folder / "sound.csv", period_s=1e-3).beams(TimeWindow(start, start + 1_000_000))
    azimuth, elevation = angles(beams)
    found = sorted(
        zip(
            (beams.time_ns % 1_000_000).tolist(), beams.ring.tolist(), azimuth.round(9), elevation.round(9), strict=True
        )
    )
    expected = sorted((t, r, round(a, 9), round(e, 9)) for t, a, e, r in rows)
    assert len(found) == len(expected)
    np.testing.assert_allclose([f[:2] for f in found], [e[:2] for e in expected], atol=0)
    np.testing.assert_allclose(sorted(f[2:] for f in found), sorted(e[2:] for e in expected), atol=3e-9)


CELL = st.one_of(
    st.floats(), st.integers(), st.text(max_size=4), st.sampled_from(["", " ", "1_0", "0x1", "inf", '"', "1e999"])
)
ROW = st.lists(CELL, max_size=5).map(lambda cells: ",".join(map(str, cells)))
HEADER = st.sampled_from(
    ["time_s,azimuth_deg,elevation_deg", "time_ns,zenith_rad,azimuth_rad,ring", "Time/s,Azimuth/deg,Zenith/deg"]
)


@given(
    st.one_of(
        st.binary(max_size=200),
        st.tuples(HEADER, st.lists(ROW, max_size=5)).map(lambda t: "\n".join((t[0], *t[1])).encode("utf-8", "replace")),
    )
)
def test_no_file_brings_down_the_reader(folder, content):
    """Any bytes are either a sound table or a ConfigurationError that names the file."""
    path = folder / "fuzz.csv"
    path.write_bytes(content)
    told, beams = "", None
    try:
        beams = CsvPattern(file=path, period_s=1.0).beams(TimeWindow(0, 10**9))
    except SensoriumError as error:
        told = str(error)
    assert "fuzz.csv" in told if beams is None else np.isfinite(beams.direction).all() and len(beams) >= 1
