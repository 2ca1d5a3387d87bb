"""A material: named data about one surface, every figure with its source.

A body is labelled with a material once, and every sensor finds its own section in it. Sections are optional, except the
optical one; a sensor that asks for a section that is missing gets an error that names the material.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.units import Fraction, NonNegativeNumber, PositiveNumber, Radians
from sensorium.materials.radio import Radio
from sensorium.materials.surface import AnySurface, Matt

ASSUMED = "assumed"

Source = Annotated[str, Field(min_length=1)]
"""A citation; or "assumed", perhaps with the reason; or "computed" or "by definition"."""


def _with_source(value: Any) -> Any:
    """A bare figure is one that nobody has vouched for."""
    return value if isinstance(value, (dict, Figure, Colour, Quantity)) else {"value": value, "source": ASSUMED}


@configured
class Figure:
    """A fraction 0..1 and where it comes from. A bare number in its place counts as assumed."""

    value: Fraction
    source: Source


@configured
class Colour:
    """Reflectance of visible light and where it comes from. Three bare numbers in its place count as assumed."""

    value: tuple[Fraction, Fraction, Fraction]
    """Linear red, green, blue in the primaries of sRGB, 0..1; not gamma-coded."""
    source: Source


@configured
class Quantity:
    """A positive number in the unit of its name, and where it comes from. A bare number in its place counts as assumed."""

    value: PositiveNumber
    source: Source


SourcedFigure = Annotated[Figure, BeforeValidator(_with_source)]
SourcedQuantity = Annotated[Quantity, BeforeValidator(_with_source)]
SourcedColour = Annotated[Colour, BeforeValidator(_with_source)]


def _matt() -> Figure:
    return Figure(value=0.0, source=f"{ASSUMED}, matt")


@configured
class Optical:
    """Hemispherical reflectance: the part of the light from one direction that comes back into all directions."""

    reflectance_905nm: SourcedFigure
    reflectance_1550nm: SourcedFigure
    colour: SourcedColour
    mirrored: SourcedFigure = Field(default_factory=_matt)
    """Part of the infrared reflectance that leaves as from a mirror; the rest is diffuse. Under a coat it follows from
    the coat, and this figure only tells it."""


@configured
class Retroreflection:
    """Light that goes back where it came from: sheeting, reflex reflectors, glass beads.

    R_A = I / (E A) in cd/(lx m2) = 1/sr is the coefficient of retroreflection: intensity I towards the observer per
    illuminance E across the beam and area A of the sheet (CIE 54.2, ASTM E808). With the entrance angle b between beam
    and normal the sheet receives P = E A cos b, so that it sends back I / P = R_A / cos b per power received. That adds
    to f cos b of the surface, which is rho cos b / pi if Lambertian. With the observation angle a between beam and
    observer, R_A(a, b) = R_A(0, 0) 2^-(b/b_half)^2 2^-(a/a_half)^2.
    """

    coefficient_1_sr: NonNegativeNumber
    """R_A(0, 0)."""
    half_entrance_rad: Annotated[Radians, Field(gt=0)]
    """b_half, the entrance angle at which half is left."""
    half_observation_rad: Annotated[Radians, Field(gt=0)]
    """a_half, the observation angle at which half is left."""
    source: Source


@configured
class ThreeLobes:
    """Weights of a diffuser, a glossy mirror and a retro-reflector at 905 nm; their sum is at most 1."""

    alpha: Fraction
    """Diffuse."""
    beta: Fraction
    """Glossy."""
    gamma: Fraction
    """Back to the emitter."""
    sigma_deg: PositiveNumber
    """Width of the glossy lobe in degrees, the unit of the published table."""
    source: Source
    wire_id: Annotated[int, Field(ge=0)] | None = None
    """Number of the material on the wire of the bridge to external engines; most have none."""

    @model_validator(mode="after")
    def _within_unity(self) -> ThreeLobes:
        total = self.alpha + self.beta + self.gamma
        if total > 1 + 1e-12:
            raise ValueError(f"alpha + beta + gamma must not exceed 1, found {total:g}")
        return self


def _as_concrete(value: float) -> Quantity:
    return Quantity(value=value, source=f"{ASSUMED}, as concrete")


@configured
class Thermal:
    """Heat: what a thermal camera and the heat balance of a surface need.

    A material that states its emissivity alone stores and conducts heat as concrete does.
    """

    emissivity: SourcedFigure
    """Towards the normal, mean over 8 to 14 micrometres."""
    mirrored: SourcedFigure = Field(default_factory=_matt)
    """Part of the heat radiation that it throws back which leaves as from a mirror; the rest is diffuse."""
    solar_absorptance: SourcedFigure = Field(default_factory=lambda: Figure(value=0.7, source=ASSUMED))
    """Part of sunlight that becomes heat."""
    density_kg_m3: SourcedQuantity = Field(default_factory=lambda: _as_concrete(2300.0))
    specific_heat_j_kg_k: SourcedQuantity = Field(default_factory=lambda: _as_concrete(1000.0))
    conductivity_w_m_k: SourcedQuantity = Field(default_factory=lambda: _as_concrete(1.6))
    thickness_m: SourcedQuantity = Field(default_factory=lambda: _as_concrete(0.2))
    """Of the layer that follows the weather; what lies behind it is insulated."""
    evaporating: SourcedFigure = Field(default_factory=lambda: Figure(value=0.0, source=f"{ASSUMED}, dry"))
    """Part of the absorbed sunlight that leaves as water vapour."""


@configured
class Material:
    """One named surface."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    """Lower case letters, digits and underscores."""
    radio: Radio | None = None
    optical: Optical
    surface: AnySurface = Field(default_factory=Matt)
    """How the infrared reflectance is spread over directions."""
    lobes: ThreeLobes | None = None
    retroreflection: Retroreflection | None = None
    thermal: Thermal | None = None

    @model_validator(mode="after")
    def _within_reach_of_the_surface(self) -> Material:
        for name, wavelength_m in (("reflectance_905nm", 905e-9), ("reflectance_1550nm", 1550e-9)):
            reflectance = getattr(self.optical, name).value
            try:
                self.surface.diffuse(reflectance, self.optical.mirrored.value, wavelength_m)
            except ValueError as error:
                raise ValueError(f"optical.{name}: {error}") from None
        return self
