"""How much regular networks carry: minimal routes, Valiant's, UGAL and PAR, on uniform and on adversarial traffic.

Every host sends as fast as it can. If a pattern puts the load c on the busiest channel for each unit that a host sends,
hosts cannot send more than 1 / c of what their links carry. `loads` counts c over all pairs, along the routes that the
engine reports, for Valiant over all intermediate hosts. Where papers give a formula, c is first compared with it:

| network, pattern | minimal | Valiant |
| --- | --- | --- |
| dragonfly, all hosts to the next group | 1 / (a h), since p = h | about 1/2 |
| dragonfly, uniform | 1, nearly | 1/2, nearly |
| dragonfly+ of two groups, all hosts to the other group | 1, since every link has its share | |
| ring of k, tornado (k/2 - 1 on) | 1 / (k/2 - 1) | 4 / k |
| ring of k, uniform | 8 / k | |
| mesh of k, uniform | 4 / k | |
| HyperX of one dimension, all T hosts of a switch to the next | 1 / T | S / (2 T) |
| HyperX of one dimension, uniform | S / T | |

A ring is the exception. It was expected to carry 0.85 of its bound like the others, and carries half of it: with lanes
that change at one place of the ring, hosts that join behind others get ever smaller shares. At a load of nine tenths of
its bound it carries all of it; with a lane for each hop it carries its whole bound even when overloaded.

Kim and others 2008; Dally and Towles: Principles and Practices of Interconnection Networks (2004), chapters 3 and 9;
Ahn and others 2009. What is measured may not be above the bound, and is a little below it: buffers are finite.
"""

from functools import cache
from itertools import product

import pytest
from fabrics import column, run, scenario

DRAGONFLY = {"dragonfly": {"p": 2, "a": 4, "h": 2}}
DRAGONFLY_PLUS = {"dragonfly-plus": {"p": 4, "leaves": 4, "h": 4, "groups": 2}}
RING = {"torus": {"dimensions": [8]}}
MESH = {"mesh": {"dimensions": [8]}}
HYPER_X = {"hyper-x": {"dimensions": [4], "hosts_per_switch": 4}}

NEXT_GROUP = {"shift": {"by": 8}}
TORNADO = {"shift": {"by": 3}}


def described(topology, pattern, route, duration="600 us", load=None, hop_lanes="by-route"):
    """All hosts send as fast as they can, or at this load, with room for sixteen packets a lane."""
    arrivals = {"arrivals": {"poisson": {"load": load}}} if load else {}
    return scenario(
        topology,
        [{"from": "all", "pattern": pattern, **arrivals}],
        duration,
        delay="10 ns",
        links={"lanes": 6 if route == "par" else 4, "hop_lanes": hop_lanes},
        switches={"buffer": "16 KiB", "forwarding_delay": "10 ns"},
        scheme={"route": route},
        measure={"warm_up": "200 us"},
    )


def carried(topology, pattern, route, **how) -> float:
    """The rate of a host, as a share of its link."""
    result = run(described(topology, pattern, route, **how))
    hosts = len(set(column(result, "flows", "source").tolist()))
    # A packet of 1,000 bytes takes 1 us, and 400 us are measured.
    return column(result, "flows", "packets").sum() / (400 * hosts)


class Channels:
    """The channels of a network, and the paths along its routes."""

    def __init__(self, topology):
        from congestree.runs import running

        network = running.network(described(topology, "uniform", "none"))
        self.hosts, self.routes = network["hosts"], network["routes"]
        self.peer, self.home = {}, {}
        for link in network["links"]:
            for a, b in (("a", "b"), ("b", "a")):
                self.peer[link[a], link[f"port_{a}"]] = link[b]
        for host in self.hosts:
            self.home[host] = self.peer[host, 1]

    @cache  # noqa: B019
    def path(self, switch, host) -> tuple:
        """The channels from a switch to a host."""
        taken, at = [], switch
        while at != host:
            port = self.routes[at][self.hosts.index(host)]
            taken.append((at, port))
            at = self.peer[at, port]
        return tuple(taken)

    def loads(self, pairs, round_by) -> float:
        """The load of the busiest channel if every host sends one unit, spread over its pairs."""
        load, each = {}, len(self.hosts) / len(pairs)
        for source, target in pairs:
            here, home = self.home[source], self.home[target]
            for between in self.hosts if round_by else [source]:
                part = each / (len(self.hosts) if round_by else 1)
                middle = self.home[between]
                if middle in (here, home):
                    way = self.path(here, target)
                else:
                    way = self.path(here, between)[:-1] + self.path(middle, target)
                for channel in way:
                    load[channel] = load.get(channel, 0) + part
        return max(load.values())


@cache
def bound(name, by, valiant) -> float:
    """What every host may send at most; `by` is a shift, 0 for uniform."""
    channels = Channels(NETWORKS[name])
    count = len(channels.hosts)
    if by:
        pairs = [(h, channels.hosts[(i + by) % count]) for i, h in enumerate(channels.hosts)]
    else:
        pairs = [(a, b) for a, b in product(channels.hosts, repeat=2) if a != b]
    return min(1.0, 1 / channels.loads(pairs, valiant))


