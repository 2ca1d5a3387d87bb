"""YAML 1.2: text to documents with the line of every entry, and back; only the kinds of the core schema are read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sensorium.core.documents import Document
from sensorium.core.errors import ConfigurationError, Problem, did_you_mean
from sensorium.core.steps import Steps, steps_text

_MOST_ENTRIES = 1_000_000
_DEEPEST = 100
_TAG = "tag:yaml.org,2002:"
_SCALARS = {_TAG + name for name in ("null", "bool", "int", "float")}
_TEXTS = {_TAG + name for name in ("str", "timestamp", "value")}


def read_yaml(path: str | Path) -> Document:
    """Read a YAML file. Whatever is wrong with the file or its grammar is a `ConfigurationError` with file and line."""
    source = str(path)
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise ConfigurationError(f"there is no such file.{_near(Path(path))}", source) from None
    except IsADirectoryError:
        raise ConfigurationError("is a folder; the path of a YAML file is wanted", source) from None
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"is not UTF-8 text (byte {error.start}); save it as UTF-8", source) from None
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"cannot be read: {error}", source) from None
    return parse_yaml(text, source, Path(path).resolve().parent)


def _near(path: Path) -> str:
    """Return the YAML file beside it that may be meant, or that the folder is missing as well."""
    try:
        return did_you_mean(
            path.name, [each.name for each in path.parent.iterdir() if each.suffix in (".yaml", ".yml")]
        )
    except OSError:
        return f" There is no folder '{path.parent}' either."


def parse_yaml(text: str, source: str = "", folder: Path | None = None) -> Document:
    """Read YAML text; see `read_yaml`."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    yaml = YAML(typ="safe", pure=True)
    yaml.composer.warn_double_anchors = False
    reading = _Reading(yaml, source)
    try:
        node = yaml.compose(text)
        content = None if node is None else reading.entry(node, (), ())
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = " ".join(part for part in (error.problem, error.context) if part)
        raise reading.refusal((), f"is not YAML: {what}", mark and mark.line) from None
    except YAMLError as error:
        raise reading.refusal((), f"is not YAML: {' '.join(str(error).split())}", None) from None
    except RecursionError:
        raise reading.refusal((), f"is nested deeper than {_DEEPEST} levels", None) from None
    return Document(content, source, reading.places, folder)


@dataclass
class _Reading:
    """Walks the nodes of one text, makes plain values of them and notes their lines."""

    yaml: Any
    source: str
    places: dict[Steps, str] = field(default_factory=dict)
    count: int = 0

    def refusal(self, steps: Steps, what: str, line: int | None) -> ConfigurationError:
        place = self.source if line is None else self.place(line)
        return ConfigurationError([Problem(steps_text(steps), what, place)], self.source)

    def place(self, line: int) -> str:
        return f"{self.source}:{line + 1}" if self.source else f"line {line + 1}"

    def entry(self, node: Any, steps: Steps, around: tuple[int, ...]) -> Any:
        line = node.start_mark.line
        self.count += 1
        self.places.setdefault(steps, self.place(line))
        if id(node) in around:
            raise self.refusal(steps, "contains itself by way of an anchor", line)
        if len(around) >= _DEEPEST or self.count > _MOST_ENTRIES:
            what = f"is nested deeper than {_DEEPEST} levels or has over {_MOST_ENTRIES} entries"
            raise self.refusal(steps, what, line)
        inside = (*around, id(node))
        if node.tag == _TAG + "map" and node.id == "mapping":
            return self.mapping(node, steps, inside)
        if node.tag == _TAG + "seq" and node.id == "sequence":
            return [self.entry(child, (*steps, index), inside) for index, child in enumerate(node.value)]
        return self.scalar(node, steps)

    def mapping(self, node: Any, steps: Steps, inside: tuple[int, ...]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line
            if key_node.tag == _TAG + "merge":
                for entry in self.merged(value_node, steps, inside):
                    merged = {**entry, **merged}
                continue
            key = self.scalar(key_node, steps) if key_node.id == "scalar" else None
            if not isinstance(key, str):
                written = f"{key_node.value}; put it in quotes" if key_node.id == "scalar" else "a list or a group"
                raise self.refusal(steps, f"names of settings must be texts, found {written}", line)
            if key in found:
                raise self.refusal((*steps, key), "is given twice", line)
            self.places[(*steps, key)] = self.place(line)
            found[key] = self.entry(value_node, (*steps, key), inside)
        return {**merged, **found}

    def merged(self, node: Any, steps: Steps, inside: tuple[int, ...]) -> Iterator[dict[str, Any]]:
        """Yield the groups that ``<<: *anchor`` or ``<<: [*one, *two]`` brings in; the first one wins."""
        for source in node.value if node.id == "sequence" else [node]:
            entry = self.entry(source, steps, inside)
            if not isinstance(entry, dict):
                raise self.refusal(steps, "'<<' wants a group of settings to merge", node.start_mark.line)
            yield entry

    def scalar(self, node: Any, steps: Steps) -> Any:
        line = node.start_mark.line
        if node.id != "scalar" or node.tag not in _SCALARS | _TEXTS:
            raise self.refusal(steps, f"the tag {node.tag} is not allowed; write plain YAML", line)
        text: str = node.value
        if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
            raise self.refusal(steps, "holds half of a surrogate pair, which is no character", line)
        if node.tag in _TEXTS:
            return text
        try:
            return self.yaml.constructor.construct_object(node)
        except (ValueError, KeyError) as error:
            what = f"'{text:.40}' cannot be read as {node.tag.removeprefix(_TAG)}: {error}"
            raise self.refusal(steps, what, line) from None


def dump_yaml(document: Any) -> str:
    """Write plain content (dict, list, text, number, bool, None) as YAML; lists of plain values stand on one line."""
    import io

    from ruamel.yaml import YAML
    from ruamel.yaml.representer import SafeRepresenter

    class Representer(SafeRepresenter):
        def ignore_aliases(self, data: Any) -> bool:
            return True

        def represent_list(self, data: list[Any]) -> Any:
            flat = not any(isinstance(entry, dict | list) for entry in data)
            return self.represent_sequence(_TAG + "seq", data, flow_style=flat)

        def represent_str(self, data: str) -> Any:
            return self.represent_scalar(_TAG + "str", data, style=None if data.isprintable() else '"')

    Representer.add_representer(list, Representer.represent_list)
    Representer.add_representer(str, Representer.represent_str)
    yaml: Any = YAML(typ="safe", pure=True)
    yaml.Representer = Representer
    yaml.default_flow_style = False
    yaml.sort_base_mapping_type_on_output = False
    yaml.width = 100
    yaml.allow_unicode = True
    stream = io.StringIO()
    yaml.dump(document.content if isinstance(document, Document) else document, stream)
    return stream.getvalue()
