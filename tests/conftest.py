"""Settings of the whole suite."""

from hypothesis import settings

# Kernels compile at their first call, so the time of one example says nothing; examples are the same in every run.
settings.register_profile("sensorium", deadline=None, derandomize=True)
settings.load_profile("sensorium")
