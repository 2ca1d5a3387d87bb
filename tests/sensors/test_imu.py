"""The IMU as an instrument: the chain in its order, blocks, rates, filter, latency, what it refuses."""

from __future__ import annotations

import numpy as np
import pytest
from inertial_records import WORLD, joined, record
from scipy import signal as dsp

from sensorium.core.configuration import build, to_document
from sensorium.core.errors import ConfigurationError, SceneError
from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.core.units import STANDARD_GRAVITY_M_S2 as G
from sensorium.motion.motion import Kinematics, Motion
from sensorium.motion.spinning import Spinning
from sensorium.noise import LowPass
from sensorium.samples import ImuSample
from sensorium.scene.body import Body
from sensorium.scene.scene import Scene
from sensorium.sensors import AnySensor, Imu, sensor_of
from sensorium.simulation import Mount, Simulation

WHITE = {"type": "white_noise", "sigma": 0.1}
TURNING = Spinning(angular_velocity_rad_s=(0.3, -0.2, 1.0))
FULL = {
    "rate_hz": 1125.0,  # its period is no whole number of nanoseconds
    "oversampling": 3,
    "accelerometer": {
        "pose": {"position_m": [0.1, 0, 0]},
        "input_range": {"type": "saturation", "lower": -12, "upper": 12},
        "filter": {"type": "low_pass", "bandwidth_hz": 200, "order": 4},
        "chain": [
            WHITE,
            {"type": "bias_instability", "level": 0.01, "correlation_s": 1},
            {"type": "random_walk", "walk": 0.01},
        ],
    },
    "gyroscope": {
        "filter": {"type": "low_pass", "bandwidth_hz": 100},
        "chain": [
            {"type": "linear_acceleration_effect", "matrix": [["1 deg/s/g", 0, 0], [0, 0, 0], [0, 0, 0]]},
            {"type": "turn_on_bias", "sigma": 0.1},
            WHITE,
        ],
    },
    "magnetometer": {"rate_hz": 125.0, "chain": [{"type": "white_noise", "sigma": "10 nT"}]},
}


class Shaking(Motion):
    """Moves along x as A sin(w t)/w^2, so that the acceleration is -A sin(w t)."""

    def __init__(self, frequency_hz: float) -> None:
        self.w = 2 * np.pi * frequency_hz

    def pose_at(self, times_ns):
        return self.kinematics_at(times_ns).pose

    def kinematics_at(self, times_ns):
        t = np.asarray(times_ns) * 1e-9
        along, still = np.zeros((*t.shape, 3)), np.zeros((*t.shape, 3))
        along[..., 0] = -np.sin(self.w * t)
        turn = np.zeros((*t.shape, 4))
        turn[..., 0] = 1
        return Kinematics(Pose(-along / self.w**2, turn), still, still, along, still)


def test_the_chain_of_the_published_model_in_its_order() -> None:
    """u' = A (clamp(u) + b), + A_lae f, + N(0, s^2), + N(0, (NSD sqrt(rate))^2): by hand, and the rest is noise of that size."""
    lower, upper, bias = np.array((-1.0, -0.5, -2)), np.array((0.2, 1.0, 0.9)), np.array((0.01, -0.02, 0.03))
    matrix = np.array(((1, 0.02, 0), (0.01, 1, -0.01), (0, 0.03, 1)))
    effect = np.array(((0.001, 0, 0), (0, 0.002, 0), (0.0005, 0, 0.003)))
    imu = Imu(
        rate_hz=400.0, readings=20_000,
        gyroscope={
            "input_range": {"type": "saturation", "lower": lower.tolist(), "upper": upper.tolist()},
            "chain": [
                {"type": "bias", "offset": bias.tolist()}, {"type": "cross_axis", "matrix": matrix.tolist()},
                {"type": "linear_acceleration_effect", "matrix": effect.tolist()}, {"type": "white_noise", "sigma": 0.003},
                {"type": "spectral_noise", "density": 0.0002},
            ],
        },
    )  # fmt: skip
    (sample,) = record(imu, 1, Spinning(angular_velocity_rad_s=(0.4, -0.3, 1.5)))
    turn = Spinning(angular_velocity_rad_s=(0.4, -0.3, 1.5)).pose_at(sample.angular_velocity.time_ns).inverse()
    force = turn.rotate(np.tile((0, 0, G), (20_000, 1)))
    truth = turn.rotate(np.tile((0.4, -0.3, 1.5), (20_000, 1)))
    expected = (np.clip(truth, lower, upper) + bias) @ matrix.T + force @ effect.T
    noise, sigma = sample.angular_velocity_rad_s - expected, np.hypot(0.003, 0.0002 * 20)
    assert np.abs(noise.mean(0)).max() < 4.5 * sigma / np.sqrt(20_000)
    assert noise.std(0) == pytest.approx(sigma, rel=4.5 / np.sqrt(40_000))
    assert sample.angular_velocity.covariance == pytest.approx(np.eye(3) * sigma**2)


