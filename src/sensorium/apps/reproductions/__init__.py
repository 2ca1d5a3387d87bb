"""Published figures computed again: `sensorium reproduce NAME`. Each reproduction reports rows: theirs, ours, verdict."""
