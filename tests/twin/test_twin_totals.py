"""Totals of flows, ports and whole runs that only some networks have are what the twin counts: losses, repairs, control
packets, marks, packets out of order, damaged and repeated frames, flows of one message.

By hand: `PYTHONPATH=. python tests/twin/test_twin_totals.py 0 500`.
"""

import json
import random
import sys
from collections import Counter

import pytest
from comparing import PARTS, SEEDS, check_tables, engine_rows, in_chunks
from random_checked import random_checked
from random_efl import random_efl
from random_faults import random_faults
from random_finite import random_finite
from random_flow_queues import random_flow_queues
from random_go_back import random_go_back
from random_irn import random_irn
from random_isolation import random_isolation
from random_losing import random_losing
from random_nscc import random_nscc
from random_pauses import random_pauses
from random_rccc import random_rccc
from random_regions import random_regions
from random_reno import random_reno
from random_staging import random_staging
from random_ways import random_ways
from reaching import around
from reference import Fabric
from reference.hosts.host import Host
from reference.hosts.message_flows import MessageFlows
from reference.hosts.receiving import Receiving
from reference.links.checked import Checked
from reference.links.link import Packet, Wire
from reference.links.pauses import Memory
from reference.quantities import span
from reference.switches.bounded import OutputQueue
from reference.switches.switch import Switch
from reference.transports.series import Work

DRAWS = [
    random_checked,
    random_efl,
    random_faults,
    random_finite,
    random_flow_queues,
    random_go_back,
    random_irn,
    random_isolation,
    random_losing,
    random_nscc,
    random_pauses,
    random_rccc,
    random_regions,
    random_reno,
    random_staging,
    random_ways,
]
CONTROL = ["acks", "nacks", "grants", "requests"]
OF_FLOWS = ["flows_started", "flows_finished", "dropped", "resent", "timeouts", *CONTROL, "reordered"]
OF_PORTS = ["marked", "dropped", "damaged", "replayed", "notices"]


