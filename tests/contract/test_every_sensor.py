"""What every sensor promises; a new sensor is found by itself through `sensorium.sensors.SENSORS`.

A sensor that needs settings shows how it is made in `EXAMPLES`, and what it must have around it comes from `WORLD`.
"""

from __future__ import annotations

import copy
import dataclasses
from typing import Any

import numpy as np
import pytest
from joints import Accelerating
from worlds import Gliding, mesh_of_box, model_of, wall

from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.samples import Sample, Stamp
from sensorium.scene.body import Body
from sensorium.scene.magnetic_field import UniformField
from sensorium.scene.origin import Origin
from sensorium.scene.scene import Scene
from sensorium.scene.view import View
from sensorium.sensors import (
    SENSORS,
    ConeSensor,
    Imu,
    Sensor,
    Thermometer,
    WeatherStation,
    device,
    device_names,
    sensor_of,
)
from sensorium.sensors.encoder import Encoder
from sensorium.sensors.encoder.scales import Rotary
from sensorium.sensors.odometer import Odometer
from sensorium.tracing import EmbreeTracer

ENCODERS = [name for name in device_names() if device(name).sensor["type"] == "encoder"]
SMALL = {"lens": {"width": 96, "height": 64}}
NEEDED = {"encoder": {"joint": "wheel"}, "camera": SMALL, "thermal_camera": SMALL}
"""Settings that a device cannot know, or that make it quick to test, by type."""
EXAMPLES: dict[str, Any] = {
    f"device:{name}": lambda name=name: sensor_of(name, **NEEDED.get(device(name).sensor["type"], {}))
    for name in device_names()
}
EXAMPLES["imu"] = lambda: Imu(
    rate_hz=1000.0, readings=1, gyroscope={"chain": [{"type": "white_noise", "sigma": "0.1 deg/s"}]}
)
EXAMPLES["encoder"] = lambda: Encoder(
    joint="wheel", edges=True, missed_fraction=0.1, scale=Rotary(counts_per_turn=1000, noise_rad=0.1)
)
EXAMPLES["odometer"] = lambda: Odometer(joint="wheel", wheel_radius_m=0.3, noise_m=0.01)
EXAMPLES["cone"] = lambda: ConeSensor(
    length_m=30.0, detections=4, noise={"range_m": 0.02, "azimuth_rad": 0.01}, method={"type": "lines", "count": 50}
)
EXAMPLES["device:ultrasonic_parking"] = lambda: (
    sensor_of(  # far enough for the wall, with steps that do not hide the noise
        "ultrasonic_parking", length_m=30.0, noise={"range_step_m": 0.0}, dropout={"reserve_db": 90}
    )
)
CERTAIN = {f"device:{name}" for name in ENCODERS}
"""Examples whose chance is below their resolution, so that it need not show in one sample."""
EXAMPLES["thermometer"] = Thermometer
EXAMPLES["weather_station"] = WeatherStation
CARRIER = Gliding(Pose.at(0, 0, 1.0), (8.0, 1.0, 0.0), (0.0, 0.0, 0.4))
WORLD = Scene(
    (wall(15.0), Body("carrier", model_of(mesh_of_box((0.2, 0.2, 0.2))), CARRIER)),
    magnetic_field=UniformField(b_t=(0.0, 20e-6, -44e-6)),
    origin=Origin(latitude_rad=0.84, longitude_rad=0.2),
    joints={"wheel": Accelerating(0.1, 3.0, 1.0)},
)
TRACER = EmbreeTracer(WORLD)


def test_every_sensor_class_has_an_example():
    """Each exported class is made by at least one example below, so that none escapes the contract."""
    assert {type(make()) for make in EXAMPLES.values()} == set(SENSORS)


@pytest.fixture(params=sorted(EXAMPLES))
def sensor(request) -> Sensor[Any, Any]:
    return EXAMPLES[request.param]()


def view_of(sensor: Sensor[Any, Any], index: int = 2) -> View:
    return View(WORLD, TRACER, CARRIER, Pose.at(0, 0, 0.5), sensor.window(index))


def detect(sensor: Sensor[Any, Any], signal: Any, seed: int = 1, name: str = "it", index: int = 2) -> Sample:
    draws = Draws(seed).at(name, index)
    window = sensor.window(index)
    stamp = Stamp(name, index, window.start_ns, window.end_ns)
    return sensor.detect(signal, sensor.initial_state(draws), draws, stamp)[0]


def leaves(thing: Any) -> list[Any]:
    """All arrays and plain values inside nested dataclasses, in order."""
    if dataclasses.is_dataclass(thing):
        return [leaf for field in dataclasses.fields(thing) for leaf in leaves(getattr(thing, field.name))]
    if isinstance(thing, (list, tuple)):
        return [leaf for entry in thing for leaf in leaves(entry)]
    return [thing]


def same(a: Any, b: Any) -> bool:
    """Equal to the bit."""
    pairs = list(zip(leaves(a), leaves(b), strict=True))
    return all(
        np.asarray(x).tobytes() == np.asarray(y).tobytes() if isinstance(x, np.ndarray) else x == y for x, y in pairs
    )


def test_is_frozen(sensor):
    """A sensor is its configuration; nobody changes it afterwards."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        sensor.rate_hz = 5.0


def test_sense_is_deterministic(sensor):
    """Physics holds no chance: the same view gives the same signal."""
    assert same(sensor.sense(view_of(sensor)), sensor.sense(view_of(sensor)))


def test_same_seed_same_sample(sensor):
    """The sample is a function of the signal and the draws' address."""
    signal = sensor.sense(view_of(sensor))
    assert same(detect(sensor, signal), detect(sensor, signal))


@pytest.mark.parametrize("other", [{"seed": 2}, {"name": "other"}, {"index": 3}])
def test_other_address_other_sample(request, sensor, other):
    """Another seed, sensor name or sample number gives other chance."""
    if request.node.callspec.params["sensor"] in CERTAIN:
        pytest.skip("its chance is below its resolution")
    signal = sensor.sense(view_of(sensor))
    a, b = leaves(detect(sensor, signal)), leaves(detect(sensor, signal, **other))
    arrays = [(x, y) for x, y in zip(a, b, strict=True) if isinstance(x, np.ndarray) and x.dtype.kind in "fu"]
    assert any(x.tobytes() != y.tobytes() for x, y in arrays)


def test_inputs_are_not_written(sensor):
    """Neither sense nor detect changes what it was given."""
    signal = sensor.sense(view_of(sensor))
    before = copy.deepcopy(signal)
    detect(sensor, signal)
    assert same(before, signal)


def test_windows_follow_the_rate(sensor):
    """Sample k starts at phase + k / rate, rounded to a nanosecond, without drift."""
    for index in (0, 1, 7, 10**6):
        assert abs(sensor.start_ns(index, 5) - 5 - index * 1e9 / sensor.rate_hz) <= 0.5


def test_devices_name_their_sources():
    """Each catalogue entry says where its figures come from."""
    for name in device_names():
        assert device(name).sources
        assert device(name).title
