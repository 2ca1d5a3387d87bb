"""The electronics of the thermal camera: noise against its distribution, corrections, outputs, and what is refused."""

from dataclasses import replace

import numba
import numpy as np
import pytest
from worlds import wall

from sensorium.core.configuration import build
from sensorium.core.errors import ConfigurationError
from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.core.time import TimeWindow
from sensorium.motion import Fixed
from sensorium.samples import Stamp
from sensorium.scene.origin import Origin
from sensorium.scene.scene import Scene
from sensorium.scene.street import Street
from sensorium.scene.sun import Sun
from sensorium.scene.temperature import FixedTemperature
from sensorium.scene.view import View
from sensorium.sensors import AnySensor, ThermalCamera, device, device_names, sensor_of
from sensorium.sensors.camera.lenses import Pinhole
from sensorium.sensors.camera.thermal.detector import Microbolometer, PhotonDetector
from sensorium.sensors.camera.thermal.optics import Optics
from sensorium.sensors.camera.thermal.output import AutomaticGain, Counts, Radiometric
from sensorium.sensors.camera.thermal.thermal_camera import ThermalSignal
from sensorium.sensors.camera.thermal.uniformity import Shutter, Uniformity
from sensorium.simulation import observe
from sensorium.tracing import EmbreeTracer

W, H = 320, 256
PERFECT = Uniformity(gain_residue=0.0, drift_k_min=0.0, shutter=None, dead=0.0, saturated=0.0)
PLAIN = ThermalCamera(lens=Pinhole(width=W, height=H, field_of_view_rad="40 deg"), uniformity=PERFECT)
THERMAL = [name for name in device_names() if device(name).sensor["type"] == "thermal_camera"]


def flat(camera: ThermalCamera, t_k: float) -> ThermalSignal:
    """A uniform black body that fills the image."""
    value = float(camera.detector.radiance_of(np.array([t_k]))[0])
    return ThermalSignal(np.full((camera.lens.height, camera.lens.width), value), None)


def series(camera: ThermalCamera, signals, seed: int = 1):
    """Samples of successive signals, one per period."""
    draws = Draws(seed, sensor="thermal")
    state = camera.initial_state(draws)
    out = []
    for index, signal in enumerate(signals):
        time_ns = camera.start_ns(index)
        sample, state = camera.detect(
            signal, state, draws.at("thermal", index), Stamp("thermal", index, time_ns, time_ns)
        )
        out.append(sample.pixels)
    return np.array(out)


@pytest.mark.parametrize("t_k", [273.15, 300.0, 350.0])
def test_black_body_comes_back_within_netd_over_root_n(t_k):
    """The mean over N pixels is within 4 NETD(T) / sqrt(N) of the truth; NETD(T) = NETD B'(300) / B'(T)."""
    slope = [PLAIN.detector.slope_per_k(t) for t in (300.0, t_k)]
    found = series(PLAIN, [flat(PLAIN, t_k)])[0].astype(float)
    assert abs(found.mean() - t_k) < 4 * 0.05 * slope[0] / slope[1] / np.sqrt(W * H) + 1e-5  # float32 of kelvin


def test_errors_of_the_mean_have_the_right_size():
    """Over 64 images the error of the mean has the standard deviation NETD / sqrt(N) (of N = 4096) and no bias, within 4 sigma."""
    camera = replace(PLAIN, lens=Pinhole(width=64, height=64, field_of_view_rad="40 deg"))
    errors = (series(camera, [flat(camera, 300.0)] * 64).astype(float).mean((1, 2)) - 300) / (0.05 / 64)
    assert abs(errors.mean()) < 4 / np.sqrt(64)
    assert errors.std() == pytest.approx(1.0, abs=4 / np.sqrt(2 * 64))


@pytest.mark.parametrize("netd_k", [0.03, 0.05, 0.1])
@pytest.mark.parametrize("kind", [Microbolometer, PhotonDetector])
def test_netd_is_measurable(kind, netd_k):
    """Standard deviation over a uniform target of 300 K = NETD within 5 %: rounding to counts is a part of it."""
    camera = replace(PLAIN, detector=kind(netd_k=netd_k))
    found = series(camera, [flat(camera, 300.0)])[0].astype(float)
    assert found.std() == pytest.approx(netd_k, rel=0.05)
    in_time = series(camera, [flat(camera, 300.0)] * 30)[:, ::16, ::16].astype(float)
    assert np.sqrt(in_time.var(0, ddof=1).mean()) == pytest.approx(netd_k, rel=0.05)


