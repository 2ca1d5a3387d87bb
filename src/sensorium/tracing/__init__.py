"""Tracers: the slow, obvious `ReferenceTracer` and the fast `EmbreeTracer`; both fulfil `scene.rays.Tracer`.

Importing this room loads neither Numba nor Embree; making an `EmbreeTracer` does.
"""

from sensorium.tracing.embree.tracer import EmbreeTracer
from sensorium.tracing.reference import ReferenceTracer

__all__ = ["EmbreeTracer", "ReferenceTracer"]
