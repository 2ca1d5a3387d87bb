"""Trajectories: pose, twist and acceleration at any time."""

from typing import Annotated

from pydantic import Field

from sensorium.motion.attached import Attached
from sensorium.motion.ballistic import Ballistic
from sensorium.motion.ends import AtRest, Closed, EndVelocities, Natural, NotAKnot
from sensorium.motion.fixed import Fixed
from sensorium.motion.motion import Kinematics, Motion
from sensorium.motion.orientation import AlongPath, AtWaypoints, Facing
from sensorium.motion.playback import Playback, Recorded
from sensorium.motion.spinning import Spinning
from sensorium.motion.spline import Spline, Waypoint
from sensorium.motion.trajectory import Trajectory
from sensorium.motion.trajectory_csv import CsvFile
from sensorium.motion.trajectory_files import KittiFile, TumFile

MotionSettings = Annotated[Fixed | Spline | Playback | Ballistic | Spinning | Attached, Field(discriminator="type")]
"""Every motion that a document can describe."""

__all__ = [
    "AlongPath",
    "AtRest",
    "AtWaypoints",
    "Attached",
    "Ballistic",
    "Closed",
    "CsvFile",
    "EndVelocities",
    "Facing",
    "Fixed",
    "Kinematics",
    "KittiFile",
    "Motion",
    "MotionSettings",
    "Natural",
    "NotAKnot",
    "Playback",
    "Recorded",
    "Spinning",
    "Spline",
    "Trajectory",
    "TumFile",
    "Waypoint",
]
