"""Two cameras and a LiDAR follow a bouncing ball: detections one after the other into a filter that runs along.

Prints the error of three filters on the same throw before and after the LiDAR's first scan, and draws height and error over time.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from sensorium.core.pose import Pose
from sensorium.motion.ballistic import Ballistic
from sensorium.tracking.extended import ExtendedKalman
from sensorium.tracking.imm import InteractingModels
from sensorium.tracking.initiation import SinglePoint
from sensorium.tracking.measurement_models import Angles, RangeAngles
from sensorium.tracking.measurements import Measurements
from sensorium.tracking.motion_models import Flight, WienerAcceleration
from sensorium.tracking.unscented import UnscentedKalman

JERK = WienerAcceleration(jerk_density_m2_s5=(1, 1, 3000))
FILTERS = {
    "extended": ExtendedKalman(motion=JERK),
    "unscented": UnscentedKalman(motion=JERK),
    "flight and bounce": InteractingModels(
        models=(
            Flight(acceleration_density_m2_s3=(0.01, 0.01, 0.02)),
            Flight(acceleration_density_m2_s3=(1.0, 1.0, 3000.0), acceleration_noise_m_s2=3.0),
        ),
        dwell_s=(0.8, 0.04),
    ),
}
SENSOR = Pose.at(0, 0, 1.5)
CAMERA_RAD, LIDAR = 5e-4, np.array([0.02, 0.003, 0.0075])  # standard deviations: one pixel; range, azimuth, elevation


def measured(place: np.ndarray, time_ns: int, lidar: bool, rng: np.random.Generator) -> Measurements:
    x, y, z = SENSOR.inverse().transform(place)
    exact = np.array([np.sqrt(x * x + y * y + z * z), np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))])
    sigma = LIDAR if lidar else np.array([CAMERA_RAD, CAMERA_RAD])
    value = (exact if lidar else exact[1:]) + rng.normal(size=len(sigma)) * sigma
    model = RangeAngles() if lidar else Angles()
    return Measurements.one(model, time_ns, value, np.diag(sigma**2), SENSOR.position_m)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("out"))
    given = arguments.parse_args()

    ball = Ballistic(
        position_m=(16, -2, 2),
        velocity_m_s=(0, 1.0, 0),
        radius_m=0.11,
        restitution=0.85,
        friction=0.0,
        rest_speed_m_s=0.5,
    )
    times_ns = np.arange(0, 4_000_000_000, 16_666_667)
    truth = ball.kinematics_at(times_ns).pose.position_m
    figure, (height, error) = plt.subplots(2, 1, figsize=(9, 7), sharex=True)
    height.plot(times_ns * 1e-9, truth[:, 2], "k", lw=3, alpha=0.3, label="truth")
    for name, filter_ in FILTERS.items():
        rng = np.random.default_rng(1)  # the same measurements for each
        first = measured(truth[0], 0, False, rng)
        prior = SinglePoint(range_m=20.0, range_noise_m=4.0).state(first, 3)
        state, places = filter_.init(prior.time_ns, prior.mean, prior.covariance), []
        for step, (time_ns, place) in enumerate(zip(times_ns.tolist(), truth, strict=True)):
            state = filter_.step(state, measured(place, time_ns, False, rng))
            if step % 6 == 5:  # the LiDAR turns ten times a second
                state = filter_.step(state, measured(place, time_ns, True, rng))
            belief = filter_.estimate(state) if name == "flight and bounce" else state
            places.append(belief.position_m[0])
        off = np.linalg.norm(np.array(places) - truth, axis=1)
        print(
            f"{name}: {off[4]:.2f} m before the first scan, {off[5]:.2f} m after it, median {np.median(off[30:]):.3f} m"
        )
        height.plot(times_ns * 1e-9, np.array(places)[:, 2], lw=1, label=name)
        error.semilogy(times_ns * 1e-9, off, lw=1, label=name)
    height.set_ylabel("height / m")
    error.set(xlabel="time / s", ylabel="position error / m")
    height.legend()
    given.out.mkdir(parents=True, exist_ok=True)
    figure.savefig(given.out / "40_track_a_ball.png", dpi=110)


if __name__ == "__main__":
    main()
