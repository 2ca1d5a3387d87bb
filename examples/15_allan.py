"""An IMU rests on a table for half an hour: its Allan deviation, and the noise of its data sheet found again.

python examples/15_allan.py --device sensonor_stim300
"""

import argparse
from pathlib import Path

import numpy as np

from sensorium.apps.pictures.allan_plot import write_allan_plot
from sensorium.evaluation.allan import allan_curve, noise_parameters
from sensorium.evaluation.inertial_record import inertial_records
from sensorium.scene.build import body, part
from sensorium.scene.scene import Scene
from sensorium.scene.shapes import Box
from sensorium.sensors import sensor_of
from sensorium.simulation import Mount, Simulation


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("out"))
    arguments.add_argument("--device", default="bosch_bmi088", help="an IMU of `sensorium catalog`")
    arguments.add_argument("--minutes", type=float, default=30.0)
    given = arguments.parse_args()

    table = body("table", part("top", Box(size_m=(1, 1, 0.04)), "wood"))
    imu = sensor_of(given.device, readings=1000)  # in blocks, as out of a FIFO: a thousand times faster than real time
    rig = [Mount(name="imu", sensor=imu, body="table")]
    samples = Simulation(Scene((table,)), rig, seed=1, truth_rate_hz=None).samples(60 * given.minutes)

    found = []
    for record in inertial_records(samples):
        curve = allan_curve(record.values, record.rate_hz)
        read = noise_parameters(curve)
        found.append((record, curve, read))
        scale, unit = (60 * 180 / np.pi, "deg/sqrt(h)") if record.unit == "rad/s" else (60.0, "m/s/sqrt(h)")
        print(
            f"{given.device} {record.instrument}: {curve.count} readings in {curve.count / curve.rate_hz / 60:.0f} min"
        )
        for axis, n, error in zip(record.axes, read.random_walk, read.random_walk_error, strict=True):
            print(f"  {axis}: N = {n * scale:.4f} +- {error * scale:.4f} {unit}")

    given.out.mkdir(parents=True, exist_ok=True)
    print(write_allan_plot(found, given.out / "15_allan.png", f"{given.device} at rest"))


if __name__ == "__main__":
    main()
