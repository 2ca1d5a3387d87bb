"""Point-cloud files, read by libraries that others wrote."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

import laspy
import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from parcels import assert_same_cloud, cloud, drive
from pypcd4 import PointCloud as PcdCloud
from scipy.spatial.transform import Rotation

from sensorium.core.errors import RecordingError
from sensorium.core.pose import Pose
from sensorium.recording import McapRecorder, export_clouds, open_recording, read_point_cloud, write_point_cloud
from sensorium.recording.point_cloud_files import FORMATS

POSE = Pose(np.array([1000.25, -200.5, 3.125]), np.array([0.9, 0.1, -0.2, 0.3]))
GRID_M = 1e-4


def in_world(sample) -> np.ndarray:
    """The points through an independent rotation matrix."""
    rotation = Rotation.from_quat(POSE.quaternion, scalar_first=True).as_matrix()
    return sample.points_m.astype(float) @ rotation.T + POSE.position_m


def test_pcd_by_pypcd4(tmp_path: Path) -> None:
    """All columns with their types; points in the sensor frame, the pose as VIEWPOINT tx ty tz qw qx qy qz."""
    sample = cloud(2, 300, truth=True)
    write_point_cloud(tmp_path / "a.pcd", sample, POSE)
    found = PcdCloud.from_path(tmp_path / "a.pcd")
    assert found.fields[:8] == ("x", "y", "z", "intensity", "range", "ring", "t", "beam")
    np.testing.assert_array_equal(found.numpy(("x", "y", "z")), sample.points_m)
    for name, expected in (("ring", sample.ring), ("t", sample.time_offset_ns), ("label", sample.truth.label)):
        np.testing.assert_array_equal(found.pc_data[name], expected)
        assert found.pc_data[name].dtype == expected.dtype
    viewpoint = found.metadata.viewpoint
    np.testing.assert_array_equal(viewpoint, [*POSE.position_m, *POSE.quaternion])


def test_ply_by_trimesh(tmp_path: Path) -> None:
    """Vertices in the sensor frame to the bit; with a pose in the world frame to float64's rounding."""
    sample = cloud(2, 300, truth=True)
    write_point_cloud(tmp_path / "a.ply", sample)
    np.testing.assert_array_equal(trimesh.load(tmp_path / "a.ply").vertices, sample.points_m)
    write_point_cloud(tmp_path / "b.ply", sample, POSE)
    np.testing.assert_allclose(trimesh.load(tmp_path / "b.ply").vertices, in_world(sample), rtol=0, atol=1e-10)
    raw = trimesh.load(tmp_path / "a.ply").metadata["_ply_raw"]["vertex"]["data"]
    np.testing.assert_array_equal(np.ravel(raw["ring"]), sample.ring)
    np.testing.assert_array_equal(np.ravel(raw["t"]), sample.time_offset_ns)


@pytest.mark.parametrize("suffix", ["las", "laz"])
def test_las_by_laspy(tmp_path: Path, suffix: str) -> None:
    """World coordinates within half the grid of 0.1 mm; ring, time and all else as extra dimensions; LAZ is smaller."""
    sample = cloud(2, 3000, truth=True)
    path = tmp_path / f"a.{suffix}"
    write_point_cloud(path, sample, POSE)
    las = laspy.read(path)
    assert (str(las.header.version), las.header.point_format.id) == ("1.4", 6)
    np.testing.assert_allclose(np.asarray(las.xyz), in_world(sample), rtol=0, atol=GRID_M / 2 + 1e-9)
    np.testing.assert_array_equal(las["ring"], sample.ring)
    np.testing.assert_array_equal(las["t"], sample.time_offset_ns)
    np.testing.assert_array_equal(las["body"], sample.truth.body)
    np.testing.assert_allclose(las.gps_time, 0.2 + sample.time_offset_ns * 1e-9, rtol=0, atol=1e-12)
    np.testing.assert_allclose(las.intensity / 257, sample.intensity, rtol=0, atol=0.5 / 257 + 255 * 2**-24)
    assert (path.stat().st_size < 3000 * las.header.point_format.size) == (suffix == "laz")


