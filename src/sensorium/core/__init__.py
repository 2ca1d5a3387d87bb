"""The grammar of the house: units, poses, time, chance, configuration, errors. It knows no other room."""
