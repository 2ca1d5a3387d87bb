"""The engine's physics: each formula against its closed form, the whole against a slow twin, chance against its law."""

from __future__ import annotations

import math

import numpy as np
import pytest
from engine_twin import QUIET, points_of
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.special import ndtr

from sensorium.bridges.engine_physics import EnginePhysics
from sensorium.bridges.engine_surfaces import WireSurfaces, standard_surfaces
from sensorium.bridges.engine_throughput import random_frame
from sensorium.bridges.engine_wire import Guns, Roses, SingleRays
from sensorium.core.errors import ConfigurationError, WireError
from sensorium.core.random import Draws
from sensorium.materials import Material, MaterialLibrary, standard_library

ROUNDING = 1.2e-7  # one step of a 32-bit float
SIGMAS = 5.0  # fails once in 1.7 million tries; the seeds are fixed, so it never does
DIFFUSER, MIRROR, RETRO, GREY = 20, 21, 22, 23


def ideal(number: int, **lobes: float) -> Material:
    """A material with given lobes under a number on the wire."""
    optical = {"reflectance_905nm": 0, "reflectance_1550nm": 0, "colour": [0, 0, 0]}
    weights = {"alpha": 0, "beta": 0, "gamma": 0, "sigma_deg": 5, "source": "assumed", "wire_id": number, **lobes}
    return Material(name=f"ideal_{number}", optical=optical, lobes=weights)


SURFACES = WireSurfaces.from_library(
    standard_library().with_materials(
        [ideal(DIFFUSER, alpha=1), ideal(MIRROR, beta=1), ideal(RETRO, gamma=1), ideal(GREY, alpha=0.1)]
    )
)
LOSSLESS = EnginePhysics(peak_power_w=100, efficiency=1, attenuation_1_m=0, **QUIET)
DRAWS = Draws(7, sensor="engine")


def ray(range_m: float, material: float, incidence_deg: float = 0.0) -> list[float]:
    """A hit straight ahead, its normal turned by the incidence."""
    t = math.radians(incidence_deg)
    return [range_m, 0, 0, -math.cos(t), math.sin(t), 0, material]


def only_power(beams, physics=LOSSLESS, surfaces=SURFACES) -> float:
    points = physics.points(np.array(beams)[None], DRAWS, surfaces)
    assert points.shape == (1, 7)
    return float(points[0, 6])


@pytest.mark.parametrize("incidence_deg", [0.0, 30.0, 60.0, 89.0])
@pytest.mark.parametrize("range_m", [1.0, 25.0, 300.0])
def test_diffuser(range_m: float, incidence_deg: float) -> None:
    """P = Ppeak cos(t)/(2 r^2), from both sides of the surface. 32-bit normals: their error times tan(t) joins."""
    expected = 100 * math.cos(math.radians(incidence_deg)) / (2 * range_m**2)
    relative = ROUNDING * (1 + math.tan(math.radians(incidence_deg)))
    assert only_power(ray(range_m, DIFFUSER, incidence_deg)) == pytest.approx(expected, rel=relative)
    assert only_power(ray(range_m, DIFFUSER, 180 - incidence_deg)) == pytest.approx(expected, rel=relative)


def test_diffuser_returns_no_more_than_went_out() -> None:
    """Below r = sqrt(1/2) m the formula would exceed the emitted power; there the power stays at that."""
    assert only_power(ray(0.01, DIFFUSER)) == 100


