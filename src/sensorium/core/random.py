"""Chance has an address, not a history.

A draw is a pure function of (seed, run, sensor, sample, stream, element): adding a sensor changes no other sensor's
data, the number of threads does not matter, and sample k can be made alone. The address is hashed to the key of a
counter-based generator (Philox 4x32-10, Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC11) and the
element is its counter.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Draws:
    """All the chance that one sample of one sensor may use.

    >>> draws = Draws(seed=7, sensor="roof_lidar", sample=3)
    >>> draws.normal("range", 100_000)          # element i is the same whatever the count
    """

    seed: int
    run: int = 0
    sensor: str = ""
    sample: int = 0

    def at(self, sensor: str, sample: int) -> Draws:
        """Return the draws of another sensor and sample under the same seed and run."""
        return Draws(self.seed, self.run, sensor, sample)

    def key(self, stream: str) -> np.uint64:
        """Return the 64-bit generator key of a named stream, for kernels that draw inside (core.random_kernels)."""
        address = f"{self.seed:d} {self.run:d} {self.sensor!r} {self.sample:d} {stream!r}"
        return np.uint64(int.from_bytes(hashlib.blake2b(address.encode(), digest_size=8).digest(), "little"))

    def normal(self, stream: str, count: int) -> NDArray[np.float64]:
        """Return standard normal numbers [count]."""
        from sensorium.core import random_kernels

        return random_kernels.fill_normal(self.key(stream), count)

    def uniform(self, stream: str, count: int) -> NDArray[np.float64]:
        """Return numbers [count] uniform in the open interval (0, 1)."""
        from sensorium.core import random_kernels

        return random_kernels.fill_uniform(self.key(stream), count)
