"""glTF 2.0 and GLB: the tree of nodes is walked here, arrays and images are decoded by trimesh.

Taken: triangles and strips, normals, texture coordinates, names of materials, base colour textures, transforms of
nodes. Refused: compressed or sparse geometry, which would come out wrong. Told in the warning: skins, lines, points.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import Pose
from sensorium.scene.importing.findings import Findings
from sensorium.scene.importing.neighbours import Neighbours
from sensorium.scene.importing.piece import Piece

Floats = NDArray[np.float64]

_HARMLESS = ("KHR_materials_", "KHR_lights_", "KHR_texture_transform", "KHR_xmp", "EXT_texture_webp", "KHR_animation")
_TRIANGLES, _STRIP = 4, 5


def read_gltf(content: bytes, neighbours: Neighbours, findings: Findings) -> list[Piece]:
    """Return the pieces of a glTF or GLB file, node by node in the order of the tree."""
    from trimesh.exchange.gltf import load_glb, load_gltf

    binary = content[:4] == b"glTF"
    header = _header(content, binary, findings)
    _refuse_what_cannot_be_read(header, findings)
    loaded = (load_glb if binary else load_gltf)(io.BytesIO(content), resolver=neighbours)
    if neighbours.textures and not neighbours.problems:
        _refuse_lost_textures(header, loaded["geometry"], findings)
    primitives = _by_mesh(header, loaded["geometry"], findings)
    pieces: list[Piece] = []
    for name, matrix, mesh in _nodes(header, findings):
        for number, geometry in enumerate(primitives[mesh]):
            part = name if len(primitives[mesh]) == 1 else f"{name}.{number}"
            pieces.append(_piece(part, name, matrix, geometry))
    return pieces


def _header(content: bytes, binary: bool, findings: Findings) -> dict[str, Any]:
    if binary:
        whole, chunk = (int.from_bytes(content[start : start + 4], "little") for start in (8, 12))
        if whole > len(content):
            raise findings.error("", f"the file is cut off: it says {whole} bytes and has {len(content)}")
        content = content[20 : 20 + chunk]
    header: Any = json.loads(content)
    if not isinstance(header, dict) or "asset" not in header:
        raise findings.error("", "this is no glTF file: it has no 'asset'")
    return header


def _refuse_what_cannot_be_read(header: dict[str, Any], findings: Findings) -> None:
    for extension in header.get("extensionsRequired", []):
        if not extension.startswith(_HARMLESS):
            what = f"it needs the glTF extension {extension}, which is not supported; export it without"
            raise findings.error("", what)
    for number, accessor in enumerate(header.get("accessors", [])):
        if "sparse" in accessor or "bufferView" not in accessor:
            raise findings.error(f"accessor {number}", "sparse or empty arrays are not supported; export plain ones")
    if header.get("skins"):
        findings.note("skins are not applied, so the model stands in its rest pose")


def _refuse_lost_textures(header: dict[str, Any], geometry: dict[str, Any], findings: Findings) -> None:
    """The parser passes over images that it cannot decode; a texture that is named must be there."""
    found = {entry["visual"].material.name for entry in geometry.values() if _image(entry) is not None}
    used = {entry["visual"].material.name for entry in geometry.values() if "visual" in entry}
    for material in header.get("materials", []):
        named = "baseColorTexture" in material.get("pbrMetallicRoughness", {})
        if named and material.get("name") in used - found:
            raise findings.error(f"material '{material.get('name')}'", "its texture cannot be read")


def _by_mesh(header: dict[str, Any], geometry: dict[str, Any], findings: Findings) -> list[list[dict[str, Any]]]:
    """Return the decoded triangles of each mesh; the parser keeps the order of meshes and of their primitives."""
    decoded = iter(geometry.values())
    meshes: list[list[dict[str, Any]]] = []
    for mesh in header.get("meshes", []):
        modes = [primitive.get("mode", _TRIANGLES) for primitive in mesh["primitives"]]
        entries = [(mode, next(decoded)) for mode in modes if mode in (0, 1, _TRIANGLES, _STRIP)]
        meshes.append([entry for mode, entry in entries if mode in (_TRIANGLES, _STRIP)])
        left = len(modes) - len(meshes[-1])
        if left:
            name = mesh.get("name", len(meshes) - 1)
            findings.note(f"left out {left} primitives of mesh '{name}', which are no triangles")
    return meshes


def _nodes(header: dict[str, Any], findings: Findings) -> Iterator[tuple[str, Floats, int]]:
    """Yield (name, T_file_node, mesh) of the nodes with a mesh in the file's scene, parents before children."""
    nodes, scenes = header.get("nodes", []), header.get("scenes", [])
    roots = scenes[header.get("scene", 0)].get("nodes", []) if scenes else range(len(nodes))
    waiting = [(number, np.eye(4)) for number in reversed(roots)]
    seen: set[int] = set()
    names: dict[str, int] = {}
    while waiting:
        number, above = waiting.pop()
        if number in seen:
            raise findings.error(f"node {number}", "it hangs in the tree twice")
        seen.add(number)
        node = nodes[number]
        matrix = above @ _local(node)
        name = str(node.get("name") or f"node_{number}")
        names[name] = names.get(name, 0) + 1
        if "mesh" in node:
            yield name if names[name] == 1 else f"{name}_{names[name]}", matrix, node["mesh"]
        waiting.extend((child, matrix) for child in reversed(node.get("children", [])))


def _local(node: dict[str, Any]) -> Floats:
    """Return the node's own transform: its matrix (column by column), or T R S with the quaternion as xyzw."""
    if "matrix" in node:
        return np.array(node["matrix"], np.float64).reshape(4, 4).T
    x, y, z, w = node.get("rotation", (0.0, 0.0, 0.0, 1.0))
    matrix = Pose(np.array(node.get("translation", (0.0, 0.0, 0.0))), np.array([w, x, y, z])).matrix()
    return np.asarray(matrix @ np.diag([*node.get("scale", (1.0, 1.0, 1.0)), 1.0]))


def _piece(part: str, node: str, matrix: Floats, geometry: dict[str, Any]) -> Piece:
    visual = geometry.get("visual")
    return Piece(
        part,
        node,
        matrix,
        geometry["vertices"],
        geometry["faces"],
        geometry.get("vertex_normals"),
        None if visual is None else visual.uv,
        None if visual is None else visual.material.name,
        _image(geometry),
    )


def _image(geometry: dict[str, Any]) -> Any:
    visual = geometry.get("visual")
    return None if visual is None else visual.material.baseColorTexture
