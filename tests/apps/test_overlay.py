"""Scenes drawn from inside, with the scans that were taken of them on top."""

import subprocess
import sys

import numpy as np
import parcels
import pytest
from PIL import Image
from worlds import mesh_of_box, model_of, wall

from sensorium.apps.colourings import CAUSE_COLOURS, CLASS_COLOURS
from sensorium.apps.driving import drive
from sensorium.apps.overlay import SIZE_PX, write_overlay
from sensorium.apps.pictures.perspective import Camera, with_dots
from sensorium.apps.pictures.photograph import OVERSAMPLING, photograph
from sensorium.core.errors import RecordingError, SensoriumError
from sensorium.core.pose import Pose
from sensorium.core.yaml_text import parse_yaml
from sensorium.motion import Fixed
from sensorium.recording.reader import open_recording
from sensorium.scene.body import Body
from sensorium.scene.scene import Scene
from sensorium.simulation.scenario import scenario_of
from sensorium.tracing import ReferenceTracer

CAMERA = Camera.looking((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 40, 20)
RED_GREEN_BLUE = np.array([[255, 0, 0], [0, 255, 0], [0, 0, 255]], np.uint8)


def box(at_m, size_m=(1.0, 1.0, 1.0), material="concrete", name="box"):
    return Body(name, model_of(mesh_of_box(size_m), material=material), Fixed(pose=Pose.at(*at_m)))


def shot(*bodies, camera=CAMERA):
    scene = Scene(bodies)
    return scene, photograph(scene, ReferenceTracer(scene), camera, 0)


def test_a_wall_has_the_distance_and_the_shade_of_the_formula():
    """A wall at x = 10 m is 10 / cos a away; it shows c (s + (1 - s) cos a), coded as sRGB, with a the angle to x."""
    scene, seen = shot(wall(10.0, material="brick"))
    ahead = CAMERA.directions(np.array([[0.25, 0.25], [20.0, 10.0], [39.75, 19.75]]))[:, 0]
    np.testing.assert_allclose(seen.distance_m[[0, -1], [0, -1]], 10 / ahead[[0, 2]], rtol=1e-9)
    corner = np.mean([CAMERA.directions([[u, v]])[0, 0] for u in (0.25, 0.75) for v in (0.25, 0.75)])
    light = np.array(scene.library["brick"].optical.colour.value) * (0.3 + 0.7 * corner)
    coded = 1.055 * light ** (1 / 2.4) - 0.055  # all above 0.0031308
    np.testing.assert_allclose(seen.picture[0, 0], coded * 255, atol=1)


def test_where_nothing_is_there_is_sky():
    """Without a body the distance is infinite and all pixels are equal, and every point ahead is seen."""
    _, seen = shot()
    assert np.isinf(seen.distance_m).all()
    assert len(np.unique(seen.picture.reshape(-1, 3), axis=0)) == 1
    assert seen.sees([[5.0, 0, 0], [-5.0, 0, 0], [5.0, 40.0, 0]]).tolist() == [True, False, False]


def test_what_stands_in_front_hides_points():
    """A box from x = 4.5 m on hides what is behind it, not what is on it, noise of 5 cm included, nor what is beside it."""
    _, seen = shot(wall(10.0), box((5.0, 0.0, 0.0)))
    points = [[4.5, 0, 0], [4.55, 0.1, 0.1], [4.0, 0, 0], [7.0, 0, 0], [10.0, 0, 0], [10.0, 3.0, 0.0], [10.6, 3.0, 0.0]]
    assert seen.sees(points).tolist() == [True, True, True, False, False, True, False]


def test_points_behind_a_pane_are_seen_and_tinted():
    """Through two panes the distance is that of the wall, and the picture lies between wall and pane; a door hides."""
    _, bare = shot(wall(10.0, material="plaster"))
    panes = [box((x, 0.0, 0.0), (0.01, 30.0, 30.0), "window_glass", f"pane{x}") for x in (3.0, 4.0)]
    _, glazed = shot(wall(10.0, material="plaster"), *panes)
    np.testing.assert_allclose(glazed.distance_m, bare.distance_m, rtol=1e-6)
    assert (glazed.picture[10, 20].astype(int) != bare.picture[10, 20]).any()
    assert glazed.sees([[10.0, 0, 0]]).all()
    _, shut = shot(wall(10.0), box((3.0, 0.0, 0.0), (0.01, 30.0, 30.0), "wood"))
    assert not shut.sees([[10.0, 0, 0]]).any()


def test_pixels_are_those_of_the_rays_around_them():
    """Rays and projection undo one another: the direction of a pixel, at any depth, is projected to that pixel."""
    camera = Camera.looking((3.0, -2.0, 5.0), (20.0, 9.0, 1.0), 640, 400)
    pixels = np.random.default_rng(1).uniform((0, 0), (640, 400), (50, 2))
    directions = camera.directions(pixels)
    np.testing.assert_allclose(np.linalg.norm(directions, axis=1), 1.0)
    back, _ = camera.project(camera.pose.position_m + directions * np.linspace(1, 90, 50)[:, None])
    np.testing.assert_allclose(back, pixels, atol=1e-8)
    _, seen = shot(wall(10.0))
    assert seen.distance_m.shape == (20 * OVERSAMPLING, 40 * OVERSAMPLING)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_dots_lie_on_their_pixels_near_over_far(order):
    """Of three dots on one line of sight the nearest is seen in whichever order they come; the picture stays around."""
    points, under = np.array([[4.0, 0, 0], [9.0, 0, 0], [-4.0, 0, 0]]), np.full((20, 40, 3), 90, np.uint8)
    picture = with_dots(under, points[list(order)], RED_GREEN_BLUE[list(order)], CAMERA, 4.0)
    assert tuple(picture[10, 20]) == (255, 0, 0)
    changed = (picture != 90).any(-1)
    rows, columns = np.nonzero(changed)
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (8, 11, 18, 21)
    np.testing.assert_array_equal(with_dots(under, np.empty((0, 3)), RED_GREEN_BLUE[:0], CAMERA, 4.0), under)


YARD = """
sensorium: 1
name: yard
duration_s: 0.2
world:
  type: bodies
  bodies:
    - name: cart
      parts: [{name: deck, shape: {type: box, size_m: [0.2, 0.2, 0.2]}, material: steel, label: car}]
      motion: {type: fixed, pose: {position_m: [0, 0, 1.5], rpy_rad: [0, 0, 90 deg]}}
    - name: ground
      parts: [{name: slab, shape: {type: box, size_m: [60, 60, 0.2]}, material: asphalt, label: road}]
      motion: {type: fixed, pose: {position_m: [0, 0, -0.1]}}
    - name: house
      parts: [{name: front, shape: {type: box, size_m: [30, 1, 8]}, material: plaster, label: building}]
      motion: {type: fixed, pose: {position_m: [0, 14, 4]}}
    - name: column
      parts: [{name: shaft, shape: {type: box, size_m: [1, 1, 4]}, material: wood, label: pole}]
      motion: {type: fixed, pose: {position_m: [0, 7, 2]}}
rig:
  - name: lidar
    body: cart
    pose: {position_m: [0, 0, 0.4]}
    sensor: {type: lidar, device: velodyne_vlp16, truth: true}
"""


@pytest.fixture(scope="module")
def yard(tmp_path_factory):
    path = tmp_path_factory.mktemp("yard") / "yard.mcap"
    drive(scenario_of(parse_yaml(YARD, "yard.yaml")), path, threads=1)
    return path


@pytest.fixture(scope="module")
def overlay(yard, tmp_path_factory):
    """The yard's overlay, coloured by class."""
    return write_overlay(open_recording(yard), tmp_path_factory.mktemp("overlay") / "o.png", colour="class")


def picture_of(path):
    """Return the picture without its header."""
    whole = np.asarray(Image.open(path).convert("RGB"))
    assert whole.shape[1] == SIZE_PX[0]
    return whole[whole.shape[0] - SIZE_PX[1] :].astype(int)


def columns_of(picture, colour):
    """Return the columns in which a colour stands."""
    wanted = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])
    return np.nonzero((np.abs(picture - wanted).max(-1) < 6).any(0))[0]


