"""Every tracer must see what the reference sees."""

from dataclasses import replace

import numpy as np
import pytest
from worlds import WINDOW, Gliding, mesh_of_box, model_of, random_pose, random_rays, random_scene

from sensorium.core.pose import Pose
from sensorium.core.time import TimeWindow
from sensorium.motion import Fixed
from sensorium.scene.body import Body
from sensorium.scene.mesh import Mesh
from sensorium.scene.ray_order import side_by_side
from sensorium.scene.rays import Rays
from sensorium.scene.scene import Scene
from sensorium.tracing import EmbreeTracer, ReferenceTracer

SINGLE = 2.0**-23
"""Spacing of 32-bit numbers relative to their size."""


def both(scene: Scene, rays: Rays, window: TimeWindow = WINDOW, origin_m=(0.0, 0.0, 0.0)):
    near = np.array(origin_m, float)
    return [tracer(scene).during(window, near).cast(rays) for tracer in (EmbreeTracer, ReferenceTracer)]


def assert_same(fast, slow, rays: Rays, tolerance_m: float, stray: float = 0.0):
    """Same distance wherever both hit; a share of at most `stray` rays may pass an edge on the other side."""
    assert slow.hit.mean() > 0.2, "the scene is too empty to prove anything"
    direction = rays.direction / np.linalg.norm(rays.direction, axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        slant = np.abs(np.sum(direction * slow.normal, 1))
        # a ray that is off by e meets a surface e / cos(incidence) earlier or later
        close = np.abs(fast.distance_m - slow.distance_m) <= tolerance_m / np.maximum(slant, 1e-3)
    same = (fast.hit == slow.hit) & (~slow.hit | close)
    assert (~same).mean() <= stray
    agree = same & slow.hit
    assert (fast.body[agree] == slow.body[agree]).mean() > 0.99
    assert (fast.part[agree] == slow.part[agree]).mean() > 0.99
    identical = agree & (fast.triangle == slow.triangle) & (fast.part == slow.part) & (fast.body == slow.body)
    assert identical.sum() >= 0.98 * agree.sum()
    assert np.abs(fast.normal[identical] - slow.normal[identical]).max() < 2e-3
    steep = identical & (slant > 0.1)
    assert np.abs(fast.barycentric[steep] - slow.barycentric[steep]).max() < 1e-3
    missed = ~fast.hit
    assert np.isinf(fast.distance_m[missed]).all()
    assert (fast.body[missed] == -1).all()
    assert (fast.normal[missed] == 0).all()


@pytest.mark.parametrize("seed", range(4))
def test_static_scenes(seed):
    """Coordinates of up to 60 m in 32 bits: some 60 * 2^-23 * 8 roundings = 60 um."""
    rng = np.random.default_rng(seed)
    scene, rays = random_scene(rng, 12), random_rays(rng, 3000)
    assert_same(*both(scene, rays), rays, tolerance_m=60 * SINGLE * 8, stray=2e-3)


@pytest.mark.parametrize("seed", range(4))
def test_moving_and_rotating_scenes(seed):
    """Bodies that glide and turn: keys may stray by 0.1 mm on top of the rounding."""
    rng = np.random.default_rng(100 + seed)
    scene, rays = random_scene(rng, 12, moving=True), random_rays(rng, 3000)
    assert_same(*both(scene, rays), rays, tolerance_m=1e-4 + 60 * SINGLE * 8, stray=2e-3)


@pytest.mark.parametrize("moving", [False, True])
@pytest.mark.parametrize("sort", [False, True])
def test_rays_that_are_followed_together(moving, sort):
    """Packets of rays, side by side or not, meet what each ray for itself meets; which of two equals wins is left open."""
    rng = np.random.default_rng(11)
    scene, rays = random_scene(rng, 12, moving), random_rays(rng, 3000)
    order = side_by_side(rays.direction / np.linalg.norm(rays.direction, axis=1, keepdims=True))
    rows = order if sort else np.arange(3000)
    rays = replace(
        rays, origin_m=rays.origin_m[rows], direction=rays.direction[rows], time_ns=rays.time_ns[rows], together=True
    )
    assert_same(*both(scene, rays), rays, tolerance_m=1e-4 * moving + 60 * SINGLE * 8, stray=2e-3)
    caster = EmbreeTracer(scene).during(WINDOW, np.zeros(3))
    alone = caster.occluded(replace(rays, together=False))
    assert (caster.occluded(rays) == alone).mean() > 0.998
    assert 0.2 < alone.mean() < 1.0


@pytest.mark.parametrize("moving", [False, True])
def test_scene_500_km_from_the_origin(moving):
    """Nothing may grow with the distance from the origin: the same tolerance as near it (32 bits alone: 31 mm)."""
    far = (500_000.0, -300_000.0, 900.0)
    rng = np.random.default_rng(7)
    scene, rays = random_scene(rng, 12, moving, far), random_rays(rng, 3000, origin_m=far)
    assert_same(*both(scene, rays, origin_m=far), rays, tolerance_m=1e-4 * moving + 60 * SINGLE * 8, stray=2e-3)


def test_mesh_whose_own_vertices_are_far_from_its_frame():
    """A map in grid coordinates (vertices at 500 km in the body frame) keeps its millimetres."""
    far = np.array([500_000.0, 5_000_000.0, 0.0])
    box = mesh_of_box()
    scene = Scene(
        (
            Body("still", model_of(Mesh(box.vertices_m + far, box.triangles))),
            Body("moves", model_of(Mesh(box.vertices_m + far, box.triangles)), Gliding(Pose.at(3, 0, 0), (0, 5, 0))),
        )
    )
    origin = far + [[-10, 0.1, 0.1], [3.2, 0.2 + 10.25, 10]]
    rays = Rays(origin, np.array([[1.0, 0, 0], [0, 0, -1]]), np.full(2, WINDOW.start_ns + 50_000_000))
    fast, slow = both(scene, rays, origin_m=far)
    np.testing.assert_allclose(slow.distance_m, [9.5, 9.5], atol=1e-9)
    np.testing.assert_allclose(fast.distance_m, slow.distance_m, atol=1e-5)


def test_edges_and_corners_let_nothing_through():
    """Rays aimed exactly at shared edges and corners of a closed box hit it; so do a million at a ball's edges (below)."""
    rng = np.random.default_rng(3)
    scene = Scene((Body("box", model_of(mesh_of_box((2, 2, 2)))),))
    weights = rng.choice([-1.0, 0.0, 1.0], size=(2000, 3))
    target = weights[np.abs(weights).max(1) > 0] * 0.9999
    target[:, 0] = np.where(np.abs(target).max(1) < 0.9, 0.9999, target[:, 0])
    origin = random_rays(rng, len(target)).origin_m * 3 + np.sign(target) * 20
    rays = Rays(origin, target - origin, np.full(len(target), WINDOW.start_ns))
    fast, slow = both(scene, rays)
    assert slow.hit.all()
    assert fast.hit.all()
    assert np.abs(fast.distance_m - slow.distance_m).max() < 1e-3


def test_no_ray_slips_between_triangles():
    """400,000 rays from inside a closed ball of 5,120 triangles, aimed at its edges: every one hits at the near side."""
    import trimesh

    ball = trimesh.creation.icosphere(4, 1.0)
    scene = Scene((Body("ball", model_of(Mesh(ball.vertices, ball.faces))),))
    rng = np.random.default_rng(5)
    edges = ball.edges_unique[rng.integers(0, len(ball.edges_unique), 400_000)]
    f = rng.random((len(edges), 1))
    target = ball.vertices[edges[:, 0]] * f + ball.vertices[edges[:, 1]] * (1 - f)
    origin = np.tile([4.0, 0.5, 0.2], (len(target), 1))
    towards = target - origin
    front = np.sum(towards * target, 1) < -0.1 * np.linalg.norm(
        towards, axis=1
    )  # facets tilt by 0.07 at the silhouette
    rays = Rays(origin[front], (target - origin)[front], np.full(front.sum(), WINDOW.start_ns))
    hits = EmbreeTracer(scene).during(WINDOW, np.zeros(3)).cast(rays)
    assert np.abs(hits.distance_m - np.linalg.norm(rays.direction, axis=1)).max() < 1e-4


def test_rotating_edge_is_where_its_rotation_puts_it():
    """A bar turns at 7 rad/s: along its sweep the ray at time t meets the edge plane at angle w t, within 0.2 mm."""
    rate = 7.0
    bar = Body("bar", model_of(mesh_of_box((20.0, 0.2, 2.0))), Gliding(Pose.identity(), spin_rad_s=(0, 0, rate)))
    times = np.linspace(WINDOW.start_ns, WINDOW.end_ns, 2001).astype(np.int64)
    angle = rate * times * 1e-9
    along, across = (
        np.stack((np.cos(angle), np.sin(angle), 0 * angle), 1),
        np.stack((-np.sin(angle), np.cos(angle), 0 * angle), 1),
    )
    rays = Rays(along * 8.0 + across * 5.0, -across, times)
    hits = EmbreeTracer(Scene((bar,))).during(WINDOW, np.zeros(3)).cast(rays)
    assert np.abs(hits.distance_m - 4.9).max() < 2e-4
    assert np.abs(hits.normal - across).max() < 1e-4


def test_occlusion_is_a_hit_within_the_limits():
    """Occluded exactly where a nearest hit exists, with the same near and far limits."""
    rng = np.random.default_rng(11)
    scene, free = random_scene(rng, 10, moving=True), random_rays(rng, 5000)
    rays = Rays(free.origin_m, free.direction, free.time_ns, near_m=2.0, far_m=12.0)
    caster = EmbreeTracer(scene).during(WINDOW, np.zeros(3))
    hits = caster.cast(rays)
    assert hits.distance_m[hits.hit].min() >= 2.0
    assert hits.distance_m[hits.hit].max() <= 12.0
    assert (caster.occluded(rays) == hits.hit).all()
    assert (ReferenceTracer(scene).during(WINDOW, np.zeros(3)).occluded(rays) != hits.hit).mean() < 2e-3


def test_bodies_move_again_when_another_window_was_asked_in_between():
    """Two casters of one tracer answer for their own window each, in any order."""
    body = Body("box", model_of(mesh_of_box()), Gliding(Pose.at(5, 0, 0), velocity_m_s=(10, 0, 0)))
    tracer = EmbreeTracer(Scene((body,)))
    windows = [TimeWindow(0, 10**8), TimeWindow(10**9, 10**9 + 10**8)]
    early, late = (tracer.during(window, np.zeros(3)) for window in windows)
    for _ in range(2):
        for caster, expected in ((early, 4.5), (late, 14.5)):
            ray = Rays(np.zeros((1, 3)), np.array([[1.0, 0, 0]]), np.array([caster.window.start_ns]))
            assert caster.cast(ray).distance_m[0] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("tracer", [EmbreeTracer, ReferenceTracer])
def test_empty_scene_and_no_rays(tracer):
    """Nothing to meet and nobody asking are not errors."""
    rays = random_rays(np.random.default_rng(0), 20)
    caster = tracer(Scene(())).during(WINDOW, np.zeros(3))
    assert not caster.cast(rays).hit.any()
    assert not caster.occluded(rays).any()
    none = Rays(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0, np.int64))
    assert len(caster.cast(none).body) == 0


