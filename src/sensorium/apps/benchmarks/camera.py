"""`sensorium bench camera`: what a picture of the street costs, beside a loop that only traces its rays, in one run."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from statistics import median
from time import perf_counter

import numpy as np

from sensorium.apps.benchmarks.rows import Row, seconds_each
from sensorium.atmosphere.weather import ConstantWeather, WeatherState
from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.samples import Stamp
from sensorium.scene.origin import Origin
from sensorium.scene.rays import Hits, Rays
from sensorium.scene.scene import Scene
from sensorium.scene.street import Street
from sensorium.scene.view import View
from sensorium.sensors.camera.camera import Camera
from sensorium.sensors.camera.exposure import FixedExposure
from sensorium.sensors.camera.lenses import Pinhole
from sensorium.tracing import EmbreeTracer

TRACED_BAR, LIT_BAR, RATE_BAR_HZ = 0.5, 0.25, 8.0
MOUNT = Pose.from_rpy((1.6, 0.0, 1.6), (0.0, 0.02, 0.0))
"""At the front edge of the ego car's roof, looking ahead."""
_TIME_S = 5


class _Listening:
    """A tracer that keeps the rays that pass through it, to trace them again without a camera, and the time they take."""

    def __init__(self, tracer: EmbreeTracer) -> None:
        self.tracer, self.rays, self.spent_s = tracer, list[tuple[Rays, bool]](), 0.0

    def during(self, window: object, near_m: object) -> _Listening:
        """Return itself as the caster of the window."""
        self.caster = self.tracer.during(window, near_m)  # type: ignore[arg-type]
        return self

    def cast(self, rays: Rays) -> Hits:
        """Keep and cast."""
        self.rays.append((rays, False))
        start = perf_counter()
        hits = self.caster.cast(rays)
        self.spent_s += perf_counter() - start
        return hits

    def occluded(self, rays: Rays) -> np.ndarray:
        """Keep and cast."""
        self.rays.append((rays, True))
        start = perf_counter()
        blocked = self.caster.occluded(rays)
        self.spent_s += perf_counter() - start
        return blocked


def camera_rows(threads: int | None = None) -> list[Row]:
    """Measure a sunny and a clouded day; takes about half a minute."""
    street = Street(seed=7).build()
    tracer = EmbreeTracer(street, threads)
    rows = []
    for name, cover in (("sunny", 0.0), ("overcast", 1.0)):
        rows += _day_rows(name, cover, street, tracer)
    return rows


def _day_rows(name: str, cover: float, street: Scene, tracer: EmbreeTracer) -> list[Row]:
    from sensorium.apps.benchmarks import bare_embree

    origin = Origin(latitude_rad="52 deg", longitude_rad="13 deg", start_utc=datetime(2026, 6, 21, 13))  # type: ignore[arg-type]
    weather = ConstantWeather(state=WeatherState(cloud_cover=cover))
    scene = replace(street, origin=origin, weather=weather)
    lens = Pinhole(width=640, height=480, field_of_view_rad="60 deg")  # type: ignore[arg-type]
    camera = Camera(lens=lens, exposure=FixedExposure(exposure_s=0.001), samples=1)
    window = camera.window(_TIME_S * round(camera.rate_hz))
    carrier = scene.body("ego").motion
    view = View(scene, tracer, carrier, MOUNT, window)
    listening = _Listening(tracer)
    camera.rendered(View(scene, listening, carrier, MOUNT, window))
    place = view.pose_at(np.array([window.start_ns])).position_m[0]
    calls = [bare_embree.call(tracer, rays, window, place, any_hit) for rays, any_hit in listening.rays]
    stamp, draws = Stamp("camera", 0, window.start_ns, window.end_ns), Draws(1, sensor="camera")

    def bare() -> None:
        for call in calls:
            call()

    def picture() -> None:
        fresh = View(scene, tracer, carrier, MOUNT, window)
        camera.detect(camera.sense(fresh), None, draws, stamp)

    def lit() -> None:
        again = _Listening(tracer)
        camera.rendered(View(scene, again, carrier, MOUNT, window))
        traced.append(again.spent_s)

    traced: list[float] = []
    million = sum(len(rays) for rays, _ in listening.rays) / 1e6
    bare_s, render_s, whole_s = seconds_each(bare, lit, picture, repeats=7)
    return [
        _against(f"{name}: tracing {million:.2f} million rays of a picture", million, bare_s, median(traced), TRACED_BAR),
        _against(f"{name}: the same with all light on their hits", million, bare_s, render_s, LIT_BAR),
        Row(f"{name}: 640 x 480, sun, shadow, sky, chip and colours", None, 1 / whole_s, "images/s",
            f"at least {RATE_BAR_HZ}", whole_s <= 1 / RATE_BAR_HZ),
    ]  # fmt: skip


def _against(case: str, million: float, theirs_s: float, ours_s: float, bar: float) -> Row:
    says = f"at least {bar} of theirs (is {theirs_s / ours_s:.2f})"
    return Row(case, million / theirs_s, million / ours_s, "Mray/s", says, theirs_s >= bar * ours_s)
