"""What is told of congestion trees, worked out from tables that are written by hand."""

import itertools
import random
from types import SimpleNamespace

import pyarrow as pa
import pytest

import congestree
from congestree.evaluation import trees
from congestree.evaluation.trees import facts, lanes
from congestree.evaluation.trees.samples import by_sample

US = 1e-6
EVERY = 10 * US
"""Between two of ten samples."""


def run_of(duration=10 * EVERY, **tables):
    """What a run with these tables answers: rows, each a dict."""
    made = {name: pa.Table.from_pylist(rows) for name, rows in tables.items()}
    return SimpleNamespace(
        tables=made,
        _scenario={"measure": {"sampling_interval": "10 us"}, "links": {"lanes": 1}},
        duration=duration,
        value={"measured": 10 * EVERY}.get,
        arrow=lambda name, columns=None: made[name].select(columns) if columns else made[name],
    )


def seen(tree, samples, branches, slow=()):
    """Rows of a tree, whose root is the port of the same number, in these samples of ten."""
    same = {"tree": tree, "root": tree, "lane": 0, "depth": 1, "held_links": 0, "bytes": 100}
    return [
        {"time": k * EVERY, **same, "branches": links, "slow_host": k in slow}
        for k, links in zip(samples, branches, strict=True)
    ]


# Not in the order of their mean size, nor in that of the time for which they are seen.
ROWS = sorted(
    seen(0, range(1, 9), [1] * 8, slow=(2, 3)) + seen(1, range(3, 8), [2, 2, 5, 4, 2]) + seen(2, [10], [10]),
    key=lambda row: row["time"],
)
FLOWS = [
    {"flow": flow, "class": kind, "source": f"h{flow}", "rate": 1e9 * (flow + 1)}
    for flow, kind in enumerate(["a", "a", "b", "b", "b", "c"])
]
ROLES = [
    {"tree": 1, "role": role, "flow": flow, "time": time * US}
    for role, flow, time in (
        *(("contributor", 0, 10), ("contributor", 1, 30), ("contributor", 2, 20), ("contributor", 3, 25)),
        *(("contributor", 2, 10), ("victim", 5, 40), ("victim", 4, 50)),
    )
]
LOSSES = [
    {"flow": flow, "held_by_trees": between * US, "held_in_switch": inside * US, "lost": lost * US}
    for flow, between, inside, lost in ((5, 20, 0, 20), (0, 4, 10, 12), (1, 14, 0, 14), (2, 0, 15, 15), (3, 0, 7, 7))
]


def summary_of(rows, **changed):
    """The summary of a run with these rows of `trees`."""
    tables = {"trees": rows, "tree_flows": ROLES, "tree_losses": LOSSES, "flows": FLOWS}
    tables["ports"] = [{"name": f"S->H{port}", "to": f"H{port}"} for port in range(3)]
    tables["tree_links"] = [{"tree": 1, "port": 1, "lane": 0, "from": 0.0, "to": 1.0, "carries": True}]
    return trees.summary(run_of(**tables, **changed))


@pytest.fixture(scope="module")
def summary():
    return summary_of(ROWS)


def test_samples_with_trees_are_counted_once_and_trees_in_each(summary):
    assert (summary["samples"], summary["congested"]) == (10, 0.9)
    assert (summary["most_at_a_time"], summary["mean_at_a_time"]) == (2, 1.4)


def test_trees_are_in_the_order_of_links_held_times_time(summary):
    assert [life["tree"] for life in summary["trees"]] == [1, 2, 0]
    assert [life["mean_links"] for life in summary["trees"]] == [3, 10, 1]
    assert [life["seen_s"] for life in summary["trees"]] == pytest.approx([5 * EVERY, EVERY, 8 * EVERY])


def test_a_tree_dies_with_the_first_sample_that_no_longer_sees_it(summary):
    lives = {life["tree"]: life for life in summary["trees"]}
    assert [lives[tree]["born_s"] for tree in range(3)] == pytest.approx([EVERY, 3 * EVERY, 10 * EVERY])
    assert [lives[tree]["died_s"] for tree in range(2)] == pytest.approx([9 * EVERY, 8 * EVERY])
    assert lives[2]["died_s"] is None
    assert [lives[tree]["slow_host"] for tree in range(3)] == [0.25, 0, 0]


@pytest.mark.parametrize("rest", [0, 0.5], ids=["ends with a sample", "ends between samples"])
@pytest.mark.parametrize(("last", "died"), [(8, 9), (9, 10), (10, None)])
def test_only_a_tree_that_the_last_sample_sees_lives_to_the_end(last, died, rest):
    """One that was last seen at the sample before counted as alive."""
    (life,) = summary_of(seen(1, [7, last], [1, 1]), duration=(10 + rest) * EVERY)["trees"]
    assert life["died_s"] == (died and pytest.approx(died * EVERY))


def test_a_receiver_that_takes_packets_too_slowly_has_the_share_of_its_samples():
    """Its link would take twice as much."""
    values = {"measure": {"duration": "200 us", "probes": ["trees"], "sampling_interval": "10 us"}}
    slow = {"adapters": {"drain_rate": "4 Gbit/s", "receive_buffer": "4 KiB"}}
    star = {"topology": {"single-switch": {"hosts": 4}}, "links": {"rate": "8 Gbit/s"}}
    run = congestree.run({**star, **values, **slow, "traffic": [{"from": ["H1", "H2"], "to": "H4"}]})
    rows = run.arrow("trees").to_pylist()
    (life,) = trees.summary(run)["trees"]
    assert life["slow_host"] == sum(row["slow_host"] for row in rows) / len(rows) > 0.5