def test_kitti_and_nuscenes_by_numpy(tmp_path: Path) -> None:
    """KITTI: x y z reflectance 0..1; nuScenes: x y z intensity 0..255 ring; float32 rows and nothing else."""
    sample = cloud(2, 300)
    write_point_cloud(tmp_path / "a.bin", sample)
    write_point_cloud(tmp_path / "a.pcd.bin", sample)
    kitti = np.fromfile(tmp_path / "a.bin", "<f4").reshape(-1, 4)
    nuscenes = np.fromfile(tmp_path / "a.pcd.bin", "<f4").reshape(-1, 5)
    np.testing.assert_array_equal(kitti[:, :3], sample.points_m)
    np.testing.assert_allclose(kitti[:, 3], sample.intensity / 255, atol=1e-7)
    np.testing.assert_array_equal(nuscenes, np.column_stack((sample.points_m, sample.intensity, sample.ring)))


@pytest.mark.parametrize("suffix", [".pcd", ".ply"])
@pytest.mark.parametrize("truth", [False, True])
def test_round_trip_is_exact(tmp_path: Path, suffix: str, truth: bool) -> None:
    """PCD and PLY keep every column to the bit, and who measured when."""
    sample = cloud(2, 300, truth=truth)
    write_point_cloud(tmp_path / f"a{suffix}", sample)
    found = read_point_cloud(tmp_path / f"a{suffix}")
    assert_same_cloud(found, sample)
    assert (found.stamp, found.beam_count) == (sample.stamp, sample.beam_count)
    np.testing.assert_array_equal(found.beam, sample.beam)
    assert (found.truth is None) == (not truth)
    if truth:
        np.testing.assert_array_equal(found.return_index, sample.return_index)
        np.testing.assert_array_equal(found.truth.cause, sample.truth.cause)
        np.testing.assert_array_equal(found.truth.incidence_rad, sample.truth.incidence_rad)


@pytest.mark.parametrize("suffix", [".las", ".laz", ".bin", ".pcd.bin"])
@pytest.mark.parametrize("count", [0, 1, 300])
def test_round_trip_within_the_format(tmp_path: Path, suffix: str, count: int) -> None:
    """LAS within half its grid, the float rows within float32; also clouds of one point and of none."""
    sample = cloud(2, count)
    write_point_cloud(tmp_path / f"roof{suffix}", sample)
    found = read_point_cloud(tmp_path / f"roof{suffix}")
    assert found.stamp.sensor == "roof"
    np.testing.assert_allclose(found.points_m, sample.points_m, rtol=0, atol=GRID_M / 2 + 1e-5)
    np.testing.assert_allclose(found.intensity, sample.intensity, rtol=0, atol=0.002)


def test_same_cloud_same_bytes(tmp_path: Path) -> None:
    """No date and no random number goes into any format: two processes write the same file."""
    for suffix in FORMATS:
        write_point_cloud(tmp_path / f"a{suffix}", cloud(2, 300))
    program = (
        "import sys; sys.path[:0] = sys.argv[2:]\n"
        "from parcels import cloud; from sensorium.recording import write_point_cloud\n"
        f"for suffix in {list(FORMATS)!r}: write_point_cloud(sys.argv[1] + suffix, cloud(2, 300))"
    )
    subprocess.run([sys.executable, "-c", program, tmp_path / "b", *sys.path], check=True)
    for suffix in FORMATS:
        assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes(), suffix
    assert laspy.read(tmp_path / "a.las").header.creation_date == date(2026, 1, 1)


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    """A cloud whose columns do not fit together: no file, no part of one, and an older file stays."""
    broken = replace(cloud(0, 10), ring=np.zeros(3, np.uint16))
    (tmp_path / "a.ply").write_bytes(b"older")
    with pytest.raises(ValueError, match="broadcast"):
        write_point_cloud(tmp_path / "a.ply", broken)
    assert [path.name for path in tmp_path.iterdir()] == ["a.ply"]
    assert (tmp_path / "a.ply").read_bytes() == b"older"
    with pytest.raises(RecordingError, match=r"cannot write the point cloud .*No such file"):
        write_point_cloud(tmp_path / "no" / "a.ply", cloud())


