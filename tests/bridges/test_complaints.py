"""What goes wrong over and over is told at most once per second, and no complaint is left out of the count."""

from __future__ import annotations

import logging
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensorium.bridges.complaints import Complaints


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@given(st.lists(st.tuples(st.floats(0, 3), st.booleans()), max_size=60))
def test_at_most_one_message_per_second_and_a_full_count(events: list[tuple[float, bool]]) -> None:
    """Two messages lie a second apart; the counts in all messages, and the last word, add up to the complaints."""
    clock, spoken = Clock(), []
    complaints = Complaints("things refused", lambda text: spoken.append((clock.now_s, text)), clock)
    added = 0
    for wait_s, wrong in events:
        clock.now_s += wait_s
        if wrong:
            added += 1
            complaints.add(f"reason {added}")
        else:
            complaints.speak_if_due()
    assert all(later - earlier >= 1 for (earlier, _), (later, _) in pairwise(spoken))
    complaints.speak()
    assert complaints.total == added
    assert sum(int(re.match(r"things refused: (\d+)", text)[1]) for _, text in spoken) == added
    assert not spoken or spoken[-1][1].endswith(f"the last one: reason {added}")


def test_the_first_complaint_is_told_at_once(caplog: pytest.LogCaptureFixture) -> None:
    """Without a function to tell, the log gets a warning."""
    with caplog.at_level(logging.WARNING, "sensorium.bridges"):
        Complaints("datagrams refused").add("29 bytes")
    assert caplog.messages == ["datagrams refused: 1; the last one: 29 bytes"]
