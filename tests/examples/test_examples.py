"""Every numbered example runs as a user runs it, in a few seconds, and shows what it promises."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from sensorium.recording import open_recording, read_point_cloud

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "examples").glob("[0-9]*.py"))


def run(name: str, folder: Path, *more: str) -> str:
    """Run an example in a folder of its own; everything that it writes must lie below `--out`."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    script = ROOT / "examples" / name
    command = [sys.executable, script, "--out", folder / "results", *more]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in folder.iterdir()} == {"results"}
    return done.stdout


def numbers(pattern: str, text: str) -> list[float]:
    return [float(found) for found in re.findall(pattern, text)]


def is_drawn(path: Path) -> bool:
    """Whether a picture has more than a few colours in it."""
    return len(np.unique(np.asarray(Image.open(path).convert("RGB")).reshape(-1, 3), axis=0)) > 50


def test_one_scan(tmp_path: Path) -> None:
    """Most beams of a HDL-64E in a street return; roads and houses are what it sees most of; the picture is drawn."""
    told = run("01_one_scan.py", tmp_path)
    (fired,), (returns,) = numbers(r"fired (\d+) beams", told), numbers(r"reports (\d+) returns", told)
    assert 0.8 * fired < returns <= fired
    assert re.search(r"points on road", told)
    assert re.search(r"points on building", told)
    assert is_drawn(tmp_path / "results" / "01_one_scan.png")


def test_one_scan_of_another_device(tmp_path: Path) -> None:
    """The device can be chosen by its name in the catalogue."""
    assert "velodyne_vlp16 fired" in run("01_one_scan.py", tmp_path, "--device", "velodyne_vlp16")


def test_scenario_and_recording(tmp_path: Path) -> None:
    """Twenty scans in a second of a car that starts, a recording that can be read and simulated again."""
    told = run("02_scenario_and_recording.py", tmp_path)
    assert "'lidar': 20" in told
    assert 0 < numbers(r"went ([\d.]+) m", told)[0] < 5
    assert told.rstrip().endswith("the same points")
    recording = open_recording(tmp_path / "results" / "02_drive.mcap")
    assert sum(1 for _ in recording.samples("lidar")) == 20


def test_own_scene(tmp_path: Path) -> None:
    """The ring crosses from right to left, half a scan after the middle at -6 .. 6 m; its points are written as a file."""
    told = run("03_own_scene.py", tmp_path)
    y_m = numbers(r"at y = ([+-][\d.]+) m", told)
    assert len(y_m) == 10
    assert np.all(np.diff(y_m) > 0)
    np.testing.assert_allclose(y_m, -np.array(y_m)[::-1], atol=0.1)  # rest, cubic, rest: symmetric about the middle
    cloud = read_point_cloud(tmp_path / "results" / "03_own_scene" / "scan_9.ply")
    assert len(cloud) == numbers(r"scan 9: (\d+) points", told)[0]


def test_fog(tmp_path: Path) -> None:
    """Fog adds returns from the air and takes surfaces away; two returns per beam find more of both."""
    run("04_fog.py", tmp_path)
    with (tmp_path / "results" / "04_fog.csv").open() as file:
        rows = {(row["air"], row["returns"]): row for row in csv.DictReader(file)}
    surface, echo = ({key: int(row[column]) for key, row in rows.items()} for column in ("surface", "air_echo"))
    for mode in ("strongest", "dual"):
        clear, light, dense = ((air, mode) for air in ("clear", "light_fog", "dense_fog"))
        assert echo[clear] < echo[light] < echo[dense]
        assert surface[clear] > surface[light] > surface[dense]
    for air in ("light_fog", "dense_fog"):
        assert surface[air, "dual"] > surface[air, "strongest"]
        assert int(rows[air, "dual"]["second"]) > 0 == int(rows[air, "strongest"]["second"])


def test_waveform(tmp_path: Path) -> None:
    """Pane and wall are found at their distances in clear air and in fog, each with its cause; the record is drawn."""
    told = run("06_waveform.py", tmp_path)
    for air in ("clear", "light_fog"):
        found = {
            cause: float(range_m) for range_m, cause in re.findall(rf"{air}: .* reports (\S+) m, made by (\w+)", told)
        }
        assert abs(found["SURFACE"] - 12) < 0.2
        assert abs(found["THROUGH_GLASS"] - 20) < 0.2
    assert is_drawn(tmp_path / "results" / "06_waveform.png")


def test_street_canyon(tmp_path: Path) -> None:
    """Houses hide most satellites, the tunnel all; the filter bridges it; sentences and RINEX files are written."""
    told = run("50_street_canyon.py", tmp_path)
    counts = [(int(a), int(b)) for a, b in re.findall(r"\((\d+), (\d+)\)", told)]
    assert counts[0][0] > 14
    assert (0, 0) in counts
    assert min(direct for direct, _ in counts[3:7]) < 9
    assert numbers(r"fixes: (\d+) of", told)[0] > 10
    assert (
        numbers(r"odometer: error [\d.]+ m, worst ([\d.]+) m", told)[0] < numbers(r"m, worst ([\d.]+) m\n", told)[0] + 5
    )
    assert numbers(r"missing ([\d.]+) m", told)[0] < 10
    assert is_drawn(tmp_path / "results" / "50_street_canyon.png")
    assert (tmp_path / "results" / "50_street_canyon.rnx").stat().st_size > 10_000


