"""Bad input is one clear message with place and remedy and status 2: no traceback, and nothing half-written."""

from __future__ import annotations

from pathlib import Path

import pytest
from end_to_end.outside import Run

BODY = "bodies=[{{name: statue, file: {{path: {}, default_material: wood}}}}]"
SCENARIOS = {
    "unknown material": (
        ("--set", "world.bodies[0].parts[0].material=asfalt"),
        ("world.bodies[0].parts[0].material: there is no material", "Did you mean 'asphalt'?"),
    ),
    "unknown key": (("--set", "rig[0].sensor.rat_hz=5"), ("rig[0].sensor.rat_hz is not a setting", "'rate_hz'?")),
    "NaN pose": (
        ("--set", "rig[0].pose.position_m=[0, 0, .nan]"),
        ("rig[0].pose.position_m[2]: expected a finite number in m, found nan",),
    ),
    "negative rate": (("--set", "rig[0].sensor.rate_hz=-1"), ("rate_hz: must be greater than 0 Hz, found -1",)),
    "zero rate": (("--set", "rig[0].sensor.rate_hz=0 Hz"), ("rate_hz: must be greater than 0 Hz, found '0 Hz'",)),
    "unit of another kind": (("--set", "rig[0].sensor.rate_hz=5 m"), ("rig[0].sensor.rate_hz", "expected one of Hz")),
    "zero duration": (("--set", "duration_s=0"), ("duration_s: must be greater than 0 s, found 0",)),
    "unknown device": (
        ("--set", "rig[0].sensor.device=velodine_vlp16"),
        ("rig[0].sensor.device: there is no device 'velodine_vlp16'", "Did you mean 'velodyne_vlp16'?"),
    ),
    "unknown carrier": (("--set", "rig[0].body=kart"), ("rig[0].body: there is no body", "Did you mean 'cart'?")),
    "empty scene": (
        ("--set", "world.bodies=[]", "--set", "rig=[]"),
        ("world: there is nothing in the world", "street"),
    ),
    "missing model": (("--set", BODY.format("brokn.stl")), ("bodies[0].file.path: there is no file", "'broken.stl'?")),
    "damaged model": (("--set", BODY.format("broken.stl")), ("broken.stl", "no triangles")),
    "noise for a model": (
        ("--set", BODY.format("noise.glb")),
        ("noise.glb", "it is damaged, or not in the GLB format"),
    ),
    "nonsense to set": (("--set", "nonsense"), ("expected path=value, for example", "found 'nonsense'")),
    "a folder to write": (("--out", "."), (". is a folder; name a file",)),
    "no folder can be": (("--out", "tiny.yaml/a.mcap"), ("cannot make the folder tiny.yaml", "choose another place")),
}
FILES = {
    "missing scenario": (("run", "tyni.yaml"), ("tyni.yaml: there is no such file", "Did you mean 'tiny.yaml'?")),
    "missing folder": (("run", "none/tiny.yaml"), ("there is no such file", "There is no folder 'none' either")),
    "unknown scenario": (("run", "first_driv"), ("no scenario 'first_driv'", "Did you mean 'first_drive'?")),
    "not YAML": (("run", "shred.yaml"), ("shred.yaml:3: is not YAML",)),
    "not text": (("run", "noise.glb"), ("noise.glb", "is not UTF-8 text")),
    "unknown device": (("catalog", "velodine_vlp16"), ("there is no device", "Did you mean 'velodyne_vlp16'?")),
    "missing recording": (("inspect", "cutt.mcap"), ("there is no recording cutt.mcap", "Did you mean 'cut.mcap'?")),
    "not a recording": (("inspect", "tiny.yaml"), ("tiny.yaml is not an MCAP file",)),
    "cut, inspected": (("inspect", "cut.mcap"), ("its end is missing", "sensorium inspect --recover cut.mcap")),
    "cut, exported": (("export", "cut.mcap", "clouds"), ("its end is missing", "--recover")),
    "cut, viewed": (("view", "cut.mcap", "--save", "a.rrd"), ("its end is missing", "--recover")),
    "nothing to recover": (("inspect", "--recover", "noise.glb"), ("noise.glb",)),
    "unknown format": (("export", "whole.mcap", "clouds", "--format", "xyz"), ("no suffix of a point cloud", ".laz")),
    "no time": (("inspect", "whole.mcap", "--time-s", "nan"), ("finite number of seconds, found nan",)),
}


@pytest.fixture
def place(folder: Path, drive: Path) -> Path:
    """A folder with sound and with damaged files."""
    (folder / "broken.stl").write_text("solid broken\nfacet normal 0 0 1\n")
    (folder / "noise.glb").write_bytes(bytes(range(256)) * 4)
    (folder / "shred.yaml").write_text("name: x\nworld: [\n")
    (folder / "cut.mcap").write_bytes(drive.read_bytes()[:50_000])
    (folder / "whole.mcap").symlink_to(drive)
    return folder


def refuses(sensorium: Run, place: Path, arguments: tuple[str, ...], told: tuple[str, ...]) -> None:
    before = {path: path.stat().st_mtime_ns for path in place.rglob("*")}
    ended = sensorium(*arguments, cwd=place, status=2)
    assert "Traceback" not in ended.err
    assert ended.err.startswith("sensorium: ")
    assert len(ended.err.splitlines()) == 1
    assert all(part in ended.err for part in told), ended.err
    assert {path: path.stat().st_mtime_ns for path in place.rglob("*")} == before


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenarios_are_refused_before_anything_is_written(sensorium: Run, place: Path, name: str) -> None:
    """A run with a wrong setting says which, where and what would be right; no recording appears."""
    changes, told = SCENARIOS[name]
    out = () if "--out" in changes else ("--out", "a.mcap")
    refuses(sensorium, place, ("run", "tiny.yaml", *changes, *out), told)


@pytest.mark.parametrize("name", FILES)
def test_files_are_refused(sensorium: Run, place: Path, name: str) -> None:
    """A file that cannot be used is named with what is wrong with it; no file is made of it."""
    refuses(sensorium, place, *FILES[name])


def test_all_problems_come_at_once(sensorium: Run, place: Path) -> None:
    """A file with several mistakes gets one message with a line for each, with its line in the file."""
    text = (place / "tiny.yaml").read_text().replace("asphalt", "asfalt").replace("seed: 3", "seed: -3")
    (place / "wrong.yaml").write_text(text.replace("velodyne_vlp16", "vlp16"))
    lines = sensorium("run", "wrong.yaml", cwd=place, status=2).err.splitlines()
    assert lines[0] == "sensorium: wrong.yaml: 3 problems"
    assert [line.split(": ")[0].strip() for line in lines[1:]] == ["wrong.yaml:3", "wrong.yaml:9", "wrong.yaml:19"]
    assert not (place / "out").exists()
