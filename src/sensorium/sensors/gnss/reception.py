"""What reaches the antenna: satellites, paths, air, interference. Physics alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sensorium.atmosphere.ionosphere import klobuchar_delay_m, second_order_delay_m
from sensorium.atmosphere.troposphere import air_at, troposphere_delay_m
from sensorium.core.earth import LocalFrame, geodetic_of_one
from sensorium.core.time_scales import calendar_of_gps_ns, gps_of_unix_ns
from sensorium.ephemeris.nominal import KLOBUCHAR
from sensorium.ephemeris.orbits import Orbits
from sensorium.ephemeris.sight import Sight, angles_rad, sight
from sensorium.ephemeris.sources import OrbitSource
from sensorium.scene.rays import Rays
from sensorium.scene.view import View
from sensorium.sensors.gnss.edges import NEAR_M, Edges, edges_of
from sensorium.sensors.gnss.mirrors import Mirrors, mirrors_of
from sensorium.sensors.gnss.signals import L1_HZ, L5_HZ, SIGNALS

if TYPE_CHECKING:
    from sensorium.sensors.gnss.gnss import Gnss

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

BANDS_HZ = (L1_HZ, L5_HZ)


@dataclass(frozen=True, eq=False)
class Paths:
    """P ways from satellites to the antenna: direct or round an edge, and over mirrors, ordered by satellite."""

    satellite: Ints
    """[P] row among the satellites above the horizon."""
    excess_m: Floats
    """[P] by how much it is longer than the straight line."""
    excess_rate_m_s: Floats
    """[P] how fast that grows."""
    amplitude: NDArray[np.complex128]
    """[P, 2] in the upper and the lower band, against an isotropic antenna on the straight line."""


@dataclass(frozen=True, eq=False)
class AirDelays:
    """Of K satellites, in metres."""

    troposphere_m: Floats
    ionosphere_l1_m: Floats
    second_order_m: Floats
    """[K, 2] group delay of second order in the two bands."""


@dataclass(frozen=True, eq=False)
class Reception:
    """All that arrives at one instant; arrays [K] of the satellites above the horizon."""

    gps_ns: int
    time_s: float
    frame: LocalFrame
    source: OrbitSource
    place_m: Floats
    """World frame."""
    velocity_m_s: Floats
    number: Ints
    """[K] row in `orbits.names`."""
    sight: Sight
    """Of all satellites of the orbits."""
    azimuth_rad: Floats
    elevation_rad: Floats
    air: AirDelays
    edges: Edges
    mirrors: Mirrors
    paths: Paths
    loss_db: float
    """Of everything, in a tunnel."""
    jamming_w: Floats
    """[J, 2] power of each jammer in the two bands at the antenna's output, in the front end's band."""
    jamming_width_hz: Floats
    """[J, 2] over which it is spread there."""
    false: Sight | None
    """What a spoofer feigns; None: none is on."""
    spoofing_dbw: Floats
    """[2] of each false signal at the antenna."""
    advantage_db: float
    """By which it must be stronger than the true one to take it over."""
    base: tuple[Sight, AirDelays, Ints] | None
    """What the base station sees: all satellites, delays of those above its horizon, and their rows."""

    @property
    def orbits(self) -> Orbits:
        """The orbits that serve this instant."""
        return self.source.orbits_at(self.gps_ns)


def receive(gnss: Gnss, view: View) -> Reception:
    """Return what reaches the antenna at the start of the view's window."""
    origin = view.origin
    frame = _frame_at(origin.latitude_rad, origin.longitude_rad, origin.altitude_m)
    time_ns = view.window.start_ns
    gps_ns = gps_of_unix_ns(origin.start_unix_ns + time_ns)
    motion = view.at_start
    place, velocity = motion.pose.position_m[0], motion.velocity_m_s[0]
    orbits = gnss.orbits.orbits_at(gps_ns)
    seen, number, azimuth, elevation = _seen(orbits, frame, place, velocity, gps_ns)
    towards = frame.rotate_to_local(seen.towards[number])
    edges, mirrors = edges_of(view, place, towards), mirrors_of(view, place, towards)
    boresight = motion.pose.rotate(np.array([[0.0, 0.0, 1.0]]))[0]
    false, spoofing, advantage = _feigned(gnss, orbits, frame, place, velocity, gps_ns, time_ns * 1e-9)
    return Reception(
        gps_ns, time_ns * 1e-9, frame, gnss.orbits, place, velocity, number, seen, azimuth, elevation,
        _air(gnss, view, frame, place, azimuth, elevation, gps_ns, orbits), edges, mirrors,
        _paths(gnss, view, towards, velocity, boresight, edges, mirrors),
        sum(tunnel.loss_at_db(place) for tunnel in gnss.tunnels),
        *_jamming(gnss, view, place, boresight, time_ns), false, spoofing,
        advantage, _base(gnss, view, frame, orbits, gps_ns),
    )  # fmt: skip


@lru_cache(maxsize=8)
def _frame_at(latitude_rad: float, longitude_rad: float, altitude_m: float) -> LocalFrame:
    return LocalFrame(latitude_rad, longitude_rad, altitude_m)


