"""The way to an entry of a document, as people write it: rig[0].sensor.rate_hz."""

from __future__ import annotations

import json
import re

Steps = tuple[str | int, ...]
"""The way to an entry: ("rig", 0, "rate_hz") for rig[0].rate_hz."""

_PLAIN = re.compile(r"[^.\[\]\s\"=]+")
_STEP = re.compile(r"(?P<dot>\.?)(?P<name>[^.\[\]\s\"=]+)|\[(?P<index>\d{1,9})\]|\[(?P<quoted>\"(?:[^\"\\]|\\.)*\")\]")


def steps_text(steps: Steps) -> str:
    """Write a way as people do: ("rig", 0, "rate_hz") -> rig[0].rate_hz; odd names stand in quotes: bodies["a.b"]."""
    text = ""
    for step in steps:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _PLAIN.fullmatch(step):
            text += f".{step}" if text else step
        else:
            text += f"[{json.dumps(step)}]"
    return text


def parse_steps(text: str) -> Steps:
    """Read what `steps_text` writes. ValueError names what is wrong."""
    steps: list[str | int] = []
    position = 0
    while position < len(text):
        match = _STEP.match(text, position)
        if match is None or (match["name"] and bool(match["dot"]) != bool(steps)):
            raise ValueError(f"'{text}' is not a path such as rig[0].sensor.rate_hz; see '{text[position:]}'")
        steps.append(_step(match))
        position = match.end()
    return tuple(steps)


def _step(match: re.Match[str]) -> str | int:
    if match["name"]:
        return match["name"]
    return int(match["index"]) if match["index"] else str(json.loads(match["quoted"]))
