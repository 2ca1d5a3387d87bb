"""Recordings are read back as the samples that were recorded."""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from mcap.reader import SeekingReader
from mcap.records import Channel, ChunkIndex, MessageIndex
from mcap.stream_reader import StreamReader
from mcap.summary import Summary

from sensorium.core.errors import RecordingError, SensoriumError, did_you_mean
from sensorium.recording.mcap_chunk import MAGIC
from sensorium.recording.mcap_writer import METADATA, SCENARIO, SCENE_NAMES
from sensorium.recording.received import Received
from sensorium.recording.ros_conventions import Topic
from sensorium.recording.sample_readers import sample_readers
from sensorium.recording.scene_names import SceneNames
from sensorium.samples import Sample

_FOOTER_BYTES = 29


@dataclass(frozen=True)
class RecordedTopic:
    """What a recording holds on one topic; times are simulated time."""

    name: str
    type_name: str
    sensor: str
    """Empty: shared by several sources."""
    count: int
    first_ns: int
    last_ns: int


def open_recording(path: str | Path) -> Recording:
    """Return a complete recording, of Sensorium or of any ROS 2 source; nothing but its index is read yet."""
    return Recording(Path(path))


class Recording:
    """A recording on disk. It may be iterated any number of times; each time reads the file anew, chunk by chunk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        _refuse_incomplete(path)
        with self._reader() as reader:
            summary = reader.get_summary()
            if summary is None or summary.statistics is None:
                raise _damaged(path, "it has no index")
            self._summary: Summary = summary
            tables = {record.name: dict(record.metadata) for record in reader.iter_metadata()}
            attachments = {record.name: bytes(record.data) for record in reader.iter_attachments()}
            self.metadata: dict[str, str] = tables.get(METADATA, {})
            """Seed, version, epoch and whatever was given to the recorder."""
            self.epoch_ns = int(self.metadata.get("epoch_ns", 0))
            """Unix time of the scenario's start; 0 for recordings of other sources."""
            self.scenario_text = attachments.get(SCENARIO, b"").decode()
            names = attachments.get(SCENE_NAMES)
            self.scene_names = None if names is None else SceneNames.from_json(names.decode())
            """What the numbers in the truth of points mean, if the recording says it."""

    @property
    def start_ns(self) -> int:
        """Simulated time of the first message."""
        return int(self._summary.statistics.message_start_time) - self.epoch_ns if self._count else 0

    @property
    def end_ns(self) -> int:
        """Simulated time of the last message."""
        return int(self._summary.statistics.message_end_time) - self.epoch_ns if self._count else 0

    @property
    def sensors(self) -> tuple[str, ...]:
        """Names of all sensors that recorded anything."""
        topics = map(_topic_of, self._summary.channels.values(), map(self._type_of, self._summary.channels.values()))
        return tuple(dict.fromkeys(topic.sensor for topic in topics if topic.sensor))

    @cached_property
    def topics(self) -> tuple[RecordedTopic, ...]:
        """All topics, by name."""
        spans = self._spans()
        counts = self._summary.statistics.channel_message_counts
        found = []
        for number, channel in self._summary.channels.items():
            first, last = spans.get(number, (self.epoch_ns, self.epoch_ns))
            topic = _topic_of(channel, self._type_of(channel))
            times = first - self.epoch_ns, last - self.epoch_ns
            found.append(RecordedTopic(topic.name, topic.type_name, topic.sensor, counts.get(number, 0), *times))
        return tuple(sorted(found, key=lambda topic: topic.name))

    def samples(self, sensor: str | None = None) -> Iterator[Sample]:
        """Yield the samples of one sensor or of all, in the order in which they were ready."""
        readers = sample_readers()
        wanted = self._topics_of(sensor, readers)
        with self._reader() as reader:
            for schema, channel, message in reader.iter_messages(wanted):
                topic = _topic_of(channel, schema.name)
                ready_ns = message.log_time - self.epoch_ns
                received = Received(topic, message.data, message.sequence, ready_ns, self.epoch_ns)
                sample = readers[topic.type_name].take(received)
                if sample is not None:
                    yield sample

    def _topics_of(self, sensor: str | None, types: Iterable[str]) -> set[str]:
        channels = [channel for channel in self._summary.channels.values() if self._type_of(channel) in types]
        if sensor is None:
            return {channel.topic for channel in channels}
        names = {name for channel in channels for name in (channel.metadata.get("sensor"), channel.topic) if name}
        if sensor not in names:
            raise RecordingError(f"{self.path} has no sensor '{sensor}'.{did_you_mean(sensor, names)}")
        return {channel.topic for channel in channels if sensor in (channel.metadata.get("sensor"), channel.topic)}

    def _type_of(self, channel: Channel) -> str:
        return str(self._summary.schemas[channel.schema_id].name) if channel.schema_id in self._summary.schemas else ""

    @property
    def _count(self) -> int:
        return int(self._summary.statistics.message_count)

    def _spans(self) -> dict[int, tuple[int, int]]:
        """Return the first and the last time of each channel, from the message indexes."""
        spans: dict[int, tuple[int, int]] = {}
        with _damage_named(self.path), self.path.open("rb") as file:
            for chunk in self._summary.chunk_indexes:
                for number, first, last in _chunk_spans(file, chunk):
                    known = spans.get(number, (first, last))
                    spans[number] = min(first, known[0]), max(last, known[1])
        return spans

    @contextlib.contextmanager
    def _reader(self) -> Iterator[Any]:
        with _damage_named(self.path), self.path.open("rb") as file:
            size = self.path.stat().st_size
            yield SeekingReader(file, validate_crcs=True, record_size_limit=size)


