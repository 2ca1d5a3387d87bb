"""The world: bodies with materials, and the view of it that a sensor may ask."""
