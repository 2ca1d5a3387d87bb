"""Messages of an IMU by a reader that we did not write, and the way back."""

from __future__ import annotations

import math

import numpy as np
import pytest
from inertial_records import record
from rosbags.typesys import Stores, get_typestore

from sensorium.core.errors import RecordingError
from sensorium.motion.spinning import Spinning
from sensorium.recording.inertial_reader import ImuReader
from sensorium.recording.messages import messages_of
from sensorium.recording.received import Received
from sensorium.recording.ros_conventions import RosConventions, Topic
from sensorium.recording.ros_inertial import FIELD_TYPE, IMU_TYPE
from sensorium.samples import ImuSample
from sensorium.sensors import Imu

STORE = get_typestore(Stores.ROS2_JAZZY)
CONVENTIONS = RosConventions(epoch_ns=1_000_000_000_000_000_000)
NOISE = {"chain": [{"type": "white_noise", "sigma": [1e-3, 2e-3, 3e-3]}]}
TURNING = Spinning(angular_velocity_rad_s=(0.1, 0.2, 0.3))


def decoded(sample: ImuSample) -> list:
    each = messages_of(sample, CONVENTIONS)
    return [(message.topic.name, STORE.deserialize_cdr(message.cdr, message.topic.type_name)) for message in each]


def xyz(vector) -> list[float]:
    return [vector.x, vector.y, vector.z]


def test_one_message_per_reading() -> None:
    """A block of 20 readings at 200 Hz, the compass at 50 Hz: 20 Imu and 5 MagneticField, values and stamps to the bit."""
    imu = Imu(rate_hz=200.0, readings=20, accelerometer=NOISE, gyroscope=NOISE, magnetometer={"rate_hz": 50.0})
    sample = record(imu, 2, TURNING, name="left")[1]
    each = decoded(sample)
    turned = [message for name, message in each if name == "/left/data_raw"]
    fields = [message for name, message in each if name == "/left/mag"]
    assert (len(turned), len(fields), len(each)) == (20, 5, 25)
    for row, message in enumerate(turned):
        assert xyz(message.angular_velocity) == sample.angular_velocity_rad_s[row].tolist()
        assert xyz(message.linear_acceleration) == sample.specific_force_m_s2[row].tolist()
        assert (message.header.stamp.sec, message.header.stamp.nanosec) == (
            1_000_000_000,
            100_000_000 + row * 5_000_000,
        )
        assert message.header.frame_id == "left"
    assert [xyz(message.magnetic_field) for message in fields] == sample.flux_density_t.tolist()


def test_covariances_are_those_of_the_configuration() -> None:
    """sigma^2 on the diagonal; -1 says that there is no orientation (sensor_msgs/Imu)."""
    ((_, message),) = decoded(record(Imu(rate_hz=10.0, accelerometer=NOISE, gyroscope=NOISE), 1)[0])
    assert message.orientation_covariance[0] == -1
    assert xyz(message.orientation) == [0, 0, 0]
    assert message.orientation.w == 1
    for covariance in (message.angular_velocity_covariance, message.linear_acceleration_covariance):
        np.testing.assert_allclose(covariance.reshape(3, 3), np.diag([1e-6, 4e-6, 9e-6]), rtol=1e-12)


def test_what_is_not_there_is_said() -> None:
    """Without an accelerometer its covariance starts with -1; an axis that is missing is NaN with infinite variance."""
    ((_, message),) = decoded(record(Imu(rate_hz=10.0, gyroscope={"axes": ["z"]}), 1, TURNING)[0])
    assert message.linear_acceleration_covariance[0] == -1
    assert [math.isnan(value) for value in xyz(message.angular_velocity)] == [True, True, False]
    assert np.diag(message.angular_velocity_covariance.reshape(3, 3)).tolist() == [math.inf, math.inf, 0]


def test_a_slower_instrument_is_held() -> None:
    """The register of an accelerometer at half the rate holds each reading for two messages."""
    imu = Imu(rate_hz=100.0, readings=4, accelerometer={"rate_hz": 50.0, **NOISE}, gyroscope=NOISE)
    (sample,) = record(imu, 1)
    pulls = [xyz(message.linear_acceleration) for _, message in decoded(sample)]
    assert pulls == np.repeat(sample.specific_force_m_s2, 2, axis=0).tolist()


