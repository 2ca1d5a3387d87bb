"""Judges the derivatives of a motion by numerical differentiation of high order."""

from __future__ import annotations

import numpy as np

from sensorium.motion import Motion

OFFSETS = np.arange(-4, 5)
WEIGHTS = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280])
"""Central difference with the error h^8 f^(9) / 630."""
ROUNDING = 64 * np.finfo(float).eps


def differences(values: np.ndarray, step_s: float) -> np.ndarray:
    """Return derivatives [T, ...] of values [T, 9, ...] at the nine places of the stencil."""
    return np.einsum("tk...,k->t...", values, WEIGHTS) / step_s


def assert_is_derivative(of, is_, times_ns, step_ns: int, what: str, elapsed_s=0.0, rough=0.0) -> None:
    """`is_` [T, ...] is the derivative of the function of times.

    The error of the difference with half the step is 1/256 of that with the whole step, so that their distance bounds
    it. Rounding adds a few units in the last place of the function over the step, and of the time since the motion's
    start; `rough` [T] is what else it adds, as a multiple of the unit in the last place.
    """
    wide, narrow = (of(times_ns[:, None] + OFFSETS * step) for step in (2 * step_ns, step_ns))
    coarse, fine = differences(wide, 2 * step_ns * 1e-9), differences(narrow, step_ns * 1e-9)
    size = np.abs(wide).max() + elapsed_s * np.abs(is_).max() + 1e-3
    bound = np.abs(fine - coarse) + ROUNDING * size / (step_ns * 1e-9)
    bound += ROUNDING * np.reshape(rough, (-1, *[1] * (fine.ndim - 1)))
    error = np.abs(fine - is_)
    worst = np.unravel_index(np.argmax(error - bound), error.shape)
    assert (error <= bound).all(), f"{what} at {times_ns[worst[0]]} ns: {is_[worst]} is not {fine[worst]}"


def assert_kinematics(
    motion: Motion, times_ns, corners_ns=(), step_ns: int = 200_000, elapsed_s: float = 0.0, sway=None
) -> None:
    """All four rates are the derivatives of pose and rates, at those times whose stencil holds no corner.

    dp/dt = v, dv/dt = a, dR/dt = w x R (column by column), dw/dt = angular acceleration. A motion that reckons with the
    time since its start rounds that time: `elapsed_s`. A heading that follows the velocity v is as uncertain as v is
    small: its rate has the rounding a / v, which `sway` gives at times, [1/s].
    """
    times, corners = np.asarray(times_ns, np.int64), np.asarray(corners_ns, np.int64)
    clear = np.ones(len(times), bool)
    if len(corners):
        clear = np.abs(times[:, None] - corners).min(1) > 9 * step_ns
    times = times[clear]
    if not len(times):
        return
    k = motion.kinematics_at(times)

    def axes(at):
        return motion.pose_at(at).matrix()[..., :3, :3]

    turning = np.cross(k.angular_velocity_rad_s[:, None], axes(times).swapaxes(1, 2)).swapaxes(1, 2)
    sways = np.zeros(len(times)) if sway is None else sway(times)
    rough = (0, 0, sways, sways / (step_ns * 1e-9) + sways**2)
    rates = (
        ("velocity", lambda at: motion.pose_at(at).position_m, k.velocity_m_s),
        ("acceleration", lambda at: motion.kinematics_at(at).velocity_m_s, k.acceleration_m_s2),
        ("angular velocity", axes, turning),
        (
            "angular acceleration",
            lambda at: motion.kinematics_at(at).angular_velocity_rad_s,
            k.angular_acceleration_rad_s2,
        ),
    )
    for (what, of, is_), roughness in zip(rates, rough, strict=True):
        assert_is_derivative(of, is_, times, step_ns, what, elapsed_s, roughness)
