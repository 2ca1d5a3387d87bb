"""Points over images: they land where the camera saw the same surface, rolling shutter and motion included."""

from __future__ import annotations

import numpy as np
import pytest
from pictures import image
from worlds import Gliding, mesh_of_box, model_of

from sensorium.apps.cloud_on_image import points_on, viewable, with_points
from sensorium.apps.placement import Placement
from sensorium.core.pose import Pose
from sensorium.samples import Image, PointCloud, TruthSample
from sensorium.scene.body import Body
from sensorium.scene.scene import Scene
from sensorium.sensors import Camera, sensor_of
from sensorium.sensors.camera.camera import ImageTruthSettings
from sensorium.sensors.camera.exposure import FixedExposure
from sensorium.sensors.camera.lenses import BrownConrady, Equirectangular, KannalaBrandt, Pinhole, lens_of
from sensorium.sensors.camera.shutter import RollingShutter
from sensorium.simulation.rig import Mount
from sensorium.simulation.simulation import Simulation

LENSES = [
    Pinhole(width=160, height=120, fx_px=120),
    BrownConrady(width=160, height=120, fx_px=120, k1=-0.2, k2=0.04, p1=1e-3),
    BrownConrady(width=160, height=120, fx_px=120, k1=-0.2, k4=0.01),
    KannalaBrandt(width=160, height=120, field_of_view_rad="120 deg", k1=-0.01),
    Equirectangular(width=360, height=180),
]


@pytest.mark.parametrize("lens", LENSES, ids=lambda lens: type(lens).__name__)
def test_a_lens_is_made_of_its_calibration(lens):
    """The lens of a calibration projects as the one that it came from."""
    points = np.random.default_rng(0).normal(size=(50, 3)) * (1, 1, 0.2) + (0, 0, 3)
    np.testing.assert_allclose(lens_of(lens.calibration).project(points), lens.project(points), atol=1e-9)


def test_points_land_on_what_they_met():
    """The depth of each projected point is that of the pixel it lands in, while the car drives and turns."""
    car = Body("car", model_of(mesh_of_box((0.1, 0.1, 0.1))), Gliding(Pose.at(0, 0, 1), (12.0, 0, 0), (0, 0, 0.3)))
    walls = [
        Body(f"wall{k}", model_of(mesh_of_box((1.0, 4.0, 8.0)), label=f"w{k}"), Gliding(Pose.at(x, y, 1)))
        for k, (x, y) in enumerate([(18, -3), (25, 4), (40, 0)])
    ]
    camera = Camera(
        lens=LENSES[1], shutter=RollingShutter(row_delay_s=1e-4), exposure=FixedExposure(exposure_s=1e-4), rate_hz=10.0,
        truth=ImageTruthSettings(),
    )  # fmt: skip
    rig = [
        Mount(name="lidar", body="car", pose=Pose.at(0, 0, 0.5), sensor=sensor_of("velodyne_vlp16", range_noise_m=0.0)),
        Mount(name="front", body="car", pose=Pose.at(0.2, 0.1, 0.4), sensor=camera, phase_s=0.04),
    ]
    samples = list(Simulation(Scene((car, *walls)), rig, truth_rate_hz=100.0).samples(0.2))
    truth = [sample for sample in samples if isinstance(sample, TruthSample)]
    picture = next(sample for sample in samples if isinstance(sample, Image))
    cloud = next(sample for sample in samples if isinstance(sample, PointCloud))
    seen = points_on(picture, cloud, Placement.of(truth, rig))
    column, row = np.rint(seen.pixels).astype(int).T
    off = np.abs(picture.truth.depth_m[row, column] - seen.depth_m)
    assert len(off) > 200
    assert np.quantile(off, 0.9) < 0.1
    assert with_points(picture, seen, np.zeros((len(off), 3), np.uint8)).shape == (120, 160, 3)


@pytest.mark.parametrize("encoding", ["rgb8", "mono8", "mono16", "bayer_rggb16"])
def test_every_image_can_be_looked_at(encoding):
    """Colours of 8 bits, whatever the camera sends."""
    shown = viewable(image(encoding=encoding))
    assert shown.dtype == np.uint8
    assert shown.shape == (12, 17, 3)
    assert np.ptp(shown) > 100