def test_mirror_lobe_integrates_to_one() -> None:
    """The integral of I_R over -90..90 degrees is 1: the exponent is -1/2, not the printed -2 (which gives 0.5)."""
    step = 0.25
    angles = np.arange(-90, 90 + step / 2, step)
    beams = np.array([ray(10, MIRROR, angle) for angle in angles])
    points = LOSSLESS.points(beams, DRAWS, SURFACES)
    assert points[:, 6].sum() * step / 100 == pytest.approx(1, rel=2e-6)
    assert points[len(points) // 2, 6] == pytest.approx(100 / (5 * math.sqrt(2 * math.pi)), rel=ROUNDING)


def test_retroreflector_and_air() -> None:
    """A retro-reflector returns everything but what the air absorbs: P = Ppeak eps exp(-2 A r)."""
    physics = EnginePhysics(peak_power_w=80, efficiency=0.25, attenuation_1_m=0.002, **QUIET)
    expected = 80 * 0.25 * math.exp(-2 * 0.002 * 150)
    assert only_power(ray(150, RETRO, 70), physics) == pytest.approx(expected, rel=ROUNDING)


def test_noise_figure_of_the_document() -> None:
    """NEP sqrt(BW) with 6.6 pW/sqrt(Hz) and 1 GHz is 0.2087 uW; a 10 % board comes to the threshold at 215 m."""
    physics = EnginePhysics()
    assert physics.noise_w == pytest.approx(0.2087e-6, rel=1e-4)
    quiet = EnginePhysics(**QUIET)
    assert only_power(ray(215, GREY), quiet) == pytest.approx(3 * physics.noise_w, rel=5e-3)


@pytest.mark.parametrize("layout", [SingleRays(), Roses(), Roses(rays=2), Guns(reflections=4)])
def test_random_frames_against_the_twin(layout) -> None:
    """Range and power of random beams are those of the slow twin; the result's single precision is all that differs."""
    frame = random_frame(layout, 400, Draws(3))
    rows = frame.reshape(400, -1, frame.shape[-1])
    chance = np.random.default_rng(5)
    rows[:, 1:, :3] *= 1 + 0.004 * chance.choice(
        [0, 0, 1, -1], rows[:, 1:, :1].shape
    )  # within and beyond the resolution
    rows[:, 1:][chance.uniform(size=rows[:, 1:].shape[:2]) < 0.2] = layout.no_hits(1).reshape(-1, frame.shape[-1])[0]
    rows[:, :, 6] = np.where(rows[:, :, 6] > 0, chance.integers(1, 13, rows.shape[:2]), 0)
    if isinstance(layout, Guns):
        rows[:, 1:, :3] += chance.normal(size=rows[:, 1:, :3].shape)
        rows[:, 1:, 7] = chance.uniform(0, 0.4, rows[:, 1:, 7].shape)
    physics = EnginePhysics(attenuation_1_m=1e-3, resolution_m=0.3, **QUIET)
    expected = points_of(frame, physics)
    found = physics.points(frame, DRAWS)
    assert len(found) == len(expected) > 300
    np.testing.assert_allclose(found, expected, rtol=2 * ROUNDING, atol=SIGMAS * physics.noise_w)


def test_one_ray_is_one_ray() -> None:
    """Single rays, roses of one ray and guns of one segment are the same, byte for byte, chance included."""
    frame = random_frame(SingleRays(), 5000, Draws(4))
    paths = np.concatenate((frame, np.zeros((5000, 1), np.float32)), 1)[:, None]
    physics = EnginePhysics()
    expected = physics.points(frame, DRAWS).tobytes()
    assert physics.points(frame[:, None], DRAWS).tobytes() == expected
    assert physics.points(paths, DRAWS).tobytes() == expected


def rose(*ranges_m: float, material: int = RETRO) -> np.ndarray:
    """Five rays ahead, 1 mrad apart, with these ranges; 0: no hit."""
    aside = np.array([[0, 0], [0, -1], [1, 0], [0, 1], [-1, 0]]) * 1e-3
    beam = Roses().no_hits(1)[0]
    for row, (up, left), r in zip(beam, aside, ranges_m, strict=True):
        if r:
            direction = np.array([math.sqrt(1 - up**2 - left**2), left, up])
            row[:] = [*(direction * r), *-direction, material]
    return beam


def test_rose_shares_its_power() -> None:
    """Rays that meet one retro-reflector add up to the power of one beam, whatever the central weight."""
    for weight in (0.5, 0.2, 1.0):
        physics = EnginePhysics(peak_power_w=100, efficiency=1, attenuation_1_m=0, central_weight=weight, **QUIET)
        assert only_power(rose(20, 20, 20, 20, 20), physics) == pytest.approx(100, rel=ROUNDING)


@pytest.mark.parametrize("gap_m", [0.01, 0.029, 0.031, 2.0])
def test_temporal_resolution_merges(gap_m: float) -> None:
    """Pulses nearer than the resolution are one, of summed power at the power-weighted range; farther ones two."""
    point = LOSSLESS.points(rose(20, 20 + gap_m, 20 + gap_m, 20, 20)[None], DRAWS, SURFACES)[0]
    merged = gap_m < LOSSLESS.resolution_m
    assert point[6] == pytest.approx(100 if merged else 75, rel=ROUNDING)
    assert np.linalg.norm(point[:3]) == pytest.approx(20 + (gap_m / 4 if merged else 0), abs=5e-6)


def test_no_resolution_merges_nothing() -> None:
    """With resolution 0 even pulses of equal range stay apart: the first of them is reported."""
    physics = EnginePhysics(peak_power_w=100, efficiency=1, attenuation_1_m=0, resolution_m=0, **QUIET)
    assert only_power(rose(20, 20, 20, 20, 20), physics) in (pytest.approx(50), pytest.approx(12.5))


def test_first_above_the_threshold_wins() -> None:
    """A weak pulse before a strong one is passed over if it stays below the threshold."""
    physics = EnginePhysics(
        peak_power_w=100, efficiency=1, attenuation_1_m=0, nep_w_per_sqrt_hz=1e-6, range_noise_m=0, threshold_sigma=5
    )
    beam = rose(20, 30, 30, 30, 30)
    beam[0, 6] = GREY  # 100 W * 0.5 * 0.1/(2 * 400) = 6.25 mW below 5 * 31.6 mW
    point = physics.points(beam[None], DRAWS, SURFACES)[0]
    assert np.linalg.norm(point[:3]) == pytest.approx(30, rel=ROUNDING)


@pytest.mark.parametrize("hits", [(0, 30, 30, 30, 30), (0, 30, 0, 30, 0), (0, 30, 30, 30, 0)])
def test_edge_of_a_beam_keeps_the_central_direction(hits: tuple[float, ...]) -> None:
    """Where the central ray meets nothing, opposite rays give the axis of the cone: the point is straight ahead."""
    point = LOSSLESS.points(rose(*hits)[None], DRAWS, SURFACES)[0]
    np.testing.assert_allclose(point[:3], [30, 0, 0], rtol=ROUNDING, atol=30 * ROUNDING)


def test_edge_of_a_beam_within_the_divergence() -> None:
    """Where no two opposite rays hit anything, the point is off by less than the divergence."""
    for hits in ((0, 30, 0, 0, 0), (0, 30, 30, 0, 0)):
        x, y, z = LOSSLESS.points(rose(*hits)[None], DRAWS, SURFACES)[0, :3]
        assert math.hypot(y, z) / x < 1.001e-3


def gun(second: int, angle_deg: float, normal=(0, -1, 0)) -> np.ndarray:
    """A mirror at 10 m that turns the beam to the left, and a surface 6 m away from it."""
    half = math.sqrt(0.5)
    return np.array([[10, 0, 0, -half, half, 0, MIRROR, 0], [10, 6, 0, *normal, second, angle_deg]], np.float32)


GHOSTS = EnginePhysics(
    peak_power_w=100,
    efficiency=1,
    attenuation_1_m=1e-3,
    nep_w_per_sqrt_hz=1e-15,
    range_noise_m=0,
    acceptance_rad="32 deg",
)
"""Noise of 3e-11 W: above what a mirror of 5 deg returns at 45 deg, 1e-16 W, and far below the ghosts."""


def test_direct_ghost() -> None:
    """Range (L1 + L2 + L3)/2 along the beam; power beta alpha cos(t)/(2 L3^2) exp(-A (L1 + L2 + L3))."""
    back = math.hypot(10, 6)
    point = GHOSTS.points(gun(DIFFUSER, 30.96)[None], DRAWS, SURFACES)[0]
    np.testing.assert_allclose(point[:3], [(10 + 6 + back) / 2, 0, 0], rtol=ROUNDING)
    expected = 100 * (6 / back) / (2 * back**2) * math.exp(-1e-3 * (16 + back))
    assert point[6] == pytest.approx(expected, rel=1e-6)


def test_acceptance_angle() -> None:
    """A ghost is received below the acceptance angle, as the engine states it, and not at it or above."""
    for angle_deg, seen in ((0.0, 1), (31.9, 1), (32.0, 0), (33.0, 0)):
        assert len(GHOSTS.points(gun(DIFFUSER, angle_deg)[None], DRAWS, SURFACES)) == seen


def test_ghost_of_a_retroreflector() -> None:
    """It sends the light back over the mirror: range L1 + L2, power exp(-2 A (L1 + L2)), whatever the angle."""
    point = GHOSTS.points(gun(RETRO, 90.0)[None], DRAWS, SURFACES)[0]
    np.testing.assert_allclose(point[:3], [16, 0, 0], rtol=ROUNDING)
    assert point[6] == pytest.approx(100 * math.exp(-2e-3 * 16), rel=1e-6)


def test_a_receiver_behind_the_surface_gets_nothing() -> None:
    """The second surface is lit on the side that faces away from the receiver."""
    lit_from_below = gun(DIFFUSER, 10.0, normal=(math.sqrt(0.99), -0.1, 0))
    assert len(GHOSTS.points(lit_from_below[None], DRAWS, SURFACES)) == 0


def test_a_path_ends_where_nothing_is_hit() -> None:
    """What follows a segment without a hit, or one without length, is not looked at."""
    path = np.concatenate((gun(DIFFUSER, 10), gun(RETRO, 10)[1:]))
    path[1] = Guns(reflections=1).no_hits(1)[0, 0]
    assert len(GHOSTS.points(path[None], DRAWS, SURFACES)) == 0
    path[1] = path[0]
    assert len(GHOSTS.points(path[None], DRAWS, SURFACES)) == 0


N = 40_000
STEADY = np.tile(np.float32(ray(50, GREY)), (N, 1))


def steady(signal_w: float, **settings_) -> EnginePhysics:
    """An instrument for which each ray of STEADY returns this power, without air."""
    return EnginePhysics(peak_power_w=signal_w / (0.1 / (2 * 50**2)), efficiency=1, attenuation_1_m=0, **settings_)


def largest_gap(values, law) -> float:
    """Kolmogorov-Smirnov distance between values and a distribution."""
    ordered, steps = law(np.sort(values)), np.arange(len(values) + 1) / len(values)
    return float(max((steps[1:] - ordered).max(), (ordered - steps[:-1]).max()))


def test_noise_of_power() -> None:
    """Pout - P ~ N(0, NEP sqrt(BW)): P(D > d) = 2 exp(-2 n d^2) gives the bound for one in a million."""
    physics = steady(1e-5)
    power = physics.points(STEADY, DRAWS, SURFACES)[:, 6].astype(float)
    assert len(power) == N
    z = (power - 1e-5) / physics.noise_w
    assert largest_gap(z, ndtr) < math.sqrt(math.log(2e6) / (2 * N))
    assert abs(z.mean()) < SIGMAS / math.sqrt(N)
    assert abs((z**2).mean() - 1) < SIGMAS * math.sqrt(2 / N)


@pytest.mark.parametrize("excess", [-3.0, -1.0, 0.0, 0.5, 2.0])
def test_threshold(excess: float) -> None:
    """A signal of (3 + x) sigma is detected with probability Phi(x), within five standard deviations of a count."""
    noise_w = EnginePhysics().noise_w
    detected = len(steady(max(1e-12, (3 + excess) * noise_w)).points(STEADY, DRAWS, SURFACES))
    p = float(ndtr(excess))
    assert abs(detected - N * p) < SIGMAS * math.sqrt(N * p * (1 - p))


def test_noise_of_range() -> None:
    """Range ~ N(r, base + slope r); it is independent of the noise of power."""
    physics = steady(1e-5, range_noise_m=0.02, range_noise_slope=1e-3)
    points = physics.points(STEADY, DRAWS, SURFACES).astype(float)
    z = (points[:, 0] - 50) / 0.07
    assert largest_gap(z, ndtr) < math.sqrt(math.log(2e6) / (2 * N))
    assert abs(np.corrcoef(z, points[:, 6])[0, 1]) < SIGMAS / math.sqrt(N)
    assert not points[:, 1:6].any()


def test_range_is_never_negative() -> None:
    """Noise larger than the range does not turn the point round."""
    physics = EnginePhysics(range_noise_m=5.0)
    points = physics.points(np.tile(np.float32(ray(1, RETRO)), (1000, 1)), DRAWS, SURFACES)
    assert points[:, 0].min() == 0


def test_chance_has_an_address() -> None:
    """The points of a beam depend on draws and beam number alone: not on the batch, not on the number of threads."""
    import numba

    frame, physics = random_frame(Roses(), 10_000, Draws(4)), EnginePhysics()
    everything = physics.points(frame, DRAWS)
    few = physics.points(frame[:3000], DRAWS)
    assert everything[: len(few)].tobytes() == few.tobytes()
    before = numba.get_num_threads()
    numba.set_num_threads(1)
    alone = physics.points(frame, DRAWS)
    numba.set_num_threads(before)
    assert alone.tobytes() == everything.tobytes()
    assert physics.points(frame, DRAWS.at("engine", 1))[:100].tobytes() != everything[:100].tobytes()
    assert physics.points(frame, Draws(8, sensor="engine"))[:100].tobytes() != everything[:100].tobytes()


def test_inputs_stay_as_they_are() -> None:
    """Beams are read only; arrays that cannot be written are welcome."""
    frame = random_frame(SingleRays(), 100, Draws(1))
    copy = frame.copy()
    frame.flags.writeable = False
    assert len(EnginePhysics().points(frame, DRAWS)) > 50
    assert np.array_equal(frame, copy)


def test_material_zero_is_skipped() -> None:
    """Rows without material give no point, even with noise alone above a threshold of zero; no beams give no points."""
    physics = EnginePhysics(threshold_sigma=0)
    for layout in (SingleRays(), Roses(), Guns(reflections=2)):
        assert physics.points(layout.no_hits(500), DRAWS).shape == (0, 7)
        assert physics.points(layout.no_hits(0), DRAWS).shape == (0, 7)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([math.nan, 0, 0, -1, 0, 0, 6], "number 0 is nan"),
        ([10, 0, 0, -1, 0, math.inf, 6], "number 5 is inf"),
        ([1, 1, 1, 1, -math.inf, 0, 0], "number 4 is -inf"),
        ([10, 0, 0, -1, 0, 0, 13], "no material 13; known are 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12"),
        ([10, 0, 0, -1, 0, 0, -1], "no material -1"),
        ([10, 0, 0, -1, 0, 0, 2.5], "no material 2.5"),
        ([10, 0, 0, -1, 0, 0, 3e38], "no material 3e"),
        ([2e4, 0, 0, -1, 0, 0, 6], "a hit at 20000 m"),
        ([3e38, 3e38, 0, -1, 0, 0, 6], "a hit at 4.2"),
        ([0, 0, 0, -1, 0, 0, 6], "a hit at 0 m"),
        ([10, 0, 0, 0, 0, 0, 6], "unit length, found 0"),
        ([10, 0, 0, -1, 1, 0, 6], "unit length, found 1.41"),
    ],
)
@pytest.mark.parametrize("beams", [3, 6000])
def test_refusals(row: list[float], message: str, beams: int) -> None:
    """NaN, infinity, unknown materials, absurd distances and normals are refused with place and reason."""
    frame = SingleRays().no_hits(beams)
    frame[beams - 2] = row
    with pytest.raises(WireError, match=f"beam {beams - 2}, row 0: .*{message}"):
        EnginePhysics().points(frame, DRAWS)
    bundle = Roses().no_hits(2)
    bundle[1, 3] = row
    with pytest.raises(WireError, match=f"beam 1, row 3: .*{message}"):
        EnginePhysics().points(bundle, DRAWS)


