"""Records of an MCAP file as bytes: messages, chunks of messages, and their indexes (MCAP specification, version 0)."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

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
    head = _MESSAGE_HEAD.pack(Opcode.MESSAGE, length, channel, sequence, log_ns, publish_ns)
    return Entry(channel, log_ns, head, data)


def record_bytes(record: McapRecord) -> bytes:
    """Return any other record as bytes."""
    from mcap.data_stream import RecordBuilder

    builder = RecordBuilder()
    record.write(builder)
    return bytes(builder.end())


def _chunk_head(first_ns: int, last_ns: int, size: int, crc: int, compression: str, stored: int) -> bytes:
    """Return all of a chunk record that stands before its `stored` bytes of (compressed) messages."""
    name = compression.encode()
    length = _CHUNK_HEAD.size - RECORD_HEAD_BYTES + 4 + len(name) + 8 + stored
    head = _CHUNK_HEAD.pack(Opcode.CHUNK, length, first_ns, last_ns, size, crc)
    return head + struct.pack("<I", len(name)) + name + struct.pack("<Q", stored)


PLAIN_HEAD_BYTES = len(_chunk_head(0, 0, 0, 0, "", 0))
LZ4_HEAD_BYTES = len(_chunk_head(0, 0, 0, 0, "lz4", 0))
SLICE_BYTES = 256 * 1024


def plain_chunk_head(first_ns: int, last_ns: int, size: int) -> bytes:
    """Return the head of an uncompressed chunk without a checksum, for messages that are still being collected."""
    return _chunk_head(first_ns, last_ns, size, 0, "", size)


class Lz4Chunk:
    """A chunk that is compressed piece by piece: a large message is never held twice, and memory is used over and over.

    Take all `pieces` first; only then `head` and `indexes` know what to say.
    """

    def __init__(self, entries: Sequence[Entry]) -> None:
        times = [entry.log_ns for entry in entries]
        self.first_ns, self.last_ns = min(times), max(times)
        self._entries = entries
        self._size = sum(entry.size for entry in entries)
        self._crc = 0
        self._stored = 0

    def pieces(self) -> Iterator[bytes]:
        """Yield the LZ4 frame of all records; it belongs LZ4_HEAD_BYTES after the start of the chunk."""
        from lz4.frame import BLOCKSIZE_MAX256KB, LZ4FrameCompressor

        for piece in self._frame(LZ4FrameCompressor(block_size=BLOCKSIZE_MAX256KB, block_linked=False)):
            self._stored += len(piece)
            yield piece

    def _frame(self, compressor: Any) -> Iterator[bytes]:
        yield compressor.begin(self._size)
        for entry in self._entries:
            for part in (memoryview(entry.head), memoryview(entry.data)):
                for start in range(0, len(part), SLICE_BYTES):
                    plain = part[start : start + SLICE_BYTES]
                    self._crc = zlib.crc32(plain, self._crc)
                    yield compressor.compress(plain)
        yield compressor.flush()

    def head(self) -> bytes:
        """Return the head of the chunk record."""
        return _chunk_head(self.first_ns, self.last_ns, self._size, self._crc, "lz4", self._stored)

    def indexes(self, offset: int) -> tuple[bytes, bytes]:
        """Return, for a chunk that starts at `offset`, the message indexes that follow it, and its own index record."""
        length = LZ4_HEAD_BYTES + self._stored
        places, message_indexes = _message_indexes(self._entries, offset + length)
        index = ChunkIndex(
            chunk_length=length,
            chunk_start_offset=offset,
            compression="lz4",
            compressed_size=self._stored,
            message_end_time=self.last_ns,
            message_index_length=len(message_indexes),
            message_index_offsets=places,
            message_start_time=self.first_ns,
            uncompressed_size=self._size,
        )
        return message_indexes, record_bytes(index)


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
