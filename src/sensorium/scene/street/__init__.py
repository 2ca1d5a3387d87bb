"""A street made from a few numbers and a seed."""

from sensorium.scene.street.cars import ROOF_MOUNT
from sensorium.scene.street.street import Street

__all__ = ["ROOF_MOUNT", "Street"]
