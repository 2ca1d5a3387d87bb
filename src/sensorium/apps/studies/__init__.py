"""Experiments that are more than one command: what is varied, what is measured, what comes out."""
