"""The documents say what is so: code that they show runs when it is pasted, commands and files that they name are there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CONVENTIONS.md", "CHANGELOG.md")
SCENARIO = """
name: weather
duration_s: 0.25
world: {type: street, length_m: 60, moving_cars: 0, pedestrians: 0, parked_cars: 0}
rig:
  - {name: outside, body: ego, pose: {position_m: [0, 0, 100 m]}, sensor: {type: barometer, rate_hz: 10 Hz}}
"""
READ = """
import sys
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
reader = make_reader(open(sys.argv[1], "rb"), decoder_factories=[DecoderFactory()])
for _, channel, _, message in reader.iter_decoded_messages(["/outside/pressure"]):
    print(channel.topic, message.header.frame_id, message.fluid_pressure)
"""


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks_of(name: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text_of(name), re.DOTALL)


def run(*command: str | Path, cwd: Path, source: Path = ROOT / "src") -> str:
    environment = {**os.environ, "PYTHONPATH": str(source)}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def put_in(path: Path, pattern: str, replacement: str) -> None:
    """Change the one place of a file that a pattern describes."""
    text, count = re.subn(pattern, replacement, path.read_text(encoding="utf-8"), count=1)
    assert count == 1, f"{pattern} is not in {path}"
    path.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def grown_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project to which the steps of CONTRIBUTING.md were done, to the letter."""
    tree = tmp_path_factory.mktemp("grown")
    shutil.copytree(ROOT / "src", tree / "src")
    for name in (
        "pyproject.toml",
        "tests/conftest.py",
        "tests/worlds.py",
        "tests/joints.py",
        "tests/contract/test_every_sensor.py",
    ):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tree / name)
    package = tree / "src" / "sensorium"
    names = re.findall(r"`src/sensorium/((?:samples|sensors|recording)/\w+\.py)`[.,]", text_of("CONTRIBUTING.md"))
    files = ["samples/air_pressure.py", "sensors/barometer.py", "recording/ros_air_pressure.py"]
    assert [name for name in names if name in files] == files
    for name, code in zip(files, blocks_of("CONTRIBUTING.md", "python"), strict=True):
        (package / name).write_text(code, encoding="utf-8")
    sensors, messages = package / "sensors" / "__init__.py", package / "recording" / "messages.py"
    put_in(sensors, r"(SENSORS: .* = \()", r"\1Barometer, ")
    put_in(sensors, r"(from sensorium.sensors.sensor import)", r"from sensorium.sensors.barometer import Barometer\n\1")
    put_in(tree / "tests/contract/test_every_sensor.py", r"\n(CARRIER = )", r'\nEXAMPLES["barometer"] = Barometer\n\1')
    put_in(
        tree / "tests/contract/test_every_sensor.py",
        r"(from sensorium.sensors import)",
        r"from sensorium.sensors import Barometer\n\1",
    )
    more = "from sensorium.recording.ros_air_pressure import air_pressure_messages\n"
    more += "from sensorium.samples.air_pressure import AirPressure\n"
    put_in(messages, r"(from sensorium.samples import)", more + r"\1")
    (line,) = re.findall(r"`(messages_of\.register\(.*?\))`", text_of("CONTRIBUTING.md"))
    messages.write_text(messages.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    return tree


def test_the_pasted_barometer_keeps_the_contract(grown_tree: Path) -> None:
    """Every test that sensors must pass is found and passed by the sensor of CONTRIBUTING.md."""
    chosen = ("-k", "barometer or every_sensor_class", "-p", "no:cacheprovider")
    told = run(sys.executable, "-m", "pytest", *chosen, "tests/contract", cwd=grown_tree, source=grown_tree / "src")
    assert int(re.search(r"(\d+) passed", told)[1]) >= 9


def test_the_pasted_barometer_is_recorded(grown_tree: Path, tmp_path: Path) -> None:
    """A scenario mounts it, and an independent reader finds its messages: 101325 Pa less 100 m of air, noise of 5 Pa."""
    (tmp_path / "weather.yaml").write_text(SCENARIO)
    command = (sys.executable, "-m", "sensorium.apps.command_line", "run", "weather.yaml", "--out", "weather.mcap")
    assert "outside" in run(*command, cwd=tmp_path, source=grown_tree / "src")
    lines = run(sys.executable, "-c", READ, "weather.mcap", cwd=tmp_path).split("\n")[:-1]
    assert [line.split()[:2] for line in lines] == [["/outside/pressure", "outside"]] * 3
    readings = [float(line.split()[2]) for line in lines]
    assert all(abs(reading - 100_129.4) < 5 * 5 for reading in readings)
    assert len(set(readings)) == 3


def test_the_pasted_files_are_clean(grown_tree: Path) -> None:
    """What the document shows follows the rules of the house itself."""
    package = grown_tree / "src" / "sensorium"
    files = [
        package / "samples/air_pressure.py",
        package / "sensors/barometer.py",
        package / "recording/ros_air_pressure.py",
    ]
    run(sys.executable, "-m", "ruff", "check", *files, cwd=grown_tree)
    run(sys.executable, "-m", "ruff", "format", "--check", *files, cwd=grown_tree)


def test_the_readme_example_runs(tmp_path: Path) -> None:
    """The Python of README.md runs as it stands, in an empty folder, and leaves a recording."""
    (code,) = blocks_of("README.md", "python")
    assert len(code.strip().splitlines()) <= 20
    assert re.search(r"\d{4,} points", run(sys.executable, "-c", code, cwd=tmp_path))
    assert list(tmp_path.rglob("*.mcap"))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name: str) -> None:
    """Every relative link, and every path in backquotes that begins like one of the project, is there."""
    text = text_of(name)
    made_by_the_reader = {"src/sensorium/sensors/barometer.py", "src/sensorium/samples/air_pressure.py",
                          "src/sensorium/recording/ros_air_pressure.py"}  # fmt: skip
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", text)
    paths = re.findall(r"`((?:src|tests|docs|examples|\.ci)/[\w./-]+)`", text)
    gone = [path for path in {*links, *paths} - made_by_the_reader if not (ROOT / path).exists()]
    assert gone == []


def test_commands_of_the_readme_are_all_commands(tmp_path: Path) -> None:
    """The README lists exactly the commands that the program has, and make targets that the Makefile has."""
    told = set(re.findall(r"^\| `sensorium (\w+)", text_of("README.md"), re.MULTILINE))
    shown = run(sys.executable, "-m", "sensorium.apps.command_line", "--help", cwd=tmp_path)
    assert told == set(re.findall(r"^│ ([a-z]+)  ", shown, re.MULTILINE))
    targets = set(re.findall(r"^([a-z]+):", text_of("Makefile"), re.MULTILINE))
    for name in DOCUMENTS:
        assert set(re.findall(r"(?:`|^ +)make ([a-z]+)", text_of(name), re.MULTILINE)) <= targets


def test_the_architecture_names_every_room() -> None:
    """The table of the rooms and the folders of the package are the same."""
    rooms = {path.name for path in (ROOT / "src/sensorium").iterdir() if path.is_dir() and list(path.glob("[!_]*.*"))}
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", text_of("ARCHITECTURE.md"), re.MULTILINE)
    told = [name for row in rows for name in re.findall(r"\w+", row)]
    assert set(told) == rooms
    assert len(told) == len(set(told))
