"""Running a scenario from start to end into a recording."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from sensorium.core.errors import RecordingError

if TYPE_CHECKING:
    from sensorium.simulation.scenario import Scenario

Progress = Callable[[float], None]
"""Called with the simulated time [s] that is recorded."""


@dataclass(frozen=True)
class Drive:
    """What a run has made."""

    path: Path
    simulated_s: float
    """Less than the scenario's duration if the run was stopped."""
    taken_s: float
    """Wall-clock time of simulation and recording, without building the scene."""
    samples: dict[str, int]
    """Number of samples by sensor."""
    size: int
    """Bytes of the file."""

    @property
    def times_real_time(self) -> float:
        """Simulated time over the time it took."""
        return self.simulated_s / self.taken_s if self.taken_s > 0 else float("inf")


def drive(
    scenario: Scenario,
    out: Path,
    threads: int | None = None,
    progress: Progress = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
) -> Drive:
    """Simulate a scenario and record it; `progress` hears of every sample, `stop` is asked after each."""
    from sensorium.core.configuration import dump_yaml, to_document
    from sensorium.recording.mcap_writer import McapRecorder
    from sensorium.recording.point_layouts import point_layout
    from sensorium.recording.ros_conventions import EPOCH_2026_NS, RosConventions
    from sensorium.recording.scene_names import SceneNames
    from sensorium.sensors.camera.lens import Lens
    from sensorium.simulation.ahead import ahead
    from sensorium.tracing import EmbreeTracer

    _make_folder(out.parent)
    simulation = scenario.simulation(tracer=lambda scene: EmbreeTracer(scene, threads))
    scene = simulation.scene
    names = SceneNames(
        bodies=tuple(body.name for body in scene.bodies),
        parts=tuple(tuple(part.name for part in body.model.parts) for body in scene.bodies),
        materials=scene.library.names,
        classes=scene.classes,
    )
    layouts = {sensor: point_layout(name) for sensor, name in scenario.recording.layouts.items()}
    chosen = scenario.recording
    conventions = RosConventions(
        epoch_ns=EPOCH_2026_NS if scenario.origin is None else scenario.origin.start_unix_ns,
        mounts=scenario.rig,
        layouts=layouts,
        layout=point_layout(chosen.layout),
        point_truth=chosen.point_truth,
        cameras=frozenset(
            mount.name for mount in scenario.rig if isinstance(getattr(mount.sensor, "lens", None), Lens)
        ),
        image_format=chosen.image_format,
        image_formats=chosen.image_formats,
    )
    text = dump_yaml(to_document(scenario))
    samples: dict[str, int] = {}
    start, reached_s = perf_counter(), scenario.duration_s
    with (
        McapRecorder(
            out, conventions, scenario_text=text, seed=scenario.seed, names=names, metadata={"scenario": scenario.name}
        ) as recorder,
        closing(ahead(simulation.samples(scenario.duration_s))) as stream,
    ):
        for sample in stream:
            recorder.write(sample)
            samples[sample.stamp.sensor] = samples.get(sample.stamp.sensor, 0) + 1
            progress(sample.stamp.ready_ns * 1e-9)
            if stop():
                reached_s = sample.stamp.ready_ns * 1e-9
                break
    return Drive(out, reached_s, perf_counter() - start, samples, out.stat().st_size)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordingError(
            f"cannot make the folder {folder} for the recording: {error.strerror or error}; choose another place"
        ) from error
