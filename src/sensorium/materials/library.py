"""Named materials as data, each figure with its source."""
