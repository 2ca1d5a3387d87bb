"""A scenario: everything that one simulation depends on, in one document.

The same scenario gives the same samples to the last bit. `to_document` writes it complete with all defaults; a
recording keeps that document, and `scenario_of` makes the same scenario of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge
from pydantic import Field, field_validator, model_validator

from sensorium.atmosphere.documents import AnyAir, Preset
from sensorium.atmosphere.weather import ConstantWeather, WeatherState
from sensorium.core.configuration import Document, build, configured, read_yaml, to_document, with_overrides
from sensorium.core.errors import ConfigurationError, Problem, SensoriumError, did_you_mean
from sensorium.core.files import InputFile
from sensorium.core.steps import parse_steps
from sensorium.core.units import PositiveHertz, PositiveSeconds
from sensorium.materials.library import MaterialLibrary, standard_library
from sensorium.motion.motion import Motion
from sensorium.scene.documents import BodyDocument, bodies_of
from sensorium.scene.lamp import Lamp
from sensorium.scene.magnetism import AnyMagneticField
from sensorium.scene.mujoco_world import MujocoWorld
from sensorium.scene.origin import Origin
from sensorium.scene.rays import Tracer
from sensorium.scene.scene import Scene
from sensorium.scene.street.lights import lights_of
from sensorium.scene.street.street import Street
from sensorium.scene.temperature.temperature import AnyTemperature, HeatBalance
from sensorium.simulation.closed_loop import ClosedLoop
from sensorium.simulation.cross_checks import cross_problems
from sensorium.simulation.rig import Mount
from sensorium.simulation.simulation import Simulation

FORMAT = 1
"""Version of the format of scenario files."""
SHIPPED = Path(__file__).parents[1] / "scenarios"

Layout = Literal["sensorium", "velodyne", "ouster", "hesai", "livox", "autoware"]

ImageFormat = Literal["raw", "jpeg", "png"]


@configured
class World:
    """A world of bodies that are written out one by one."""

    type: Literal["bodies"] = "bodies"
    bodies: tuple[BodyDocument, ...] = ()

    def build(self, library: MaterialLibrary) -> Scene:
        """Return a scene of the bodies."""
        return Scene(bodies_of(self.bodies, library), library)


@configured
class Truth:
    """Where every body really is, as a stream of samples of its own."""

    rate_hz: PositiveHertz | None = 20.0
    """None (in a file: null): no truth."""


@configured
class Recording:
    """How samples are written."""

    layout: Layout = "sensorium"
    """Columns of the point clouds: those of this maker's driver."""
    layouts: dict[str, Layout] = Field(default_factory=dict)
    """By sensor, where it is not the one above."""
    point_truth: bool = True
    """Whether the truth of each point or pixel is written beside the measurement, for sensors that tell it."""
    image_format: ImageFormat = "raw"
    """How images are written: raw, jpeg (small, with loss) or png."""
    image_formats: dict[str, ImageFormat] = Field(default_factory=dict)
    """By sensor, where it is not the one above."""


