"""Lenses: how directions become pixels."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sensorium.sensors.camera.lenses.brown_conrady import BrownConrady
from sensorium.sensors.camera.lenses.calibrated import lens_of
from sensorium.sensors.camera.lenses.equirectangular import Equirectangular
from sensorium.sensors.camera.lenses.kannala_brandt import KannalaBrandt
from sensorium.sensors.camera.lenses.pinhole import Pinhole

AnyLens = Annotated[Pinhole | BrownConrady | KannalaBrandt | Equirectangular, Field(discriminator="type")]

__all__ = ["AnyLens", "BrownConrady", "Equirectangular", "KannalaBrandt", "Pinhole", "lens_of"]
