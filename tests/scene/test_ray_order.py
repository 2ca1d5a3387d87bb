"""The order in which rays are traced: every ray once, neighbours side by side."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from sensorium.scene.ray_order import side_by_side
from sensorium.sensors import sensor_of

finite = st.floats(-1, 1, allow_nan=False)


@given(arrays.arrays(np.float64, st.tuples(st.integers(0, 50), st.just(3)), elements=finite))
def test_every_ray_stands_in_the_order_once(direction):
    """Whatever the directions are, also of length zero, straight up or all the same."""
    assert sorted(side_by_side(direction).tolist()) == list(range(len(direction)))


@pytest.mark.parametrize("name", ["velodyne_hdl64e", "ouster_os1_64", "velodyne_alpha_prime"])
def test_neighbours_in_the_order_are_neighbours_in_space(name):
    """Packets of 16 beams in a row reach less than half as far from their middle as those in firing order."""
    lidar = sensor_of(name)
    direction = lidar.pattern.beams(lidar.window(0)).direction[:6000]

    def spread_deg(order):
        packets = direction[order][: len(order) // 16 * 16].reshape(-1, 16, 3)
        middle = packets.mean(1, keepdims=True)
        middle /= np.linalg.norm(middle, axis=-1, keepdims=True)
        return np.degrees(np.median(np.arccos(np.clip((packets * middle).sum(-1).min(1), -1, 1))))

    assert 2 * spread_deg(side_by_side(direction)) < spread_deg(np.arange(len(direction)))
