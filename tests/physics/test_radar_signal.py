"""Chirps, samples and their spectra against the formulas of FMCW radar."""

import numpy as np
import pytest
from radars import C_M_S, CHIRPS, ROW, SPACING_M, radar, scan_of

from sensorium.core.random import Draws
from sensorium.sensors.radar import (
    Capon,
    CellAveraging,
    DetectionLevel,
    FftAngle,
    Music,
    OrderedStatistics,
    Receiver,
    SignalLevel,
    Swerling,
    VirtualArray,
)
from sensorium.sensors.radar.cube import beat_cube, plain_cube
from sensorium.sensors.radar.disturbances import thermal_noise
from sensorium.sensors.radar.paths import Paths

STEADY = Swerling()
SIGNAL = SignalLevel(keep_map=True, keep_cube=True)


def samples_of(paths, **settings):
    device = radar(fidelity=SIGNAL, **settings)
    return SIGNAL.samples(device.front, paths, 0.0, STEADY, Draws(1, sensor="it"))[0], device


def test_fast_samples_are_those_of_the_plain_sum():
    """sum a exp(2 pi j (f0 tau - S tau^2 / 2 + (S tau + 2 f0 v / c) n / fs)): errors below 3e-6 of the largest sample."""
    random = np.random.default_rng(1)
    paths = Paths.points(
        random.uniform(1, 76, 50), random.normal(0, 20, 50), random.uniform(-1, 1, 50), random.uniform(-0.2, 0.2, 50)
    )
    voltage = random.normal(size=50) + 1j * random.normal(size=50)
    strength = random.uniform(0.5, 1.5, (50, CHIRPS.chirps))
    fast, plain = (make(paths, voltage, strength, CHIRPS, ROW) for make in (beat_cube, plain_cube))
    assert fast.dtype == np.complex64
    assert np.abs(fast - plain).max() < 3e-6 * np.abs(plain).max()


@pytest.mark.parametrize("range_m", [5.0, 23.4, 61.0])
def test_beat_frequency(range_m):
    """f_b = 2 R S / c: the peak of one chirp's spectrum lies in that bin."""
    cube, _ = samples_of(Paths.points(range_m, cross_section_m2=1e4))
    peak = np.abs(np.fft.fft(cube[0, 0])).argmax()
    assert peak == round(2 * range_m * CHIRPS.slope_hz_s / C_M_S / (CHIRPS.sample_rate_hz / CHIRPS.samples))


@pytest.mark.parametrize("speed_m_s", [-12.0, -0.5, 7.7, 14.0])
def test_doppler_frequency(speed_m_s):
    """f_D = 2 v / lambda: the peak over the chirps of one transmitter, apart by two periods, lies in that bin."""
    cube, _ = samples_of(Paths.points(20.0, speed_m_s, cross_section_m2=1e4))
    chirps = cube[:, 0, :] @ np.exp(-2j * np.pi * np.arange(256) * CHIRPS.beat_hz(20.0, speed_m_s) / 10e6)
    peak = np.abs(np.fft.fftshift(np.fft.fft(chirps))).argmax() - 64
    assert peak == round(2 * speed_m_s / CHIRPS.wavelength_m * 128 * 2 * CHIRPS.period_s)


def test_figures_of_the_chirps():
    """Delta R = c / 2B, R_max = fs c / 2S, Delta v = lambda / (2 T_frame), v_max = lambda / (4 K T)."""
    assert CHIRPS.range_resolution_m == pytest.approx(C_M_S / 1e9)
    assert CHIRPS.range_max_m == pytest.approx(10e6 * C_M_S / (2 * 500e6 / 25.6e-6))
    frame_s = 128 * 2 * 30e-6
    assert CHIRPS.speed_resolution_m_s(2) == pytest.approx(C_M_S / 76.75e9 / (2 * frame_s))
    assert CHIRPS.speed_max_m_s(2) == pytest.approx(C_M_S / 76.75e9 / (4 * 60e-6))


