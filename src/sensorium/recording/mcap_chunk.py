"""The records of an MCAP file as bytes: messages, chunks of messages, and their indexes (MCAP specification, version 0)."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from typing import NamedTuple

from mcap.opcode import Opcode
from mcap.records import ChunkIndex, McapRecord
from mcap.stream_reader import MAGIC_SIZE as MAGIC_BYTES

MAGIC = b"\x89MCAP0\r\n"
RECORD_HEAD_BYTES = 9
_CHUNK_HEAD = struct.Struct("<BQQQQI")
_MESSAGE_HEAD = struct.Struct("<BQHIQQ")
assert len(MAGIC) == MAGIC_BYTES


class Entry(NamedTuple):
    """A message record, its head apart from its data so that large data are never copied."""

    channel: int
    log_ns: int
    head: bytes
    data: bytes | bytearray

    @property
    def size(self) -> int:
        """Length of the record in bytes."""
        return len(self.head) + len(self.data)


def message_entry(channel: int, sequence: int, log_ns: int, publish_ns: int, data: bytes | bytearray) -> Entry:
    """Return the record of a message."""
    length = _MESSAGE_HEAD.size - RECORD_HEAD_BYTES + len(data)
    return Entry(channel, log_ns, _MESSAGE_HEAD.pack(Opcode.MESSAGE, length, channel, sequence, log_ns, publish_ns), data)


def record_bytes(record: McapRecord) -> bytes:
    """Return any other record as bytes."""
    from mcap.data_stream import RecordBuilder

    builder = RecordBuilder()
    record.write(builder)
    return bytes(builder.end())


def chunk_head(first_ns: int, last_ns: int, size: int, crc: int, compression: str, stored: int) -> bytes:
    """Return all of a chunk record that stands before its `stored` bytes of (compressed) messages."""
    name = compression.encode()
    length = _CHUNK_HEAD.size - RECORD_HEAD_BYTES + 4 + len(name) + 8 + stored
    head = _CHUNK_HEAD.pack(Opcode.CHUNK, length, first_ns, last_ns, size, crc)
    return head + struct.pack("<I", len(name)) + name + struct.pack("<Q", stored)


PLAIN_HEAD_BYTES = len(chunk_head(0, 0, 0, 0, "", 0))


def plain_chunk_head(entries: Sequence[Entry], size: int) -> bytes:
    """Return the head of an uncompressed chunk without a checksum, for messages that are still being collected."""
    times = [entry.log_ns for entry in entries]
    return chunk_head(min(times), max(times), size, 0, "", size)


def lz4_chunk(entries: Sequence[Entry], offset: int) -> tuple[list[bytes], bytes]:
    """Return the pieces of a compressed chunk that starts at `offset`, message indexes included, and its index record."""
    size, crc, squeezed = _compress(entries)
    times, stored = [entry.log_ns for entry in entries], sum(map(len, squeezed))
    head = chunk_head(min(times), max(times), size, crc, "lz4", stored)
    length = len(head) + stored
    places, index_records = _message_indexes(entries, offset + length)
    index = ChunkIndex(
        chunk_length=length,
        chunk_start_offset=offset,
        compression="lz4",
        compressed_size=stored,
        message_end_time=max(times),
        message_index_length=len(index_records),
        message_index_offsets=places,
        message_start_time=min(times),
        uncompressed_size=size,
    )
    return [head, *squeezed, index_records], record_bytes(index)


def _compress(entries: Sequence[Entry]) -> tuple[int, int, list[bytes]]:
    """Return uncompressed size, CRC-32 and the LZ4 frame of all records, without ever joining them."""
    from lz4.frame import BLOCKSIZE_MAX256KB, LZ4FrameCompressor

    size, crc = sum(entry.size for entry in entries), 0
    compressor = LZ4FrameCompressor(block_size=BLOCKSIZE_MAX256KB)
    pieces = [compressor.begin(size)]
    for entry in entries:
        for part in (entry.head, entry.data):
            crc = zlib.crc32(part, crc)
            pieces.append(compressor.compress(part))
    return size, crc, [*pieces, compressor.flush()]


def _message_indexes(entries: Sequence[Entry], offset: int) -> tuple[dict[int, int], bytes]:
    """Return where each channel's message index stands, and all of them as bytes."""
    rows: dict[int, bytearray] = {}
    place = 0
    for entry in entries:
        rows.setdefault(entry.channel, bytearray()).extend(struct.pack("<QQ", entry.log_ns, place))
        place += entry.size
    places, records = {}, bytearray()
    for channel, row in rows.items():
        places[channel] = offset + len(records)
        records += struct.pack("<BQHI", Opcode.MESSAGE_INDEX, 6 + len(row), channel, len(row)) + row
    return places, bytes(records)
