"""The way to an entry of a document, as people write it: rig[0].sensor.rate_hz."""

from __future__ import annotations

import re

Steps = tuple[str | int, ...]
"""The way to an entry: ("rig", 0, "rate_hz") for rig[0].rate_hz."""

_STEP = re.compile(r"(?P<dot>\.?)(?P<name>[^.\[\]]+)|\[(?P<index>\d{1,9})\]")


def steps_text(steps: Steps) -> str:
    """Write a way as people do: ("rig", 0, "rate_hz") -> "rig[0].rate_hz"."""
    text = ""
    for step in steps:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def parse_steps(text: str) -> Steps:
    """Read a way as people write it: "rig[0].rate_hz" -> ("rig", 0, "rate_hz"). ValueError names what is wrong."""
    steps: list[str | int] = []
    position = 0
    while position < len(text):
        match = _STEP.match(text, position)
        joined = match is not None and (match["index"] or bool(match["dot"]) == bool(steps))
        if match is None or not joined:
            raise ValueError(f"'{text}' is not a path such as rig[0].sensor.rate_hz; see '{text[position:]}'")
        steps.append(match["name"] if match["name"] else int(match["index"]))
        position = match.end()
    return tuple(steps)
