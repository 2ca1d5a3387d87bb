"""The recorder's files, read by libraries that others wrote; and what becomes of them when a run ends early."""

from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from lz4.frame import decompress
from mcap.reader import make_reader
from mcap.records import Message, MessageIndex
from mcap.stream_reader import StreamReader
from mcap_ros2.decoder import DecoderFactory
from parcels import Seat, cloud, drive, truth
from rosbags.highlevel import AnyReader
from rosbags.interfaces import QosDurability

from sensorium.core.errors import RecordingError
from sensorium.core.pose import Pose
from sensorium.recording import (
    McapRecorder,
    RosConventions,
    SceneNames,
    mcap_chunk,
    mcap_file,
    mcap_writer,
    open_recording,
    recover,
)

EPOCH_NS = 1_767_225_600 * 10**9
CONVENTIONS = RosConventions(mounts=(Seat("roof", "car", Pose.at(0, 0, 2)),))


def record(path: Path, samples, **settings) -> Path:
    with McapRecorder(path, settings.pop("conventions", CONVENTIONS), **settings) as recorder:
        for sample in samples:
            recorder.write(sample)
    return path


def stamps(samples) -> list[tuple[str, int]]:
    return [(sample.stamp.sensor, sample.stamp.index) for sample in samples]


def test_ros_2_readers_agree_on_the_file(tmp_path: Path) -> None:
    """mcap_ros2 and rosbags find the same messages: log time = epoch + ready time, stamp = epoch + start."""
    samples = drive(6, 3000)
    path = record(tmp_path / "a.mcap", samples)
    with path.open("rb") as file:
        reader = make_reader(file, validate_crcs=True, decoder_factories=[DecoderFactory()])
        assert reader.get_header().profile == "ros2"
        decoded = [(c.topic, m.log_time, m.sequence, d) for _, c, m, d in reader.iter_decoded_messages()]
        statistics = reader.get_summary().statistics
    clouds = [(log, number, message) for topic, log, number, message in decoded if topic == "/roof/points"]
    assert [(log, number) for log, number, _ in clouds] == [(EPOCH_NS + (i + 1) * 10**8, i) for i in range(6)]
    assert [each.header.stamp.nanosec for _, _, each in clouds] == [i * 10**8 for i in range(6)]
    with AnyReader([path]) as reader:
        types = {each.topic: each.msgtype for each in reader.connections}
        assert sum(1 for _ in reader.messages()) == len(decoded) == statistics.message_count
    assert types["/roof/points"] == types["/truth/roof/points"] == "sensor_msgs/msg/PointCloud2"
    assert types["/tf"] == types["/tf_static"] == "tf2_msgs/msg/TFMessage"
    about_truth = {f"/truth/{name}" for name in ("boxes", "car/odom", "motion", "roof/beams", "roof/points")}
    assert set(types) == {"/clock", "/roof/points", "/tf", "/tf_static"} | about_truth


def test_static_transforms_are_latched(tmp_path: Path) -> None:
    """/tf_static comes first, once, and offers transient_local durability, so that late subscribers get it."""
    with AnyReader([record(tmp_path / "a.mcap", drive(2))]) as reader:
        static = next(each for each in reader.connections if each.topic == "/tf_static")
        others = [each for each in reader.connections if each.topic != "/tf_static"]
        assert next(reader.messages())[0].topic == "/tf_static"
    assert static.msgcount == 1
    assert [profile.durability for profile in static.ext.offered_qos_profiles] == [QosDurability.TRANSIENT_LOCAL]
    assert all(not each.ext.offered_qos_profiles for each in others)


def test_every_offset_in_the_file_is_right(tmp_path: Path) -> None:
    """Each message index points at a message of its channel and time; all checksums hold when read front to back."""
    path = record(tmp_path / "a.mcap", drive(8, 2000))
    data = path.read_bytes()
    with path.open("rb") as file:
        messages = sum(isinstance(each, Message) for each in StreamReader(file, validate_crcs=True).records)
        file.seek(0)
        summary = make_reader(file).get_summary()
        found = 0
        for chunk in summary.chunk_indexes:
            start = chunk.chunk_start_offset
            assert data[start] == 6
            plain = decompress(data[start + mcap_chunk.LZ4_HEAD_BYTES : start + chunk.chunk_length])
            assert len(plain) == chunk.uncompressed_size
            for channel, offset in chunk.message_index_offsets.items():
                file.seek(offset)
                index = next(StreamReader(file, skip_magic=True).records)
                assert isinstance(index, MessageIndex)
                for time, place in index.records:
                    assert plain[place] == 5
                    assert int.from_bytes(plain[place + 9 : place + 11], "little") == channel == index.channel_id
                    assert int.from_bytes(plain[place + 15 : place + 23], "little") == time
                    found += 1
    assert found == messages == summary.statistics.message_count