@pytest.mark.parametrize("angle_deg", [-1.0, 181.0, math.nan])
def test_refused_angles(angle_deg: float) -> None:
    """Angles between segments lie in 0..180 degrees."""
    with pytest.raises(WireError, match=r"beam 0, row 1: .*(0 to 180 degrees|number 7 is nan)"):
        GHOSTS.points(gun(DIFFUSER, angle_deg)[None], DRAWS, SURFACES)


def test_refused_shapes() -> None:
    """Arrays that are no beams are refused."""
    for shape in ((7,), (3, 6), (3, 5, 9), (3, 65, 7), (3, 0, 7)):
        with pytest.raises(WireError, match="beams have the shape"):
            EnginePhysics().points(np.zeros(shape), DRAWS)


numbers = st.one_of(
    st.floats(width=32),
    st.sampled_from([0.0, 1.0, -1.0, 6.0, 10.0, 90.0, 1e-30, 1e-3, 1e4]),
    st.integers(0, 12).map(float),
)


@given(
    st.sampled_from([(7,), (5, 7), (4, 7), (3, 8)]).flatmap(
        lambda shape: arrays.arrays(np.float32, (2, *shape), elements=numbers)
    )
)
@settings(max_examples=300, deadline=None)
def test_any_numbers_give_points_or_a_refusal(frame: np.ndarray) -> None:
    """Whatever 32-bit numbers arrive: either `WireError`, or at most one finite point per beam."""
    try:
        points = EnginePhysics(threshold_sigma=0).points(frame, DRAWS)
    except WireError:
        return
    assert len(points) <= len(frame)
    assert np.isfinite(points).all()
    assert not points[:, 3:6].any()


