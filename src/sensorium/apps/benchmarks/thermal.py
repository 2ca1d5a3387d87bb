"""`sensorium bench thermal`: images of a thermal camera in the street, beside its own rate and beside bare Embree.

A frame is everything: primary and second rays, temperatures, radiance, blur, detector, output. The bodies are in place.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from math import radians
from typing import TYPE_CHECKING

from sensorium.apps.benchmarks.rows import Row, seconds_each
from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.motion.fixed import Fixed
from sensorium.samples import Stamp
from sensorium.scene.origin import Origin
from sensorium.scene.scene import Scene
from sensorium.scene.street import Street
from sensorium.scene.view import View
from sensorium.sensors import ThermalCamera, sensor_of
from sensorium.tracing import EmbreeTracer

if TYPE_CHECKING:
    from collections.abc import Callable

DEVICE = "alead_infrared"
SOLVING_BAR_MS, DETECTOR_BAR = 500.0, 0.25
_PLACE = Pose.at(2.0, -1.75, 1.3)
_HOURS = {"noon": datetime(2026, 6, 21, 11, 30, tzinfo=UTC), "night": datetime(2026, 6, 21, 23, 30, tzinfo=UTC)}


def thermal_rows(threads: int | None = None, repeats: int = 15) -> list[Row]:
    """Measure images by day and by night, the detector alone, and the heat balance of the whole street."""
    camera = sensor_of(DEVICE)
    street = Street().build()
    scenes = [replace(street, origin=_origin(start)) for start in _HOURS.values()]
    tracers = [EmbreeTracer(scene, threads) for scene in scenes]
    frames = [_frame(camera, tracer) for tracer in tracers]
    *taken_s, detector_s, bare_s = seconds_each(
        *frames, _detector(camera, tracers[0]), _bare(camera, tracers[0]), repeats=repeats
    )
    solving_s = seconds_each(lambda: replace(scenes[0]).heat.at(0), repeats=3)[0]
    width, height = camera.lens.width, camera.lens.height
    rows = [
        Row(
            f"{width} x {height} in the street, {hour}", camera.rate_hz, 1 / seconds, "frame/s",
            f"more than theirs, the camera's own {camera.rate_hz:g} Hz", 1 / seconds > camera.rate_hz,
        )
        for hour, seconds in zip(_HOURS, taken_s, strict=True)
    ]  # fmt: skip
    million = width * height / 1e6
    rows += [
        Row("its primary rays, noon, all physics included", million / bare_s, million / taken_s[0], "Mray/s",
            "at least 0.05 of theirs, bare Embree", taken_s[0] * 0.05 <= bare_s),
        Row("detector and output, part of a frame at noon", None, detector_s / taken_s[0], "1",
            f"at most {DETECTOR_BAR}", detector_s <= DETECTOR_BAR * taken_s[0]),
        Row("heat balance of all surfaces, once a simulated minute", None, 1e3 * solving_s, "ms",
            f"at most {SOLVING_BAR_MS:g} ms", 1e3 * solving_s <= SOLVING_BAR_MS),
    ]  # fmt: skip
    return rows


def _origin(start: datetime) -> Origin:
    return Origin(latitude_rad=radians(50), longitude_rad=radians(8), start_utc=start)


def _view(camera: ThermalCamera, tracer: EmbreeTracer) -> View:
    scene: Scene = tracer.scene
    return View(scene, tracer, Fixed(), _PLACE, camera.window(0))


def _frame(camera: ThermalCamera, tracer: EmbreeTracer) -> Callable[[], object]:
    """Return one image of a running camera, its state kept as in a simulation."""
    draws = Draws(0, sensor="thermal")
    state = camera.detect(
        camera.sense(_view(camera, tracer)), camera.initial_state(draws), draws, Stamp("thermal", 0, 0, 0)
    )[1]

    def frame() -> object:
        return camera.detect(
            camera.sense(_view(camera, tracer)), state, draws, Stamp("thermal", 1, 50_000_000, 50_000_000)
        )

    return frame


def _detector(camera: ThermalCamera, tracer: EmbreeTracer) -> Callable[[], object]:
    draws, signal = Draws(0, sensor="thermal"), camera.sense(_view(camera, tracer))
    _, state = camera.detect(signal, camera.initial_state(draws), draws, Stamp("thermal", 0, 0, 0))
    return lambda: camera.detect(signal, state, draws, Stamp("thermal", 1, 50_000_000, 50_000_000))


def _bare(camera: ThermalCamera, tracer: EmbreeTracer) -> Callable[[], object]:
    """Return a loop that only traces the camera's primary rays."""
    from sensorium.apps.benchmarks import bare_embree
    from sensorium.sensors.camera.raster import raster_of
    from sensorium.sensors.camera.shutter import row_times_ns

    view, rows = _view(camera, tracer), row_times_ns(0, camera.lens.height, camera.shutter.row_delay_s)
    rays = raster_of(camera.lens).rays(view, rows, 0.0)
    tracer.place_bodies(view.window, _PLACE.position_m)
    return bare_embree.call(tracer, rays, view.window, _PLACE.position_m)
