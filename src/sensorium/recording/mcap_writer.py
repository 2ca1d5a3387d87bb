"""The recorder: samples in, one MCAP file out that ROS 2, Foxglove and Rerun open as it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from mcap.records import Attachment, Schema

import sensorium
from sensorium.core.errors import RecordingError
from sensorium.recording.mcap_chunk import Entry, message_entry
from sensorium.recording.mcap_file import McapFile
from sensorium.recording.messages import messages_of
from sensorium.recording.ros_conventions import RosConventions, RosMessage, Topic
from sensorium.recording.ros_frames import clock_message, mount_message
from sensorium.recording.ros_types import definition_of, type_hash_of
from sensorium.recording.scene_names import SceneNames
from sensorium.samples import Sample

METADATA = "sensorium"
SCENARIO = "scenario.yaml"
SCENE_NAMES = "scene_names.json"
CLOCK_STEP_NS = 10_000_000
CLOCK_REACH_NS = 1_000_000_000
"""After a longer silence the clock starts anew instead of ticking through it."""

LATCHED_QOS = """\
- history: keep_last
  depth: 1
  reliability: reliable
  durability: transient_local
  deadline: {sec: 9223372036, nsec: 854775807}
  lifespan: {sec: 9223372036, nsec: 854775807}
  liveliness: automatic
  liveliness_lease_duration: {sec: 9223372036, nsec: 854775807}
  avoid_ros_namespace_conventions: false"""

T = TypeVar("T")


class McapRecorder:
    """Writes samples to `<path>.part` and gives the file its final name when all went well.

    >>> with McapRecorder(Path("drive.mcap"), RosConventions(mounts=rig), scenario_text=text, seed=7) as recorder:
    ...     for sample in simulation.samples(duration_s=10):
    ...         recorder.write(sample)

    Leaving the block normally or by Ctrl-C completes the file. Any other exception leaves the `.part` file, from which
    `recover` saves everything that was written. The same samples give the same bytes.
    """

    def __init__(
        self,
        path: str | Path,
        conventions: RosConventions | None = None,
        *,
        scenario_text: str = "",
        seed: int = 0,
        names: SceneNames | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        self.path = Path(path)
        _refuse_folder(self.path)
        self.part_path = self.path.with_name(self.path.name + ".part")
        self.conventions = conventions or RosConventions()
        self.saved_until_ns: int | None = None
        """Simulated time of the last sample that is safe in the file."""
        self._channels: dict[str, tuple[Topic, int]] = {}
        self._next_tick_ns = 0
        self._file = _open(self.path, self.part_path)
        self._open = True
        try:
            self._guarded(lambda: self._begin(scenario_text, seed, names, metadata or {}))
        except BaseException:
            self.abandon()
            raise

    @property
    def size(self) -> int:
        """Bytes written so far."""
        return self._file.size

    def write(self, sample: Sample) -> None:
        """Record one sample; when this returns it survives the end of the process."""
        if not self._open:
            raise RecordingError(f"the recording {self.path} is closed; open a new recorder to write more samples")
        messages = messages_of(sample, self.conventions)
        ready_ns = sample.stamp.ready_ns
        self._guarded(lambda: self._write(messages, sample.stamp.index, ready_ns))
        self.saved_until_ns = ready_ns

    def close(self) -> None:
        """Write the index and give the file its final name."""
        if self._open:
            self._guarded(self._file.finish)
            self._open = False
            try:
                os.replace(self.part_path, self.path)
            except OSError as error:
                raise RecordingError(
                    f"the recording is complete in {self.part_path}, but cannot be renamed to {self.path}: "
                    f"{error.strerror}; rename it by hand"
                ) from error

    def abandon(self) -> None:
        """Close the `.part` file without an index and without renaming it."""
        if self._open:
            self._open = False
            self._file.abandon()

    def __enter__(self) -> McapRecorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if not isinstance(error, Exception):  # the end of the block, Ctrl-C, or an orderly exit
            self.close()
        elif self._open:
            self.abandon()
            error.add_note(self._what_is_left())

    def _begin(self, scenario_text: str, seed: int, names: SceneNames | None, metadata: Mapping[str, str]) -> None:
        facts = {"version": sensorium.__version__, "seed": str(seed), "epoch_ns": str(self.conventions.epoch_ns)}
        self._file.add_metadata(METADATA, {**metadata, **facts})
        self._attach(SCENARIO, "application/yaml", scenario_text)
        if names is not None:
            self._attach(SCENE_NAMES, "application/json", names.to_json())
        if self.conventions.mounts:
            self._file.write([self._entry(mount_message(self.conventions), 0, 0)])

    def _attach(self, name: str, media_type: str, text: str) -> None:
        epoch = self.conventions.epoch_ns
        self._file.add_attachment(Attachment(epoch, epoch, name, media_type, text.encode()))

    def _write(self, messages: tuple[RosMessage, ...], index: int, ready_ns: int) -> None:
        entries = self._clock_entries(ready_ns)
        self._file.write([*entries, *(self._entry(message, index, ready_ns) for message in messages)])

    def _clock_entries(self, until_ns: int) -> list[Entry]:
        """Return the ticks of /clock, one every 10 ms of simulated time, up to an instant."""
        first = max(self._next_tick_ns, -(-(until_ns - CLOCK_REACH_NS) // CLOCK_STEP_NS) * CLOCK_STEP_NS)
        ticks = range(first, until_ns + 1, CLOCK_STEP_NS)
        self._next_tick_ns = ticks[-1] + CLOCK_STEP_NS if ticks else self._next_tick_ns
        return [self._entry(clock_message(tick, self.conventions), tick // CLOCK_STEP_NS, tick) for tick in ticks]

    def _entry(self, message: RosMessage, index: int, ready_ns: int) -> Entry:
        log_ns = self.conventions.epoch_ns + ready_ns
        return message_entry(self._channel(message.topic), index & 0xFFFFFFFF, log_ns, log_ns, message.cdr)

    def _channel(self, topic: Topic) -> int:
        if topic.name not in self._channels:
            qos = LATCHED_QOS if topic.latched else ""
            about = {"offered_qos_profiles": qos, "topic_type_hash": type_hash_of(topic.type_name)}
            about |= {key: value for key, value in (("sensor", topic.sensor), ("layout", topic.layout)) if value}
            schema = Schema(0, definition_of(topic.type_name), "ros2msg", topic.type_name)
            self._channels[topic.name] = topic, self._file.add_channel(topic.name, "cdr", schema, about)
        known, number = self._channels[topic.name]
        if known != topic:
            raise RecordingError(
                f"two sources would write to the topic '{topic.name}': '{known.sensor}' and '{topic.sensor}'; "
                "rename one of them"
            )
        return number

    def _guarded(self, step: Callable[[], T]) -> T:
        """Run a step that writes; a full disk and the like become an error that says what is saved."""
        try:
            return step()
        except OSError as error:
            self.abandon()
            raise RecordingError(
                f"cannot write the recording {self.part_path}: {error.strerror or error}. {self._what_is_left()} "
                "Free space or record to another disk"
            ) from error

    def _what_is_left(self) -> str:
        if self.saved_until_ns is None:
            return f"No sample was saved; {self.part_path} can be deleted."
        return (
            f"Everything up to simulated time {self.saved_until_ns * 1e-9:.3f} s is saved in {self.part_path}; "
            f"make a complete file of it with: sensorium inspect --recover {self.part_path}."
        )


def _refuse_folder(path: Path) -> None:
    if path.is_dir():
        raise RecordingError(f"{path} is a folder; name a file, e.g. {path / 'drive.mcap'}")


def _open(path: Path, part: Path) -> McapFile:
    try:
        return McapFile(part, "ros2", f"sensorium {sensorium.__version__}")
    except BlockingIOError:
        raise RecordingError(f"another run is recording to {path} right now; choose another name") from None
    except OSError as error:
        remedy = "" if path.parent.is_dir() else f"; create the folder {path.parent} first"
        raise RecordingError(f"cannot write the recording {part}: {error.strerror}{remedy}") from error
