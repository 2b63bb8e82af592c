"""The table `injection_audit` counts what the twin's hosts take from their flows: in spite of stops, and too early.

By hand: `PYTHONPATH=. python tests/twin/test_twin_injection.py 0 500`.
"""

import json
import sys
from collections import Counter, defaultdict

import pytest
from comparing import PARTS, SEEDS, check_tables, engine_rows, in_chunks
from marking_again import limit_of
from random_dcqcn import random_dcqcn
from random_finite import random_finite
from random_isolation import random_isolation
from random_reactions import random_reactions
from random_scenarios import random_scenario
from random_staging import random_staging
from reference import Fabric
from reference.hosts.host import Host
from reference.quantities import time_for

DRAWS = [random_isolation, random_staging, random_scenario, random_finite, random_dcqcn, random_reactions]
ROUNDING = 2  # ps


class Watched:
    """What hosts take from their flows, while a fabric runs."""

    def __init__(self, fabric, monkeypatch):
        self.counts = defaultdict(Counter)  # by host
        self.before = {}  # by flow, or by what limits its rate: when the last packet was taken, its time, the rate
        start = Host.start
        monkeypatch.setattr(Host, "start", lambda *args: (self.on_start(*args), start(*args)))
        fabric.run()

    def on_start(self, host, packet, flow) -> None:
        """A packet is taken."""
        now, counts = host.fabric.now, self.counts[host.fabric.graph.hosts[host.number]]
        counts["packets"] += 1
        counts["listed"] += bool(host.known.listing(packet.destination))
        counts["stopped"] += host.known.stops(packet.destination)
        limited = limit_of(flow) > 1.0
        counts["throttled"] += limited
        pacer = (flow.throttle,) if flow.shares_its_throttle() else (flow, flow.epoch)
        if pacer in self.before and limited:
            at, time, rate = self.before[pacer]
            counts["early"] += now < at + gap(flow, time, rate) - ROUNDING
        self.before[pacer] = now, time_for(packet.size, host.wire.rate), host.wire.rate


def gap(flow, time: int, rate: int) -> int:
    """From the start of a packet that takes this long to the next, by the present limit."""
    if flow.throttle is not None:
        entry = flow.throttle.rule.table[flow.throttle.index]
        if isinstance(entry, tuple):
            return time + (time >> entry[0]) * entry[1]
        return time + entry * time // flow.source.host.full_time()
    if flow.dcqcn is not None:
        return 0 if flow.dcqcn.rate >= rate else int(time * (rate / flow.dcqcn.rate) + 0.5)
    if flow.reaction is not None:
        return flow.reaction.interval(time, rate)
    x = float(int(flow.x + 0.5)) if flow.source.setup.react.discrete else flow.x
    return int(x * time + 0.5)


def audited(seed: int) -> dict:
    """A scenario, and this table."""
    scenario = DRAWS[seed % len(DRAWS)](seed)
    return scenario | {"measure": scenario["measure"] | {"probes": ["injection-audit"]}}


def check(scenario: dict, parts: int, monkeypatch) -> int:
    """The two agree; returns how many packets they count."""
    with monkeypatch.context() as patches:
        seen = Watched(Fabric(json.loads(json.dumps(scenario))), patches).counts
    for tables in (engine_rows(scenario), engine_rows(scenario, parts=parts)):
        said = {row.pop("host"): row for row in tables["injection_audit"]}
        columns = "packets", "listed", "stopped", "throttled", "early"
        assert said == {host: {column: counts[column] for column in columns} for host, counts in seen.items()}
    return sum(counts["packets"] for counts in seen.values())


@in_chunks(SEEDS // 4)
def test_hosts_take_from_flows_what_the_twin_takes(seeds, monkeypatch):
    check_tables(audited, seeds, lambda scenario, seed: check(scenario, PARTS[seed % 3], monkeypatch))


if __name__ == "__main__":
    for number in range(*map(int, sys.argv[1:3])):
        with pytest.MonkeyPatch.context() as patch:
            check(audited(number), PARTS[number % 3], patch)
