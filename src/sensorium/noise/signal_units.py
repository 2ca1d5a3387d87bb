"""Figures of faults: numbers in SI, or texts whose unit must fit the sensor in whose chain the fault stands.

The same white noise serves an accelerometer (mg) and a gyroscope (deg/s). A field is annotated with `OfSignal`, which names
the relation of its unit to that of the signal; a text keeps the dimension that it was written in until the sensor is
made, and `misfits` tells what does not belong there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Annotated, Any

from sensorium.core import kinds
from sensorium.core.errors import Problem, shown
from sensorium.core.units import UNITS, si_with_unit, to_si

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

AXES = "xyz"


class Amount(float):
    """A number in SI that remembers the dimension in which it was written."""

    si_unit: str

    def __new__(cls, value: float, si_unit: str) -> Amount:
        """Make the number and keep the name of its SI unit."""
        made = super().__new__(cls, value)
        made.si_unit = si_unit
        return made

    def to_document(self) -> float:
        """Return the plain number: a document holds SI."""
        return float(self)

    def __getnewargs__(self) -> tuple[float, str]:  # type: ignore[override]
        return float(self), self.si_unit


@dataclass(frozen=True)
class OfSignal:
    """Annotation for a figure whose unit follows from the signal's: "{}" is the signal's unit itself."""

    relation: str = "{}"
    """For example "{}/sqrt(Hz)"."""
    axes: bool = True
    """Whether it is three numbers, one per axis; one number then counts for all."""
    at_least: float = -math.inf
    above: float = -math.inf

    def si_unit(self, signal_unit: str) -> str:
        """Return the SI unit of the figure for a signal in this unit."""
        inner = f"({signal_unit})" if self.relation.startswith("LSB/") and "/" in signal_unit else signal_unit
        return self.relation.format(inner)

    def read(self, value: object) -> Any:
        """Return the number or the three numbers in SI."""
        if not self.axes:
            return self._number(value)
        if isinstance(value, list | tuple):
            if len(value) != len(AXES):
                raise ValueError(f"expected one figure for all axes or three for x, y, z, found {len(value)}")
            return tuple(self._number(entry) for entry in value)
        return (self._number(value),) * len(AXES)

    def _number(self, value: object) -> float:
        if isinstance(value, str):
            number: float = Amount(*si_with_unit(value))
        elif isinstance(value, Amount):
            number = value
        elif isinstance(value, Real) and not isinstance(value, bool):
            number = to_si(value, "1")
        else:
            raise ValueError(f"expected a number in SI or a text with a unit, found {shown(value)}")
        if number < self.at_least or number <= self.above:
            bound = f"at least {self.at_least:g}" if number < self.at_least else f"greater than {self.above:g}"
            raise ValueError(f"must be {bound}, found {shown(value)}")
        return number

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema

        one: CoreSchema = core_schema.union_schema([core_schema.float_schema(), core_schema.str_schema()])
        if self.axes:
            one = core_schema.union_schema([one, core_schema.list_schema(one, min_length=3, max_length=3)])
        return core_schema.no_info_plain_validator_function(self.read, json_schema_input_schema=one)


Triple = tuple[float, float, float]

Axes = Annotated[Triple, OfSignal()]
"""One figure per axis in the signal's unit."""
Deviation = Annotated[Triple, OfSignal(at_least=0.0)]
"""Standard deviations per axis in the signal's unit."""
Density = Annotated[Triple, OfSignal("{}/sqrt(Hz)", at_least=0.0)]
"""Amplitude spectral densities per axis."""
Walk = Annotated[Triple, OfSignal("{}/sqrt(s)", at_least=0.0)]
"""What a random walk gains in the root of a second, per axis."""
PerKelvin = Annotated[Triple, OfSignal("{}/K")]
"""Change of the signal with the temperature, per axis."""
Resolution = Annotated[float, OfSignal(axes=False, above=0.0)]
"""One step of a converter in the signal's unit."""
Sensitivity = Annotated[float, OfSignal("LSB/{}", axes=False, above=0.0)]
"""Steps of a converter per unit of the signal."""
Shares = Annotated[Triple, OfSignal("1")]
"""Pure numbers per axis: %, ppm."""
ShareDeviations = Annotated[Triple, OfSignal("1", at_least=0.0)]
SharesPerKelvin = Annotated[Triple, OfSignal("1/K")]


def misfits(thing: Any, signal_unit: str) -> Iterator[Problem]:
    """Yield a problem for each figure of a configured object that was written in a unit of another kind."""
    for name, kind in kinds.settings(type(thing)).items():
        for note in kinds.notes(kind):
            if isinstance(note, OfSignal):
                yield from _misfits(name, getattr(thing, name), note.si_unit(signal_unit))


def _misfits(where: str, value: Any, si_unit: str) -> Iterator[Problem]:
    entries = value if isinstance(value, tuple) else (value,)
    wrong = next((each for each in entries if isinstance(each, Amount) and each.si_unit != si_unit), None)
    if wrong is not None:
        fitting = [symbol for symbol, (dimension, _, _) in UNITS.items() if dimension == si_unit and symbol]
        what = f"is written in a unit of another kind ({wrong.si_unit}); expected one of {', '.join(fitting)}"
        yield Problem(where, what)
