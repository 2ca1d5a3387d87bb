"""MJCF and URDF files become a compiled model; what is wrong with them is told with file and line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

from sensorium.core.errors import SceneError, did_you_mean

MODELS = Path(__file__).parent / "models"
"""Models that come with the package."""
_LINE = re.compile(r"[Ll]ine(?: number)?\s*[= ]\s*(\d+)")


@dataclass(frozen=True, eq=False)
class LoadedModel:
    """A model and what is recorded of it."""

    path: Path
    model: Any
    bodies: tuple[int, ...]
    """Numbers of the bodies that can move, in the order of the record."""


def model_path(name: str | Path) -> Path:
    """Return a file, or one of the models that come with the package: road_vehicle, differential_robot, ..."""
    path = Path(name)
    if path.exists():
        return path
    shipped = {entry.stem: entry for entry in sorted(MODELS.glob("*.xml"))}
    if path.suffix or len(path.parts) > 1:
        known = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
        raise SceneError(f"there is no model file '{path}'.{did_you_mean(path.name, known)}")
    if str(name) not in shipped:
        raise SceneError(
            f"there is no model '{name}' in the package, nor a file of that name.{did_you_mean(str(name), shipped)}"
        )
    return shipped[str(name)]


def load_model(path: Path, step_s: float | None = None) -> LoadedModel:
    """Compile a model; what is wrong with the file is a `SceneError` with its name and, if the engine knows it, the line."""

    try:
        spec = _spec_of(path)
        if step_s is not None:
            spec.option.timestep = step_s
        _name_all(spec)
        model = spec.compile()
        moving = tuple(number for number in range(1, model.nbody) if model.body_weldid[number] != 0)
    except ValueError as error:
        raise _refusal(path, str(error)) from None
    return LoadedModel(path, model, moving)


def _spec_of(path: Path) -> Any:
    """Read a file. A URDF keeps its fixed links, where sensors are mounted, and its visual shapes, which they see.

    MuJoCo drops both unless the file says otherwise in an element of its own, which is added where there is none; it
    looks for meshes in the folder of the file.
    """
    import mujoco

    if path.suffix.lower() == ".urdf":
        text = path.read_text(encoding="utf-8", errors="replace")
        robot = re.search(r"<robot\b[^>]*>", text)
        if robot and "<mujoco" not in text:
            folder = quoteattr(str(path.absolute().parent))
            settings = f'<mujoco><compiler fusestatic="false" discardvisual="false" meshdir={folder}/></mujoco>'
            return mujoco.MjSpec.from_string(text[: robot.end()] + settings + text[robot.end() :])
    return mujoco.MjSpec.from_file(str(path))


def _refusal(path: Path, text: str) -> SceneError:
    line = _LINE.search(text)
    place = f"{path}:{line.group(1)}" if line else str(path)
    return SceneError(f"{place}: MuJoCo refuses the model: {' '.join(text.split())}")


def _name_all(spec: Any) -> None:
    """Name what has no name, so that it can be spoken of: body_3, joint_0."""
    for kind, things in (("body", spec.bodies), ("joint", spec.joints)):
        for number, thing in enumerate(things):
            if not thing.name:
                thing.name = f"{kind}_{number}"


def gravity_of(model: Any) -> tuple[float, float, float]:
    """Return the acceleration of what falls freely."""
    import mujoco

    off = int(model.opt.disableflags) & int(mujoco.mjtDisableBit.mjDSBL_GRAVITY)
    x, y, z = np.zeros(3) if off else model.opt.gravity
    return float(x), float(y), float(z)
