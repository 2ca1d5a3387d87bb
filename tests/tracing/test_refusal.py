"""Rays that cannot be traced are refused with the number of the first one and the reason."""

import numpy as np
import pytest
from worlds import WINDOW, random_rays, random_scene

from sensorium.core.errors import RayError
from sensorium.scene.rays import Rays
from sensorium.tracing import EmbreeTracer, ReferenceTracer

SCENE = random_scene(np.random.default_rng(0), 4)


def broken(what: str) -> Rays:
    good = random_rays(np.random.default_rng(1), 50)
    origin, direction, time_ns = good.origin_m.copy(), good.direction.copy(), good.time_ns.copy()
    if what == "origin":
        origin[17, 1] = np.nan
    elif what == "direction":
        direction[17, 2] = np.inf
    elif what == "length zero":
        direction[17] = 0
    else:
        time_ns[17] = WINDOW.end_ns + 1
    return Rays(origin, direction, time_ns)


@pytest.mark.parametrize("tracer", [EmbreeTracer, ReferenceTracer])
@pytest.mark.parametrize("what", ["origin", "direction", "length zero", "outside the window"])
@pytest.mark.parametrize("ask", ["cast", "occluded"])
def test_refused_by_number_and_reason(tracer, what, ask):
    """The message names the ray and what is wrong with it."""
    caster = tracer(SCENE).during(WINDOW, np.zeros(3))
    with pytest.raises(RayError, match=f"ray 17 .*{what}"):
        getattr(caster, ask)(broken(what))


@pytest.mark.parametrize("tracer", [EmbreeTracer, ReferenceTracer])
def test_refuses_wrong_shapes_and_limits(tracer):
    """Shapes and limits are named as found."""
    caster = tracer(SCENE).during(WINDOW, np.zeros(3))
    good = random_rays(np.random.default_rng(1), 5)
    with pytest.raises(RayError, match=r"\(4, 3\)"):
        caster.cast(Rays(good.origin_m[:4], good.direction, good.time_ns))
    with pytest.raises(RayError, match="near_m <= far_m"):
        caster.cast(Rays(good.origin_m, good.direction, good.time_ns, near_m=5, far_m=2))


def test_very_short_and_very_long_directions_are_fine():
    """Only the direction counts, not its length, from 1e-300 to 1e300."""
    good = random_rays(np.random.default_rng(1), 200)
    caster = EmbreeTracer(SCENE).during(WINDOW, np.zeros(3))
    plain = caster.cast(good)
    for scale in (1e-300, 1e300):
        scaled = caster.cast(Rays(good.origin_m, good.direction * scale, good.time_ns))
        np.testing.assert_allclose(scaled.distance_m, plain.distance_m, rtol=1e-6)
