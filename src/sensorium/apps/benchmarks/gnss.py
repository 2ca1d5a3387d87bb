"""`sensorium bench gnss`: how fast receivers run in a street, and that what they measure is exact where it must be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from sensorium.apps.benchmarks.rows import Row
from sensorium.core.earth import SPEED_OF_LIGHT_M_S, LocalFrame
from sensorium.core.pose import Pose
from sensorium.core.time_scales import gps_of_unix_ns
from sensorium.ephemeris.broadcast import BroadcastOrbits
from sensorium.ephemeris.kepler import KeplerRecords
from sensorium.ephemeris.navigation_writer import write_navigation
from sensorium.ephemeris.nominal import nominal_orbits
from sensorium.ephemeris.sight import angles_rad, sight
from sensorium.ephemeris.sources import NavigationFiles
from sensorium.positioning.least_squares import solve
from sensorium.positioning.ranges import Models, Ranges
from sensorium.samples import GnssFix
from sensorium.scene.origin import Origin
from sensorium.scene.scene import Scene
from sensorium.scene.street import Street
from sensorium.sensors import Gnss
from sensorium.sensors.gnss.signals import L1_HZ
from sensorium.simulation import Mount, Simulation
from sensorium.tracing import EmbreeTracer

REAL_TIME_BAR, MILLIMETRE_M, SATELLITES = 20.0, 1e-3, 40
RATE_HZ = 10.0
ORIGIN = Origin(latitude_rad=0.8395, longitude_rad=0.2007, altitude_m=520.0)


def gnss_rows(threads: int | None = None, epochs: int = 150, repeats: int = 3) -> list[Row]:
    """Measure speed with forty satellites above the horizon, repeatability, and the fix of ranges without noise."""
    scene = replace(Street().build(), origin=ORIGIN)
    tracer = EmbreeTracer(scene, threads)
    with TemporaryDirectory() as folder:
        orbits = NavigationFiles(files=(many_satellites(Path(folder)),))
        one = Gnss(orbits=orbits, signals=("GPS L1", "Galileo E1", "BeiDou B1I"), rate_hz=RATE_HZ)
        two = replace_signals(one, ("GPS L1", "GPS L5", "Galileo E1", "Galileo E5a", "BeiDou B1I"))
        return [
            _speed_row("one band", one, scene, tracer, epochs, repeats),
            _speed_row("two bands", two, scene, tracer, epochs, repeats),
            _threads_row(scene, one),
            _exact_row(),
        ]


def replace_signals(gnss: Gnss, signals: tuple[str, ...]) -> Gnss:
    """Return the receiver with other signals."""
    return Gnss(**{field.name: getattr(gnss, field.name) for field in fields(gnss)} | {"signals": signals})


def many_satellites(folder: Path) -> Path:
    """Write a navigation file of GPS and Galileo with as many more satellites as put forty above the horizon.

    The additional ones are theirs again with the orbits' nodes turned by 30 and by 15 degrees.
    """
    orbits = nominal_orbits("GE", gps_of_unix_ns(ORIGIN.start_unix_ns), records=1)
    first, names = orbits.kepler_records, list(orbits.kepler_names)
    assert first is not None
    galileo = np.array([row for row, name in enumerate(names) if name[0] == "E"])
    part = first.rows(galileo)
    sets = [
        first,
        replace(first, node_rad=first.node_rad + np.deg2rad(30)),
        replace(part, node_rad=part.node_rad + np.deg2rad(15)),
    ]
    joined = {each.name: np.concatenate([getattr(one, each.name) for one in sets]) for each in fields(KeplerRecords)}
    further = [f"{name[0]}{int(name[1:]) + 24}" for name in names]
    beidou = [f"C{int(names[row][1:]) + 5:02d}" for row in galileo]
    count = len(names) + len(further)
    joined["week_second_s"][count:] = (
        joined["week_second_s"][count:] - 14.0
    ) % 604_800  # BeiDou's week starts 14 s later
    path = folder / "sky.rnx"
    write_navigation(
        path, BroadcastOrbits([*names, *further, *beidou], KeplerRecords(**joined), klobuchar=orbits.klobuchar)
    )
    return path


def samples_of(gnss: Gnss, scene: Scene, tracer: EmbreeTracer, epochs: int) -> Iterator[GnssFix]:
    """Yield the samples of a receiver on the roof of the car that drives along the street."""
    mount = Mount(name="gnss", sensor=gnss, body="ego", pose=Pose.at(1.0, 0.0, 1.6))
    simulation = Simulation(scene, (mount,), truth_rate_hz=None, tracer=tracer)
    for sample in simulation.samples((epochs - 0.5) / gnss.rate_hz):
        assert isinstance(sample, GnssFix)
        yield sample


def _speed_row(case: str, gnss: Gnss, scene: Scene, tracer: EmbreeTracer, epochs: int, repeats: int) -> Row:
    """Drive along the street; the first epochs, which compile and look for facets, are not counted."""
    found, above, mirrors = [], 0.0, 0.0
    for _ in range(repeats):
        stream = samples_of(gnss, scene, tracer, epochs + 3)
        for _ in range(3):
            next(stream)
        start, samples = perf_counter(), list(stream)
        found.append(len(samples) / gnss.rate_hz / (perf_counter() - start))
        above = float(np.mean([len(sample.satellites.names) for sample in samples]))
        mirrors = float(np.mean([sample.truth.reflections.sum() for sample in samples if sample.truth is not None]))
    ratio = median(found)
    says = f"at least {REAL_TIME_BAR:g} with {SATELLITES} satellites in the sky (has {above:.1f}, {mirrors:.1f} mirror paths)"
    holds = ratio >= REAL_TIME_BAR and above >= SATELLITES
    return Row(f"10 Hz receiver in a street of {scene.triangle_count // 1000}k triangles, {case}", None, ratio,
               "times real time", says, holds)  # fmt: skip


def _threads_row(scene: Scene, gnss: Gnss) -> Row:
    """Count the bytes of measurements and fixes that depend on the number of threads."""
    outputs = []
    for threads in (1, 2):
        stream = samples_of(gnss, scene, EmbreeTracer(scene, threads), 5)
        outputs.append(
            b"".join(s.geodetic.tobytes() + s.raw.pseudorange_m.tobytes() for s in stream if s.raw is not None)
        )
    one, two = outputs
    differ = abs(len(one) - len(two)) + sum(a != b for a, b in zip(one, two, strict=False))
    return Row("bytes that differ between 1 and 2 threads", None, float(differ), "bytes", "none", differ == 0)


def _exact_row() -> Row:
    """Solve ranges without noise at a known place, ionosphere and troposphere on both sides."""
    gps_ns = gps_of_unix_ns(ORIGIN.start_unix_ns) + 123_456_789
    orbits = nominal_orbits("GE", gps_ns)
    frame, models = LocalFrame(ORIGIN.latitude_rad, ORIGIN.longitude_rad, ORIGIN.altitude_m), Models(orbits.klobuchar)
    seen = sight(orbits, frame.origin_m, np.zeros(3), gps_ns)
    azimuth, elevation = angles_rad(seen.towards, frame.axes)
    up = np.flatnonzero(elevation > np.deg2rad(5))
    count, names = len(up), tuple(orbits.names[k] for k in up)
    none = np.full(count, np.nan)
    ranges = Ranges(gps_ns + 1000, names, seen.range_m[up], np.ones(count), np.full(count, L1_HZ), none, none)
    geodetic = np.array([frame.latitude_rad, frame.longitude_rad, frame.altitude_m])
    clock_m = 1e-6 * SPEED_OF_LIGHT_M_S - SPEED_OF_LIGHT_M_S * seen.states.clock_s[up]
    measured = ranges.pseudorange_m + clock_m + models.delays_m(ranges, geodetic, azimuth[up], elevation[up])
    found = solve(replace(ranges, pseudorange_m=measured), orbits, models)
    error_m = float("inf") if found is None else float(np.abs(found.position_m - frame.origin_m).max())
    says = "below 1 mm"
    return Row(
        "noise-free ranges with air on both sides: error of the fix",
        None,
        error_m * 1e3,
        "mm",
        says,
        error_m < MILLIMETRE_M,
    )
