from dataclasses import replace

import numpy as np
import parcels
import pytest

from sensorium.apps.colourings import CAUSE_COLOURS, CLASS_COLOURS, COLOURINGS, RETURN_COLOURS, colouring
from sensorium.apps.colours import UNKNOWN_GREY, by_kind
from sensorium.core.errors import ConfigurationError, RecordingError
from sensorium.recording.scene_names import SceneNames
from sensorium.samples.causes import Cause

NAMES = SceneNames(materials=("asphalt", "car_paint_red"), classes=("car", "gnome", "road"))


def rgb(text):
    return tuple(int(text[i : i + 2], 16) for i in (1, 3, 5))


@pytest.fixture
def known():
    """A cloud with the truth of points, some of them of no body."""
    return parcels.cloud(count=200, truth=True)


@pytest.mark.parametrize("name", COLOURINGS)
def test_every_colouring_paints_every_point(name, known):
    """A colouring returns one RGB per point, also for a cloud without points."""
    assert colouring(name, NAMES)(known).shape == (200, 3)
    assert colouring(name)(parcels.cloud(count=0, truth=True)).shape == (0, 3)


@pytest.mark.parametrize("name", ["intensity", "range", "height", "ring"])
def test_what_every_lidar_measures_needs_no_truth(name, sphere_room):
    """These four are in every cloud."""
    assert colouring(name)(sphere_room).shape == (len(sphere_room), 3)


def test_classes_have_their_colours_by_name(known):
    """A car is blue whatever its number; a class that nobody knows gets the colour of its number, no class is grey."""
    label = np.array([0, 1, 2, 7, -1] * 40, np.int32)
    painted = colouring("class", NAMES)(replace(known, truth=replace(known.truth, label=label)))
    expected = [rgb(CLASS_COLOURS["car"]), tuple(by_kind(1)), rgb(CLASS_COLOURS["road"]), tuple(by_kind(7))]
    np.testing.assert_array_equal(painted[:5], [*expected, (UNKNOWN_GREY,) * 3])
    renamed = replace(NAMES, classes=("tree", "car", "road"))
    np.testing.assert_array_equal(
        colouring("class", renamed)(replace(known, truth=replace(known.truth, label=label)))[1],
        rgb(CLASS_COLOURS["car"]),
    )


def test_materials_are_told_apart(known):
    """Points share a colour if and only if they share a material, for the first 9 of the library."""
    painted = colouring("material")(known)
    assert {len({tuple(c) for c in painted[known.truth.material == row]}) for row in range(9)} == {1}
    assert len({tuple(c) for c in painted}) == len(np.unique(known.truth.material))


def test_causes_and_returns_have_a_colour_each(known):
    """Colour number k stands for cause k and for return k; there is a colour for every cause."""
    assert len(set(CAUSE_COLOURS)) == len(Cause)
    np.testing.assert_array_equal(colouring("cause")(known), [rgb(CAUSE_COLOURS[cause]) for cause in known.truth.cause])
    np.testing.assert_array_equal(
        colouring("return")(known), [rgb(RETURN_COLOURS[number]) for number in known.return_index]
    )


def test_a_lidar_with_one_return_has_first_returns_only(known):
    """With the truth of points, None means one return per beam, and that is known."""
    painted = colouring("return")(replace(known, return_index=None))
    assert {tuple(c) for c in painted} == {rgb(RETURN_COLOURS[0])}


@pytest.mark.parametrize(
    ("name", "what"), [("material", "material"), ("class", "class"), ("cause", "cause"), ("return", "return number")]
)
def test_a_recording_without_the_field_is_told_the_remedy(name, what, sphere_room):
    """One message names the sensor, what is missing, the setting that records it, and what can be chosen instead."""
    message = rf"points of 'lidar' carry no {what}.*recording\.point_truth: true.*intensity, range, height or ring"
    with pytest.raises(RecordingError, match=message):
        colouring(name)(sphere_room)


def test_a_sensor_that_tells_no_cause_is_named(known):
    """The rest of the truth is there; recording again would not help, so the message says that the sensor is mute."""
    with pytest.raises(RecordingError, match=r"'roof'.*the sensor does not tell it.*class"):
        colouring("cause")(replace(known, truth=replace(known.truth, cause=None)))


def test_an_unknown_colouring_is_refused_with_a_hint():
    """The message names what was found and what is near."""
    with pytest.raises(ConfigurationError, match=r"'intensty' is not a colouring.*Did you mean 'intensity'"):
        colouring("intensty")


def test_the_legend_names_the_most_frequent_first(known):
    """Names come from the table of the recording, colours are those of the points, and rows can be chosen."""
    material = np.repeat(np.array([1, 0, -1], np.int32), (150, 40, 10))
    cloud = replace(known, truth=replace(known.truth, material=material))
    paint = colouring("material", NAMES)
    legend = paint.legend(cloud)
    assert [name for name, _ in legend] == ["car paint red", "asphalt", "nothing of the scene"]
    np.testing.assert_array_equal([colour for _, colour in legend], paint(cloud)[[0, 160, 199]])
    assert [name for name, _ in paint.legend(cloud, material < 1, most=1)] == ["asphalt"]
    assert colouring("intensity").legend(cloud) == []


def test_one_height_keeps_its_colour_from_cloud_to_cloud(make_cloud):
    """Limits are the 2nd and 98th percentile of the first cloud that has points; a later, higher cloud keeps them."""
    paint = colouring("height")
    paint(make_cloud(np.empty((0, 3)), []))
    heights = np.linspace(0.0, 10.0, 101)
    first = make_cloud(np.stack((heights, heights, heights), -1), np.zeros(101))
    later = replace(first, points_m=first.points_m + np.float32([0, 0, 5]))
    np.testing.assert_array_equal(paint(first)[50:80], paint(later)[:30])
    assert [text for _, text in paint.ticks()] == ["0.2", "2.6", "5.0", "7.4", "9.8"]
