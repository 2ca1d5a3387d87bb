"""Stray light of bright targets in the beams beside them, against its law."""

import numpy as np
import pytest
from worlds import mesh_of_box, model_of

from sensorium.atmosphere import Medium
from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.core.time import TimeWindow
from sensorium.materials.library import standard_library
from sensorium.motion import Fixed
from sensorium.samples import Stamp
from sensorium.samples.causes import Cause
from sensorium.scene.body import Body
from sensorium.scene.scene import Scene
from sensorium.scene.view import View
from sensorium.sensors import sensor_of
from sensorium.sensors.lidar import Blooming
from sensorium.sensors.lidar.beams import Beams
from sensorium.sensors.lidar.echoes import FirstEchoes, LaterEchoes
from sensorium.tracing import EmbreeTracer

NOISE_W = 2e-7
FOOTPRINT_SR = 4e-6
BLOOMING = Blooming(level=1e-4, width_rad=0.01, reach_rad=0.1)


def towards(azimuth_rad, elevation_rad) -> np.ndarray:
    azimuth, elevation = np.broadcast_arrays(np.asarray(azimuth_rad, float), np.asarray(elevation_rad, float))
    flat = np.cos(elevation)
    return np.stack((flat * np.cos(azimuth), flat * np.sin(azimuth), np.sin(elevation)), -1)


def halo(direction, power_w, distance_m, blooming: Blooming = BLOOMING, rays: int = 1) -> LaterEchoes:
    """Stray light in beams of these directions [N, 3] whose rays have these echoes [N R]."""
    n = len(direction)
    beams = Beams(np.arange(n), np.zeros((n, 3)), np.asarray(direction, float), np.zeros(n, np.uint16))
    first = FirstEchoes(np.asarray(distance_m, float), np.asarray(power_w, np.float32))
    return LaterEchoes.joined(blooming.halo(beams, first, None, NOISE_W, FOOTPRINT_SR, 0.2), n)


def angle_between(a, b) -> np.ndarray:
    return np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), np.sum(a * b, axis=-1))


@pytest.mark.parametrize("at", [(0.3, 0.1), (np.pi - 1e-3, -0.2), (-np.pi, 0.0), (1.0, np.pi / 2), (2.0, -1.53)])
def test_share_follows_the_law_all_round_the_source(at):
    """B = level / (1 + (psi / width)^2) up to the reach and nothing beyond, across the seam of azimuths and at both poles."""
    rng = np.random.default_rng(3)
    source = towards(*at)
    side = np.cross(source, rng.normal(size=(400, 3)))
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    psi = rng.uniform(0.004, 0.13, 400)  # not in the source's own footprint
    around = np.cos(psi)[:, None] * source + np.sin(psi)[:, None] * side
    power = np.zeros(401)
    power[-1] = 100.0
    found = halo(np.vstack((around, source)), power, np.append(np.full(400, np.inf), 25.0))
    beam = np.flatnonzero(np.diff(found.first))
    assert set(np.diff(found.first)) == {0, 1}
    assert beam.tolist() == np.flatnonzero(psi <= BLOOMING.reach_rad).tolist()
    np.testing.assert_allclose(found.power_w, 100.0 * 1e-4 / (1 + (psi[beam] / 0.01) ** 2), rtol=1e-6)
    np.testing.assert_allclose(found.power_w, 100.0 * BLOOMING.share(psi[beam]), rtol=1e-6)
    assert (found.distance_m == 25.0).all()
    assert (found.cause == Cause.BLOOMING).all()


def test_stray_light_crosses_the_seam_of_azimuths():
    """A source at 179.9 degrees and a beam at -179.9 degrees are 0.2 degrees apart."""
    found = halo(towards(np.radians([179.9, -179.9]), 0.0), [1.0, 0.0], [30.0, np.inf])
    assert np.diff(found.first).tolist() == [0, 1]
    assert found.power_w[0] == pytest.approx(1e-4 / (1 + (np.radians(0.2) / 0.01) ** 2), rel=1e-6)


