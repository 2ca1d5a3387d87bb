"""`sensorium reproduce tracking`: the errors of tracking a bouncing ball, and what each sensor is good for.

The publication (see `studies.bouncing_ball`) prints its curves without a table; what its text says of them is checked by
numbers: the error of the range until the LiDAR has scanned once or twice, the bounces in the error of the speed, the
growth at the end when the ball has left the field of view of the cameras, and that particles bring little.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sensorium.apps.benchmarks.rows import Row
from sensorium.apps.studies.ball_tracking import Errors, particles_beside_kalman, track
from sensorium.apps.studies.bouncing_ball import INSTRUMENTS, RADAR, BouncingBall

Floats = NDArray[np.float64]
BEFORE, FLYING, LEAVING, LATE = (0.0, 0.095), (3.0, 6.0), (3.0, 8.0), (9.5, 10.1)
"""Spans of time [s]: before the first scan; all sensors see the ball; until it leaves the second camera; only the LiDAR."""
_AFTER_BOUNCE_S = 0.12


def tracking_rows(
    runs: int = 2000, threads: int | None = None, png: Path | None = None, simulated: int = 0
) -> list[Row]:
    """Run the study and every variant of it; `png` is the picture to write, `simulated` counts the fully simulated throws."""
    study = BouncingBall(runs=runs)
    kalman = track(study, "kalman", threads)
    if png is not None:
        from sensorium.apps.reproductions.tracking_picture import draw

        draw(kalman, png)
        if simulated:
            from sensorium.apps.reproductions import tracking_clutter

            tracking_clutter.draw(tracking_clutter.driven(), png.with_stem(f"{png.stem}_clutter"))
    return [
        *_early_rows(kalman), *_bounce_rows(kalman), *_late_rows(kalman), *_filter_rows(study, kalman, threads),
        *_left_out_rows(study, threads), *_radar_rows(study, threads), *_simulated_rows(simulated, runs, threads),
    ]  # fmt: skip


def _simulated_rows(simulated: int, runs: int, threads: int | None) -> Iterator[Row]:
    if simulated:
        from sensorium.apps.reproductions.tracking_simulated import simulated_rows

        yield from simulated_rows(simulated, runs, threads)


def rms_over(time_s: Floats, errors: Floats, span: tuple[float, float]) -> float:
    """Return the root mean square over the runs and the instants in a span; what is NaN was not tracked yet."""
    inside = (time_s >= span[0]) & (time_s < span[1])
    return float(np.sqrt(np.nanmean(errors[:, inside] ** 2)))


def bounces(errors: Errors) -> NDArray[np.bool_]:
    """Return [B, K] whether the ball has left the ground since the last instant."""
    rise = np.diff(errors.true_velocity_m_s[..., 2], axis=1, prepend=errors.true_velocity_m_s[:, :1, 2])
    return np.asarray(rise > 1.0)


def after_bounce(errors: Errors) -> NDArray[np.bool_]:
    """Return [B, K] whether the ball has bounced within the last tenth of a second."""
    length = round(_AFTER_BOUNCE_S / float(np.median(np.diff(errors.time_s))))
    recent, hit = np.zeros_like(bounces(errors)), bounces(errors)
    for late in range(length):
        recent[:, late:] |= hit[:, : hit.shape[1] - late]
    return recent


def _early_rows(errors: Errors) -> Iterator[Row]:
    early = rms_over(errors.time_s, errors.position_m, BEFORE)
    flying = rms_over(errors.time_s, errors.position_m, FLYING)
    yield Row("position error before the first scan, RMS", None, early, "m", "above 10 times that in flight (next row)",
              early > 10 * flying)  # fmt: skip
    yield Row("position error in flight, RMS 3 to 6 s", None, flying, "m", "below 0.3 m", flying < 0.3)
    curve = np.sqrt(np.nanmean(errors.position_m**2, 0))
    settled = float(
        errors.time_s[np.flatnonzero(curve > 0.3)[0] + np.argmax(curve[np.flatnonzero(curve > 0.3)[0] :] < 0.3)]
    )
    yield Row("until the range is known: mean error below 0.3 m", 0.2, settled, "s", "0.1 to 0.2 s, one or two scans",
              0.095 <= settled <= 0.205)  # fmt: skip


def _bounce_rows(errors: Errors) -> Iterator[Row]:
    """Bounces: the error of the speed after them over that between them, and the same of the position."""
    settled = errors.time_s > 1.0
    seen = settled & (errors.time_s < 6.0)
    recent = after_bounce(errors)[:, seen]
    both = errors.speed_m_s[:, seen], errors.position_m[:, seen]
    ratios = [float(np.sqrt(np.mean(one[recent] ** 2) / np.mean(one[~recent] ** 2))) for one in both]
    yield Row("speed error after a bounce over that between", None, ratios[0], "", "above 3", ratios[0] > 3)
    yield Row("position error after a bounce over that between", None, ratios[1], "", "less than that of the speed",
              ratios[1] < ratios[0])  # fmt: skip
    share = _peaks_at_bounces(errors)
    yield Row("bounces that show as a peak of the speed error", None, 100 * share, "%", "at least 95", share >= 0.95)
    ours, theirs = _rhythm(errors)
    yield Row("rhythm of the mean speed error, first second with bounces", theirs, ours, "s",
              "within 10 % of the time between bounces", abs(ours - theirs) <= 0.1 * theirs)  # fmt: skip


def _peaks_at_bounces(errors: Errors) -> float:
    """Return the share of bounces after which the error of the run exceeds twice its median."""
    hit = bounces(errors) & ((errors.time_s > 0.3) & (errors.time_s < 6.0))
    level = 2 * np.median(errors.speed_m_s[:, (errors.time_s > 1) & (errors.time_s < 6)], axis=1)
    runs, columns = np.nonzero(hit)
    reach = np.arange(round(_AFTER_BOUNCE_S / float(np.median(np.diff(errors.time_s)))))
    values = errors.speed_m_s[runs[:, None], np.minimum(columns[:, None] + reach, errors.speed_m_s.shape[1] - 1)]
    return float(np.mean(values.max(1) > level[runs]))


def _rhythm(errors: Errors) -> tuple[float, float]:
    """Return the distance of the first two peaks of the mean speed error, and that of the mean first two bounces."""
    first_s = [errors.time_s[np.flatnonzero(row)[:2]] for row in bounces(errors)]
    one, two = np.mean(first_s, axis=0)
    curve = np.sqrt(np.mean(errors.speed_m_s**2, 0))
    half = (two - one) / 2
    peaks = [errors.time_s[np.argmax(np.where(np.abs(errors.time_s - near) < half, curve, 0.0))] for near in (one, two)]
    return float(peaks[1] - peaks[0]), float(two - one)


def _late_rows(errors: Errors) -> Iterator[Row]:
    late, flying = (rms_over(errors.time_s, errors.position_m, span) for span in (LATE, FLYING))
    yield Row("position error at the end, outside both cameras, RMS", None, late, "m", f"above 3 times {flying:.3f} m",
              late > 3 * flying)  # fmt: skip
    curve = np.sqrt(np.mean(errors.position_m**2, 0))
    azimuth = np.arctan2(errors.true_position_m[..., 1], errors.true_position_m[..., 0])
    outside = azimuth > min(each.width_rad for each in INSTRUMENTS if each.range_noise_m is None) / 2
    leaves_s = float(np.mean(errors.time_s[np.argmax(outside, 1)]))
    grown = errors.time_s[(errors.time_s > FLYING[0]) & (curve > 2 * flying)]
    begins_s = float(grown[0]) if len(grown) else float("inf")
    yield Row("growth begins: mean error twice that in flight", leaves_s, begins_s, "s",
              "within 1 s after the ball leaves the first camera", leaves_s - 0.2 <= begins_s <= leaves_s + 1)  # fmt: skip


def _filter_rows(study: BouncingBall, kalman: Errors, threads: int | None) -> Iterator[Row]:
    """Compare the variants with the Kalman filter in flight."""
    base = rms_over(kalman.time_s, kalman.position_m, FLYING)
    for name in ("extended_kalman", "unscented_kalman"):
        errors = track(study, name, threads)
        ours = rms_over(errors.time_s, errors.position_m, FLYING)
        yield Row(f"{name}, angles as measured, RMS in flight", base, ours, "m", "within 10 % of the Kalman filter",
                  abs(ours / base - 1) < 0.1)  # fmt: skip
    errors = track(study, "interacting_models", threads)
    for what, mine, other in (("position", errors.position_m, kalman.position_m),
                              ("speed", errors.speed_m_s, kalman.speed_m_s)):  # fmt: skip
        ours, theirs = (rms_over(errors.time_s, values, FLYING) for values in (mine, other))
        unit = "m" if what == "position" else "m/s"
        yield Row(f"flight and bounce as two models, {what} error in flight", theirs, ours, unit,
                  "below that of the Kalman filter", ours < theirs)  # fmt: skip
    ours, theirs = particles_beside_kalman(BouncingBall(runs=24, duration_s=0.6), threads)
    says = "at least 0.9 of the extended filter: little benefit"
    yield Row("20000 particles, 24 runs, before the first bounce", theirs, ours, "m", says, ours >= 0.9 * theirs)


def _left_out_rows(study: BouncingBall, threads: int | None) -> Iterator[Row]:
    """Leave out each sensor in turn: what fusion buys. The linear filter, since angles alone leave the range to chance."""
    fewer = BouncingBall(runs=max(1, study.runs // 4))
    with_all = track(fewer, "kalman", threads)
    for left_out, least, span in (("visible", 1.2, FLYING), ("thermal", 1.2, LEAVING), ("lidar", 10.0, FLYING)):
        base = rms_over(with_all.time_s, with_all.position_m, span)
        kept = tuple(each for each in INSTRUMENTS if each.name != left_out)
        errors = track(BouncingBall(runs=fewer.runs, instruments=kept), "kalman", threads)
        ours = rms_over(errors.time_s, errors.position_m, span)
        says = f"above {least:g} times that with all three"
        yield Row(
            f"without the {left_out}, RMS {span[0]:g} to {span[1]:g} s", base, ours, "m", says, ours > least * base
        )


def _radar_rows(study: BouncingBall, threads: int | None) -> Iterator[Row]:
    """Add a radar, which the publication has not: beside all sensors, and in place of the LiDAR.

    The filter that knows bounces: to the others a bounce is an error of the forward speed as well, as the line of sight rises.
    """
    runs, cameras = max(1, study.runs // 4), tuple(each for each in INSTRUMENTS if each.range_noise_m is None)
    three, four, no_lidar, only_cameras = (
        track(BouncingBall(runs=runs, instruments=instruments), "interacting_models", threads)
        for instruments in (INSTRUMENTS, (*INSTRUMENTS, RADAR), (*cameras, RADAR), cameras)
    )
    for what, unit in (("position", "m"), ("speed", "m/s"), ("radial_speed", "m/s")):
        ours, theirs = (
            rms_over(one.time_s, getattr(one, f"{what}_{unit.replace('/', '_')}"), FLYING) for one in (four, three)
        )
        yield Row(f"with a radar as fourth sensor, {what.replace('_', ' ')} error in flight", theirs, ours, unit,
                  "below that of three", ours < theirs)  # fmt: skip
    ours, theirs = (rms_over(one.time_s, one.position_m, FLYING) for one in (no_lidar, only_cameras))
    yield Row("cameras with the radar in place of the LiDAR, RMS in flight", theirs, ours, "m",
              "below 0.1 m, and a tenth of that of cameras alone", ours < 0.1 and ours < theirs / 10)  # fmt: skip
