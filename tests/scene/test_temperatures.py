"""Which temperature a part has, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest
from worlds import mesh_of_box, model_of, wall

from sensorium.core.configuration import build
from sensorium.core.errors import ConfigurationError, SceneError
from sensorium.materials.library import standard_library
from sensorium.scene.body import Body
from sensorium.scene.documents import BodyDocument, bodies_of
from sensorium.scene.scene import Scene
from sensorium.scene.street import Street
from sensorium.scene.temperature import AnyTemperature, FixedTemperature, HeatBalance, Profile
from sensorium.scene.temperature.surfaces import PERIOD_NS, temperatures_of


def fixed(t_k: float) -> FixedTemperature:
    return FixedTemperature(temperature_k=t_k)


def test_who_says_how_warm_a_part_is():
    """The body by the part's name, then the body for all others, then the part itself, then the scene."""
    parts = model_of(*[mesh_of_box() for _ in range(3)]).parts
    model = replace(model_of(mesh_of_box()), parts=(replace(parts[0], temperature=fixed(1e2)), parts[1], parts[2]))
    scene = HeatBalance()
    assert temperatures_of(Body("a", model), scene) == [fixed(1e2), scene, scene]
    assert temperatures_of(Body("a", model, temperatures={"part1": fixed(2e2)}), scene) == [
        fixed(1e2),
        fixed(2e2),
        scene,
    ]
    both = {"part1": fixed(2e2), "*": fixed(3e2)}
    assert temperatures_of(Body("a", model, temperatures=both), scene) == [fixed(3e2), fixed(2e2), fixed(3e2)]


def test_a_part_that_is_not_there():
    """A temperature for an unknown part is an error that names the nearest one."""
    with pytest.raises(SceneError, match=r"body 'a' has a temperature for its part 'prt0'.*Did you mean 'part0'"):
        _ = Scene((Body("a", model_of(mesh_of_box()), temperatures={"prt0": fixed(300.0)}),)).heat


@pytest.mark.parametrize("wrong", [0, -20, "-300 degC", 5000, "warm"])
def test_temperatures_that_cannot_be(wrong):
    """Nothing is at or below 0 K; degrees need their unit; what is hotter than the tables is refused too."""
    with pytest.raises(ConfigurationError, match="temperature_k"):
        build(AnyTemperature, {"type": "fixed", "temperature_k": wrong})
    with pytest.raises(ConfigurationError, match="behind_w_m2_k is 0"):
        HeatBalance(behind_k=300.0, behind_w_m2_k=0.0)


def test_documents():
    """Bodies and parts of a scenario file carry temperatures; bodies that share a model may differ."""
    box = {"name": "hull", "shape": {"type": "box", "size_m": [1, 1, 1]}, "material": "concrete"}
    documents = build(
        tuple[BodyDocument, ...],
        [
            {"name": "warm", "parts": [{**box, "temperature": {"type": "fixed", "temperature_k": "40 degC"}}]},
            {"name": "spot", "parts": [box], "temperatures": {"hull": {"type": "profile", "rise_k": 5, "spots": [
                {"centre_m": [0, 0, 0.5], "radius_m": "20 cm", "rise_k": 30}]}}},
            {"name": "plain", "parts": [box]},
        ],
    )  # fmt: skip
    warm, spot, plain = bodies_of(documents, standard_library())
    assert spot.model is plain.model
    assert temperatures_of(warm, HeatBalance()) == [fixed(313.15)]
    found = temperatures_of(spot, HeatBalance())[0]
    assert isinstance(found, Profile)
    assert found.spots[0].row == (0, 0, 0.5, 5, 5, 5, 30)
    assert temperatures_of(plain, HeatBalance()) == [HeatBalance()]


def test_tables_are_kept_for_a_minute():
    """Within a minute the same tables, then new ones; equal kinds of surfaces share a row."""
    heat = Scene((wall(5.0), replace(wall(9.0), name="other"))).heat
    assert heat.at(0) is heat.at(PERIOD_NS - 1)
    assert heat.at(PERIOD_NS) is not heat.at(0)
    assert heat.at(0).base_k.shape[0] == 1


def test_the_street_is_alive():
    """People are warm, engines that have run and exhausts too; parked cars are cold, but for those that have just come."""
    scene = Street(seed=7, parked_cars=12).build()
    found = {body.name: dict(zip([p.name for p in body.model.parts], temperatures_of(body, scene.temperature), strict=True))
             for body in scene.bodies}  # fmt: skip
    assert found["pedestrian_0"]["skin"].behind_k == 310.0
    for name in ("ego", "car_0"):
        assert max(spot.rise_k for spot in found[name]["paint"].spots) > 15
        assert max(spot.rise_k for spot in found[name]["grille"].spots) > 80
        assert found[name]["tyres"].rise_k > 5
    parked = [it for name, it in found.items() if name.startswith("parked_car")]
    cold = [it for it in parked if it["paint"] == HeatBalance()]
    assert 0 < len(parked) - len(cold) < len(parked) / 2
    assert any(it["panes"].behind_k for name, it in found.items() if name.startswith("house"))
    assert np.isfinite(scene.heat.at(0).base_k).all()