class Watched:
    """What happens to flows and at ports, while a fabric runs. Ports have numbers: those of hosts first."""

    def __init__(self, fabric, monkeypatch):
        self.fabric, self.patch = fabric, monkeypatch
        wires = [wire for node in [*fabric.hosts, *fabric.switches] for wire in node.wires_out()]
        self.number = {id(wire): port for port, wire in enumerate(wires)}
        self.flows = {flow.number: Counter() for flow in fabric.flows}
        self.ports = {port: Counter() for port in self.number.values()}
        self.extent = Counter()  # by flow: the most by which the number of a late packet was too low
        self.highest, self.latest = {}, {}  # by flow: the highest number that has arrived, and the latest start
        self.at = None  # the output at which something is marked
        self.dropping = False
        self.heard = Counter()  # notices of set-aside queues, and of queues by flow
        self.hook()
        self.run()

    def run(self) -> None:
        """Up to the end; what transports have counted before the end of the warm-up does not count."""
        fabric, before = self.fabric, None
        while fabric.agenda and fabric.agenda[0][0] <= fabric.setup.duration:
            if before is None and fabric.agenda[0][0] > fabric.setup.warm_up:
                before = self.repairs()
            fabric.work_instant()
        now = self.repairs()
        for flow, counts in now.items():
            self.flows[flow].update(counts)
            self.flows[flow].subtract((now if before is None else before)[flow])

    def repairs(self) -> dict:
        """What sending ends of transports have counted, by flow."""
        senders = {flow.number: flow.sender for flow in self.fabric.flows if isinstance(flow.sender, Work)}
        columns = ("resent", "timeouts")
        return {flow: {column: sender.counts[column] for column in columns} for flow, sender in senders.items()}

    def hook(self) -> None:
        """Everything that is counted is noticed."""
        self.patch.setattr(Packet, "__setattr__", lambda packet, name, value: self.on_set(packet, name, value))
        for owner, name in (
            (MessageFlows, "begin"),
            (MessageFlows, "finished"),
            (OutputQueue, "admit"),
            (OutputQueue, "cut"),
            (Memory, "lose"),
            (Wire, "lose"),
            (Switch, "arrive"),
            (Switch, "drop_waiting"),
            (Switch, "take_out"),
            (Switch, "start"),
            (Host, "deliver"),
            (Host, "take_in"),
            (Switch, "hear_of_line"),
            (Host, "hear_of_line"),
            (Switch, "hear_of_queue"),
            (Host, "hear_of_queue"),
            (Switch, "hear_of_region"),
            (Receiving, "hear_answer"),
            (Receiving, "send_request"),
            (Checked, "fly"),
            (Checked, "replay"),
        ):
            around(self.patch, owner, name, getattr(self, f"on_{name}" + ("_wire" if owner is Wire else "")))

    def counts(self, of: dict, key, what: str, whole_run: bool = False) -> None:
        """One more; after the warm-up, unless it is of the whole run."""
        if whole_run or self.fabric.now > self.fabric.setup.warm_up:
            of[key][what] += 1

    def lost(self, packet, port: int) -> None:
        """A packet is lost at a port."""
        self.counts(self.ports, port, "dropped")
        if packet.is_data:
            self.counts(self.flows, packet.flow.number, "dropped")

    # ---- losses ----------------------------------------------------------------------------------------------------

    def on_arrive(self, inner, switch, stay) -> None:
        self.coming = stay.packet, self.number[id(switch.outputs[stay.output].wire)]
        inner(switch, stay)

    def on_deliver(self, inner, host, packet) -> None:
        self.coming = packet, self.number[id(host.upstream)]
        inner(host, packet)

    def on_lose(self, inner, memory, *place) -> None:
        self.lost(*self.coming)
        inner(memory, *place)

    def on_lose_wire(self, inner, wire, packet, lane) -> None:
        self.lost(packet, self.number[id(wire)])
        inner(wire, packet, lane)

    def on_admit(self, inner, queue, stay) -> bool:
        comes_whole = stay.packet.is_data
        joins = inner(queue, stay)
        if not joins and not (comes_whole and stay.packet.kind == "trimmed"):  # counted when it was cut
            self.lost(stay.packet, self.number[id(queue.output.wire)])
        return joins

    def on_cut(self, inner, queue, stay, trim) -> None:
        inner(queue, stay, trim)
        self.counts(self.ports, self.number[id(queue.output.wire)], "dropped")
        self.counts(self.flows, stay.packet.flow.number, "dropped")

    def on_drop_waiting(self, inner, switch, output) -> bool:
        self.dropping = True
        dropped = inner(switch, output)
        self.dropping = False
        return dropped

    def on_take_out(self, inner, switch, stay, output) -> None:
        if self.dropping:
            self.lost(stay.packet, self.number[id(output.wire)])
        inner(switch, stay, output)

    def on_fly(self, inner, checked, *frame) -> None:
        inner(checked, *frame)
        if checked.flight[-1] != ["whole"]:
            self.counts(self.ports, self.number[id(checked.wire)], "damaged", whole_run=True)

    def on_replay(self, inner, checked) -> None:
        inner(checked)
        self.counts(self.ports, self.number[id(checked.wire)], "replayed", whole_run=True)

    # ---- marks, flows, answers --------------------------------------------------------------------------------------

    def on_start(self, inner, switch, stay, output) -> None:
        self.at = output
        inner(switch, stay, output)
        self.at = None

    def on_set(self, packet, name: str, value) -> None:
        new = name == "marked" and value and not getattr(packet, "marked", False)
        if new and getattr(packet, "kind", None) == "data":
            output = self.at or self.where(packet)
            self.counts(self.ports, self.number[id(output.wire)], "marked")
        object.__setattr__(packet, name, value)

    def where(self, packet):
        """The output for which a packet waits."""
        stays = (
            (switch, stay) for switch in self.fabric.switches for entry in switch.inputs for stay in entry.waiting()
        )
        return next(switch.outputs[stay.output] for switch, stay in stays if stay.packet is packet)

    def on_begin(self, inner, flows, *message) -> None:
        self.counts(self.flows, flows.source.pairs[0].number, "flows_started", whole_run=True)
        inner(flows, *message)

    def on_finished(self, inner, flows, flow, at) -> None:
        self.counts(self.flows, flow.number, "flows_finished", whole_run=True)
        inner(flows, flow, at)

    def on_take_in(self, inner, host, packet) -> None:
        flow, number = packet.flow, packet.sequence
        if packet.is_data:
            highest, latest = self.highest.get(flow, -1), self.latest.get(flow, 0)
            if packet.injected < latest:
                self.counts(self.flows, flow.number, "reordered", whole_run=True)
                self.extent[flow.number] = max(self.extent[flow.number], highest - number)
            self.highest[flow], self.latest[flow] = max(highest, number), max(latest, packet.injected)
        inner(host, packet)

    def on_hear_answer(self, inner, host, answer) -> None:
        kinds = {"ack": "acks", "nack": "nacks", "grant": "grants"}
        behind = answer.kind == "ack" and not answer.header.received and answer.header.cause > answer.header.number
        irn = type(answer.flow.sender).__name__ == "IrnSender"
        self.counts(self.flows, answer.flow.number, "nacks" if irn and behind else kinds[answer.kind])
        inner(host, answer)

    def on_send_request(self, inner, host, flow, header) -> None:
        self.counts(self.flows, flow.number, "requests")
        inner(host, flow, header)

    # ---- notices ----------------------------------------------------------------------------------------------------

    def on_hear_of_line(self, inner, node, *notice) -> None:
        self.heard["notices_heard"] += 1
        inner(node, *notice)

    def on_hear_of_queue(self, inner, node, *notice) -> None:
        self.heard["flow_notices_heard"] += 1
        inner(node, *notice)

    def on_hear_of_region(self, inner, switch, port: int, *notice) -> None:
        wire = switch.outputs[port].wire
        self.counts(self.ports, self.number[id(wire)], "notices", whole_run=True)
        inner(switch, port, *notice)

    def summary(self) -> dict:
        """What parts of the twin have counted of the whole run."""
        fabric = self.fabric
        lines = [entry.aside.counts for switch in fabric.switches for entry in switch.inputs if entry.aside]
        lines += [host.staging.lines.counts for host in fabric.hosts if host.staging and host.staging.lines]
        queues = [out.by_flow.counts for switch in fabric.switches for out in switch.outputs if out.by_flow]
        aside = {"set_aside": "aside", "queues_exhausted": "lacking"}
        aside |= {f"notices_{what}": what for what in ("allocate", "stop", "go", "release")}
        by_flow = {"flow_queues_given": "given", "flow_queues_shared": "shared", "flow_packets_charged": "charged"}
        by_flow |= {"flow_stops": "stops", "flow_gos": "gos"}
        found = {name: sum(counts[count] for counts in lines) for name, count in aside.items()}
        found |= {name: sum(counts[count] for counts in queues) for name, count in by_flow.items()}
        found |= {name: self.heard[name] for name in ("notices_heard", "flow_notices_heard")}
        return found | {"on_the_wire": fabric.faults.lost, "discarded": fabric.faults.discarded}


