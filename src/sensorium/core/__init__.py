"""The grammar that every room speaks: units, poses, time, chance, configuration, errors."""
