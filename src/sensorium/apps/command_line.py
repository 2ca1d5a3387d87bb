"""The command line. Heavy packages load inside the commands, so that `--help` answers at once."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from sensorium.apps.campaigning import campaign
from sensorium.apps.comparing import Threads, bench_app, reproduce_app
from sensorium.apps.evaluating import evaluate_app
from sensorium.apps.gnss_command import gnss
from sensorium.apps.interruption import Interruption, end_on_signals
from sensorium.apps.serving import engine
from sensorium.core.errors import SensoriumError

app = typer.Typer(
    name="sensorium",
    help="Simulate the sensors of cars, robots and machines, and record what they would have measured.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode="markdown",
)
app.add_typer(bench_app, name="bench")
app.add_typer(reproduce_app, name="reproduce")
app.add_typer(evaluate_app, name="evaluate")
app.command()(engine)
app.command()(gnss)
app.command()(campaign)

_FILE_COLUMNS = 160
"""Width of tables that no terminal limits."""

Overrides = Annotated[
    list[str] | None,
    typer.Option("--set", help="Change a setting: --set 'rig[0].sensor.rate_hz=20 Hz'. May be given more than once."),
]

Colour = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="What the colour of a point means: intensity (blue to red), range, height, ring, or from the truth of "
        "points: return (first, second, ...), material, class, cause (surface, air, mirror ghost, noise, ...).",
    ),
]


def main() -> None:
    """Run a command; what is wrong becomes one message and exit status 2, Ctrl-C becomes 130."""
    end_on_signals()
    try:
        app()
    except SensoriumError as error:
        _say_error("\n".join((str(error), *getattr(error, "__notes__", ()))))
        sys.exit(2)
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:  # a full disk, a folder that may not be written: no fault of the program
        _say_error(f"{error.filename or 'the system'}: {error.strerror or error}")
        sys.exit(2)


def _say_error(text: str) -> None:
    print(f"sensorium: {text}", file=sys.stderr)


@app.callback(invoke_without_command=True)
def _version(version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False) -> None:
    if version:
        from sensorium import __version__

        print(f"sensorium {__version__}")
        raise typer.Exit


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Folder for demo.mcap and demo.png.")] = Path("out"),
    threads: Threads = None,
    seed: Annotated[int | None, typer.Option(help="Another seed: another street, other noise.")] = None,
) -> None:
    """Drive a car with LiDAR, cameras and inertial unit through a street for ten seconds: a recording and a picture."""
    from sensorium.simulation.scenario import load_scenario, scenario_path

    overrides = [] if seed is None else [f"seed={seed}", f"world.seed={seed}"]
    scenario = load_scenario(scenario_path("street_drive"), overrides)
    _drive(scenario, out / "demo.mcap", threads)
    _sheet(out / "demo.mcap", out / "demo.png")


@app.command()
def run(
    scenario: Annotated[
        Path, typer.Argument(help="Scenario file (YAML), or the name of one in the package: first_drive.")
    ],
    out: Annotated[Path | None, typer.Option(help="Recording to write (default: out/<scenario>.mcap).")] = None,
    overrides: Overrides = None,
    threads: Threads = None,
) -> None:
    """Simulate a scenario and record it as MCAP."""
    from sensorium.simulation.scenario import load_scenario, scenario_path

    file = scenario if scenario.suffix or scenario.exists() else scenario_path(str(scenario))
    _drive(load_scenario(file, overrides or []), out or Path("out") / f"{scenario.stem}.mcap", threads)


@app.command()
def inspect(
    file: Annotated[Path, typer.Argument(help="Recording (MCAP).")],
    png: Annotated[Path | None, typer.Option(help="Picture to write (default: beside the recording).")] = None,
    lidar: Annotated[str | None, typer.Option(help="LiDAR to show (default: the one with the most points).")] = None,
    time_s: Annotated[float | None, typer.Option(help="Start of the scan to show (default: the middle).")] = None,
    colour: Colour = "intensity",
    overlay: Annotated[
        Path | None,
        typer.Option(
            help="Another picture to write: the scene as seen from the LiDAR, with the scan's points over it."
        ),
    ] = None,
    sky: Annotated[
        Path | None,
        typer.Option(help="Another picture to write: sky plot, track, dilution and C/N0 of a satellite receiver."),
    ] = None,
    recover: Annotated[
        bool, typer.Option("--recover", help="Save what a damaged recording still holds first.")
    ] = False,
) -> None:
    """Say what is in a recording, and draw it: scan, range image, map, rates.

    With `--overlay` it also draws the scan over a picture of its scene, which is made again from the scenario in the
    recording: what did each beam meet, and where are beams missing?
    """
    if recover:
        file = _recovered(file)
    _summary(file)
    _sheet(file, png or file.with_suffix(".png"), lidar, time_s, colour)
    if sky is not None:
        from sensorium.apps.pictures.gnss import recorded_sheet
        from sensorium.recording.reader import open_recording

        print(recorded_sheet(open_recording(file), sky))
    if overlay is not None:
        from sensorium.apps.overlay import write_overlay
        from sensorium.recording.reader import open_recording

        print(write_overlay(open_recording(file), overlay, lidar=lidar, time_s=time_s, colour=colour))


@app.command()
def view(
    file: Annotated[Path, typer.Argument(help="Recording (MCAP).")],
    save: Annotated[Path | None, typer.Option(help="Write a Rerun file (.rrd) instead of opening the viewer.")] = None,
    web: Annotated[bool, typer.Option("--web", help="Open in the browser, on this machine only.")] = False,
    colour: Colour = "intensity",
    frame: Annotated[
        str,
        typer.Option(
            metavar="ground|vehicle",
            help="Where clouds are shown: placed on the ground (in the map), or in the frame of the vehicle that "
            "carries the LiDAR, where the vehicle stands still and the world moves past.",
        ),
    ] = "ground",
    follow: Annotated[
        str, typer.Option(help='Body to look at (default: the first LiDAR\'s vehicle; "map": the camera stands still).')
    ] = "",
    accumulate: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="Show the clouds of this many seconds together: a map grows while the vehicle drives. Ground frame only.",
        ),
    ] = None,
    voxel: Annotated[
        float,
        typer.Option(
            metavar="METRES",
            help="With --accumulate: keep one point for each cube with this edge, so that the map stays small.",
        ),
    ] = 0.1,
) -> None:
    """Open a recording in the Rerun viewer (extra `viewer`).

    Clouds, truth boxes and paths in 3D, with points per scan and rates beside them.
    """
    from sensorium.apps.viewer import view as open_viewer
    from sensorium.recording.reader import open_recording

    shown = open_viewer(
        open_recording(file), save=save, web=web, colour=colour, follow=follow, frame=frame, accumulate_s=accumulate,
        voxel_m=voxel,
    )  # fmt: skip
    if shown is not None:
        with shown:
            signal.signal(signal.SIGINT, signal.default_int_handler)  # here it is the way to end, and no failure
            print(f"{shown.url}   (Ctrl-C ends the viewer)")
            shown.wait()
    else:
        print(save)


@app.command()
def export(
    file: Annotated[Path, typer.Argument(help="Recording (MCAP).")],
    folder: Annotated[Path, typer.Argument(help="Folder for the files.")],
    kind: Annotated[
        str,
        typer.Option(
            "--format",
            help="Clouds: pcd, ply, laz, las, bin (KITTI). Images: png, jpeg, tiff, exr; mp4, mkv (extra `video`). "
            "Receivers: nmea, ubx, rnx.",
        ),
    ] = "pcd",
) -> None:
    """Write every point cloud or image of a recording as a file of its own; videos, and what receivers tell, as one file each."""
    from sensorium.recording.export import export_files
    from sensorium.recording.reader import open_recording

    print(f"{len(export_files(open_recording(file), folder, kind))} files in {folder}")


@app.command()
def catalog(
    name: Annotated[str | None, typer.Argument(help="A device, for all its figures and sources.")] = None,
) -> None:
    """List the devices of the catalogue with their sources."""
    from sensorium.apps.catalogue import print_catalogue, print_device

    print_device(name) if name else print_catalogue()


@app.command("compile")
def compile_ahead(
    processes: Annotated[
        int | None, typer.Option(help="Processes at a time (default: one for each core).", min=1)
    ] = None,
) -> None:
    """Compile all kernels now and keep them on disk, so that nothing has to be compiled later.

    Every command compiles what it needs when it needs it; this does it at once, for an installation or an image.
    """
    from time import perf_counter

    from rich.console import Console

    from sensorium.apps.compiling import LANES, compile_lanes

    start, count, console = perf_counter(), 0, Console(stderr=True)
    with console.status("compiling") as status:
        for lane, taken_s in compile_lanes(processes=processes):
            count += 1
            status.update(f"compiling: {count} of {len(LANES)} lanes done")
            console.print(f"{lane.instrument}: {lane}: {taken_s:.1f} s")
    print(f"all kernels are compiled, in {perf_counter() - start:.1f} s")


def _drive(scenario: Any, out: Path, threads: int | None) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from sensorium.apps.driving import drive

    console = Console(stderr=True)
    time = TextColumn("{task.completed:.1f} of {task.total:.1f} s")
    columns = TextColumn("{task.description}"), BarColumn(), time, TimeRemainingColumn()
    with Interruption() as interruption:
        with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
            task = progress.add_task("starting (compiles for half a minute the first time)", total=scenario.duration_s)

            def tell(until_s: float) -> None:
                if until_s > 0:
                    progress.update(task, completed=until_s, description=f"simulating {scenario.name}")

            made = drive(scenario, out, threads, tell, lambda: interruption.asked)
        counts = ", ".join(f"{count} {sensor}" for sensor, count in made.samples.items())
        print(f"{made.path}: {made.simulated_s:g} s in {made.taken_s:.1f} s ({made.times_real_time:.1f} times real time), "
              f"{made.size / 1e6:.1f} MB, samples: {counts or 'none'}")  # fmt: skip
    if interruption.asked:
        _say_error(f"stopped by {interruption.cause}; {made.path} is complete up to {made.simulated_s:.3f} s")
        sys.exit(interruption.exit_status)


def _summary(file: Path) -> None:
    from rich.console import Console
    from rich.table import Table

    from sensorium.apps.summary import facts_of, summarise
    from sensorium.recording.reader import open_recording

    recording = open_recording(file)
    table = Table(
        title="  ".join(f"{name} {value}" for name, value in facts_of(recording).items()), title_justify="left"
    )
    rows = summarise(recording)
    for heading in rows[0] if rows else ():
        table.add_column(heading, overflow="fold", no_wrap=heading == "topic")
    for row in rows:
        table.add_row(*(str(value) for value in row.values()))
    Console(width=None if sys.stdout.isatty() else _FILE_COLUMNS).print(table)


def _sheet(
    file: Path, png: Path, lidar: str | None = None, time_s: float | None = None, colour: str = "intensity"
) -> None:
    from sensorium.apps.inspection import inspect_sheet
    from sensorium.recording.reader import open_recording

    print(inspect_sheet(open_recording(file), png, lidar=lidar, time_s=time_s, colour=colour))


def _recovered(file: Path) -> Path:
    from sensorium.recording.reader import open_recording
    from sensorium.recording.recovery import recover

    if not file.is_file():
        open_recording(file)  # says what there is instead
    name = file.name.removesuffix(".part").removesuffix(".mcap")
    out = file.with_name(f"{name}.recovered.mcap")
    found = recover(file, out)
    print(f"{out}: {found.messages} messages, up to {found.until_ns * 1e-9:.3f} s")
    return out


if __name__ == "__main__":
    main()
