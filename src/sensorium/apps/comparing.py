"""The commands that compare: `bench` with a yardstick in the same run, `reproduce` with published figures."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sensorium.apps.benchmarks.rows import Row

bench_app = typer.Typer(help="Measure speed against a yardstick in the same run.", no_args_is_help=True)
reproduce_app = typer.Typer(help="Compute published figures again: theirs, ours, verdict.", no_args_is_help=True)

_FILE_COLUMNS = 140
"""Width of a table that goes into a file."""

Threads = Annotated[int | None, typer.Option(help="Threads that trace rays; the result does not depend on it.", min=1)]
Json = Annotated[Path | None, typer.Option("--json", help="Write the rows to this file as well.")]


@bench_app.command("trace")
def bench_trace(json: Json = None, threads: Threads = None, peers: bool = True) -> None:
    """Compare the tracer with bare Embree, and with the peers that a user would pick (extra `bench`)."""
    from sensorium.apps.benchmarks.trace import trace_rows

    report("bench trace", trace_rows(threads, peers), json, threads)


@bench_app.command("lidar")
def bench_lidar(
    json: Json = None,
    threads: Threads = None,
    repeats: Annotated[int, typer.Option(help="Measurements of which each figure is the median.", min=1)] = 15,
    processes: Annotated[bool, typer.Option(help="Measure compilation, start and memory in fresh processes.")] = True,
) -> None:
    """Compare whole LiDAR scans, physics and all, with bare Embree on the same rays."""
    from sensorium.apps.benchmarks.lidar import lidar_rows

    report("bench lidar", lidar_rows(threads, repeats, processes), json, threads)


@bench_app.command("dynamics")
def bench_dynamics(json: Json = None) -> None:
    """Compare the vehicle with its sensors with the bare physics engine, and with real time."""
    from sensorium.apps.benchmarks.dynamics import dynamics_rows

    report("bench dynamics", dynamics_rows(), json)


@bench_app.command("inertial")
def bench_inertial(
    json: Json = None,
    repeats: Annotated[int, typer.Option(help="Measurements of which each figure is the median.", min=1)] = 201,
) -> None:
    """Measure a nine-axis IMU with every fault against real time, in blocks and one reading per step."""
    from sensorium.apps.benchmarks.inertial import inertial_rows

    report("bench inertial", inertial_rows(repeats), json)


@bench_app.command("cone")
def bench_cone(
    json: Json = None,
    repeats: Annotated[int, typer.Option(help="Readings of which each figure is the median.", min=1)] = 300,
) -> None:
    """Readings per second of the cone sensor, and what a million triangles elsewhere add."""
    from sensorium.apps.benchmarks.cone import cone_rows

    report("bench cone", cone_rows(repeats), json)


@bench_app.command("radar")
def bench_radar(
    json: Json = None,
    threads: Threads = None,
    repeats: Annotated[int, typer.Option(help="Measurements of which each figure is the median.", min=1)] = 15,
) -> None:
    """Measure frames and samples of a radar, samples beside a plain sum in NumPy, traced shapes beside closed forms."""
    from sensorium.apps.benchmarks.radar import radar_rows

    report("bench radar", radar_rows(threads, repeats), json, threads)


@bench_app.command("gnss")
def bench_gnss(json: Json = None, threads: Threads = None) -> None:
    """Satellite receivers in a street: times real time, repeatability, exactness without noise."""
    from sensorium.apps.benchmarks.gnss import gnss_rows

    report("bench gnss", gnss_rows(threads), json, threads)


@bench_app.command("camera")
def bench_camera(json: Json = None, threads: Threads = None) -> None:
    """Compare pictures of the street, light and all, with bare Embree on the same rays."""
    from sensorium.apps.benchmarks.camera import camera_rows

    report("bench camera", camera_rows(threads), json, threads)


@reproduce_app.callback()
def _reproduce() -> None:
    """Keep the name of a command necessary, however many there are."""


@reproduce_app.command("lidar")
def reproduce_lidar(
    json: Json = None,
    png: Annotated[Path | None, typer.Option(help="Picture of the street in received power to write.")] = None,
    threads: Threads = None,
) -> None:
    """Cases and figures of a published physical LiDAR (Industrial Problem Solving with Physics 2021, chapter 1)."""
    from sensorium.apps.reproductions.lidar import lidar_rows

    report("reproduce lidar", lidar_rows(threads, png), json, threads)


@reproduce_app.command("inertial")
def reproduce_inertial(json: Json = None) -> None:
    """Data sheets of inertial devices, found again in long records at rest; closed forms; the world magnetic model."""
    from sensorium.apps.reproductions.inertial import inertial_rows

    report("reproduce inertial", inertial_rows(), json)


@reproduce_app.command("cone")
def reproduce_cone(
    json: Json = None,
    png: Annotated[Path | None, typer.Option(help="Picture of cone, lines and nearest point to write.")] = None,
) -> None:
    """Tables of a published function-based range sensor (Kallin, Umea 2018)."""
    from sensorium.apps.reproductions.cone import cone_rows

    report("reproduce cone", cone_rows(png), json)


@bench_app.command("thermal")
def bench_thermal(
    json: Json = None,
    threads: Threads = None,
    repeats: Annotated[int, typer.Option(help="Measurements of which each figure is the median.", min=1)] = 15,
) -> None:
    """Take whole images of a thermal camera in the street, against its own rate and bare Embree."""
    from sensorium.apps.benchmarks.thermal import thermal_rows

    report("bench thermal", thermal_rows(threads, repeats), json, threads)


@bench_app.command("tracking")
def bench_tracking(json: Json = None, threads: Threads = None) -> None:
    """Measure how fast filters run over batches and along with a sensor, beside Stone Soup (extra `tracking`)."""
    from sensorium.apps.benchmarks.tracking import tracking_rows

    report("bench tracking", tracking_rows(threads), json, threads)


@reproduce_app.command("tracking")
def reproduce_tracking(
    json: Json = None,
    png: Annotated[Path | None, typer.Option(help="Picture of the errors over time to write.")] = None,
    runs: Annotated[int, typer.Option(help="Throws of the ball with varied height, range and speed.", min=50)] = 2000,
    simulated: Annotated[
        int,
        typer.Option(help="Throws with every beam of the LiDAR simulated, 5 to 9 s each; 0 leaves them out.", min=0),
    ] = 24,
    threads: Threads = None,
) -> None:
    """Track a bouncing ball with two cameras and a LiDAR: error curves, filters, and each sensor left out in turn."""
    from sensorium.apps.reproductions.tracking import tracking_rows

    report("reproduce tracking", tracking_rows(runs, threads, png, simulated), json, threads)


def report(name: str, rows: Sequence[Row], json: Path | None, threads: int | None = None) -> None:
    """Print rows as a table, write them, and exit with 1 if one does not hold."""
    from rich.console import Console
    from rich.table import Table

    from sensorium.apps.benchmarks.rows import surroundings, write_rows

    table = Table("case", "theirs", "ours", "unit", "bar", "holds", title=f"sensorium {name}", title_justify="left")
    for row in rows:
        theirs = "" if row.theirs is None else f"{row.theirs:.4g}"
        table.add_row(row.case, theirs, f"{row.ours:.4g}", row.unit, row.bar, "yes" if row.holds else "NO")
    Console(width=None if sys.stdout.isatty() else _FILE_COLUMNS).print(table)
    if json is not None:
        write_rows(json, rows, {"name": name, **surroundings(threads)})
    if not all(row.holds for row in rows):
        raise typer.Exit(1)
