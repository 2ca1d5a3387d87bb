"""Damaged files give data or a RecordingError, never anything else."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcap.reader import make_reader
from mcap.stream_reader import StreamReader
from mcap.writer import CompressionType, Writer
from parcels import cloud, drive, truth

from sensorium.core.errors import RecordingError
from sensorium.recording import McapRecorder, Recovered, SceneNames, open_recording, recover


@cache
def whole() -> bytes:
    """A recording of many small chunks and some large ones."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.mcap"
        with McapRecorder(path, scenario_text="seed: 1", names=SceneNames(bodies=("car",))) as recorder:
            for sample in [*drive(4, 30), cloud(4, 3500, truth=True), truth(12)]:
                recorder.write(sample)
        return path.read_bytes()


def messages(path: Path) -> list[tuple]:
    with path.open("rb") as file:
        found = make_reader(file, validate_crcs=True).iter_messages(log_time_order=False)
        return [(channel.topic, message.log_time, message.sequence, message.data) for _, channel, message in found]


def data_or_refusal(data: bytes, folder: Path) -> tuple[list | None, Recovered | None]:
    """Read and recover damaged bytes; only RecordingError is an answer, and what is recovered is a complete file."""
    source, target = folder / "a.mcap", folder / "b.mcap"
    source.write_bytes(data)
    try:
        samples = list(open_recording(source).samples())
    except RecordingError:
        samples = None
    try:
        recovered = recover(source, target)
    except RecordingError:
        assert not list(folder.glob("b.mcap*"))
        return samples, None
    with target.open("rb") as file:
        assert list(StreamReader(file, validate_crcs=True).records)
    return samples, recovered