@pytest.mark.parametrize(("apart", "count"), [(0.7, 1), (3.0, 2)])
def test_resolution_in_range(apart, count):
    """Two like targets in phase closer than a cell are one, those three cells apart (Hann: main lobe of four) are two."""
    half_m = CHIRPS.wavelength_m / 2  # a whole number of these brings both in phase
    paths = Paths.points([20.0, 20.0 + half_m * round(apart * CHIRPS.range_resolution_m / half_m)])
    for fidelity in ({"type": "signal"}, {"type": "detection"}):
        scan = scan_of(radar(fidelity=fidelity), paths)
        assert np.count_nonzero(scan.snr_db > 25) == count


@pytest.mark.parametrize(("apart", "count"), [(0.7, 1), (3.0, 2)])
def test_resolution_in_speed(apart, count):
    """The same for speeds."""
    paths = Paths.points(20.0, [0.0, apart * CHIRPS.speed_resolution_m_s(2)])
    for fidelity in ({"type": "signal"}, {"type": "detection"}):
        scan = scan_of(radar(fidelity=fidelity), paths)
        assert np.count_nonzero(scan.snr_db > 25) == count


@pytest.mark.parametrize("fidelity", ["signal", "detection"])
def test_speeds_beyond_the_limit_fold(fidelity):
    """v = v_max + 2 m/s is measured as 2 m/s - v_max, and shifts the range by f0 (2 v_max) / S."""
    fastest = CHIRPS.speed_max_m_s(2)
    scan = scan_of(radar(fidelity={"type": fidelity}), Paths.points(20.0, fastest + 2.0))
    assert scan.speed_m_s[0] == pytest.approx(2.0 - fastest, abs=0.05)
    shift_m = CHIRPS.start_hz * 2 * fastest / CHIRPS.slope_hz_s
    assert scan.range_m[0] == pytest.approx(20.0 + shift_m, abs=0.05)


@pytest.mark.parametrize("fidelity", ["signal", "detection"])
@pytest.mark.parametrize("azimuth_rad", [-0.5, 0.0, 0.4])
def test_speeds_can_be_unfolded(fidelity, azimuth_rad):
    """Two transmitters tell twice as fast speeds: the wrong turn of the second spoils the direction, the right one does not."""
    speed = 1.5 * CHIRPS.speed_max_m_s(2) * (1 if azimuth_rad < 0.1 else -1)
    device = radar(fidelity={"type": fidelity, "unfold": True})
    scan = scan_of(device, Paths.points(20.0, speed, azimuth_rad, cross_section_m2=5.0))
    assert scan.speed_m_s[0] == pytest.approx(speed, abs=0.05)
    assert scan.azimuth_rad[0] == pytest.approx(azimuth_rad, abs=0.01)
    assert scan.range_m[0] == pytest.approx(20.0, abs=0.05)


@pytest.mark.parametrize("fidelity", ["signal", "detection"])
def test_ranges_beyond_the_limit_fold_weakened(fidelity):
    """A huge target at 1.3 R_max appears at 0.3 R_max, behind the anti-alias filter: 1 / (1 + (1.3 / 0.9)^16) of its power."""
    far = 1.3 * CHIRPS.range_max_m
    scan = scan_of(radar(fidelity={"type": fidelity}), Paths.points(far, cross_section_m2=1e6))
    assert scan.range_m[0] == pytest.approx(0.3 * CHIRPS.range_max_m, abs=0.1)
    unfiltered = radar(
        receiver=Receiver(power_w=0.016, noise_figure_db=14, corner=1, order=1), fidelity={"type": fidelity}
    )
    weaker = 10 * np.log10((1 + 1.3**2) / (1 + (1.3 / 0.9) ** 16))
    open_db = scan_of(unfiltered, Paths.points(far, cross_section_m2=1e6)).snr_db[0]
    assert scan.snr_db[0] - open_db == pytest.approx(weaker, abs=0.6)