def test_closed_loop(tmp_path: Path) -> None:
    """By its sensors the car believes its place to within two percent of its way; on ice it is wrong by half of it."""
    told = run("10_closed_loop.py", tmp_path, "--seconds", "7") + run(
        "10_closed_loop.py", tmp_path, "--seconds", "7", "--surface", "ice"
    )
    (dry_m, ice_m), (dry, ice) = numbers(r": ([\d.]+) m driven", told), numbers(r"\(([\d.]+)%\)", told)
    assert dry_m > 30 > ice_m
    assert dry < 2
    assert ice > 50
    assert is_drawn(tmp_path / "results" / "10_closed_loop.png")


def test_physics_seen_by_lidar(tmp_path: Path) -> None:
    """The nearer the car comes, the more points it has; in the end it slides across the road."""
    told = run("11_physics_seen_by_lidar.py", tmp_path)
    points, turned = numbers(r"(\d+) points on the car", told), numbers(r"turned by +(-?[\d.]+) deg", told)
    assert points == sorted(points)
    assert points[0] > 0
    assert abs(turned[-1]) > 45
    assert is_drawn(tmp_path / "results" / "11_physics_seen_by_lidar.png")


def test_wheel_on_ice(tmp_path: Path) -> None:
    """On a dry road the odometer is right to a percent, on ice it counts far more than the car travels."""
    told = run("12_wheel_on_ice.py", tmp_path)
    counted, went = numbers(r"counts ([\d.]+) m", told), numbers(r"went ([\d.]+) m", told)
    assert abs(counted[0] - went[0]) < 0.01 * went[0]
    assert counted[1] > 2 * went[1]
    assert is_drawn(tmp_path / "results" / "12_wheel_on_ice.png")


def test_allan(tmp_path: Path) -> None:
    """Three minutes at rest show the angular random walk of the data sheet, 0.15 deg/sqrt(h); the curves are drawn."""
    told = run("15_allan.py", tmp_path, "--device", "sensonor_stim300", "--minutes", "3")
    assert numbers(r"N = ([\d.]+) \+- [\d.]+ deg", told) == pytest.approx([0.15] * 3, rel=0.02)
    assert is_drawn(tmp_path / "results" / "15_allan.png")


def test_radar_in_the_street(tmp_path: Path) -> None:
    """Frames with detections, most of them coming nearer as the car drives; a recording of scans; the picture is drawn."""
    told = run("60_radar_in_the_street.py", tmp_path)
    counts = numbers(r"frame \d+: (\d+) detections", told)
    assert len(counts) >= 2
    assert min(counts) > 10
    recording = open_recording(tmp_path / "results" / "60_radar.mcap")
    assert sum(1 for _ in recording.samples("front")) == len(counts)
    assert is_drawn(tmp_path / "results" / "60_radar.png")


def test_micro_doppler(tmp_path: Path) -> None:
    """The trunk comes nearer at 1.4 m/s, limbs reach beyond twice that speed and back to rest."""
    told = run("61_micro_doppler.py", tmp_path)
    (trunk,), (fastest,), (slowest,) = (
        numbers(pattern, told)
        for pattern in (r"trunk moves at ([+-][\d.]+)", r"between ([+-][\d.]+)", r"and ([+-][\d.]+) m/s")
    )
    assert abs(trunk + 1.4) < 0.15
    assert fastest < -2.4
    assert slowest > -0.5
    assert is_drawn(tmp_path / "results" / "61_micro_doppler.png")


def test_guard_rail_ghost(tmp_path: Path) -> None:
    """The car and its mirror image behind the rail, both coming nearer at about 6 m/s."""
    told = run("62_guard_rail_ghost.py", tmp_path)
    y_m, speed = numbers(r"y = ([\d.-]+) m \(", told), numbers(r"speed ([+-][\d.]+)", told)
    assert abs(y_m[0] - 1) < 1.2
    assert abs(y_m[1] - 7) < 1.2
    assert -6.5 < speed[0] < -5.4
    assert -6.5 < speed[1] < -4.5
    assert is_drawn(tmp_path / "results" / "62_guard_rail_ghost.png")


def test_thermal_street(tmp_path: Path) -> None:
    """Day and night are told and drawn; by night engines and people are warmer than the road, which by day is warm itself."""
    told = run("33_thermal_street.py", tmp_path)
    noon, night = (numbers(r"(-?[\d.]+)", line) for line in told.splitlines() if line.startswith(("noon", "night")))
    assert noon[4] > night[4] + 15  # the road's median
    assert night[1] > night[4] + 5  # the warmest of people
    assert night[3] > night[4] + 20  # the warmest of cars
    assert is_drawn(tmp_path / "results" / "33_thermal_street.png")


