"""Bodies and joints moved by the MuJoCo engine; the package is loaded when a world is opened, not before."""
