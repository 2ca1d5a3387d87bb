"""From a path to checked pieces, whatever the format."""

from __future__ import annotations

import logging
import warnings
from pathlib import Path

from sensorium.core.errors import SceneError, did_you_mean
from sensorium.scene.importing.findings import Findings
from sensorium.scene.importing.gltf import read_gltf
from sensorium.scene.importing.neighbours import Neighbours
from sensorium.scene.importing.piece import Piece
from sensorium.scene.importing.plain_formats import read_obj, read_ply, read_stl

_READERS = {".glb": read_gltf, ".gltf": read_gltf, ".obj": read_obj, ".ply": read_ply, ".stl": read_stl}


def read_pieces(path: Path, findings: Findings, textures: bool) -> list[Piece]:
    """Return the checked pieces of a file; whatever its parser stumbles over becomes one error."""
    if path.suffix.lower() not in _READERS:
        guess = did_you_mean(path.suffix.lower(), _READERS)
        raise findings.error("", f"'{path.suffix}' is not a format of models.{guess}")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise findings.error("", f"the model cannot be read: {error.strerror or error}") from None
    neighbours = Neighbours(path, textures)
    pieces = _parsed(content, neighbours, findings, path.suffix.lower())
    if neighbours.problems:
        raise findings.error("", "; ".join(neighbours.problems) + " (textures=False imports it without)")
    return pieces


def _parsed(content: bytes, neighbours: Neighbours, findings: Findings, suffix: str) -> list[Piece]:
    logging.getLogger("trimesh").addHandler(logging.NullHandler())  # its remarks come back as errors here
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.filterwarnings("error", message="string or file could not be read")
            pieces = _READERS[suffix](content, neighbours, findings)
            return [piece.checked(findings) for piece in pieces]
    except SceneError:
        raise
    except Exception as error:  # damaged bytes may break a parser anywhere and with any exception
        told = "; ".join([*neighbours.problems, *str(error).splitlines()[:1]]) or type(error).__name__
        raise findings.error("", f"it is damaged, or not in the {suffix[1:].upper()} format: {told}") from None
