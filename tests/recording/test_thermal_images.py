"""A thermal camera in a scenario, recorded and read back: by a reader that we did not write, and by ours."""

from __future__ import annotations

import numpy as np
import pytest
from mcap_ros2.reader import read_ros2_messages

from sensorium.apps.driving import drive
from sensorium.core.yaml_text import parse_yaml
from sensorium.recording import open_recording
from sensorium.samples import Image
from sensorium.simulation.scenario import scenario_of

SCENARIO = """
name: warm
duration_s: 0.11
seed: 3
origin: {latitude_rad: 50 deg, longitude_rad: 8 deg, start_utc: 2026-06-21T12:00:00Z}
world:
  type: bodies
  bodies:
    - name: post
      parts: [{name: a, shape: {type: box, size_m: [1, 1, 1]}, material: concrete}]
    - name: wall
      parts:
        - {name: a, shape: {type: box, size_m: [1, 9, 9]}, material: ideal_none, temperature: {type: fixed, temperature_k: 37 degC}}
      motion: {type: fixed, pose: {position_m: [5, 0, 0]}}
rig:
  - {name: infrared, body: post, pose: {position_m: [1, 0, 0]},
     sensor: {type: thermal_camera, device: alead_infrared, lens: {width: 64, height: 48}, truth: {}}}
"""


@pytest.mark.parametrize(
    ("output", "encoding"),
    [
        ("{type: counts}", "mono16"), ("{type: radiometric}", "32FC1"),
        ("{type: radiometric, format: centikelvin}", "16UC1"), ("{type: automatic_gain}", "mono8"),
    ],
)  # fmt: skip
def test_images_of_all_kinds(tmp_path, output, encoding):
    """Every output is a sensor_msgs/Image with its encoding, calibration and optical frame, and comes back as it was."""
    scenario = scenario_of(parse_yaml(SCENARIO), [f"rig[0].sensor.output={output}"])
    path = drive(scenario, tmp_path / "a.mcap").path
    sent = [one for one in scenario.simulation().samples(0.11) if isinstance(one, Image)]
    received = list(open_recording(path).samples("infrared"))
    assert len(sent) == len(received) == 3
    for ours, theirs in zip(received, sent, strict=True):
        assert ours.encoding == encoding
        np.testing.assert_array_equal(ours.pixels, theirs.pixels)
        np.testing.assert_array_equal(ours.truth.temperature_k, theirs.truth.temperature_k)
    raw = [one.ros_msg for one in read_ros2_messages(path) if one.channel.topic == "/infrared/image_raw"]
    assert raw[0].encoding == encoding
    assert raw[0].header.frame_id == "infrared_optical_frame"
    words = np.frombuffer(bytes(raw[0].data), sent[0].pixels.dtype).reshape(48, 64)
    np.testing.assert_array_equal(words, sent[0].pixels)
    truth = [one.ros_msg for one in read_ros2_messages(path) if one.channel.topic == "/truth/infrared/temperature"]
    kelvin = np.frombuffer(bytes(truth[0].data), np.float32).reshape(48, 64)
    assert kelvin[24, 32] == pytest.approx(310.15, abs=1e-3)
