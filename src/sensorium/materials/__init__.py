"""Named materials as data, each figure with its source."""

from sensorium.materials.library import MaterialLibrary, standard_library
from sensorium.materials.material import Material

__all__ = ["Material", "MaterialLibrary", "standard_library"]
