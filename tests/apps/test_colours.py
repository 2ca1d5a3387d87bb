import numpy as np

from sensorium.apps.colours import (
    UNKNOWN_GREY,
    by_height,
    by_intensity,
    by_kind,
    by_range,
    by_ring,
    in_turn,
    scale,
)


def test_intensity_is_logarithmic_from_blue_to_red():
    """Place on the map = log(1 + i) / log(256): i = 15 lies in the middle, since 16 * 16 = 256."""
    table = np.rint(scale("intensity", 257) * 255)
    np.testing.assert_array_equal(by_intensity([0, 15, 255]), table[[0, 128, 256]])
    assert by_intensity([0.0])[0].argmax() == 2
    assert by_intensity([255.0])[0].argmax() == 0


def test_range_is_on_a_square_root_scale():
    """Place on the map = sqrt(r / full): a quarter of the full range lies in the middle; beyond it nothing changes."""
    table = np.rint(scale("range", 257) * 255)
    np.testing.assert_array_equal(by_range([0, 25, 100, 500], full_m=100.0), table[[0, 128, 256, 256]])


def test_heights_can_be_told_in_grey():
    """The luminance 0.2126 R + 0.7152 G + 0.0722 B (ITU-R BT.709) of the height map rises in every one of 40 steps."""
    luminance = scale("height", 40) @ np.array([0.2126, 0.7152, 0.0722])
    assert (np.diff(luminance) > 0).all()
    np.testing.assert_array_equal(by_height([-9.0, 9.0], 0.0, 2.0), np.rint(scale("height", 2) * 255))


def test_neighbouring_rings_differ():
    """Rings k and k + 1 never share a colour, and no two of eight in a row do."""
    colours = by_ring(np.arange(64))
    assert len({tuple(colour) for colour in colours[:8]}) == 8
    assert (np.abs(np.diff(colours.astype(int), axis=0)).sum(1) > 0).all()


def test_kinds_can_be_told_apart():
    """Of the first 24 kinds any two differ by 45 of 255 in some channel, of the first 64 by 15; no kind is grey."""
    colours = by_kind(np.arange(64)).astype(int)
    away = np.abs(colours[:, None] - colours[None]).max(-1) + 255 * np.eye(64, dtype=int)
    assert away[:24, :24].min() >= 45
    assert away.min() >= 15
    assert set(by_kind([-1])[0]) == {UNKNOWN_GREY}


def test_colours_in_turn_end():
    """Number k has the k-th colour; beyond the last and below the first there is grey, nothing wraps."""
    painted = in_turn([0, 1, 2, -1], ("#ff0000", "#0000ff"))
    np.testing.assert_array_equal(painted, [(255, 0, 0), (0, 0, 255), (UNKNOWN_GREY,) * 3, (UNKNOWN_GREY,) * 3])
