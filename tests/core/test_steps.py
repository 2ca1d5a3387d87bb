"""Ways to entries, as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensorium.core.steps import parse_steps, steps_text

names = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


@given(st.lists(st.one_of(names, st.integers(0, 999_999_999)), max_size=6).map(tuple))
def test_every_way_can_be_written_and_read(steps: tuple[str | int, ...]) -> None:
    """Reading undoes writing for all names, odd ones included."""
    assert parse_steps(steps_text(steps)) == steps


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ((), ""),
        (("rig", 0, "sensor", "rate_hz"), "rig[0].sensor.rate_hz"),
        (("bodies", "a.b", 2, 3), 'bodies["a.b"][2][3]'),
        ((0, "name"), "[0].name"),
    ],
)
def test_people_write_ways_like_this(steps: tuple[str | int, ...], text: str) -> None:
    """Dots before names, brackets round numbers and round odd names."""
    assert steps_text(steps) == text
    assert parse_steps(text) == steps


@pytest.mark.parametrize(
    "text", [".a", "a.", "a..b", "a[", "a[x]", "a[0", "a]", "a[-1]", "[0]a", "a b", "a.[0]", 'a["x]', "a=b"]
)
def test_unreadable_ways_are_refused(text: str) -> None:
    """A way that means nothing is refused with an example of a right one."""
    with pytest.raises(ValueError, match=r"is not a path such as rig\[0\]"):
        parse_steps(text)
