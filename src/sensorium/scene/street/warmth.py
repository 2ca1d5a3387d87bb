"""How warm things in a street are besides what sun, sky and air make of them: engines, exhausts, tyres, people, heated houses.

Rises are assumed, of the size that one meets; parts that are not named follow the heat balance alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from sensorium.scene.street.car_shell import CarShape
from sensorium.scene.temperature.temperature import HeatBalance, HotSpot, Profile, Temperature

Temperatures = Mapping[str, Temperature]

CORE_K, ROOM_K, CABIN_K = 310.0, 293.15, 294.15

PERSON: Temperatures = {
    "skin": HeatBalance(behind_k=CORE_K, behind_w_m2_k=25.0),
    "hair": HeatBalance(behind_k=CORE_K, behind_w_m2_k=6.0),
    "top": HeatBalance(behind_k=306.0, behind_w_m2_k=5.5),
    "legs": HeatBalance(behind_k=305.0, behind_w_m2_k=7.0),
    "shoes": HeatBalance(behind_k=303.0, behind_w_m2_k=3.0),
}
"""Blood keeps the skin warm, and the skin its clothes: 5.5 W/(m2 K) is a clothing of 1.2 clo."""

HOUSE: Temperatures = {
    "walls": HeatBalance(behind_k=ROOM_K, behind_w_m2_k=0.8),
    "plinth": HeatBalance(behind_k=291.0, behind_w_m2_k=1.2),
    "panes": HeatBalance(behind_k=ROOM_K, behind_w_m2_k=3.3),
    "frames": HeatBalance(behind_k=ROOM_K, behind_w_m2_k=2.2),
    "doors": HeatBalance(behind_k=ROOM_K, behind_w_m2_k=2.5),
    "roof": HeatBalance(behind_k=289.0, behind_w_m2_k=1.5),
    "chimney": HeatBalance(behind_k=313.0, behind_w_m2_k=1.0),
}
"""Heated rooms behind walls, double panes and doors of an older house; a warm flue."""


@cache
def driven(shape: CarShape, speed_m_s: float) -> Temperatures:
    """Return the temperatures of a car that has been driving: warm all through, and cooled by the wind of its speed."""
    return _car(shape, round(speed_m_s), 1.0)


@cache
def just_parked(shape: CarShape, left: float) -> Temperatures:
    """Return those of a car that stands, of whose heat a part is left: 1 when it stops, 0 when it has cooled."""
    return _car(shape, 0.0, left)


def _car(shape: CarShape, speed_m_s: float, left: float) -> Temperatures:
    nose, tail, axle = shape.nose_m, shape.tail_m, shape.wheelbase_m
    skin = HeatBalance(air_speed_m_s=speed_m_s)
    cabin = HeatBalance(air_speed_m_s=speed_m_s, behind_k=CABIN_K, behind_w_m2_k=6.0 * left) if left > 0.2 else skin

    def warm(rise_k: float = 0.0, *spots: HotSpot) -> Profile:
        return Profile(base=skin, rise_k=rise_k * left, spots=spots)

    def spot(x_m: float, y_m: float, z_m: float, radius_m: tuple[float, float, float], rise_k: float) -> HotSpot:
        return HotSpot(centre_m=(x_m, y_m, z_m), radius_m=radius_m, rise_k=rise_k * left)

    bonnet = spot(nose - 0.65, 0.1, float(shape.top_m(nose - 0.65)), (0.33, 0.45, 0.25), 24.0)
    radiator = spot(nose - 0.05, 0.0, 0.5, (0.3, 0.38, 0.14), 26.0)
    arches = tuple(spot(x, y, 0.4, (0.38, 0.2, 0.22), 5.0) for x in (0.0, axle) for y in (-0.8, 0.8))
    outlet = spot(tail + 0.1, -0.45 * shape.half_width_m / 0.88, 0.27, (0.12, 0.05, 0.045), 85.0)
    sump = spot(nose - 0.8, 0.0, shape.floor_m, (0.5, 0.45, 0.3), 45.0)
    pipes = tuple(spot(x, -0.25, shape.floor_m, (0.55, 0.12, 0.2), 60.0) for x in (tail + 0.5, 0.8, 1.7))
    return {
        "paint": warm(0.0, bonnet, *arches),
        "grille": warm(0.0, radiator, outlet),
        "underbody": warm(4.0, sump, outlet, *pipes),
        "headlights": warm(3.0, radiator),
        "licence_plates": warm(0.0, radiator),
        "tyres": warm(13.0),
        "rims": warm(9.0),
        "brakes": warm(45.0),
        "windscreens": cabin,
        "windows": cabin,
    }