def test_track_a_ball(tmp_path: Path) -> None:
    """Each filter is off by metres before the first scan and by centimetres after it; two models are the best."""
    told = run("40_track_a_ball.py", tmp_path)
    patterns = r": ([\d.]+) m before", r", ([\d.]+) m after", r"median ([\d.]+)"
    before, after, median = (numbers(pattern, told) for pattern in patterns)
    assert min(before) > 1
    assert max(after) < 0.3
    assert median[2] < min(median[:2])
    assert is_drawn(tmp_path / "results" / "40_track_a_ball.png")


def test_follow_with_lidar(tmp_path: Path) -> None:
    """The ball is the only thing that is not background, 16 m ahead, and alarms before it crosses."""
    told = run("41_follow_with_lidar.py", tmp_path, "--seconds", "1.4")
    assert all(80.3 < x + 64 < 81.3 for x in numbers(r"moving at x ([\d.]+)", told))
    assert "ALERT" in told.splitlines()[-1]


def test_campaign(tmp_path: Path) -> None:
    """Runs of both filters in one table; two models follow the speed better in both classes of balls."""
    told = run("42_campaign.py", tmp_path, "--runs", "6")
    assert "12 runs" in told
    errors = numbers(r"speed error ([\d.]+)", told)
    assert errors[2] < errors[0]
    assert errors[3] < errors[1]


def test_engine_client() -> None:
    """The stand-in for a game engine gets physical points back for its rays and loses nothing on one machine."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, ROOT / "examples" / "05_engine_client.py"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert numbers(r"(\d+) physical points", done.stdout)[0] > 10_000
    assert ", 0 of them dropped" in done.stdout


def test_camera_and_truth(tmp_path: Path) -> None:
    """Four days and four kinds of truth side by side; the darker the day the longer the exposure; bodies with their shares."""
    told = run("30_camera_and_truth.py", tmp_path, "--width", "128", "--images", "5")
    sun, _, _, night = numbers(r": ([\d.]+) ms at", told)
    assert night > 2 * sun
    assert len(re.findall(r"% visible", told)) == 5
    picture = np.asarray(Image.open(tmp_path / "results" / "30_camera_and_truth.png"))
    assert picture.shape == (2 * 96, 4 * 128, 3)
    assert is_drawn(tmp_path / "results" / "30_camera_and_truth.png")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_examples_are_short_and_numbered(script: Path) -> None:
    """No number is used twice, a docstring says what one sees, and each fits on two screens."""
    assert len({path.name[:2] for path in SCRIPTS}) == len(SCRIPTS)
    text = script.read_text(encoding="utf-8")
    assert text.startswith('"""')
    assert len(text.splitlines()) <= 110


def test_parking(tmp_path: Path) -> None:
    """Each corner reports most distances, 2.7 % too far in air of 5 degrees: sqrt(293.15 / 278.15), read in steps of 1 cm."""
    told = run("20_parking.py", tmp_path)
    for reported, there, _, percent in re.findall(
        r": (\d+) of (\d+) .* nearest ([\d.]+) m, median ([+-][\d.]+) %", told
    ):
        assert int(reported) >= 0.9 * int(there) > 0
        assert abs(float(percent) - 2.66) < 0.6
    assert told.count("distances reported") == 4
    assert is_drawn(tmp_path / "results" / "20_parking.png")


def test_cooling_tank(tmp_path: Path) -> None:
    """Both devices within 2 K of the published temperature after 450 s, their power found again; the figures of the brief."""
    told = run("21_cooling_tank.py", tmp_path)
    found = re.findall(
        r": ([\d.]+) degC after 450 s \(published: (\d+)\), measured power (\d+) W \(published: (\d+)\)", told
    )
    assert len(found) == 2
    for celsius, published_c, power, published_w in found:
        assert abs(float(celsius) - float(published_c)) < 2
        assert abs(float(power) / float(published_w) - 1) < 0.05
    water_kg, rate = numbers(r"([\d.]+) kg of water", told)[0], numbers(r"([\d.]+) g/s", told)[0]
    assert water_kg == pytest.approx(1.35, rel=0.02)
    assert rate == pytest.approx(4.48, rel=0.02)
    assert "30 upright heat pipes" in told
    assert is_drawn(tmp_path / "results" / "21_cooling_tank.png")


def test_snow_gun(tmp_path: Path) -> None:
    """The hull is warmer with the fan than without, the open shelter is not; the hull decides wrongly for longer."""
    told = run("22_snow_gun.py", tmp_path)
    off, on = (numbers(rf"([+-][\d.]+) K with the fan {state}", told) for state in ("off", "on"))
    late, wrong = numbers(r"snow from ([\d.]+) h", told), numbers(r"wrong for (\d+) min", told)
    assert max(abs(off[0]), abs(on[0])) < 0.1
    assert on[1] > off[1] + 0.3 > 0.8
    assert late[1] > late[0]
    assert wrong[1] > wrong[0]
    assert is_drawn(tmp_path / "results" / "22_snow_gun.png")