@pytest.mark.parametrize("fidelity", ["signal", "detection"])
def test_strong_targets_mask_faint_ones_beside_them(fidelity):
    """A target of 21 dB alone is found; five range cells from one of 60 dB it is hidden, 30 cells away it is not."""
    device, cell = radar(fidelity={"type": fidelity}), CHIRPS.range_resolution_m
    section = 10**2.1 / float(DetectionLevel().snr(device.front.heard_w_m2(Paths.points(30.0), 0.0), device.front)[0])
    found = []
    for apart in (None, 5, 30):
        loud = 0.0 if apart is None else section * 10**3.9
        paths = Paths.points([30.0, 30.0 + cell * (apart or 5)], 2.0, cross_section_m2=[section, loud])
        scan = scan_of(device, paths)
        found.append(bool((np.abs(scan.range_m - 30.0) < 0.3).any()))
    assert found == [True, False, True]


@pytest.mark.parametrize("fidelity", ["signal", "detection"])
def test_signal_to_noise_follows_the_radar_equation(fidelity):
    """SNR = P G^2 lambda^2 sigma N M C / ((4 pi)^3 R^4 k T F fs) less 3.52 dB of two Hann windows; it falls as R^-4."""
    found = []
    for range_m in (10.0, 20.0, 40.0):
        own = 10 * np.log10(0.016 * 100 * CHIRPS.wavelength_m**2 / ((4 * np.pi) ** 3 * range_m**4))
        own += 10 * np.log10(256 * 128 * 8 / (1.380649e-23 * 290 * 10e6)) - 14 - 3.52
        power = [
            10 ** (scan_of(radar(fidelity={"type": fidelity}), Paths.points(range_m), sample).snr_db[0] / 10)
            for sample in range(8)
        ]
        found.append(10 * np.log10(np.mean(power)))
        assert found[-1] == pytest.approx(own, abs=0.5)
    assert found[0] - found[2] == pytest.approx(40 * np.log10(4), abs=0.5)


def test_both_fidelities_agree_on_a_target():
    """Range, speed, direction, cross section of an isolated target: within four standard deviations of the truth, both."""
    paths = Paths.points(33.3, -4.4, 0.3, cross_section_m2=5.0)
    for fidelity in ({"type": "signal"}, {"type": "detection"}):
        pulls = []
        for sample in range(12):
            scan = scan_of(radar(fidelity=fidelity), paths, sample)
            measured = np.array([scan.range_m[0], scan.speed_m_s[0], scan.azimuth_rad[0]], float)
            pulls.append((measured - (33.3, -4.4, 0.3)) / np.sqrt(np.diag(scan.covariance[0])[:3]))
            assert scan.cross_section_m2[0] == pytest.approx(5.0, rel=0.2)
        assert np.abs(pulls).max() < 4
        assert 0.3 < np.std(pulls) < 1.6  # the covariance is honest


@pytest.mark.parametrize("cfar", [CellAveraging(false_alarm_rate=1e-3), OrderedStatistics(false_alarm_rate=1e-3)])
@pytest.mark.parametrize("window", ["boxcar", "hann"])
def test_false_alarm_rate_of_noise_alone(cfar, window):
    """The part of cells above the threshold is the wanted rate: within four standard deviations of a count of cells."""
    level = SignalLevel(cfar=cfar, range_window=window, speed_window=window)
    device = radar(fidelity=level)
    chain, alarms, cells = level.processing(device.front), 0, 0
    for sample in range(8):
        noise = thermal_noise((128, 8, 256), device.front.noise_w, Draws(3, sensor="noise", sample=sample))
        power = (np.abs(chain.spectrum(noise)) ** 2).sum(0)
        alarms += np.count_nonzero(chain.above(power))
        cells += power.size
    clumps = 1.0 if window == "boxcar" else 2.25  # cells that are correlated alarm together: (sum of rho^2)^2
    expected = cells * cfar.false_alarm_rate
    assert abs(alarms - expected) < 4 * np.sqrt(expected * clumps) + 0.03 * expected


def test_ordered_statistics_closed_form():
    """One look: P = prod_{i<k} (N - i) / (N - i + a) (Rohling 1983)."""
    cfar = OrderedStatistics(false_alarm_rate=1e-4)
    factor, cells = cfar.factor(1, 60), 60
    i = np.arange(round(0.75 * cells))
    assert np.prod((cells - i) / (cells - i + factor)) == pytest.approx(1e-4, rel=1e-3)


