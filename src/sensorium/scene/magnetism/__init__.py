"""Magnetic fields of the scene: uniform, the Earth's, magnets and magnetised bodies, and their sum."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sensorium.scene.magnetic_field import MagneticField, UniformField
from sensorium.scene.magnetism.dipole import DipoleField
from sensorium.scene.magnetism.earth import EarthField
from sensorium.scene.magnetism.total import TotalField

AnyMagneticField = Annotated[UniformField | EarthField | DipoleField | TotalField, Field(discriminator="type")]
"""What a scenario may fill its world with."""

__all__ = ["AnyMagneticField", "DipoleField", "EarthField", "MagneticField", "TotalField", "UniformField"]
