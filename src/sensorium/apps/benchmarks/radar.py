"""`sensorium bench radar`: what paths, samples and frames of a radar cost, and how near traced shapes come to closed forms."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from sensorium.apps.benchmarks.rows import Row, seconds_each
from sensorium.apps.benchmarks.worlds import one_part
from sensorium.core.pose import Pose
from sensorium.core.time import TimeWindow
from sensorium.motion.fixed import Fixed
from sensorium.scene.body import Body
from sensorium.scene.mesh import Mesh
from sensorium.scene.scene import Scene
from sensorium.scene.shapes import Sphere
from sensorium.scene.street import Street
from sensorium.scene.view import View
from sensorium.sensors import Radar, sensor_of
from sensorium.sensors.radar import ChirpSequence, RayFan, VirtualArray
from sensorium.sensors.radar.cube import beat_cube, plain_cube
from sensorium.sensors.radar.paths import Paths
from sensorium.sensors.radar.scattering import Wave, scattering_paths
from sensorium.simulation import Simulation, observe
from sensorium.simulation.rig import Mount
from sensorium.tracing import EmbreeTracer

if TYPE_CHECKING:
    from collections.abc import Iterator

DEVICE = "ti_awr1843_short_range"
FRONT = Pose.at(3.75, 0.0, 0.6)
"""In front of the ego car's bumper."""
CUBE_BAR_MS, TIMES_BAR, ERROR_BAR, SHAPE_BAR_DB = 100.0, 10.0, 1e-5, 1.0
_PATHS = 2000
_RANGE_M, _FREQUENCY_HZ = 200.0, 77e9


def radar_rows(threads: int | None = None, repeats: int = 15) -> list[Row]:
    """Measure everything: medians of `repeats`."""
    street = Street().build()
    tracer = EmbreeTracer(street, threads)
    return [*cube_rows(repeats), *frame_rows(street, tracer, repeats), *shape_rows(), threads_row(street)]


def cube_rows(repeats: int) -> list[Row]:
    """Compare the samples of 2000 paths with a plain sum over the paths in NumPy, on the same data."""
    chirps = ChirpSequence(
        start_hz=77e9, bandwidth_hz=6e8, samples=256, sample_rate_hz=10e6, chirps=128, period_s=33e-6
    )
    array = VirtualArray.uniform(transmitters=2, receivers=4, spacing_m=chirps.wavelength_m / 2)
    random = np.random.default_rng(1)
    spans = ((1, 60), (-15, 15), (-1, 1), (-0.2, 0.2))
    paths = Paths.points(*(random.uniform(low, high, _PATHS) for low, high in spans))
    voltage, steady = random.normal(size=_PATHS) + 1j * random.normal(size=_PATHS), np.ones((_PATHS, 1))
    (ours_s,) = seconds_each(lambda: beat_cube(paths, voltage, steady, chirps, array), repeats=repeats)
    start = perf_counter()
    plain = plain_cube(paths, voltage, steady, chirps, array)
    theirs_s = perf_counter() - start
    off = np.abs(beat_cube(paths, voltage, steady, chirps, array) - plain).max() / np.abs(plain).max()
    case = "samples of 2000 paths, 256 x 128 x 8"
    return [
        Row(case, None, ours_s * 1e3, "ms", f"below {CUBE_BAR_MS:g} ms", ours_s * 1e3 < CUBE_BAR_MS),
        Row(f"{case}, against NumPy path by path", theirs_s * 1e3, ours_s * 1e3, "ms",
            f"at least {TIMES_BAR:g} times as fast (is {theirs_s / ours_s:.0f})", theirs_s >= TIMES_BAR * ours_s),
        Row(f"{case}: largest error over largest sample", 0.0, float(off), "1", f"below {ERROR_BAR:g}", bool(off < ERROR_BAR)),
    ]  # fmt: skip


def frame_rows(street: Scene, tracer: EmbreeTracer, repeats: int) -> Iterator[Row]:
    """Take frame after frame from the bumper of the moving car, every body moved anew for each."""
    for fidelity, bar in (("detection", 1.0), ("signal", None)):
        radar = sensor_of(DEVICE, fidelity={"type": fidelity})
        rig = [Mount(name="front", sensor=radar, body="ego", pose=FRONT)]
        frames = Simulation(street, rig, truth_rate_hz=None, tracer=tracer).samples(60.0)

        def take(frames: Any = frames) -> object:
            return next(frames)

        (taken_s,) = seconds_each(take, repeats=repeats)
        times = 1 / (radar.rate_hz * taken_s)
        says = "none: for information" if bar is None else f"at least {bar:g} (1 is real time)"
        case = f"{fidelity} level of the AWR1843 at {radar.rate_hz:g} Hz in the street"
        yield Row(case, None, times, "x real time", says, bar is None or times >= bar)


