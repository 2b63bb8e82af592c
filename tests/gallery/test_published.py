"""Published numbers inside the axes: their values are those of claims.toml, their places those of `figures.py`."""

import pytest
from matplotlib.figure import Figure
from verdicts import module, texts

from congestree.gallery import published, shipped
from congestree.gallery.published import At

TEXTS = {
    "victim": {"target": 0.15, "accept": "0.13 <= x <= 0.18"},
    "pair": {"target": [3.4, 6.8], "accept": "3.0-3.6"},
    "time": {"target": 4.2, "accept": "+- 0.1"},
}


@pytest.fixture
def figure():
    made = Figure()
    axes = made.subplots()
    axes.plot([0, 100], [0.1, 0.2], color="red", label="victim, sum")
    axes.set(xlim=(0, 100), ylim=(0, 1))
    return made


def drawn(figure, claim):
    """The drawn elements with the name of a claim: x and y of their points."""
    return [line.get_xydata().tolist() for line in figure.axes[0].get_lines() if line.get_gid() == claim]


def test_a_value_over_a_range_is_a_dashed_line_with_a_band(figure):
    assert published.draw(figure, [At("victim", x=(40, 60), line="victim")], TEXTS) == {}
    assert drawn(figure, "victim") == [[[40, 0.15], [60, 0.15]]] * 2
    (band,) = figure.axes[0].collections
    assert {round(float(y), 6) for y in band.get_paths()[0].vertices[:, 1]} == {0.13, 0.18}
    assert figure.axes[0].get_ylim() == (0, 1)


def test_a_value_at_a_place_is_a_diamond_and_can_be_seen(figure):
    """A part of a list, in another unit; beyond the end of the axis, which grows."""
    assert published.draw(figure, [At("pair", x=10, part=1, scale=2.0)], TEXTS) == {}
    assert drawn(figure, "pair") == [[[10, 13.6]]]
    assert 13.6 < figure.axes[0].get_ylim()[1] < 14 and figure.axes[0].get_xlim() == (0, 100)


def test_a_value_may_stand_along_the_other_axis(figure):
    published.draw(figure, [At("time", y=0.5)], TEXTS)
    assert drawn(figure, "time") == [[[4.2, 0.5]]]
    assert At("time").numbers(TEXTS["time"]) == pytest.approx((4.2, 4.1, 4.3))


def test_an_interval_that_is_turned_round_stays_one():
    assert At("victim", offset=1.0, scale=-1.0).numbers(TEXTS["victim"]) == pytest.approx((0.85, 0.82, 0.87))


def test_a_sum_of_parts_and_an_interval_in_another_unit():
    assert At("pair", part=(0, 1)).numbers(TEXTS["pair"]) == pytest.approx((10.2, None, None))
    assert At("x").numbers({"target": 10427.64, "accept": "10.0-10.8 Gbit/s"}) == (10427.64, None, None)


def test_what_finds_no_place_is_told(figure):
    lost = published.draw(figure, [At("victim", x=(40, 160), line="nobody")], TEXTS)
    assert "is not within 0 and 100" in lost["victim"]
    assert "begins with nobody" in published.draw(figure, [At("victim", x=50, line="nobody")], TEXTS)["victim"]


@pytest.mark.parametrize("paper", shipped.papers())
def test_every_place_is_of_a_figure_and_a_claim_that_has_a_number(paper):
    said, places = texts(paper), published.places(paper)
    assert set(places) <= set(module(paper, "figures").FIGURES)
    for figure, here in places.items():
        for place in here:
            if isinstance(place, str):
                assert "target" in said[place]
            else:
                assert all(isinstance(v, float | int | None) for v in place.numbers(said[place.claim])), figure
        assert all(f"({getattr(place, 'claim', place)})" in published.in_words(paper, figure) for place in here)


def test_times_of_recovery_stand_where_the_curves_arrive():
    """The figure that needs no runs: the paper's times next to our curves."""
    figure = module("hpl2002", "figures").FIGURES["fig6"]({})
    said = texts("hpl2002")
    assert published.draw(figure, published.places("hpl2002")["fig6"], said) == {}
    for axes, claim in ((0, "hpl2002-fig6-lipd-recovery"), (1, "hpl2002-fig6-fimd-recovery")):
        ((point,),) = [line.get_xydata().tolist() for line in figure.axes[axes].get_lines() if line.get_gid() == claim]
        assert point == [said[claim]["target"], 1.0]
        label = claim.split("-")[2].upper()
        (ours,) = [line for line in figure.axes[axes].get_lines() if str(line.get_label()).startswith(label)]
        assert ours.get_xdata()[-1] == pytest.approx(point[0], rel=0.02)


def test_a_label_that_is_the_same_goes_before_one_that_begins_so(figure):
    figure.axes[0].plot([0, 100], [0.5, 0.5], color="blue", label="victim")
    assert published.colour_of(figure, figure.axes[0], "victim") == "blue"
    assert published.colour_of(figure, figure.axes[0], "vic") == "red"
