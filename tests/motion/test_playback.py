"""Recorded trajectories: three file formats, exact times, damage that is told with its line, smooth paths."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest
from differentiation import assert_kinematics
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline

from sensorium.core.configuration import Document, build, to_document
from sensorium.core.errors import ConfigurationError, MotionError, SensoriumError
from sensorium.core.pose import Pose
from sensorium.motion import (
    AlongPath,
    AtWaypoints,
    CsvFile,
    Facing,
    KittiFile,
    Playback,
    Recorded,
    Trajectory,
    TumFile,
)

STAMP_NS = 1_305_031_102_175_304_123  # an epoch time whose nanoseconds no float64 of seconds can hold
COUNT = 30


def recording(seed: int = 1) -> Trajectory:
    """Return a smooth tumbling flight at uneven times since an epoch."""
    rng = np.random.default_rng(seed)
    times = STAMP_NS + np.cumsum(rng.integers(20_000_000, 60_000_000, COUNT))
    s = (times - STAMP_NS) * 1e-9
    place = np.stack((3 * np.sin(s), 2 * np.cos(1.3 * s), 0.3 * s), -1)
    turned = Pose.from_rpy(place, np.stack((0.3 * np.sin(s), 0.2 * np.cos(s), 0.8 * s), -1)).quaternion
    return Trajectory(times, place, turned)


def seconds_of(time_ns: int) -> str:
    return f"{time_ns // 10**9}.{time_ns % 10**9:09d}"


def write_tum(path: Path, t: Trajectory) -> Path:
    columns = np.hstack((t.position_m, t.quaternion[:, [1, 2, 3, 0]])).tolist()
    rows = [" ".join((seconds_of(n), *map(repr, row))) for n, row in zip(t.times_ns.tolist(), columns, strict=True)]
    path.write_text("# time tx ty tz qx qy qz qw\n" + "\n".join(rows) + "\n")
    return path


def write_kitti(path: Path, t: Trajectory) -> tuple[Path, Path]:
    np.savetxt(path, Pose(t.position_m, t.quaternion).matrix()[:, :3].reshape(-1, 12), fmt="%.17e")
    stamps = path.with_name("times.txt")
    stamps.write_text("\n".join(seconds_of(n) for n in t.times_ns.tolist()) + "\n")
    return path, stamps


def write_csv(path: Path, header: str, columns: np.ndarray, times: list[str]) -> Path:
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header.split(","))
        writer.writerows([time, *map(float, row)] for time, row in zip(times, columns, strict=True))
    return path


def assert_same(found: Trajectory, wanted: Trajectory, tolerance: float) -> None:
    assert (found.times_ns == wanted.times_ns).all()
    assert np.abs(found.position_m - wanted.position_m).max() <= tolerance
    assert np.abs(np.abs(np.sum(found.quaternion * wanted.quaternion, 1)) - 1).max() < 1e-14


def test_tum_round_trip(tmp_path):
    """Times to the nanosecond, positions bit for bit, quaternions from xyzw to wxyz."""
    wanted = recording()
    assert_same(TumFile(path=write_tum(tmp_path / "a.tum", wanted)).read(), wanted, 0)


def test_kitti_round_trip(tmp_path):
    """The 3 x 4 matrices are [R | t]; times come from their own file, or k / rate."""
    wanted = recording()
    poses, times = write_kitti(tmp_path / "poses.txt", wanted)
    assert_same(KittiFile(path=poses, times_path=times).read(), wanted, 0)
    even = KittiFile(path=poses, rate_hz="30 Hz").read()
    assert even.times_ns.tolist() == [round(k * 1e9 / 30) for k in range(COUNT)]


def test_csv_round_trip(tmp_path):
    """Columns are found by name in any order, with quaternions or angles in rad or deg, seconds or nanoseconds."""
    t = recording()
    rpy = Pose(t.position_m, t.quaternion).rpy_rad()
    stamps, whole = [seconds_of(n) for n in t.times_ns.tolist()], [str(n) for n in t.times_ns.tolist()]
    degrees = np.degrees(rpy[:, [2, 0, 1]])
    contents = [
        ("time_s,qw,qx,qy,qz,x_m,y_m,z_m", (t.quaternion, t.position_m), stamps),
        ("time_ns,x_m,y_m,z_m,roll_rad,pitch_rad,yaw_rad", (t.position_m, rpy), whole),
        ("time_s,x_m,y_m,z_m,speed,yaw_deg,roll_deg,pitch_deg", (t.position_m, rpy[:, :1], degrees), stamps),
    ]
    for header, columns, times in contents:
        file = write_csv(tmp_path / "a.csv", header, np.hstack(columns), times)
        assert_same(CsvFile(path=file).read(), t, 0)
    flat = write_csv(tmp_path / "d.csv", "time_s,x_m,y_m,z_m", t.position_m, stamps)
    assert CsvFile(path=flat).read().quaternion is None


def test_path_is_the_spline_of_the_records(tmp_path):
    """From `start_s` on the body passes every record; position is SciPy's not-a-knot spline; outside it holds."""
    t = recording()
    motion = Playback(file=str(write_tum(tmp_path / "a.tum", t)), start_s="2 s")
    since = t.times_ns - t.times_ns[0]
    passed = motion.pose_at(since + 2 * 10**9)
    assert np.abs(passed.position_m - t.position_m).max() < 1e-13
    assert np.abs(np.abs(np.sum(passed.quaternion * t.quaternion, 1)) - 1).max() < 1e-14
    judge = CubicSpline(since * 1e-9, t.position_m)
    at = np.linspace(0, since[-1], 200).astype(np.int64)
    k = motion.kinematics_at(at + 2 * 10**9)
    for order, found in enumerate((k.pose.position_m, k.velocity_m_s, k.acceleration_m_s2)):
        assert np.abs(found - judge(at * 1e-9, order)).max() < 1e-10
    assert_kinematics(motion, at + 2 * 10**9, since + 2 * 10**9)
    outside = motion.kinematics_at(np.array([0, 10**12]))
    assert (outside.pose.position_m == passed.position_m[[0, -1]]).all()
    assert not outside.velocity_m_s.any()


