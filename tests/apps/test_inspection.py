from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from sensorium.apps.colours import by_intensity
from sensorium.apps.contents import Contents
from sensorium.apps.inspection import inspect_sheet
from sensorium.apps.pictures.rates import measured_rate_hz
from sensorium.apps.raw_messages import mounts_of
from sensorium.apps.summary import facts_of, in_bytes, summarise
from sensorium.core.errors import RecordingError
from sensorium.samples import PointCloud, Stamp
from sensorium.samples.radar import RadarScan


def test_the_summary_counts_what_was_recorded(recorded_drive):
    """Five scans at 10 Hz, ready from 0.1 to 0.5 s; eleven truth samples at 20 Hz from 0 to 0.5 s."""
    rows = {row["topic"]: row for row in summarise(recorded_drive)}
    scans = rows["/lidar/points"]
    assert (scans["messages"], scans["rate / Hz"], scans["largest gap / s"]) == (5, 10.0, 0.1)
    assert (scans["first / s"], scans["last / s"], scans["type"]) == (0.1, 0.5, "sensor_msgs/msg/PointCloud2")
    truth = [row for topic, row in rows.items() if topic.startswith("/truth")]
    assert len(truth) >= 2
    assert all((row["messages"], row["rate / Hz"]) == (11, 20.0) for row in truth)
    assert rows["/tf_static"]["rate / Hz"] == ""
    facts = facts_of(recorded_drive)
    assert (facts["seed"], facts["duration"]) == ("7", "0.50 s")


def test_a_lost_scan_shows_as_a_gap(drive, mounts, record_samples, tmp_path):
    """Without the third scan the largest gap is two periods, and the mean rate is 3 intervals in 0.4 s."""
    kept = [each for each in drive if not (isinstance(each, PointCloud) and each.stamp.index == 2)]
    rows = summarise(record_samples(tmp_path / "gap.mcap", kept, mounts))
    scans = next(row for row in rows if row["topic"] == "/lidar/points")
    assert (scans["messages"], scans["largest gap / s"], scans["rate / Hz"]) == (4, 0.2, 7.5)


def test_rates_are_the_inverse_of_the_steps():
    """1 / (t[k+1] - t[k]) at the middle of each step; the times may come in any order."""
    at_s, rate_hz = measured_rate_hz([300_000_000, 0, 100_000_000])
    np.testing.assert_allclose(at_s, (0.05, 0.2))
    np.testing.assert_allclose(rate_hz, (10, 5))
    assert measured_rate_hz([5])[1].size == 0


def test_mounts_come_back_from_the_static_frames(recorded_drive, mounts):
    """/tf_static holds T_body_sensor: the mount that was given to the recorder."""
    (found,) = mounts_of(recorded_drive)
    assert (found.name, found.body) == ("lidar", "ego")
    np.testing.assert_allclose(found.pose.position_m, mounts[0].pose.position_m)
    np.testing.assert_allclose(found.pose.matrix(), mounts[0].pose.matrix(), atol=1e-12)


def test_contents_choose_the_scan_nearest_in_time(recorded_drive):
    """The middle scan by default, else the one that starts nearest to the time."""
    contents = Contents.of(recorded_drive)
    assert contents.lidar() == "lidar"
    assert [contents.scan_number("lidar", t) for t in (None, 0.0, 0.16, 9.0)] == [2, 0, 2, 4]
    np.testing.assert_array_equal(contents.scans["lidar"].returns, [4000] * 5)
    with pytest.raises(RecordingError, match=r"'lidr'.*Did you mean 'lidar'"):
        contents.lidar("lidr")


def test_the_sheet_is_a_picture_with_something_in_every_panel(recorded_drive, tmp_path):
    """The PNG has its full size, and each panel has far more than one colour; the street has the
    hue of the wall's intensity, 40 (shadow and smooth edges change its brightness alone).
    """
    out = inspect_sheet(recorded_drive, tmp_path / "sheet.png")
    picture = np.asarray(Image.open(out).convert("RGB"))
    height, width, _ = picture.shape
    assert (width, height) == (1760, 1672)
    street, unrolled, ground = picture[120:715, 90:1300], picture[790:1020, 90:1680], picture[1105:1600, 90:1050]
    rates, counts = picture[1105:1310, 1200:1720], picture[1400:1600, 1200:1720]
    for panel in (street, unrolled, ground, rates, counts):
        assert len(np.unique(panel.reshape(-1, 3), axis=0)) > 20
    assert pixels_of_hue(street, by_intensity([40.0])[0]) > 300
    assert pixels_of_hue(street, by_intensity([255.0])[0]) == 0


