"""A snow gun decides between water and snow by its weather station: in the open, and in the warm hull beside the fan.

"Industrial Problem Solving with Physics 2021", chapter 3, which names the two causes (work of the fan, dissipated heat) but no
figures: those of the hull and the threshold are assumed. A night gets colder; the fan runs from 22 to 4 o'clock.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

import matplotlib
import numpy as np

from sensorium.atmosphere.weather import Weather, WeatherState
from sensorium.motion import Fixed
from sensorium.scene.build import body, part
from sensorium.scene.scene import Scene
from sensorium.scene.shapes import Cylinder
from sensorium.sensors import WeatherStation
from sensorium.sensors.weather_station import Housing
from sensorium.sensors.weather_station.humid_air import wet_bulb_c
from sensorium.simulation import Mount, Simulation

matplotlib.use("agg")
import matplotlib.pyplot as plt

HOUR_S, START_H, ZERO_K = 3600.0, 18.0, 273.15
FAN_ON_S = ((4 * HOUR_S, 10 * HOUR_S),)


@dataclass(frozen=True)
class Night(Weather):
    """Clear sky: 2 degrees in the evening, -7 before sunrise, the humidity rises."""

    def at(self, time_ns: int) -> WeatherState:
        """Return the weather of an instant."""
        hours = time_ns * 1e-9 / HOUR_S
        cooled = np.clip(hours / 12, 0, 1) ** 0.8
        return WeatherState(temperature_k=ZERO_K + 2 - 9 * cooled, humidity=0.55 + 0.2 * cooled, pressure_pa=85_000)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("out"))
    given = arguments.parse_args()

    gun = body("gun", part("hull", Cylinder(radius_m=0.5, height_m=1.2), "painted_metal"), motion=Fixed())
    scene = Scene((gun,), weather=Night())
    stations = {
        "open": WeatherStation(rate_hz=1 / 60),
        "hull": WeatherStation(rate_hz=1 / 60, place=Housing(fan_on_s=FAN_ON_S)),
    }
    rig = [Mount(name=name, sensor=station, body="gun") for name, station in stations.items()]
    told = {name: [] for name in stations}
    for sample in Simulation(scene, rig, seed=2, truth_rate_hz=None).samples(12 * HOUR_S):
        told[sample.stamp.sensor].append(sample)

    figure, axes = plt.subplots(figsize=(9, 4.5))
    times_h = np.array([sample.stamp.time_ns * 1e-9 / HOUR_S for sample in told["open"]])
    states = [scene.weather.at(int(hour * HOUR_S * 1e9)) for hour in times_h]
    true_wet = np.array(
        [wet_bulb_c(state.temperature_k - ZERO_K, state.humidity, state.pressure_pa) for state in states]
    )
    axes.plot(START_H + times_h, true_wet, "k", lw=2, label="true wet bulb")
    for name, samples in told.items():
        air = np.array([sample.temperature_k[0] for sample in samples]) - [state.temperature_k for state in states]
        wet = np.array([sample.wet_bulb_k[0] for sample in samples]) - ZERO_K
        snow = np.array([sample.snow for sample in samples])
        fan = (times_h >= 4.2) & (times_h < 10)  # a few minutes after it starts
        right = true_wet < stations[name].snow_below_k - ZERO_K
        print(f"{name}: air {air[~fan].mean():+.2f} K with the fan off, {air[fan].mean():+.2f} K with the fan on; snow from "
              f"{START_H + times_h[np.argmax(snow)]:.1f} h, wrong for {60 * (snow != right).mean() * 12:.0f} min")  # fmt: skip
        axes.plot(START_H + times_h, wet, ".", ms=2, label=f"{name}: wet bulb as measured")
        axes.plot(START_H + times_h[snow], np.full(snow.sum(), -8.2 - 0.3 * (name == "hull")), "s", ms=2,
                  color=axes.lines[-1].get_color())  # fmt: skip
    axes.axhline(-2.5, color="0.6", lw=1)
    axes.axvspan(START_H + 4, START_H + 10, color="tab:blue", alpha=0.08, label="fan runs")
    axes.set(
        xlabel="hour", ylabel="wet bulb / degC", title="snow below the grey line; bars at the bottom: snow is made"
    )
    axes.legend(fontsize=8)
    given.out.mkdir(parents=True, exist_ok=True)
    figure.savefig(given.out / "22_snow_gun.png", dpi=110)
    print(given.out / "22_snow_gun.png")


if __name__ == "__main__":
    main()
