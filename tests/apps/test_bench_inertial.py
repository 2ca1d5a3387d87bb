"""`sensorium bench inertial`: that it measures what it says. No figure of time is judged here."""

import json
import subprocess
import sys

from sensorium.apps.benchmarks import inertial
from sensorium.noise import FaultUnion

COMMAND = [sys.executable, "-m", "sensorium.apps.command_line", "bench", "inertial"]


def test_as_a_user_runs_it(tmp_path):
    """Every row is there with its bar, the verdicts follow from the figures, and the exit status from the verdicts."""
    out = tmp_path / "rows.json"
    done = subprocess.run([*COMMAND, "--repeats", "1", "--json", str(out)], capture_output=True, text=True, check=False)
    rows = json.loads(out.read_text())["rows"]
    assert done.returncode == (0 if all(row["holds"] for row in rows) else 1), done.stderr
    blocks, closed, _, same = rows
    assert blocks["holds"] == (blocks["ours"] >= inertial.OPEN_BAR)
    assert closed["holds"] == (closed["ours"] < inertial.CLOSED_BAR_US)
    assert same["ours"] == 0


def test_the_full_chain_is_full():
    """Nine axes at 1 kHz with filters; every fault there is stands in the chain, but those that repeat another's step."""
    imu = inertial.full_imu(1)
    for instrument in (imu.accelerometer, imu.gyroscope, imu.magnetometer):
        kinds = {type(fault) for fault in instrument.chain}
        left_out = {kind.__name__ for kind in FaultUnion.__args__ if kind not in kinds}
        assert left_out == {"GaussMarkov", "Saturation"}  # bias instability is one; the input range is the other
        assert instrument.filter is not None
        assert instrument.input_range is not None
        assert len(instrument.axes) == 3
    assert imu.rate_hz == 1000
