"""Cameras: lenses, shutters, light on the chip, electronics; visible and thermal."""
