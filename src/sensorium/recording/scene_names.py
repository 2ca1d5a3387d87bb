"""What the numbers in the truth of a recording mean."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from sensorium.core.errors import RecordingError


@dataclass(frozen=True, kw_only=True)
class SceneNames:
    """Names of bodies, their parts, materials and classes; a number in the truth is a place in these lists."""

    bodies: tuple[str, ...] = ()
    parts: tuple[tuple[str, ...], ...] = ()
    """Names of the parts of each body."""
    materials: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()

    def to_json(self) -> str:
        """Return the lists as JSON."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str) -> SceneNames:
        """Read the lists back; keys of later versions are ignored."""
        try:
            tables = json.loads(text)
            plain = {key: tuple(map(str, tables.get(key, ()))) for key in ("bodies", "materials", "classes")}
            return cls(**plain, parts=tuple(tuple(map(str, names)) for names in tables.get("parts", ())))
        except (ValueError, TypeError, AttributeError) as error:
            raise RecordingError(f"the table of scene names in the recording is damaged: {error}") from None
