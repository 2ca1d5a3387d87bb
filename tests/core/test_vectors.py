"""Products of vectors against NumPy's."""

import numpy as np
import pytest

from sensorium.core.vectors import cross


@pytest.mark.parametrize(("a", "b"), [((3,), (3,)), ((5, 3), (3,)), ((4, 1, 3), (2, 3)), ((0, 3), (0, 3))])
def test_cross_is_numpys(a, b):
    """a x b, leading axes broadcast: the same products and differences, to the bit."""
    rng = np.random.default_rng(1)
    u, v = rng.normal(size=a), rng.normal(size=b)
    np.testing.assert_array_equal(cross(u, v), np.cross(u, v))
