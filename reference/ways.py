"""Switches that choose among all shortest ways, packet by packet: at random (`spray`), or where the fewest bytes wait
(`least-queue`; among equals where the die falls)."""

from reference import topology
from reference.dice import Dice
from reference.quantities import choice


class Ways:
    """All shortest ways, and how switches choose."""

    def __init__(self, raw: dict, fabric):
        name, _ = choice((raw.get("scheme") or {}).get("route") or "none")
        self.name = name if name in ("spray", "least-queue") else None
        self.fabric = fabric
        switches = range(len(fabric.graph.switches))
        self.dice = [Dice(raw.get("seed", 1), "ways", switch) for switch in switches]
        self.sets: list[list[list[int]]] = []
        self.without(frozenset())

    def without(self, gone: frozenset) -> None:
        """The ways that are left without some links."""
        if self.name:
            self.sets = topology.equal_ways(self.fabric.graph, gone)

    def port(self, switch, destination: int) -> int:
        """The port by which a packet leaves a switch."""
        fixed = self.fabric.routes[switch.number][destination]
        ports = self.sets[switch.number][destination] if self.name else []
        ports = self.fabric.faults.left(switch, ports)
        if len(ports) < 2:
            return ports[0] if ports else fixed
        first = min(int(self.dice[switch.number].unit() * len(ports)), len(ports) - 1)
        if self.name == "spray":
            return ports[first]
        in_turn = ports[first:] + ports[:first]
        lanes = range(self.fabric.setup.lanes)
        return min(in_turn, key=lambda port: sum(switch.queued(switch.outputs[port], lane) for lane in lanes))