def pixels_of_hue(picture, colour):
    pixels = picture.reshape(-1, 3)[picture.reshape(-1, 3).max(-1) > 100].astype(float)
    away = pixels / pixels.max(-1, keepdims=True) - colour / colour.max()
    return int((np.abs(away).max(-1) < 0.1).sum())


def test_the_same_recording_gives_the_same_sheet(recorded_drive, tmp_path):
    """No clock and no chance goes into the picture: the files are equal byte for byte."""
    first = inspect_sheet(recorded_drive, tmp_path / "a.png", time_s=0.1)
    again = inspect_sheet(recorded_drive, tmp_path / "b.png", time_s=0.1)
    assert first.read_bytes() == again.read_bytes()


def test_a_recording_without_clouds_has_a_sheet_too(drive, mounts, record_samples, tmp_path):
    """Truth alone: the panels of the scan say that there is none, rates are drawn."""
    truth = [each for each in drive if not isinstance(each, PointCloud)]
    out = inspect_sheet(record_samples(tmp_path / "truth.mcap", truth, mounts), tmp_path / "sheet.png")
    assert Image.open(out).size == (1760, 1672)


def test_bytes_are_written_for_people():
    """Decimal units, three digits."""
    assert [in_bytes(n) for n in (999, 1234, 5_670_000, 1_230_000_000)] == ["999 B", "1.23 kB", "5.67 MB", "1.23 GB"]


def test_the_sheet_takes_a_colouring(recorded_drive, tmp_path):
    """By range, street and map change, and nothing else; what the recording does not hold is refused first."""
    sheets = [inspect_sheet(recorded_drive, tmp_path / f"{name}.png", colour=name) for name in ("intensity", "range")]
    first, other = (np.asarray(Image.open(sheet).convert("RGB")) for sheet in sheets)
    for rows, changes in ((slice(120, 715), True), (slice(740, 1040), False), (slice(1105, 1600), True)):
        assert (first[rows] != other[rows]).any() == changes
    assert pixels_of_hue(other[120:715, 90:1300], by_intensity([40.0])[0]) == 0
    with pytest.raises(RecordingError, match=r"carry no class.*point_truth: true"):
        inspect_sheet(recorded_drive, tmp_path / "class.png", colour="class")
    assert not (tmp_path / "class.png").exists()


def test_radars_have_a_picture_each(drive, mounts, record_samples, tmp_path):
    """A recording with eight detections of a radar: the sheet is taller by a panel, which shows them."""
    truth = [each for each in drive if not isinstance(each, PointCloud)]
    some, zero = np.linspace(5, 40, 8).astype(np.float32), np.zeros(8, np.float32)
    scan = RadarScan(
        stamp=Stamp("radar", 0, truth[0].stamp.time_ns, truth[0].stamp.time_ns + 10_000_000), range_m=some, speed_m_s=some / 8,
        azimuth_rad=some / 80, elevation_rad=zero, cross_section_m2=some, snr_db=some + 10,
        covariance=np.zeros((8, 4, 4), np.float32),
    )  # fmt: skip
    samples = sorted([*truth, scan], key=lambda each: each.stamp.ready_ns)
    recording = record_samples(tmp_path / "radar.mcap", samples, (*mounts, replace(mounts[0], name="radar")))
    assert Contents.of(recording).radars == ("radar",)
    picture = np.asarray(Image.open(inspect_sheet(recording, tmp_path / "sheet.png")).convert("RGB")).astype(int)
    assert picture.shape[0] > 1672
    panel = picture[1672:]
    assert (np.ptp(panel, axis=-1) > 100).sum() > 200  # red dots that recede, and the colour bar