def _topic_of(channel: Channel, type_name: str) -> Topic:
    about = channel.metadata
    return Topic(channel.topic, type_name, about.get("sensor", ""), layout=about.get("layout", ""))


def _chunk_spans(file: IO[bytes], chunk: ChunkIndex) -> Iterator[tuple[int, int, int]]:
    if not chunk.message_index_offsets:
        return
    file.seek(min(chunk.message_index_offsets.values()))
    records = StreamReader(file, skip_magic=True, record_size_limit=chunk.message_index_length).records
    for _ in chunk.message_index_offsets:
        index = next(records)
        if not isinstance(index, MessageIndex):
            raise ValueError("a message index is not where it should be")
        times = [time for time, _ in index.records]
        yield index.channel_id, min(times), max(times)


def _refuse_incomplete(path: Path) -> None:
    """Raise unless the file begins and ends like an MCAP file and its summary is whole."""
    if not path.is_file():
        part = path.with_name(path.name + ".part")
        near = did_you_mean(path.name, [each.name for each in path.parent.glob("*.mcap*")])
        hint = f" There is {part} of a run that did not end.{_remedy(part)}" if part.exists() else near
        raise RecordingError(f"there is no recording {path}.{hint}")
    with _damage_named(path), path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise RecordingError(f"{path} is not an MCAP file: it does not begin like one")
        file.seek(-min(path.stat().st_size, _FOOTER_BYTES + len(MAGIC)), 2)
        end = file.read()
        if end[-len(MAGIC) :] != MAGIC or len(end) < _FOOTER_BYTES + len(MAGIC):
            raise _damaged(path, "its end is missing; the run that wrote it did not end, or the file was cut")
        summary_start, crc = int.from_bytes(end[9:17], "little"), int.from_bytes(end[25:29], "little")
        if not summary_start:
            raise _damaged(path, "it has no index")
        file.seek(summary_start)
        if crc and zlib.crc32(file.read()[: -len(MAGIC) - 4]) != crc:
            raise _damaged(path, "the checksum of its index is wrong")


@contextlib.contextmanager
def _damage_named(path: Path) -> Iterator[None]:
    """Name the file whenever its bytes make a parser fail; damaged bytes can make it fail in any way."""
    try:
        yield
    except SensoriumError:
        raise
    except Exception as error:
        raise _damaged(path, f"{type(error).__name__}: {error}") from error


def _damaged(path: Path, what: str) -> RecordingError:
    return RecordingError(f"the recording {path} is incomplete or damaged: {what}.{_remedy(path)}")


def _remedy(path: Path) -> str:
    return f" Save what is in it with: sensorium inspect --recover {path}"
