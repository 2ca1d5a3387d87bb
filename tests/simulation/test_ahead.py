"""Samples made ahead are the same samples, and trouble on the other side is not lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from sensorium.simulation.ahead import ahead


def workers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "sensorium-ahead"]


def test_same_things_in_the_same_order():
    """Nothing is lost, doubled or moved; None is a thing like any other."""
    things = [*range(50), None, "end"]
    assert list(ahead(things)) == things
    assert workers() == []


def test_an_error_comes_after_what_was_made_before_it():
    """The caller gets the maker's own error, and all things before it."""

    def failing() -> Iterator[int]:
        yield 1
        yield 2
        raise ValueError("out of sand")

    stream = ahead(failing())
    assert [next(stream), next(stream)] == [1, 2]
    with pytest.raises(ValueError, match="out of sand"):
        next(stream)
    assert workers() == []


def test_only_a_few_are_made_ahead():
    """A slow caller holds the maker back: two wait, and one is in the maker's hands."""
    made = []
    stream = ahead(made.append(number) or number for number in range(100))
    assert next(stream) == 0
    time.sleep(0.2)
    assert len(made) <= 4
    stream.close()
    assert workers() == []


def test_making_and_taking_overlap():
    """Twenty things that take 10 ms to make and 10 ms to use take less than the 400 ms of one after the other."""

    def slow() -> Iterator[int]:
        for number in range(20):
            time.sleep(0.01)
            yield number

    start = time.perf_counter()
    for _ in ahead(slow()):
        time.sleep(0.01)
    assert time.perf_counter() - start < 0.35
