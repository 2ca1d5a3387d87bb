"""Trajectories: pose, twist and acceleration at any time."""

from sensorium.motion.fixed import Fixed
from sensorium.motion.motion import Kinematics, Motion

__all__ = ["Fixed", "Kinematics", "Motion"]
