"""Switches that choose among all shortest ways, packet by packet: at random (`spray`), or where the fewest bytes wait
(`least-queue`; among equals where chance falls); or as a hash of the flow, its kind and its entropy says (`ecmp`)."""

from reference.network import topology
from reference.quantities import choice
from reference.rng import Rng, mix


class Ways:
    """All shortest ways, and how switches choose."""

    def __init__(self, raw: dict, fabric):
        name, parameters = choice((raw.get("scheme") or {}).get("route") or "none")
        self.name = name if name in ("spray", "least-queue", "ecmp") else None
        self.same_hash = parameters.get("same_hash", False)
        self.seed = raw.get("seed", 1)
        self.hashed = 0
        self.fabric = fabric
        switches = range(len(fabric.graph.switches))
        self.rng = [Rng(raw.get("seed", 1), "ways", switch) for switch in switches]
        self.sets: list[list[list[int]]] = []
        self.without(frozenset())

    def without(self, gone: frozenset) -> None:
        """The ways that are left without some links."""
        if self.name:
            self.sets = topology.equal_ways(self.fabric.graph, gone)

    def port(self, switch, packet) -> int:
        """The port by which a packet leaves a switch."""
        destination = packet.destination
        fixed = self.fabric.routes[switch.number][destination]
        ports = self.sets[switch.number][destination] if self.name else []
        ports = self.fabric.faults.left(switch, ports)
        if len(ports) < 2:
            return ports[0] if ports else fixed
        if self.name == "ecmp":
            return ports[self.hash(switch.number, packet) * len(ports) >> 64]
        first = min(int(self.rng[switch.number].unit() * len(ports)), len(ports) - 1)
        if self.name == "spray":
            return ports[first]
        in_turn = ports[first:] + ports[:first]
        lanes = range(self.fabric.setup.lanes)
        return min(in_turn, key=lambda port: sum(switch.queued(switch.outputs[port], lane) for lane in lanes))

    def hash(self, switch: int, packet) -> int:
        """64 bits of a packet at a switch, which has a hash of its own."""
        self.hashed += 1
        label = packet.flow.number << 2 | {"data": 0, "cnp": 2}.get(packet.kind, 1)
        if packet.header is not None:
            label |= packet.header.entropy << 48
        salt = 0 if self.same_hash else mix(self.seed) ^ mix(switch + 1)
        return mix(mix(label) ^ mix(salt))
