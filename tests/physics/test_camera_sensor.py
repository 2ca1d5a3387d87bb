"""The chip after EMVA 1288: its own procedure, applied to our images, gives back what was configured."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from sensorium.core.random import Draws
from sensorium.samples import Stamp
from sensorium.sensors.camera.camera import Camera
from sensorium.sensors.camera.exposure import FixedExposure
from sensorium.sensors.camera.imager import Bayer, Defects, Imager, Monochrome
from sensorium.sensors.camera.lenses import Pinhole
from sensorium.sensors.camera.light_image import LightImage
from sensorium.sensors.camera.processing import RawOutput

EXPOSURE_S = 0.01
EFFICIENCY = 0.6


def camera(rows=240, columns=320, gain_db=0.0, **chip) -> Camera:
    settings = {
        "filter": Monochrome(efficiency=(0.5, EFFICIENCY, 0.4)),
        "gain_dn_e": 0.35,
        "dark_current_e_s": 0.0,
    } | chip
    return Camera(
        lens=Pinhole(width=columns, height=rows, field_of_view_rad="40 deg"), imager=Imager(**settings),
        exposure=FixedExposure(exposure_s=EXPOSURE_S, gain_db=gain_db), processing=RawOutput(),
    )  # fmt: skip


def light(device: Camera, electrons: float) -> LightImage:
    """A uniform green target that frees so many electrons in every pixel."""
    per_joule = device.imager.electrons_per_j_m2()[0, 1]
    image = np.zeros((device.lens.height, device.lens.width, 3), np.float32)
    image[..., 1] = electrons / per_joule / EXPOSURE_S
    return LightImage(irradiance_w_m2=image, calibration=device.lens.calibration, exposure_s=EXPOSURE_S)


def shots(device: Camera, electrons: float, count: int, first: int = 0) -> np.ndarray:
    signal = light(device, electrons)
    draws = (Draws(5, sensor="chip", sample=first + k) for k in range(count))
    return np.stack([device.raw(signal, each).astype(np.float64) for each in draws])


def test_photon_transfer():
    """EMVA 1288 4.0, section 6: s2 - s2_dark = K (m - m_dark); s2_dark = K2 s_d2 + 1/12; saturation where s2 is largest."""
    device = camera(full_well_e=10_000.0, read_noise_e=4.0)
    levels = np.concatenate((np.linspace(0, 9000, 16), np.linspace(9200, 10_600, 29)))
    mean, variance = np.empty(len(levels)), np.empty(len(levels))
    for k, electrons in enumerate(levels):
        a, b = shots(device, electrons, 2, 2 * k)
        mean[k] = (a + b).mean() / 2
        variance[k] = ((a - b) ** 2).mean() / 2 - (a - b).mean() ** 2 / 2
    full = variance.argmax()
    part = mean - mean[0] < 0.7 * (mean[full] - mean[0])
    x, y = (mean - mean[0])[part], (variance - variance[0])[part]
    gain = float(x @ y / (x @ x))
    assert gain == pytest.approx(0.35, rel=0.01)
    assert np.sqrt(variance[0] - 1 / 12) / gain == pytest.approx(4.0, rel=0.05)
    assert (mean[full] - mean[0]) / gain == pytest.approx(10_000, rel=0.02)
    ratio, expected = (mean - mean[0])[1:10] / np.sqrt(variance[1:10]), levels[1:10]
    np.testing.assert_allclose(ratio, expected / np.sqrt(expected + 16 + 1 / 12 / 0.35**2), rtol=0.02)


def test_non_uniformity():
    """PRNU = sqrt(v50 - v_dark) / (m50 - m_dark), DSNU = sqrt(v_dark) / K from averaged images, less what noise leaves in them."""
    device = camera(full_well_e=10_000.0, read_noise_e=2.0, prnu=0.01, dsnu_e=3.0)
    spatial, mean, count = [], [], 24
    for electrons in (0.0, 5000.0):
        images = shots(device, electrons, count)
        average = images.mean(0)
        spatial.append(average.var() - images.var(0, ddof=1).mean() / count)
        mean.append(average.mean())
    assert np.sqrt(spatial[1] - spatial[0]) / (mean[1] - mean[0]) == pytest.approx(0.01, rel=0.1)
    assert np.sqrt(spatial[0]) / 0.35 == pytest.approx(3.0, rel=0.1)


def test_fixed_pattern_belongs_to_the_camera():
    """The pattern is the same in every image and in every run, and another one in another camera."""
    device = camera(read_noise_e=0.0, prnu=0.0, dsnu_e=20.0)
    signal = light(device, 0.0)
    one, later, run, other = (
        device.raw(signal, draws).astype(float)
        for draws in (Draws(5, 0, "a", 0), Draws(5, 0, "a", 9), Draws(5, 3, "a", 0), Draws(5, 0, "b", 0))
    )
    np.testing.assert_array_equal(one, later)
    np.testing.assert_array_equal(one, run)
    assert abs(np.corrcoef(one.ravel(), other.ravel())[0, 1]) < 5 / np.sqrt(one.size)


@pytest.mark.parametrize("mean", [0.3, 4.0, 9.9, 10.1, 60.0, 3000.0])
def test_shot_noise_is_poisson(mean):
    """Chi-square of the counts against the distribution, on both sides of the change of method at a mean of 10."""
    from sensorium.core.poisson_kernels import fill_poisson

    out = np.empty(200_000)
    fill_poisson(Draws(3).key("shot"), np.full(len(out), mean), out)
    law = stats.poisson(mean)
    edges = np.unique(law.ppf(np.linspace(0.0005, 0.9995, 60))).astype(int)
    seen = np.histogram(out, np.concatenate(([-1], edges, [10**9])) + 0.5)[0]
    expected = np.diff(np.concatenate(([0.0], law.cdf(edges), [1.0]))) * len(out)
    keep = expected > 5
    assert stats.chisquare(seen[keep], expected[keep] * seen[keep].sum() / expected[keep].sum()).pvalue > 1e-4
    assert out.mean() == pytest.approx(mean, abs=5 * np.sqrt(mean / len(out)))
    assert out.var() == pytest.approx(mean, rel=5 * np.sqrt((2 + 1 / mean) / len(out)))


def test_shot_noise_of_neighbours_is_independent():
    """Correlation of neighbouring pixels within 5 sigma of none."""
    device = camera(prnu=0.0, dsnu_e=0.0)
    (image,) = shots(device, 500.0, 1)
    image -= image.mean()
    for a, b in ((image[:, 1:], image[:, :-1]), (image[1:], image[:-1])):
        assert abs((a * b).mean() / image.var()) < 5 / np.sqrt(image.size)


def test_noise_falls_with_the_number_of_images():
    """The deviation of a mean over N images is that of one over sqrt(N)."""
    device = camera(prnu=0.0, dsnu_e=0.0)
    images = shots(device, 2000.0, 32)
    single = images.std(0, ddof=1).mean()
    for count in (4, 16):
        means = images.reshape(-1, count, *images.shape[1:]).mean(1)
        spread = np.sqrt(means.var(0, ddof=1).mean()) if len(means) > 1 else means[0].std()
        assert spread == pytest.approx(single / np.sqrt(count), rel=0.02)


def test_a_smaller_image_is_no_prefix():
    """Noise of a small image appears neither in the corner nor at the start of a larger one."""
    small, large = camera(60, 80), camera(120, 160)
    (a,), (b,) = shots(small, 1000.0, 1), shots(large, 1000.0, 1)
    a, b = a - a.mean(), b - b.mean()
    for piece in (b[:60, :80], b.ravel()[: a.size].reshape(a.shape)):
        assert abs((a * piece).mean() / a.var()) < 5 / np.sqrt(a.size)


def test_dark_current_doubles():
    """m_dark = I t 2^((T - T_ref) / T_double)."""
    device = camera(dark_current_e_s=50_000.0, self_heating_k=0.0, dark_reference_k=298.15, dark_doubling_k=7.0)
    signal = light(device, 0.0)
    values = []
    for kelvin in (291.15, 298.15, 305.15):
        warm = LightImage(
            irradiance_w_m2=signal.irradiance_w_m2, calibration=signal.calibration, exposure_s=EXPOSURE_S, temperature_k=kelvin
        )  # fmt: skip
        values.append((device.raw(warm, Draws(1)).mean() - 64) / 0.35)
    np.testing.assert_allclose(values, [250, 500, 1000], rtol=0.01)


def test_gain_and_saturation_of_the_converter():
    """20 dB are a factor of ten; numbers end at 2^bits - 1."""
    low, high = camera(), camera(gain_db=20.0)
    (a,), (b,) = shots(low, 500.0, 1), shots(high, 500.0, 1)
    assert (b.mean() - 64) / (a.mean() - 64) == pytest.approx(10.0, rel=0.01)
    assert shots(high, 5000.0, 1).min() == 4095


def test_defects_are_as_many_as_configured():
    """Shares of hot, dead and stuck pixels within 5 sigma, and dead columns stay black."""
    share = 0.01
    defects = Defects(hot_share=share, dead_share=share, stuck_share=share, dead_columns=2)
    device = camera(read_noise_e=0.0, dsnu_e=0.0, prnu=0.0, defects=defects)
    images = shots(device, 4000.0, 4)
    dark = (images == 64).all(0)
    columns = dark.all(0)
    assert 1 <= columns.sum() <= 2
    rest, number = dark[:, ~columns], images[0][:, ~columns].size
    assert rest.mean() == pytest.approx(share, abs=5 * np.sqrt(share / number))
    same = (images == images[0]).all(0)[:, ~columns] & ~rest
    assert same.mean() == pytest.approx(share, abs=5 * np.sqrt(share / number) + 0.001)


def test_bayer_mosaic_samples_one_filter_per_pixel():
    """With green light each pixel counts what its filter passes of green."""
    mosaic = Bayer(pattern="grbg", red=(0.5, 0.1, 0), green=(0.1, 0.6, 0.1), blue=(0, 0.2, 0.5))
    device = camera(filter=mosaic, read_noise_e=0.0, dsnu_e=0.0, prnu=0.0)
    image = np.zeros((240, 320, 3), np.float32)
    image[..., 1] = 1000 / (device.imager.electrons_per_j_m2()[1, 1] * EXPOSURE_S)
    signal = LightImage(irradiance_w_m2=image, calibration=device.lens.calibration, exposure_s=EXPOSURE_S)
    draws = Draws(1)
    sample, _ = device.detect(signal, None, draws, Stamp("a", 0, 0, 0))
    assert sample.encoding == "bayer_grbg16"
    means = [(sample.pixels[i::2, j::2].mean() - 64) / 0.35 for i in (0, 1) for j in (0, 1)]
    np.testing.assert_allclose(means, [1000, 1000 / 6, 2000 / 6, 1000], rtol=0.01)
