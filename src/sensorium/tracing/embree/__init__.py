"""The fast tracer: Embree's ray tracing kernels called from compiled loops."""
