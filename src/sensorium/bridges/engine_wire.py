"""What external engines and Sensorium say to each other: datagrams of little-endian 32-bit floats without a header.

To the service, one row of numbers per hit point, in the sensor's frame, metres:

    single rays   N x 7         (px, py, pz, nx, ny, nz, material)          no hit (1, 1, 1, 1, 0, 0, 0)
    roses         N x 5 x 7     the central ray first, then counter-clockwise from the right-hand one
    guns          N x Nref x 8  one row per segment of a path that is mirrored on; the eighth number is the angle in
                                degrees between the hit point and that of segment 1   no hit (1, 1, 1, 1, 0, 0, 0, 90)

From the service, to the viewer: N' x 7, (qx, qy, qz, 0, 0, 0, power in watts), at most one row per beam. Material 0
means "nothing was hit"; the other numbers of such a row say nothing. In a path, everything after it says nothing
either.

A datagram does not tell which layout it has, nor to which frame it belongs: the layout is a setting of the service, and
every datagram stands alone. It holds whole beams, at most 65507 bytes of them; a frame that is larger goes out in
several (`Layout.datagrams`). A datagram whose size is no whole number of beams is refused as a whole.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.errors import ConfigurationError, WireError, did_you_mean

Floats = NDArray[np.float32]

LONGEST_DATAGRAM_BYTES = 65507
"""What UDP over IPv4 can carry: 65535 less the headers of IP (20) and UDP (8)."""
POINT_NUMBERS = 7
_WIRE = np.dtype("<f4")
_NO_HIT = (1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 90.0)


class Layout(ABC):
    """How the beams of a datagram lie in it."""

    @property
    @abstractmethod
    def beam_shape(self) -> tuple[int, ...]:
        """Shape of the numbers of one beam: (7,), (rays, 7) or (segments, 8)."""

    @property
    def beam_bytes(self) -> int:
        """Bytes of one beam."""
        return math.prod(self.beam_shape) * _WIRE.itemsize

    def no_hits(self, count: int) -> Floats:
        """Return beams [count, *beam_shape] that met nothing, to be filled with those that did."""
        row = np.array(_NO_HIT[: self.beam_shape[-1]], np.float32)
        return np.broadcast_to(row, (count, *self.beam_shape)).copy()

    def encode(self, beams: ArrayLike) -> bytes:
        """Return beams [N, *beam_shape] as they stand on the wire, row after row."""
        array = np.asarray(beams, _WIRE)
        if array.shape[1:] != self.beam_shape:
            wanted = ", ".join(map(str, self.beam_shape))
            raise WireError(f"beams of this layout have the shape [N, {wanted}], found {list(array.shape)}")
        return array.tobytes()

    def decode(self, datagram: bytes) -> Floats:
        """Return the beams [N, *beam_shape] of a datagram; only its size is checked here."""
        if not datagram or len(datagram) % self.beam_bytes:
            raise WireError(
                f"{len(datagram)} bytes are no whole number of beams of {self.beam_bytes} bytes; "
                "check that engine and service have the same layout"
            )
        return np.frombuffer(datagram, _WIRE).astype(np.float32).reshape(-1, *self.beam_shape)

    def datagrams(self, beams: ArrayLike, limit_bytes: int = LONGEST_DATAGRAM_BYTES) -> Iterator[bytes]:
        """Yield a frame of beams as datagrams of at most this size, each with whole beams in the order of the frame."""
        most = min(limit_bytes, LONGEST_DATAGRAM_BYTES) // self.beam_bytes
        if most < 1:
            raise WireError(f"a beam of this layout takes {self.beam_bytes} bytes, more than the limit {limit_bytes}")
        frame = self.encode(beams)
        for first in range(0, len(frame), most * self.beam_bytes):
            yield frame[first : first + most * self.beam_bytes]


@configured
class SingleRays(Layout):
    """One ray per beam."""

    type: Literal["single_rays"] = "single_rays"

    @property
    def beam_shape(self) -> tuple[int, ...]:
        """Seven numbers."""
        return (7,)


@configured
class Roses(Layout):
    """A bundle of rays per beam: one in the middle, the others on the cone of the divergence."""

    type: Literal["roses"] = "roses"
    rays: Annotated[int, Field(ge=1, le=64)] = 5

    @property
    def beam_shape(self) -> tuple[int, ...]:
        """Seven numbers per ray."""
        return (self.rays, 7)


@configured
class Guns(Layout):
    """A path per beam: where the ray, and what the surfaces mirror of it, hits one after the other."""

    type: Literal["guns"] = "guns"
    reflections: Annotated[int, Field(ge=1, le=64)]
    """Segments of each path: Nref, the engine's largest number of hit points."""

    @property
    def beam_shape(self) -> tuple[int, ...]:
        """Eight numbers per segment."""
        return (self.reflections, 8)


AnyLayout = Annotated[SingleRays | Roses | Guns, Field(discriminator="type")]
_COUNTED = {"roses": "rays", "guns": "reflections"}


def layout_of(text: str) -> Layout:
    """Return the layout of a short text: "single_rays", "roses" (of 5), "roses:9", "guns:3" (three segments)."""
    from sensorium.core.configuration import build

    kind, colon, count = text.partition(":")
    if kind not in ("single_rays", *_COUNTED):
        raise ConfigurationError(f"'{kind}' is not a layout.{did_you_mean(kind, ['single_rays', *_COUNTED])}")
    if kind == "guns" and not colon:
        raise ConfigurationError("guns need the number of segments per path, for example 'guns:3'")
    if colon and (kind not in _COUNTED or not count.isascii() or not count.isdigit()):
        raise ConfigurationError(f"'{text}' is not a layout; write 'single_rays', 'roses', 'roses:9' or 'guns:3'")
    settings = {_COUNTED[kind]: int(count)} if colon else {}
    return build(AnyLayout, {"type": kind, **settings}, source=text)  # type: ignore[no-any-return]


def encode_points(points: ArrayLike) -> bytes:
    """Return physical points [N, 7] as they stand on the wire."""
    array = np.asarray(points, _WIRE)
    if array.ndim != 2 or array.shape[1] != POINT_NUMBERS:
        raise WireError(f"points have the shape [N, {POINT_NUMBERS}], found {list(array.shape)}")
    return array.tobytes()


def decode_points(datagram: bytes) -> Floats:
    """Return the points [N, 7] of a datagram to the viewer: (qx, qy, qz, 0, 0, 0, power in watts)."""
    if len(datagram) % (_WIRE.itemsize * POINT_NUMBERS):
        raise WireError(f"{len(datagram)} bytes are no whole number of points of 28 bytes")
    return np.frombuffer(datagram, _WIRE).astype(np.float32).reshape(-1, POINT_NUMBERS)