def test_smooth_recordings_come_back_smooth():
    """A cubic spline through samples of a smooth flight has its derivatives to h^3 and h^2 (C. de Boor, 1978, ch. V)."""
    t = recording()
    s = (t.times_ns - STAMP_NS) * 1e-9
    at = np.linspace(s[5], s[-6], 300)
    k = Recorded(t).kinematics_at(np.rint((at - s[0]) * 1e9).astype(np.int64))
    h = np.diff(s).max()
    velocity = np.stack((3 * np.cos(at), -2.6 * np.sin(1.3 * at), 0.3 + 0 * at), -1)
    acceleration = np.stack((-3 * np.sin(at), -3.38 * np.cos(1.3 * at), 0 * at), -1)
    fourth = 2 * 1.3**4
    assert np.abs(k.velocity_m_s - velocity).max() < fourth * h**3 / 24 + 1e-8
    assert np.abs(k.acceleration_m_s2 - acceleration).max() < 3 / 8 * fourth * h**2


def test_a_recording_can_be_placed():
    """T_world_body = T_world_origin T_origin_recorded T_recorded_body at every record."""
    t = recording()
    origin, body = Pose.from_rpy((5, 6, 7), (0.1, 0.2, 2)), Pose.from_rpy((1, 0, -0.5), (0, -np.pi / 2, np.pi / 2))
    placed = t.placed(origin, body)
    wanted = origin.matrix() @ Pose(t.position_m, t.quaternion).matrix() @ body.matrix()
    assert np.abs(Pose(placed.position_m, placed.quaternion).matrix() - wanted).max() < 1e-13


