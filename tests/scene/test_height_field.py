"""Ground from heights: places, slopes, orientation and files."""

import numpy as np
import pytest
from PIL import Image

from sensorium.core.configuration import build
from sensorium.core.errors import ConfigurationError, SceneError
from sensorium.scene.shapes import HeightField, HeightFile

HEIGHTS = np.array([[5.0, 6.0, 7.0], [1.0, 2.0, 3.0]])


def test_rows_run_from_north_to_south():
    """Sample [0, 0] lies north-west: x = -cell (columns - 1)/2, y = +cell (rows - 1)/2, and keeps its height."""
    mesh = HeightField(heights_m=HEIGHTS, cell_m=2.0).mesh()
    placed = {tuple(vertex[:2]): vertex[2] for vertex in mesh.vertices_m}
    assert placed == {(-2, 1): 5, (0, 1): 6, (2, 1): 7, (-2, -1): 1, (0, -1): 2, (2, -1): 3}
    north_west = mesh.vertices_m[:, 2] == 5
    np.testing.assert_allclose(mesh.uv[north_west], [[0, 1]])


def test_a_slope_has_its_area_and_normal():
    """z = a x + b y: area = A sqrt(1 + a^2 + b^2), normal = (-a, -b, 1)/sqrt(1 + a^2 + b^2), all triangles face up."""
    a, b, cell = 0.5, -0.25, 0.5
    y, x = np.mgrid[3:-3.5:-0.5, -2:2.5:0.5]
    mesh = HeightField(heights_m=a * x + b * y, cell_m=cell).mesh()
    corners = mesh.corners_m()
    double = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    steep = np.sqrt(1 + a * a + b * b)
    assert np.linalg.norm(double, axis=1).sum() / 2 == pytest.approx(4 * 6 * steep)
    np.testing.assert_allclose(mesh.normals, np.tile(np.array([-a, -b, 1]) / steep, (len(mesh.normals), 1)), atol=1e-12)
    assert (double[:, 2] > 0).all()


@pytest.mark.parametrize("name", ["heights.csv", "blanks.csv", "heights.npy"])
def test_files_in_metres(tmp_path, name):
    """CSV with commas or blanks and NPY give the very heights."""
    path = tmp_path / name
    if name == "heights.npy":
        np.save(path, HEIGHTS)
    else:
        np.savetxt(path, HEIGHTS, delimiter="," if name == "heights.csv" else " ")
    written = HeightField(heights_m=HEIGHTS, cell_m=1.0).mesh()
    np.testing.assert_allclose(HeightFile(path=path, cell_m=1.0).mesh().vertices_m, written.vertices_m)


@pytest.mark.parametrize(("dtype", "white"), [(np.uint8, 255), (np.uint16, 65535)])
def test_png_spans_black_to_white(tmp_path, dtype, white):
    """z = black + g/white (white - black) for 8 and 16 bit grey."""
    grey = np.array([[0, white], [white // 5, white]], dtype)
    Image.fromarray(grey).save(tmp_path / "relief.png")
    mesh = HeightFile(path=tmp_path / "relief.png", cell_m=1.0, black_m=-10.0, white_m=20.0).mesh()
    np.testing.assert_allclose(mesh.vertices_m[:, 2], [-10 + 30 * (white // 5) / white, 20, -10, 20])


def test_wrong_heights_are_told(tmp_path):
    """Uneven rows, a single row, a gap, a colour picture, a damaged or a missing file: one error with the place."""
    with pytest.raises(ConfigurationError, match="same length, found 1 to 2"):
        HeightField(heights_m=[[1, 2], [3]], cell_m=1.0)
    with pytest.raises(ConfigurationError, match="at least 2 rows"):
        HeightField(heights_m=[[1, 2, 3]], cell_m=1.0)
    (tmp_path / "gap.csv").write_text("1,2\n3,nan\n")
    (tmp_path / "text.csv").write_text("1,2\n3,high\n")
    (tmp_path / "cut.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    Image.new("RGB", (3, 3)).save(tmp_path / "colour.png")
    for name, told in (
        ("gap.csv", "row 1, column 1 is not finite"),
        ("text.csv", "cannot be read"),
        ("cut.png", "cannot be read"),
        ("colour.png", "mode RGB"),
        ("none.csv", "cannot be read"),
        ("relief.tif", "not from '.tif'"),
    ):
        with pytest.raises(SceneError, match=told) as caught:
            HeightFile(path=tmp_path / name, cell_m=1.0).mesh()
        assert name in str(caught.value)
    with pytest.raises(ConfigurationError, match="there is no file"):
        build(HeightFile, {"path": "none.csv", "cell_m": 1})
