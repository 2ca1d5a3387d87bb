"""A lens from a calibration, as a recording or a calibration tool gives it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sensorium.samples.calibration import Calibration
from sensorium.sensors.camera.lens import Lens
from sensorium.sensors.camera.lenses.brown_conrady import BrownConrady
from sensorium.sensors.camera.lenses.equirectangular import Equirectangular
from sensorium.sensors.camera.lenses.kannala_brandt import KannalaBrandt
from sensorium.sensors.camera.lenses.pinhole import Pinhole

_BROWN_CONRADY = ("k1", "k2", "p1", "p2", "k3", "k4", "k5", "k6")
_KANNALA_BRANDT = ("k1", "k2", "k3", "k4")


def lens_of(calibration: Calibration) -> Lens:
    """Return the lens that a calibration describes."""
    return _MAKERS[calibration.model](calibration)


def _focal(calibration: Calibration) -> dict[str, Any]:
    k = calibration.matrix
    places = {"fx_px": k[0, 0], "fy_px": k[1, 1], "cx_px": k[0, 2], "cy_px": k[1, 2]}
    return {"width": calibration.width, "height": calibration.height, **{name: float(v) for name, v in places.items()}}


def _plumb_bob(calibration: Calibration) -> Lens:
    if not calibration.distortion.any():
        return Pinhole(**_focal(calibration))
    d = dict(zip(_BROWN_CONRADY, calibration.distortion.tolist(), strict=False))
    return BrownConrady(**_focal(calibration), **d)


def _equidistant(calibration: Calibration) -> Lens:
    return KannalaBrandt(
        **_focal(calibration), **dict(zip(_KANNALA_BRANDT, calibration.distortion.tolist(), strict=False))
    )


def _equirectangular(calibration: Calibration) -> Lens:
    return Equirectangular(
        width=calibration.width, height=calibration.height, horizontal_rad=calibration.width / float(calibration.matrix[0, 0]),
        vertical_rad=calibration.height / float(calibration.matrix[1, 1]),
    )  # fmt: skip


_MAKERS: dict[str, Callable[[Calibration], Lens]] = {
    "plumb_bob": _plumb_bob,
    "rational_polynomial": _plumb_bob,
    "equidistant": _equidistant,
    "equirectangular": _equirectangular,
}
