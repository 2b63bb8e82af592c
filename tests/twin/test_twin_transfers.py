"""The table `transfers` has the messages that the twin's transports carry: made, begun, complete, sent again.

By hand: `PYTHONPATH=. python tests/twin/test_twin_transfers.py 0 500`.
"""

import json
import sys
from collections import defaultdict

import pytest
from comparing import PARTS, SEEDS, check_tables, engine_rows, in_chunks
from random_efl import random_efl
from random_go_back import random_go_back
from random_irn import random_irn
from random_nscc import random_nscc
from random_reno import random_reno
from reference import Fabric
from reference.hosts.host import Host
from reference.hosts.posting import Posting
from reference.transports.series import Work

DRAWS = [random_go_back, random_irn, random_efl, random_reno, random_nscc]


class Watched:
    """The messages of transports, while a fabric runs."""

    def __init__(self, fabric, monkeypatch):
        self.fabric = fabric
        self.made = {}  # by message: when
        self.groups = {}  # by flow: the message under way
        self.numbers = defaultdict(int)  # by flow: messages so far
        self.counted = defaultdict(int)  # by flow: packets of use that have arrived
        self.rows = []
        for owner, name, hook in (
            (Posting, "made", self.on_made),
            (Work, "refill", self.on_refill),
            (Host, "start", self.on_start),
            (Host, "count", self.on_count),
        ):
            inner = getattr(owner, name)
            monkeypatch.setattr(owner, name, lambda *args, inner=inner, hook=hook: hook(inner, *args))
        fabric.run()

    def on_made(self, inner, posting, message):
        self.made[message] = self.fabric.now
        inner(posting, message)

    def on_refill(self, inner, sender):
        flow, end = sender.flow, sender.end
        message = flow.queue[0][2] if flow.queue else None
        before = dict(sender.counts)
        inner(sender)
        if sender.end > end and not flow.source.endless:
            self.numbers[flow] += 1
            header = flow.source.setup.header
            group = {"flow": flow.number, "number": self.numbers[flow], "created": self.made[message]}
            group["bytes"] = sum(size - header for size in sender.sizes[end:])
            self.groups[flow] = group | {"first": end, "before": before}

    def on_start(self, inner, host, packet, flow):
        group = self.groups.get(flow)
        if group is not None and packet.sequence == group["first"]:
            group.setdefault("started", self.fabric.now)
        inner(host, packet, flow)

    def on_count(self, inner, host, packet):
        inner(host, packet)
        flow = packet.flow
        self.counted[flow] += 1
        if flow in self.groups and self.counted[flow] == flow.sender.end:
            group = dict(self.groups[flow])
            before, now = group.pop("before"), flow.sender.counts
            del group["first"]
            group |= {what: now[what] - before[what] for what in ("resent", "timeouts")}
            self.rows.append(group | {"finished": self.fabric.now})


def with_transfers(seed: int) -> dict:
    """A scenario with a transport, and this table."""
    scenario = DRAWS[seed % len(DRAWS)](seed)
    return scenario | {"measure": scenario["measure"] | {"probes": ["transfers"], "warm_up": "0 ns"}}


def check(scenario: dict, parts: int, monkeypatch) -> int:
    """The two agree; returns how many rows they have."""
    with monkeypatch.context() as patches:
        rows = Watched(Fabric(json.loads(json.dumps(scenario))), patches).rows
    for tables in (engine_rows(scenario), engine_rows(scenario, parts=parts)):
        said = [{column: in_ps(row[column]) for column in row if column != "class"} for row in tables["transfers"]]
        assert sorted(said, key=order) == sorted(rows, key=order)
    return len(rows)


def order(row: dict) -> tuple:
    return row["flow"], row["number"]


def in_ps(value):
    """A time of a table in ps; other values stay."""
    return round(value * 1e12) if isinstance(value, float) else value


@in_chunks(SEEDS // 4)
def test_messages_of_transports_are_those_of_the_twin(seeds, monkeypatch):
    check_tables(with_transfers, seeds, lambda scenario, seed: check(scenario, PARTS[seed % len(PARTS)], monkeypatch))


if __name__ == "__main__":
    for number in range(*map(int, sys.argv[1:3])):
        with pytest.MonkeyPatch.context() as patch:
            check(with_transfers(number), PARTS[number % len(PARTS)], patch)
