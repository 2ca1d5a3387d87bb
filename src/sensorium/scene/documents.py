"""Bodies as they stand in scenario files.

- name: car
  label: car
  file: {path: car.glb, materials: {"*glass*": window_glass}, default_material: car_paint_red}
  motion: {type: fixed, pose: {position_m: [10, 0, 0]}}
- name: target
  parts:
    - {name: board, shape: {type: box, size_m: [2 cm, 1, 1]}, material: lambertian_80}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated

from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.files import InputFile
from sensorium.core.pose import Pose
from sensorium.core.units import PositiveNumber
from sensorium.materials.library import MaterialLibrary
from sensorium.motion.any_motion import AnyMotion
from sensorium.motion.fixed import Fixed
from sensorium.scene.body import Body, Model, Part
from sensorium.scene.build import body, part
from sensorium.scene.importing import Axes, import_bodies, import_model
from sensorium.scene.importing.assembly import UNLABELLED
from sensorium.scene.shapes import AnyShape
from sensorium.scene.temperature.temperature import AnyTemperature

Name = Annotated[str, Field(min_length=1)]


@configured
class PartDocument:
    """A shape of one material in a body."""

    name: Name
    shape: AnyShape
    material: Name
    """Name in the library of materials."""
    label: Name = UNLABELLED
    """Class; default that of the body."""
    pose: Pose = Field(default_factory=Pose.identity)
    """T_body_part."""
    temperature: AnyTemperature | None = None
    """How warm it is; default: as its body or the scene says."""

    def build(self) -> Part:
        """Return the part with its mesh."""
        made = part(self.name, self.shape, self.material, self.label, self.pose)
        return replace(made, temperature=self.temperature)


@configured
class ModelFile:
    """A model from a glTF, GLB, OBJ, PLY or STL file; the settings are those of `scene.importing.import_model`."""

    path: InputFile
    materials: dict[str, str] = Field(default_factory=dict)
    """From shell-style patterns for names in the file to names in the library of materials."""
    materials_file: InputFile | None = None
    """A YAML file with more such patterns; those written here come first."""
    default_material: Name | None = None
    label: str | dict[str, str] = UNLABELLED
    """Class of all parts, or from patterns to classes."""
    axes: Axes | None = None
    scale: PositiveNumber = 1.0
    textures: bool = True

    def model(self, library: MaterialLibrary) -> Model:
        """Return the whole file as one rigid model."""
        return import_model(
            self.path,
            self._patterns(),
            self.default_material,
            label=self.label,
            axes=self.axes,
            scale=self.scale,
            textures=self.textures,
            library=library,
        )

    def bodies(self, library: MaterialLibrary, prefix: str = "", pose: Pose | None = None) -> tuple[Body, ...]:
        """Return one fixed body per node of the file."""
        return import_bodies(
            self.path,
            self._patterns(),
            self.default_material,
            label=self.label,
            axes=self.axes,
            scale=self.scale,
            textures=self.textures,
            library=library,
            prefix=prefix,
            pose=pose,
        )

    def _patterns(self) -> Mapping[str, str]:
        from sensorium.scene.importing.material_rules import read_patterns

        more = read_patterns(self.materials_file)
        return {**self.materials, **{key: more[key] for key in more if key not in self.materials}}


@configured
class BodyDocument:
    """A body: either its parts or a file, with a motion."""

    name: Name
    parts: tuple[PartDocument, ...] = ()
    file: ModelFile | None = None
    motion: AnyMotion = Field(default_factory=Fixed)
    label: str = ""
    """Class of the whole body; default that of its first part."""
    temperatures: dict[str, AnyTemperature] = Field(default_factory=dict)
    """How warm its parts are, by their names; "*" stands for all others."""

    @model_validator(mode="after")
    def _has_one_source(self) -> BodyDocument:
        if bool(self.parts) == (self.file is not None):
            found = "both" if self.parts else "neither"
            raise ValueError(f"body '{self.name}' needs either parts or a file, found {found}")
        return self

    def build(self, library: MaterialLibrary) -> Body:
        """Return the body with its meshes."""
        return bodies_of([self], library)[0]


def bodies_of(documents: Iterable[BodyDocument], library: MaterialLibrary) -> tuple[Body, ...]:
    """Return the bodies; those made of the same thing share one model, so that a fleet is read and stored once."""
    models: dict[tuple[object, ...], Model] = {}
    bodies = []
    for document in documents:
        key = (document.parts, document.file, document.label)
        if key not in models:
            models[key] = _model(document, library)
        bodies.append(Body(document.name, models[key], document.motion, document.label, document.temperatures))
    return tuple(bodies)


def _model(document: BodyDocument, library: MaterialLibrary) -> Model:
    parts = [one.build() for one in document.parts] if document.file is None else document.file.model(library).parts
    return body(document.name, *parts, label=document.label).model
