"""A controller drives the car of the physics engine by its simulated sensors alone: wheel encoders and gyroscope.

It follows a course by where it believes to be; on ice (--surface ice) the wheels slip and the belief is soon wrong.
"""

import argparse
from pathlib import Path

import matplotlib
import numpy as np

from sensorium.samples import EncoderReading, ImuSample
from sensorium.simulation.scenario import scenario_of

matplotlib.use("agg")
import matplotlib.pyplot as plt

RADIUS_M, WHEELBASE_M, AHEAD_M, SPEED_M_S, REAR = 0.316, 2.7, 5.0, 7.0, ("rear_left_wheel", "rear_right_wheel")


def course() -> np.ndarray:
    """An eight of two circles with a radius of 20 m, a point every metre."""
    turn = np.arange(0, 2 * np.pi, 0.05)
    left = np.stack((20 * np.sin(turn), 20 - 20 * np.cos(turn)), 1)
    return np.concatenate((left, left * (1, -1), [[1, 0], [20, 0], [40, 0]]))


def scenario(surface: str, seconds: float):
    encoder = {"type": "encoder", "device": "avago_heds_5540_a", "rate_hz": 100}
    imu = {"type": "imu", "device": "bosch_bmi088", "readings": 4}  # 400 readings a second in blocks of 4
    rig = [{"name": name, "body": "car", "sensor": {**encoder, "joint": name}} for name in REAR]
    rig.append({"name": "imu", "body": "car", "sensor": imu})
    world = {"type": "mujoco", "file": "road_vehicle", "surface": surface}
    return scenario_of(
        {"name": "loop", "seed": 4, "world": world, "rig": rig, "duration_s": seconds, "truth": {"rate_hz": None}}
    )


class Driver:
    """Believes in its sensors, and steers for a point of the course ahead of where it believes to be."""

    def __init__(self, points: np.ndarray) -> None:
        self.points, self.next = points, 0
        self.place, self.heading, self.speed = np.zeros(2), 0.0, 0.0
        self.wheels: dict[str, float] = {}
        self.biases: list[float] = []

    def hear(self, sample, now_s: float) -> None:
        """Take a reading in."""
        if isinstance(sample, ImuSample):
            rate = float(np.mean(sample.angular_velocity_rad_s[:, 2]))
            if now_s < 1.0:  # it stands: what the gyroscope shows is its bias
                self.biases.append(rate)
            else:
                self.heading += (rate - np.mean(self.biases)) * 0.01
        elif isinstance(sample, EncoderReading):
            angle = float(sample.position[0])
            way = RADIUS_M * (angle - self.wheels.get(sample.joint, angle)) / 2
            self.wheels[sample.joint] = angle
            self.place += way * np.array([np.cos(self.heading), np.sin(self.heading)])
            self.speed = 0.8 * self.speed + 0.2 * RADIUS_M * float(sample.velocity[0])

    def command(self, now_s: float) -> dict[str, float]:
        """Pure pursuit: delta = atan(2 L sin(alpha) / d)."""
        while self.next < len(self.points) - 1 and np.linalg.norm(self.points[self.next] - self.place) < AHEAD_M:
            self.next += 1
        aim = self.points[self.next] - self.place
        alpha = np.arctan2(aim[1], aim[0]) - self.heading
        steering = np.arctan2(2 * WHEELBASE_M * np.sin(alpha), np.linalg.norm(aim))
        wanted = 0.0 if now_s < 1.0 else SPEED_M_S
        return {"steering": np.clip(steering, -0.5, 0.5), "drive": np.clip(1500 * (wanted - self.speed), -1500, 1500)}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("out"))
    arguments.add_argument("--surface", default="dry", choices=("dry", "wet", "snow", "ice"))
    arguments.add_argument("--seconds", type=float, default=42.0)
    given = arguments.parse_args()
    loop, driver = scenario(given.surface, given.seconds).closed_loop(), Driver(course())
    body, rows, samples = loop.simulation.scene.body("car").motion, [], loop.start()
    while loop.now_ns < given.seconds * 1e9:
        for sample in samples:
            driver.hear(sample, loop.now_ns * 1e-9)
        if samples:
            true = body.pose_at(np.array([loop.now_ns])).position_m[0, :2]
            rows.append((loop.now_ns * 1e-9, *driver.place, *true))
        samples = loop.advance(driver.command(loop.now_ns * 1e-9))
    time, x, y, true_x, true_y = np.array(rows).T
    drift = np.hypot(x - true_x, y - true_y)
    way = np.hypot(np.diff(true_x), np.diff(true_y)).sum()
    print(
        f"{given.surface}: {way:.1f} m driven, believed place {drift[-1]:.2f} m off in the end ({drift[-1] / way:.2%})"
    )

    figure, (above, error) = plt.subplots(1, 2, figsize=(13, 5.5))
    above.plot(*course().T, ":", color="grey", label="course")
    above.plot(true_x, true_y, color="black", lw=2, label="truth")
    above.plot(x, y, color="tab:blue", lw=1, label="belief: encoders and gyroscope")
    above.set(xlabel="x / m", ylabel="y / m", aspect="equal", title=f"{given.surface} road")
    above.legend(fontsize=8)
    error.plot(time, drift)
    error.set(xlabel="time / s", ylabel="belief from truth / m", title="drift")
    given.out.mkdir(parents=True, exist_ok=True)
    figure.savefig(given.out / "10_closed_loop.png", dpi=110)
    print(given.out / "10_closed_loop.png")


if __name__ == "__main__":
    main()
