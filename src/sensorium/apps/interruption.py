"""Ctrl-C and a polite kill: a command ends with the status that shells expect, a recording ends between two samples."""

from __future__ import annotations

import os
import signal
from types import FrameType, TracebackType

NAMES = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM"}
_HINT = b"\nsensorium: stopping after this sample; once more to stop at once\n"


def end_on_signals() -> None:
    """Let Ctrl-C and SIGTERM end the process with 128 + the signal's number: SystemExit, so that files are closed."""
    for number in NAMES:
        _install(number, _end)


def _end(number: int, frame: FrameType | None = None) -> None:
    raise SystemExit(128 + number)


def _install(number: int, handler: object) -> object:
    """Set a handler and return the one before; a signal that the parent wants ignored stays ignored."""
    before = signal.getsignal(number)
    if before is not signal.SIG_IGN:
        signal.signal(number, handler)  # type: ignore[arg-type]
    return before


class Interruption:
    """Inside its `with` block the first signal only asks the work to end; the second one ends it at once.

    >>> with Interruption() as interruption:
    ...     while not interruption.asked:
    ...         work_a_little()
    """

    def __init__(self) -> None:
        self.number = 0
        """The signal that came; 0: none."""
        self._before: dict[int, object] = {}

    @property
    def asked(self) -> bool:
        """Whether somebody wants the work to end."""
        return self.number != 0

    @property
    def cause(self) -> str:
        """The signal in words."""
        return NAMES[signal.Signals(self.number)]

    @property
    def exit_status(self) -> int:
        """Status of a process that was ended by the signal."""
        return 128 + self.number

    def __enter__(self) -> Interruption:
        self._before = {number: _install(number, self._ask) for number in NAMES}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for number, before in self._before.items():
            _install(number, before)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            _end(number)
        self.number = number
        os.write(2, _HINT)  # not print, which a signal may meet in the middle of another print
