"""The commands that judge a recording: `sensorium evaluate`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sensorium.apps.pictures.allan_plot import Found

evaluate_app = typer.Typer(help="Judge what a recording holds: noise, drift.", no_args_is_help=True)

_FILE_COLUMNS = 160
_ON_PAPER = {
    "angular_velocity": (("deg/sqrt(h)", 60.0), ("deg/h", 3600.0), ("deg/h/sqrt(s)", 3600.0)),
    "specific_force": (("m/s/sqrt(h)", 60.0), ("ug", 1e6), ("ug/sqrt(s)", 1e6)),
    "flux_density": (("nT/sqrt(Hz)", 1e9), ("nT", 1e9), ("nT/sqrt(s)", 1e9)),
}
"""Quantity -> unit of N, B and K on data sheets, and how many of it one degree, g or tesla is."""


@evaluate_app.callback()
def _evaluate() -> None:
    """Keep the name of a command necessary, however many there are."""


@evaluate_app.command("allan")
def allan(
    file: Annotated[
        Path, typer.Argument(help="Recording (MCAP) of an IMU that rests; of Sensorium or of a real device.")
    ],
    sensor: Annotated[str | None, typer.Option(help="IMU to judge (default: all).")] = None,
    png: Annotated[Path | None, typer.Option(help="Picture to write (default: beside the recording).")] = None,
    confidence: Annotated[float, typer.Option(help="Of the band about each curve.", min=0.5, max=0.9999)] = 0.95,
) -> None:
    """Overlapping Allan deviation of a record at rest, and the noise parameters N, B and K that it shows (IEEE 952)."""
    from sensorium.apps.pictures.allan_plot import write_allan_plot
    from sensorium.core.errors import RecordingError
    from sensorium.evaluation.allan import allan_curve, noise_parameters
    from sensorium.evaluation.inertial_record import inertial_records
    from sensorium.recording.reader import open_recording

    records = inertial_records(open_recording(file).samples(sensor))
    if not records:
        raise RecordingError(f"{file} holds no readings of an IMU; `sensorium inspect {file}` tells what is in it")
    curves = [allan_curve(record.values, record.rate_hz, confidence=confidence) for record in records]
    found = [(record, curve, noise_parameters(curve)) for record, curve in zip(records, curves, strict=True)]
    _print_parameters(found)
    print(write_allan_plot(found, png or file.with_suffix(".allan.png"), f"Allan deviation of {file.stem}"))


@evaluate_app.command("dead-reckoning")
def dead_reckoning(
    file: Annotated[Path, typer.Argument(help="Recording (MCAP) with truth, an odometer and an IMU.")],
    body: Annotated[
        str | None, typer.Option(help="Body that is followed (default: the one that carries the IMU).")
    ] = None,
    imu: Annotated[str | None, typer.Option(help="IMU to use (default: the first).")] = None,
    odometer: Annotated[list[str] | None, typer.Option(help="Odometers whose mean is used (default: all).")] = None,
    png: Annotated[Path | None, typer.Option(help="Picture to write (default: beside the recording).")] = None,
) -> None:
    """Way by wheels and gyroscope, and by inertial readings alone, against the truth: a plot and the drift."""
    from sensorium.apps.drifting import drifts_of
    from sensorium.apps.pictures.dead_reckoning_plot import draw_drifts
    from sensorium.recording.reader import open_recording

    truth, drifts = drifts_of(open_recording(file), body, imu, tuple(odometer or ()))
    for drift in drifts:
        print(f"{drift.track.name}: {drift.final_m:.3f} m off after {drift.way_m:.1f} m ({drift.share:.3%})")
    print(draw_drifts(truth, drifts, png or file.with_suffix(".drift.png"), f"Dead reckoning of {file.stem}"))


def _print_parameters(found: list[Found]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(
        "sensor", "instrument", "axis", "N: random walk", "B: bias instability", "at", "K: rate random walk",
        title="Noise parameters, each with its standard error; empty: not seen in this record", title_justify="left",
    )  # fmt: skip
    for each in found:
        for row in _rows(each):
            table.add_row(*row)
    Console(width=None if sys.stdout.isatty() else _FILE_COLUMNS).print(table)


def _rows(each: Found) -> Iterator[list[str]]:
    import math

    record, _, found = each
    size = {"angular_velocity": math.pi / 180, "specific_force": 1.0, "flux_density": 1.0}[record.quantity]
    values = (
        (found.random_walk, found.random_walk_error),
        (found.bias_instability, found.bias_instability_error),
        (found.rate_random_walk, found.rate_random_walk_error),
    )
    for channel, axis in enumerate(record.axes):
        cells = []
        for (value, error), (unit, factor) in zip(values, _ON_PAPER[record.quantity], strict=True):
            scale = factor / (9.80665 if unit.startswith("ug") else size)
            number = value[channel] * scale
            cells.append("" if math.isnan(number) else f"{number:.3g} +- {error[channel] * scale:.1g} {unit}")
        at = "" if math.isnan(found.bias_instability[channel]) else f"{found.lowest_at_s[channel]:.3g} s"
        yield [record.sensor, record.instrument, axis, cells[0], cells[1], at, cells[2]]
