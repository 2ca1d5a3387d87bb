"""Study files: what varies, what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sensorium.campaigns.distributions import Choice, LogUniform, Normal, Uniform, WholeNumber
from sensorium.campaigns.study import Study, load_study
from sensorium.core.documents import build
from sensorium.core.errors import ConfigurationError

SHARES = np.linspace(0.001, 0.999, 999)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (Uniform(low=-2, high=3), stats.uniform(-2, 5)),
        (LogUniform(low=0.1, high=100), stats.loguniform(0.1, 100)),
        (Normal(mean=1, sigma=2), stats.norm(1, 2)),
        (Normal(mean=1, sigma=2, low=0, high=2), stats.truncnorm(-0.5, 0.5, 1, 2)),
        (Normal(mean=1, sigma=2, low=0.5), stats.truncnorm(-0.25, np.inf, 1, 2)),
    ],
)
def test_values_are_the_quantiles(ours, theirs):
    """A share u of all runs lies below value(u): scipy's inverse distribution function."""
    np.testing.assert_allclose([ours.value(u) for u in SHARES], theirs.ppf(SHARES), rtol=1e-9, atol=1e-9)


def test_discrete_values_are_even():
    assert [WholeNumber(low=2, high=4).value(u) for u in (1e-9, 0.4, 0.999999)] == [2, 3, 4]
    assert [Choice(values=("a", None)).value(u) for u in (0.1, 0.9)] == ["a", None]
    assert Uniform(low=5, high=20, unit="Hz").value(0.5) == "12.5 Hz"


STUDY = """\
sensorium_study: 1
name: rates
seed: 5
runs: 3
set: {duration_s: 1 s}
sweep:
  world.parked_cars: [0, 5]
  air.name: [clear, light_fog]
vary:
  "rig[0].sensor.rate_hz": {type: uniform, low: 5, high: 20, unit: Hz}
measure: {type: point_statistics}
"""


def written(folder, text):
    path = folder / "study.yaml"
    path.write_text(text)
    return path


def test_combinations_and_repetitions(tmp_path):
    """Two by two values, three runs each; repetition k draws the same for each combination, another one for each k."""
    study = load_study(written(tmp_path, STUDY)).study
    assert study.count == 12
    told = [study.values(number) for number in range(12)]
    assert [(one["world.parked_cars"], one["air.name"]) for one in told[::3]] == [
        (0, "clear"), (0, "light_fog"), (5, "clear"), (5, "light_fog")]  # fmt: skip
    rates = [one["rig[0].sensor.rate_hz"] for one in told]
    assert rates[:3] == rates[3:6] == rates[9:]
    assert len(set(rates)) == 3
    assert study.overrides(4)[0] == 'duration_s="1 s"'
    assert load_study(tmp_path / "study.yaml", ["seed=6"]).study.values(0) != told[0]
    with pytest.raises(ConfigurationError, match="no run 12"):
        study.values(12)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("runs: 3", "rums: 3", r"study.yaml:4: rums is not a setting of Study. Did you mean 'runs'"),
        ("[0, 5]", "[]", r"study.yaml:7: sweep\[\"world.parked_cars\"\] is empty; list at least one value"),
        (
            "low: 5, high: 20",
            "low: 20, high: 5",
            r"study.yaml:10: .*high: must be greater than low, 20, .*found 5. Swap",
        ),
        ("low: 5, high: 20", "low: 5", r"study.yaml:10: .*high is missing"),
        ("type: uniform", "type: unifrm", r"study.yaml:10: .*Did you mean 'uniform'"),
        ("runs: 3", "runs: 0", r"study.yaml:4: runs: must be at least 1, found 0"),
        ("set: {duration_s: 1 s}", "set: {seed: 1}", r"study.yaml:5: .*is set by the campaign itself"),
        ("air.name: [", "'air name': [", r"study.yaml:8: .*is not a path"),
        ("name: rates", "name: a/b", r"study.yaml:2: name"),
        ("sensorium_study: 1", "sensorium_study: 2", r"study.yaml:1: .*reads format 1"),
        ("measure: {type: point_statistics}", "", r"measure is missing"),
        ("set: {duration_s: 1 s}", "set: {}\ntime_limit_s: -1", r"study.yaml:6: time_limit_s: must be greater than 0"),
    ],
)
def test_wrong_studies_are_refused_with_place_and_remedy(tmp_path, old, new, says):
    assert old in STUDY
    with pytest.raises(ConfigurationError, match=says):
        load_study(written(tmp_path, STUDY.replace(old, new)))


def test_a_setting_stands_in_one_group():
    with pytest.raises(ConfigurationError, match="more than one of set, vary and sweep"):
        Study(name="a", measure={}, sweep={"x": [1]}, vary={"x": {"type": "uniform", "low": 0, "high": 1}})


@pytest.mark.parametrize(
    "values", [{"sigma": 0}, {"sigma": 1, "low": 3, "high": 2}, {"sigma": 1, "low": 50, "high": 60}]
)
def test_normal_distributions_need_a_width(values):
    with pytest.raises(ConfigurationError, match=r"greater than 0|greater than low|lies between the bounds"):
        Normal(mean=0, **values)


_LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
_ANYTHING = st.recursive(
    _LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
)


@given(st.dictionaries(st.sampled_from(("runs", "seed", "set", "vary", "sweep", "measure", "name", "odd")), _ANYTHING))
def test_any_content_is_a_study_or_a_clear_refusal(content):
    """Whatever stands in the file: a study whose first run has values, or a ConfigurationError."""
    try:
        study = build(Study, content)
    except ConfigurationError:
        return
    assert set(study.values(0)) == {*study.vary, *study.sweep}
