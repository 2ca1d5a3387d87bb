"""Surfaces of a library in visible light as arrays, in the form that kernels read.

A material states the colour of its whole surface met head-on. Under a coat the base takes what the coat leaves over (`materials.
normal_incidence`); where a coat of metal is brighter than the colour, the coat itself is tinted and there is no base. Indices of
refraction are those at 905 nm, which for glass, lacquer and water differ from the visible ones by a hundredth.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sensorium.materials import optical_table as table
from sensorium.materials.library import MaterialLibrary
from sensorium.materials.normal_incidence import BRIGHTEST, HeadOn, coat_passage, coat_reflectance, fresnel

Floats = NDArray[np.float64]
_NEAR_INFRARED_M = 905e-9
_CLEAREST_1_M = 5.0
"""Glass that iron darkens in the near infrared absorbs no more than this of visible light: assumed."""


class VisibleTable(NamedTuple):
    """Row m describes material m of the library."""

    kind: NDArray[np.int8]
    """As in `optical_table`: matt, coated, mirror, pane, glass."""
    base: Floats
    """[M, 3] reflectance of the diffuse base in linear red, green, blue."""
    tint: Floats
    """[M, 3] what the coat or the mirror reflects, relative to Fresnel's formula."""
    eta: Floats
    kappa: Floats
    roughness: Floats
    """[M] GGX roughness of the coat; 0: none."""
    sigma: Floats
    """[M] facet angles of the base [rad]."""
    through: Floats
    """[M] inner transmission of a pane met head-on."""
    retro: Floats
    """[M, 3] coefficient of retroreflection [1/sr] and its half angles [rad]."""


def visible_table(library: MaterialLibrary) -> VisibleTable:
    """Return all surfaces of a library in visible light."""
    count = len(library)
    values, kinds = np.zeros((count, table.COLUMNS)), np.zeros(count, np.int8)
    base, tint = np.zeros((count, 3)), np.ones((count, 3))
    colour, retro = library.column("colour"), np.zeros((count, 3))
    for row, material in enumerate(library):
        kinds[row] = material.surface.fill(values[row], _NEAR_INFRARED_M)
        base[row], tint[row] = _layers(int(kinds[row]), values[row], colour[row])
        if material.retroreflection is not None:
            one = material.retroreflection
            retro[row] = one.coefficient_1_sr, one.half_entrance_rad, one.half_observation_rad
    through = np.exp(-np.minimum(values[:, table.ABSORPTION], _CLEAREST_1_M) * values[:, table.THICKNESS])
    return VisibleTable(
        kinds, base, tint, values[:, table.ETA].copy(), values[:, table.KAPPA].copy(), values[:, table.ROUGHNESS].copy(),
        values[:, table.SIGMA].copy(), through, retro,
    )  # fmt: skip


def _layers(kind: int, row: Floats, colour: Floats) -> tuple[Floats, Floats]:
    """Return base and tint of one material."""
    if kind == table.MATT:
        whole = HeadOn(sigma_rad=row[table.SIGMA], brightest=BRIGHTEST if row[table.SIGMA] > 0 else 1.0)
        return _bases(whole, colour), np.ones(3)
    if kind in (table.COATED, table.COATED_HALF_VECTOR):
        eta, kappa, rough = row[table.ETA], row[table.KAPPA], row[table.ROUGHNESS]
        coat = coat_reflectance(eta, kappa, rough)
        if kappa > 0.5 or coat > colour.max():
            return np.zeros(3), np.minimum(1.0, colour / coat)
        return _bases(HeadOn(coat, coat_passage(eta, kappa, True), row[table.SIGMA]), colour), np.ones(3)
    if kind == table.MIRROR:
        mirrored = float(fresnel(row[table.ETA], row[table.KAPPA], np.ones(1))[0])
        return np.zeros(3), np.minimum(1.0, colour / mirrored)
    return np.zeros(3), np.ones(3)


def _bases(whole: HeadOn, colour: Floats) -> Floats:
    low, high = whole.coat, whole.reflectance(whole.brightest)
    return np.array([whole.base(float(np.clip(band, low, high))) for band in colour])
