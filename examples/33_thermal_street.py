"""The street through a thermal camera at noon and at night: the picture of its automatic gain, and its temperatures."""

import argparse
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from sensorium.atmosphere.weather import ConstantWeather, WeatherState
from sensorium.core.pose import Pose
from sensorium.samples import Image
from sensorium.scene.origin import Origin
from sensorium.scene.scene import Scene
from sensorium.scene.street import Street
from sensorium.sensors import sensor_of
from sensorium.simulation import observe
from sensorium.tracing import EmbreeTracer

ON_THE_ROOF = Pose.from_rpy((1.6, 0.0, 1.55), (0.0, 0.03, 0.0))
HOURS = {
    "noon": (datetime(2026, 4, 20, 12, tzinfo=UTC), "16 degC"),
    "night": (datetime(2026, 4, 20, 2, tzinfo=UTC), "6 degC"),
}
PEOPLE, CARS, ROAD = "pedestrian", "car", "road"


def at(street: Scene, start: datetime, air: str) -> Scene:
    """Return the street at an hour; walls and asphalt have the whole day before it behind them."""
    place = Origin(latitude_rad="50 deg", longitude_rad="8 deg", start_utc=start)
    weather = WeatherState(temperature_k=air, humidity=0.6, wind_m_s=(1.5, 0.5), cloud_cover=0.1)
    return replace(street, origin=place, weather=ConstantWeather(state=weather))


def warmest(image: Image, scene: Scene, label: str) -> str:
    """Return median and maximum of what the camera reads on all pixels of a class, in degrees Celsius."""
    seen = image.truth.label == scene.classes.index(label)
    kelvin = image.pixels[seen] - 273.15
    return f"{np.median(kelvin):5.1f} {kelvin.max():6.1f}" if seen.any() else "    -      -"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("out"))
    given = arguments.parse_args()

    street = Street(seed=7, length_m=140, pedestrians=16).build()
    tracer = EmbreeTracer(street)  # sun and air are no part of it: one for both
    figure, axes = plt.subplots(2, 2, figsize=(13, 10.4), layout="constrained")
    print(f"{'degC: median, max':22}" + "".join(f"{label:>16}" for label in (PEOPLE, CARS, ROAD)))
    for row, (hour, (start, air)) in zip(axes, HOURS.items(), strict=True):
        scene = at(street, start, air)
        camera = sensor_of("flir_boson_640", truth={}, lens={"field_of_view_rad": "50 deg"})
        setting = {"body": "ego", "time_s": 3.0, "seed": 1, "tracer": tracer}
        kelvin = observe(scene, camera, ON_THE_ROOF, **setting)
        picture = observe(scene, sensor_of("flir_boson_640", lens={"field_of_view_rad": "50 deg"},
                                           output={"type": "automatic_gain"}), ON_THE_ROOF, **setting)  # fmt: skip
        print(f"{hour:22}" + "".join(f"{warmest(kelvin, scene, label):>16}" for label in (PEOPLE, CARS, ROAD)))
        row[0].imshow(picture.pixels, cmap="gray", vmin=0, vmax=255)
        row[0].set_title(f"{hour}, air {air}: automatic gain")
        celsius = kelvin.pixels - 273.15
        low, high = np.percentile(celsius[np.isfinite(kelvin.truth.depth_m)], (1, 99.7))
        shown = row[1].imshow(celsius, cmap="inferno", vmin=low, vmax=high)
        row[1].set_title("temperature of a black body [degC]")
        figure.colorbar(shown, ax=row[1], shrink=0.8)
    for axis in axes.flat:
        axis.set_axis_off()
    given.out.mkdir(parents=True, exist_ok=True)
    figure.savefig(given.out / "33_thermal_street.png", dpi=100)
    print(given.out / "33_thermal_street.png")


if __name__ == "__main__":
    main()
