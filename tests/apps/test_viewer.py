import subprocess
import sys
import urllib.request
from pathlib import Path

import numpy as np
import pytest

from sensorium.apps import viewer
from sensorium.apps.colours import by_intensity, by_ring
from sensorium.apps.rerun_file import write_rerun_file
from sensorium.core.errors import ConfigurationError, MissingExtraError


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


@pytest.fixture
def saved(rerun, recorded_drive, tmp_path):
    path = tmp_path / "drive.rrd"
    assert viewer.view(recorded_drive, save=path) is None
    return path


def test_a_saved_file_passes_the_check_of_rerun(saved):
    """Rerun's own program finds no fault in the file."""
    import rerun_cli

    program = Path(rerun_cli.__file__).parent / "rerun"
    subprocess.run([program, "rrd", "verify", saved], check=True, env={"CI": "1"}, capture_output=True)


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
