"""Pictures of recordings, each from plain samples and arrays."""
