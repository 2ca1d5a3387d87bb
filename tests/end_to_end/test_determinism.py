"""The same seed gives the same bytes, whoever asks and however often; what is added disturbs nobody."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
from end_to_end.outside import DRIVE, Run

from sensorium.recording import open_recording
from sensorium.samples import PointCloud, TruthSample


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_same_seed_same_bytes(sensorium: Run, drive: Path, tmp_path: Path) -> None:
    """The street, recorded by one process with two threads and by another one with one thread, is the same file."""
    sensorium(*DRIVE, "--threads", "1", "--out", "one.mcap", cwd=tmp_path)
    assert digest(tmp_path / "one.mcap") == digest(drive)


def test_another_seed_gives_other_bytes(sensorium: Run, tiny_drive: Path, folder: Path) -> None:
    """The seed is what decides, and nothing else in the file does."""
    sensorium("run", "tiny.yaml", "--set", "seed=4", "--out", "other.mcap", cwd=folder)
    same, other = (arrays_of(path, "lidar") for path in (tiny_drive, folder / "other.mcap"))
    assert len(same) == len(other)
    assert not set(same) & set(other)


def arrays_of(path: Path, sensor: str) -> list[bytes]:
    """All that the samples of one sensor hold, as bytes."""
    found = []
    for sample in open_recording(path).samples(sensor):
        if isinstance(sample, PointCloud):
            parts = [sample.points_m, sample.range_m, sample.intensity, sample.ring, sample.time_offset_ns, sample.beam]
        else:
            assert isinstance(sample, TruthSample)
            parts = [sample.pose.position_m, sample.pose.quaternion, sample.velocity_m_s]
        found.append(repr(sample.stamp).encode() + b"".join(np.ascontiguousarray(part).tobytes() for part in parts))
    return found


def test_a_sensor_more_changes_nothing_of_the_others(sensorium: Run, tiny_drive: Path, folder: Path) -> None:
    """A second LiDAR in front of the first one in the rig leaves every sample of the first one and of the truth as it was."""
    text = (folder / "tiny.yaml").read_text()
    more = "  - {name: second, body: cart, pose: {position_m: [0.4, 0, 1]}, sensor: {type: lidar, device: velodyne_hdl32e}}\n"
    (folder / "two.yaml").write_text(text.replace("rig:\n", f"rig:\n{more}"))
    sensorium("run", "two.yaml", "--out", "two.mcap", cwd=folder)
    assert set(open_recording(folder / "two.mcap").sensors) == {"lidar", "second", "truth"}
    assert len(arrays_of(folder / "two.mcap", "second")) == 5
    for sensor, count in (("lidar", 5), ("truth", 11)):
        alone = arrays_of(tiny_drive, sensor)
        assert len(alone) == count
        assert arrays_of(folder / "two.mcap", sensor) == alone
