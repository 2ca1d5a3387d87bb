"""A PT100 in a stirred tank of hot water that cools by itself, by heat pipes, or by an evaporating chamber.

"Industrial Problem Solving with Physics 2021", chapter 2. Published: 680 W for the heat pipes, 300 W for the chamber, the
water at about 45 and 63 degrees after 450 s; 3 litres of water. FITTED here is the natural cooling, to those two temperatures
by least squares. The chamber starts at 75 degrees (section 2.6), the heat pipes at 73 (section 2.9): from 73 degrees 300 W
alone would already cool the water to 62.
"""

import argparse
from pathlib import Path

import matplotlib
import numpy as np
from scipy.optimize import minimize_scalar

from sensorium.motion import Fixed
from sensorium.samples import Temperature
from sensorium.scene.build import body, part
from sensorium.scene.scene import Scene
from sensorium.scene.shapes import Cylinder
from sensorium.sensors import Thermometer
from sensorium.sensors.thermometer import CoolingTank
from sensorium.simulation import Mount, Simulation

matplotlib.use("agg")
import matplotlib.pyplot as plt

DEVICES = {"heat pipes": (680.0, 73.0, 45.0), "evaporating chamber": (300.0, 75.0, 63.0)}
"""Power / W, start / degC, published temperature after 450 s / degC."""
END_S, ROOM_K, ZERO_K = 450.0, 295.15, 273.15
WATER_J_KG_K, LATENT_J_KG = 4186.0, 2.43e6


def tank(power_w: float, start_c: float, loss_w_k: float) -> CoolingTank:
    return CoolingTank(mass_kg=3.0, initial_k=start_c + ZERO_K, room_k=ROOM_K, loss_w_k=loss_w_k, device_w=power_w)


def fitted_loss_w_k() -> float:
    def misfit(loss_w_k: float) -> float:
        after = [(tank(power, start, loss_w_k), end) for power, start, end in DEVICES.values()]
        return sum((float(each.temperature_k(np.array([END_S]), None)[0]) - ZERO_K - end) ** 2 for each, end in after)

    return float(minimize_scalar(misfit, bounds=(0.01, 20.0), method="bounded").x)


def measured(medium: CoolingTank) -> tuple[np.ndarray, np.ndarray]:
    """Readings of a PT100 of class A in stirred water, its specimen and its noise like those of a real one."""
    probe = Thermometer(medium=medium, lag_s=3.0, dissipation_w_k=0.05, tolerance="A")
    vessel = body("tank", part("tank", Cylinder(radius_m=0.1, height_m=0.12), "plastic_white"), motion=Fixed())
    mount = Mount(name="pt100", sensor=probe, body="tank")
    samples = Simulation(Scene((vessel,)), [mount], seed=5, truth_rate_hz=None).samples(END_S)
    found = [(s.stamp.time_ns * 1e-9, s.temperature_k[0] - ZERO_K) for s in samples if isinstance(s, Temperature)]
    return tuple(np.array(found).T)


def lost_w(time_s: np.ndarray, celsius: np.ndarray) -> float:
    """Mean power that leaves the water."""
    return 3.0 * WATER_J_KG_K * (celsius[0] - celsius[-1]) / (time_s[-1] - time_s[0])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("out"))
    given = arguments.parse_args()

    loss_w_k = fitted_loss_w_k()
    print(f"fitted natural cooling: {loss_w_k:.2f} W/K")
    figure, axes = plt.subplots(figsize=(8, 4.5))
    for name, (power_w, start_c, published_c) in DEVICES.items():
        time_s, celsius = measured(tank(power_w, start_c, loss_w_k))
        _, blank = measured(tank(0.0, start_c, loss_w_k))
        natural_w_k = lost_w(time_s, blank) / np.mean(blank + ZERO_K - ROOM_K)
        taken_w = lost_w(time_s, celsius) - natural_w_k * np.mean(celsius + ZERO_K - ROOM_K)
        print(f"{name}: {celsius[-1]:.1f} degC after {END_S:.0f} s (published: {published_c:.0f}), "
              f"measured power {taken_w:.0f} W (published: {power_w:.0f})")  # fmt: skip
        axes.plot(time_s, celsius, label=f"{name}, {power_w:.0f} W")
        axes.plot(END_S, published_c, "x", color=axes.lines[-1].get_color(), ms=9)
        axes.plot(time_s, blank, "--", color=axes.lines[-2].get_color(), lw=1, label="same start, no device")
    brief()
    axes.set(xlabel="time / s", ylabel="reading / degC", title="crosses: published after 450 s")
    axes.legend(fontsize=8)
    given.out.mkdir(parents=True, exist_ok=True)
    figure.savefig(given.out / "21_cooling_tank.png", dpi=110)
    print(given.out / "21_cooling_tank.png")


def brief() -> None:
    """The task: 85 to 35 degrees in 300 s with 11 kW. The mass of the emulsion follows from these; oil is taken as 2 kJ/(kg K)."""
    power_w, span_s, fall_k = 11e3, 300.0, 50.0
    capacity = 0.75 * WATER_J_KG_K + 0.25 * 2000.0
    mass_kg, water_kg = power_w * span_s / capacity / fall_k, power_w * span_s / LATENT_J_KG
    print(f"brief: {mass_kg:.1f} kg of emulsion, {water_kg:.2f} kg of water evaporate at 30 degC, "
          f"{1e3 * water_kg / span_s:.2f} g/s, {np.ceil(power_w / 372.0):.0f} upright heat pipes")  # fmt: skip


if __name__ == "__main__":
    main()