NETWORKS = {
    "dragonfly": DRAGONFLY,
    "dragonfly+": DRAGONFLY_PLUS,
    "ring": RING,
    "mesh": MESH,
    "hyper-x": HYPER_X,
}
# Network, shift (0: uniform), Valiant or not, the value of the formula, and the tolerance.
FORMULAS = [
    ("dragonfly", 8, False, 1 / 8, 0.001),
    ("dragonfly", 8, True, 1 / 2, 0.1),
    ("dragonfly", 0, False, 1, 0.03),
    ("dragonfly", 0, True, 1 / 2, 0.1),
    ("dragonfly+", 16, False, 1, 0.001),
    ("dragonfly+", 0, False, 1, 0.001),
    ("ring", 3, False, 1 / 3, 0.001),
    ("ring", 3, True, 4 / 8, 0.1),
    # No host sends to itself: n - 1 others for n.
    ("ring", 0, False, 8 / 8 * 7 / 8, 0.001),
    ("mesh", 0, False, 4 / 8 * 7 / 8, 0.001),
    ("hyper-x", 0, False, 4 / 4 * 15 / 16, 0.001),
    ("hyper-x", 4, False, 1 / 4, 0.001),
    ("hyper-x", 4, True, 4 / 8, 0.1),
]


@pytest.mark.parametrize(("name", "by", "valiant", "formula", "within"), FORMULAS)
def test_the_busiest_channel_is_as_busy_as_the_formula_says(name, by, valiant, formula, within):
    assert bound(name, by, valiant) == pytest.approx(formula, rel=within)


@pytest.mark.parametrize(("name", "by", "valiant"), [row[:3] for row in FORMULAS if row[0] != "ring"])
def test_a_network_carries_what_its_busiest_channel_allows(name, by, valiant):
    pattern = {"shift": {"by": by}} if by else "uniform"
    most = bound(name, by, valiant)
    found = carried(NETWORKS[name], pattern, "valiant" if valiant else "none")
    assert 0.85 * most <= found <= 1.01 * most


IDEAL = {"ugal": {"knows": "global"}}


@pytest.mark.parametrize("route", ["ugal", IDEAL], ids=["local", "global"])
@pytest.mark.parametrize(("name", "by"), [("dragonfly", 8), ("hyper-x", 4)])
def test_ugal_goes_round_where_the_direct_way_is_full(name, by, route):
    found = carried(NETWORKS[name], {"shift": {"by": by}}, route)
    assert found >= 0.8 * bound(name, by, True)
    assert found >= 1.2 * bound(name, by, False)


def test_par_goes_round_where_the_direct_way_is_full_and_knows_it_sooner_than_ugal():
    """The full link is that of another switch of the group: UGAL-L learns of it when buffers are full, PAR sees it."""
    found = {route: carried(DRAGONFLY, NEXT_GROUP, route) for route in ("ugal", "par")}
    assert found["par"] >= 0.8 * bound("dragonfly", 8, True)
    assert found["par"] >= 2.5 * bound("dragonfly", 8, False)
    assert found["par"] >= found["ugal"]


@pytest.mark.parametrize(
    ("by", "route", "valiant"), [(3, "none", False), (3, "valiant", True), (3, "ugal", True), (0, "none", False)]
)
def test_a_ring_carries_nine_tenths_of_its_bound_if_asked_for_it(by, route, valiant):
    load = 0.9 * bound("ring", by, valiant)
    pattern = {"shift": {"by": by}} if by else "uniform"
    assert carried(RING, pattern, route, load=load) == pytest.approx(load, rel=0.05)


def test_an_overloaded_ring_needs_a_lane_for_each_hop_to_be_fair():
    most = bound("ring", 3, False)
    assert carried(RING, TORNADO, "none") < 0.6 * most
    assert carried(RING, TORNADO, "none", hop_lanes="by-hop") >= 0.95 * most


@pytest.mark.parametrize("route", ["ugal", IDEAL, "par"], ids=["local", "global", "par"])
def test_ugal_goes_directly_where_it_can(route):
    assert carried(DRAGONFLY, "uniform", route) >= 0.85 * bound("dragonfly", 0, False)


def test_of_all_ways_the_direct_one_is_taken_when_nothing_waits():
    """One packet at a time: UGAL and PAR never go round, Valiant nearly always does."""
    traffic = [{"from": "h0", "to": "h71", "arrivals": {"messages": {"count": 50, "every": "20 us"}}}]
    times = {}
    for route in ("none", "ugal", "par", "valiant"):
        one = {**described(DRAGONFLY, "uniform", route, "1200 us"), "traffic": traffic}
        one["measure"] = {"duration": "1200 us", "probes": ["deliveries"]}
        result = run(one)
        times[route] = (column(result, "deliveries", "time_ps") - column(result, "deliveries", "injected_ps")).tolist()
    assert len(times["none"]) == 50 and times["par"] == times["ugal"] == times["none"]
    assert sum(a > b for a, b in zip(times["valiant"], times["none"], strict=True)) >= 40


def test_an_intermediate_switch_is_drawn_as_often_as_it_has_hosts():
    """Of five hosts C has one, and the first and last switch four: a fifth of the packets goes by C."""
    pairs = [("a1", "A"), ("a2", "A"), ("a3", "A"), ("b", "B"), ("c", "C"), ("A", "B"), ("B", "C"), ("C", "A")]
    graph = {
        "hosts": [a for a, _ in pairs[:5]],
        "switches": ["A", "B", "C"],
        "links": [{"a": a, "b": b} for a, b in pairs],
    }
    traffic = [{"from": "a1", "to": "b", "arrivals": {"poisson": {"load": 0.3}}}]
    links = {"lanes": 2, "hop_lanes": "by-hop"}
    result = run(scenario({"graph": graph}, traffic, "5 ms", links=links, scheme={"route": "valiant"}))
    names, packets = result.arrow("ports")["name"].to_pylist(), column(result, "ports", "packets").tolist()
    sent = dict(zip(names, packets, strict=True))
    count = sent["A->B"] + sent["A->C"]
    assert count > 1400
    assert sent["A->C"] / count == pytest.approx(1 / 5, abs=3 * (1 / 5 * 4 / 5 / count) ** 0.5)