def test_dim_targets_have_no_halo_and_cost_nothing():
    """An echo whose stray light is below a tenth of the noise is no source, and without a source nothing comes back."""
    directions, distance = towards([0.0, 0.003], 0.0), [30.0, np.inf]
    assert not len(halo(directions, [0.099 * NOISE_W / 1e-4, 0.0], distance).power_w)
    assert len(halo(directions, [0.12 * NOISE_W / 1e-4, 0.0], distance).power_w) == 1
    assert not len(halo(np.zeros((0, 3)), [], []).power_w)


def test_a_beam_is_no_source_for_itself():
    """A single bright beam hears nothing but its own echo; two beams far apart in range hear one another."""
    assert not len(halo(towards([0.0], 0.0), [1.0], [30.0]).power_w)
    found = halo(towards([0.0, 0.02], 0.0), [1.0, 3.0], [30.0, 40.0])
    assert found.distance_m.tolist() == [40.0, 30.0]
    np.testing.assert_allclose(found.power_w, np.array([3.0, 1.0]) * 1e-4 / 5, rtol=1e-6)


def test_sources_at_one_range_add_up_and_others_stay_apart():
    """Three sources: two at nearly the same range make one echo with the sum and the weighted range, the third one its own."""
    directions = towards([0.0, 0.01, 0.03, 0.02], 0.0)
    found = halo(directions, [1.0, 2.0, 1.0, 0.0], [30.0, 30.1, 50.0, np.inf])
    share = BLOOMING.share(np.array([0.02, 0.01, 0.01]))
    rows = slice(found.first[3], found.first[4])
    np.testing.assert_allclose(found.power_w[rows], [share[0] + 2 * share[1], share[2]], rtol=1e-5)
    middle = (30.0 * share[0] + 30.1 * 2 * share[1]) / (share[0] + 2 * share[1])
    np.testing.assert_allclose(found.distance_m[rows], [middle, 50.0], rtol=1e-6)


def test_the_halo_does_not_depend_on_how_densely_beams_sample():
    """A plate of 20 by 20 mrad seen by beams 0.25 or 1 mrad apart, footprint 2 mrad: the same halo within 5 % beside it.

    It is that of the plate's 100 footprints, summed by hand.
    """
    cells = (np.arange(10) + 0.5) * 2e-3 - 0.01
    plate = towards(*(grid.ravel() for grid in np.meshgrid(cells, cells)))
    beside = towards(0.03, 0.0)
    expected = BLOOMING.share(angle_between(plate, beside)).sum()
    for step in (0.25e-3, 1e-3):
        places = np.arange(-0.014 + step / 2, 0.014, step)
        beams = towards(*(grid.ravel() for grid in np.meshgrid(places, places)))
        power = np.append(np.abs(beams[:, 1:]).max(1) < 0.01, 0.0)
        found = halo(np.vstack((beams, beside)), power, np.where(power > 0, 20.0, np.inf))
        rows = slice(found.first[-2], found.first[-1])
        assert len(found.power_w[rows]) == 1
        assert found.power_w[rows][0] == pytest.approx(expected, rel=0.05)


def test_rays_of_a_beam_are_one_source():
    """Five rays on one plate send as much as their beam receives, at its range."""
    power, distance = np.zeros(10), np.full(10, np.inf)
    power[:5], distance[:5] = [0.5, 0.1, 0.2, 0.1, 0.1], [20.0, 20.05, 20.0, 19.95, 20.0]
    found = halo(towards([0.0, 0.02], 0.0), power, distance, rays=5)
    assert np.diff(found.first).tolist() == [0, 1]
    assert found.power_w[0] == pytest.approx(1e-4 / 5, rel=1e-6)
    assert found.distance_m[0] == pytest.approx(20.0, abs=1e-6)


