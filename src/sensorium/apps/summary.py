"""A recording in numbers, without a picture and without a terminal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sensorium.recording.reader import Recording


def facts_of(recording: Recording) -> dict[str, str]:
    m=recording.metadata
    return {"seed": m.get("seed","?"), "sensorium": m.get("version","?"), "duration": f"{(recording.end_ns-recording.start_ns)*1e-9:.1f} s"}

def title_of(recording: Recording) -> str:
    return recording.metadata.get("scenario","x")
