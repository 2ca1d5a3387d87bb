"""A batch shared among threads; rows do not depend on each other, so neither does the result on the number of threads."""

from __future__ import annotations

import os
from collections.abc import Callable

_FEWEST_STEPS = 20_000
"""Below so many updates one thread is done before others have started."""


def in_threads(work: Callable[[int, int], bool], rows: int, steps: int, threads: int | None = None) -> bool:
    """Call work(start, stop) for parts of the rows, each in a thread of its own; returns whether all returned true."""
    count = min(threads or os.cpu_count() or 1, rows)
    if count <= 1 or rows * steps < _FEWEST_STEPS:
        return work(0, rows)
    from concurrent.futures import ThreadPoolExecutor

    parts = 4 * count  # threads that are slower take fewer parts
    bounds = [rows * part // parts for part in range(parts + 1)]
    with ThreadPoolExecutor(count) as pool:
        return all(list(pool.map(work, bounds[:-1], bounds[1:])))
