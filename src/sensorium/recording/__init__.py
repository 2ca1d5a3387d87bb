"""The archive: MCAP recordings of ROS 2 messages, and point-cloud files. Nothing is loaded before it is used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sensorium.recording.export import export_clouds
    from sensorium.recording.mcap_writer import McapRecorder
    from sensorium.recording.point_cloud_files import read_point_cloud, write_point_cloud
    from sensorium.recording.point_layouts import PointField, PointLayout, point_layout
    from sensorium.recording.reader import Recording, open_recording
    from sensorium.recording.recovery import Recovered, recover
    from sensorium.recording.ros_conventions import RosConventions
    from sensorium.recording.scene_names import SceneNames

_PLACES = {
    "McapRecorder": "mcap_writer",
    "PointField": "point_layouts",
    "PointLayout": "point_layouts",
    "Recording": "reader",
    "Recovered": "recovery",
    "RosConventions": "ros_conventions",
    "SceneNames": "scene_names",
    "export_clouds": "export",
    "open_recording": "reader",
    "point_layout": "point_layouts",
    "read_point_cloud": "point_cloud_files",
    "recover": "recovery",
    "write_point_cloud": "point_cloud_files",
}

__all__ = [
    "McapRecorder",
    "PointField",
    "PointLayout",
    "Recording",
    "Recovered",
    "RosConventions",
    "SceneNames",
    "export_clouds",
    "open_recording",
    "point_layout",
    "read_point_cloud",
    "recover",
    "write_point_cloud",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
