"""Files that are there whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from sensorium.core.errors import RecordingError


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield another name to write to; the file gets its own name when the block ends well, and is removed otherwise.

    The folder is made if need be. The other name has the same suffix, since many writers choose the format by it.
    """
    part = path.with_name(f"{path.stem}.part{path.suffix}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield part
        os.replace(part, path)
    except OSError as error:
        raise RecordingError(
            f"cannot write {path}: {error.strerror or error}; free space, or choose another place"
        ) from error
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
