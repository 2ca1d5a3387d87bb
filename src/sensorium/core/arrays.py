"""Arrays as settings: lists of numbers at the door, float64 arrays that cannot be written inside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import ConfigurationError, Problem, shown
from sensorium.core.units import to_si

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema


@dataclass(frozen=True)
class InUnitArray:
    """Annotation for an array field: ``Annotated[NDArray[np.float64], InUnitArray("m", (None, 3))]``.

    Each entry may be a number in the SI unit or a text with a unit. None in the shape stands for any length.
    """

    si_unit: str
    shape: tuple[int | None, ...]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema

        entry: CoreSchema = core_schema.union_schema([core_schema.float_schema(), core_schema.str_schema()])
        for _ in self.shape:
            entry = core_schema.list_schema(entry)
        return core_schema.no_info_plain_validator_function(self._read, json_schema_input_schema=entry)

    def _read(self, value: object) -> NDArray[np.float64]:
        array = np.array(value if isinstance(value, np.ndarray) else self._entries(value, 0), np.float64)
        wanted = f"shape ({', '.join('any' if length is None else str(length) for length in self.shape)})"
        fits = array.ndim == len(self.shape) and all(
            length in (None, found) for length, found in zip(self.shape, array.shape, strict=True)
        )
        if not fits:
            raise ValueError(f"expected numbers in {self.si_unit} of {wanted}, found shape {array.shape}")
        if not np.isfinite(array).all():
            raise ValueError(f"expected finite numbers in {self.si_unit}, found NaN or infinity")
        array.flags.writeable = False
        return array

    def _entries(self, value: object, depth: int) -> Any:
        """Return nested lists of SI numbers; names the first entry that is not one."""
        if depth == len(self.shape):
            return to_si(value, self.si_unit)
        length = self.shape[depth]
        if not isinstance(value, list | tuple) or (length is not None and len(value) != length):
            raise ValueError(f"expected a list of {'numbers' if length is None else length}, found {shown(value)}")
        entries = []
        for index, entry in enumerate(value):
            try:
                entries.append(self._entries(entry, depth + 1))
            except ConfigurationError as error:
                raise ConfigurationError([Problem(f"[{index}]{p.where}", p.what) for p in error.problems]) from None
            except ValueError as error:
                raise ConfigurationError([Problem(f"[{index}]", str(error))]) from None
        return entries
