"""What the tests of this folder share: how a command is started and what is seen of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

SOURCE = Path(__file__).parents[2] / "src"
COMMAND = (sys.executable, "-m", "sensorium.apps.command_line")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(SOURCE)}
DRIVE = ("run", "first_drive", "--set", "duration_s=0.3 s")
TINY = """\
sensorium: 1
name: tiny
seed: 3
duration_s: 0.5
world:
  type: bodies
  bodies:
    - name: ground
      parts: [{name: ground, shape: {type: plane, size_m: [60, 60]}, material: asphalt}]
    - name: wall
      parts: [{name: wall, shape: {type: box, size_m: [0.2, 20, 4]}, material: concrete}]
      motion: {type: fixed, pose: {position_m: [12, 0, 2]}}
    - name: cart
      parts: [{name: cart, shape: {type: box, size_m: [1, 1, 0.5]}, material: wood}]
      motion:
        type: spline
        waypoints: [{time_s: 0, position_m: [0, 0, 0.25]}, {time_s: 4, position_m: [8, 0, 0.25]}]
rig:
  - {name: lidar, body: cart, pose: {position_m: [0, 0, 1]}, sensor: {type: lidar, device: velodyne_vlp16, truth: true}}
"""


def hear_interrupts() -> None:
    """Run in a child before its program: who is started in the background is deaf to Ctrl-C, and hands that on."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@dataclass(frozen=True)
class Ended:
    """What a user sees of a command that has ended."""

    status: int
    out: str
    err: str


class Run(Protocol):
    """Runs a command to its end."""

    def __call__(self, *arguments: str | Path, cwd: Path, status: int = 0) -> Ended: ...


def run(*arguments: str | Path, cwd: Path, status: int = 0) -> Ended:
    """Run a command to its end; a status other than the expected one shows what it said."""
    command = [*COMMAND, *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == status, done.stdout + done.stderr
    return Ended(done.returncode, done.stdout, done.stderr)
