"""What is said of congestion trees, and of links held without one, whose facts are written by hand."""

from types import SimpleNamespace

import pyarrow as pa
import pytest

from congestree.evaluation.trees import held, words

US = 1e-6
LIFE = {
    **{"tree": 0, "trees": 1, "root": "S->H", "to": "H", "lane": 0, "other_lanes": []},
    **{"slow_host": 0, "host_limit": None, "born_s": 10 * US, "died_s": None, "seen_s": 140 * US},
    **{"depth": 1, "links": 1, "held_links": 0, "bytes": 1000, "kind": "silent"},
    **{"contributors": {}, "victims": {}},
}
FACTS = {
    **{"samples": 15, "every_s": 10 * US, "duration_s": 155 * US, "congested": 1.0, "most_at_a_time": 1},
    **{"kind": "silent", "lanes": 1, "receive_buffer": None, "suffering": [], "limited": []},
}


def told(*lives, **changed):
    """What is said of trees that differ from LIFE in some facts, each at a root of its own."""
    lives = [LIFE | {"tree": number, "root": f"S{number}->H"} | life for number, life in enumerate(lives)]
    return " ".join(words.explain(None, FACTS | {"trees": lives, "roots": lives} | changed))


def test_of_the_trees_that_are_told_together_the_largest_counts():
    sizes = [{"links": 9}] * words.FEW + [{"links": 5, "held_links": 1}, {"links": 2}]
    assert "The other 2 trees were smaller or lived shorter; none of them held more than 6 links." in told(*sizes)


@pytest.mark.parametrize(("died", "until"), [(None, "to the end"), (150 * US, "to 150 us")])
def test_a_tree_is_told_to_its_death_or_to_the_end(died, until):
    assert f"Congestion sat at S0->H, from 10 us {until}: " in told({"died_s": died})


@pytest.mark.parametrize(("kind", "comes"), [("silent", False), ("windy", True)])
def test_contributors_of_windy_trees_come_and_go(kind, comes):
    assert ("(windy: they come and go)" in told({"kind": kind})) == comes


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (0.25, "In 25% of these samples H took packets too slowly. It was fed by"),
        (0.9, "In 90% of these samples H took packets too slowly. It was fed by"),
        (0.95, "Congestion sat at S0->H, because H takes packets too slowly, from"),
    ],
)
def test_a_slow_host_is_the_cause_in_most_samples_or_told_with_their_share(share, said):
    assert said in told({"slow_host": share, "host_limit": "drain_rate"})
    assert "of these samples" not in told({})


@pytest.mark.parametrize(("between", "both"), [(0.25, True), (0.24, False)])
def test_of_two_ways_to_lose_time_one_below_a_quarter_of_the_other_is_not_told(between, both):
    row = {"class": "victim", "flows": 1, "sources": ["h0"], "inside_s": 1.0, "between_s": between, "lost_s": 1.0}
    found = told({}, suffering=[row | {"rate_bit_s": 1e9, "dropped": 0.0}], duration_s=2.0)
    where = "behind packets of others inside a switch"
    where += " or by congestion trees to which it did not contribute" if both else ""
    assert f"victim (1 flow, from h0) was held up for 1 s (50% of the run) {where}. It got 1 Gbit/s." in found


def test_the_link_that_flow_control_held_longest_is_named():
    ports = [{"name": f"S->H{n}", "to": f"H{n}", "rate": 1e9, "blocked": s} for n, s in enumerate((0.2, 0.6, 0, 0.1))]
    run = SimpleNamespace(
        arrow=lambda name, columns: pa.Table.from_pylist(ports),
        value={"measured": 1.0}.get,
        hosts=[port["to"] for port in ports],
        _scenario={"links": {"flow_control": "pfc"}},
    )
    said = "Flow control held S->H1 all the same, for 60% of the measured time, and 2 more links for no longer."
    assert held.sentence(run) == said
