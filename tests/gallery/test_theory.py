"""Theory, the quick version: every closed form is met; and the formulas agree with calculations by hand."""

from itertools import product

import pytest
from verdicts import QuickVersion

from congestree.data.gallery.theory import formulas
from congestree.data.gallery.theory.scenario import FAIR, LEAF


class TestTheory(QuickVersion):
    paper = "theory"
    firm = (
        "theory-md1-wait",
        "theory-md1-no-room-lacking",
        "theory-karol-table",
        "theory-karol-limit",
        "theory-islip-1",
        "theory-islip-3",
        "theory-voq-all-ports",
        "theory-max-min",
        "theory-ecmp-links",
        "theory-ecmp-collisions",
        "theory-permutation",
        "theory-incast-time",
        "theory-uniform-accepted",
        "theory-peer-incast",
        "theory-peer-permutation",
    )


def test_a_queue_waits_half_a_packet_at_half_a_load():
    assert formulas.wait(0.5) == 0.5
    assert formulas.wait(0.8) == pytest.approx(2.0)


@pytest.mark.parametrize(("flows", "links"), [(4, 4), (3, 4), (4, 2), (5, 3)])
def test_links_in_use_are_those_of_every_way_to_throw(flows, links):
    """All links^flows assignments, counted."""
    thrown = [way for way in product(range(links), repeat=flows)]
    for used, chance in formulas.occupied(flows, links).items():
        assert chance == pytest.approx(sum(len(set(way)) == used for way in thrown) / len(thrown))
    apart = sum(len(set(way)) == flows for way in thrown) / len(thrown)
    assert formulas.collision(flows, links) == pytest.approx(1 - apart)
    assert formulas.in_use(flows, links) == pytest.approx(sum(len(set(w)) for w in thrown) / len(thrown) / links)


def test_the_chances_of_four_flows_on_four_links():
    assert formulas.occupied(LEAF, LEAF) == pytest.approx({1: 1 / 64, 2: 21 / 64, 3: 36 / 64, 4: 6 / 64})


def test_max_min_of_two_full_links():
    """A link with three flows, one of which continues over a link with one more flow: thirds, and two thirds for it."""
    flows = {"a": ("x",), "b": ("x",), "c": ("x", "y"), "d": ("y",)}
    assert formulas.max_min(flows) == pytest.approx({"a": 1 / 3, "b": 1 / 3, "c": 1 / 3, "d": 2 / 3})


def test_every_flow_of_the_fair_network_has_ends_of_its_own():
    assert len(set(FAIR.values())) == len(FAIR)