def shape_rows() -> Iterator[Row]:
    """Compare traced cross sections at 77 GHz with their closed forms."""
    wavelength_m = 299_792_458.0 / _FREQUENCY_HZ
    shapes = (
        ("plate of 20 cm", _plate(0.2), 1.2e-3, 4 * np.pi * 0.2**4 / wavelength_m**2),
        ("sphere of 30 cm", Sphere(radius_m=0.3, facet_m=4e-6).mesh(), 1.7e-3, np.pi * 0.3**2),
        ("trihedral of 20 cm", _corner(0.2), 1.1e-3, 4 * np.pi * 0.2**4 / (3 * wavelength_m**2)),
    )
    for name, mesh, half_rad, closed_m2 in shapes:
        scene = Scene((Body("target", one_part("target", mesh, "steel"), Fixed(pose=Pose.at(_RANGE_M, 0, 0))),))
        view = View(scene, EmbreeTracer(scene), Fixed(), Pose.identity(), TimeWindow(0, 1000))
        span, step = (-half_rad, half_rad), 1e-5
        fan = RayFan(azimuth_rad=span, elevation_rad=span, azimuth_step_rad=step, elevation_step_rad=step)
        paths = scattering_paths(view, fan, Wave(_FREQUENCY_HZ, wavelength_m, 0.0))[0]
        turns = 2 * (paths.range_m - _RANGE_M) / wavelength_m
        ours = 20 * np.log10(abs((paths.amplitude_m * np.exp(-2j * np.pi * turns)).sum()))
        theirs = 10 * np.log10(closed_m2)
        says = f"within {SHAPE_BAR_DB:g} dB of the closed form"
        holds = abs(ours - theirs) < SHAPE_BAR_DB
        yield Row(f"cross section of a {name}", float(theirs), float(ours), "dB m2", says, bool(holds))


def threads_row(street: Scene) -> Row:
    """Count the bytes of a frame that depend on the number of threads."""
    import numba

    before, most = numba.get_num_threads(), min(2, int(numba.config.NUMBA_NUM_THREADS))
    radar = sensor_of(DEVICE, truth=True, fidelity={"type": "signal", "keep_map": True, "keep_cube": True})
    assert isinstance(radar, Radar)
    radar = replace(radar, fan=replace(radar.fan, azimuth_step_rad=0.01, elevation_step_rad=0.01))
    frames = []
    try:
        for count in (1, most):
            numba.set_num_threads(count)
            frames.append(observe(street, radar, FRONT, body="ego", tracer=EmbreeTracer(street, count)))
    finally:
        numba.set_num_threads(before)
    one, two = (_bytes(frame) for frame in frames)
    differ = sum(a != b for a, b in zip(one, two, strict=False)) + abs(len(one) - len(two))
    case = f"bytes of detections, map and samples that differ between 1 and {most} threads"
    return Row(case, None, float(differ), "bytes", "none", differ == 0)


def _bytes(thing: Any) -> bytes:
    """Return the bytes of all arrays inside."""
    if isinstance(thing, np.ndarray):
        return thing.tobytes()
    return b"".join(_bytes(value) for value in vars(thing).values()) if hasattr(thing, "__dict__") else b""


def _plate(side_m: float) -> Mesh:
    h = side_m / 2
    return Mesh(np.array([[0, -h, -h], [0, -h, h], [0, h, h], [0, h, -h]], float), np.array([[0, 1, 2], [0, 2, 3]]))


def _corner(side_m: float) -> Mesh:
    """Return three triangles at right angles that open along -x."""
    axis, across = np.ones(3) / 3**0.5, np.array([1.0, -1.0, 0.0]) / 2**0.5
    turned = np.stack((-axis, -across, np.cross(axis, across)))
    corners = np.vstack((np.zeros(3), side_m * np.eye(3)))
    return Mesh(corners @ turned.T, np.array([[0, 1, 2], [0, 2, 3], [0, 3, 1]]))
