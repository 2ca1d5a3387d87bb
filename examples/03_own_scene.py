"""A scene of your own: a model from a file, materials of the library and one of your own, a body that moves.

The model and the material file are written here so that the example stands alone; a model may be glTF, GLB, OBJ, PLY or STL.
"""

import argparse
from pathlib import Path

import numpy as np
import trimesh

from sensorium.core.pose import Pose
from sensorium.materials import MaterialLibrary, standard_library
from sensorium.motion import Spline, Waypoint
from sensorium.recording import write_point_cloud
from sensorium.samples import PointCloud
from sensorium.scene.body import Body
from sensorium.scene.build import body, part
from sensorium.scene.importing import import_model
from sensorium.scene.scene import Scene
from sensorium.scene.shapes import Box, Plane
from sensorium.sensors import sensor_of
from sensorium.simulation import Mount, Simulation

MATERIALS = """
moss:
  optical:
    reflectance_905nm: 0.45        # a bare number counts as assumed; else {value: 0.45, source: "..."}
    reflectance_1550nm: 0.25
    colour: [0.1, 0.2, 0.05]
"""


def make_scene(folder: Path) -> Scene:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "moss.yaml").write_text(MATERIALS)
    library = MaterialLibrary(
        (*standard_library().materials, *MaterialLibrary.from_yaml(folder / "moss.yaml").materials)
    )
    trimesh.creation.torus(1.5, 0.5).export(folder / "ring.stl")
    ring = import_model(folder / "ring.stl", default_material="moss", label="ring", library=library)
    path = Spline(waypoints=(Waypoint(time_s=0, position_m=(12, -6, 2)), Waypoint(time_s=1, position_m=(12, 6, 2))))
    ground = body("ground", part("ground", Plane(size_m=(60, 60)), "asphalt"), label="road")
    stand = body("stand", part("box", Box(size_m=(1, 1, 1)), "wood", pose=Pose.at(0, 0, 0.5)), label="stand")
    return Scene((ground, stand, Body("ring", ring, path)), library)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("out"))
    given = arguments.parse_args()

    scene = make_scene(given.out / "03_own_scene")
    lidar = Mount(name="lidar", sensor=sensor_of("velodyne_vlp16", truth=True), body="stand", pose=Pose.at(0, 0, 1.5))
    for sample in Simulation(scene, (lidar,), seed=3).samples(duration_s=1.0):
        if isinstance(sample, PointCloud):
            on_ring = sample.points_m[sample.truth.body == scene.body_numbers["ring"]]
            y_m = np.median(on_ring[:, 1]) if len(on_ring) else np.nan
            print(
                f"scan {sample.stamp.index}: {len(sample)} points, {len(on_ring)} on the moss ring, at y = {y_m:+.2f} m"
            )
            file = given.out / "03_own_scene" / f"scan_{sample.stamp.index}.ply"
            write_point_cloud(file, sample)
    print(f"last scan as a file: {file}")


if __name__ == "__main__":
    main()
