"""A short-range radar on the bumper of the car that drives through the street: map, detections from above, a recording."""

import argparse
from pathlib import Path

import matplotlib
import numpy as np

from sensorium.apps.pictures.radar import draw_birds_eye, draw_range_speed
from sensorium.core.pose import Pose
from sensorium.recording import McapRecorder, RosConventions
from sensorium.samples import RadarScan
from sensorium.scene.street import Street
from sensorium.sensors import sensor_of
from sensorium.simulation import Mount, Simulation, observe
from sensorium.tracing import EmbreeTracer

matplotlib.use("agg")
import matplotlib.pyplot as plt


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("out"))
    given = arguments.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)

    street = Street(seed=7, length_m=80).build()
    tracer = EmbreeTracer(street)
    radar = sensor_of(
        "ti_awr1843_short_range", truth=True, fidelity={"type": "signal", "keep_map": True, "unfold": True}
    )
    front = Mount(name="front", sensor=radar, body="ego", pose=Pose.at(3.75, 0.0, 0.6), phase_s=3.2)
    with McapRecorder(given.out / "60_radar.mcap", RosConventions(mounts=(front,))) as recorder:
        for sample in Simulation(street, (front,), seed=3, tracer=tracer).samples(duration_s=3.35):
            recorder.write(sample)
            if isinstance(sample, RadarScan):
                scan = sample
                print(f"frame {scan.stamp.index}: {len(scan)} detections, the strongest at {scan.range_m[0]:.1f} m")

    now = street.body("ego").motion.kinematics_at(np.array(scan.stamp.time_ns))
    own_m_s = float(np.linalg.norm(now.velocity_m_s))
    print(
        f"the car drives {own_m_s:.1f} m/s; what stands still ahead comes nearer, with speeds down to -{own_m_s:.1f} m/s"
    )
    names = [body.name for body in street.bodies]
    print("    range   speed  azimuth   RCS   SNR")
    for k in range(min(12, len(scan))):
        what = names[scan.truth.body[k]] if scan.truth.body[k] >= 0 else "nothing"
        way = {1: "", -1: ""}.get(int(scan.truth.bounces[k]), " (over a corner or mirror)")
        print(
            f"  {scan.range_m[k]:6.2f}m {scan.speed_m_s[k]:+6.2f} {np.degrees(scan.azimuth_rad[k]):+7.1f} deg"
            f" {10 * np.log10(scan.cross_section_m2[k]):+6.1f} {scan.snr_db[k]:5.1f}  {what}{way}"
        )

    lidar = sensor_of("velodyne_vlp32c")  # for the picture alone: what the street looks like from there
    cloud = observe(street, lidar, front.pose, body="ego", time_s=scan.stamp.time_ns * 1e-9, tracer=tracer)
    outline = cloud.points_m[(cloud.points_m[:, 2] > -0.4) & (cloud.points_m[:, 0] > 0)]
    figure, (left, right) = plt.subplots(1, 2, figsize=(15, 6), gridspec_kw={"width_ratios": (1, 1.3)})
    draw_range_speed(left, scan.map, scan)
    draw_birds_eye(right, scan, own_m_s, outline)
    right.set(xlim=(-2, 62), ylim=(-25, 25))
    figure.tight_layout()
    figure.savefig(given.out / "60_radar.png", dpi=100)
    print(given.out / "60_radar.png", given.out / "60_radar.mcap")


if __name__ == "__main__":
    main()
