"""A street made from a few numbers and a seed, with all that stands and moves on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from annotated_types import Ge, Le

from sensorium.core.configuration import configured
from sensorium.core.units import Fraction, Metres, MetresPerSecond
from sensorium.materials.library import MaterialLibrary, standard_library
from sensorium.scene.body import Body
from sensorium.scene.scene import Scene
from sensorium.scene.street.driving import EgoDrive
from sensorium.scene.street.furniture import bus_stop, furniture
from sensorium.scene.street.gardens import gardens
from sensorium.scene.street.houses import houses, lots
from sensorium.scene.street.lamps_and_signs import lamps, signs, traffic_lights
from sensorium.scene.street.layout import Layout, Plots
from sensorium.scene.street.lights import lights_of
from sensorium.scene.street.pedestrians import CrossingPlan, pedestrians
from sensorium.scene.street.road import road_bodies
from sensorium.scene.street.traffic import ego, moving_cars, parked_cars
from sensorium.scene.street.trees import garden_trees, street_trees, tree_models


@configured
class Street:
    """A straight street along +x, its road surface at z = 0 and its middle at y = 0, with traffic on the right.

    The ego car, the body "ego", drives from rest at x = 0 to rest at x = length_m along the right-hand lane (y < 0).
    Its frame is FLU with the origin on the ground below the middle of the rear axle; `ROOF_MOUNT` is a place for
    sensors on its roof. The road, its houses and trees go on for 30 m beyond both ends. Other cars and people are under
    way at time 0, and hold still where their ways end. The same settings give the same street to the last bit.

    >>> scene = Street(seed=7, length_m=120).build()
    >>> scene.body("ego")
    """

    type: Literal["street"] = "street"
    seed: Annotated[int, Ge(0)] = 0
    length_m: Annotated[Metres, Ge(60), Le(2000)] = 200.0
    lanes: Annotated[int, Ge(1), Le(3)] = 1
    """Lanes in each direction."""
    lane_width_m: Annotated[Metres, Ge(2.75), Le(5)] = 3.5
    parking_width_m: Annotated[Metres, Ge(0), Le(3)] = 2.1
    """Strip between the lanes and the kerb, on both sides; under 1.9 m nobody parks there."""
    pavement_width_m: Annotated[Metres, Ge(2), Le(10)] = 3.0
    front_garden_m: Annotated[Metres, Ge(0), Le(20)] = 4.0
    """From the pavement to the houses."""
    house_depth_m: Annotated[Metres, Ge(6), Le(20)] = 9.0
    house_density: Fraction = 0.92
    """Part of the lots on which a house stands."""
    tree_spacing_m: Annotated[Metres, Ge(6)] | None = 16.0
    """Distance of the trees on each pavement; none: no trees."""
    parked_cars: Annotated[int, Ge(0), Le(500)] = 10
    moving_cars: Annotated[int, Ge(0), Le(100)] = 6
    """At most so many: where there is no room for all, fewer drive."""
    pedestrians: Annotated[int, Ge(0), Le(200)] = 10
    """At most so many; the first one crosses at the zebra."""
    ego: bool = True
    """Whether the car that carries sensors is there."""
    ego_speed_m_s: Annotated[MetresPerSecond, Ge(2), Le(20)] = 10.0

    @property
    def layout(self) -> Layout:
        """The measures that all things in the street share."""
        return Layout(
            self.length_m,
            self.lanes,
            self.lane_width_m,
            self.parking_width_m,
            self.pavement_width_m,
            self.front_garden_m,
        )

    def build(self, library: MaterialLibrary | None = None) -> Scene:
        """Return the scene; its materials are those of the standard library unless another is given."""
        layout, plots = self.layout, Plots()
        bodies = (*self._still(layout, plots), *self._moving(layout, plots))
        return Scene(bodies, standard_library() if library is None else library, lamps=tuple(lights_of(bodies)))

    def _still(self, layout: Layout, plots: Plots) -> Iterator[Body]:
        land = list(lots(layout, self.seed, self.house_density))
        yield from road_bodies(layout, self.seed)
        yield from houses(layout, self.seed, land, self.house_depth_m)
        yield from gardens(layout, self.seed, land)
        yield from traffic_lights(layout, plots)
        yield from bus_stop(layout, plots)
        yield from lamps(layout, plots)
        yield from signs(layout, plots)
        if self.tree_spacing_m is not None:
            models = tree_models(self.seed)
            yield from street_trees(layout, self.seed, self.tree_spacing_m, models, plots)
            yield from garden_trees(layout, self.seed, land, models, self.house_depth_m)
        yield from furniture(layout, self.seed, plots)
        yield from parked_cars(layout, self.seed, self.parked_cars)

    def _moving(self, layout: Layout, plots: Plots) -> Iterator[Body]:
        drive = EgoDrive(self.length_m, self.ego_speed_m_s) if self.ego else None
        plan = CrossingPlan.around(layout, drive) if self.pedestrians else None
        if drive is not None:
            yield ego(layout, drive)
        yield from moving_cars(layout, self.seed, self.moving_cars, drive, plan)
        yield from pedestrians(layout, self.seed, self.pedestrians, plan, plots)
