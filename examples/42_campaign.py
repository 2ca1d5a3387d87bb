"""A campaign from Python: how does the error of tracking a ball depend on how bouncy the ball is, and on the filter?

Writes a study file, runs it on the cores of this machine as `sensorium campaign` does, and prints the table by filter.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import numpy as np
from pyarrow import parquet

STUDY = """\
sensorium_study: 1
name: bouncy
seed: 3
runs: {runs}
set: {{measure.ball.duration_s: 4}}
sweep: {{measure.filter: [extended_kalman, interacting_models]}}
vary: {{measure.ball.restitution: {{type: uniform, low: 0.5, high: 0.9}}}}
measure: {{type: ball_tracking}}
"""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("out"))
    arguments.add_argument("--runs", type=int, default=20)
    given = arguments.parse_args()

    folder = given.out / "42_campaign"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "study.yaml").write_text(STUDY.format(runs=given.runs))
    command = [sys.executable, "-m", "sensorium.apps.command_line", "campaign", folder / "study.yaml", "--out", folder]
    subprocess.run(command, check=True)
    table = parquet.read_table(folder / "bouncy.parquet").to_pydict()
    filters, bouncy = np.array(table["measure.filter"]), np.array(table["measure.ball.restitution"])
    errors = np.array(table["rms_settled_speed_m_s"])
    for name in np.unique(filters):
        for low, high in ((0.5, 0.7), (0.7, 0.9)):
            mine = (filters == name) & (bouncy >= low) & (bouncy < high)
            print(f"{name}, restitution {low} to {high}: {mine.sum()} runs, speed error {errors[mine].mean():.2f} m/s")


if __name__ == "__main__":
    main()
