"""Each command does what its help says."""

from __future__ import annotations

import resource
import subprocess
from pathlib import Path

import laspy
import numpy as np
import pytest
import trimesh
from end_to_end.outside import COMMAND, ENVIRONMENT, Run
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
from PIL import Image
from pypcd4 import PointCloud as ForeignCloud

from sensorium import __version__
from sensorium.recording import open_recording
from sensorium.samples import PointCloud


def test_help_answers_at_once(tmp_path: Path) -> None:
    """Under half a second of processor time, the best of three, for the program and for a command of it."""

    def seconds_for(*arguments: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*COMMAND, *arguments], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds_for("--help") for _ in range(3)) < 0.5
    assert min(seconds_for("run", "--help") for _ in range(3)) < 0.5


def test_version_and_no_arguments(sensorium: Run, tmp_path: Path) -> None:
    """The version is the package's; without a command the help is shown and the status says that nothing was done."""
    assert sensorium("--version", cwd=tmp_path).out == f"sensorium {__version__}\n"
    assert "inspect" in (told := sensorium(cwd=tmp_path, status=2)).out + told.err


def test_every_command_has_a_help(sensorium: Run, tmp_path: Path) -> None:
    """Each command in the overview explains itself."""
    shown = sensorium("--help", cwd=tmp_path).out
    commands = [
        line.split()[1]
        for line in shown.split("Commands", 1)[1].splitlines()
        if line.startswith("│ ") and line[2] != " "
    ]
    assert {"demo", "run", "inspect", "view", "export", "catalog", "bench"} <= set(commands)
    for command in commands:
        assert "Usage" in sensorium(command, "--help", cwd=tmp_path).out


def test_run_leaves_a_recording_that_others_read(drive: Path) -> None:
    """The reader of the MCAP project with its own ROS 2 decoder finds clouds, frames and truth at their rates."""
    counts: dict[str, int] = {}
    with drive.open("rb") as file:
        reader = make_reader(file, validate_crcs=True, decoder_factories=[DecoderFactory()])
        for _, channel, _, message in reader.iter_decoded_messages():
            counts[channel.topic] = counts.get(channel.topic, 0) + 1
            if channel.topic == "/lidar/points":
                assert message.header.frame_id == "lidar"
                assert message.width * message.height > 50_000
    assert counts["/lidar/points"] == 3
    assert counts["/truth/motion"] == 7
    assert {"/tf", "/tf_static", "/clock"} <= set(counts)
    assert [path.name for path in drive.parent.iterdir()] == ["drive.mcap"]


def test_run_names_its_recording_after_the_scenario(sensorium: Run, folder: Path) -> None:
    """Without --out a recording lands in out/, and settings of the command line count."""
    told = sensorium("run", "tiny.yaml", "--set", "duration_s=0.1", "--set", "rig[0].sensor.rate_hz=20 Hz", cwd=folder)
    assert told.out.startswith("out/tiny.mcap: 0.1 s in ")
    assert "2 lidar" in told.out
    assert "rate_hz: 20" in open_recording(folder / "out/tiny.mcap").scenario_text


def test_inspect_says_and_draws(sensorium: Run, drive: Path, tmp_path: Path) -> None:
    """A table of all topics and a picture with something in it."""
    told = sensorium("inspect", drive, "--png", "sheet.png", "--time-s", "0.2", cwd=tmp_path)
    assert "/lidar/points" in told.out
    assert "first_drive" in told.out or "seed 7" in told.out
    picture = np.asarray(Image.open(tmp_path / "sheet.png").convert("RGB"))
    assert min(picture.shape[:2]) > 800
    assert picture.std() > 10


def _pcd(path: Path) -> np.ndarray:
    return ForeignCloud.from_path(path).numpy(("x", "y", "z"))


def _ply(path: Path) -> np.ndarray:
    return trimesh.load(path).vertices


def _las(path: Path) -> np.ndarray:
    return laspy.read(path).xyz


def _bin(path: Path) -> np.ndarray:
    return np.fromfile(path, "<f4").reshape(-1, 4)[:, :3]


@pytest.mark.parametrize(
    ("kind", "read"),
    [("pcd", _pcd), ("ply", _ply), ("laz", _las), ("las", _las), ("bin", _bin)],
    ids=lambda it: str(it)[:4],
)
def test_export_writes_every_scan_in_every_format(sensorium: Run, drive: Path, tmp_path: Path, kind: str, read) -> None:
    """Readers of other projects find the points of the recording, to the millimetre."""
    told = sensorium("export", drive, "clouds", "--format", kind, cwd=tmp_path)
    assert told.out == "3 files in clouds\n"
    files = sorted((tmp_path / "clouds" / "lidar").iterdir())
    assert [path.name for path in files] == [f"{index:06d}.{kind}" for index in range(3)]
    scans = [sample for sample in open_recording(drive).samples("lidar") if isinstance(sample, PointCloud)]
    np.testing.assert_allclose(read(files[1]), scans[1].points_m, atol=1.001e-3)


def test_catalog_lists_and_explains(sensorium: Run, tmp_path: Path) -> None:
    """All devices with sources; one by name with all its figures."""
    listed = sensorium("catalog", cwd=tmp_path).out
    names = [path.stem for path in (Path(__file__).parents[2] / "src/sensorium/sensors/catalog").glob("*.yaml")]
    assert len(names) >= 14
    assert all(name in listed for name in names)
    assert "63-9243" in sensorium("catalog", "velodyne_vlp16", cwd=tmp_path).out


def test_view_saves_for_rerun(sensorium: Run, drive: Path, tmp_path: Path) -> None:
    """The extra's file is written without opening a window."""
    pytest.importorskip("rerun")
    assert sensorium("view", drive, "--save", "drive.rrd", cwd=tmp_path).out == "drive.rrd\n"
    assert (tmp_path / "drive.rrd").read_bytes()[:3] == b"RRF"


def test_a_reader_that_has_seen_enough_is_no_failure(drive: Path, tmp_path: Path) -> None:
    """`sensorium catalog | head -1` says nothing of broken pipes."""
    line = f"{' '.join(COMMAND)} catalog | head -1"
    done = subprocess.run(line, shell=True, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


def test_the_scenario_in_a_recording_makes_the_recording(sensorium: Run, tiny_drive: Path, tmp_path: Path) -> None:
    """What a recording keeps is a scenario file: run again, it gives the same bytes."""
    (tmp_path / "again.yaml").write_text(open_recording(tiny_drive).scenario_text)
    sensorium("run", "again.yaml", "--out", "again.mcap", cwd=tmp_path)
    assert (tmp_path / "again.mcap").read_bytes() == tiny_drive.read_bytes()