def test_same_samples_same_bytes(tmp_path: Path) -> None:
    """Another process, another hash seed, another second: the file is the same to the byte."""
    program = (
        "import sys, time; from pathlib import Path; from parcels import drive; from sensorium.recording import *\n"
        "facts = dict(seed=3, scenario_text='a: 1', metadata={'b': 'c', 'd': 'e'})\n"
        "with McapRecorder(Path(sys.argv[1]), **facts) as recorder:\n"
        "    for sample in drive(4, 5000): recorder.write(sample)"
    )
    for name in ("1.mcap", "2.mcap"):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": name[0]}
        subprocess.run([sys.executable, "-c", program, tmp_path / name], check=True, env=environment)
    record(
        tmp_path / "3.mcap",
        drive(4, 5000),
        seed=3,
        scenario_text="a: 1",
        metadata={"b": "c", "d": "e"},
        conventions=None,
    )
    assert len({(tmp_path / f"{number}.mcap").read_bytes() for number in (1, 2, 3)}) == 1


def test_the_scenario_travels_inside(tmp_path: Path) -> None:
    """Scenario, seed, epoch, names and whatever else was given come back from the file."""
    names = SceneNames(bodies=("car", "Straße"), parts=(("hood", "wheel"), ()), materials=("steel",), classes=("car",))
    path = record(tmp_path / "a.mcap", [], scenario_text="type: ü\n", seed=11, names=names, metadata={"place": "test"})
    recording = open_recording(path)
    assert recording.scenario_text == "type: ü\n"
    assert recording.scene_names == names
    assert {"seed": "11", "epoch_ns": str(EPOCH_NS), "place": "test"}.items() <= recording.metadata.items()
    assert list(recording.samples()) == []


def test_clock_ticks_every_ten_milliseconds(tmp_path: Path) -> None:
    """/clock has a tick at each multiple of 10 ms up to the last sample; of a silence only the last second."""
    quiet = [truth(0), truth(1), truth(2), truth(100)]  # 0, 50, 100 ms and 5 s
    with AnyReader([record(tmp_path / "a.mcap", quiet)]) as reader:
        ticks = [time - EPOCH_NS for connection, time, _ in reader.messages() if connection.topic == "/clock"]
    assert ticks == [*range(0, 100_000_001, 10**7), *range(4 * 10**9, 5 * 10**9 + 1, 10**7)]


def test_every_write_survives_the_process(tmp_path: Path) -> None:
    """After each write a copy of the unfinished file holds every sample so far, large and small, whatever the time."""
    written = []
    with McapRecorder(tmp_path / "a.mcap", CONVENTIONS) as recorder:
        for sample in [
            each for index in range(12) for each in (truth(index), cloud(index, 40 + 800 * (index % 4 == 3)))
        ]:
            recorder.write(sample)
            written.append(sample)
            recover(tmp_path / "a.mcap.part", tmp_path / "copy.mcap")
            assert sorted(stamps(open_recording(tmp_path / "copy.mcap").samples())) == sorted(stamps(written))


def test_memory_is_bounded(tmp_path: Path) -> None:
    """What the recorder remembers of a chunk for the index stays below 2 kB, however large the chunk is."""
    sample = cloud(0, 20_000)
    with McapRecorder(tmp_path / "a.mcap", CONVENTIONS) as recorder:
        recorder.write(sample)
        tracemalloc.start()
        for _ in range(100):
            recorder.write(sample)
        kept, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert kept < 100 * 2000
    assert peak < 3 * 22 * len(sample)


