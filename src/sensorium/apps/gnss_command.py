"""The command that solves recorded satellite measurements."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def gnss(
    observations: Annotated[Path, typer.Argument(help="Observation file (RINEX 2 or 3).")],
    orbits: Annotated[list[Path], typer.Argument(help="Navigation files (RINEX 2 or 3), or precise orbits (SP3).")],
    csv: Annotated[Path | None, typer.Option("--csv", help="Write the fixes to this file.")] = None,
    mask_deg: Annotated[float, typer.Option("--mask", help="Least elevation of a satellite in degrees.")] = 10.0,
    single: Annotated[bool, typer.Option("--single", help="Use one frequency though there are two.")] = False,
) -> None:
    """Solve recorded satellite measurements: a fix per epoch with integrity test, from anybody's RINEX files."""
    from sensorium.apps.gnss_solving import solve_files, summary_lines, table_lines

    solved = solve_files(observations, orbits, mask_deg, not single)
    if csv is not None:
        csv.write_text("\n".join(table_lines(solved)) + "\n", "utf-8")
    print("\n".join(summary_lines(solved)))