def counting(seed: int) -> dict:
    """A scenario with a warm-up that ends between two instants, as good as certainly."""
    scenario = DRAWS[seed % len(DRAWS)](seed)
    rng, end = random.Random(f"totals {seed}"), span(scenario["measure"]["duration"])
    warm_up = rng.choice([0, rng.randrange(end // 2) | 1])
    return scenario | {"measure": scenario["measure"] | {"probes": [], "warm_up": f"{warm_up} ps"}}


def check(scenario: dict, parts: int, monkeypatch) -> int:
    """The two agree; returns how many totals are not zero."""
    with monkeypatch.context() as patches:
        seen = Watched(Fabric(json.loads(json.dumps(scenario))), patches)
    told = 0
    for tables in (engine_rows(scenario), engine_rows(scenario, parts=parts)):
        summary = {row["name"]: row["value"] for row in tables["summary"]}
        for table, key, columns, found in (
            ("flows", "flow", OF_FLOWS, seen.flows),
            ("ports", "port", OF_PORTS, seen.ports),
        ):
            for column in [column for column in columns if column in tables[table][0]]:
                said = {row[key]: row[column] for row in tables[table]}
                counted = {of: found[of][column] for of in said}
                assert said == counted, f"{table} {column}: {differing(said, counted)}"
                told += sum(map(bool, said.values()))
                if table == "flows" or column in ("damaged", "replayed"):
                    assert summary.get(column, sum(said.values())) == sum(said.values()), column
        for name, count in seen.summary().items():
            assert summary.get(name, count) == count, f"{name}: {summary[name]}, and should be {count}"
            told += name in summary and count > 0
        for row in tables["flows"]:
            assert row.get("reorder_extent", seen.extent[row["flow"]]) == seen.extent[row["flow"]], row
    return told


def differing(said: dict, counted: dict) -> dict:
    """What is not the same: what the engine says, and what the twin counts."""
    return {of: (value, counted[of]) for of, value in said.items() if value != counted[of]}


@in_chunks(SEEDS // 4)
def test_totals_are_what_the_twin_counts(seeds, monkeypatch):
    check_tables(counting, seeds, lambda scenario, seed: check(scenario, PARTS[seed % 3], monkeypatch))


if __name__ == "__main__":
    for number in range(*map(int, sys.argv[1:3])):
        with pytest.MonkeyPatch.context() as patch:
            check(counting(number), PARTS[number % 3], patch)
