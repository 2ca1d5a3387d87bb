"""What stands on the wire, compared with `struct` by hand."""

from __future__ import annotations

import contextlib
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensorium.bridges.engine_wire import (
    Guns,
    Layout,
    Roses,
    SingleRays,
    decode_points,
    encode_points,
    layout_of,
)
from sensorium.core.errors import ConfigurationError, SensoriumError, WireError

LAYOUTS = [SingleRays(), Roses(), Roses(rays=9), Guns(reflections=1), Guns(reflections=3)]


def test_single_rays_by_hand() -> None:
    """A frame of rays is rows of 7 little-endian floats: position, normal, material."""
    rows = [(10.5, -2.0, 0.25, -1.0, 0.0, 0.0, 6.0), (1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0)]
    wire = b"".join(struct.pack("<7f", *row) for row in rows)
    assert SingleRays().encode(rows) == wire
    assert SingleRays().decode(wire).tolist() == [list(row) for row in rows]


def test_roses_by_hand() -> None:
    """A frame of roses is N x 5 x 7, row-major: ray by ray inside each beam."""
    numbers = [float(n) for n in range(2 * 5 * 7)]
    wire = struct.pack("<70f", *numbers)
    beams = Roses().decode(wire)
    assert beams.shape == (2, 5, 7)
    assert beams[1, 2].tolist() == [float(n) for n in range(35 + 14, 35 + 21)]
    assert Roses().encode(beams) == wire


def test_guns_by_hand() -> None:
    """A frame of guns is N x Nref x 8, row-major; the eighth number is the angle in degrees."""
    first = struct.pack("<8f", 10, 0, 0, -1, 0, 0, 4, 0)
    second = struct.pack("<8f", 10, 6, 0, 0, -1, 0, 8, 31)
    paths = Guns(reflections=2).decode((first + second) * 3)
    assert paths.shape == (3, 2, 8)
    assert paths[2, 1].tolist() == [10, 6, 0, 0, -1, 0, 8, 31]
    assert Guns(reflections=2).encode(paths) == (first + second) * 3


@pytest.mark.parametrize(
    ("layout", "row"),
    [
        (SingleRays(), (1, 1, 1, 1, 0, 0, 0)),
        (Roses(), (1, 1, 1, 1, 0, 0, 0)),
        (Guns(reflections=2), (1, 1, 1, 1, 0, 0, 0, 90)),
    ],
)
def test_no_hit_rows(layout: Layout, row: tuple[float, ...]) -> None:
    """A ray that meets nothing has the conventional row, material 0; the array can be written."""
    beams = layout.no_hits(3)
    assert beams.shape == (3, *layout.beam_shape)
    assert {tuple(found) for found in beams.reshape(-1, len(row)).tolist()} == {row}
    beams[0] = 2
    assert beams.max() == 90 or beams.max() == 2


def test_points_by_hand() -> None:
    """Points are rows of 7 floats: position, three zeros, power."""
    rows = [(1.5, 2.0, -3.0, 0.0, 0.0, 0.0, 1e-6), (4.0, 5.0, 6.0, 0.0, 0.0, 0.0, 0.5)]
    wire = b"".join(struct.pack("<7f", *row) for row in rows)
    assert encode_points(rows) == wire
    assert decode_points(wire).tolist() == np.float32(rows).tolist()
    assert decode_points(b"").shape == (0, 7)


@given(st.sampled_from(LAYOUTS), st.integers(0, 700), st.integers(0, 70_000))
def test_frames_are_split_into_whole_beams(layout: Layout, count: int, limit_bytes: int) -> None:
    """Datagrams keep the order, hold whole beams, obey the limit and that of UDP, and are as few as possible."""
    frame = np.arange(count * layout.beam_bytes // 4, dtype=np.float32).reshape(count, *layout.beam_shape)
    if limit_bytes < layout.beam_bytes:
        with pytest.raises(WireError, match=f"{layout.beam_bytes} bytes"):
            list(layout.datagrams(frame, limit_bytes))
        return
    datagrams = list(layout.datagrams(frame, limit_bytes))
    assert all(len(datagram) <= min(limit_bytes, 65507) for datagram in datagrams)
    most = min(limit_bytes, 65507) // layout.beam_bytes
    assert len(datagrams) == -(-count // most)
    decoded = [layout.decode(datagram) for datagram in datagrams]
    assert np.array_equal(np.concatenate([frame[:0], *decoded]), frame)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("spare", [-1, 1, 27])
def test_odd_sizes_are_refused(layout: Layout, spare: int) -> None:
    """A datagram that is no whole number of beams is refused with its size and that of a beam; so is an empty one."""
    with pytest.raises(
        WireError, match=rf"{2 * layout.beam_bytes + spare} bytes .* of {layout.beam_bytes} bytes.*same layout"
    ):
        layout.decode(bytes(2 * layout.beam_bytes + spare))
    with pytest.raises(WireError, match="0 bytes"):
        layout.decode(b"")


def test_wrong_shapes_are_refused() -> None:
    """Beams and points of another shape cannot be written."""
    with pytest.raises(WireError, match=r"\[N, 5, 7\], found \[4, 7\]"):
        Roses().encode(np.zeros((4, 7)))
    with pytest.raises(WireError, match=r"\[N, 7\], found \[4, 8\]"):
        encode_points(np.zeros((4, 8)))
    with pytest.raises(WireError, match="29 bytes"):
        decode_points(bytes(29))


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        ("single_rays", SingleRays()),
        ("roses", Roses(rays=5)),
        ("roses:9", Roses(rays=9)),
        ("guns:4", Guns(reflections=4)),
    ],
)
def test_layouts_by_name(text: str, layout: Layout) -> None:
    """A layout has a short name for the command line."""
    assert layout_of(text) == layout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rose", "Did you mean 'roses'"),
        ("", "is not a layout"),
        ("guns", "for example 'guns:3'"),
        ("guns:0", "at least 1"),
        ("guns:65", "at most 64"),
        ("roses:five", "is not a layout; write"),
        ("single_rays:2", "is not a layout; write"),
        ("guns:-1", "is not a layout; write"),
    ],
)
def test_wrong_names_of_layouts(text: str, message: str) -> None:
    """A wrong name is told with what is right."""
    with pytest.raises(ConfigurationError, match=message):
        layout_of(text)


@given(st.text(max_size=12))
def test_any_text_is_a_layout_or_an_error(text: str) -> None:
    """No text makes anything but a layout or an error of ours."""
    with contextlib.suppress(SensoriumError):
        assert isinstance(layout_of(text), Layout)