def test_without_orientation_the_nose_follows_the_path(tmp_path):
    """A file of positions needs an orientation that does not come from it; the message says which."""
    t = recording()
    stamps = [seconds_of(n) for n in t.times_ns.tolist()]
    path = write_csv(tmp_path / "a.csv", "time_s,x_m,y_m,z_m", t.position_m, stamps)
    times = np.array([10**8, 3 * 10**8])
    k = Playback(file=path, orientation=AlongPath()).kinematics_at(times)
    assert k.pose.rpy_rad()[:, 2] == pytest.approx(np.arctan2(k.velocity_m_s[:, 1], k.velocity_m_s[:, 0]))
    assert Playback(file=path, orientation=Facing()).pose_at(times).quaternion[0].tolist() == [1, 0, 0, 0]
    with pytest.raises(MotionError, match=r"a\.csv:2: no orientation is recorded"):
        Playback(file=path, orientation=AtWaypoints()).pose_at(times)
    with pytest.raises(MotionError, match="T_recorded_body"):
        Playback(file=path, orientation=AlongPath(), T_recorded_body=Pose.at(1, 0, 0)).pose_at(times)


GOOD = ["0.0 0 0 0 0 0 0 1", "0.1 1 0 0 0 0 0 1", "0.2 2 0 0 0 0 0 1"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("0.15 1 0 0 0 0 1", "expected 8 numbers, time tx ty tz qx qy qz qw, found 7"),
        ("0.15 1 0 zero 0 0 0 1", "tz must be a number, found 'zero'"),
        ("0.15 1 nan 0 0 0 0 1", "ty must be finite, found 'nan'"),
        ("0.15 1 0 inf 0 0 0 1", "tz must be finite"),
        ("0.15 1 0 1e300 0 0 0 1", "the position is [1.0, 0.0, 1e+300]"),
        ("0.15 1 0 0 0 0 0 1.2", "the quaternion has the length 1.2, it must be 1"),
        ("0.15 1 0 0 0 0 0 0", "the quaternion has the length 0"),
        ("0.1 1 0 0 0 0 0 1", "the time 100000000 ns is not later than that of the record before, 100000000 ns"),
        ("0.05 1 0 0 0 0 0 1", "the time 50000000 ns is not later"),
        ("nan 1 0 0 0 0 0 1", "the time must be a number of seconds"),
        ("1e30 1 0 0 0 0 0 1", "the time must be a number of seconds"),
        ("noon 1 0 0 0 0 0 1", "the time must be a number of seconds"),
    ],
)
def test_damage_is_told_with_file_line_and_reason(tmp_path, line, told):
    """The message holds file:line, what was found, and what to do; comments and empty lines count as lines."""
    path = tmp_path / "run.tum"
    path.write_text("\n".join(("# head", "", *GOOD[:2], line, *GOOD[2:])))
    with pytest.raises(MotionError, match=re.escape(f"{path}:5: {told}")):
        Playback(file=path).pose_at(np.array([0]))


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.tum", b"", "a.tum: a trajectory needs at least 2 records, found 0"),
        ("a.tum", GOOD[0].encode(), "a.tum:1: a trajectory needs at least 2 records, found 1"),
        ("a.tum", b"\xff\xfe\x00garbage", "is not a text file"),
        ("a.csv", b"", "a.csv:1: the file is empty"),
        ("a.csv", b"time,x_m,y_m,z_m\n", "a.csv:1: the column 'time_s' is missing. Is it 'time'?"),
        ("a.csv", b"time_s,x_m,y_m,z\n", "the column 'z_m' is missing"),
        ("a.csv", b"time_s,x_m,y_m,z_m,qw,qx,qy\n", "the column 'qz' is missing"),
        ("a.csv", b"time_s,x_m,y_m,z_m,yaw_deg,yaw_rad\n", "time_s, yaw_rad, yaw_deg say one thing twice"),
        ("a.csv", b"time_s,time_ns,x_m,y_m,z_m\n", "say one thing twice"),
        ("a.csv", b"time_s,x_m,y_m,z_m,x_m\n", "the column 'x_m' stands twice"),
        ("a.csv", b"time_s,x_m,y_m,z_m\n0,1,2,3\n\n1,2,3\n", "a.csv:4: expected 4 columns, found 3"),
        ("a.csv", b"time_s,x_m,y_m,z_m\n", "a.csv: a trajectory needs at least 2 records, found 0"),
        ("a.csv", b"time_s,x_m,y_m,z_m\n0,0,0," + b"1" * 200_000, "a.csv:2: is not CSV: field larger than"),
        ("a.bag", b"", "the ending of"),
    ],
)
def test_useless_files_are_told(tmp_path, name, content, told):
    """Empty, short, binary and misnamed files are refused with a reason."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(SensoriumError, match=re.escape(told)):
        Playback(file=path, orientation=AlongPath()).pose_at(np.array([0]))


def test_missing_files_are_told(tmp_path):
    """A file that is not there is named, with the nearest that is; from a document before anything runs."""
    (tmp_path / "run_1.tum").write_text("\n".join(GOOD))
    with pytest.raises(MotionError, match=r"there is no trajectory file .*Did you mean 'run_1.tum'"):
        Playback(file=tmp_path / "run1.tum").pose_at(np.array([0]))
    with pytest.raises(ConfigurationError, match=r"file.path: there is no file .*Did you mean 'run_1.tum'"):
        build(Playback, Document({"file": "run1.tum"}, folder=tmp_path))
    motion = build(Playback, Document({"file": "run_1.tum"}, folder=tmp_path))
    assert motion.pose_at(np.array([10**8])).position_m.tolist() == [[1, 0, 0]]
    assert build(Playback, to_document(motion)) == motion


def test_kitti_damage_is_told(tmp_path):
    """Matrices that are no rotations, and times that do not match the poses, are refused."""
    poses, times = write_kitti(tmp_path / "poses.txt", recording())
    lines = poses.read_text().splitlines()
    lines[3] = "2 0 0 0 0 1 0 0 0 0 1 0"
    (tmp_path / "bad.txt").write_text("\n".join(lines))
    with pytest.raises(MotionError, match=r"bad.txt:4: the 3 x 3 matrix is not a rotation"):
        KittiFile(path=tmp_path / "bad.txt", times_path=times).read()
    (tmp_path / "few.txt").write_text("0.1\n0.2\n")
    with pytest.raises(MotionError, match=r"few.txt: holds 2 times, but .*poses.txt holds 30 poses"):
        KittiFile(path=poses, times_path=tmp_path / "few.txt").read()
    with pytest.raises(ConfigurationError, match="either times_path or rate_hz"):
        KittiFile(path=poses)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["a.tum", "a.csv", "a.txt"]), st.data())
def test_no_damage_escapes(tmp_path, name, data):
    """Whatever bytes a file holds, it is read or refused with `MotionError`, and what is read is finite."""
    good = "\n".join(GOOD) if name != "a.csv" else "time_s,x_m,y_m,z_m,yaw_deg\n0,1,2,3,4\n1,2,3,4,5\n2,2,3,5,1\n"
    content = bytearray(good.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=4))
    path = tmp_path / name
    path.write_bytes(bytes(content))
    motion = Playback(file=path)
    try:
        k = motion.kinematics_at(np.array([0, 5 * 10**8]))
    except MotionError as refusal:
        told = str(refusal)
    else:
        told = str(path)
        assert np.isfinite(k.pose.position_m).all()
        assert np.isfinite(k.acceleration_m_s2).all()
    assert str(path) in told


def test_arrays_are_judged_like_files():
    """A trajectory from arrays names the record that cannot be used."""
    t = recording()
    with pytest.raises(MotionError, match="record 2: the time"):
        Trajectory(t.times_ns[[0, 1, 1]], t.position_m[:3], t.quaternion[:3])
    with pytest.raises(MotionError, match="positions"):
        Trajectory(t.times_ns, t.position_m[:3])
