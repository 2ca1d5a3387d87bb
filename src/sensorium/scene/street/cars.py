"""Cars to choose from: a compact, an estate and a van, each in any paint; the paints share one set of meshes."""

from __future__ import annotations

from functools import cache

from sensorium.core.pose import Pose
from sensorium.scene.body import Model, Part
from sensorium.scene.mesh import Mesh
from sensorium.scene.street.car_fittings import handles, interior, licence_plates, mirrors, wheels
from sensorium.scene.street.car_shell import CarShape, shell
from sensorium.scene.street.extrusion import both_sides, boxes, join, tube

PAINTS = ("car_paint_white", "car_paint_black", "car_paint_red", "car_paint_blue", "car_paint_silver")

COMPACT = CarShape(
    name="compact",
    half_width_m=0.88,
    wheelbase_m=2.58,
    wheel_radius_m=0.31,
    top=((-0.70, 0.86), (-0.66, 0.98), (-0.36, 1.38), (-0.15, 1.44), (0.45, 1.48), (1.05, 1.47), (1.40, 1.42),
         (2.22, 0.99), (2.55, 0.93), (3.05, 0.83), (3.33, 0.72), (3.41, 0.60)),
    belt=((-0.70, 0.86), (-0.55, 0.94), (0.2, 0.94), (1.5, 0.90), (2.2, 0.88), (2.8, 0.80), (3.25, 0.68), (3.41, 0.60)),
    windscreen=(1.36, 2.20),
    rear_window=(-0.62, -0.30),
    side_windows=((-0.22, 0.36), (0.46, 1.86)),
    lean=0.30,
)  # fmt: skip
ESTATE = CarShape(
    name="estate",
    half_width_m=0.91,
    wheelbase_m=2.75,
    wheel_radius_m=0.325,
    top=((-1.06, 0.88), (-1.02, 1.01), (-0.74, 1.36), (-0.5, 1.42), (0.3, 1.47), (1.0, 1.48), (1.45, 1.42),
         (2.32, 0.99), (2.7, 0.93), (3.3, 0.84), (3.6, 0.74), (3.69, 0.61)),
    belt=((-1.06, 0.88), (-0.9, 0.95), (0.2, 0.94), (1.5, 0.90), (2.3, 0.88), (3.0, 0.81), (3.5, 0.69), (3.69, 0.61)),
    windscreen=(1.42, 2.30),
    rear_window=(-0.98, -0.68),
    side_windows=((-0.62, -0.02), (0.06, 0.74), (0.84, 1.96)),
    lean=0.30,
)  # fmt: skip
VAN = CarShape(
    name="van",
    half_width_m=0.97,
    wheelbase_m=3.05,
    wheel_radius_m=0.33,
    top=((-0.98, 1.00), (-0.97, 1.30), (-0.90, 1.86), (-0.6, 1.95), (0.5, 1.98), (1.7, 1.97), (2.10, 1.88),
         (2.98, 1.14), (3.3, 1.06), (3.7, 0.93), (3.88, 0.78), (3.95, 0.64)),
    belt=((-0.98, 1.00), (-0.9, 1.04), (0.5, 1.04), (2.0, 1.02), (2.9, 1.00), (3.4, 0.90), (3.75, 0.76), (3.95, 0.64)),
    windscreen=(2.08, 2.96),
    rear_window=(-0.965, -0.915),
    side_windows=((1.55, 2.58),),
    lean=0.14,
)  # fmt: skip
SHAPES = (COMPACT, ESTATE, VAN)

ROOF_MOUNT = Pose.at(0.85, 0.0, 1.90)
"""T_ego_roof: a point on the ego car's rack, 1.9 m above the ground, from where a sensor sees over the roof."""

_SEATS = {"compact": (0.35, 1.15), "estate": (0.25, 1.25), "van": (1.75,)}
_MATERIALS = {
    "underbody": "plastic_black",
    "pillars": "plastic_black",
    "grille": "plastic_black",
    "windows": "window_glass",
    "windscreens": "windscreen_glass",
    "headlights": "headlight_lens",
    "tail_lights": "tail_light",
    "tyres": "tyre",
    "rims": "aluminium",
    "brakes": "steel",
    "mirror_glass": "chrome",
    "handles": "chrome",
    "licence_plates": "licence_plate",
    "seats": "cloth_dark",
    "dashboard": "plastic_black",
}


@cache
def car_model(shape: CarShape, paint: str) -> Model:
    """Return the car in a paint. Frame: FLU, origin on the ground below the middle of the rear axle."""
    return Model(f"{shape.name}_{paint.removeprefix('car_paint_')}", _parts(shape, paint))


@cache
def ego_model() -> Model:
    """Return the car that carries the sensors: a silver estate with a rack up to 5 cm below `ROOF_MOUNT`.

    Frame: FLU, origin on the ground below the middle of the rear axle (ROS: base_footprint, in Autoware base_link).
    The roof's top is 1.48 m above the ground.
    """
    paint = "car_paint_silver"
    return Model("ego", (*_parts(ESTATE, paint), Part("rack", _rack(), "aluminium", "car")))


def _parts(shape: CarShape, paint: str) -> tuple[Part, ...]:
    meshes = _meshes(shape)
    return tuple(Part(name, mesh, _MATERIALS.get(name, paint), "car") for name, mesh in meshes.items())


@cache
def _meshes(shape: CarShape) -> dict[str, Mesh]:
    """Return the meshes of a car by part; the paint comes first."""
    skin, sides = shell(shape), mirrors(shape)
    meshes = {"paint": join((skin.pop("paint"), sides.pop("paint")))} | skin | sides
    meshes |= wheels(shape) | interior(shape, _SEATS[shape.name])
    return meshes | {"handles": handles(shape), "licence_plates": licence_plates(shape)}


def _rack() -> Mesh:
    """Return two bars across the roof on four feet, a plate between them, and a mast below the mount."""
    x, _, z = ROOF_MOUNT.position_m
    bars = [tube([(x + d, -0.62, 1.53), (x + d, 0.62, 1.53)], 0.018, 8) for d in (-0.4, 0.4)]
    feet = both_sides(
        boxes([(x + d - 0.03, 0.55, 1.38) for d in (-0.4, 0.4)], [(x + d + 0.03, 0.61, 1.54) for d in (-0.4, 0.4)])
    )
    plate = boxes((x - 0.45, -0.2, 1.545), (x + 0.45, 0.2, 1.56))
    mast = [
        boxes((x - 0.06, -0.06, 1.56), (x + 0.06, 0.06, z - 0.06)),
        boxes((x - 0.09, -0.09, z - 0.06), (x + 0.09, 0.09, z - 0.05)),
    ]
    return join((*bars, feet, plate, *mast))
