"""A camera in the street, by day, in rain, in fog and at night, and what each of its pixels really met."""

import argparse
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Picture

from sensorium.atmosphere.weather import ConstantWeather, WeatherState
from sensorium.core.pose import Pose
from sensorium.samples import Image
from sensorium.scene.origin import Origin
from sensorium.scene.scene import Scene
from sensorium.scene.street import Street
from sensorium.sensors import sensor_of
from sensorium.simulation.rig import Mount
from sensorium.simulation.simulation import Simulation
from sensorium.tracing import EmbreeTracer

ROOF = Pose.from_rpy((1.6, 0.0, 1.6), (0.0, 0.035, 0.0))
DAYS = {
    "sun": (datetime(2026, 6, 21, 8), WeatherState(cloud_cover=0.2)),
    "rain": (datetime(2026, 6, 21, 8), WeatherState(rain_mm_h=8.0, visibility_m=5000.0)),
    "fog": (datetime(2026, 6, 21, 8), WeatherState(visibility_m=80.0, cloud_cover=1.0)),
    "night": (datetime(2026, 6, 21, 22, 30), WeatherState()),
}


def last_image(scene: Scene, tracer: EmbreeTracer, width: int, images: int) -> Image:
    """Drive for some images, so that the exposure control arrives, and return the last one."""
    camera = sensor_of(
        "alead_camera",
        lens={"width": width, "height": width * 3 // 4, "field_of_view_rad": "60 deg"},
        samples=4,
        truth={"flow": True, "boxes": True},
    )
    mount = Mount(name="camera", body="ego", pose=ROOF, sensor=camera, phase_s=5.0)
    simulation = Simulation(scene, [mount], seed=1, truth_rate_hz=None, tracer=tracer)
    for sample in simulation.samples(20.0):
        if sample.stamp.index == images - 1:
            return sample
    raise RuntimeError("the drive ended too early")


def truth_pictures(image: Image) -> list[NDArray[np.uint8]]:
    """Depth, normals, classes and flow as colours."""
    truth, palette = image.truth, np.random.default_rng(4).integers(40, 256, (256, 3))
    depth = 255 * (1 - np.clip(np.log(truth.depth_m / 2) / np.log(60), 0, 1))
    flow = np.nan_to_num(truth.flow_px)
    strength = np.clip(np.linalg.norm(flow, axis=-1) / 20, 0, 1)[..., None]
    turn = np.arctan2(flow[..., 1], flow[..., 0])[..., None] - np.array([0, 2.1, 4.2])
    return [
        np.repeat(depth[..., None], 3, -1).astype(np.uint8),
        (127.5 * (truth.normal + 1)).astype(np.uint8),
        np.where(truth.label[..., None] < 0, 0, palette[truth.label % 256]).astype(np.uint8),
        (255 * strength * (0.5 + 0.5 * np.cos(turn))).astype(np.uint8),
    ]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("out"))
    arguments.add_argument("--width", type=int, default=640)
    arguments.add_argument("--images", type=int, default=14, help="images until the one that is shown")
    given = arguments.parse_args()

    street = Street(seed=7, length_m=120).build()
    tracer, shown = EmbreeTracer(street), []
    for name, (start, weather) in DAYS.items():
        origin = Origin(latitude_rad="52 deg", longitude_rad="13 deg", start_utc=start)
        scene = replace(street, origin=origin, weather=ConstantWeather(state=weather))
        image = last_image(scene, tracer, given.width, given.images)
        print(f"{name}: {image.exposure_s * 1e3:.3f} ms at {image.gain_db:.1f} dB, mean {image.pixels.mean():.0f}")
        shown.append(image.pixels)
    boxes = image.truth.boxes
    for row in np.argsort(-boxes.visible_share)[:5]:
        body = scene.bodies[boxes.body[row]]
        share, away = boxes.visible_share[row], np.linalg.norm(boxes.centre_m[row])
        print(f"  {body.name}: {share:.0%} visible, {away:.1f} m away")
    shown += truth_pictures(image)
    rows = [np.concatenate(shown[:4], 1), np.concatenate(shown[4:], 1)]
    given.out.mkdir(parents=True, exist_ok=True)
    path = given.out / "30_camera_and_truth.png"
    Picture.fromarray(np.concatenate(rows)).save(path)
    print(path)


if __name__ == "__main__":
    main()
