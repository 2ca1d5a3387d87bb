"""Speak to the service for external engines the way a game engine does.

A game engine casts rays and knows what they hit; the service turns hit points into what a LiDAR would measure. This
script stands in for both programs around it: it is the engine (Sensorium's own tracer casts its rays) and the viewer.
Run the service by itself with `sensorium engine --listen 127.0.0.1:9000 --view 127.0.0.1:9001`.
"""

import socket
from time import perf_counter

import numpy as np

from sensorium.bridges.engine_service import EngineService
from sensorium.bridges.engine_wire import SingleRays, decode_points
from sensorium.bridges.udp_address import UdpAddress
from sensorium.bridges.udp_inlet import UdpInlet
from sensorium.core.pose import Pose
from sensorium.core.time import TimeWindow
from sensorium.motion import Fixed
from sensorium.scene.body import Body, Model, Part
from sensorium.scene.rays import Rays
from sensorium.scene.scene import Scene
from sensorium.scene.shapes import Box, Cylinder, Plane, Shape
from sensorium.tracing import EmbreeTracer

FRAMES = 10
FRAME_NS = 1_000_000_000 // 120
SPEED_M_S = 12.0
RANGE_MAX_M = 200.0


def thing(name: str, shape: Shape, material: str, x_m: float, y_m: float, z_m: float) -> Body:
    return Body(name, Model(name, (Part(name, shape.mesh(), material, name),)), Fixed(pose=Pose.at(x_m, y_m, z_m)))


def street() -> Scene:
    return Scene(
        (
            thing("road", Plane(size_m=(400, 60)), "asphalt", 0, 0, 0),
            thing("house", Box(size_m=(30, 10, 9)), "concrete", 15, 14, 4.5),
            thing("hedge", Box(size_m=(40, 1, 1.2)), "green_vegetation", 20, -8, 0.6),
            thing("car", Box(size_m=(4.4, 1.8, 1.4)), "opaque_metal", 25, -2.5, 0.9),
            thing("trunk", Cylinder(radius_m=0.3, height_m=5), "wood", 12, -6, 2.5),
            thing("sign", Box(size_m=(0.02, 0.6, 0.6)), "retroreflector", 20, 5, 2.2),
        )
    )


def directions() -> np.ndarray:
    """One revolution of 32 channels from -25 to 15 degrees in steps of 0.4 degrees; each vertical scan from below."""
    azimuth, elevation = np.meshgrid(
        np.radians(np.arange(0, 360, 0.4)), np.radians(np.linspace(-25, 15, 32)), indexing="ij"
    )
    cosine = np.cos(elevation)
    return np.stack((cosine * np.cos(azimuth), cosine * np.sin(azimuth), np.sin(elevation)), -1).reshape(-1, 3)


def cast(scene: Scene, tracer: EmbreeTracer, rays: np.ndarray, time_ns: int) -> np.ndarray:
    """Return one frame of the engine: rows (position, normal, number of the material) in the sensor's frame."""
    origin = np.array([SPEED_M_S * time_ns * 1e-9, 0.0, 2.0])
    window = TimeWindow(time_ns, time_ns)
    world = Rays(np.broadcast_to(origin, rays.shape).copy(), rays, np.full(len(rays), time_ns), far_m=RANGE_MAX_M)
    hits = tracer.during(window, origin).cast(world)
    frame, met = SingleRays().no_hits(len(rays)), hits.hit
    number = scene.library.column("wire_id")[scene.part_material]
    frame[met, 0:3] = rays[met] * hits.distance_m[met, None]
    frame[met, 3:6] = hits.normal[met]
    frame[met, 6] = number[scene.part_offset[hits.body[met]] + hits.part[met]]
    return frame


def main() -> None:
    scene, rays = street(), directions()
    tracer = EmbreeTracer(scene)
    engine = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    viewer = UdpInlet(UdpAddress("127.0.0.1", 0))
    points: list[np.ndarray] = []
    seconds = 0.0
    with EngineService("127.0.0.1:0", viewer.address, SingleRays(), seed=7) as service:
        print(f"engine -> {service.address} -> {viewer.address}")
        for number in range(FRAMES):
            frame = cast(scene, tracer, rays, number * FRAME_NS)
            start = perf_counter()
            sent = [
                engine.sendto(part, (service.address.host, service.address.port))
                for part in SingleRays().datagrams(frame)
            ]
            answers = [answer for answer in (viewer.take(timeout_s=2.0) for _ in sent) if answer is not None]
            seconds += perf_counter() - start
            points += [decode_points(answer) for answer in answers]
        counted = service.counters
    viewer.close()
    cloud = np.concatenate(points)
    range_m, power_w = np.linalg.norm(cloud[:, :3], axis=1), cloud[:, 6]
    dropped = counted.refused + counted.lost
    print(f"{FRAMES} frames, {counted.beams} rays in {counted.received} datagrams, {dropped} of them dropped")
    print(f"{len(cloud)} physical points, {1e3 * seconds / FRAMES:.1f} ms per frame from engine to viewer")
    print(f"range {range_m.min():.1f} to {range_m.max():.1f} m, power {power_w.min():.1e} to {power_w.max():.1e} W")


if __name__ == "__main__":
    main()
