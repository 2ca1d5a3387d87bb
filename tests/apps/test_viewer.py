import subprocess
import sys
import urllib.request
from pathlib import Path

import numpy as np
import pytest

from sensorium.apps import viewer
from sensorium.apps.colours import by_intensity, by_ring
from sensorium.apps.rerun_file import write_rerun_file
from sensorium.apps.rerun_sink import sink_to
from sensorium.core.errors import ConfigurationError, MissingExtraError, SensoriumError


@pytest.fixture
def rerun():
    return pytest.importorskip("rerun")


def rows_of(path, entity):
    """Return what a file holds on an entity: column name -> list of rows, by Rerun's own reader."""
    import pyarrow
    from rerun.chunk import RrdReader

    found = {}
    for chunk in RrdReader(path).stream():
        if str(chunk.entity_path) == entity:
            batch = chunk.to_record_batch()
            for name, column in zip(batch.schema.names, batch.columns, strict=True):
                plain = column.cast(pyarrow.int64()) if pyarrow.types.is_duration(column.type) else column
                found.setdefault(name, []).extend(plain.to_pylist())
    return found


def rerun_program():
    import rerun_cli

    return Path(rerun_cli.__file__).parent / "rerun"


@pytest.fixture
def saved(rerun, recorded_drive, tmp_path):
    path = tmp_path / "drive.rrd"
    assert viewer.view(recorded_drive, save=path) is None
    return path


def test_a_saved_file_passes_the_check_of_rerun(saved):
    """Rerun's own program finds no fault in the file."""
    subprocess.run([rerun_program(), "rrd", "verify", saved], check=True, env={"CI": "1"}, capture_output=True)


def test_clouds_stand_in_the_map_at_the_middle_of_their_scan(saved):
    """Five scans of a wall at x = 40 m, shown at 0.05, 0.15 ... s, every point in the colour of its intensity."""
    rows = rows_of(saved, "/world/points/lidar")
    assert len(rows["Points3D:positions"]) == 5
    np.testing.assert_allclose(np.array(rows["Points3D:positions"])[..., 0], 40.0, atol=2e-5)
    np.testing.assert_allclose(np.array(rows["time"]) * 1e-9, np.arange(5) * 0.1 + 0.05, atol=2e-5)
    red, green, blue = (int(c) for c in by_intensity([40.0])[0])
    assert set(rows["Points3D:colors"][0]) == {red << 24 | green << 16 | blue << 8 | 255}


def test_boxes_and_frames_follow_the_truth(saved):
    """Eleven instants; at 0.5 s the car is at x = 5 m, its box 0.8 m higher, the LiDAR's frame fixed to the car."""
    boxes = rows_of(saved, "/world/truth")
    np.testing.assert_allclose(boxes["Boxes3D:centers"][10], [(5, 0, 0.8), (20, 3, 1)], atol=1e-6)
    np.testing.assert_allclose(boxes["Boxes3D:half_sizes"][10], [(2, 1, 0.8), (3, 1, 1)], atol=1e-6)
    car, lidar = rows_of(saved, "/world/ego"), rows_of(saved, "/world/ego/lidar")
    np.testing.assert_allclose(car["Transform3D:translation"][10], [(5, 0, 0)], atol=1e-6)
    np.testing.assert_allclose(lidar["Transform3D:translation"][0], [(1, 0, 2)], atol=1e-6)
    half = np.sqrt(0.5)
    np.testing.assert_allclose(lidar["Transform3D:quaternion"][0], [(0, 0, half, half)], atol=1e-6)


def test_plots_show_counts_and_rates(saved):
    """4000 returns in each of five scans; four steps of 10 Hz between them."""
    assert rows_of(saved, "/plots/returns/lidar")["Scalars:scalars"][-5:] == [[4000.0]] * 5
    np.testing.assert_allclose(rows_of(saved, "/plots/rate/lidar")["Scalars:scalars"][-4:], [[10.0]] * 4)


