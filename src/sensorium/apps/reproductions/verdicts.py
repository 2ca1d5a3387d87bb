"""How a row of a reproduction gets its verdict."""

from __future__ import annotations

from sensorium.apps.benchmarks.rows import Row


def near(case: str, theirs: float, ours: float, unit: str, tolerance: float) -> Row:
    """Ours is theirs up to a share of it."""
    off = abs(ours - theirs) / abs(theirs) if theirs else abs(ours)
    return Row(case, theirs, float(ours), unit, f"within {100 * tolerance:.2g} % of theirs", bool(off <= tolerance))


def within(case: str, theirs: float, ours: float, unit: str, difference: float) -> Row:
    """Ours is theirs up to a difference in the unit of both."""
    bar = f"within {difference:.2g}{' ' if unit else ''}{unit} of theirs"
    return Row(case, theirs, float(ours), unit, bar, bool(abs(ours - theirs) <= difference))


def same(case: str, theirs: int, ours: int, unit: str) -> Row:
    """Ours is theirs: both are counted."""
    return Row(case, float(theirs), float(ours), unit, "the same", bool(ours == theirs))


def both_above(case: str, theirs: float, ours: float, unit: str, least: float) -> Row:
    """A thing that is said in words: by their model and by ours more than a number."""
    return Row(case, float(theirs), float(ours), unit, f"both above {least:g}", bool(min(theirs, ours) > least))


def both_below(case: str, theirs: float, ours: float, unit: str, most: float) -> Row:
    """A thing that is said in words: by their model and by ours less than a number."""
    return Row(case, float(theirs), float(ours), unit, f"both below {most:g}", bool(max(theirs, ours) < most))