def test_contributors_and_victims_are_those_with_most_time_first(summary):
    """Of a class the time is that of the flow that was in the tree for longest, and its source comes first."""
    life = summary["trees"][0]
    found = {name: (group["flows"], group["sources"]) for name, group in life["contributors"].items()}
    assert list(found.items()) == [("b", (2, ["h2", "h3"])), ("a", (2, ["h1", "h0"]))]
    times = [group["time_s"] for group in life["contributors"].values()]
    assert times == pytest.approx([30 * US, 30 * US])
    assert list(life["victims"]) == ["b", "c"]
    assert [group["time_s"] for group in life["victims"].values()] == pytest.approx([50 * US, 40 * US])


def test_of_a_class_the_times_of_all_flows_count():
    """The flow that was in the tree for longest is of the other class."""
    classes, sources = {0: "a", 1: "b", 2: "b", 3: "b"}, dict.fromkeys(range(4), "h")
    assert list(facts._by_class({0: 2.0, 1: 1.0, 2: 1.0, 3: 1.0}, classes, sources)) == ["b", "a"]


def test_classes_that_suffer_have_means_over_the_flows_that_do(summary):
    """In the order of all the time that they lost: 26, 22 and 20 us."""
    found = {row["class"]: row for row in summary["suffering"]}
    assert list(found) == ["a", "b", "c"]
    for name, row in found.items():
        flows = [flow for flow in FLOWS if flow["class"] == name]
        held = [row for row in LOSSES if row["flow"] in {flow["flow"] for flow in flows}]
        assert (row["flows"], row["of"]) == (len(held), len(flows))
        for key, column in (("between_s", "held_by_trees"), ("inside_s", "held_in_switch"), ("lost_s", "lost")):
            assert row[key] == pytest.approx(sum(one[column] for one in held) / len(held))
        assert row["most_s"] == max(one["lost"] for one in held)
        assert row["rate_bit_s"] == pytest.approx(sum(1e9 * (one["flow"] + 1) for one in held) / len(held))
        assert row["sources"] == [f"h{one['flow']}" for one in held]


def test_a_tree_is_steady_by_the_branches_that_two_samples_share():
    def span(port, since, until):
        return {"port": port, "from": since, "to": until}

    assert facts._steadiness([1, 2], [span(1, 0, 3), span(2, 0, 1.5), span(3, 1.5, 3)]) == 0.5
    # Of the sample with fewer branches all are in the other; a sample without any says nothing.
    assert facts._steadiness([1, 2, 4], [span(1, 0, 3), span(2, 0, 1.5)]) == 1.0
    assert facts._steadiness([1, 2], [span(1, 0, 2), span(2, 2, 3)]) == 0.0
    assert facts._steadiness([1], []) == 1.0


def kind_of(*samples):
    """The kind of a forest with these places (root: branches) in each sample."""
    rows = [
        {"time": time, "root": root, "lane": 0, "branches": branches}
        for time, places in enumerate(samples)
        for root, branches in places.items()
    ]
    found = facts._kind(rows, [{"kind": "silent"}])
    return found["kind"], pytest.approx(found["places"]), pytest.approx(found["place_presence"])


def test_a_forest_moves_if_less_than_half_of_its_places_are_there_at_a_time():
    assert kind_of({1: 4, 2: 4}, {1: 4, 2: 4}) == ("silent", 2, 1)
    assert kind_of({1: 4}, {2: 4}) == ("silent", 2, 0.5)
    assert kind_of({1: 4}, {2: 4}, {3: 4}) == ("moving", 3, 1 / 3)
    # Weights are branches: 3 and 1 are 16/10 places, and a root without branches counts as one with one.
    assert kind_of({1: 3, 2: 1}) == ("silent", 1.6, 1)
    assert kind_of({1: 0}, {2: 1}, {3: 0}) == ("moving", 3, 1 / 3)
    assert facts._kind([], []) == {"kind": None, "places": 0.0, "place_presence": None}


@pytest.mark.parametrize("seed", range(20))
def test_links_held_in_a_sample_are_those_counted_one_by_one(seed):
    """In two lanes, and in two trees at once, of which a link counts once."""
    draw, spans = random.Random(seed), []
    for tree, port, lane in itertools.product(range(2), range(3), range(2)):
        since = draw.randrange(1, 10)
        until = draw.randrange(since + 1, 11)
        same = {"tree": tree, "port": port, "lane": lane, "carries": True}
        spans.append({**same, "from": since * EVERY, "to": until * EVERY})

    def there(span, k):
        return span["from"] < (k + 0.5) * EVERY < span["to"]

    rows, expected = [], []
    for k in range(1, 10):  # in the last sample nothing is held any more
        now = [span for span in spans if there(span, k)]
        expected.append(len({(span["port"], span["lane"]) for span in now}))
        for tree in sorted({span["tree"] for span in now}):
            branches = sum(span["tree"] == tree for span in now)
            rows.append({"time": k * EVERY, "tree": tree, "branches": branches, "held_links": 0})
    number, links = by_sample(run_of(trees=rows, tree_links=spans))
    assert links.tolist() == [*expected, 0]
    assert number.tolist() == [sum(row["time"] == k * EVERY for row in rows) for k in range(1, 11)]


def test_a_lane_of_which_only_counters_know_has_no_classes():
    """Service lanes: the lane of an entry does not tell in which one its packets go."""
    counters = [{"port": 0, "lane": lane, "PortXmitData": words} for lane, words in ((0, 5_000), (1, 20_000))]
    run = run_of(counters=counters, ports=[{"name": "S->H0", "to": "H0", "rate": 8e9}])
    run._scenario |= {"links": {"lanes": 2, "service_lanes": [0, 1]}, "adapters": {}}
    assert lanes.taken(run) == {(0, 1): {"share": pytest.approx(0.8), "classes": []}}
