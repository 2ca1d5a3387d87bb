"""Rules of the house that a reader relies on: small files, small functions, telling names, silence in the library."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "sensorium"
LONGEST_FILE, LONGEST_FUNCTION = 350, 60
EMPTY_WORDS = {
    "util", "utils", "utility", "utilities", "helper", "helpers", "manager", "managers", "common", "base", "misc",
    "stuff", "tools", "lib", "shared", "generic", "new", "old", "tmp",
}  # fmt: skip

Rule = Callable[[Path, str], Iterator[str]]
"""Tells what breaks a rule in one file, given its path inside the package and its text."""


def long_files(path: Path, text: str) -> Iterator[str]:
    """A file can be read in one sitting."""
    length = len(text.splitlines())
    if length > LONGEST_FILE:
        yield f"has {length} lines"


def long_functions(path: Path, text: str) -> Iterator[str]:
    """A function fits on a screen."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > LONGEST_FUNCTION:
                yield f"line {node.lineno}: {node.name} has {length} lines"


def missing_docstrings(path: Path, text: str) -> Iterator[str]:
    """Every room says what it is for; so does every module."""
    if not ast.get_docstring(ast.parse(text)):
        yield "has no docstring"


def noise(path: Path, text: str) -> Iterator[str]:
    """Only the apps print and exit; libraries return and raise."""
    if path.parts[0] == "apps":
        return
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call | ast.Raise):
            continue
        called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        raised = ast.unparse(node.exc) if isinstance(node, ast.Raise) and node.exc else ""
        if called in {"print", "sys.exit", "exit", "quit", "os._exit"} or raised.startswith("SystemExit"):
            yield f"line {node.lineno}: {called or raised}"


def empty_names(path: Path, text: str) -> Iterator[str]:
    """A name says what is inside; these words say nothing."""
    for word in {word for part in path.with_suffix("").parts for word in part.split("_")} & EMPTY_WORDS:
        yield f"is named '{word}'"


RULES: list[Rule] = [long_files, long_functions, missing_docstrings, noise, empty_names]


def violations(rule: Rule, source: Path) -> list[str]:
    """Return what breaks a rule in a tree of sources."""
    found = []
    for path in sorted(source.rglob("*.py")):
        inside = path.relative_to(source)
        found += [f"{inside} {what}" for what in rule(inside, path.read_text(encoding="utf-8"))]
    return found


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_rule(rule: Rule) -> None:
    """The whole package keeps the rule."""
    assert violations(rule, SOURCE) == []


def test_every_room_is_a_package() -> None:
    """A folder with modules has an __init__.py, so that its docstring can say what the room is for."""
    folders = {path.parent for path in SOURCE.rglob("*.py")}
    assert [str(folder) for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []


@pytest.mark.parametrize(
    ("rule", "text", "name"),
    [
        (long_files, '"""Doc."""\n' + "x = 1\n" * LONGEST_FILE, "core/a.py"),
        (long_functions, "def f():\n" + "    x = 1\n" * LONGEST_FUNCTION, "core/a.py"),
        (missing_docstrings, "x = 1\n", "core/__init__.py"),
        (noise, "def f():\n    print(1)\n", "core/a.py"),
        (noise, "import sys\nsys.exit(1)\n", "core/a.py"),
        (noise, "raise SystemExit(2)\n", "core/a.py"),
        (empty_names, "", "core/mesh_utils.py"),
        (empty_names, "", "common/mesh.py"),
    ],
)
def test_broken_rules_are_found(tmp_path: Path, rule: Rule, text: str, name: str) -> None:
    """Each rule sees what breaks it."""
    path = tmp_path / name
    path.parent.mkdir()
    path.write_text(text)
    assert len(violations(rule, tmp_path)) == 1


def test_apps_may_print(tmp_path: Path) -> None:
    """The command line is the only place that prints."""
    (tmp_path / "apps").mkdir()
    (tmp_path / "apps" / "a.py").write_text("print(1)\n")
    assert violations(noise, tmp_path) == []
