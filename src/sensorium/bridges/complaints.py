"""Messages about what goes wrong over and over: at most one per second, with the count."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic

Report = Callable[[str], None]

_LOGGER = logging.getLogger("sensorium.bridges")
_INTERVAL_S = 1.0


class Complaints:
    """Collects complaints of one kind; hands the last one on, with the number of those since the message before.

    >>> complaints = Complaints("datagrams refused", print)
    >>> complaints.add("29 bytes are no whole number of beams")
    datagrams refused: 1; the last one: 29 bytes are no whole number of beams
    """

    def __init__(self, what: str, report: Report | None = None, clock: Callable[[], float] = monotonic) -> None:
        """Report to a function, or to the log of `sensorium.bridges` as a warning."""
        self._what = what
        self._report = report or _LOGGER.warning
        self._clock = clock
        self.total = self._count = 0
        """Complaints so far; and those that no message has told yet."""
        self._last = ""
        self._spoken_s = -float("inf")

    def add(self, reason: str) -> None:
        """Count one complaint, and speak if the last message is long enough ago."""
        self.total += 1
        self._count += 1
        self._last = reason
        self.speak_if_due()

    def speak_if_due(self) -> None:
        """Report what has been counted, if the last message is a second ago; call this now and then."""
        if self._clock() - self._spoken_s >= _INTERVAL_S:
            self.speak()

    def speak(self) -> None:
        """Report what has been counted since the last message, if anything."""
        if self._count:
            self._report(f"{self._what}: {self._count}; the last one: {self._last}")
            self._count, self._spoken_s = 0, self._clock()