def test_points_lie_on_what_they_met(overlay):
    """The cart looks north. The column, 1 m wide and 6.5 m away, covers 0.5 / 6.5 * f to both sides of the middle: its
    points lie there, the house's beside it.
    """
    picture = picture_of(overlay)[:650, :1250]
    reach = 0.5 / 6.5 * Camera(Pose.identity(), *SIZE_PX).focal_px
    pole, house = (columns_of(picture, CLASS_COLOURS[name]) for name in ("pole", "building"))
    assert pole.min() == pytest.approx(800 - reach, abs=6)
    assert pole.max() == pytest.approx(800 + reach, abs=6)
    assert not ((house > 800 - reach + 3) & (house < 800 + reach - 3)).any()
    assert house.min() < 100
    assert house.max() > 1200


def test_the_same_overlay_comes_again(yard, overlay, tmp_path):
    """No clock and no chance goes into the picture: the files are equal byte for byte."""
    again = write_overlay(open_recording(yard), tmp_path / "again.png", colour="class")
    assert again.read_bytes() == overlay.read_bytes()


def run(*arguments):
    command = [sys.executable, "-m", "sensorium.apps.command_line", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_command_writes_both_pictures(yard, tmp_path):
    """`inspect --overlay` as a user runs it: two files, named at the end of what it says; causes are all surfaces."""
    sheet, overlay = tmp_path / "sheet.png", tmp_path / "pictures" / "overlay.png"
    said = run("inspect", yard, "--png", sheet, "--overlay", overlay, "--colour", "cause", "--time-s", 0.1)
    assert said.returncode == 0, said.stderr
    assert said.stdout.split()[-2:] == [str(sheet), str(overlay)]
    assert Image.open(sheet).size == (1760, 1672)
    assert len(columns_of(picture_of(overlay), CAUSE_COLOURS[0])) > 300


def test_a_recording_of_another_tool_has_no_scene(tmp_path, record_samples):
    """Without a scenario there is one message and exit status 2."""
    path = tmp_path / "foreign.mcap"
    record_samples(path, [parcels.cloud(), parcels.cloud(1)])
    said = run("inspect", path, "--png", tmp_path / "s.png", "--overlay", tmp_path / "o.png")
    assert said.returncode == 2
    assert "does not carry its scenario" in said.stderr
    assert "Traceback" not in said.stderr


def test_a_scene_whose_files_have_moved_is_named(tmp_path, record_samples):
    """The error of the scenario says what is missing, a note which recording wanted it."""
    from sensorium.recording.mcap_writer import McapRecorder

    path = tmp_path / "moved.mcap"
    with McapRecorder(path, scenario_text=YARD + "material_files: [gone.yaml]\n") as recorder:
        recorder.write(parcels.cloud())
    with pytest.raises(SensoriumError, match="gone") as caught:
        write_overlay(open_recording(path), tmp_path / "o.png")
    assert any("moved.mcap" in note for note in caught.value.__notes__)


def test_without_clouds_there_is_nothing_to_draw(tmp_path, record_samples):
    """The message names the recording."""
    recording = record_samples(tmp_path / "truth.mcap", [parcels.truth()])
    with pytest.raises(RecordingError, match=r"no point cloud in .*truth\.mcap"):
        write_overlay(recording, tmp_path / "o.png")
