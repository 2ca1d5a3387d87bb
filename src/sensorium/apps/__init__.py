"""The doors: the command line and what stands behind its commands. The only room that prints or exits."""
