"""Hit points of an external engine in, points of a physical LiDAR out: the three-lobe model in one call.

Returned power of a surface at distance r and incidence t, with the weights of its material (alpha diffuse, beta
mirror of width sigma, gamma retro-reflector; Blackmore et al. call it I):

    I = alpha cos(t)/(2 r^2) + beta exp(-(t/sigma)^2/2)/(sigma sqrt(2 pi)) + gamma          t, sigma in degrees
    P = I * peak power * efficiency * exp(-2 A r)

The published exponent of the mirror's lobe, -2 (t/sigma)^2, does not integrate to one with its prefactor; -1/2 does. No
lobe returns more than what went out, which matters below 0.7 m. I has no receiver in it: its size is in the efficiency.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import Field, model_validator

from sensorium.bridges.engine_refusal import check_beams
from sensorium.bridges.engine_wire import POINT_NUMBERS, Floats, WireError
from sensorium.core.configuration import configured
from sensorium.core.random import Draws
from sensorium.core.units import (
    Fraction,
    NonNegativeMetres,
    NonNegativeNumber,
    PositiveHertz,
    Radians,
    Watts,
)
from sensorium.materials import MaterialLibrary, standard_library

if TYPE_CHECKING:
    from sensorium.bridges.engine_sense_kernels import Instrument
