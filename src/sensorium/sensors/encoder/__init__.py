"""Encoders: the angle of a hinge or the length of a slide as counts, with the edges of A, B and Z."""

from sensorium.sensors.encoder.encoder import Encoder

__all__ = ["Encoder"]
