"""Traffic is not affected by traffic elsewhere, by the start time of a run, or by what is measured.

Two islands have a link between them that carries no traffic. On one of them hosts send, under every scheme of the
gallery, with every kind of traffic; its packets arrive at the same picosecond whatever the other island does. A feature
that the traffic of one island needs is built into the engine: it must not change traffic that does not use it.

The duration and the probes of a run do not matter either. And if everything begins later, everything is later by the
same time. Events that depend on the clock of the run and not on other events (slots of a crossbar, receivers that move)
occur at multiples of a period: `LATER` is a multiple of all of these.
"""

import itertools

import pytest
from gallery.every_scheme.scenario import ACK, HEADER, LINKS, PACKET, lanes, memory
from gallery.every_scheme.schemes import CASES

import congestree

LATER = 3_668_000_000
"""In ps: of 167.68 ns, which a slot takes, and of 14 us, after which a receiver that moves is back."""
ISLANDS = {
    "graph": {
        "hosts": [f"{island}{host}" for island in "ab" for host in range(4)],
        "switches": ["A0", "A1", "B"],
        "links": [
            *({"a": "A0", "b": host} for host in ("a0", "a1")),
            *({"a": "A1", "b": host} for host in ("a2", "a3")),
            *({"a": "B", "b": f"b{host}"} for host in range(4)),
            {"a": "A0", "b": "A1"},
            {"a": "A1", "b": "B"},
        ],
    }
}
HERE = {"from": ["a0", "a1", "a3"], "to": "a2"}
ELSEWHERE = {"from": ["b1", "b2", "b3"], "to": "b0"}
ALL_TO_ALL = {"all-to-all": {"bytes": "200 kB"}}
MANY = {"message": "50 kB", "flows": "by-message", "arrivals": {"poisson": {"load": 0.3}}}
ON_OFF = {"on-off": {"on": "20 us", "off": "5 us"}}
SOME = {"message": "100 kB", "arrivals": {"messages": {"count": 5, "every": "20 us"}}}
MOVING = {"arrivals": {"steady": {"load": 0.4}}, "pattern": {"moving": {"to": ["a2", "a0"], "every": "7 us"}}}
KINDS = {
    "endless": [HERE],
    "steady": [HERE | {"message": "6 kB", "arrivals": {"steady": {"load": 0.45}}}],
    "some": [HERE | SOME],
    "on-off": [HERE | {"arrivals": ON_OFF}],
    "gaps": [HERE | {"message": "30 kB", "arrivals": {"gaps": {"mean": "10 us"}}}],
    "many": [HERE | MANY],
    "moving": [{"from": ["a1", "a3"], **MOVING}],
    "job": [{"from": ["a0", "a1", "a2", "a3"], "program": ALL_TO_ALL}],
}
OTHERS = [
    ELSEWHERE,
    ELSEWHERE | {"message": "10 kB", "arrivals": {"poisson": {"load": 0.5}}},
    ELSEWHERE | {"message": "30 kB", "arrivals": {"gaps": {"mean": "10 us"}}},
    ELSEWHERE | SOME,
    ELSEWHERE | MANY,
    {"from": ["b0", "b1", "b2", "b3"], "program": ALL_TO_ALL},
    {"from": "all", "arrivals": "injected"},
]


def on_islands(case, traffic):
    """150 us of this traffic, under a scheme; where links pause, ACKs of those who take them wait for each other."""
    links, scheme = CASES[case]
    more = scheme.get("telemetry", 0)
    adapters = {"mtu": f"{PACKET} B", "header": f"{HEADER + more} B", "ack": f"{ACK + more} B"}
    if links == "pfc" and "transport" not in scheme["scheme"] and scheme["scheme"].get("preset") != "irn":
        adapters["acks"] = {"every": 4, "flush": "3 us"}
    return {
        "name": case,
        "seed": 3,
        "topology": ISLANDS,
        "links": {"rate": "100 Gbit/s", "delay": "500 ns", **LINKS[links], **lanes(scheme)},
        "switches": {**memory(links, scheme), "forwarding_delay": "200 ns", **scheme.get("switches", {})},
        "adapters": adapters,
        "scheme": scheme["scheme"],
        "traffic": traffic,
        "measure": {"duration": "150 us", "probes": ["deliveries"]},
    }


def deliveries(scenario, before=0):
    """Every packet between hosts of the first island, with times counted from then on; None if there is no such run."""
    try:
        run = congestree.run(scenario)
    except congestree.ScenarioError:
        return None
    names = {row["flow"]: row["name"] for row in run.arrow("flows").to_pylist()}
    rows = [row for row in run.arrow("deliveries").to_pylist() if names[row["flow"]].startswith("a")]
    return sorted(
        (row["time_ps"] - before, row["injected_ps"] - before, names[row["flow"]], row["sequence"], row["marked"])
        for row in rows
    )


@pytest.mark.parametrize("case", CASES)
def test_what_goes_on_elsewhere_does_not_matter(case):
    compared = 0
    for kind, other in itertools.product(("endless", "many", "job"), OTHERS):
        alone = deliveries(on_islands(case, KINDS[kind]))
        beside = deliveries(on_islands(case, [*KINDS[kind], other]))
        if alone is not None and beside is not None:
            assert len(alone) > 100
            assert beside == alone, (kind, other)
            compared += 1
    assert compared >= 10


@pytest.mark.parametrize("case", CASES)
def test_how_one_looks_does_not_matter(case):
    """Longer, after a warm-up, with audits and deadlock searches all the time, and with samples every bin."""
    looks = {
        "duration": "230 us",
        "warm_up": "70 us",
        "bin": "3 us",
        "deadlock_timeout": "3 us",
        "audit": True,
        "probes": ["deliveries", "flows", "classes", "ports", "latency"],
    }
    for kind in ("endless", "steady", "job"):
        scenario = on_islands(case, KINDS[kind])
        otherwise = {**scenario, "measure": looks}
        found = deliveries(scenario)
        assert [row for row in deliveries(otherwise) if row[0] <= 150_000_000] == found, kind
        assert len(found) > 100


@pytest.mark.parametrize("case", CASES)
def test_when_a_run_begins_does_not_matter(case):
    compared = 0
    for kind, traffic in KINDS.items():
        scenario = on_islands(case, traffic)
        later = on_islands(case, [entry | {"start": f"{LATER} ps"} for entry in traffic])
        later["measure"]["duration"] = f"{LATER + 150_000_000} ps"
        found = deliveries(scenario)
        if found is not None:
            assert len(found) > 20
            assert deliveries(later, LATER) == found, kind
            compared += 1
    assert compared >= 6
