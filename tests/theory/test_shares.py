"""Several steady sources of one host that want more than it can send.

A host whose bus carries half of what its sources have to send is always behind with all of them. Each gets its share
of the rates, whatever its destinations: one host, any host, or one that moves. All messages have one length, so how
many of them one source has is binomial.
"""

from math import sqrt

import pytest
from fabrics import run, scenario

HOSTS = 6
KINDS = {
    "fixed": {"to": "H2"},
    "uniform": {"pattern": "uniform"},
    "moving": {"pattern": {"moving": {"to": ["H3", "H4"], "every": "70 us"}}},
}
CONTROL = {"mark": {"fecn": {"threshold": 0}}, "notify": {"cnp": {}}, "react": {"cct": {}}}
"""Marks nothing, but gives a source with many destinations a flow for each of them."""


@pytest.mark.parametrize("control", [None, CONTROL], ids=["one flow", "a flow for each destination"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_host_divides_what_it_can_send_by_the_rates_of_its_sources(kind, control):
    def entry(name, gigabits, where):
        arrivals = {"steady": {"rate": f"{gigabits} Gbit/s"}}
        return {"name": name, "from": "H1", "arrivals": arrivals, "message": "1960 B"} | where

    described = scenario(
        {"single-switch": {"hosts": HOSTS}},
        [entry("small", 2.4, KINDS[kind]), entry("large", 5.6, {"pattern": "uniform"})],
        "8 ms",
        adapters={"injection_rate": "4 Gbit/s"},
        links={"flow_control": "byte-credits"},
        **({"scheme": control} if control else {}),
    )
    flows = run(described).arrow("flows")
    sent = {"small": 0, "large": 0}
    for label, packets in zip(flows["class"].to_pylist(), flows["packets"].to_pylist(), strict=True):
        sent[label] += packets
    messages = sum(sent.values()) / 2
    assert messages == pytest.approx(2000, abs=3)
    assert sent["small"] / 2 == pytest.approx(0.3 * messages, abs=4 * sqrt(0.3 * 0.7 * messages))