def test_shot_noise_grows_with_the_photons():
    """Variance s^2 (1 - f + f N / N_300) for a photon detector, constant for a bolometer (in radiance)."""
    for kind, share in ((PhotonDetector, 0.9), (Microbolometer, 0.0)):
        camera = replace(PLAIN, detector=kind(netd_k=0.1), output=Counts())
        noise = [series(camera, [flat(camera, t)])[0].astype(float).var() for t in (300.0, 350.0)]
        cold, warm = camera.detector.radiance_of(np.array([300.0, 350.0]))
        assert noise[1] / noise[0] == pytest.approx(1 - share + share * warm / cold, rel=0.04)


@pytest.mark.parametrize("kind", [Microbolometer, PhotonDetector])
def test_counts_and_back_to_a_millikelvin(kind):
    """Without noise and rounding, kelvin_of(counts_of(B(T))) = T within 1 mK everywhere; with 14 bits within half a step."""
    detector = kind()
    t_k = np.linspace(detector.low_k, detector.high_k, 4001)
    exact = (
        detector.response.photon_radiance_1_s_m2_sr(t_k)
        if detector.photons
        else detector.response.radiance_w_m2_sr(t_k)
    )
    counts = detector.counts_of(exact)
    np.testing.assert_allclose(detector.kelvin_of(counts), t_k, atol=1e-3)
    assert counts[[0, -1]] == pytest.approx([0, 16383], abs=0.05)
    camera = replace(PLAIN, detector=replace(detector, netd_k=0.0))
    step = (detector.limits[1] - detector.limits[0]) / detector.counts / detector.slope_per_k(300.0)
    found = series(camera, [flat(camera, 300.0)])[0]
    assert np.abs(found - 300).max() <= step / 2 + 2e-5


def test_what_the_camera_was_told_of_the_surface():
    """L = e B(T) + (1 - e) B(T_around): told both, the camera gives the surface's own temperature."""
    output = Radiometric(emissivity=0.9, around_k=280.0)
    camera = replace(PLAIN, detector=Microbolometer(netd_k=0.0), output=output)
    b300, b280 = camera.detector.radiance_of(np.array([300.0, 280.0]))
    signal = ThermalSignal(np.full((H, W), 0.9 * b300 + 0.1 * b280), None)
    assert np.abs(series(camera, [signal])[0] - 300).max() < 0.01


def test_columns_and_rows():
    """Means of columns scatter with sqrt(column^2 + NETD^2 / H), of rows with sqrt(row^2 + NETD^2 / W)."""
    camera = replace(PLAIN, column_noise_k=0.03, row_noise_k=0.02)
    images = series(camera, [flat(camera, 300.0)] * 8).astype(float)
    columns = images.mean(1).std(1).mean()
    rows = images.mean(2).std(1).mean()
    assert columns == pytest.approx(np.sqrt(0.03**2 + 0.05**2 / H), rel=4 / np.sqrt(2 * 8 * W))
    assert rows == pytest.approx(np.sqrt(0.02**2 + 0.05**2 / W), rel=4 / np.sqrt(2 * 8 * H))


def test_plates_follow_with_their_time_constant():
    """After a step, k periods later exp(-k / (rate tau)) of it is still to come."""
    camera = replace(PLAIN, rate_hz=60.0, detector=Microbolometer(netd_k=0.0, time_constant_s=0.012), output=Counts())
    counts = series(camera, [flat(camera, 290.0)] * 2 + [flat(camera, 350.0)] * 4)[:, 0, 0].astype(float)
    left = (counts[-1] - counts[1:5]) / (counts[-1] - counts[1])
    rest = np.exp(-4 / (60 * 0.012))
    expected = (np.exp(-np.arange(4) / (60 * 0.012)) - rest) / (1 - rest)
    np.testing.assert_allclose(left, expected, atol=2e-3)


