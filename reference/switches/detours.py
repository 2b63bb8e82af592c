"""Packets that make a detour by another switch: Valiant's routing and UGAL.

When a packet that comes from a host can be forwarded, its switch draws hosts; the packet may go by the switch of one
of them. Until it is there it is addressed to that host; from there it continues as if that host had sent it: where
lanes have phases, in a lane of the next phase. Both halves follow the fixed routes.

Valiant always makes a detour. UGAL does if (waiting * links) of the direct path is more than that of the detour, plus
a threshold; `waiting` is the number of bytes that wait for the first output, `links` the number of links between
switches (UGAL-L). The ideal version knows what waits for every output of a path, and compares the sums (UGAL-G).

PAR, on a dragonfly, starts as UGAL-L. For a packet on the direct path the choice is made again at its second switch,
if that is still in the group of the source and the packet has to leave the group: it may make a detour from there, as
if a host there had sent it.
"""

from reference.network import regular
from reference.quantities import choice, size
from reference.rng import Rng


class Detours:
    """Which packets make a detour, and by which switch."""

    def __init__(self, raw: dict, fabric):
        name, given = choice((raw.get("scheme") or {}).get("route") or "none")
        self.name = name if name in ("valiant", "ugal", "par") else None
        self.candidates = given.get("candidates", 1)
        self.threshold = size(given.get("threshold") or "0 B")
        self.knows_all = given.get("knows") == "global"
        self.fabric = fabric
        graph = fabric.graph
        self.hosts = len(graph.hosts)
        self.home = {}
        for switch in range(len(graph.switches)):
            for neighbour, _ in graph.ports(("switch", switch)):
                if neighbour[0] == "host":
                    self.home[neighbour[1]] = switch
        self.gone: frozenset = frozenset()  # links that tables leave out
        self.rng = [Rng(raw.get("seed", 1), "ways", switch) for switch in range(len(graph.switches))]
        by_route = raw["links"].get("hop_lanes") == "by-route"
        self.phase = regular.lanes(*graph.regular) if by_route and graph.regular else None

    def choose(self, switch, stay) -> None:
        """The next hop of a packet that can be forwarded at a switch from now on."""
        packet, here = stay.packet, switch.number
        came_by, lane = stay.input, stay.came_in
        sender = switch.inputs[stay.input].upstream.sender
        if sender in self.fabric.hosts:
            if (between := self.drawn(switch, packet.destination)) is not None:
                packet.bound, packet.destination = packet.destination, between
            packet.open = self.name == "par" and packet.bound is None
        elif packet.open:
            packet.open = False
            mine, target = self.group(here), self.group(self.home[packet.destination])
            if self.group(sender.number) == mine != target:
                between = self.drawn(switch, packet.destination)
                if between is not None:
                    packet.bound, packet.destination = packet.destination, between
                    if self.phase:
                        came_by = next(o.port for o in switch.outputs if o.wire.receiver in self.fabric.hosts)
                        lane = (lane // self.phase + 1) * self.phase
        elif packet.bound is not None and self.home[packet.destination] == here:
            if self.phase:
                came_by = self.fabric.routes[here][packet.destination]
                lane = (lane // self.phase + 1) * self.phase
            packet.bound, packet.destination = None, packet.bound
        stay.output = self.fabric.routes[here][packet.destination]
        stay.lane = self.fabric.hop_lanes.next(here, came_by, stay.output, lane, packet.flow.service)

    def group(self, switch: int) -> int:
        """The group of a switch of a dragonfly."""
        return regular.place_of(self.fabric.graph, switch)[1][0]

    def drawn(self, switch, destination: int) -> int | None:
        """The host by whose switch a packet makes its detour; None if it takes the direct path."""
        here, home = switch.number, self.home[destination]
        if here == home:
            return None
        found = []
        for _ in range(self.candidates):
            between = min(int(self.rng[here].unit() * self.hosts), self.hosts - 1)
            if self.home[between] not in (here, home) and self.reaches(here, self.home[between]):
                found.append((self.cost((here, between), (self.home[between], destination)), between))
        if not found:
            return None
        cost, between = min(found, key=lambda way: way[0])
        direct = self.cost((here, destination))
        return between if self.name == "valiant" or direct > cost + self.threshold else None

    def without(self, gone: frozenset) -> None:
        """The tables of all switches are those without some links now."""
        self.gone = gone

    def reaches(self, switch: int, other: int) -> bool:
        """Whether the tables have a path from a switch to another."""
        found, edge = {switch}, [switch]
        while self.gone and edge:
            ports = self.fabric.graph.ports(("switch", edge.pop()))
            ends = {end for (kind, end), link in ports if kind == "switch" and link not in self.gone}
            edge += ends - found
            found |= ends
        return not self.gone or other in found

    def cost(self, *parts) -> int:
        """The cost of a path of one or two parts, each from a switch to that of a host."""
        waiting = [bytes for switch, host in parts for bytes in self.along(switch, host)]
        return sum(waiting) if self.knows_all else len(waiting) * waiting[0]

    def along(self, switch: int, host: int):
        """Bytes that wait for each output between switches, on the path from a switch to that of a host."""
        while switch != self.home[host]:
            at, local = self.fabric.switches[switch], self.fabric.routes[switch][host]
            yield sum(at.queued(at.outputs[local], lane) for lane in range(self.fabric.setup.lanes))
            (_, switch), _ = self.fabric.graph.ports(("switch", switch))[local]
