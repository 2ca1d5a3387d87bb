"""A receiver of navigation satellites."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, field_validator

from sensorium.core.configuration import configured
from sensorium.core.earth import SPEED_OF_LIGHT_M_S, geodetic_of_one
from sensorium.core.errors import ConfigurationError, SceneError, did_you_mean
from sensorium.core.random import Draws
from sensorium.core.time_scales import gps_of_unix_ns, leap_seconds, unix_of_gps_ns
from sensorium.core.units import Metres, NonNegativeMetres, NonNegativeNumber, PositiveHertz, Radians
from sensorium.ephemeris.sources import AnyOrbitSource, Nominal
from sensorium.positioning.ranges import Models
from sensorium.samples import Stamp
from sensorium.samples.gnss import FixType, GnssFix, GnssSatellites, GnssTruth
from sensorium.scene.scene import Scene
from sensorium.scene.view import View
from sensorium.sensors.gnss.antenna import AnyAntenna, Patch
from sensorium.sensors.gnss.clock import ClockState, ReceiverClock
from sensorium.sensors.gnss.interference import BaseStation, Jammer, Spoofer, Tunnel
from sensorium.sensors.gnss.measuring import Measured, measure
from sensorium.sensors.gnss.reception import Reception, receive
from sensorium.sensors.gnss.rtk import Rtk
from sensorium.sensors.gnss.signals import L1_HZ, SIGNALS
from sensorium.sensors.gnss.sky_errors import SkyErrors
from sensorium.sensors.gnss.solutions import Answer, Epoch, Filtered, LeastSquares, ranges_of
from sensorium.sensors.gnss.tracking import Loops, LoopState
from sensorium.sensors.sensor import Sensor


@dataclass(frozen=True, eq=False)
class GnssState:
    """What a receiver remembers from one epoch to the next."""

    gps_ns: int = 0
    """True time of the last epoch; 0: none yet."""
    clock: ClockState | None = None
    loops: LoopState | None = None
    place_m: NDArray[np.float64] | None = None
    """ECEF of the last fix."""
    solving: Any = None


@configured
class Gnss(Sensor[Reception, GnssState]):
    """A satellite receiver; its antenna sits at the sensor's origin and looks along the sensor's z axis.

    The scene needs an `origin`, which says where on Earth it lies and when the scenario starts.
    """

    type: Literal["gnss"] = "gnss"
    device: str | None = None
    """Name in the catalogue."""
    rate_hz: PositiveHertz = 10.0
    orbits: AnyOrbitSource = Field(default_factory=Nominal)
    signals: Annotated[tuple[str, ...], Field(min_length=1)] = ("GPS L1", "Galileo E1")
    """Of the list in `signals`, per satellite in the order given; a second one of a satellite is on the lower band."""
    antenna: AnyAntenna = Field(default_factory=Patch)
    noise_figure_db: NonNegativeNumber = 2.0
    loss_db: NonNegativeNumber = 2.0
    """Of cable, filters and quantisation."""
    bandwidth_hz: PositiveHertz = 8e6
    """Of the front end in the upper band, two-sided; the lower band has at least 20.46 MHz."""
    loops: Loops = Field(default_factory=Loops)
    clock: ReceiverClock = Field(default_factory=ReceiverClock)
    mask_rad: Annotated[Radians, Field(ge=0, lt=1.5)] = 0.0873
    """Satellites lower than this are not used for the fix."""
    solving: Annotated[LeastSquares | Filtered | Rtk, Field(discriminator="type")] = Field(default_factory=LeastSquares)
    dual_frequency: bool = True
    """Whether two bands of a satellite are combined against the ionosphere."""
    range_sigma_m: NonNegativeMetres = 0.8
    """What the receiver allows for errors of a range that are not noise: orbits, clocks, troposphere, reflections."""
    ionosphere_sigma_m: NonNegativeMetres = 1.5
    """What it allows besides for the ionosphere where it has one band (L1, in the zenith)."""
    ionosphere: bool = True
    """Whether the true air has one; the receiver corrects it by the broadcast model in any case."""
    second_order_ionosphere: bool = False
    troposphere: bool = True
    sky_errors: SkyErrors = Field(default_factory=SkyErrors)
    jammers: tuple[Jammer, ...] = ()
    spoofers: tuple[Spoofer, ...] = ()
    tunnels: tuple[Tunnel, ...] = ()
    base_station: BaseStation | None = None
    undulation_m: Metres = 0.0
    """Height of the geoid above the ellipsoid here, for heights above the sea in NMEA and UBX."""
    raw: bool = True
    """Whether samples carry the raw measurements."""
    truth: bool = True

    @field_validator("signals")
    @classmethod
    def _known_signals(cls, signals: tuple[str, ...]) -> tuple[str, ...]:
        for signal in signals:
            if signal not in SIGNALS:
                raise ValueError(f"'{signal}' is no signal that is known.{did_you_mean(signal, SIGNALS)}")
        bands = [(SIGNALS[signal].system, SIGNALS[signal].lower) for signal in signals]
        if len(set(bands)) < len(bands):
            raise ValueError("of each system at most one signal in the upper and one in the lower band can be tracked")
        return tuple(sorted(signals, key=lambda signal: SIGNALS[signal].lower))

    def check(self, scene: Scene) -> None:
        """Raise if the scene does not say where on Earth it lies, or the orbits do not serve its start."""
        gps_ns = gps_of_unix_ns(scene.place_on_earth.start_unix_ns)
        try:
            self.orbits.orbits_at(gps_ns)
        except ConfigurationError as error:
            raise SceneError(str(error)) from None

    def sense(self, view: View) -> Reception:
        """Return what reaches the antenna: direct, round edges, over walls and ground; air and interference."""
        return receive(self, view)

    def initial_state(self, draws: Draws) -> GnssState:
        """Return the state of a receiver that has just been switched on and knows the ephemerides."""
        return GnssState(clock=self.clock.start(draws))

    def detect(self, signal: Reception, state: GnssState, draws: Draws, stamp: Stamp) -> tuple[GnssFix, GnssState]:
        """Track, measure and solve."""
        first = state.gps_ns == 0
        step_s = (signal.gps_ns - state.gps_ns) * 1e-9 if not first else 1 / self.rate_hz
        clock = state.clock or self.clock.start(draws)
        if not first:
            clock = self.clock.after(clock, step_s, draws)
        measured = measure(self, signal, state.loops, clock, step_s, first, draws)
        ranges = ranges_of(measured.raw, self.dual_frequency, self.range_sigma_m, self.ionosphere_sigma_m)
        models = Models(signal.orbits.klobuchar if self.ionosphere else None, self.troposphere)
        jump_m = clock.jumped_s * SPEED_OF_LIGHT_M_S
        epoch = Epoch(self, signal, measured, ranges, models, state.place_m, jump_m, draws)
        answer, solving = self.solving.solve(epoch, state.solving)
        place = answer.position_m if answer.fix != FixType.NONE else state.place_m
        after = GnssState(signal.gps_ns, clock, measured.loops, place, solving)
        return self._sample(signal, measured, answer, clock, stamp), after

    def _sample(
        self, reception: Reception, measured: Measured, answer: Answer, clock: ClockState, stamp: Stamp
    ) -> GnssFix:
        known_names = reception.orbits.names
        names = tuple(known_names[number] for number in reception.number)
        known = answer.fix != FixType.NONE and np.isfinite(answer.clock_m)
        bias_ns = round(answer.clock_m / SPEED_OF_LIGHT_M_S * 1e9) if known else 0
        gps_ns = measured.raw.gps_ns - bias_ns if known else reception.gps_ns
        utc_ns = unix_of_gps_ns(gps_ns)
        d = answer.dilution
        satellites = GnssSatellites(
            names=names, azimuth_rad=reception.azimuth_rad.astype(np.float32),
            elevation_rad=reception.elevation_rad.astype(np.float32),
            cn0_db_hz=measured.strongest_db_hz.astype(np.float32),
            used=np.array([name in answer.residuals for name in names], bool),
            residual_m=np.array([answer.residuals.get(name, np.nan) for name in names], np.float32),
            healthy=reception.sight.states.usable[reception.number],
        )  # fmt: skip
        return GnssFix(
            stamp=stamp, utc_ns=utc_ns, gps_ns=gps_ns, leap_s=leap_seconds(utc_ns), fix=answer.fix,
            geodetic=answer.geodetic, covariance_m2=answer.covariance_m2, velocity_m_s=answer.velocity_m_s,
            velocity_covariance_m2_s2=answer.velocity_covariance_m2_s2, undulation_m=self.undulation_m,
            clock_bias_s=answer.clock_m / SPEED_OF_LIGHT_M_S, clock_drift=answer.clock_drift_m_s / SPEED_OF_LIGHT_M_S,
            dilution=np.array([d.geometric, d.position, d.horizontal, d.vertical, d.time, d.north, d.east]),
            integrity=answer.integrity, excluded=answer.excluded, satellites=satellites,
            raw=measured.raw if self.raw else None,
            truth=self._truth(reception, measured, clock, names) if self.truth else None,
        )  # fmt: skip

    def _truth(self, reception: Reception, measured: Measured, clock: ClockState, names: tuple[str, ...]) -> GnssTruth:
        loss_db = reception.edges.loss_db(L1_HZ)
        return GnssTruth(
            position_m=reception.place_m, geodetic=geodetic_of_one(reception.frame.to_ecef(reception.place_m)),
            velocity_m_s=reception.velocity_m_s, clock_s=clock.bias_s, names=names,
            direct=reception.edges.direct & (reception.loss_db == 0),
            reflections=np.bincount(reception.mirrors.satellite, minlength=len(names)).astype(np.int16),
            diffraction_db=loss_db.astype(np.float32),
            code_error_m=measured.code_error_m.astype(np.float32), phase_error_m=measured.phase_error_m.astype(np.float32),
        )  # fmt: skip