@pytest.mark.parametrize("threads", [1, 2])
def test_answers_do_not_depend_on_the_number_of_threads(threads):
    """Bit for bit the answers of one thread."""
    rng = np.random.default_rng(21)
    scene, rays = random_scene(rng, 10, moving=True), random_rays(rng, 20_000)
    one = EmbreeTracer(scene, threads=1).during(WINDOW, np.zeros(3)).cast(rays)
    other = EmbreeTracer(scene, threads=threads).during(WINDOW, np.zeros(3)).cast(rays)
    for name in ("distance_m", "body", "part", "triangle", "barycentric", "normal"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes()


def test_a_bounce_inside_the_window_is_followed():
    """A body whose velocity jumps in mid-window strays for less than 1/128 of the window: here below 1 mm everywhere."""

    class Zigzag(Gliding):
        def pose_at(self, times_ns):
            t = (np.asarray(times_ns) - WINDOW.start_ns) * 1e-9
            return Pose(
                np.stack((5 + np.abs(t - 0.047) * 5, 0 * t, 0 * t), -1), np.broadcast_to([1.0, 0, 0, 0], (*t.shape, 4))
            )

    body = Body("box", model_of(mesh_of_box()), Zigzag(Pose.identity()))
    times = np.linspace(WINDOW.start_ns, WINDOW.end_ns, 1001).astype(np.int64)
    rays = Rays(np.zeros((1001, 3)), np.tile([1.0, 0, 0], (1001, 1)), times)
    fast, slow = both(Scene((body,)), rays)
    assert np.abs(fast.distance_m - slow.distance_m).max() < 2 * 5 * 0.1 / 128 / 2
    assert np.median(np.abs(fast.distance_m - slow.distance_m)) < 1e-5


def test_static_bodies_in_many_tiles():
    """Bodies spread over kilometres land in different tiles and are still told apart."""
    boxes = tuple(Body(f"box{i}", model_of(mesh_of_box()), Fixed(pose=Pose.at(700.0 * i, 0, 0))) for i in range(6))
    rng = np.random.default_rng(1)
    number = rng.integers(0, 6, 600)
    target = np.stack((700.0 * number, 0 * number, 0 * number), 1) + rng.uniform(-0.4, 0.4, (600, 3))
    origin = target + random_pose(rng).position_m + [0, 0, 30]
    fast, slow = both(Scene(boxes), Rays(origin, target - origin, np.full(600, WINDOW.start_ns)))
    assert (fast.body == number).all()
    assert np.abs(fast.distance_m - slow.distance_m).max() < 2e-3


def test_a_rotor_too_fast_for_matrices_is_followed():
    """A blade at 4,000 rad/s turns 400 rad in the window; quaternions follow it to 0.2 mm."""
    rate = 4000.0
    blade = Body("blade", model_of(mesh_of_box((0.6, 0.1, 0.02))), Gliding(Pose.identity(), spin_rad_s=(0, 0, rate)))
    times = np.linspace(WINDOW.start_ns, WINDOW.end_ns, 5001).astype(np.int64)
    angle = rate * times * 1e-9
    across = np.stack((-np.sin(angle), np.cos(angle), 0 * angle), 1)
    along = np.stack((np.cos(angle), np.sin(angle), 0 * angle), 1)
    rays = Rays(along * 0.25 + across, -across, times)
    hits = EmbreeTracer(Scene((blade,))).during(WINDOW, np.zeros(3)).cast(rays)
    assert np.abs(hits.distance_m - 0.95).max() < 2e-4