@pytest.mark.parametrize("readings", [9, 90, 900])
def test_blocks_give_the_same_bytes(readings) -> None:
    """900 readings one by one and in blocks, filters, walks, slow compass and odd period included: bit for bit the same."""
    single = record(Imu(readings=1, **FULL), 900, TURNING, phase_ns=7)
    blocks = record(Imu(readings=readings, **FULL), 900 // readings, TURNING, phase_ns=7)
    for what in ("specific_force", "angular_velocity", "flux_density"):
        assert joined(single, what).tobytes() == joined(blocks, what).tobytes()
        times = [np.concatenate([getattr(each, what).time_ns for each in record]) for record in (single, blocks)]
        assert times[0].tolist() == times[1].tolist()
    assert len(joined(blocks, "flux_density")) == 100


def test_instants_follow_the_number_of_the_reading() -> None:
    """Reading k is taken at phase + k / rate, rounded to a nanosecond; a block is ready with its last reading."""
    imu = Imu(rate_hz=1125.0, readings=100, gyroscope={})
    window = imu.window(12345, 7)
    assert window.start_ns == 7 + round(1_234_500 * 1e9 / 1125)
    assert window.end_ns == 7 + round(1_234_599 * 1e9 / 1125)
    (sample,) = record(Imu(rate_hz=1125.0, readings=10, gyroscope={}), 1)
    assert sample.angular_velocity.time_ns.tolist() == [round(k * 1e9 / 1125) for k in range(10)]


@pytest.mark.parametrize(("order", "bandwidth_hz"), [(2, 100.0), (4, 150.0), (6, 40.0)])
def test_filter_is_a_butterworth(order, bandwidth_hz) -> None:
    """Sections against scipy.signal.butter: the same response at all frequencies; -3 dB at the bandwidth."""
    sections = LowPass(bandwidth_hz=bandwidth_hz, order=order).sections(800.0)
    ours = np.insert(sections, 3, 1.0, axis=1)
    at = np.array((0.001, 1.0, bandwidth_hz, 2 * bandwidth_hz, 390.0))
    theirs = dsp.butter(order, bandwidth_hz, fs=800.0, output="sos")
    response, expected = (dsp.sosfreqz(each, at, fs=800.0)[1] for each in (ours, theirs))
    np.testing.assert_allclose(response, expected, rtol=1e-9, atol=1e-12)
    assert abs(response[2]) ** 2 == pytest.approx(0.5)


def test_the_filter_runs_over_the_motion_between_readings() -> None:
    """At 100 Hz with four looks per reading: a shake of 131 Hz is let through folded without the filter, and damped with it.

    Behind the filter the readings are those of scipy's own filter over the motion at 400 Hz.
    """
    low_pass = {"type": "low_pass", "bandwidth_hz": 20, "order": 4}
    imu = Imu(rate_hz=100.0, oversampling=4, readings=500, accelerometer={"filter": low_pass})
    (filtered,), (plain,) = (
        record(imu, 1, Shaking(131.0)),
        record(Imu(rate_hz=100.0, readings=500, accelerometer={}), 1, Shaking(131.0)),
    )
    assert np.ptp(plain.specific_force_m_s2[:, 0]) == pytest.approx(2.0, rel=0.01)
    assert np.abs(filtered.specific_force_m_s2[100:, 0]).max() < 2 * (20 / 131) ** 4
    looks = np.maximum(np.arange(-3, 1997) * 2_500_000, 0)
    felt = Shaking(131.0).kinematics_at(looks).acceleration_m_s2[:, 0]
    sections = dsp.butter(4, 20.0, fs=400.0, output="sos")
    theirs = dsp.sosfilt(sections, felt, zi=dsp.sosfilt_zi(sections) * felt[0])[0][3::4]
    np.testing.assert_allclose(filtered.specific_force_m_s2[:, 0], theirs, atol=1e-9)


def test_input_range_acts_in_front_of_the_filter() -> None:
    """A shake beyond the range is cut before it is smoothed: the filtered reading stays below the range and keeps its mean."""
    low_pass, limit = (
        {"type": "low_pass", "bandwidth_hz": 5},
        {"type": "saturation", "lower": -20, "upper": [0.1, 20, 20]},
    )
    imu = Imu(rate_hz=200.0, readings=2000, accelerometer={"filter": low_pass, "input_range": limit})
    (sample,) = record(imu, 1, Shaking(53.0))
    phase = np.linspace(0, 2 * np.pi, 100_001)
    assert sample.specific_force_m_s2[500:, 0].mean() == pytest.approx(np.minimum(np.sin(phase), 0.1).mean(), abs=0.01)


def test_axes_that_are_missing_read_nothing() -> None:
    """A single-axis gyroscope: NaN on x and y, infinite variance there."""
    (sample,) = record(Imu(rate_hz=10.0, gyroscope={"axes": ["z"], "chain": [WHITE]}), 1, TURNING)
    assert np.isnan(sample.angular_velocity_rad_s[0]).tolist() == [True, True, False]
    assert np.diag(sample.angular_velocity.covariance).tolist() == pytest.approx([np.inf, np.inf, 0.01])
    assert sample.specific_force is None
    assert sample.specific_force_m_s2.shape == (0, 3)


def test_temperature_comes_from_the_weather() -> None:
    """The drift is that of the air's temperature: 288.15 K of the standard weather against 298.15 K of calibration."""
    drift = {"type": "temperature_drift", "bias": "1 mg/K"}
    (sample,) = record(Imu(rate_hz=10.0, accelerometer={"chain": [drift]}), 1)
    assert sample.specific_force_m_s2[0, 0] == pytest.approx(-10e-3 * G)


def simulated(seed: int = 5, names: tuple[str, ...] = ("left", "right"), **settings) -> dict[str, list[ImuSample]]:
    scene = Scene((Body("car", _box(), TURNING),), magnetic_field=WORLD.magnetic_field)
    rig = [Mount(name=name, sensor=Imu(**{**FULL, **settings}), body="car") for name in names]
    found: dict[str, list[ImuSample]] = {name: [] for name in names}
    for sample in Simulation(scene, rig, seed=seed, truth_rate_hz=None).samples(0.02):
        assert isinstance(sample, ImuSample)
        found[sample.stamp.sensor].append(sample)
    return found


def _box():
    from worlds import mesh_of_box, model_of

    return model_of(mesh_of_box((1, 1, 1)))


def test_same_seed_same_bytes_in_a_simulation() -> None:
    """Twice the same; another seed, and another name, are other noise; a further sensor changes nothing."""
    once, again, other = simulated(), simulated(), simulated(seed=6)
    alone = simulated(names=("left",))
    assert joined(once["left"]).tobytes() == joined(again["left"]).tobytes() == joined(alone["left"]).tobytes()
    assert (joined(once["left"]) != joined(other["left"])).any()
    assert (joined(once["left"]) != joined(once["right"])).any()
    turned = [joined(once[name]) - joined(once[name]).mean(0) for name in ("left", "right")]
    assert abs(np.corrcoef(turned[0][:, 0], turned[1][:, 0])[0, 1]) < 4.5 / np.sqrt(len(turned[0]))


def test_latency_delays_the_samples() -> None:
    """Samples leave 2 ms after their reading, and up to 1 ms more, drawn anew for each; the stamp is that of the reading."""
    found = simulated(latency={"delay_s": "2 ms", "jitter_s": "1 ms"})["left"]
    delays = [each.stamp.ready_ns - each.stamp.time_ns for each in found[5:]]
    assert min(delays) >= 2_000_000
    assert max(delays) <= 3_000_000 + 888_889  # one that is late holds up the one behind it
    assert len(set(delays)) > 5


def test_devices_are_made_by_name_and_documents_make_them_again() -> None:
    imu = sensor_of("sensonor_stim300", readings=50)
    assert imu.readings == 50
    assert build(AnySensor, to_document(imu)) == imu


def test_a_magnetometer_needs_a_field() -> None:
    with pytest.raises(SceneError, match="the scene has no magnetic field"):
        record(Imu(rate_hz=10.0, magnetometer={}), 1, scene=Scene())


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({}, "an IMU needs at least one instrument; give it one of accelerometer, gyroscope, magnetometer"),
        ({"gyroscope": {"axes": ["w"]}}, "gyroscope.axes[0]: 'w' is not known. Known: x, y, z"),
        ({"gyroscope": {"axes": ["x", "x"]}}, "gyroscope.axes: each axis may stand there once"),
        ({"gyroscope": {"chain": [{"type": "white_noise", "sigma": "-1 deg/s"}]}}, "gyroscope.chain[0].sigma: must be at least 0"),
        ({"gyroscope": {"chain": [{"type": "white_noise", "sigma": "5 mg"}]}},
         "gyroscope.chain[0].sigma is written in a unit of another kind (m/s^2); expected one of rad/s, deg/s"),
        ({"accelerometer": {"chain": [{"type": "quantisation", "sensitivity": "131 LSB/(deg/s)"}]}}, "LSB/g"),
        ({"accelerometer": {"chain": [{"type": "spectral_noise", "density": "5 mg"}]}}, "ug/sqrt(Hz)"),
        ({"accelerometer": {"input_range": {"type": "saturation", "lower": "4 g", "upper": "-4 g"}}},
         "accelerometer.input_range: lower must lie below upper, found 39.2266 to -39.2266 on axis x"),
        ({"accelerometer": {"input_range": {"type": "saturation", "lower": "-4 deg/s", "upper": "4 g"}}}, "input_range.lower"),
        ({"accelerometer": {"chain": [{"type": "cross_axis", "matrix": [[1, 0, 0], [0, 1, 0], [0, 0, 0]]}]}},
         "accelerometer.chain[0]: matrix cannot be inverted: its smallest singular value is 0"),
        ({"magnetometer": {"soft_iron": [[1, 1, 0], [1, 1, 0], [0, 0, 1]]}}, "soft_iron cannot be inverted"),
        ({"accelerometer": {"chain": [{"type": "linear_acceleration_effect", "matrix": [[0, 0, 0]] * 3}]}}, "is not known"),
        ({"magnetometer": {"rate_hz": 30}}, "magnetometer.rate_hz: must be the IMU's rate of 100 Hz divided by a whole number"),
        ({"gyroscope": {"rate_hz": 50}}, "gyroscope.rate_hz: a block holds whole readings of it: `readings` must be"),
        ({"gyroscope": {"filter": {"type": "low_pass", "bandwidth_hz": 200}}},
         "gyroscope.filter.bandwidth_hz: must be less than half the rate at which the motion is looked at, 200 Hz, found 200 Hz"),
        ({"gyrscope": {}}, "gyrscope is not a setting of Imu. Did you mean 'gyroscope'"),
    ],
)  # fmt: skip
def test_bad_settings_are_refused(settings, says) -> None:
    """Where, what was found, what is right."""
    with pytest.raises(ConfigurationError) as caught:
        build(Imu, {"rate_hz": 100, **settings})
    assert says in str(caught.value)


def test_draws_of_the_run_do_not_depend_on_the_sample() -> None:
    """The state before the first reading is the same whichever sample asks for it."""
    imu = Imu(**FULL)
    states = [imu.initial_state(Draws(1, sensor="it", sample=k)) for k in (-1, 5)]
    assert states[0].keys.tobytes() == states[1].keys.tobytes()
