"""The inertial measurement unit: any set of accelerometer, gyroscope and magnetometer behind one connector.

    carrier's motion --looks--> true signals at each instrument's place --range, filter, rate, chain--> readings

`sense` looks at the motion `oversampling` times per reading where a filter wants it, and at the readings' instants only
where none does. `detect` runs the filters, which have memory, and the chains. A block of readings gives the same bytes
as its readings one by one: instants and draws are addressed by the number of the reading, counted from the start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal, NamedTuple, Self
from weakref import WeakKeyDictionary

import numpy as np
from annotated_types import Ge, Le
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.errors import ConfigurationError, Problem
from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.core.time import Times, TimeWindow
from sensorium.core.units import PositiveHertz
from sensorium.noise import Latency
from sensorium.samples import ImuSample, Stamp, TriaxialReadings
from sensorium.scene.view import View
from sensorium.sensors.inertial.accelerations import TrueDerivatives, VelocityDifferences
from sensorium.sensors.inertial.accelerometer import Accelerometer
from sensorium.sensors.inertial.gyroscope import Gyroscope
from sensorium.sensors.inertial.magnetometer import Magnetometer
from sensorium.sensors.inertial.mounting import mounting_of, packed
from sensorium.sensors.inertial.program import ImuState, Program
from sensorium.sensors.inertial.readings import Clock, reading_ns
from sensorium.sensors.inertial.triaxial import Triaxial
from sensorium.sensors.sensor import Sensor

Floats = NDArray[np.float64]
_NAMES = "accelerometer", "gyroscope", "magnetometer"
_QUANTITIES = "specific_force", "angular_velocity", "flux_density"


class Kernels(NamedTuple):
    """The compiled loops of an IMU."""

    feel: Callable[..., None]
    places: Callable[..., None]
    read: Callable[..., None]


@dataclass(frozen=True, eq=False)
class ImuSignal:
    """What the S instruments of an IMU feel at R x looks instants."""

    times_ns: Times
    """[R] instants of the readings."""
    felt: Floats
    """[S, R x looks, 3] in the instruments' frames."""
    force: Floats
    """[R x looks, 3] specific force on the gyroscope, where its readings depend on it; else none."""
    temperature_k: float


