"""A recording in numbers, without a picture and without a terminal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sensorium.apps.raw_messages import raw_messages

if TYPE_CHECKING:
    from sensorium.recording.reader import Recording


@dataclass(frozen=True, eq=False)
class TopicTally:
    """The messages of one topic, counted."""

    type_name: str
    times_ns: NDArray[np.int64]
    """[M] when each was sent, rising."""
    size: int
    """Bytes of all messages, before compression."""


def tallies_of(recording: Recording) -> dict[str, TopicTally]:
    """Return the tally of every topic, by name, from one pass over the messages."""
    types: dict[str, str] = {}
    times: dict[str, list[int]] = {}
    sizes: dict[str, int] = {}
    for message in raw_messages(recording):
        types[message.topic] = message.type_name
        times.setdefault(message.topic, []).append(message.time_ns)
        sizes[message.topic] = sizes.get(message.topic, 0) + len(message.data)
    rising = {topic: np.sort(np.array(times[topic], np.int64)) for topic in types}
    return {topic: TopicTally(types[topic], rising[topic], sizes[topic]) for topic in sorted(types)}


def facts_of(recording: Recording) -> dict[str, str]:
    """Return what is known of the recording as a whole: name -> text."""
    from_the_recorder = {"seed": recording.metadata.get("seed", ""), "sensorium": recording.metadata.get("version", "")}
    return {name: text for name, text in from_the_recorder.items() if text} | {
        "duration": f"{(recording.end_ns - recording.start_ns) * 1e-9:.2f} s",
        "topics": str(len(recording.topics)),
        "size": in_bytes(recording.path.stat().st_size),
    }


def title_of(recording: Recording) -> str:
    """Return the scenario's name, or the file's where there is none."""
    return recording.metadata.get("scenario") or recording.path.stem


def summarise(recording: Recording) -> list[dict[str, str | int | float]]:
    """Return a row for each topic: messages, mean rate and largest gap between them, bytes before compression, times.

    The mean rate is (count - 1) / (last - first); like the gap it is an empty text where a topic has fewer than two
    messages or all of them at once.
    """
    return [_row(topic, tally) for topic, tally in tallies_of(recording).items()]


def _row(topic: str, tally: TopicTally) -> dict[str, str | int | float]:
    times = tally.times_ns
    span_s = float(times[-1] - times[0]) * 1e-9
    return {
        "topic": topic,
        "type": tally.type_name,
        "messages": len(times),
        "rate / Hz": round((len(times) - 1) / span_s, 3) if span_s > 0 else "",
        "largest gap / s": round(float(np.diff(times).max()) * 1e-9, 6) if span_s > 0 else "",
        "size": in_bytes(tally.size),
        "first / s": round(float(times[0]) * 1e-9, 6),
        "last / s": round(float(times[-1]) * 1e-9, 6),
    }


def in_bytes(count: int) -> str:
    """Write a number of bytes for people: 1234567 -> "1.23 MB"."""
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= factor:
            return f"{count / factor:.3g} {unit}"
    return f"{count} B"
