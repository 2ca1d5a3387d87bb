"""`sensorium bench thermal`: that it measures what it says. No figure of time is judged here."""

import json
import subprocess
import sys


def test_as_a_user_runs_it(tmp_path):
    """Rows for noon and night against the camera's rate; verdicts follow from the figures, the exit status from the verdicts."""
    out = tmp_path / "rows.json"
    command = [
        sys.executable,
        "-m",
        "sensorium.apps.command_line",
        "bench",
        "thermal",
        "--repeats",
        "1",
        "--json",
        str(out),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    rows = json.loads(out.read_text())["rows"]
    assert done.returncode == (0 if all(row["holds"] for row in rows) else 1), done.stderr
    frames = [row for row in rows if row["unit"] == "frame/s"]
    assert [row["case"].split(", ")[-1] for row in frames] == ["noon", "night"]
    for row in frames:
        assert row["theirs"] == 20
        assert row["holds"] == (row["ours"] > row["theirs"])
    (rays,) = (row for row in rows if row["unit"] == "Mray/s")
    assert rays["holds"] == (rays["ours"] >= 0.05 * rays["theirs"])
