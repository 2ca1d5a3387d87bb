"""Time is integer nanoseconds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sensorium.core.errors import ConfigurationError
from sensorium.core.time import TimeWindow, nanoseconds, seconds

days_ns = st.integers(-(10**14), 10**14)  # 28 hours
years_ns = st.integers(0, 2 * 10**18)  # 63 years


@given(days_ns)
def test_seconds_and_back_is_exact(time_ns: int) -> None:
    """|t| < 2^51 ns survives the way through float seconds: both roundings together stay below half a nanosecond."""
    assert nanoseconds(float(seconds(time_ns))) == time_ns


@given(years_ns, days_ns)
@example(1_500_000_000_000_000_007, 3)
def test_differences_are_taken_in_integers(since_ns: int, elapsed_ns: int) -> None:
    """Seconds since an instant do not depend on how far that instant is from zero."""
    assert seconds(since_ns + elapsed_ns, since_ns) == seconds(elapsed_ns)


def test_seconds_of_arrays_keep_their_shape() -> None:
    """Times [2, 3] give float64 seconds [2, 3]."""
    result = seconds(np.arange(6, dtype=np.int64).reshape(2, 3) * 10**9)
    assert result.dtype == np.float64
    assert result.tolist() == [[0, 1, 2], [3, 4, 5]]


@given(years_ns, st.integers(0, 10**11), st.integers(2, 50))
def test_instants_spread_evenly(start_ns: int, duration_ns: int, count: int) -> None:
    """Instants hold both ends and differ from the exact fractions by at most half a nanosecond of rounding."""
    instants = TimeWindow(start_ns, start_ns + duration_ns).instants(count)
    assert instants.dtype == np.int64
    assert (instants[0], instants[-1]) == (start_ns, start_ns + duration_ns)
    for k, instant in enumerate(instants.tolist()):
        assert abs((instant - start_ns) * (count - 1) - k * duration_ns) <= 0.5001 * (count - 1)


def test_windows_cannot_run_backwards() -> None:
    """An instant is a window of length 0; a window that ends before it starts is refused with both times."""
    assert TimeWindow(5, 5).duration_ns == 0
    with pytest.raises(ConfigurationError, match=r"end \(4 ns\) before it starts \(5 ns\)"):
        TimeWindow(5, 4)