def test_colours_can_be_chosen(rerun, recorded_drive, tmp_path):
    """With the colouring "ring" the points carry the eight ring colours."""
    path = write_rerun_file(recorded_drive, tmp_path / "ring.rrd", colour="ring")
    colours = set(rows_of(path, "/world/points/lidar")["Points3D:colors"][0])
    assert colours == {int(r) << 24 | int(g) << 16 | int(b) << 8 | 255 for r, g, b in by_ring(np.arange(8))}


def test_in_the_frame_of_the_vehicle_the_world_moves_past(rerun, recorded_drive, tmp_path):
    """At the middle of scan k, 0.05 + 0.1 k s less half a step of 25 us, the car is at x = 10 t: the wall at 40 m is
    40 - 10 t ahead, flat; the car stands at the origin; the van at (20, 3, 1) comes nearer.
    """
    path = write_rerun_file(recorded_drive, tmp_path / "vehicle.rrd", frame="vehicle")
    walls = np.array(rows_of(path, "/world/points/lidar")["Points3D:positions"])[..., 0]
    np.testing.assert_allclose(walls, np.tile(39.500125 - np.arange(5)[:, None], 4000), atol=2e-5)
    np.testing.assert_allclose(rows_of(path, "/world/ego")["Transform3D:translation"], [[(0, 0, 0)]] * 11, atol=1e-6)
    centres = np.array(rows_of(path, "/world/truth")["Boxes3D:centers"])
    np.testing.assert_allclose(centres[:, 0], [(0, 0, 0.8)] * 11, atol=1e-6)
    np.testing.assert_allclose(centres[:, 1, 0], 20 - 0.5 * np.arange(11), atol=1e-6)
    assert rows_of(path, "/world/paths/ego") == {}


def test_accumulated_clouds_show_each_place_once(rerun, recorded_drive, tmp_path):
    """The wall is scanned five times; over one second each 0.5 m square of it has one point, in its first scan or later.
    With 0.1 s every scan stands alone, and its own squares are thinned.
    """
    paths = [tmp_path / "long.rrd", tmp_path / "short.rrd"]
    for path, time_s in zip(paths, (1.0, 0.1), strict=True):
        write_rerun_file(recorded_drive, path, accumulate_s=time_s, voxel_m=0.5)
    long, short = ([np.array(p).reshape(-1, 3) for p in rows_of(path, "/world/points/lidar")["Points3D:positions"]]
                   for path in paths)  # fmt: skip
    squares = np.floor(np.concatenate(long)[:, 1:] / 0.5)
    depth = np.floor(np.concatenate(long)[:, 0] / 0.5)
    cubes = np.concatenate((depth[:, None], squares), -1)
    assert len(np.unique(cubes, axis=0)) == len(cubes)
    assert len(long[0]) > 3 * len(long[1]) > 0
    assert [len(cloud) for cloud in short] == pytest.approx([len(short[0])] * 5, rel=0.2)