def _feigned(
    gnss: Gnss, orbits: Orbits, frame: LocalFrame, place: Floats, velocity: Floats, gps_ns: int, time_s: float
) -> tuple[Sight | None, Floats, float]:
    """Return what the first spoofer that is on feigns, its power in the two bands [dBW], and the lead that it needs."""
    for spoofer in gnss.spoofers:
        offset = spoofer.offset_at_m(time_s)
        if offset is not None:
            moving = frame.rotate_to_ecef(velocity + np.array(spoofer.drift_m_s))
            false = sight(orbits, frame.to_ecef(place + offset), moving, gps_ns)
            power = np.array([spoofer.received_dbw(place, band) for band in BANDS_HZ])
            return false, power, spoofer.advantage_db
    return None, np.full(2, -np.inf), 0.0


def _seen(
    orbits: Orbits, frame: LocalFrame, place: Floats, velocity: Floats, gps_ns: int
) -> tuple[Sight, Ints, Floats, Floats]:
    seen = sight(orbits, frame.to_ecef(place), frame.rotate_to_ecef(velocity), gps_ns)
    azimuth, elevation = angles_rad(seen.towards, frame.axes)
    number = np.flatnonzero((elevation > 0) & np.isfinite(seen.range_m))
    return seen, number, azimuth[number], elevation[number]


def _air(
    gnss: Gnss, view: View, frame: LocalFrame, place: Floats, azimuth: Floats, elevation: Floats, gps_ns: int,
    orbits: Orbits,
) -> AirDelays:  # fmt: skip
    latitude, longitude, altitude = (float(value) for value in geodetic_of_one(frame.to_ecef(place)))
    _, month, day, hour, minute, second = calendar_of_gps_ns(gps_ns)
    ionosphere = np.zeros(len(azimuth))
    second_order = np.zeros((len(azimuth), 2))
    if gnss.ionosphere:
        coefficients = orbits.klobuchar or KLOBUCHAR
        seconds = hour * 3600 + minute * 60 + second
        ionosphere = klobuchar_delay_m(coefficients, latitude, longitude, azimuth, elevation, seconds)
        if gnss.second_order_ionosphere:
            second_order = np.stack([
                second_order_delay_m(ionosphere, np.full(len(azimuth), band), latitude, longitude, azimuth, elevation)
                for band in BANDS_HZ
            ], 1)  # fmt: skip
    troposphere = np.zeros(len(azimuth))
    if gnss.troposphere:
        air = air_at(view.weather, float(place[2]))
        troposphere = troposphere_delay_m(air, latitude, altitude, elevation, (month - 1) * 30.44 + day)
    return AirDelays(troposphere, ionosphere, second_order)


def _paths(
    gnss: Gnss, view: View, towards: Floats, velocity: Floats, boresight: Floats, edges: Edges, mirrors: Mirrors
) -> Paths:
    count = len(towards)
    satellite = np.concatenate((np.arange(count), mirrors.satellite))
    order = np.argsort(satellite, kind="stable")
    excess = np.concatenate((edges.detour_m, mirrors.excess_m))
    # excess = 2 (n.p - n.c) (n.s) over a plane that stands still
    slope = (mirrors.normal * towards[mirrors.satellite]).sum(1)
    rate = np.concatenate((np.zeros(count), 2 * (mirrors.normal @ velocity) * slope))
    right, _ = gnss.antenna.amplitudes(towards @ boresight)
    over_right, over_left = gnss.antenna.amplitudes(mirrors.arrival @ boresight)
    amplitude = np.empty((len(satellite), 2), np.complex128)
    lower = any(SIGNALS[name].lower for name in gnss.signals)
    for band, frequency in enumerate(BANDS_HZ):
        if band == 1 and not lower:
            amplitude[:, 1] = amplitude[:, 0]
            continue
        same, crossed = mirrors.strength(view.scene.library, frequency)
        amplitude[:count, band] = right * 10 ** (-edges.loss_db(frequency) / 20)
        amplitude[count:, band] = same * over_right + crossed * over_left
    return Paths(satellite[order], excess[order], rate[order], amplitude[order])


def _jamming(gnss: Gnss, view: View, place: Floats, boresight: Floats, time_ns: int) -> tuple[Floats, Floats]:
    power, spread = np.zeros((len(gnss.jammers), 2)), np.ones((len(gnss.jammers), 2))
    for row, jammer in enumerate(gnss.jammers):
        between = np.array(jammer.position_m) - place
        distance = max(float(np.linalg.norm(between)), NEAR_M)
        ray = Rays(
            place[None], between[None] / distance, np.array([time_ns]), NEAR_M, max(distance - NEAR_M, 2 * NEAR_M)
        )
        hidden = bool(view.occluded(ray)[0])
        gain = float(gnss.antenna.amplitudes(np.array([between @ boresight / distance]))[0][0]) ** 2
        for band, frequency in enumerate(BANDS_HZ):
            width = gnss.bandwidth_hz if band == 0 else max(gnss.bandwidth_hz, 20e6)
            received, spread[row, band] = jammer.received(place, hidden, time_ns * 1e-9, frequency, width)
            power[row, band] = gain * received
    return power, spread


def _base(
    gnss: Gnss, view: View, frame: LocalFrame, orbits: Orbits, gps_ns: int
) -> tuple[Sight, AirDelays, Ints] | None:
    base = gnss.base_station
    if base is None or not base.start_s <= view.window.start_ns * 1e-9 < base.end_s:
        return None
    place = np.array(base.position_m)
    seen, number, azimuth, elevation = _seen(orbits, frame, place, np.zeros(3), gps_ns)
    high = elevation > np.deg2rad(5)
    number, azimuth, elevation = number[high], azimuth[high], elevation[high]
    return seen, _air(gnss, view, frame, place, azimuth, elevation, gps_ns, orbits), number
