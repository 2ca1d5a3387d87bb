"""The signals of a wheel encoder, edge by edge, and what an odometer makes of them on a dry and on an icy road."""

import argparse
from pathlib import Path

import matplotlib
import numpy as np

from sensorium.samples import EncoderReading, OdometerReading
from sensorium.simulation.scenario import scenario_of

matplotlib.use("agg")
import matplotlib.pyplot as plt

WHEEL = "rear_left_wheel"
RIG = (
    {"name": "encoder", "body": "car", "sensor": {"type": "encoder", "device": "avago_heds_5540_a", "joint": WHEEL,
                                                  "edges": True, "rate_hz": 100}},
    {"name": "odometer", "body": "car", "sensor": {"type": "odometer", "joint": WHEEL, "wheel_radius_m": 0.316}},
)  # fmt: skip


def drive(surface: str):
    """Return edges of the encoder, readings of the odometer and the true way, of a car that starts from rest."""
    points = [{"time_s": 0.5, "values": {"drive": 0}}, {"time_s": 2.0, "values": {"drive": 300}}]
    world = {
        "type": "mujoco",
        "file": "road_vehicle",
        "surface": surface,
        "commands": {"type": "ramps", "points": points},
    }
    scenario = scenario_of({"name": surface, "world": world, "rig": list(RIG), "truth": {"rate_hz": None}})
    samples = list(scenario.simulation().samples(5.0))
    edges = [sample.edges for sample in samples if isinstance(sample, EncoderReading)]
    ways = np.array([(s.stamp.time_ns * 1e-9, s.distance_m[0]) for s in samples if isinstance(s, OdometerReading)])
    true = scenario.scene.body("car").motion.pose_at(np.rint(ways[:, 0] * 1e9).astype(np.int64)).position_m[:, 0]
    return edges, ways, true


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("out"))
    given = arguments.parse_args()

    figure, (wires, distance) = plt.subplots(2, 1, figsize=(11, 8))
    for surface, colour in (("dry", "tab:blue"), ("ice", "tab:red")):
        edges, ways, true = drive(surface)
        print(f"{surface}: the odometer counts {ways[-1, 1]:.2f} m, the car went {true[-1]:.2f} m")
        distance.plot(*ways.T, color=colour, label=f"{surface}: odometer")
        distance.plot(ways[:, 0], true, "--", color=colour, label=f"{surface}: truth")
        if surface == "dry":
            time_us = np.concatenate([each.time_ns for each in edges]) * 1e-3
            levels = [np.concatenate([getattr(each, name) for each in edges]) for name in "abz"]
            index = np.flatnonzero(levels[2])[-1]  # the last time that the index comes by
            shown = slice(index - 12, index + 13)
            for row, (name, level) in enumerate(zip("ABZ", levels, strict=True)):
                wires.step(time_us[shown] - time_us[index], level[shown] * 0.7 - row, where="post", label=name)
            print(f"dry: {len(time_us)} edges, about {1e3 / np.diff(time_us[shown]).mean():.1f} kHz in the picture")
    wires.set(xlabel="time from the index / us", yticks=[0.35, -0.65, -1.65], yticklabels=["A", "B", "Z"])
    wires.set_title("dry road: edges of A, B and Z, each at its own time")
    distance.set(xlabel="time / s", ylabel="distance / m", ylim=(0, None))
    distance.legend()
    figure.tight_layout()
    given.out.mkdir(parents=True, exist_ok=True)
    figure.savefig(given.out / "12_wheel_on_ice.png", dpi=110)
    print(given.out / "12_wheel_on_ice.png")


if __name__ == "__main__":
    main()