@configured
class Scenario:
    """A world, the sensors in it, and how long to look.

    >>> scenario = load_scenario("street.yaml", ["rig[0].sensor.rate_hz=20 Hz"])
    >>> for sample in scenario.simulation().samples(scenario.duration_s): ...
    """

    sensorium: int = FORMAT
    """Version of the format."""
    name: Annotated[str, Field(min_length=1)]
    description: str = ""
    seed: Annotated[int, Ge(0)] = 0
    """Of all chance in the sensors; a street has its own."""
    run: Annotated[int, Ge(0)] = 0
    """Number of the repetition under this seed: other noise, same world."""
    duration_s: PositiveSeconds = 10.0
    world: Annotated[Street | MujocoWorld | World, Field(discriminator="type")]
    bodies: tuple[BodyDocument, ...] = ()
    """More bodies, besides those of the world."""
    material_files: tuple[InputFile, ...] = ()
    """Libraries of materials besides the standard one; a material of a known name replaces it."""
    air: AnyAir = Field(default_factory=Preset)
    """What fills the world: clear air, fog, rain."""
    weather: WeatherState = Field(default_factory=WeatherState)
    """Temperature, humidity, wind and what falls from the sky."""
    origin: Origin | None = None
    """Where on Earth the world's origin lies, and when the scenario starts."""
    magnetic_field: AnyMagneticField | None = None
    """What magnetometers measure."""
    temperature: AnyTemperature = Field(default_factory=HeatBalance)
    """How warm those surfaces are of which nothing else is said."""
    rig: tuple[Mount, ...] = ()
    """The sensors, each on a body."""
    truth: Truth = Field(default_factory=Truth)
    recording: Recording = Field(default_factory=Recording)

    @field_validator("sensorium")
    @classmethod
    def _readable_format(cls, version: int) -> int:
        if version != FORMAT:
            raise ValueError(f"this is format {version}, but this version of Sensorium reads format {FORMAT}")
        return version

    @model_validator(mode="after")
    def _parts_fit_together(self) -> Scenario:
        problems = [*_damaged(self.material_files)]
        problems += cross_problems(to_document(self), self._world_names, None if problems else self.library.names)
        if problems:
            raise ConfigurationError(problems)
        return self

    @cached_property
    def library(self) -> MaterialLibrary:
        """The standard materials and those of the files."""
        library = standard_library()
        for path in self.material_files:
            library = library.with_materials(MaterialLibrary.from_yaml(path))
        return library

    @cached_property
    def _world(self) -> Scene:
        return self.world.build(self.library)

    @property
    def _lamps(self) -> tuple[Lamp, ...]:
        return () if isinstance(self.world, World) else tuple(lights_of(self._world.bodies))

    def _world_names(self) -> Iterable[str]:
        """Return the names of the bodies that the world makes by itself; called only if somebody needs to know."""
        return () if isinstance(self.world, World) else (body.name for body in self._world.bodies)

    @cached_property
    def scene(self) -> Scene:
        """The world and the bodies besides it."""
        return self._around(self._world)

    def _around(self, world: Scene) -> Scene:
        return replace(
            world.with_bodies(bodies_of(self.bodies, self.library)),
            air=self.air.build(),
            weather=ConstantWeather(state=self.weather),
            origin=self.origin,
            magnetic_field=self.magnetic_field,
            temperature=self.temperature,
            lamps=self._lamps,
        )

    def closed_loop(self, tracer: Callable[[Scene], Tracer] | None = None) -> ClosedLoop:
        """Return the world at its start, moved by commands that follow from its samples; needs {type: mujoco}."""
        if not isinstance(self.world, MujocoWorld):
            what = f"is of type {self.world.type}, which nobody can drive; a closed loop needs {{type: mujoco}}"
            raise ConfigurationError([Problem("world", what)])
        dynamics = self.world.dynamics(None)
        scene = self._around(self.world.build(self.library, dynamics))
        made = tracer(scene) if tracer else None
        return ClosedLoop(Simulation(scene, self.rig, self.seed, self.run, self.truth.rate_hz, made), dynamics)

    def simulation(self, tracer: Callable[[Scene], Tracer] | None = None) -> Simulation:
        """Return the simulation; `tracer` makes a tracer of the scene (default: Embree on all cores)."""
        if not self.scene.bodies:
            what = "there is nothing in the world; list some `bodies`, or take {type: street}"
            raise ConfigurationError([Problem("world", what)])
        made = tracer(self.scene) if tracer else None
        return Simulation(self.scene, self.rig, self.seed, self.run, self.truth.rate_hz, made)


def load_scenario(path: str | Path, overrides: Iterable[str] = ()) -> Scenario:
    """Read a scenario file; ONE `ConfigurationError` names everything that is wrong, with file and line."""
    return scenario_of(read_yaml(path), overrides)


def scenario_of(document: Document | object, overrides: Iterable[str] = ()) -> Scenario:
    """Make a scenario of a document, for example of the one that a recording keeps."""
    written = with_overrides(document, overrides)
    try:
        return build(Scenario, written)
    except ConfigurationError as error:
        raise _with_cross_problems(error, written) from None


def _damaged(material_files: Iterable[Path]) -> Iterator[Problem]:
    for number, path in enumerate(material_files):
        try:
            MaterialLibrary.from_yaml(path)
        except SensoriumError as error:
            yield Problem(f"material_files[{number}]", str(error))


def _with_cross_problems(error: ConfigurationError, written: Document) -> ConfigurationError:
    """Add what does not fit together in a document that is wrong in other ways, as far as it can be read."""
    if not isinstance(written.content, dict):
        return error
    more = cross_problems(written.content, _world_names_in(written), _material_names_in(written))
    told = ((parse_steps(problem.where), problem.what) for problem in (*error.problems, *more))
    return ConfigurationError(written.problems(told), error.source)


def _world_names_in(written: Document) -> Callable[[], Iterable[str]] | None:
    world = written.content.get("world")
    kind = world.get("type") if isinstance(world, dict) else None
    if kind == "street":
        try:
            street = build(Street, world)
        except ConfigurationError:
            return None
        return lambda: (body.name for body in street.build().bodies)
    return tuple if kind == "bodies" else None


def _material_names_in(written: Document) -> Iterable[str] | None:
    files = Document(written.content.get("material_files", ()), folder=written.folder)
    try:
        paths = build(tuple[InputFile, ...], files)
        return Scenario(name="materials", world=World(), material_files=paths).library.names
    except ConfigurationError:
        return None


def json_schema() -> dict[str, Any]:
    """Return the JSON schema of scenario files, for editors that complete and check while one types."""
    from sensorium.core.json_schema import schema_of
    from sensorium.motion import MotionSettings

    return schema_of(Scenario, {Motion: MotionSettings})


def scenario_path(name: str) -> Path:
    """Return the file of a scenario that comes with the package."""
    names = [path.stem for path in sorted(SHIPPED.glob("*.yaml"))]
    if name not in names:
        raise ConfigurationError(f"there is no scenario '{name}' in the package.{did_you_mean(name, names)}")
    return SHIPPED / f"{name}.yaml"