def test_the_view_of_accumulated_clouds_reaches_back(rerun, recorded_drive, tmp_path):
    """Rerun's program finds no fault, and the layout in the file holds a visible time range of 1.5 s for the cloud."""
    path = write_rerun_file(recorded_drive, tmp_path / "map.rrd", accumulate_s=1.5)
    said = subprocess.run(
        [rerun_program(), "rrd", "print", "-vvv", path], env={"CI": "1"}, capture_output=True, text=True
    )
    assert "VisibleTimeRanges" in said.stdout
    assert "-1500000000" in said.stdout.replace("_", "")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"frame": "vehcle"}, r"'vehcle' is not a frame.*Did you mean 'vehicle'"),
        ({"frame": "vehicle", "accumulate_s": 2.0}, r"cannot be accumulated in the frame of a vehicle.*'ground'"),
        ({"accumulate_s": 0.0}, r"above 0 s, found 0 s"),
        ({"follow": "egg"}, r"no body 'egg'.*Did you mean 'ego'"),
        ({"colour": "material"}, r"'lidar' carry no material.*point_truth: true"),
    ],
)
def test_what_cannot_be_shown_is_told_and_leaves_no_file(rerun, recorded_drive, tmp_path, settings, message):
    """One message with the remedy; neither the file nor a part of it stays."""
    with pytest.raises(SensoriumError, match=message):
        write_rerun_file(recorded_drive, tmp_path / "here" / "x.rrd", **settings)
    assert not list(tmp_path.glob("here/*"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told_and_nobody_waits(rerun):
    """A sink that refuses every byte ends the block with its own error, also after more than a pipe can hold."""
    stream = rerun.RecordingStream("sensorium", send_properties=False)
    points = np.random.default_rng(0).random((200_000, 3), np.float32)  # 2.4 MB; a pipe holds 64 kB

    def fill():
        with sink_to(stream, Path("/dev/full")):
            for _ in range(5):
                stream.log("points", rerun.Points3D(points))
                stream.flush()

    with pytest.raises(OSError, match="No space left"):
        fill()


def test_a_long_recording_fits_into_memory(rerun, tmp_path):
    """What is logged and flushed does not pile up: 96 MB go to a slow disk, and the process grows by less than 40 MB."""
    program = """
import os, resource, sys, time
from pathlib import Path
import numpy as np, rerun
from sensorium.apps import rerun_sink

def slowly(file, piece, write=os.write):
    time.sleep(0.001)
    return write(file, piece)

def peak_mb():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3

stream, rng = rerun.RecordingStream("sensorium", send_properties=False), np.random.default_rng(0)
rerun_sink.os.write = slowly
with rerun_sink.sink_to(stream, Path(sys.argv[1])):
    for turn in range(27):
        stream.log("points", rerun.Points3D(rng.random((333_333, 3), np.float32)))
        stream.flush()
        before = peak_mb() if turn == 2 else before if turn else 0.0
print(peak_mb() - before)
"""
    path = tmp_path / "long.rrd"
    said = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True)
    assert path.stat().st_size > 90e6
    assert float(said.stdout) < 40
    path.unlink()


def test_the_command_says_what_is_missing(rerun, recorded_drive, tmp_path):
    """`view --colour cause` of a recording without the truth of points: one message, exit status 2, no traceback."""
    save = tmp_path / "x.rrd"
    command = [sys.executable, "-m", "sensorium.apps.command_line", "view", recorded_drive.path, "--save", save]
    said = subprocess.run([*command, "--colour", "cause"], capture_output=True, text=True)
    assert (said.returncode, save.exists()) == (2, False)
    assert "carry no cause" in said.stderr
    assert "Traceback" not in said.stderr
    said = subprocess.run([*command, "--frame", "vehicle", "--colour", "range"], capture_output=True, text=True)
    assert (said.returncode, said.stdout.strip()) == (0, str(save))


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.168.1.5", "example.org", ""])
def test_the_network_is_refused(address, recorded_drive, monkeypatch):
    """Only loopback addresses are served, and the message says how to look from elsewhere; nothing is started first."""
    monkeypatch.setattr(viewer.subprocess, "Popen", lambda *_, **__: pytest.fail("a viewer was started"))
    with pytest.raises(ConfigurationError, match=r"this machine only.*ssh -L"):
        viewer.view(recorded_drive, web=True, address=address)


def test_without_rerun_the_extra_is_named(recorded_drive, monkeypatch):
    """The error says which extra brings the package."""
    monkeypatch.setitem(sys.modules, "rerun", None)
    with pytest.raises(MissingExtraError, match=r"sensorium\[viewer\]"):
        viewer.view(recorded_drive, web=True)


def listening(pid):
    """Return the addresses (hexadecimal, as in /proc/net/tcp) on which a process listens."""
    inodes = {link.readlink().name for link in Path(f"/proc/{pid}/fd").iterdir() if "socket" in str(link.readlink())}
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in inodes:
                found.add(fields[1].split(":")[0])
    return found


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_the_browser_is_served_on_this_machine_only(rerun, recorded_drive):
    """The page answers; the process listens on 127.0.0.1 alone; it ends with the block and leaves no file."""
    with viewer.view(recorded_drive, web=True) as shown:
        with urllib.request.urlopen(shown.url, timeout=10) as page:
            assert b"rerun" in page.read().lower()
        assert listening(shown.process.pid) == {"0100007F"}
        folder = Path(shown.process.args[1]).parent
        assert folder.is_dir()
    assert shown.process.returncode is not None
    assert not folder.exists()
