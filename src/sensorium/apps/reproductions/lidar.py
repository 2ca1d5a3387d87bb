"""`sensorium reproduce lidar`: the cases and figures of a published physical LiDAR, and ours.

The publication is "Industrial Problem Solving with Physics 2021" (University of Trento), chapter 1; cases begin with the
number of its section. Two sets of oracles for its optics come from closed forms: the beam on the detector and Fresnel's
equations. What it says in figures is computed again. What it says in words ("very high signal compared to the asphalt")
is measured twice on one scan: `theirs` with its own three-lobe model, `ours` with the physics that is our default.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from sensorium.apps.benchmarks.rows import Row
from sensorium.apps.reproductions.verdicts import near, same, within
from sensorium.atmosphere.medium import CLEAR, medium
from sensorium.materials.library import standard_library
from sensorium.sensors import sensor_of
from sensorium.sensors.lidar.bundle import Bundle
from sensorium.sensors.lidar.receiver import Receiver

DEVICE = "velodyne_alpha_prime"
COEFFICIENTS = {
    1: (0, 0, 1, 1), 2: (0.01, 0.85, 0, 5), 3: (0.01, 0.98, 0, 5), 4: (0, 0.01, 0, 2), 5: (0.17, 0.10, 0, 15),
    6: (0.09, 0.01, 0, 30), 7: (0.30, 0.10, 0.5, 30), 8: (0.15, 0.10, 0, 10), 9: (0.06, 0.20, 0, 30),
    10: (0.13, 0.05, 0, 30), 11: (0.04, 0.20, 0, 40), 12: (0.05, 0.10, 0, 40),
}  # fmt: skip
"""Table 1.3: alpha, beta, gamma, sigma in degrees, by the number of the material on the wire."""


def lidar_rows(threads: int | None = None, png: Path | None = None, repeats: int = 5) -> list[Row]:
    """Compute everything again; `png` is the picture to write, if any. Throughput is the median of `repeats`."""
    from sensorium.apps.reproductions.lidar_boards import board_rows
    from sensorium.apps.reproductions.lidar_street import StreetScan

    street = StreetScan.made(threads)
    if png is not None:
        from sensorium.apps.reproductions.lidar_picture import draw

        draw(street, png)
    return [
        *_receiver_rows(), *_device_rows(), *_lobe_rows(), *_beam_rows(), *_fresnel_rows(),
        *board_rows(), *street.rows(), *_throughput_rows(repeats),
    ]  # fmt: skip


def _receiver_rows() -> list[Row]:
    """Noise power NEP sqrt(B), printed to one digit, and the ambiguity distance c / (2 PRF)."""
    noise_uw = Receiver(nep_w_sqrt_hz=6.6e-12, bandwidth_hz=1e9).noise_w * 1e6
    ambiguity_m = Receiver(pulse_rate_hz=1e6).ambiguity_m
    return [
        within("1.2.2 noise power, 6.6 pW/sqrt(Hz) and 1 GHz", 0.2, noise_uw, "uW", 0.05),
        near("1.2.2 ambiguity distance at 1 MHz", 150.0, ambiguity_m, "m", 0.01),
    ]


def _device_rows() -> list[Row]:
    """Compare the device of table 1.2 with that of the catalogue."""
    lidar = sensor_of(DEVICE)
    elevation_deg = np.degrees(np.sort([channel.elevation_rad for channel in lidar.pattern.channels]))
    step_deg = [
        math.degrees(lidar.pattern.angular_step_rad(sensor_of(DEVICE, rate_hz=rate).window(0))) for rate in (5.0, 20.0)
    ]
    table = "table 1.2 Alpha Prime,"
    return [
        same(f"{table} channels", 128, len(lidar.pattern.channels), ""),
        near(f"{table} range", 300.0, lidar.range_max_m, "m", 1e-3),
        near(f"{table} vertical field of view", 40.0, float(np.ptp(elevation_deg)), "deg", 0.01),
        within(f"{table} vertical resolution", 0.11, float(np.diff(elevation_deg).min()), "deg", 0.005),
        within(f"{table} coarsest horizontal resolution", 0.4, max(step_deg), "deg", 0.05),
    ]


def _lobe_rows() -> list[Row]:
    """Compare the coefficients of table 1.3; integrate I_D and I_R over -90 .. 90 degrees (eq. 1.3 and 1.5)."""
    from sensorium.materials.reflectance import three_lobe

    found = {
        lobes.wire_id: (lobes.alpha, lobes.beta, lobes.gamma, lobes.sigma_deg)
        for lobes in (material.lobes for material in standard_library())
        if lobes is not None and lobes.wire_id
    }
    kept = sum(found.get(number) == row for number, row in COEFFICIENTS.items())
    angle_deg = np.linspace(-90, 90, 3601)
    cosine = np.cos(np.radians(angle_deg))
    diffuse = [three_lobe(1.0, 0.0, 0.0, 1.0, c, 10.0) for c in cosine]
    glossy = [three_lobe(0.0, 1.0, 0.0, 15.0, c, 10.0) for c in cosine]
    return [
        same("table 1.3 materials with the same coefficients", len(COEFFICIENTS), kept, ""),
        near("1.3.1 diffuse lobe over all angles, at 10 m", 0.01, float(np.trapezoid(diffuse, np.radians(angle_deg))),
             "1/m^2", 1e-5),
        near("1.3.1 glossy lobe over all angles (exponent -1/2)", 1.0, float(np.trapezoid(glossy, angle_deg)), "", 1e-5),
        _fog_row(),
    ]  # fmt: skip


def _fog_row() -> Row:
    """Fog raises the absorption about 200 times: between our light and our dense fog."""
    light, dense = (medium(name).extinction_1_m / CLEAR.extinction_1_m for name in ("light_fog", "dense_fog"))
    says = f"between light fog ({light:.0f}) and dense fog ({dense:.0f})"
    return Row("1.3.2 extinction in fog over that of clear air", 200.0, dense, "", says, bool(light < 200.0 < dense))


def _beam_rows() -> list[Row]:
    """Measure the spot between opposite rays of a rose: the printed diameters take 1 mrad as the full angle.

    And the beam on the detector, (1 - exp(-2 R^2/w^2)) / (1 - exp(-2)), w = x tan(1.5 mrad) + E, R = E = 5 mm, x = 10 m.
    """
    from sensorium.sensors.lidar.link_kernels import overlap

    rose = Bundle(rays=5, divergence_rad=0.5e-3).offsets
    across = float(rose[1, 0] - rose[3, 0])
    return [
        near("1.3.5 spot of 1 mrad at 50 m", 5.0, 100 * across * 50, "cm", 1e-3),
        near("1.3.5 spot of 1 mrad at 100 m", 10.0, 100 * across * 100, "cm", 1e-3),
        near("beam on the detector after 10 m", 0.135894, overlap(0.005, 0.0, 0.005, math.tan(1.5e-3), 10.0), "", 1e-5),
    ]


def _fresnel_rows() -> list[Row]:
    """Reflectances of glass (n = 1.5) and gold (0.17 + 5.7 i at 905 nm); the critical angle asin(1 / 1.5)."""
    from sensorium.materials.reflectance import fresnel, fresnel_sp

    brewster = math.cos(math.radians(56.3099))
    angles = np.radians(np.linspace(41, 43, 20_001))
    whole = [fresnel(1 / 1.5, 0.0, c) > 1 - 1e-9 for c in np.cos(angles)]
    critical_deg = float(np.degrees(angles[int(np.argmax(whole))]))
    return [
        near("glass met head-on: reflectance", 0.04, fresnel(1.5, 0.0, 1.0), "", 1e-6),
        near("glass at Brewster's angle: reflectance", 0.0739645, fresnel(1.5, 0.0, brewster), "", 1e-5),
        within("glass at Brewster's angle: parallel part", 0.0, fresnel_sp(1.5, 0.0, brewster)[1], "", 1e-9),
        within("gold met head-on: reflectance", 0.98, fresnel(0.17, 5.7, 1.0), "", 0.005),
        within("glass to air: everything is reflected from", 41.8103, critical_deg, "deg", 2e-4),
    ]


def _throughput_rows(repeats: int) -> list[Row]:
    """Compare the physics alone, without tracing: section 1.3.7, on the machine of its authors."""
    from sensorium.bridges.engine_throughput import engine_throughput

    rows = []
    for found in engine_throughput(beams=200_000, repeats=repeats):
        theirs, ours = found.published_beams_per_s, found.beams_per_s
        if theirs is not None:
            case = f"1.3.7 throughput, {found.layout}"
            rows.append(Row(case, theirs / 1e6, ours / 1e6, "Mbeam/s", "at least theirs", bool(ours >= theirs)))
    return [*rows, _frames_row(repeats)]


def _frames_row(repeats: int) -> Row:
    """Frames of an engine at 120 Hz: 128 channels times the 30 degrees of a turn at 10 Hz in steps of 0.2 degrees (1.4.2)."""
    from sensorium.bridges.engine_throughput import engine_throughput

    beams = 128 * 150
    single = next(found for found in engine_throughput(beams=beams, repeats=repeats) if found.layout == "single_rays")
    ours = single.beams_per_s / beams
    return Row(
        f"1.6 throughput in frames of {beams} rays", 120.0, ours, "frames/s", "at least theirs", bool(ours >= 120)
    )
