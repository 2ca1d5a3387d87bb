"""`sensorium bench lidar`: that it measures what it says. No figure of time is judged here."""

import json
import subprocess
import sys

import numpy as np
import pytest
from worlds import wall

from sensorium.apps.benchmarks import fresh, lidar, worlds
from sensorium.core.errors import SensoriumError
from sensorium.materials.surface import Glass, Mirror, Pane
from sensorium.motion import Fixed
from sensorium.scene.scene import Scene
from sensorium.scene.street import Street
from sensorium.scene.view import View
from sensorium.sensors import sensor_of
from sensorium.tracing import EmbreeTracer

COMMAND = [sys.executable, "-m", "sensorium.apps.command_line", "bench", "lidar"]


def test_as_a_user_runs_it(tmp_path):
    """Every row is there with its bar, the verdicts follow from the figures, and the exit status from the verdicts."""
    out = tmp_path / "folder" / "rows.json"
    done = subprocess.run(
        [*COMMAND, "--repeats", "1", "--no-processes", "--json", str(out)], capture_output=True, text=True, check=False
    )
    told = json.loads(out.read_text())
    rows = {row["case"]: row for row in told["rows"]}
    assert done.returncode == (0 if all(row["holds"] for row in told["rows"]) else 1), done.stderr
    assert told["name"] == "bench lidar"
    assert told["versions"].keys() >= {"numpy", "numba"}
    for name, bar in (("beams of 5 rays, full physics", lidar.BEAM_BAR), ("single rays, full", lidar.SINGLE_BAR)):
        (row,) = (row for case, row in rows.items() if f"HDL-64E, {name}" in case)
        assert row["unit"] == "Mray/s"
        assert row["holds"] == (row["ours"] >= bar * row["theirs"])
    shares = [row["ours"] for case, row in rows.items() if case.startswith("share of")]
    assert len(shares) == 3
    assert min(shares) > 0
    assert sum(shares) == pytest.approx(100)
    assert rows["engine bridge, single_rays"]["theirs"] == 1.0
    assert rows["engine bridge, roses"]["theirs"] == 0.2
    deep = next(row for case, row in rows.items() if case.startswith("depth 4 against depth 1"))
    assert deep["holds"] == (deep["ours"] <= lidar.DEPTH_BAR * deep["theirs"])
    same = next(row for case, row in rows.items() if case.startswith("bytes of a cloud"))
    assert same["ours"] == 0


@pytest.mark.parametrize("rays", [1, 5])
def test_primary_rays_are_those_of_a_scan(rays):
    """Cast by hand they meet at the distances that the sensor itself finds, ray by ray."""
    device = sensor_of(fresh.SMALL_DEVICE, bundle={"rays": rays, "divergence_rad": "20 mrad"}, depth=1)
    scene = worlds.million_triangles()
    tracer, window = EmbreeTracer(scene), device.window(0)
    signal = device.sense(View(scene, tracer, Fixed(), worlds.LIDAR_POSE, window))
    cast = tracer.during(window, worlds.LIDAR_POSE.position_m).cast(lidar.primary_rays(device, window))
    by_sensor, by_hand = signal.first.distance_m, cast.distance_m
    np.testing.assert_array_equal(np.isfinite(by_hand), np.isfinite(by_sensor))
    met = np.isfinite(by_hand)
    apart = np.abs(by_hand[met] - by_sensor[met])
    assert met.mean() > 0.3
    assert np.median(apart) < 1e-5
    assert (apart < 1e-3).mean() > 0.999  # directions differ by rounding, which an edge of a triangle may tell


def test_painted_over_street_leads_no_light_on():
    """No mirror and no glass is left, everything else is as it was."""
    street = Street(seed=1, length_m=60).build()
    painted = lidar.painted_over(street)
    old, new = ([part.material for part in scene.parts] for scene in (street, painted))
    smooth = [isinstance(street.library[name].surface, Mirror | Pane | Glass) for name in old]
    assert any(smooth)
    assert not any(isinstance(painted.library[name].surface, Mirror | Pane | Glass) for name in new)
    assert [name for name, was in zip(old, smooth, strict=True) if not was] == [
        name for name, was in zip(new, smooth, strict=True) if not was
    ]


@pytest.mark.parametrize(
    ("material", "painted"), [("water", True), ("mirror", True), ("window_glass", True), ("asphalt", False)]
)
def test_every_smooth_surface_is_painted_over(material, painted):
    scene = lidar.painted_over(Scene((wall(10.0, material=material),)))
    assert (scene.parts[0].material == "plastic_black") == painted


def test_clouds_that_differ_are_counted():
    """One other float is up to four other bytes; an array of another length differs as a whole."""
    one = np.arange(5, dtype=np.float32)
    other = one.copy()
    other[2] = -other[2]
    assert lidar._different_bytes(one, one.copy()) == 0
    assert lidar._different_bytes(one, other) == 1
    assert lidar._different_bytes(one, one[:3]) == 20


def test_casting_is_watched():
    """Time spent in a caster adds up behind the sensor's back, and its answers come through unchanged."""
    scene = Scene((wall(10.0),))
    tracer, device, spent = EmbreeTracer(scene), sensor_of(fresh.SMALL_DEVICE), []
    plain, watched = (
        device.sense(View(scene, who, Fixed(), worlds.LIDAR_POSE, device.window(0)))
        for who in (tracer, lidar._Watched(tracer, spent))
    )
    np.testing.assert_array_equal(plain.first.distance_m, watched.first.distance_m)
    assert len(spent) > 0
    assert sum(spent) > 0


def test_a_fresh_process_is_measured():
    """The way to the first points: its parts fit into the whole, and an interpreter with Numba needs some memory."""
    found = fresh.measured("first_points")
    assert 0 < found.building_s < found.wall_s
    assert found.cpu_s > found.building_s
    assert 50 < found.peak_mb < 2000


def test_peak_memory_is_that_of_the_process_alone():
    """A child does not inherit the peak of a large parent; a block of 300 MB shows."""
    block = np.ones(40_000_000)
    program = "from sensorium.apps.benchmarks.fresh import peak_mb as f; print(f()); x = b'1' * 300_000_000; del x; print(f())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    small, large = map(float, done.stdout.split())
    assert small < block.nbytes * 1e-6
    assert large - small == pytest.approx(300, abs=30)


def test_a_program_that_fails_says_why():
    """The error carries what the process said."""
    with pytest.raises(SensoriumError, match="no_program"):
        fresh.measured("no_program")
