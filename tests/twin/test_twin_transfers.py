"""The table `transfers` has the messages that the twin's transports carry: made, begun, complete, sent again.

By hand: `PYTHONPATH=. python tests/twin/test_twin_transfers.py 0 500`.
"""

import json
import sys
from collections import defaultdict
from itertools import count

import pytest
from comparing import PARTS, SEEDS, check_tables, engine_rows, in_chunks
from random_efl import random_efl
from random_go_back import random_go_back
from random_irn import random_irn
from random_nscc import random_nscc
from random_reno import random_reno
from reaching import around
from reference import Fabric
from reference.hosts.host import Host
from reference.transports.new_reno import RenoSender
from reference.transports.series import Patient, Work
from reference.transports.ultra.sender import Sender

DRAWS = [random_go_back, random_irn, random_efl, random_reno, random_nscc]


class Watched:
    """The messages of transports, while a fabric runs."""

    def __init__(self, fabric, monkeypatch):
        self.fabric = fabric
        self.groups = defaultdict(list)  # by flow: its messages so far
        self.arrived = defaultdict(set)  # by flow: packets of use
        self.rows = []
        hooks = [
            (Work, "refill", self.on_refill),
            (Host, "start", self.on_start),
            (Host, "count", self.on_count),
            *((sender, "run_out", self.on_time_out) for sender in (Patient, RenoSender, Sender)),
        ]
        for owner, name, hook in hooks:
            around(monkeypatch, owner, name, hook)
        fabric.run()

    def on_refill(self, inner, sender):
        flow, end = sender.flow, sender.end
        message = flow.queue[0][2] if flow.queue else None
        inner(sender)
        if sender.end > end and not flow.source.endless:
            header = flow.source.setup.header
            group = {"flow": flow.number, "number": len(self.groups[flow]) + 1, "created": message.made}
            group["bytes"] = sum(size - header for size in sender.sizes[end:])
            self.groups[flow].append(group | {"numbers": range(end, sender.end), "resent": 0, "timeouts": 0})

    def group_of(self, flow, sequence: int) -> dict:
        """The message of a packet; something else if the flow has none."""
        return next(
            (group for group in self.groups[flow] if sequence in group["numbers"]), {"resent": 0, "timeouts": 0}
        )

    def on_start(self, inner, host, packet, flow):
        if flow.sender is not None:
            group, again = self.group_of(flow, packet.sequence), packet.sequence < flow.sender.top
            group["resent"] += again
            group.setdefault("started", self.fabric.now)
        inner(host, packet, flow)

    def on_time_out(self, inner, sender):
        oldest, before = sender.first, sender.counts["timeouts"]
        inner(sender)
        self.group_of(sender.flow, oldest)["timeouts"] += sender.counts["timeouts"] - before

    def on_count(self, inner, host, packet):
        inner(host, packet)
        flow, arrived = packet.flow, self.arrived[packet.flow]
        before = first_missing(arrived)
        arrived.add(packet.sequence)
        for group in self.groups[flow]:
            if flow.receiver.ordered:
                complete = before < group["numbers"].stop <= first_missing(arrived)
            else:
                complete = packet.sequence in group["numbers"] and arrived.issuperset(group["numbers"])
            if complete:
                row = {what: value for what, value in group.items() if what != "numbers"}
                self.rows.append(row | {"finished": self.fabric.now})


def first_missing(numbers: set[int]) -> int:
    """The first number from 0 on that is not there."""
    return next(number for number in count() if number not in numbers)


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


def test_messages_of_a_flow_overlap_in_random_scenarios(monkeypatch):
    """Somewhere a packet is sent again when the next message of its flow has begun, and a message is complete then."""
    reached = set()

    def on_start(inner, host, packet, flow):
        sender = flow.sender
        if sender is not None and len(sender.lasts) > 1 and packet.sequence <= sender.lasts[0]:
            reached.add(type(sender).__name__)
        inner(host, packet, flow)

    around(monkeypatch, Host, "start", on_start)
    for seed in range(SEEDS):
        Fabric(with_transfers(seed)).run()
        if reached == {"GoBackSender", "IrnSender", "Sender"}:
            return
    raise AssertionError(reached)


if __name__ == "__main__":
    for number in range(*map(int, sys.argv[1:3])):
        with pytest.MonkeyPatch.context() as patch:
            check(with_transfers(number), PARTS[number % len(PARTS)], patch)
