"""A material: named data about one surface, every figure with its source.

A body is labelled with a material once, and every sensor finds its own section in it. Sections are optional, except the
optical one; a sensor that asks for a section that is missing gets an error that names the material.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from sensorium.core.configuration import configured
from sensorium.core.units import Fraction, NonNegativeNumber, PositiveNumber, Radians

ASSUMED = "assumed"


def _with_source(value: Any) -> Any:
    """A bare figure is one that nobody has vouched for."""
    return value if isinstance(value, (dict, Figure, Colour)) else {"value": value, "source": ASSUMED}


@configured
class Figure:
    """A fraction 0..1 and where it comes from."""

    value: Fraction
    source: Annotated[str, Field(min_length=1)]
    """A citation, or "assumed"; what follows "assumed" says why."""


@configured
class Colour:
    """Diffuse reflectance of visible light and where it comes from."""

    value: tuple[Fraction, Fraction, Fraction]
    """Linear red, green, blue in the primaries of sRGB, 0..1; not gamma-coded."""
    source: Annotated[str, Field(min_length=1)]
    """A citation, or "assumed"; what follows "assumed" says why."""


def _none() -> Figure:
    return Figure(value=0.0, source=f"{ASSUMED}, matt")


SourcedFigure = Annotated[Figure, BeforeValidator(_with_source)]
SourcedColour = Annotated[Colour, BeforeValidator(_with_source)]


@configured
class Optical:
    """Hemispherical reflectance: the part of the light from one direction that comes back into all directions."""

    reflectance_905nm: SourcedFigure
    reflectance_1550nm: SourcedFigure
    colour: SourcedColour
    mirrored: SourcedFigure = Field(default_factory=_none)
    """Part of the infrared reflectance that leaves as from a mirror, whole gloss included; the rest is diffuse."""


@configured
class Retroreflection:
    """Light that goes back where it came from: sheeting, reflectors, eyes of the road.

    R_A = I / (E A) in cd/(lx m2) = 1/sr is the coefficient of retroreflection: intensity towards the source per
    illuminance across the beam and area of the sheet (CIE 54.2; ASTM E808). In the radar equation it stands beside
    f cos(theta), which is rho cos(theta) / pi for a Lambertian surface. With the entrance angle b between beam and
    normal it falls like 2^-(b/h)^2, h being the angle at which half is left.
    """

    coefficient_1_sr: NonNegativeNumber
    """R_A at normal entrance, seen from the source."""
    half_entrance_rad: Annotated[Radians, Field(gt=0)]
    """Entrance angle at which half of it is left."""
    cone_rad: Annotated[Radians, Field(gt=0)]
    """Half angle of the cone in which the light goes back."""
    source: Annotated[str, Field(min_length=1)]


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
    """Width of the glossy lobe in degrees, as the published table has it."""
    source: Annotated[str, Field(min_length=1)]
    wire_id: Annotated[int, Field(ge=0)] | None = None
    """Number of the material on the wire of the bridge to external engines; most have none."""


@configured
class Thermal:
    """Heat: what a thermal camera needs."""

    emissivity: SourcedFigure
    """Hemispherical, mean over 8 to 14 micrometres."""


def _within_unity(lobes: ThreeLobes) -> ThreeLobes:
    total = lobes.alpha + lobes.beta + lobes.gamma
    if total > 1 + 1e-12:
        raise ValueError(f"alpha + beta + gamma must not exceed 1, found {total:g}")
    return lobes


@configured
class Material:
    """One named surface."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    """Lower case letters, digits and underscores."""
    optical: Optical
    lobes: Annotated[ThreeLobes, AfterValidator(_within_unity)] | None = None
    retroreflection: Retroreflection | None = None
    thermal: Thermal | None = None
