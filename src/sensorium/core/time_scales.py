"""Time scales of satellite navigation, in integer nanoseconds: UTC, GPS, Galileo, BeiDou and GLONASS time.

GPS time began on 1980-01-06T00:00:00 UTC and has no leap seconds; it was 18 s ahead of UTC from 2017 on (IERS Bulletin C).
Galileo system time has the same seconds as GPS time. BeiDou time is 14 s behind GPS time. GLONASS time is UTC plus three
hours. Unix time counts UTC seconds without leap seconds.
"""

from __future__ import annotations

from bisect import bisect_right
from calendar import timegm
from datetime import UTC, datetime, timedelta

from sensorium.core.time import NANOSECONDS_PER_SECOND

GPS_EPOCH_UNIX_S = 315_964_800
WEEK_S = 604_800
WEEK_NS = WEEK_S * NANOSECONDS_PER_SECOND
BEIDOU_BEHIND_GPS_NS = 14 * NANOSECONDS_PER_SECOND

# First day on which GPS time was ahead of UTC by one more second (IERS Bulletin C; none announced since).
_LEAPS = tuple(
    timegm((year, month, 1, 0, 0, 0))
    for year, month in (
        (1981, 7), (1982, 7), (1983, 7), (1985, 7), (1988, 1), (1990, 1), (1991, 1), (1992, 7), (1993, 7), (1994, 7),
        (1996, 1), (1997, 7), (1999, 1), (2006, 1), (2009, 1), (2012, 7), (2015, 7), (2017, 1),
    )
)  # fmt: skip


def leap_seconds(unix_ns: int) -> int:
    """Return by how many seconds GPS time is ahead of UTC at an instant of UTC."""
    return bisect_right(_LEAPS, unix_ns // NANOSECONDS_PER_SECOND)


def gps_of_unix_ns(unix_ns: int) -> int:
    """Return GPS time [ns since 1980-01-06] of an instant of UTC given as Unix time."""
    return unix_ns + (leap_seconds(unix_ns) - GPS_EPOCH_UNIX_S) * NANOSECONDS_PER_SECOND


def unix_of_gps_ns(gps_ns: int) -> int:
    """Return the Unix time [ns] of an instant of GPS time; during a leap second the next second's."""
    plain = gps_ns + GPS_EPOCH_UNIX_S * NANOSECONDS_PER_SECOND
    return plain - leap_seconds(plain - leap_seconds(plain) * NANOSECONDS_PER_SECOND) * NANOSECONDS_PER_SECOND


def week_and_second(gps_ns: int) -> tuple[int, float]:
    """Return the GPS week (not rolled over) and the second in it."""
    week, rest = divmod(gps_ns, WEEK_NS)
    return week, rest / NANOSECONDS_PER_SECOND


def gps_of_calendar_ns(year: int, month: int, day: int, hour: int = 0, minute: int = 0, second: float = 0.0) -> int:
    """Return GPS time [ns] of a calendar date that is itself given in GPS time; ValueError if there is no such date."""
    whole = datetime(year, month, day, hour, minute, tzinfo=UTC)
    if not 0 <= second < 61:
        raise ValueError(f"a minute has no second {second:g}")
    since = timegm(whole.timetuple()) - GPS_EPOCH_UNIX_S
    return since * NANOSECONDS_PER_SECOND + round(second * 1e9)


def calendar_of_gps_ns(gps_ns: int) -> tuple[int, int, int, int, int, float]:
    """Return year, month, day, hour, minute and second of GPS time, in GPS time."""
    seconds, rest = divmod(gps_ns, NANOSECONDS_PER_SECOND)
    at = datetime.fromtimestamp(GPS_EPOCH_UNIX_S, UTC) + timedelta(seconds=seconds)
    return at.year, at.month, at.day, at.hour, at.minute, at.second + rest / NANOSECONDS_PER_SECOND


def gps_of_utc_calendar_ns(year: int, month: int, day: int, hour: int, minute: int, second: float) -> int:
    """Return GPS time [ns] of a calendar date in UTC (navigation files of GLONASS)."""
    plain = gps_of_calendar_ns(year, month, day, hour, minute, second)
    return gps_of_unix_ns(plain + GPS_EPOCH_UNIX_S * NANOSECONDS_PER_SECOND)


def utc_of_gps(gps_ns: int) -> datetime:
    """Return UTC of an instant of GPS time, to the microsecond."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=unix_of_gps_ns(gps_ns) // 1000)
