"""`sensorium evaluate allan` as a user meets it: from a scenario with an IMU to its noise parameters and their plot."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from end_to_end.outside import Run
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
from PIL import Image

RESTING = """\
sensorium: 1
name: resting
duration_s: 30
world: {type: bodies, bodies: [{name: table, parts: [{name: top, shape: {type: box, size_m: [1, 1, 0.1]}, material: wood}]}]}
origin: {latitude_rad: 48.1 deg, longitude_rad: 11.6 deg}
magnetic_field: {type: earth}
rig:
  - {name: imu, body: table, sensor: {device: bosch_bmi088, readings: 100}}
  - {name: compass, body: table, sensor: {device: pni_rm3100, readings: 10}}
"""


@pytest.fixture(scope="module")
def recording(sensorium: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Half a minute at rest, recorded; for reading only."""
    folder = tmp_path_factory.mktemp("resting")
    (folder / "resting.yaml").write_text(RESTING)
    sensorium("run", "resting.yaml", "--out", "resting.mcap", cwd=folder)
    return folder / "resting.mcap"


def test_parameters_of_a_recording(sensorium: Run, recording: Path, tmp_path: Path) -> None:
    """N of all nine axes within 2 % of the data sheets: 0.014 deg/s/sqrt(Hz) one-sided is 0.594 deg/sqrt(h); the plot is drawn."""
    told = sensorium("evaluate", "allan", recording, "--png", tmp_path / "allan.png", cwd=tmp_path).out
    found = {unit: [float(number) for number in re.findall(rf"([\d.]+) \+- \S+ {re.escape(unit)}", told)]
             for unit in ("deg/sqrt(h)", "m/s/sqrt(h)", "nT/sqrt(Hz)")}  # fmt: skip
    assert found["deg/sqrt(h)"] == pytest.approx([0.594] * 3, rel=0.02)
    density = np.array([160e-6, 160e-6, 190e-6]) * 9.80665 / np.sqrt(2) * 60
    assert found["m/s/sqrt(h)"] == pytest.approx(density, rel=0.02)
    assert found["nT/sqrt(Hz)"] == pytest.approx([np.hypot(15, 13.33 / np.sqrt(12)) / 10] * 3, rel=0.05)
    assert len(np.unique(np.asarray(Image.open(tmp_path / "allan.png").convert("RGB")).reshape(-1, 3), axis=0)) > 50


def test_recording_is_one_that_others_read(recording: Path) -> None:
    """Each reading is a message of its own for a reader of ROS 2: evenly stamped, up is +g, the field points north and down."""
    with recording.open("rb") as file:
        reader = make_reader(file, decoder_factories=[DecoderFactory()])
        each = [message for *_, message in reader.iter_decoded_messages(["/imu/data_raw"])]
        fields = [message for *_, message in reader.iter_decoded_messages(["/compass/mag"])]
    stamps = np.array([message.header.stamp.sec * 10**9 + message.header.stamp.nanosec for message in each])
    assert np.unique(np.diff(stamps)).tolist() == [2_500_000]
    assert np.mean([message.linear_acceleration.z for message in each]) == pytest.approx(9.8, abs=0.8)
    assert fields[0].magnetic_field.y == pytest.approx(21.04e-6, abs=1e-6)
    assert fields[0].magnetic_field.z == pytest.approx(-43.99e-6, abs=1.5e-6)


def test_what_cannot_be_judged_is_told(sensorium: Run, recording: Path, drive: Path, tmp_path: Path) -> None:
    """A recording without an IMU, an unknown sensor, a missing file: one sentence and status 2."""
    assert "holds no readings of an IMU" in sensorium("evaluate", "allan", drive, cwd=tmp_path, status=2).err
    told = sensorium("evaluate", "allan", recording, "--sensor", "imi", cwd=tmp_path, status=2).err
    assert "Did you mean 'imu'" in told
    assert "there is no recording" in sensorium("evaluate", "allan", "nothing.mcap", cwd=tmp_path, status=2).err


def test_a_wrong_imu_is_told_with_its_lines(sensorium: Run, tmp_path: Path) -> None:
    """Everything that is wrong with a chain at once, each with its line: axis, negative noise, matrix, bounds."""
    sensor = """\
      type: imu
      rate_hz: 100 Hz
      gyroscope:
        axes: [x, q]
        chain:
          - {type: gauss_markov, sigma: -2 deg/s, correlation_s: 1}
          - {type: cross_axis, matrix: [[1, 0, 0], [0, 0, 0], [0, 0, 1]]}
      accelerometer: {input_range: {type: saturation, lower: 2 g, upper: 1 g}}
"""
    text = RESTING.partition("  - {name: imu")[0] + f"  - name: imu\n    body: table\n    sensor:\n{sensor}"
    (tmp_path / "wrong.yaml").write_text(text)
    told, line = sensorium("run", "wrong.yaml", cwd=tmp_path, status=2).err, text[: text.index("axes")].count("\n") + 1
    for below, what in (
        (0, r"gyroscope.axes\[1\]: 'q' is not known. Known: x, y, z"),
        (2, r"gyroscope.chain\[0\].sigma: must be at least 0, found '-2 deg/s'"),
        (3, r"gyroscope.chain\[1\]: matrix cannot be inverted"),
        (4, r"accelerometer.input_range: lower must lie below upper"),
    ):
        assert re.search(rf"wrong.yaml:{line + below}: rig\[0\].sensor.{what}", told), what