def test_ctrl_c_at_any_line_completes_the_file(tmp_path: Path) -> None:
    """KeyboardInterrupt between any two lines of the file's code: index, final name, every sample written before."""
    samples, watched = drive(3, 1200), {mcap_file.__file__, mcap_chunk.__file__, mcap_writer.__file__}

    def interrupted_after(lines: int) -> bool:
        written, left = [], [lines]

        def trace(frame, event, argument):
            if frame.f_code.co_filename not in watched:
                return None
            if event == "line":
                left[0] -= 1
                if left[0] == 0:
                    raise KeyboardInterrupt
            return trace

        path = tmp_path / "a.mcap"
        try:
            with McapRecorder(path, CONVENTIONS) as recorder:
                try:
                    sys.settrace(trace)
                    for sample in samples:
                        recorder.write(sample)
                        written.append(sample)
                finally:
                    sys.settrace(None)
        except KeyboardInterrupt:
            assert not path.with_name("a.mcap.part").exists()
            assert stamps(open_recording(path).samples())[: len(written)] == stamps(written)
            with path.open("rb") as file:
                assert list(StreamReader(file, validate_crcs=True).records)
            return True
        return False

    steps = 0
    lines = 1
    while interrupted_after(lines):
        steps += 1
        lines += 1 + lines // 12
    assert steps > 40


def test_a_failed_run_leaves_no_complete_file(tmp_path: Path) -> None:
    """An exception keeps the name free, the part recoverable, an older file untouched, and says where the data are."""
    path = tmp_path / "a.mcap"
    path.write_bytes(b"older")
    with pytest.raises(ZeroDivisionError) as caught:
        record(path, (sample if sample else 1 / 0 for sample in [*drive(3), None]))
    assert path.read_bytes() == b"older"
    assert "a.mcap.part" in caught.value.__notes__[0]
    assert "0.300 s" in caught.value.__notes__[0]
    recovered = recover(tmp_path / "a.mcap.part", tmp_path / "b.mcap")
    assert recovered.until_ns == 300_000_000
    assert stamps(open_recording(tmp_path / "b.mcap").samples()) == stamps(drive(3))


def test_a_closed_recorder_refuses(tmp_path: Path) -> None:
    """After the block there is nothing left to write to; closing twice does no harm."""
    with McapRecorder(tmp_path / "a.mcap") as recorder:
        recorder.write(truth())
    recorder.close()
    with pytest.raises(RecordingError, match="is closed"):
        recorder.write(truth())


def test_unknown_samples_do_not_harm_the_file(tmp_path: Path) -> None:
    """A sample that cannot be recorded is refused before anything is written; the recording goes on."""
    with McapRecorder(tmp_path / "a.mcap") as recorder:
        recorder.write(truth(0))
        with pytest.raises(RecordingError, match="class object cannot be recorded"):
            recorder.write(object())
        recorder.write(truth(1))
    assert stamps(open_recording(tmp_path / "a.mcap").samples()) == [("truth", 0), ("truth", 1)]


def test_two_runs_cannot_share_a_file(tmp_path: Path) -> None:
    """The second recorder of the same path is refused while the first is at work."""
    with McapRecorder(tmp_path / "a.mcap"), pytest.raises(RecordingError, match="another run is recording"):
        McapRecorder(tmp_path / "a.mcap")


def test_a_recorder_that_cannot_begin_lets_go_of_its_file(tmp_path: Path) -> None:
    """A mount without one definite pose is refused; the next recorder of the same path finds it free."""
    swarm = Seat("roof", "car", Pose.at(0, 0, 2)[None])
    with pytest.raises(RecordingError, match="needs one pose") as kept:
        McapRecorder(tmp_path / "a.mcap", RosConventions(mounts=(swarm,)))
    assert record(tmp_path / "a.mcap", [truth()]).exists()
    assert kept.value.__traceback__  # which keeps the first recorder alive


def test_sensors_cannot_share_a_topic(tmp_path: Path) -> None:
    """Names that differ only in letters that a topic cannot have would mix two sensors."""
    with pytest.raises(RecordingError, match="two sources would write to the topic '/a_b/points'"):
        record(tmp_path / "a.mcap", [cloud(sensor="a b"), cloud(sensor="a-b")])


@pytest.mark.parametrize(("place", "words"), [("no/a.mcap", "create the folder"), (".", "is a folder")])
def test_impossible_places_are_refused_at_once(tmp_path: Path, place: str, words: str) -> None:
    """A missing folder, or a folder instead of a file, is known before the simulation starts."""
    with pytest.raises(RecordingError, match=words):
        McapRecorder(tmp_path / place)
