"""The thermal camera: what surfaces, air and sky radiate in a band, and the electronics that turn it into counts and kelvin."""
