"""The verdict: errors, consistency and stability of what sensors and estimators deliver, from plain arrays."""