def test_many_sources_agree_with_a_sum_over_all_pairs():
    """500 beams all over the sphere, every fifth bright: the search by azimuth finds what a table of all angles says."""
    rng = np.random.default_rng(8)
    directions = rng.normal(size=(500, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    power, distance = np.where(np.arange(500) % 5 == 0, 1.0, 0.0), 10.0 + np.arange(500.0)
    wide = Blooming(level=1e-3, width_rad=0.1, reach_rad=0.3)
    found = halo(directions, power, np.where(power > 0, distance, np.inf), wide)
    psi = angle_between(directions[:, None], directions[None, ::5])
    share = wide.share(psi) * (np.arange(500)[:, None] != np.arange(0, 500, 5))
    assert np.diff(found.first).tolist() == (share > 0).sum(1).tolist()
    np.testing.assert_allclose(np.add.reduceat(found.power_w, found.first[:-1][np.diff(found.first) > 0]),
                               share.sum(1)[(share > 0).any(1)], rtol=1e-6)  # fmt: skip


def look_at_a_sign(**settings):
    """A sign of 60 cm, 20 m behind the sensor where its azimuth jumps from 180 to -180 degrees, before an HDL-64E."""
    lidar = sensor_of("velodyne_hdl64e", truth=True, **settings)
    sign = Body(
        "sign", model_of(mesh_of_box((0.02, 0.6, 0.6)), material="traffic_sign"), Fixed(pose=Pose.at(-20, 0, -1.5))
    )
    scene = Scene((sign,), standard_library(), Medium(name="vacuum", extinction_1_m=0.0))
    signal = lidar.sense(View(scene, EmbreeTracer(scene), Fixed(), Pose.identity(), TimeWindow(0, 100_000_000)))
    return lidar, signal, lidar.detect(signal, None, Draws(1, sensor="lidar"), Stamp("lidar", 0, 0, 100_000_000))[0]


def test_a_traffic_sign_gets_a_halo_whose_cause_is_told():
    """Round the sign lie false points at its range, within reach of stray light; without blooming there are none."""
    reach = np.radians(4)
    _, _, clean = look_at_a_sign()
    _, signal, cloud = look_at_a_sign(blooming={"level": "0.03 %", "reach_rad": reach})
    false = cloud.truth.cause == Cause.BLOOMING
    assert (clean.truth.cause == Cause.SURFACE).all()
    assert false.sum() > 2 * len(clean)
    assert (cloud.truth.body[false] == 0).all()
    assert (cloud.truth.incidence_rad[false] < 0.2).all()
    np.testing.assert_allclose(np.linalg.norm(cloud.points_m[false], axis=1), 20.05, atol=0.25)
    directions, bright = signal.beams.direction, np.unique(clean.beam)
    nearest = angle_between(directions[cloud.beam[false]][:, None], directions[bright][None]).min(1)
    assert reach * 0.5 < nearest.max() <= reach
    azimuth = np.arctan2(cloud.points_m[false, 1], cloud.points_m[false, 0])
    assert (azimuth > 3.1).any()
    assert (azimuth < -3.1).any()


def test_full_waveform_receivers_bloom_too():
    """Stray light is light: the sampled receiver finds the same halo, give or take what lies near the threshold."""
    settings = {"blooming": {"level": "0.03 %"}}
    counts = [
        int((look_at_a_sign(**settings, **more)[2].truth.cause == Cause.BLOOMING).sum())
        for more in ({}, {"waveform": {"type": "waveform"}})
    ]
    assert counts[1] == pytest.approx(counts[0], rel=0.15)


def test_threads_change_nothing():
    """The same bytes with one thread and with two."""
    import numba

    made, before = [], numba.get_num_threads()
    try:
        for threads in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
            numba.set_num_threads(threads)
            _, signal, _ = look_at_a_sign(blooming={"level": "0.03 %"})
            later = signal.later
            made.append(b"".join(a.tobytes() for a in (later.first, later.distance_m, later.power_w, later.body)))
    finally:
        numba.set_num_threads(before)
    assert len(made[0]) > 1000
    assert made[0] == made[1]
