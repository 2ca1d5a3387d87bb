"""What a campaign can measure of a run: objects with a `type` that return one row of a table."""
