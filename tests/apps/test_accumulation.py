import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensorium.apps.accumulation import Accumulation
from sensorium.core.errors import ConfigurationError

SCANS = st.lists(
    st.tuples(st.integers(0, 4), st.lists(st.tuples(*[st.floats(-2, 2)] * 3), max_size=30)), min_size=1, max_size=12
)


def told_slowly(scans, last_s, voxel_m):
    """Keep what should be kept, point by point with a dictionary of cubes."""
    until, kept = {}, []
    for time_s, points in scans:
        rows = []
        for row, point in enumerate(points):
            cube = tuple(np.floor(np.array(point) / voxel_m).astype(int))
            if until.get(cube, -np.inf) <= time_s:
                until[cube] = time_s + last_s
                rows.append(row)
        kept.append(rows)
    return kept


@given(SCANS)
def test_each_cube_is_shown_once_in_a_while(steps):
    """The rows kept are those that a dictionary of cubes keeps, whatever the scans and the time between them."""
    times = np.cumsum([step for step, _ in steps])
    scans = [(float(time_s), points) for time_s, (_, points) in zip(times, steps, strict=True)]
    kept = Accumulation(last_s=3.0, voxel_m=0.5)
    found = [kept.fresh(np.array(points).reshape(-1, 3), int(time_s * 1e9)).tolist() for time_s, points in scans]
    assert found == told_slowly(scans, 3.0, 0.5)


def test_the_number_of_points_is_bounded():
    """With ever new points the cubes grow from 0.1 m until 1000 are enough: 40 m * 40 m * 1 m at 2 m edge are 400."""
    rng, kept = np.random.default_rng(3), Accumulation(last_s=100.0, voxel_m=0.1, most=1000)
    for scan in range(30):
        kept.fresh(rng.uniform((-20, -20, 0), (20, 20, 1), (5000, 3)), scan)
        assert len(kept) <= 1000
    assert kept.voxel_m == pytest.approx(3.2) or kept.voxel_m == pytest.approx(1.6)
    again = kept.fresh(rng.uniform((-19, -19, 0.01), (19, 19, 0.99), (5000, 3)), 31)
    assert len(again) == 0  # all of space is taken, as coarse cubes


@pytest.mark.parametrize(("last_s", "voxel_m", "what"), [(0.0, 0.1, "0 s"), (5.0, -1.0, "-1 m"), (np.nan, 0.1, "nan")])
def test_senseless_settings_are_refused(last_s, voxel_m, what):
    """The message says what was found."""
    with pytest.raises(ConfigurationError, match=what):
        Accumulation(last_s, voxel_m)
