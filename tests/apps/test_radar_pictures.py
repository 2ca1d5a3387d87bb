"""Pictures of radar scans: what is drawn where."""

import matplotlib
import numpy as np
from radars import radar, scan_of

from sensorium.apps.pictures.radar import draw_birds_eye, draw_range_speed, draw_speeds_over_time
from sensorium.sensors.radar import SignalLevel
from sensorium.sensors.radar.paths import Paths

matplotlib.use("agg")
import matplotlib.pyplot as plt


def test_map_and_detections_share_their_axes():
    """The brightest pixel of the map lies where the ring of the detection is: 20 m, receding at 3 m/s."""
    scan = scan_of(radar(fidelity=SignalLevel(keep_map=True)), Paths.points(20.0, 3.0, cross_section_m2=10.0))
    _, axes = plt.subplots()
    draw_range_speed(axes, scan.map, scan)
    image = axes.images[0]
    left, right, bottom, top = image.get_extent()
    row, column = np.unravel_index(image.get_array().argmax(), image.get_array().shape)
    rows, columns = image.get_array().shape
    assert abs(left + (column + 0.5) / columns * (right - left) - 3.0) < 0.2
    assert abs(bottom + (row + 0.5) / rows * (top - bottom) - 20.0) < 0.3
    speed, range_m = axes.lines[0].get_data()
    assert abs(speed[0] - 3.0) < 0.1
    assert abs(range_m[0] - 20.0) < 0.1
    plt.close("all")


def test_arrows_are_speeds_over_ground():
    """Seen from a radar that drives 8 m/s a post at rest has no arrow; what recedes at 2 m/s ahead moves 10 m/s over ground."""
    paths = Paths.points([20.0, 30.0], [-8.0, 2.0], cross_section_m2=[10.0, 50.0])
    scan = scan_of(radar(), paths)
    _, axes = plt.subplots()
    draw_birds_eye(axes, scan, own_speed_m_s=8.0, outline_m=np.zeros((1, 3)))
    (arrows,) = (each for each in axes.collections if hasattr(each, "U"))
    np.testing.assert_allclose(arrows.U, [5.0], atol=0.1)
    np.testing.assert_allclose(arrows.V, [0.0], atol=0.3)
    plt.close("all")


def test_spectra_over_time():
    """Time to the right, speed upwards."""
    _, axes = plt.subplots()
    draw_speeds_over_time(axes, np.array([0.0, 1.0]), np.array([-2, 0, 2], np.float32), np.zeros((3, 2)))
    assert axes.images[0].get_extent() == [0.0, 1.0, -2.0, 2.0]
    plt.close("all")