def test_lost_readings_give_no_message() -> None:
    """A lost quantity has -1 in its covariance; if all are lost nothing is sent; a compass sends nothing either."""
    lost = {"chain": [{"type": "dropout", "probability": 0.5}]}
    imu = Imu(rate_hz=100.0, readings=200, accelerometer=lost, gyroscope=lost, magnetometer=lost)
    (sample,) = record(imu, 1)
    there = [~np.isnan(values[:, 0]) for values in (sample.specific_force_m_s2, sample.angular_velocity_rad_s)]
    each = decoded(sample)
    turned = [message for name, message in each if name.endswith("data_raw")]
    assert len(turned) == (there[0] | there[1]).sum() < 200
    assert sum(message.linear_acceleration_covariance[0] == 0 for message in turned) == there[0].sum()
    assert len(each) - len(turned) == (~np.isnan(sample.flux_density_t[:, 0])).sum() < 200


def test_there_and_back() -> None:
    """The reader gives every reading as a sample of its own: same instants, same values, same covariances."""
    imu = Imu(rate_hz=100.0, readings=10, accelerometer=NOISE, magnetometer={"rate_hz": 20.0})
    (sample,) = record(imu, 1, TURNING)
    reader, epoch = ImuReader(), CONVENTIONS.epoch_ns
    back = [
        reader.take(Received(message.topic, bytes(message.cdr), 0, 90_000_000, epoch))
        for message in messages_of(sample, CONVENTIONS)
    ]
    forces = [each.specific_force for each in back if each.specific_force is not None]
    fields = [each.flux_density for each in back if each.flux_density is not None]
    assert np.concatenate([each.values for each in forces]).tolist() == sample.specific_force_m_s2.tolist()
    assert np.concatenate([each.time_ns for each in fields]).tolist() == [0, 50_000_000]
    assert np.concatenate([each.values for each in fields]).tolist() == sample.flux_density_t.tolist()
    assert forces[3].covariance == pytest.approx(sample.specific_force.covariance)
    assert all(each.angular_velocity is None for each in back)


@pytest.mark.parametrize("frame", ["", "a", "imu", "imu_link", "a_frame_with_a_long_name"])
@pytest.mark.parametrize("little_endian", [True, False])
def test_messages_of_others_are_read(frame: str, little_endian: bool) -> None:
    """Any frame, either order of bytes, as rosbags writes them: stamp, vectors and covariances come out as they went in."""
    types = STORE.types
    vector, header = (
        types["geometry_msgs/msg/Vector3"],
        types["std_msgs/msg/Header"](types["builtin_interfaces/msg/Time"](12, 34), frame),
    )
    turn = types["geometry_msgs/msg/Quaternion"](0.0, 0.0, 0.0, 1.0)
    first, second, third = (np.arange(9.0) + shift for shift in (0, 10, 20))
    imu = types[IMU_TYPE](header, turn, first, vector(1.0, 2.0, 3.0), second, vector(4.0, 5.0, 6.0), third)
    field = types[FIELD_TYPE](header, vector(7.0, 8.0, 9.0), second)
    samples = [
        ImuReader().take(
            Received(
                Topic("/it", name), bytes(STORE.serialize_cdr(message, name, little_endian=little_endian)), 3, 5, 0
            )
        )
        for name, message in ((IMU_TYPE, imu), (FIELD_TYPE, field))
    ]
    assert [sample.stamp.time_ns for sample in samples] == [12_000_000_034] * 2
    assert samples[0].angular_velocity_rad_s.tolist() == [[1, 2, 3]]
    assert samples[0].specific_force_m_s2.tolist() == [[4, 5, 6]]
    assert samples[0].specific_force.covariance.ravel().tolist() == third.tolist()
    assert samples[1].flux_density_t.tolist() == [[7, 8, 9]]


@pytest.mark.parametrize("kept", [0, 3, 10, 100])
def test_a_message_that_is_cut_off_is_told(kept: int) -> None:
    (sample,) = record(Imu(rate_hz=10.0, gyroscope={}), 1)
    (message,) = messages_of(sample, CONVENTIONS)
    with pytest.raises(RecordingError, match=f"/imu/data_raw is cut off after {kept} bytes"):
        ImuReader().take(Received(message.topic, bytes(message.cdr)[:kept], 0, 0, 0))