@settings(max_examples=80, deadline=2000)
@given(st.integers(0, len(whole()) - 1))
def test_cut_anywhere(length: int) -> None:
    """A cut file is refused; what is recovered of it are the first messages of the whole, unchanged."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "whole.mcap").write_bytes(whole())
        samples, recovered = data_or_refusal(whole()[:length], Path(folder))
        assert samples is None
        if recovered:
            expected = messages(Path(folder) / "whole.mcap")
            found = messages(Path(folder) / "b.mcap")
            assert len(found) == recovered.messages > 0
            assert found == expected[: len(found)]


@settings(max_examples=80, deadline=2000)
@given(st.lists(st.tuples(st.integers(0, len(whole()) - 1), st.integers(1, 255)), min_size=1, max_size=6))
def test_bytes_changed_anywhere(changes: list[tuple[int, int]]) -> None:
    """Changed bytes: data or RecordingError; messages that stand in chunks with checksums are right or left out."""
    data = bytearray(whole())
    for place, change in changes:
        data[place] ^= change
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "whole.mcap").write_bytes(whole())
        _, recovered = data_or_refusal(bytes(data), Path(folder))
        if recovered:
            bodies = {body for *_, body in messages(Path(folder) / "whole.mcap")}
            assert {body for *_, body in messages(Path(folder) / "b.mcap")} <= bodies


@settings(max_examples=30, deadline=2000)
@given(st.binary(max_size=400))
def test_noise_behind_a_good_beginning(noise: bytes) -> None:
    """Whatever follows the magic bytes, and whatever follows a header."""
    with tempfile.TemporaryDirectory() as folder:
        for start in (8, 60, len(whole()) // 2):
            data_or_refusal(whole()[:start] + noise, Path(folder))


def test_every_whole_chunk_is_saved(tmp_path: Path) -> None:
    """Cut behind the k-th chunk, exactly the messages of the first k chunks are recovered."""
    (tmp_path / "whole.mcap").write_bytes(whole())
    with (tmp_path / "whole.mcap").open("rb") as file:
        chunks = make_reader(file).get_summary().chunk_indexes
        saved = 0
        for chunk in chunks:
            file.seek(min(chunk.message_index_offsets.values()))
            indexes = StreamReader(file, skip_magic=True).records
            saved += sum(len(next(indexes).records) for _ in chunk.message_index_offsets)
            (tmp_path / "a.mcap").write_bytes(whole()[: chunk.chunk_start_offset + chunk.chunk_length])
            assert recover(tmp_path / "a.mcap", tmp_path / "b.mcap").messages == saved
    assert len(chunks) > 4
    assert saved == len(messages(tmp_path / "whole.mcap"))


def test_one_bad_chunk_costs_that_chunk_alone(tmp_path: Path) -> None:
    """A flipped bit in the middle: all other chunks are saved, the loss is counted, everything else travels along."""
    (tmp_path / "whole.mcap").write_bytes(whole())
    with (tmp_path / "whole.mcap").open("rb") as file:
        chunks = make_reader(file).get_summary().chunk_indexes
    bad = chunks[len(chunks) // 2]
    data = bytearray(whole())
    data[bad.chunk_start_offset + bad.chunk_length // 2] ^= 4
    (tmp_path / "a.mcap").write_bytes(data)
    recovered = recover(tmp_path / "a.mcap", tmp_path / "b.mcap")
    assert recovered.damaged_chunks == 1
    assert recovered.until_ns == 600_000_000
    lost = [each for each in messages(tmp_path / "whole.mcap") if each not in messages(tmp_path / "b.mcap")]
    assert lost
    assert all(bad.message_start_time <= time <= bad.message_end_time for _, time, *_ in lost)
    rescued, original = open_recording(tmp_path / "b.mcap"), open_recording(tmp_path / "whole.mcap")
    assert (rescued.metadata, rescued.scenario_text, rescued.scene_names) == (
        original.metadata,
        original.scenario_text,
        original.scene_names,
    )


@pytest.mark.parametrize("compression", CompressionType)
def test_files_of_other_writers_are_recovered(tmp_path: Path, compression: CompressionType) -> None:
    """An unfinished file by the MCAP package, chunks compressed in any way, channels inside the chunks."""
    with (tmp_path / "a.mcap").open("wb") as file:
        writer = Writer(file, chunk_size=1000, compression=compression)
        writer.start("ros2")
        schema = writer.register_schema("std_msgs/msg/String", "ros2msg", b"string data")
        channels = [writer.register_channel(f"/t{number}", "cdr", schema) for number in range(2)]
        for index in range(100):
            writer.add_message(channels[index % 2], index * 1000, bytes([index]) * 100, index, index)
        writer.flush()
    recovered = recover(tmp_path / "a.mcap", tmp_path / "b.mcap")
    assert (recovered.messages, recovered.until_ns) == (100, 99_000)
    expected = [(f"/t{index % 2}", index * 1000, index, bytes([index]) * 100) for index in range(100)]
    assert messages(tmp_path / "b.mcap") == expected


def test_messages_that_are_cut_are_left_out(tmp_path: Path) -> None:
    """A file without chunks, cut in its last message: all messages but that one."""
    with (tmp_path / "a.mcap").open("wb") as file:
        writer = Writer(file, use_chunking=False)
        writer.start("ros2")
        schema = writer.register_schema("std_msgs/msg/String", "ros2msg", b"string data")
        channel = writer.register_channel("/t", "cdr", schema)
        for index in range(10):
            writer.add_message(channel, index, b"x" * 50, index)
        writer.flush()
    (tmp_path / "a.mcap").write_bytes((tmp_path / "a.mcap").read_bytes()[:-20])
    assert recover(tmp_path / "a.mcap", tmp_path / "b.mcap").messages == 9
    assert {data for *_, data in messages(tmp_path / "b.mcap")} == {b"x" * 50}


def test_nothing_is_recovered_into_itself(tmp_path: Path) -> None:
    """The damaged file is never overwritten; a missing one is an error."""
    (tmp_path / "a.mcap").write_bytes(whole())
    with pytest.raises(RecordingError, match="into itself"):
        recover(tmp_path / "a.mcap", tmp_path / "a.mcap")
    with pytest.raises(RecordingError, match="No such file"):
        recover(tmp_path / "c.mcap", tmp_path / "b.mcap")
    assert (tmp_path / "a.mcap").read_bytes() == whole()
