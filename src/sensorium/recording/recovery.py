"""Damaged or unfinished recordings: everything up to the damage is saved into a new, complete file."""

from __future__ import annotations

import os
import struct
import zlib
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from mcap.data_stream import ReadDataStream
from mcap.exceptions import McapError
from mcap.opcode import Opcode
from mcap.records import Attachment, Channel, Metadata, Schema

from sensorium.core.errors import RecordingError
from sensorium.recording.mcap_chunk import MAGIC, message_entry
from sensorium.recording.mcap_file import McapFile
from sensorium.recording.mcap_scan import Record, chunk_records, records_of
from sensorium.recording.mcap_writer import METADATA

UNREADABLE = (McapError, struct.error, ValueError, EOFError, RuntimeError, OverflowError, MemoryError)
"""What the parsers of third parties raise on damaged bytes."""
_MESSAGE = struct.Struct("<HIQQ")


@dataclass(frozen=True)
class Recovered:
    """What was saved."""

    messages: int
    until_ns: int
    """Simulated time of the last message."""
    damaged_chunks: int
    """Chunks in the middle that could not be read; their messages are missing."""


def recover(path: str | Path, out: str | Path) -> Recovered:
    """Save everything that is readable in a recording, of Sensorium or of others, into a new complete file."""
    source, target = Path(path), Path(out)
    part = target.with_name(target.name + ".recovering")
    if target.exists() and source.exists() and target.samefile(source):
        raise RecordingError(f"cannot save {source} into itself; name another file")
    try:
        recovered = _rescue(source, part)
        os.replace(part, target)
    except OSError as error:
        raise RecordingError(f"cannot save {source} into {target}: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)
    return recovered


def _rescue(source: Path, part: Path) -> Recovered:
    with source.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise RecordingError(f"nothing can be saved of {source}: it does not begin like an MCAP file")
        salvage = _Salvage(McapFile(part, "ros2", "sensorium recover"))
        try:
            for record in records_of(file, source.stat().st_size):
                salvage.take(record)
            if not salvage.messages:
                raise RecordingError(f"nothing can be saved of {source}: not one message in it is readable")
            salvage.file.finish()
        finally:
            salvage.file.abandon()
    return Recovered(salvage.messages, salvage.last_ns - salvage.epoch_ns, salvage.damaged_chunks)


class _Salvage:
    """Copies good records to a new file."""

    def __init__(self, file: McapFile) -> None:
        self.file = file
        self.messages = 0
        self.last_ns = 0
        self.epoch_ns = 0
        self.damaged_chunks = 0
        self._schemas: dict[int, Schema] = {}
        self._channels: dict[int, int] = {}

    def take(self, record: Record) -> None:
        """Copy a record, or the records in it if it is a chunk; leave it out when it is damaged."""
        try:
            inner = chunk_records(record) if record.opcode == Opcode.CHUNK else [record]
        except UNREADABLE:
            self.damaged_chunks += 1
            return
        for each in inner:
            try:
                self._copy(each)
            except UNREADABLE:  # one record is lost; those after it do not depend on it
                continue

    def _copy(self, record: Record) -> None:
        stream = ReadDataStream(BytesIO(record.content))
        if record.opcode == Opcode.MESSAGE:
            self._copy_message(record.content)
        elif record.opcode == Opcode.SCHEMA:
            schema = Schema.read(stream)
            self._schemas.setdefault(schema.id, schema)
        elif record.opcode == Opcode.CHANNEL:
            self._copy_channel(Channel.read(stream))
        elif record.opcode == Opcode.METADATA:
            self._copy_metadata(Metadata.read(stream))
        elif record.opcode == Opcode.ATTACHMENT and zlib.crc32(record.content[:-4]) == int.from_bytes(
            record.content[-4:], "little"
        ):
            self.file.add_attachment(Attachment.read(stream))

    def _copy_message(self, content: bytes) -> None:
        channel, sequence, log_ns, publish_ns = _MESSAGE.unpack_from(content)
        if channel in self._channels:
            data = content[_MESSAGE.size :]
            self.file.write([message_entry(self._channels[channel], sequence, log_ns, publish_ns, data)])
            self.messages += 1
            self.last_ns = max(self.last_ns, log_ns)

    def _copy_channel(self, channel: Channel) -> None:
        if channel.id not in self._channels and channel.schema_id in self._schemas:
            schema, encoding = self._schemas[channel.schema_id], channel.message_encoding
            self._channels[channel.id] = self.file.add_channel(channel.topic, encoding, schema, channel.metadata)

    def _copy_metadata(self, record: Metadata) -> None:
        self.file.add_metadata(record.name, record.metadata)
        if record.name == METADATA:
            self.epoch_ns = int(record.metadata.get("epoch_ns", 0))
