"""Figures that anyone can check: `sensorium bench NAME`. Each benchmark compares within one run and reports rows."""
