"""From ranges to a place: least squares, dilution of precision, integrity, filters. It needs no sensor and no world."""
