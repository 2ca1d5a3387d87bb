"""Estimators: detections from samples, association, filters and tracks; what a user's own software would do with the data."""