@pytest.mark.parametrize(("name", "words"), [("a.pdc", r"Did you mean '\.pcd'"), ("a", "Known: ")])
def test_unknown_suffixes_are_answered(tmp_path: Path, name: str, words: str) -> None:
    """The error names the suffix that was probably meant."""
    with pytest.raises(RecordingError, match=words):
        write_point_cloud(tmp_path / name, cloud())


@pytest.mark.parametrize("suffix", [".pcd", ".ply", ".las", ".laz", ".bin"])
def test_damaged_files_are_named(tmp_path_factory: pytest.TempPathFactory, suffix: str) -> None:
    """Cut or changed anywhere: a cloud or a RecordingError that names the file, never another exception."""
    folder = tmp_path_factory.mktemp("files")
    write_point_cloud(folder / f"a{suffix}", cloud(1, 40, truth=True))
    data = (folder / f"a{suffix}").read_bytes()

    @settings(max_examples=60, deadline=2000)
    @given(st.integers(0, len(data)), st.lists(st.tuples(st.integers(0, 700), st.integers(1, 255)), max_size=3))
    def check(length: int, changes: list[tuple[int, int]]) -> None:
        damaged = bytearray(data[:length])
        for place, change in changes:
            if place < length:
                damaged[place] ^= change
        (folder / f"b{suffix}").write_bytes(damaged)
        refusal = ""
        try:
            read_point_cloud(folder / f"b{suffix}")
        except RecordingError as error:
            refusal = str(error)
        assert not refusal or f"b{suffix}" in refusal

    check()


def test_cut_clouds_are_refused(tmp_path: Path) -> None:
    """A file with fewer points than its header promises is damaged, not a smaller cloud."""
    for suffix in (".pcd", ".ply"):
        path = tmp_path / f"a{suffix}"
        write_point_cloud(path, cloud(1, 40))
        path.write_bytes(path.read_bytes()[:-5])
        with pytest.raises(RecordingError, match="promises 40"):
            read_point_cloud(path)


@pytest.mark.parametrize(
    ("place", "suffix"), [(100, ".las"), (243, ".las"), (247, ".las"), (100, ".laz"), (247, ".laz")]
)
def test_impossible_counts_are_refused_at_once(tmp_path: Path, place: int, suffix: str) -> None:
    """LAS counts its variable records at 100 and 243 and its points at 247: more than the file holds is damage."""
    path = tmp_path / f"a{suffix}"
    write_point_cloud(path, cloud(1, 40))
    data = bytearray(path.read_bytes())
    data[place : place + 4] = b"\xff\xff\xff\x7f"
    path.write_bytes(data)
    with pytest.raises(RecordingError, match=r"more .*than the file can hold"):
        read_point_cloud(path)


def test_recordings_are_exported(tmp_path: Path) -> None:
    """One file per scan, in a folder per sensor, numbered by the sample."""
    samples = [*drive(3), cloud(0, sensor="front")]
    with McapRecorder(tmp_path / "a.mcap") as recorder:
        for sample in samples:
            recorder.write(sample)
    written = export_clouds(open_recording(tmp_path / "a.mcap"), tmp_path / "out", "ply")
    assert sorted(str(path.relative_to(tmp_path / "out")) for path in written) == [
        "front/000000.ply",
        "roof/000000.ply",
        "roof/000001.ply",
        "roof/000002.ply",
    ]
    assert_same_cloud(read_point_cloud(tmp_path / "out/roof/000001.ply"), cloud(1, truth=True), time_ns=4)
    with pytest.raises(RecordingError, match="no suffix"):
        export_clouds(open_recording(tmp_path / "a.mcap"), tmp_path / "no", ".xyz")
    assert not (tmp_path / "no").exists()