@configured
class Imu(Sensor[ImuSignal, ImuState]):
    """Reads `rate_hz` times a second, and hands out its readings in blocks as a FIFO does."""

    type: Literal["imu"] = "imu"
    device: str = ""
    """Name in the catalogue, or empty."""
    rate_hz: PositiveHertz
    """Of the readings; instruments may be slower, by a whole number."""
    readings: Annotated[int, Ge(1), Le(100_000)] = 1
    """In one sample, which is complete with its last reading. Blocks of 100 are simulated ten times as fast as single ones."""
    oversampling: Annotated[int, Ge(1), Le(64)] = 4
    """How many times per reading an anti-alias filter is given the motion."""
    accelerometer: Accelerometer | None = None
    gyroscope: Gyroscope | None = None
    magnetometer: Magnetometer | None = None
    accelerations: Annotated[TrueDerivatives | VelocityDifferences, Field(discriminator="type")] = Field(
        default_factory=TrueDerivatives
    )
    """Where the accelerations of the motion come from."""
    latency: Latency = Field(default_factory=Latency)
    """From the last reading of a block to its leaving."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if problems := [*self._problems()]:
            raise ConfigurationError(problems)
        return self

    def _problems(self) -> Iterator[Problem]:
        if not self._instruments:
            yield Problem("", f"an IMU needs at least one instrument; give it one of {', '.join(_NAMES)}")
        for name, each in self._instruments:
            share = self.rate_hz / (each.rate_hz or self.rate_hz)
            if abs(share - round(share)) > 1e-9 or share < 1:
                what = f"must be the IMU's rate of {self.rate_hz:g} Hz divided by a whole number, found {each.rate_hz:g} Hz"
                yield Problem(f"{name}.rate_hz", what)
            elif name != "magnetometer" and self.readings % round(share):
                what = f"a block holds whole readings of it: `readings` must be a multiple of {round(share)}, found {self.readings}"
                yield Problem(f"{name}.rate_hz", what)
            if each.filter is not None and not each.filter.bandwidth_hz < self.rate_hz * self.oversampling / 2:
                wrong = each.filter.too_wide(self.rate_hz * self.oversampling)
                yield Problem(f"{name}.filter.{wrong.where}", wrong.what)

    @cached_property
    def _instruments(self) -> tuple[tuple[str, Triaxial], ...]:
        each = zip(_NAMES, (self.accelerometer, self.gyroscope, self.magnetometer), strict=True)
        return tuple((name, instrument) for name, instrument in each if instrument is not None)

    @cached_property
    def _kinds(self) -> NDArray[np.int64]:
        return np.array([_NAMES.index(name) for name, _ in self._instruments])

    @cached_property
    def _looks(self) -> int:
        return self.oversampling if any(each.filter for _, each in self._instruments) else 1

    @cached_property
    def _clock(self) -> Clock:
        return Clock(self.rate_hz, self.readings, self._looks)

    @cached_property
    def _program(self) -> Program:
        return Program.of(self._instruments, self.rate_hz, self._looks)

    @cached_property
    def _outlets(self) -> tuple[tuple[str, int, Floats], ...]:
        """Name of the quantity, divisor of the rate and covariance of each instrument."""
        names = (_QUANTITIES[kind] for kind in self._kinds)
        return tuple(zip(names, self._program.divisors, self._program.covariances, strict=True))

    @cached_property
    def _kernels(self) -> Kernels:
        """The compiled loops, looked up once."""
        from sensorium.sensors.inertial.read_kernels import read
        from sensorium.sensors.inertial.sense_kernels import feel, places

        return Kernels(feel, places, read)

    @cached_property
    def _mountings(self) -> WeakKeyDictionary[Pose, Floats]:
        """Tables by the pose of the mount, which is the same object for all samples."""
        return WeakKeyDictionary()

    @cached_property
    def _gyroscope_row(self) -> int:
        felt = self.gyroscope is not None and self.gyroscope.feels_force
        return [name for name, _ in self._instruments].index("gyroscope") if felt else -1

    @cached_property
    def _iron(self) -> Floats:
        return np.zeros(12) if self.magnetometer is None else self.magnetometer.iron

    def start_ns(self, index: int, phase_ns: int = 0) -> int:
        """Return when block `index` starts: at its first reading."""
        return phase_ns + reading_ns(index * self.readings, self.rate_hz)

    def window(self, index: int, phase_ns: int = 0) -> TimeWindow:
        """Return the span from the first to the last reading of block `index`."""
        return self._clock.window(index, phase_ns)

    def delay_ns(self, draws: Draws) -> int:
        """Return the latency of one block."""
        return self.latency.delay_ns(draws)

    def sense(self, view: View) -> ImuSignal:
        """Return specific force, angular velocity and flux density where the instruments are."""
        times = self._clock.reading_times(view.window)
        looks = self._clock.looks(view.window, times)
        count = len(looks)
        body = packed(self.accelerations.kinematics(view.carrier, looks, self.rate_hz), count)
        mounts = self._mounted(view.T_body_sensor)
        felt, force = np.empty((len(mounts), count, 3)), np.empty((count if self._gyroscope_row >= 0 else 0, 3))
        gravity = np.array(view.scene.gravity_m_s2)
        flux = self._flux(view, body, mounts[-1], looks)
        self._kernels.feel(body, mounts, self._kinds, gravity, flux, self._iron, felt, force)
        return ImuSignal(times, felt, force, view.weather.temperature_k)

    def _mounted(self, pose: Pose) -> Floats:
        mounts = self._mountings.get(pose)
        if mounts is None:
            mounts = self._mountings[pose] = mounting_of(pose, [each.pose for _, each in self._instruments])
        return mounts

    def _flux(self, view: View, body: Floats, mount: Floats, looks: Times) -> Floats:
        """Return the field [N, 3] at the magnetometer, which is the last of the instruments; none without one."""
        if self.magnetometer is None:
            return np.empty((0, 3))
        place, flux = np.empty((len(body), 3)), np.empty((len(body), 3))
        self._kernels.places(body, mount, place)
        flux[:] = view.scene.flux_density_t(place, looks)
        return flux

    def initial_state(self, draws: Draws) -> ImuState:
        """Return the state before the first reading."""
        return self._program.begin(draws)

    def detect(self, signal: ImuSignal, state: ImuState, draws: Draws, stamp: Stamp) -> tuple[ImuSample, ImuState]:
        """Run filters and chains over one block."""
        memory, filters, out = state.memory.copy(), state.filters.copy(), np.empty((len(signal.felt), self.readings, 3))
        first = stamp.index * self.readings
        self._kernels.read(
            signal.felt.copy(), signal.force.copy(), self._gyroscope_row, self._program.tables, state.keys, memory, filters,
            first, self._looks, signal.temperature_k, out,
        )  # fmt: skip
        each = {
            quantity: self._readings(signal.times_ns, values, first, divisor, covariance)
            for values, (quantity, divisor, covariance) in zip(out, self._outlets, strict=True)
        }
        return ImuSample(stamp=stamp, **each), ImuState(state.keys, memory, filters)

    def _readings(
        self, times_ns: Times, values: Floats, first: int, divisor: int, covariance: Floats
    ) -> TriaxialReadings:
        """Return the readings of one instrument, which are those at its own rate."""
        if divisor > 1:
            times_ns = times_ns[-first % divisor :: divisor]
            values = values[: len(times_ns)]
        return TriaxialReadings(time_ns=times_ns, values=values, covariance=covariance)
