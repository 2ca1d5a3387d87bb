"""Who may know whom is a table; this is the table."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "sensorium"

# room -> the rooms that its modules may import. `scene.rays` holds the protocol of tracers, so that scene.View can ask
# one and tracing can implement it: scene does not know tracing.
MAY_KNOW = {
    "core": set(),
    "samples": {"core"},
    "materials": {"core"},
    "atmosphere": {"core"},
    "motion": {"core"},
    "noise": {"core"},
    "scene": {"core", "materials", "atmosphere", "motion"},
    "tracing": {"core", "scene"},
    "ephemeris": {"core"},
    "positioning": {"core", "atmosphere", "ephemeris"},
    "sensors": {"ephemeris", "positioning", "core", "samples", "materials", "atmosphere", "motion", "noise", "scene"},
    "simulation": {
        "ephemeris",
        "core",
        "samples",
        "materials",
        "atmosphere",
        "motion",
        "noise",
        "scene",
        "tracing",
        "sensors",
    },
    "recording": {"core", "samples"},
    "bridges": {"core", "samples", "materials"},
    "tracking": {"core", "samples"},
    "evaluation": {"core", "samples"},
    "campaigns": {"core"},  # it calls what it is told to by name, and need not know what a run is
}


def imported_modules(path: Path, package: str) -> Iterator[str]:
    """Yield the full names of all modules that a file imports anywhere, inside functions and for types only as well."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


def forbidden_imports(source: Path) -> list[str]:
    """Return every import that the table does not allow."""
    found = []
    for path in sorted(source.rglob("*.py")):
        inside = path.relative_to(source)
        room = inside.parts[0]
        if room == "apps" or len(inside.parts) == 1:
            continue
        package = ".".join(["sensorium", *inside.parts[:-1]])
        for module in imported_modules(path, package):
            known = module.split(".")[1:2] if module.startswith("sensorium.") else []
            found += [f"{inside} imports {module}" for other in known if other not in {room, *MAY_KNOW[room]}]
    return found


def test_rooms_know_only_those_of_the_table() -> None:
    """No module imports from a room that its own room may not know."""
    assert forbidden_imports(SOURCE) == []


def test_every_room_stands_in_the_table() -> None:
    """A new room needs a row: what it may know is a decision."""
    rooms = {path.name for path in SOURCE.iterdir() if path.is_dir() and any(path.rglob("*.py"))}
    assert rooms - {"apps"} <= set(MAY_KNOW)


def test_the_table_has_no_circles() -> None:
    """Taking away the rooms that know nobody left, again and again, leaves nothing."""
    left = dict(MAY_KNOW)
    while left:
        lowest = [room for room, known in left.items() if not known & set(left)]
        assert lowest, f"these rooms know each other in a circle: {sorted(left)}"
        left = {room: known for room, known in left.items() if room not in lowest}


def test_forbidden_imports_are_found(tmp_path: Path) -> None:
    """The check sees each form of import: plain, from, relative, hidden in functions, and for types only."""
    for name, text in {
        "core/a.py": "def f():\n    import sensorium.scene.mesh",
        "sensors/lidar/b.py": "from sensorium.recording import mcap_file",
        "scene/c.py": "from ..tracing import embree",
        "motion/d.py": "from sensorium import samples",
        "samples/e.py": "import typing\nif typing.TYPE_CHECKING:\n    from sensorium.motion.fixed import Fixed",
        "tracing/f.py": "from sensorium.scene.mesh import Mesh\nfrom .embree import x\nimport numpy",
        "apps/g.py": "import sensorium.recording",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert forbidden_imports(tmp_path) == [
        "core/a.py imports sensorium.scene.mesh",
        "motion/d.py imports sensorium.samples",
        "samples/e.py imports sensorium.motion.fixed.Fixed",
        "scene/c.py imports sensorium.tracing.embree",
        "sensors/lidar/b.py imports sensorium.recording.mcap_file",
    ]
