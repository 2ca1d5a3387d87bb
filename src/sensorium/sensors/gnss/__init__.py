"""A receiver of navigation satellites that sees the street: satellites are hidden and mirrored by what stands around it."""

from sensorium.sensors.gnss.gnss import Gnss

__all__ = ["Gnss"]
