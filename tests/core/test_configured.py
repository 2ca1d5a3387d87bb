"""What `configured` makes of a class: frozen, validated, comparable by content, written to documents and read again."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from abc import ABC, abstractmethod
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import Field, field_validator, model_validator

from sensorium.core.arrays import InUnitArray
from sensorium.core.configuration import build, configured, dump_yaml, to_document
from sensorium.core.errors import ConfigurationError
from sensorium.core.files import InputFile
from sensorium.core.pose import Pose
from sensorium.core.units import Hertz, Metres, PositiveHertz, Radians, Vector3
from sensorium.core.yaml_text import parse_yaml, read_yaml

Signal = TypeVar("Signal")


class Instrument(ABC, Generic[Signal]):
    """A plain abstract base that asks for a field."""

    rate_hz: PositiveHertz
    kinds: ClassVar[int] = 0

    @abstractmethod
    def period_s(self) -> float: ...


class Colour(Enum):
    RED = "red"
    GREEN = "green"


@configured
class Straight:
    type: Literal["straight"] = "straight"
    length_m: Metres = 1.0


@configured
class Ruled(Straight):
    """Differs from its base by the class alone."""


@configured
class Arc:
    type: Literal["arc"] = "arc"
    radius_m: Metres
    angle_rad: Radians = 0.0

    @model_validator(mode="after")
    def _not_a_point(self) -> Arc:
        if self.radius_m == 0:
            raise ValueError("radius_m is 0; an arc needs a radius")
        return self


Piece = Annotated[Straight | Arc, Field(discriminator="type")]


@configured
class Scanner(Instrument[float]):
    """A concrete class with one field of every kind."""

    type: Literal["scanner"] = "scanner"
    rate_hz: PositiveHertz = 10.0
    pose: Pose = Field(default_factory=Pose.identity)
    pieces: tuple[Piece, ...] = (Straight(length_m=2.0),)
    first: Straight = Field(default_factory=Straight)
    table_m: Annotated[NDArray[np.float64], InUnitArray("m", (None, 2))] = Field(
        default_factory=lambda: np.zeros((1, 2))
    )
    named: dict[str, Vector3] = Field(default_factory=dict)
    colour: Colour = Colour.RED
    limits: tuple[Hertz, Hertz] | None = None
    count: int = 3
    title: str = ""

    @field_validator("title")
    @classmethod
    def _no_blank(cls, title: str) -> str:
        if title == " ":
            raise ValueError("title must not be a blank")
        return title

    @cached_property
    def periods(self) -> list[float]:
        return [1 / self.rate_hz]

    def period_s(self) -> float:
        return self.periods[0]


@configured
class Turner(Scanner):
    """A subclass: inherits fields, changes the tag and a default, adds one."""

    type: Literal["turner"] = "turner"  # type: ignore[assignment]
    rate_hz: PositiveHertz = 20.0
    clockwise: bool = True


def full() -> Turner:
    return Turner(
        rate_hz="600 rpm",  # type: ignore[arg-type]
        pose=Pose.at(1, 2, 3, 0.5),
        pieces=(Arc(radius_m=5.0, angle_rad=0.3), Straight()),
        table_m=np.array([[1.0, 2.0], [3.0, -0.0]]),
        named={"a": (1.0, 2.0, 3.0)},
        colour=Colour.GREEN,
        limits=(1.0, 2.0),
        title="é: #",
    )


def test_fields_are_converted_and_inherited() -> None:
    """Units are taken at the door, subclasses keep and override fields, cached properties work on frozen objects."""
    assert (Scanner().period_s(), Turner().period_s(), full().rate_hz) == (0.1, 0.05, 10.0)
    assert full().periods is not full().periods
    scanner = Scanner()
    assert scanner.periods is scanner.periods


def test_objects_are_frozen() -> None:
    """Neither fields nor the array inside them can be written, and the caller's array is not the object's array."""
    table = np.zeros((2, 2))
    scanner = Scanner(table_m=table)
    with pytest.raises(dataclasses.FrozenInstanceError):
        scanner.count = 4  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        scanner.table_m[0, 0] = 1
    table[0, 0] = 1
    assert scanner.table_m[0, 0] == 0


def test_equality_is_content() -> None:
    """Equal content of the same class is equal and has one hash; any field that differs, or another class, is not."""
    assert full() == full()
    assert hash(full()) == hash(full())
    assert Scanner() != Turner(rate_hz=10.0)
    assert Scanner(table_m=np.array([[0.0, -0.0]])) == Scanner()
    for change in (
        {"count": 4},
        {"pose": Pose.at(0, 0, 1)},
        {"table_m": np.ones((1, 2))},
        {"first": Straight(length_m=3)},
        {"first": Ruled()},
    ):
        assert dataclasses.replace(Scanner(), **change) != Scanner()
    assert Straight() != object()


def test_copies_are_equal() -> None:
    """Objects can be copied, pickled to other processes, and replaced field by field with all checks."""
    assert copy.deepcopy(full()) == full()
    assert pickle.loads(pickle.dumps(full())) == full()
    with pytest.raises(ConfigurationError, match="rate_hz: must be greater than 0 Hz"):
        dataclasses.replace(full(), rate_hz=-1.0)


@pytest.mark.parametrize("thing", [Scanner(), full(), Arc(radius_m=1e-7)], ids=lambda thing: type(thing).__name__)
def test_document_and_back(thing: Any) -> None:
    """build(type(x), to_document(x)) == x, through YAML text as well, and the document is complete."""
    document = to_document(thing)
    assert set(document) == {field.name for field in dataclasses.fields(thing)}
    assert build(type(thing), document) == thing
    assert build(type(thing), parse_yaml(dump_yaml(document))) == thing


def test_documents_hold_only_what_can_be_written() -> None:
    """An object that no file can hold is refused rather than written as its name."""
    with pytest.raises(TypeError, match="object cannot stand in a document"):
        to_document({"a": [object()]})


def test_arguments_need_names() -> None:
    """Positional arguments are refused with the way to write them."""
    with pytest.raises(
        ConfigurationError, match=r"by name.*write Arc\(type=\.\.\., radius_m=\.\.\., angle_rad=\.\.\.\)"
    ):
        Arc(3.0)  # type: ignore[call-arg, arg-type]


def test_constructor_reports_every_problem() -> None:
    """A call with several wrong arguments raises one error that names them all, and the class."""
    with pytest.raises(ConfigurationError) as caught:
        Scanner(rat_hz=3, count="many", title=" ", pieces=[{"type": "arc", "radius_m": 0}])  # type: ignore[call-arg, arg-type]
    assert str(caught.value).splitlines() == [
        "Scanner: 4 problems",
        "  pieces[0]: radius_m is 0; an arc needs a radius",
        "  count: expected a whole number, found 'many'",
        "  title: title must not be a blank",
        "  rat_hz is not a setting of Scanner. Did you mean 'rate_hz'?",
    ]


def test_a_forgotten_field_is_noticed_at_definition() -> None:
    """A subclass that does not declare what its plain base asks for is refused when it is defined."""
    with pytest.raises(TypeError, match="Deaf must declare 'rate_hz', which its base Instrument asks for"):

        @configured
        class Deaf(Instrument[float]):
            def period_s(self) -> float:
                return 1.0


def test_abstract_classes_stay_abstract() -> None:
    """A configured class with an abstract method cannot be made."""

    @configured
    class Half(Instrument[float]):
        rate_hz: PositiveHertz = 1.0

    with pytest.raises(TypeError, match="abstract"):
        Half()  # type: ignore[abstract]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[1, 2], [3, "4 s"]], "[1][1]: 's' is a unit of another kind"),
        ([[1, 2], [3]], "[1]: expected a list of 2, found [3]"),
        ([1, 2], "[0]: expected a list of 2, found 1"),
        (np.zeros(3), "expected numbers in m of shape (any, 2), found shape (3,)"),
        (np.array([[1.0, np.nan]]), "expected finite numbers in m"),
        (3, "expected a list of numbers, found 3"),
    ],
)
def test_arrays_name_the_wrong_entry(table: Any, message: str) -> None:
    """An array setting refuses wrong shapes, units and NaN, at the entry where they stand."""
    with pytest.raises(ConfigurationError) as caught:
        build(Scanner, {"table_m": table})
    assert str(caught.value).startswith(f"table_m{'' if message.startswith('[') else ': '}{message}")


def test_arrays_take_units() -> None:
    """Entries of arrays may carry units, as single numbers do."""
    assert build(Scanner, {"table_m": [["1 km", 2], ["3 cm", 0]]}).table_m.tolist() == [[1000, 2], [0.03, 0]]


@configured
class Cloud:
    path: InputFile


def test_files_are_relative_to_the_document(tmp_path: Path) -> None:
    """A path in a file starts at the folder of that file and becomes absolute; in Python it stays as it is."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "street.ply").touch()
    (tmp_path / "s.yaml").write_text("path: data/street.ply\n")
    cloud = build(Cloud, read_yaml(tmp_path / "s.yaml"))
    assert cloud.path == (tmp_path / "data/street.ply").resolve()
    assert build(Cloud, to_document(cloud)) == cloud
    assert Cloud(path=Path("data/street.ply")).path == Path("data/street.ply")


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("data/stret.ply", "there is no file '{0}/data/stret.ply'. Did you mean 'street.ply'?"),
        ("dat/street.ply", "there is no file '{0}/dat/street.ply'. There is no folder '{0}/dat' either."),
        ("data", "'data' is a folder; a file is wanted"),
        ("a" * 300, "'" + "a" * 300 + "' cannot be opened: "),
        ("~nobody_at_all/x", "'~nobody_at_all/x' cannot be opened: "),
    ],
)
def test_missing_files_are_named(tmp_path: Path, written: str, message: str) -> None:
    """A file that is not there is refused when the document is read, with its full path and its line."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "street.ply").touch()
    (tmp_path / "s.yaml").write_text(f"\npath: {written}\n")
    with pytest.raises(ConfigurationError) as caught:
        build(Cloud, read_yaml(tmp_path / "s.yaml"))
    assert str(caught.value).startswith(f"{tmp_path}/s.yaml:2: path: " + message.format(tmp_path.resolve()))
