"""The LiDAR as an instrument: ranges, limits, intensities, truth, refusals."""

import numpy as np
import pytest
from worlds import wall

from sensorium.core.errors import ConfigurationError
from sensorium.scene.scene import Scene
from sensorium.sensors import sensor_of
from sensorium.simulation import observe

SCENE = Scene((wall(20.0, 300.0),))


def test_range_noise_has_its_standard_deviation():
    """Sample deviation within 5 sigma / sqrt(2 N) of the configured one; mean within 5 sigma / sqrt(N)."""
    sigma = 0.03
    quiet = sensor_of("velodyne_vlp16", range_noise_m=0, range_resolution_m=0)
    loud = sensor_of("velodyne_vlp16", range_noise_m=sigma, range_resolution_m=0)
    truth, noisy = observe(SCENE, quiet, seed=1), observe(SCENE, loud, seed=1)
    error = noisy.range_m.astype(float) - truth.range_m
    count = len(error)
    assert count > 5000
    assert abs(error.std() - sigma) < 5 * sigma / np.sqrt(2 * count)
    assert abs(error.mean()) < 5 * sigma / np.sqrt(count)


def test_range_is_reported_in_whole_steps():
    """Every range is a multiple of the resolution, within half a step of the truth."""
    lidar = sensor_of("velodyne_vlp16", range_noise_m=0, range_resolution_m="5 cm")
    truth = sensor_of("velodyne_vlp16", range_noise_m=0, range_resolution_m=0)
    steps = observe(SCENE, lidar).range_m / 0.05
    assert np.abs(steps - np.rint(steps)).max() < 1e-3
    assert np.abs(observe(SCENE, lidar).range_m - observe(SCENE, truth).range_m).max() <= 0.025 + 1e-5


def test_nothing_beyond_the_limits_is_reported():
    """True distances outside range_min_m .. range_max_m give no return; the others all do."""
    lidar = sensor_of("velodyne_vlp16", range_noise_m=0, range_resolution_m=0, range_min_m=25.0, range_max_m=40.0)
    everything = observe(SCENE, sensor_of("velodyne_vlp16", range_noise_m=0, range_resolution_m=0, range_max_m=1000.0))
    cloud = observe(SCENE, lidar)
    assert len(cloud) == np.sum((everything.range_m >= 25.0) & (everything.range_m <= 40.0))
    assert cloud.range_m.min() >= 25.0 - 0.001
    assert cloud.beam_count == everything.beam_count


def test_intensity_is_lamberts_law():
    """Calibrated reflectivity of a matt wall: 100 rho cos exp(-2 alpha r), within the receiver's noise of 5 sigma."""
    lidar = sensor_of("velodyne_vlp16", range_noise_m=0, truth=True)
    cloud = observe(SCENE, lidar)
    near = cloud.range_m < 40
    r = cloud.range_m[near].astype(float)
    rho = SCENE.library["lambertian_80"].optical.reflectance_905nm.value
    expected = 100 * rho * np.cos(cloud.truth.incidence_rad[near]) * np.exp(-2 * SCENE.air.extinction_at(903e-9) * r)
    link = lidar.link.figures()
    noise = 100 * lidar.receiver.noise_w * r**2 / (link.power_w * link.aperture_m2 / np.pi)
    assert (np.abs(cloud.intensity[near] - expected) <= 0.51 + 5 * noise).all()
    assert np.abs(np.cos(cloud.truth.incidence_rad[near]) - 20.0 / r).max() < 2e-3


def test_truth_names_what_was_met():
    """Body, part, material and class of each return are those of the wall."""
    cloud = observe(SCENE, sensor_of("velodyne_vlp16", truth=True))
    assert (cloud.truth.body == 0).all()
    assert (cloud.truth.part == 0).all()
    assert (cloud.truth.material == SCENE.library.row("lambertian_80")).all()
    assert (cloud.truth.label == SCENE.classes.index("thing")).all()


def test_an_empty_scene_gives_an_empty_cloud():
    """No body, no return, no error."""
    cloud = observe(Scene(()), sensor_of("velodyne_hdl64e", truth=True))
    assert len(cloud) == 0
    assert cloud.beam_count > 100_000


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rate_hz": 0}, "rate_hz"),
        ({"rate_hz": -10}, "rate_hz"),
        ({"rate_hz": 50}, "5.0 to 20.0 Hz"),
        ({"range_min_m": 200}, "smaller than range_max_m"),
        ({"range_noise_m": -0.1}, "range_noise_m"),
        ({"range_max_m": "5 kg"}, "unit"),
        ({"rat_hz": 10}, "Did you mean 'rate_hz'"),
    ],
)
def test_impossible_settings_are_refused(settings, message):
    """The message names the setting and what would be right."""
    with pytest.raises(ConfigurationError, match=message):
        sensor_of("velodyne_vlp16", **settings)


def test_unknown_device_is_refused_with_a_proposal():
    """A typing error in the device's name gets the right name back."""
    with pytest.raises(ConfigurationError, match="Did you mean 'velodyne_vlp16'"):
        sensor_of("velodyne_vlp-16")
