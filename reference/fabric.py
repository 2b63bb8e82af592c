"""The clock: what is done at an instant, and in which order.

An instant is processed in a fixed order, so that a run is unambiguous. First everything that *happens* at this
instant, in the order of the ranks (`link`) and then by id; then, at every node to which something happened, everything
that can start *does* start. Starting a packet changes nothing else at the same instant (forwarding and propagation
take time), so one round of decisions is enough.
"""

import heapq
from types import SimpleNamespace

from reference import scenario as reader
from reference.hosts.host import Host
from reference.hosts.traffic import make_sources
from reference.links.checked import Checked
from reference.links.credit_messages import CreditTeller
from reference.links.faults import Faults
from reference.links.hop_lanes import HopLanes
from reference.links.link import Wire
from reference.links.pauses import Loss
from reference.network import topology
from reference.switches.detours import Detours
from reference.switches.queues import Room
from reference.switches.switch import Switch
from reference.switches.ways import Ways


class Fabric:
    """A whole network and its clock."""

    def __init__(self, scenario: dict):
        scenario = topology.with_file(scenario)
        self.graph = graph = topology.build(scenario)
        self.setup = reader.read(scenario, graph)
        self.routes = topology.route(scenario, graph)
        self.hop_lanes = HopLanes(scenario, graph)
        self.detours = Detours(scenario, self)
        self.now = 0
        self.decides = False  # all events of this instant have happened: now packets start
        self.agenda = []
        self.scheduled = 0
        self.deliveries = []  # (flow, sequence, time ps, marked, injected ps), in the order of delivery
        self.hosts = [Host(self, h) for h in range(len(graph.hosts))]
        self.switches = [Switch(self, s) for s in range(len(graph.switches))]
        self.wires = []
        for link in graph.links:
            there = self.connect(link.a, link.b, link.rate_ab, link.delay_ab)
            there.back = self.connect(link.b, link.a, link.rate_ba, link.delay_ba)
            there.back.back = there
        for kind, nodes in (("host", self.hosts), ("switch", self.switches)):
            for id_, node in enumerate(nodes):
                for _, number in graph.ports((kind, id_)):
                    there, back = self.wires[2 * number : 2 * number + 2]
                    own = there.sender is node
                    node.add_port(out=there if own else back, back=back if own else there)
        setup = self.setup
        talks = (setup.pfc, setup.checks, setup.messages, setup.flow_queues, setup.isolation, setup.regions)
        self.neighbours_talk = any(rule is not None for rule in talks)  # otherwise no wire ever has frames
        if self.setup.checks is not None:
            self.check_frames()
        if self.setup.messages is not None:
            for wire in self.wires:
                wire.teller = CreditTeller(wire)
        self.ways = Ways(scenario, self)
        self.faults = Faults(scenario, self)
        if self.setup.pfc is not None:
            for node in [*self.hosts, *self.switches]:
                node.make_memory()  # whose headroom depends on the lowest rates of links
        self.flows = []
        self.jobs = []
        self.begun = 0  # flows of one message that have begun
        self.finished = []  # those that have finished: (number of source, host, made ps, finished ps, packets, marked)
        self.losses: list[Loss] = []  # packets that found no room in lossless lanes
        self.sources = make_sources(self)
        if getattr(self.setup.transport, "rccc", None) is not None:
            for host in self.hosts:
                towards = [flow.source.host.number for flow in self.flows if flow.destination == host.number]
                host.granter = self.setup.transport.granter(host, towards)

    def check_frames(self) -> None:
        """Every wire checks frames; random streams are numbered by the sending port: those of hosts come first."""
        number = 0
        for node in [*self.hosts, *self.switches]:
            for wire in node.wires_out():
                wire.checked = Checked(wire, number)
                number += 1

    def node(self, node: topology.Node):
        """The host or switch of a node of the graph."""
        return (self.hosts if node[0] == "host" else self.switches)[node[1]]

    def connect(self, a: topology.Node, b: topology.Node, rate: int, delay: int) -> Wire:
        """The wire from a to b, with as many credits as there is room for at b."""
        if self.setup.pfc is not None or self.setup.lossy:
            room = [Room(float("inf")) for _ in range(self.setup.lanes)]
        elif b[0] == "switch":
            ports = len(self.graph.ports(b))
            room = [Room(*self.setup.organisation.rooms(units, ports)) for units in self.setup.buffer_units]
        else:
            units = self.setup.receive_units
            room = [Room(float("inf") if units is None else units) for _ in range(self.setup.lanes)]
        wire = Wire(self, f"{self.graph.name(a)}->{self.graph.name(b)}", rate, delay, room)
        wire.sender, wire.receiver = self.node(a), self.node(b)
        self.wires.append(wire)
        return wire

    def at(self, time: int, rank: int, number: int, node, action, *arguments) -> None:
        """Let something happen later (or now, if this instant's turn for it has not passed)."""
        assert time >= self.now, "an event in the past"
        self.scheduled += 1
        heapq.heappush(self.agenda, (time, rank, number, self.scheduled, node, action, arguments))

    def work_instant(self) -> None:
        """Work the next instant at which anything happens."""
        self.now = self.agenda[0][0]
        touched = {}
        while self.agenda and self.agenda[0][0] == self.now:
            *_, node, action, arguments = heapq.heappop(self.agenda)
            action(*arguments)
            touched[node] = True
        self.decides = True
        for node in touched:
            node.decide()
        self.decides = False
        for node in touched if self.neighbours_talk else ():
            for memory in node.memories():
                memory.end_pauses()
            for wire in node.wires_out():
                wire.send_late_frames()

    def job_over(self) -> None:
        """A job has finished; with the last one the run may be over."""
        if self.setup.until_jobs_end and all(job.finished is not None for job in self.jobs):
            self.setup.duration = self.now

    def run(self) -> None:
        """Work every instant up to the end, the end included."""
        while self.agenda and self.agenda[0][0] <= self.setup.duration:
            self.work_instant()
        self.now = self.setup.duration
        for wire in self.wires:
            wire.note_blocked(False)


def run(scenario: dict) -> SimpleNamespace:
    """Run a scenario and return its results.

    `deliveries`: (flow, sequence, time ps, marked, injected ps) of every data packet; `ports`: for every direction of
    every link its name "from->to", the packets it carried, and the picoseconds after the warm-up for which its sender
    was blocked; `flows` and `fabric` for a closer look.
    """
    fabric = Fabric(scenario)
    fabric.run()
    return SimpleNamespace(
        fabric=fabric,
        duration=fabric.setup.duration,
        deliveries=fabric.deliveries,
        flows=fabric.flows,
        ports=[(wire.name, wire.packets, wire.blocked_time) for wire in fabric.wires],
    )
