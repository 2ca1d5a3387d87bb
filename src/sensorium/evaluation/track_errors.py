"""How far estimates are from the truth."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sensorium.core.errors import ConfigurationError

Floats = NDArray[np.float64]


def rms(estimate: ArrayLike, truth: ArrayLike, axis: int | tuple[int, ...] | None = 0) -> Floats:
    """Return sqrt(mean |estimate - truth|^2) over vectors [..., d]; `axis` are batch axes, None: no mean at all."""
    found, real = np.asarray(estimate, np.float64), np.asarray(truth, np.float64)
    if found.shape[-1:] != real.shape[-1:]:
        raise ConfigurationError(f"vectors of {found.shape[-1]} and of {real.shape[-1]} numbers cannot be compared")
    squared = np.sum((found - real) ** 2, -1)
    return np.asarray(np.sqrt(squared if axis is None else np.nanmean(squared, axis)))
