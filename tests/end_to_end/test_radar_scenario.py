"""A radar from the command line: a scenario is recorded and read back; impossible chirps are told with their place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from end_to_end.outside import TINY, run

from sensorium.recording import open_recording
from sensorium.samples import RadarScan

RADAR = (
    "  - {name: radar, body: cart, pose: {position_m: [0.6, 0, 0.6]}, sensor: {type: radar, device: ti_awr1843_short_range,"
    " truth: true, fan: {azimuth_step_rad: 1 deg, elevation_step_rad: 1 deg}, fidelity: {type: signal, keep_map: true}}}\n"
)


def test_a_scenario_with_a_radar(tmp_path: Path) -> None:
    """The wall ahead is found at its distance, coming nearer as the cart rolls; the recording holds scans and maps."""
    (tmp_path / "radar.yaml").write_text(TINY + RADAR)
    run("run", "radar.yaml", "--out", "radar.mcap", "--set", "duration_s=0.3", cwd=tmp_path)
    scans = [
        sample for sample in open_recording(tmp_path / "radar.mcap").samples("radar") if isinstance(sample, RadarScan)
    ]
    assert len(scans) == 6
    last = scans[-1]
    assert last.map is not None
    on_wall = last.truth.body == 1
    assert on_wall.any()
    strongest = np.flatnonzero(on_wall)[0]
    assert abs(last.range_m[strongest] - 11.3) < 0.4  # 12 m less the mount, the half wall and the way of the cart
    assert last.speed_m_s[strongest] < 0


def test_impossible_chirps_are_told(tmp_path: Path) -> None:
    """File, line, setting, limit and how much too far; exit status 2."""
    (tmp_path / "bad.yaml").write_text(TINY + RADAR.replace("truth: true", "range_max_m: 100"))
    told = run("run", "bad.yaml", cwd=tmp_path, status=2).err
    assert "bad.yaml:20: rig[1].sensor: range_max_m = 100 m beats at 15.64 MHz" in told
    assert "36.04 m too far" in told
