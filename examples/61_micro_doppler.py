"""Somebody walks towards a radar: swinging arms and legs, and what they do to the spectrum of speeds over time.

The street's people are rigid; this one is made of a trunk, a head, and limbs that swing at the shoulders and hips, each a body that
another one carries.
"""

import argparse
from pathlib import Path

import matplotlib
import numpy as np

from sensorium.apps.pictures.radar import draw_speeds_over_time
from sensorium.core.pose import Pose
from sensorium.motion import Attached, Fixed, Motion, Spline, Waypoint
from sensorium.motion.ends import EndVelocities
from sensorium.motion.playback import Recorded
from sensorium.motion.trajectory import Trajectory
from sensorium.samples import RadarScan
from sensorium.scene.body import Body
from sensorium.scene.build import body, part
from sensorium.scene.scene import Scene
from sensorium.scene.shapes import Plane, Sphere
from sensorium.sensors import sensor_of
from sensorium.simulation import Mount, Simulation

matplotlib.use("agg")
import matplotlib.pyplot as plt

SPEED_M_S, STEPS_HZ, SECONDS = 1.4, 0.95, 1.25


def swing(degrees: float, phase: float) -> Motion:
    """An oscillation about the y axis, a whole cycle per two steps."""
    times = np.arange(0, 4.0, 0.02)
    half = np.radians(degrees) / 2 * np.sin(2 * np.pi * (STEPS_HZ * times + phase))
    turned = np.stack((np.cos(half), 0 * half, np.sin(half), 0 * half), 1)
    return Recorded(Trajectory((times * 1e9).astype(np.int64), np.zeros((len(times), 3)), turned))


def ellipsoid(name: str, size_m: tuple[float, float, float], drop_m: float, motion: Motion) -> Body:
    """A limb that hangs below its joint."""
    ball = Sphere(radius_m=0.5, facet_m=2e-3).mesh()
    shape = type(ball)(ball.vertices_m * size_m - (0, 0, drop_m), ball.triangles)
    return body(name, part(name, shape, "skin"), motion=motion, label="pedestrian")


def walker() -> list[Body]:
    """Trunk, head, arms and legs; thighs swing by 25 degrees, shins lag behind and bend twice as far."""
    places = (Waypoint(time_s=-1, position_m=(13, 0, 0)), Waypoint(time_s=4, position_m=(13 - 5 * SPEED_M_S, 0, 0)))
    steady = (-SPEED_M_S, 0.0, 0.0)
    path = Spline(waypoints=places, ends=EndVelocities(start_m_s=steady, end_m_s=steady))
    people = [
        ellipsoid("trunk", (0.24, 0.38, 0.62), 0.0, Attached(parent=path, T_parent_child=Pose.at(0, 0, 1.2))),
        ellipsoid("head", (0.18, 0.16, 0.24), 0.0, Attached(parent=path, T_parent_child=Pose.at(0, 0, 1.65))),
    ]
    for side, phase in ((1, 0.0), (-1, 0.5)):
        name = "left" if side > 0 else "right"
        thigh = Attached(parent=path, T_parent_child=Pose.at(0, 0.1 * side, 0.9), motion=swing(25, phase))
        shin = Attached(parent=thigh, T_parent_child=Pose.at(0, 0, -0.45), motion=swing(30, phase - 0.2))
        arm = Attached(parent=path, T_parent_child=Pose.at(0, 0.24 * side, 1.42), motion=swing(22, phase + 0.5))
        people.append(ellipsoid(f"{name}_thigh", (0.15, 0.15, 0.46), 0.22, thigh))
        people.append(ellipsoid(f"{name}_shin", (0.11, 0.11, 0.46), 0.22, shin))
        people.append(ellipsoid(f"{name}_arm", (0.09, 0.09, 0.6), 0.3, arm))
    return people


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("out"))
    given = arguments.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)

    ground = body("ground", part("ground", Plane(size_m=(60, 60)), "asphalt"), label="road")
    knob = part("knob", Sphere(radius_m=0.02), "wood")
    post = body("post", knob, motion=Fixed(pose=Pose.at(-0.1, 0, 0.9)), label="post")
    scene = Scene((ground, post, *walker()))
    fan = {"azimuth_rad": [-0.12, 0.12], "elevation_rad": [-0.16, 0.12]}
    fan |= {"azimuth_step_rad": 0.005, "elevation_step_rad": 0.005}
    radar = sensor_of(
        "ti_awr1843_short_range", rate_hz=40.0, range_max_m=25.0, fan=fan,
        array={"transmitters_m": [[0, 0]], "receivers_m": [[0, 0], ["1.9375 mm", 0]]},
        fidelity={"type": "signal", "keep_map": True, "speed_window": "blackman"},
        chirps={"chirps": 256, "period_s": "90 us", "samples": 128},
    )  # fmt: skip
    mount = Mount(name="radar", sensor=radar, body="post", pose=Pose.at(0.1, 0, 0))
    columns, times = [], []
    for sample in Simulation(scene, (mount,), seed=1, truth_rate_hz=None).samples(duration_s=SECONDS):
        if isinstance(sample, RadarScan) and sample.map is not None:
            person = np.abs(sample.map.range_m - (13 - SPEED_M_S * (1 + sample.stamp.time_ns * 1e-9))) < 1.2
            columns.append(sample.map.power_db[person].max(0))
            times.append(sample.stamp.time_ns * 1e-9)
            told = sample.map
    power = np.array(columns, float).T
    loud = power > 15
    fastest = told.speed_m_s[np.flatnonzero(loud.any(1))]
    trunk = told.speed_m_s[power.mean(1).argmax()]
    print(
        f"{len(times)} frames; the trunk moves at {trunk:+.2f} m/s, parts between {fastest.min():+.2f} and {fastest.max():+.2f} m/s"
    )
    figure, axes = plt.subplots(figsize=(9, 4.5))
    draw_speeds_over_time(axes, np.array(times), told.speed_m_s, power)
    axes.set(ylim=(-6, 3), title="a walker who comes nearer: trunk, arms and legs")
    figure.tight_layout()
    figure.savefig(given.out / "61_micro_doppler.png", dpi=110)
    print(given.out / "61_micro_doppler.png")


if __name__ == "__main__":
    main()