units = st.floats(-1, 1, width=32)
directions = (
    st.tuples(units, units, units).filter(lambda v: math.hypot(*v) > 0.01).map(lambda v: np.array(v) / math.hypot(*v))
)
hits = st.builds(
    lambda direction, range_m, normal, material, angle: [*(direction * range_m), *normal, material, angle],
    directions, st.floats(0.01, 500), directions, st.integers(0, 12), st.floats(0, 180),
)  # fmt: skip


@given(st.lists(hits, min_size=1, max_size=6), st.booleans())
@settings(max_examples=200, deadline=None)
def test_any_hits_give_finite_points(rows: list[list[float]], mirrored: bool) -> None:
    """Hits in any directions, as no engine would send them, still give at most one finite point."""
    beam = np.array(rows, np.float32)[None, :, : 8 if mirrored else 7]
    points = EnginePhysics(threshold_sigma=0).points(beam, DRAWS)
    assert len(points) <= 1
    assert np.isfinite(points).all()


def test_surfaces_of_the_wire() -> None:
    """The twelve materials of the published table have their numbers; 0 returns nothing; gaps are unknown."""
    surfaces = standard_surfaces()
    assert surfaces.known.tolist() == [True] * 13
    assert not surfaces.table[0].any()
    np.testing.assert_allclose(surfaces.table[7, :3], [0.30, 0.10, 0.5])
    assert SURFACES.known.nonzero()[0].tolist() == [*range(13), DIFFUSER, MIRROR, RETRO, GREY]


def test_wrong_numbers_of_materials() -> None:
    """Two materials cannot share a number, and numbers have an end."""
    with pytest.raises(ConfigurationError, match=r"'ideal_6' has the number 6 .* 'asphalt' has it too"):
        WireSurfaces.from_library(standard_library().with_materials([ideal(6)]))
    with pytest.raises(ConfigurationError, match="below 65536"):
        WireSurfaces.from_library(MaterialLibrary((ideal(70_000),)))
