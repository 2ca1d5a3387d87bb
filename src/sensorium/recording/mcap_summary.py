"""The summary at the end of an MCAP file, by which readers find everything without reading it all."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mcap.opcode import Opcode
from mcap.records import Footer, Statistics, SummaryOffset

from sensorium.recording.mcap_chunk import record_bytes


class Segment(NamedTuple):
    """A finished part of the file, and what the summary says of it."""

    kind: Opcode
    """Kind of the summary record."""
    summary: bytes
    """The summary record."""
    counts: Mapping[int, int] = {}
    """Messages by channel, if the part is a chunk."""
    first_ns: int = 0
    last_ns: int = 0


def summary_of(segments: Sequence[Segment], offset: int) -> bytes:
    """Return the summary section that starts at `offset`, with its footer."""
    groups: dict[Opcode, bytearray] = {Opcode.STATISTICS: bytearray(record_bytes(_statistics(segments)))}
    for segment in segments:
        groups.setdefault(segment.kind, bytearray()).extend(segment.summary)
    section, guides = bytearray(), bytearray()
    for kind in sorted(groups):
        guides += record_bytes(SummaryOffset(kind, offset + len(section), len(groups[kind])))
        section += groups[kind]
    guides_start = offset + len(section)
    section += guides
    section += record_bytes(Footer(offset, guides_start, 0))[:-4]
    return bytes(section) + zlib.crc32(section).to_bytes(4, "little")


def _statistics(segments: Sequence[Segment]) -> Statistics:
    kinds = Counter(segment.kind for segment in segments)
    chunks = [segment for segment in segments if segment.kind == Opcode.CHUNK_INDEX]
    counts: Counter[int] = Counter()
    for chunk in chunks:
        counts.update(chunk.counts)
    return Statistics(
        attachment_count=kinds[Opcode.ATTACHMENT_INDEX],
        channel_count=kinds[Opcode.CHANNEL],
        channel_message_counts=dict(sorted(counts.items())),
        chunk_count=len(chunks),
        message_count=counts.total(),
        message_end_time=max((chunk.last_ns for chunk in chunks), default=0),
        message_start_time=min((chunk.first_ns for chunk in chunks), default=0),
        metadata_count=kinds[Opcode.METADATA_INDEX],
        schema_count=kinds[Opcode.SCHEMA],
    )
