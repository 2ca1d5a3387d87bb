"""OBJ with MTL, PLY and STL: formats without a tree of nodes, decoded by trimesh."""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.scene.importing.findings import Findings, some_of
from sensorium.scene.importing.neighbours import Neighbours
from sensorium.scene.importing.piece import Piece

_STL_HEADER, _STL_TRIANGLE = 84, 50


def read_obj(content: bytes, neighbours: Neighbours, findings: Findings) -> list[Piece]:
    """Return one piece per object and material."""
    from trimesh.exchange.obj import load_obj

    text = content.decode("utf-8", errors="replace")
    library = _MaterialLines(text, neighbours, findings)
    marked = f"mtllib {library.NAME}\n{text}".encode()
    loaded = load_obj(io.BytesIO(marked), resolver=library, split_objects=True, group_material=True)
    objects = {name.strip() for name in re.findall(r"^o (.+)$", text, re.MULTILINE)}
    entries = reversed(loaded.get("geometry", {}).items())  # the parser works from the end
    return [_piece(name, entry, _object_of(name, entry, objects, neighbours.file_name)) for name, entry in entries]


def read_ply(content: bytes, neighbours: Neighbours, findings: Findings) -> list[Piece]:
    """Return the one mesh of a PLY file."""
    from trimesh.exchange.ply import load_ply

    loaded = load_ply(io.BytesIO(content), resolver=neighbours)
    for element, entry in loaded["metadata"]["_ply_raw"].items():
        data = entry.get("data")
        count = len(next(iter(data.values()), ())) if isinstance(data, dict) else 0 if data is None else len(data)
        if count < entry["length"]:
            raise findings.error("", f"the file is cut off: it says {entry['length']} of '{element}' and has {count}")
    return [_piece(neighbours.file_name, loaded, neighbours.file_name)] if loaded.get("faces") is not None else []


def read_stl(content: bytes, neighbours: Neighbours, findings: Findings) -> list[Piece]:
    """Return the solids of an STL file; corners at one place become one vertex."""
    from trimesh.exchange.stl import load_stl

    count = int.from_bytes(content[80:84], "little")
    needed = _STL_HEADER + count * _STL_TRIANGLE
    if content.lstrip()[:5].lower() != b"solid" and len(content) != needed:
        what = f"it is cut off or damaged: {count} triangles take {needed} bytes, it has {len(content)}"
        raise findings.error("", what)
    loaded = load_stl(io.BytesIO(content))
    solids = loaded.get("geometry", {neighbours.file_name: loaded})
    return [_merged(_piece(str(name), entry, str(name))) for name, entry in solids.items()]


def _object_of(name: str, geometry: dict[str, Any], objects: set[str], default: str) -> str:
    """Return the object of a piece; the parser names pieces object_material."""
    material = getattr(getattr(geometry.get("visual"), "material", None), "name", None)
    return next((found for found in (name, name.removesuffix(f"_{material}")) if found in objects), default)


def _piece(name: str, geometry: dict[str, Any], node: str) -> Piece:
    visual = geometry.get("visual")
    material = getattr(visual, "material", None)
    label = getattr(material, "name", None)
    triangles, normals = _triangulated(geometry["faces"]), geometry.get("vertex_normals")
    uv, image = getattr(visual, "uv", None), getattr(material, "image", None)
    return Piece(name, node, np.eye(4), geometry["vertices"], triangles, normals, uv, label, image)


def _triangulated(faces: Any) -> NDArray[Any]:
    array = np.asarray(faces)
    if array.ndim == 2 and array.shape[1] == 4:
        return np.concatenate((array[:, [0, 1, 2]], array[:, [0, 2, 3]]))
    return array


def _merged(piece: Piece) -> Piece:
    corners = np.asarray(piece.vertices, np.float64)
    order = np.lexsort(corners.T)
    first = np.append(True, (np.diff(corners[order], axis=0) != 0).any(1))
    place = np.empty(len(corners), np.int64)
    place[order] = np.cumsum(first) - 1
    return Piece(piece.name, piece.node, piece.T_file_node, corners[order[first]], place[np.asarray(piece.triangles)])


class _MaterialLines:
    """One material file made of all that an OBJ names, with an empty entry for each material that none explains.

    Without an entry the parser would forget the material's name.
    """

    NAME = "all_materials"

    def __init__(self, text: str, neighbours: Neighbours, findings: Findings) -> None:
        self._neighbours = neighbours
        self.file_name = neighbours.file_name
        files = [name.strip() for name in re.findall(r"^\s*mtllib\s+(.+)$", text, re.MULTILINE)]
        contents = [self._read(name, findings) for name in dict.fromkeys(files)]
        used = [name.strip() for name in re.findall(r"^\s*usemtl\s+(.+)$", text, re.MULTILINE)]
        known = {" ".join(n.split()) for c in contents for n in re.findall(r"^\s*newmtl\s+(.+)$", c, re.MULTILINE)}
        unknown = [name for name in dict.fromkeys(used) if name not in known]
        if unknown and any(contents):
            findings.note(f"the material files do not explain {some_of(unknown)}")
        self._text = "\n".join([*contents, *(f"newmtl {name}" for name in unknown)])

    def _read(self, name: str, findings: Findings) -> str:
        path = self._neighbours.folder / name.replace("\\", "/")
        if not path.is_file():
            findings.note(f"there is no material file '{name}' beside it, so its textures are not there either")
            return ""
        return path.read_text(encoding="utf-8", errors="replace")

    def __getitem__(self, name: str) -> bytes:
        return self._text.encode() if name == self.NAME else self._neighbours[name]

    get = __getitem__
