"""The file itself: whichever line is interrupted and whichever write fails, what was acknowledged is there."""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from mcap.reader import make_reader
from mcap.records import Schema

from sensorium.recording import mcap_file, recover
from sensorium.recording.mcap_chunk import Entry, message_entry
from sensorium.recording.mcap_file import CHUNK_SPAN_NS, McapFile

SCHEMA = Schema(0, b"byte[] data", "ros2msg", "test_msgs/msg/Bytes")
STEP_NS = 60_000_000
LARGE_BYTES = 300


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything happens as in a long recording, only sooner."""
    monkeypatch.setattr(mcap_file, "LARGE_MESSAGE_BYTES", LARGE_BYTES)
    monkeypatch.setattr(mcap_file, "CHUNK_BYTES", 200)


def entries(channel: int, count: int) -> list[Entry]:
    """Small messages, every seventh large, with texts that compress and texts that do not."""
    made = []
    for index in range(count):
        size = LARGE_BYTES if index % 7 == 6 else 30 + index
        data = bytes((index * index * byte) % 251 for byte in range(size)) if index % 2 else bytes([index]) * size
        made.append(message_entry(channel, index, index * STEP_NS, index * STEP_NS, data))
    return made


def sequences(path: Path) -> list[int]:
    """The messages of a complete file, by its index; the statistics must agree."""
    with path.open("rb") as file:
        reader = make_reader(file, validate_crcs=True)
        found = [message.sequence for *_, message in reader.iter_messages(log_time_order=False)]
        assert reader.get_summary().statistics.message_count == len(found)
    return found


def write_all(file: McapFile, written: list[int]) -> None:
    channel = file.add_channel("/t", "cdr", SCHEMA, {})
    for entry in entries(channel, 10):
        file.write([entry])
        written.append(int.from_bytes(entry.head[11:15], "little"))


def interrupted(after_lines: int, action: Callable[[], None]) -> bool:
    """Run an action, but raise KeyboardInterrupt before the n-th line of the file's code."""
    left = [after_lines]

    def trace(frame, event, argument):
        if frame.f_code.co_filename != mcap_file.__file__:
            return None
        if event == "line":
            left[0] -= 1
            if left[0] == 0:
                raise KeyboardInterrupt
        return trace

    try:
        sys.settrace(trace)
        action()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
    return False


def test_an_interrupt_at_any_line_loses_and_doubles_nothing(tmp_path: Path) -> None:
    """Interrupted before line n and then finished, for all n: the messages are a beginning of the stream, all that were
    acknowledged are in it, none twice, and the index agrees."""
    path, lines = tmp_path / "a.mcap", 1
    while True:
        file, written = McapFile(path, "ros2", "test"), []
        stopped = interrupted(lines, lambda file=file, written=written: write_all(file, written))
        file.finish()
        found = sequences(path)
        assert found == list(range(len(found))), lines
        assert len(written) <= len(found) <= len(written) + 1
        if not stopped:
            break
        lines += 1
    assert lines > 200


@pytest.mark.parametrize("part", [0, 0.5])
def test_whichever_write_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: float) -> None:
    """The n-th write stops half way with a full disk, for all n: every acknowledged message can be recovered."""
    real, path, failing = McapFile._write, tmp_path / "a.mcap", 2
    while True:
        calls, written = [0], []

        def write(self, offset, pieces, calls=calls, failing=failing):
            calls[0] += 1
            if calls[0] != failing:
                return real(self, offset, pieces)
            data = b"".join(pieces)
            real(self, offset, [data[: int(len(data) * part)]])
            raise OSError(errno.ENOSPC, "full")

        monkeypatch.setattr(McapFile, "_write", write)
        file = McapFile(path, "ros2", "test")
        try:
            write_all(file, written)
        except OSError:
            file.abandon()
        else:
            break
        monkeypatch.setattr(McapFile, "_write", real)
        if written:
            recover(path, tmp_path / "b.mcap")
            assert sequences(tmp_path / "b.mcap")[: len(written)] == written, failing
        failing += 1
    assert failing > 20


def test_open_chunks_are_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No chunk spans more than half a second of simulated time and one message: the most that a torn chunk can cost."""
    monkeypatch.setattr(mcap_file, "CHUNK_BYTES", 256 * 1024)
    file = McapFile(tmp_path / "a.mcap", "ros2", "test")
    channel = file.add_channel("/t", "cdr", SCHEMA, {})
    for index in range(100):
        file.write([message_entry(channel, index, index * STEP_NS, 0, b"small")])
    file.finish()
    with (tmp_path / "a.mcap").open("rb") as stream:
        chunks = make_reader(stream).get_summary().chunk_indexes
    spans = [chunk.message_end_time - chunk.message_start_time for chunk in chunks]
    assert max(spans) < CHUNK_SPAN_NS + STEP_NS
    assert len(chunks) == 10  # a message each 60 ms: 0..540 ms
