"""An MCAP file read from front to back without trusting it."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import IO, NamedTuple

from mcap.opcode import Opcode

from sensorium.recording.mcap_chunk import RECORD_HEAD_BYTES

MOST_RECORD_BYTES = 2**31
"""A longer record is taken for damage."""
_MOST_EXPANSION = 255
"""No LZ4 block expands more than this."""
_RECORD_HEAD = struct.Struct("<BQ")
_CHUNK_HEAD = struct.Struct("<16xQII")


class Record(NamedTuple):
    """A record's opcode and content; incomplete where the file ends too early."""

    opcode: int
    content: bytes
    complete: bool = True


def records_of(file: IO[bytes], size: int) -> Iterator[Record]:
    """Yield the records of the data section from the file's place on; the last may be a chunk that is cut short."""
    place = file.tell()
    while place + RECORD_HEAD_BYTES <= size:
        opcode, length = _RECORD_HEAD.unpack(file.read(RECORD_HEAD_BYTES))
        place += RECORD_HEAD_BYTES + length
        complete = place <= size
        at_end = opcode in (0, Opcode.DATA_END) or not (complete or opcode == Opcode.CHUNK)
        if at_end or min(length, size) > MOST_RECORD_BYTES:
            return
        yield Record(opcode, file.read(min(length, size)), complete)


def chunk_records(chunk: Record) -> list[Record]:
    """Return the records in a chunk; of one that is cut short, those that are complete."""
    size, crc, name_length = _CHUNK_HEAD.unpack_from(chunk.content)
    name_end = _CHUNK_HEAD.size + name_length
    compression = chunk.content[_CHUNK_HEAD.size : name_end].decode()
    (stored,) = struct.unpack_from("<Q", chunk.content, name_end)
    plain = _expand(compression, chunk.content[name_end + 8 : name_end + 8 + stored], size)
    if chunk.complete and (len(plain) != size or (crc and zlib.crc32(plain) != crc)):
        raise ValueError("the checksum of a chunk is wrong")
    return list(_split(plain))


def _expand(compression: str, data: bytes, size: int) -> bytes:
    """Return the uncompressed bytes, as far as they are there."""
    if compression == "lz4":
        from lz4.frame import LZ4FrameDecompressor

        if size > _MOST_EXPANSION * (len(data) + 1):
            raise ValueError(f"a chunk claims to expand to {size} bytes")
        return bytes(LZ4FrameDecompressor().decompress(data))
    if compression == "zstd":
        from zstandard import ZstdDecompressor, ZstdError

        try:
            return bytes(ZstdDecompressor().decompressobj().decompress(data))
        except ZstdError as error:
            raise ValueError(f"a chunk cannot be expanded: {error}") from error
    if compression:
        raise ValueError(f"a chunk is compressed by '{compression}', which is not known")
    return data


def _split(plain: bytes) -> Iterator[Record]:
    place = 0
    while place + RECORD_HEAD_BYTES <= len(plain):
        opcode, length = _RECORD_HEAD.unpack_from(plain, place)
        place += RECORD_HEAD_BYTES
        if place + length > len(plain):
            return
        yield Record(opcode, plain[place : place + length])
        place += length