def test_shutter_freezes_and_corrects():
    """While the flag is closed the image stands still; after it the drift begins anew, with NETD / sqrt(frames) left."""
    made = replace(PERFECT, drift_k_min=0.6, shutter=Shutter(interval_s=20.0, duration_s=0.4, frames=4))
    camera = replace(PLAIN, rate_hz=10.0, detector=Microbolometer(netd_k=0.04), uniformity=made)
    images = series(camera, [flat(camera, 300.0)] * 208).astype(float)
    same = [bool((images[k] == images[k - 1]).all()) for k in range(1, 208)]
    assert [k + 1 for k, it in enumerate(same) if it] == [200, 201, 202, 203]
    left = 0.04 / np.sqrt(4)
    for k, since_s in ((0, 0.0), (199, 19.9), (205, 0.5)):
        expected = np.sqrt(0.04**2 + left**2 + (0.6 * since_s / 60) ** 2)
        assert images[k].std() == pytest.approx(expected, rel=0.03)
    before, after = images[:3].mean(0).ravel(), images[205:208].mean(0).ravel()
    assert abs(np.corrcoef(before, after)[0, 1]) < 0.03  # another residue


def test_raw_and_corrected_pixels():
    """Raw: offsets of 2 K and gains of 2 % about the housing's temperature; corrected: the residue of the gains alone."""
    for corrected, gain, offset in ((False, 0.02, 2.0), (True, 0.002, 0.0)):
        made = replace(PERFECT, corrected=corrected, gain=0.02, offset_k=2.0, gain_residue=0.002)
        camera = replace(PLAIN, uniformity=made, output=Counts())
        image = series(camera, [flat(camera, 350.0)])[0].astype(float)
        low, high = camera.detector.limits
        radiance = image * (high - low) / camera.detector.counts
        warm, cold = camera.detector.radiance_of(np.array([350.0, 300.0]))
        per_k = camera.detector.slope_per_k()
        expected = np.sqrt((gain * (warm - cold)) ** 2 + (offset * per_k) ** 2 + (0.05 * per_k) ** 2)
        assert radiance.std() == pytest.approx(expected, rel=0.02)


def test_broken_pixels():
    """Their numbers are binomial, they stay the same from image to image, and the camera may fill them from neighbours."""
    made = replace(PERFECT, dead=0.01, saturated=0.005, replaced=False)
    camera = replace(PLAIN, uniformity=made, output=Counts())
    images = series(camera, [flat(camera, 300.0)] * 2)
    for value, share in ((0, 0.01), (16383, 0.005)):
        assert ((images[0] == value) == (images[1] == value)).all()
        assert abs((images[0] == value).mean() - share) < 4 * np.sqrt(share / (W * H))
    filled = series(replace(camera, uniformity=replace(made, replaced=True)), [flat(camera, 300.0)])[0]
    assert np.ptp(filled) < 60
    assert (filled[images[0] == filled] > 0).all()


def test_counts_are_cut_off():
    """Beyond the range there is nothing but the first and the last count."""
    camera = replace(PLAIN, output=Counts())
    assert set(np.unique(series(camera, [flat(camera, 200.0)]))) == {0}
    assert set(np.unique(series(camera, [flat(camera, 600.0)]))) == {16383}


def test_encodings():
    """Counts are mono16, kelvin 32FC1, hundredths of kelvin 16UC1, pictures mono8."""
    signal, draws = flat(PLAIN, 300.0), Draws(1)
    for output, encoding, kind, middle in (
        (Counts(), "mono16", np.uint16, None), (Radiometric(), "32FC1", np.float32, 300.0),
        (Radiometric(format="centikelvin"), "16UC1", np.uint16, 30000), (AutomaticGain(), "mono8", np.uint8, None),
    ):  # fmt: skip
        camera = replace(PLAIN, output=output)
        image, _ = camera.detect(signal, camera.initial_state(draws), draws, Stamp("t", 0, 0, 0))
        assert image.encoding == encoding
        assert image.pixels.dtype == kind
        assert image.pixels.shape == (H, W)
        if middle:
            assert np.median(image.pixels) == pytest.approx(middle, rel=1e-4)


def test_automatic_gain():
    """Grey rises with the counts, uses the scale, and does not blow up the noise of a flat scene."""
    counts = np.clip(np.random.default_rng(0).normal(6000, 300, (H, W)), 0, 16383).astype(np.uint16)
    counts[:40] = 2000  # a cold sky
    counts[100:110, 100:104] = 9000  # somebody
    grey = AutomaticGain().pixels(counts, PLAIN.detector)
    order = np.argsort(counts.ravel(), kind="stable")
    assert (np.diff(grey.ravel()[order].astype(int)) >= 0).all()
    assert grey.min() < 10
    assert grey.max() > 245
    noise = np.random.default_rng(1).normal(6000, 4, (H, W)).astype(np.uint16)
    assert np.ptp(AutomaticGain(greatest_gain=0.5).pixels(noise, PLAIN.detector).astype(int)) < 30
    assert np.ptp(AutomaticGain().pixels(np.full((H, W), 5, np.uint16), PLAIN.detector)) == 0


