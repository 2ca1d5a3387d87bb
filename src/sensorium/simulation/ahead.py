"""Samples made ahead: while one is being written, a thread of its own is at work on the next."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import TypeVar

T = TypeVar("T")

_DEPTH = 2
"""Samples that wait at the most: enough to keep both sides busy, few enough for memory."""
_PATIENCE_S = 0.05


def ahead(samples: Iterable[T]) -> Generator[T, None, None]:
    """Yield the same samples in the same order, made by another thread up to two ahead of the caller.

    An error of the maker is raised here, after the samples before it. Closing the generator ends the thread.
    """
    waiting: Queue[tuple[bool, T | BaseException | None]] = Queue(_DEPTH)
    ended = Event()

    def put(item: tuple[bool, T | BaseException | None]) -> bool:
        while not ended.is_set():
            try:
                waiting.put(item, timeout=_PATIENCE_S)
            except Full:
                continue
            return True
        return False

    def make() -> None:
        try:
            for sample in samples:
                if not put((True, sample)):
                    return
            put((False, None))
        except BaseException as error:  # whatever it is, the caller must hear of it
            put((False, error))

    maker = Thread(target=make, name="sensorium-ahead", daemon=True)
    maker.start()
    try:
        yield from _taken(waiting)
    finally:
        ended.set()
        maker.join()


def _taken(waiting: Queue[tuple[bool, T | BaseException | None]]) -> Generator[T, None, None]:
    while True:
        try:
            more, thing = waiting.get(timeout=_PATIENCE_S)  # wakes now and then, so that Ctrl-C is heard at once
        except Empty:
            continue
        if isinstance(thing, BaseException):
            raise thing
        if not more:
            return
        yield thing  # type: ignore[misc]
