"""A world driven by its sensors gives what the same commands give in an open loop."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sensorium.core.errors import ConfigurationError, MotionError, SceneError
from sensorium.samples import EncoderReading, OdometerReading, TruthSample
from sensorium.simulation.scenario import Scenario, scenario_of

DOCUMENT = {
    "name": "drive",
    "seed": 5,
    "world": {"type": "mujoco", "file": "road_vehicle"},
    "rig": [
        {
            "name": "wheel",
            "body": "car",
            "sensor": {
                "type": "encoder",
                "joint": "rear_left_wheel",
                "rate_hz": 100,
                "edges": True,
                "scale": {"type": "rotary", "counts_per_turn": 192, "noise_rad": 0.01},
            },
        },
        {
            "name": "way",
            "body": "car",
            "sensor": {"type": "odometer", "joint": "rear_right_wheel", "wheel_radius_m": 0.316, "noise_m": 0.01},
        },
    ],
    "truth": {"rate_hz": 50},
}


def scenario(**world) -> Scenario:
    return scenario_of({**DOCUMENT, "world": {**DOCUMENT["world"], **world}})


def bytes_of(sample) -> bytes:
    """All arrays of a sample with its stamp, as bytes."""
    parts = [repr(sample.stamp).encode()]
    if isinstance(sample, EncoderReading):
        parts += [sample.position.tobytes(), sample.velocity.tobytes(), sample.edges.time_ns.tobytes()]
    elif isinstance(sample, OdometerReading):
        parts += [sample.distance_m.tobytes(), sample.speed_m_s.tobytes()]
    elif isinstance(sample, TruthSample):
        parts += [
            sample.pose.position_m.tobytes(),
            sample.pose.quaternion.tobytes(),
            sample.acceleration_m_s2.tobytes(),
        ]
    return b"".join(parts)


def drive(made: Scenario, steps: int):
    """Drive by the speed that the wheel's encoder tells, towards 3 m/s; return samples and commands."""
    loop = made.closed_loop()
    samples, commands, drive_nm = list(loop.start()), [], 0.0
    for _ in range(steps):
        for sample in samples[-3:]:
            if isinstance(sample, EncoderReading):
                drive_nm = float(np.clip(800 * (3.0 - 0.316 * sample.velocity[0]), -2000, 2000))
        command = {"drive": drive_nm, "steering": 0.1}
        commands.append((loop.now_ns, drive_nm))
        samples += loop.advance(command)
    return samples, commands


def test_open_loop_repeats_closed_loop(tmp_path: Path) -> None:
    """The commands of a drive, written as a table, give the same samples to the last bit."""
    closed, commands = drive(scenario(), 1000)
    table = tmp_path / "drive.csv"
    table.write_text(
        "time_s,drive,steering\n" + "".join(f"{time_ns / 1e9!r},{value!r},0.1\n" for time_ns, value in commands)
    )
    made = scenario(commands={"type": "csv", "path": str(table)})
    opened = list(made.simulation().samples(2.0))
    assert len(opened) > 300
    assert [bytes_of(sample) for sample in opened] == [bytes_of(sample) for sample in closed]
    speeds = [sample.velocity[0] * 0.316 for sample in closed if isinstance(sample, EncoderReading)]
    assert np.mean(speeds[-50:]) == pytest.approx(3.0, abs=0.5)


def test_the_same_drive_twice() -> None:
    one, two = (drive(scenario(), 200)[0] for _ in range(2))
    assert [bytes_of(sample) for sample in one] == [bytes_of(sample) for sample in two]


def test_who_asks_first_changes_nothing() -> None:
    """The engine runs ahead as far as anybody asks: a look into the future does not change the past."""
    early, late = (
        scenario(commands={"type": "constant", "values": {"drive": 900}}),
        scenario(commands={"type": "constant", "values": {"drive": 900}}),
    )
    late.scene.body("car").motion.pose_at(np.array([1_500_000_000]))
    a, b = (list(made.simulation().samples(0.5)) for made in (early, late))
    assert [bytes_of(sample) for sample in a] == [bytes_of(sample) for sample in b]


def test_only_an_engine_can_be_driven() -> None:
    street = scenario_of({"name": "street", "world": {"type": "street", "length_m": 60}})
    with pytest.raises(ConfigurationError, match=r"world is of type street, .* needs \{type: mujoco\}"):
        street.closed_loop()


def test_wrong_commands() -> None:
    loop = scenario().closed_loop()
    with pytest.raises(MotionError, match=r"no actuator 'driev' in the model\. Did you mean 'drive'"):
        loop.advance({"driev": 1.0})
    with pytest.raises(MotionError, match=r"expected 3 control values \(steering, drive, brake\), found shape \(2,\)"):
        loop.advance([1.0, 2.0])
    with pytest.raises(MotionError, match="must be finite"):
        loop.advance({"drive": float("nan")})
    with pytest.raises(MotionError, match=r"known until 0 s, but 1 s was asked for; advance it first"):
        loop.simulation.scene.body("car").motion.pose_at(np.array([10**9]))


@pytest.mark.parametrize(
    ("sensor", "told"),
    [
        ({"joint": "rear_lef_wheel"}, r"'wheel': there is no joint 'rear_lef_wheel'.*Did you mean 'rear_left_wheel'"),
        ({"joint": "car"}, r"the joint 'car' is a free joint, which has no single coordinate"),
        ({"joint": "rear_left_suspension"}, r"is prismatic; an encoder on it needs a linear scale, found rotary"),
        (
            {"rate_hz": 1000},
            r"measures every 1 ms, but the physics of 'car' take steps of 2 ms; set world.step_s to 0.001",
        ),
    ],
)
def test_sensors_that_do_not_fit(sensor, told) -> None:
    rig = [{**DOCUMENT["rig"][0], "sensor": {**DOCUMENT["rig"][0]["sensor"], **sensor}}]
    with pytest.raises(SceneError, match=told):
        scenario_of({**DOCUMENT, "rig": rig}).simulation()


def test_sensor_on_an_unknown_body() -> None:
    with pytest.raises(ConfigurationError, match=r"no body in the world named 'cat'\. Did you mean 'car'"):
        scenario_of({**DOCUMENT, "rig": [{**DOCUMENT["rig"][0], "body": "cat"}]})
