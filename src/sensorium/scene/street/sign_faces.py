"""Pictures on traffic signs, drawn pixel by pixel: u runs from left to right, v from the bottom up."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from sensorium.scene.body import Texture

Colour = tuple[int, int, int]
Mask = NDArray[np.bool_]

_SIZE = 128
_RED, _WHITE, _BLUE, _BLACK = (190, 20, 28), (242, 242, 238), (20, 70, 150), (20, 20, 22)
_LETTERS = {
    "S": ("01110", "10001", "10000", "01110", "00001", "10001", "01110"),
    "T": ("11111", "00100", "00100", "00100", "00100", "00100", "00100"),
    "O": ("01110", "10001", "10001", "10001", "10001", "10001", "01110"),
    "P": ("11110", "10001", "10001", "11110", "10000", "10000", "10000"),
    "5": ("11111", "10000", "11110", "00001", "00001", "10001", "01110"),
    "0": ("01110", "10001", "10011", "10101", "11001", "10001", "01110"),
}


@cache
def sign_face(plate: str) -> Texture:
    """Return the picture of a plate; it spans the plate's width and height."""
    return Texture(
        f"sign_{plate}", {"round": _limit, "triangular": _warning, "octagonal": _stop, "square": _crossing}[plate]()
    )


def _places() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return x to the right and y up of all pixels, from -1 to 1."""
    line = (np.arange(_SIZE) + 0.5) * (2 / _SIZE) - 1
    x, y = np.meshgrid(line, -line)
    return x, y


def _painted(ground: Colour, *layers: tuple[Mask, Colour]) -> NDArray[np.uint8]:
    pixels = np.full((_SIZE, _SIZE, 3), ground, np.uint8)
    for mask, colour in layers:
        pixels[mask] = colour
    return pixels


def _text(word: str, half_width: float, half_height: float) -> Mask:
    """Return where block letters stand, centred."""
    x, y = _places()
    rows = ["0".join(_LETTERS[letter][k] for letter in word) for k in range(7)]
    bitmap = np.array([[pixel == "1" for pixel in row] for row in rows])
    column = np.floor((x + half_width) / (2 * half_width) * bitmap.shape[1]).astype(int)
    row = np.floor((half_height - y) / (2 * half_height) * bitmap.shape[0]).astype(int)
    inside = (column >= 0) & (column < bitmap.shape[1]) & (row >= 0) & (row < bitmap.shape[0])
    found: Mask = inside & bitmap[row * inside, column * inside]
    return found


def _limit() -> NDArray[np.uint8]:
    x, y = _places()
    return _painted(_WHITE, (np.hypot(x, y) > 0.76, _RED), (_text("50", 0.46, 0.36), _BLACK))


def _warning() -> NDArray[np.uint8]:
    """Red rim, white inside, an exclamation mark. The triangle's tip is at (0, 1), its base at y = -1."""
    x, y = _places()
    rim = (y < -0.76) | (np.abs(x) > (0.62 - y) / 2)
    mark = (np.abs(x) < 0.07) & (y > -0.25) & (y < 0.25) | (np.hypot(x, y + 0.46) < 0.1)
    return _painted(_WHITE, (rim, _RED), (mark, _BLACK))


def _stop() -> NDArray[np.uint8]:
    x, y = _places()
    reach = np.maximum(np.maximum(np.abs(x), np.abs(y)), (np.abs(x) + np.abs(y)) / np.sqrt(2))
    return _painted(_RED, (np.abs(reach - 0.90) < 0.05, _WHITE), (_text("STOP", 0.72, 0.28), _WHITE))


def _crossing() -> NDArray[np.uint8]:
    """Blue, with a white triangle in which somebody walks over stripes."""
    x, y = _places()
    triangle = (y > -0.7) & (y < 0.75) & (np.abs(x) < (0.75 - y) * 0.55)
    stripes = triangle & (np.abs(y + 0.55) < 0.09) & (np.mod(x + 0.07, 0.28) < 0.14)
    head = np.hypot(x, y - 0.28) < 0.09
    body = (np.abs(x) < 0.07) & (np.abs(y) < 0.17)
    stride = (np.abs(np.abs(x) - (-0.1 - y) * 0.6) < 0.055) & (y <= -0.1) & (y > -0.42)
    return _painted(_BLUE, (triangle, _WHITE), (stripes | head | body | stride, _BLACK))
