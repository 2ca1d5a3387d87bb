"""What an import has to tell: one error that names the file, or one warning with all that was put right."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from pathlib import Path

from sensorium.core.errors import SceneError


class SceneWarning(UserWarning):
    """A model was taken in, but not quite as it stands in its file."""


@dataclass(frozen=True)
class Findings:
    """Collects notes about one file while it is read."""

    path: Path
    notes: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        """Keep a remark for the warning at the end."""
        self.notes.append(text)

    def error(self, where: str, what: object) -> SceneError:
        """Return an error that names the file and the place in it."""
        return SceneError(f"{self.path}: {where + ': ' if where else ''}{what}")

    def warn(self) -> None:
        """Give one `SceneWarning` if anything was noted."""
        if self.notes:
            warnings.warn(f"{self.path}: " + "; ".join(self.notes), SceneWarning, stacklevel=4)


def some_of(names: list[str], most: int = 6) -> str:
    """Write the first few names: "'a', 'b' and 7 more"."""
    unique = list(dict.fromkeys(names))
    shown = ", ".join(f"'{name}'" for name in unique[:most])
    return shown if len(unique) <= most else f"{shown} and {len(unique) - most} more"