def test_cell_averaging_closed_form():
    """One look: P = (1 + a / N)^-N."""
    assert (1 + CellAveraging(false_alarm_rate=1e-4).factor(1, 40) / 40) ** -40 == pytest.approx(1e-4, rel=1e-6)


def test_cfar_kernels_against_plain_loops():
    """Mean and k-th smallest of the cells around, guard left out, speeds going round, ranges mirrored."""
    power = np.random.default_rng(0).exponential(size=(20, 16)).astype(np.float32)
    averaging, ordered = CellAveraging(guard=(1, 1), train=(3, 2)), OrderedStatistics(guard=(1, 1), train=(3, 2))
    mean, rank = averaging.noise(power), ordered.noise(power)
    rows = np.abs(np.arange(-3, 23))
    rows[rows > 19] = 38 - rows[rows > 19]
    for r in range(20):
        for v in range(16):
            block = power[rows[r : r + 7]][:, (np.arange(v - 2, v + 3)) % 16]
            keep = np.ones((7, 5), bool)
            keep[2:5, 1:4] = False
            assert mean[r, v] == pytest.approx(block[keep].mean(), rel=1e-5)
            assert rank[r, v] == np.sort(block[keep])[round(0.75 * 26) - 1]


@pytest.mark.parametrize("angle", [FftAngle(), Capon(), Music()], ids=lambda it: it.type)
@pytest.mark.parametrize("azimuth_deg", [-50.0, -7.0, 25.0])
def test_direction(angle, azimuth_deg):
    """One target: its azimuth within four standard deviations and a hundredth of a beam width (0.15 deg)."""
    scan = scan_of(radar(fidelity=SignalLevel(angle=angle)), Paths.points(20.0, 3.0, np.radians(azimuth_deg)))
    sigma = np.sqrt(scan.covariance[0, 2, 2])
    assert abs(scan.azimuth_rad[0] - np.radians(azimuth_deg)) < 4 * sigma + np.radians(0.15)


@pytest.mark.parametrize("angle", [Capon(), Music()], ids=lambda it: it.type)
def test_two_targets_in_one_cell(angle):
    """MUSIC and Capon tell 14 degrees apart what the FFT of eight elements (beam 12.8 deg, side lobes) takes for one."""
    paths = Paths.points(20.0, 3.0, np.radians([-7.0, 7.0]), cross_section_m2=[3.0, 3.0])
    scan = scan_of(radar(fidelity=SignalLevel(angle=angle)), paths)
    both = np.sort(np.degrees(scan.azimuth_rad[np.abs(scan.range_m - 20) < 0.3]))
    assert len(both) == 2
    np.testing.assert_allclose(both, [-7, 7], atol=1.5)


def test_elevation_from_two_rows():
    """A transmitter half a wavelength higher tells elevations."""
    array = VirtualArray(
        transmitters_m=((0, 0), (4 * SPACING_M, 0), (2 * SPACING_M, SPACING_M)),
        receivers_m=tuple((j * SPACING_M, 0) for j in range(4)),
    )
    for fidelity in ({"type": "signal"}, {"type": "detection"}):
        scan = scan_of(radar(array=array, fidelity=fidelity), Paths.points(15.0, 2.0, 0.2, 0.12, 10.0))
        assert scan.elevation_rad[0] == pytest.approx(0.12, abs=4 * float(np.sqrt(scan.covariance[0, 3, 3])))
        assert scan.azimuth_rad[0] == pytest.approx(0.2, abs=0.01)


def test_noise_power_is_ktbf():
    """The mean power of samples without echoes is k T F fs within 5 sigma / sqrt(N)."""
    cube, device = samples_of(Paths.points(np.zeros(0)))
    expected = 1.380649e-23 * 290 * 10e6 * 10**1.4
    assert np.mean(np.abs(cube) ** 2) == pytest.approx(expected, rel=5 / np.sqrt(cube.size))
    assert device.front.noise_w == pytest.approx(expected)
