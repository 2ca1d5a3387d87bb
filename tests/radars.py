"""Radars and small worlds for the tests of the radar."""

from __future__ import annotations

from typing import Any

import numpy as np

from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.core.time import TimeWindow
from sensorium.motion import Fixed, Motion
from sensorium.samples import Stamp
from sensorium.samples.radar import RadarScan
from sensorium.scene.body import Body, Model, Part
from sensorium.scene.mesh import Mesh
from sensorium.scene.scene import Scene
from sensorium.scene.view import View
from sensorium.sensors.radar import ChirpSequence, Isotropic, Radar, RayFan, Receiver, VirtualArray
from sensorium.sensors.radar.paths import Paths
from sensorium.sensors.radar.scattering import Wave, scattering_paths
from sensorium.tracing import EmbreeTracer

C_M_S = 299_792_458.0
CHIRPS = ChirpSequence(
    start_hz="76.5 GHz", bandwidth_hz="500 MHz", samples=256, sample_rate_hz="10 MHz", chirps=128, period_s="30 us"
)
SPACING_M = CHIRPS.wavelength_m / 2
ROW = VirtualArray.uniform(2, 4, SPACING_M)


def radar(**settings: Any) -> Radar:
    """A radar at 77 GHz with eight virtual elements and the same gain everywhere, unless told otherwise."""
    given: dict[str, Any] = {
        "chirps": CHIRPS, "array": ROW, "antenna": Isotropic(gain_db=10.0), "range_max_m": 70.0,
        "receiver": Receiver(power_w=0.016, noise_figure_db=14.0), "truth": True,
    }  # fmt: skip
    return Radar(**{**given, **settings})


def scan_of(device: Radar, paths: Paths, sample: int = 0, seed: int = 1) -> RadarScan:
    """Detections of paths that are given, without a scene."""
    from sensorium.sensors.radar.radar import RadarSignal

    draws = Draws(seed).at("radar", sample)
    return device.detect(RadarSignal(paths, 0.0), None, draws, Stamp("radar", sample, 0, 0))[0]


def thing(mesh: Mesh, motion: Motion | Pose, name: str = "thing", material: str = "steel") -> Body:
    """A body of one part."""
    moved = Fixed(pose=motion) if isinstance(motion, Pose) else motion
    return Body(name, Model(name, (Part(name, mesh, material, name),)), moved)


def view_of(*bodies: Body, carrier: Motion | None = None, end_ns: int = 2000) -> View:
    scene = Scene(bodies)
    return View(scene, EmbreeTracer(scene), carrier or Fixed(), Pose.identity(), TimeWindow(0, end_ns))


def traced(
    view: View,
    half_rad: float,
    step_rad: float,
    bounces: int = 3,
    middle_rad: tuple[float, float] = (0.0, 0.0),
    frequency_hz: float = 77e9,
) -> Paths:
    """Paths of a fine fan about a direction."""
    azimuth, elevation = ((m - half_rad, m + half_rad) for m in middle_rad)
    fan = RayFan(
        azimuth_rad=azimuth,
        elevation_rad=elevation,
        azimuth_step_rad=step_rad,
        elevation_step_rad=step_rad,
        bounces=bounces,
    )
    return scattering_paths(view, fan, Wave(frequency_hz, C_M_S / frequency_hz, 0.0))[0]


def cross_section_db(paths: Paths, wavelength_m: float) -> float:
    """The radar cross section of all paths in step [dB over a square metre]."""
    about = paths.range_m.mean()
    return float(
        20 * np.log10(abs((paths.amplitude_m * np.exp(-4j * np.pi * (paths.range_m - about) / wavelength_m)).sum()))
    )


def plate(side_m: float) -> Mesh:
    h = side_m / 2
    return Mesh(np.array([[0, -h, -h], [0, -h, h], [0, h, h], [0, h, -h]], float), np.array([[0, 1, 2], [0, 2, 3]]))


def corner(side_m: float) -> Mesh:
    """Three triangles at right angles whose opening looks along -x."""
    corners = np.vstack((np.zeros(3), side_m * np.eye(3)))
    axis, across = np.ones(3) / 3**0.5, np.array([1.0, -1.0, 0.0]) / 2**0.5
    turned = np.stack((-axis, -across, np.cross(axis, across)))
    return Mesh(corners @ turned.T, np.array([[0, 1, 2], [0, 2, 3], [0, 3, 1]]))


def dihedral(width_m: float, height_m: float) -> Mesh:
    """Two upright plates at right angles that open along -x."""
    w, h = width_m / 2**0.5, height_m / 2
    left = np.array([[0, 0, -h], [0, 0, h], [-w, w, h], [-w, w, -h]])
    right = left * (1, -1, 1)
    faces = np.array([[0, 1, 2], [0, 2, 3]])
    return Mesh(np.concatenate((left, right)), np.concatenate((faces, faces + 4)))
