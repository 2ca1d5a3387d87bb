"""Doors: the command line and what it shows; the only room that may print."""
