"""What every scan pattern promises: no beam lost, none twice, each at its own time, the same whenever it is asked."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensorium.core.configuration import to_document
from sensorium.core.documents import build
from sensorium.core.errors import ConfigurationError
from sensorium.core.time import TimeWindow
from sensorium.sensors import Lidar, device, device_names, sensor_of
from sensorium.sensors.lidar.patterns import (
    AnyPattern,
    Channel,
    ColumnScan,
    Emitter,
    Flash,
    MemsLissajous,
    MemsRaster,
    OneWay,
    PhasedArray,
    Prism,
    Ramp,
    RasterDirections,
    Resonant,
    Rosette,
    Row,
    Scattered,
    Spinning,
)  # fmt: skip
from sensorium.sensors.lidar.patterns.firing_loop import FiringLoop

CHANNELS = tuple(Channel(ring=i, elevation_rad=0.1 * i, firing_offset_s=i * 7.3e-6) for i in range(5))
FIELD = {"horizontal_fov_rad": "50 deg", "vertical_fov_rad": "20 deg"}
PRISMS = (Prism(wedge_rad="18 deg", rate_hz="7294 rpm"), Prism(wedge_rad="15 deg", rate_hz="-4664 rpm", phase_rad=0.4))
DIRECTIONS = RasterDirections(columns=37, rows=11, dwell_s="3.3 us", order=Scattered(), **FIELD)
EMITTERS = (Emitter(), Emitter(ring=1, azimuth_rad=0.02, elevation_rad=-0.03, firing_offset_s="1.1 us"))

FREE_RUNNING = {
    "lissajous": MemsLissajous(
        horizontal_rate_hz=1013.0, vertical_rate_hz=717.0, horizontal_amplitude_rad=0.4, vertical_amplitude_rad=0.2,
        laser_rate_hz="333.3 kHz",
    ),
    "phased_array": PhasedArray(programme=DIRECTIONS),
    "rosette": Rosette(prisms=PRISMS, laser_rate_hz="77.7 kHz", emitters=EMITTERS),
}  # fmt: skip
ONE_FRAME = {
    "spinning": Spinning(firing_cycle_s="41.7 us", channels=CHANNELS),
    "spinning_by_step": Spinning(firing_cycle_s="41.7 us", channels=CHANNELS, horizontal_step_rad="0.9 deg"),
    "columns": ColumnScan(columns_per_turn=512, rows=(Row(ring=0, elevation_rad=0), Row(ring=1, elevation_rad=0.1))),
    "raster": MemsRaster(lines=64, points_per_line=101, retrace_share=0.1, **FIELD),
    "raster_one_way": MemsRaster(
        lines=40, laser_rate_hz="200 kHz", fast_axis=OneWay(flyback_share=0.2), slow_axis=Ramp(), **FIELD
    ),
    "raster_resonant": MemsRaster(lines=41, points_per_line=300, fast_axis=Resonant(used_share=0.8), **FIELD),
    "flash": Flash(columns=65, rows=33, **FIELD),
}
LIDARS = [name for name in device_names() if device(name).sensor["type"] == "lidar"]
PATTERNS = {**FREE_RUNNING, **ONE_FRAME, **{f"device:{name}": sensor_of(name).pattern for name in LIDARS}}


def windows(rate_hz, count, phase_ns=0):
    """Return the windows of consecutive scans, as a LiDAR of this rate has them."""
    starts = [phase_ns + round(k * 1e9 / rate_hz) for k in range(count + 1)]
    return [TimeWindow(a, b) for a, b in itertools.pairwise(starts)]


def joined(scans, name):
    return np.concatenate([getattr(scan, name) for scan in scans])


@pytest.mark.parametrize("name", PATTERNS)
def test_beams_are_sound(name):
    """Times lie inside the window and never run backwards; directions have length one; asking again gives the same."""
    for window in windows(7.0, 3, phase_ns=12_345):
        beams, again = PATTERNS[name].beams(window), PATTERNS[name].beams(window)
        assert len(beams) > 0
        assert (beams.time_ns.dtype, beams.ring.dtype) == (np.int64, np.uint16)
        assert beams.origin_m.shape == beams.direction.shape == (len(beams), 3)
        assert beams.time_ns[0] >= window.start_ns
        assert beams.time_ns[-1] < window.end_ns
        assert (np.diff(beams.time_ns) >= 0).all()
        np.testing.assert_allclose(np.linalg.norm(beams.direction, axis=1), 1.0, atol=1e-12)
        for field in ("time_ns", "origin_m", "direction", "ring"):
            np.testing.assert_array_equal(getattr(beams, field), getattr(again, field))


@pytest.mark.parametrize("name", FREE_RUNNING)
def test_a_pattern_on_the_scenarios_clock_does_not_see_the_cuts_between_scans(name):
    """Scans of any length, put together, are the one long scan: no beam lost, none twice, phases go on to the bit."""
    pattern, cuts = FREE_RUNNING[name], [3_000_000, 13_333_333, 13_333_334, 51_234_567, 90_000_001]
    whole = pattern.beams(TimeWindow(cuts[0], cuts[-1]))
    parts = [pattern.beams(TimeWindow(a, b)) for a, b in itertools.pairwise(cuts)]
    for field in ("time_ns", "direction", "ring"):
        np.testing.assert_array_equal(joined(parts, field), getattr(whole, field))


@pytest.mark.parametrize("name", FREE_RUNNING)
def test_a_pattern_on_the_scenarios_clock_goes_on(name):
    """The second scan is not the first one again."""
    first, second = (FREE_RUNNING[name].beams(window) for window in windows(10.0, 2))
    count = min(len(first), len(second))
    assert np.abs(first.direction[:count] - second.direction[:count]).max() > 0.05


@pytest.mark.parametrize("name", ONE_FRAME)
def test_a_frame_per_scan_starts_anew(name):
    """Scans of equal length hold the same number of beams (give or take one cycle of a free-running laser)."""
    counts = [len(ONE_FRAME[name].beams(window)) for window in windows(3.0, 6)]
    assert max(counts) - min(counts) <= len(CHANNELS)


def neighbours(beams):
    """Return the angles in azimuth between beams that follow one another in a ring."""
    order = np.lexsort((beams.time_ns, beams.ring))
    azimuth, ring = np.arctan2(beams.direction[:, 1], beams.direction[:, 0])[order], beams.ring[order]
    return np.abs(np.angle(np.exp(1j * np.diff(azimuth))))[np.diff(ring) == 0]


RASTERS = ["raster", "raster_one_way", "raster_resonant", "lissajous"]
HEADS = ["spinning", "spinning_by_step", "columns", "device:velodyne_hdl64e", "device:ouster_os0_128"]


@pytest.mark.parametrize("name", [*RASTERS, *HEADS])
def test_angular_step_is_the_widest_gap(name):
    """The step that a pattern states is the largest horizontal angle between neighbouring beams, within 1 percent.

    Within a ring of a moving line; the median stands for heads, whose cut between two scans is wider or narrower.
    """
    window = windows(10.0, 1)[0]
    gaps = neighbours(PATTERNS[name].beams(window))
    measured = gaps.max() if name in RASTERS else np.median(gaps)
    assert PATTERNS[name].angular_step_rad(window) == pytest.approx(measured, rel=0.01)


def test_a_faster_head_leaves_wider_gaps():
    """Step = 2 pi x cycle x rate: 0.1037 deg at 5 Hz and four times as much at 20 Hz for the cycle of the HDL-64E."""
    pattern = sensor_of("velodyne_hdl64e").pattern
    slow, fast = (np.degrees(pattern.angular_step_rad(windows(rate, 1)[0])) for rate in (5.0, 20.0))
    assert slow == pytest.approx(360 * 57.6e-6 * 5)
    assert fast == pytest.approx(4 * slow)


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_survives_its_document(name):
    """Written as a document and built again by its type, it is the same pattern."""
    assert build(AnyPattern, to_document(PATTERNS[name])) == PATTERNS[name]


def test_an_unknown_type_is_refused_with_a_proposal():
    """The alternatives are told apart by `type`."""
    with pytest.raises(ConfigurationError, match=r"pattern.type.*Did you mean 'rosette'"):
        Lidar(pattern={"type": "roset"})


def test_another_pattern_on_a_device_replaces_the_catalogues():
    """Settings of a pattern of another type are not mixed with those of the device."""
    lidar = sensor_of("velodyne_vlp16", pattern={"type": "flash", "columns": 4, "rows": 2, **FIELD})
    assert lidar.pattern == Flash(columns=4, rows=2, **FIELD)
    assert lidar.wavelength_m == 903e-9


@given(
    period_ns=st.floats(1.0, 1e5),
    shares=st.lists(st.floats(0, 0.999), min_size=1, max_size=6),
    repetition=st.integers(-(10**4), 10**9),
    entry=st.integers(0, 5),
    nudge_ns=st.integers(-1, 1),
    length=st.integers(0, 10**5),
)
def test_the_firing_loop_holds_each_shot_once(period_ns, shares, repetition, entry, nudge_ns, length):
    """Shots of a window = all n, i with start <= floor(n p + 1/2) + o_i < end, found by trying every n near by.

    The window starts at a shot, a nanosecond before it or after it.
    """
    loop = FiringLoop.of(np.array(sorted(shares)) * period_ns * 1e-9, period_ns * 1e-9)
    offsets, period = loop.offset_ns.tolist(), loop.period_ns
    start = math.floor(repetition * period + 0.5) + offsets[entry % len(offsets)] + nudge_ns
    near = range(repetition - 3, repetition + int(length / period) + 4)
    every = [(math.floor(n * period + 0.5) + o, n * len(offsets) + i) for n in near for i, o in enumerate(offsets)]
    expected = [(time, number) for time, number in every if start <= time < start + length]
    first, time_ns = loop.shots(TimeWindow(start, start + length))
    assert time_ns.tolist() == [time for time, _ in expected]
    if expected:
        assert first == expected[0][1]