def test_the_optics_spread_a_point_and_lose_nothing():
    """A point becomes a Gaussian with sigma^2 = (0.42 lambda F)^2 + aberration^2 (and the pixel's own 1/12)."""
    optics = Optics(f_number=1.2, pitch_m="12 um", aberration_m="9 um")
    image = np.zeros((41, 41))
    image[20, 20] = 1.0
    spot = optics.blurred(image, 11e-6)
    assert spot.sum() == pytest.approx(1.0)
    sigma = np.sqrt((spot.sum(0) * (np.arange(41) - 20) ** 2).sum())
    expected = np.hypot(0.42 * 11e-6 * 1.2, 9e-6) / 12e-6
    assert sigma == pytest.approx(np.sqrt(expected**2 + 1 / 12), rel=0.01)


def test_same_bytes_for_any_number_of_threads():
    """Signal and image of the street by day are the same with one thread and with two."""
    place = Origin(latitude_rad="50 deg", longitude_rad="8 deg", start_utc="2026-06-21T12:00:00Z")
    scene = replace(Street(seed=3, length_m=80).build(), origin=place)
    camera = sensor_of("alead_infrared", lens={"width": 160, "height": 128}, truth={})
    images = []
    for threads in (1, 2):
        numba.set_num_threads(threads)
        images.append(observe(scene, camera, body="ego", seed=5, tracer=EmbreeTracer(scene, threads)))
    numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert images[0].pixels.tobytes() == images[1].pixels.tobytes()
    assert images[0].truth.depth_m.tobytes() == images[1].truth.depth_m.tobytes()


def test_truth_and_rolling_rows():
    """Truth tells bodies and depth; a rolling read-out has its span as its window."""
    scene = Scene(
        (replace(wall(5.0), temperatures={"*": FixedTemperature(temperature_k=310.0)}),), sun=Sun(elevation_rad=-1)
    )
    camera = replace(PLAIN, truth={}, shutter={"type": "rolling", "row_delay_s": "50 us"})
    window = camera.window(3)
    assert window.duration_ns == 255 * 50_000
    view = View(scene, EmbreeTracer(scene), Fixed(), Pose.identity(), TimeWindow(0, window.duration_ns))
    signal = camera.sense(view)
    assert (signal.truth.body == 0).all()
    np.testing.assert_allclose(signal.truth.depth_m, 5.0, rtol=1e-5)


@pytest.mark.parametrize("name", THERMAL)
def test_devices(name):
    """Every thermal device of the catalogue makes an image of the wall; its figures have sources."""
    camera = sensor_of(name)
    scene = Scene(
        (replace(wall(5.0, 40.0, "ideal_none"), temperatures={"*": FixedTemperature(temperature_k=300.0)}),),
        sun=Sun(elevation_rad=-1),
    )
    image = observe(scene, camera, seed=2)
    assert image.pixels.shape == (camera.lens.height, camera.lens.width)
    assert np.median(image.pixels) == pytest.approx(300.0, abs=0.2)


def test_the_published_camera_is_there():
    """40 deg, 20 Hz (document of the ALEAD project); at least three devices of a maker besides."""
    camera = sensor_of("alead_infrared")
    assert np.degrees(camera.lens.field_of_view_rad) == pytest.approx(40)
    assert camera.rate_hz == 20
    assert len(THERMAL) >= 4


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"detector": {"type": "microbolometer", "netd_k": -0.1}}, "netd_k"),
        ({"detector": {"type": "microbolometer", "low_k": -5}}, "low_k"),
        ({"detector": {"type": "microbolometer", "low_k": "100 degC", "high_k": "50 degC"}}, "must be below"),
        ({"detector": {"type": "microbolometer", "bits": 20}}, "bits"),
        ({"housing_k": 0}, "housing_k"),
        ({"uniformity": {"shutter": {"interval_s": 1, "duration_s": 2}}}, "must be shorter"),
        ({"output": {"type": "radiometric", "emissivity": 0}}, "emissivity"),
        ({"output": {"type": "radiometric", "emisivity": 0.9}}, "Did you mean 'emissivity'"),
    ],
)
def test_settings_that_cannot_be(settings, says):
    """Temperatures below 0 K, negative noise, ranges upside down: refused with the path of the setting."""
    with pytest.raises(ConfigurationError, match=says):
        build(AnySensor, {"type": "thermal_camera", **settings})
