"""Switches that choose among all shortest paths for every packet; on a dragonfly, by its own rule, among the shortest
with at most one link between groups.

`spray` chooses at random or in turn; `least-queue` where the fewest bytes wait, at random among equals; `ecmp` by a
hash of the flow, its kind and its entropy. With `flowlet` a flow may take another path, random or the emptiest, after
a long enough pause: a switch has a table of the last packets, in which flows are distinguished by a hash that is the
same everywhere.
"""

import struct

from reference.network import topology
from reference.quantities import choice, given, span
from reference.rng import Rng, mix


class Ways:
    """All shortest paths, and how switches choose among them."""

    def __init__(self, raw: dict, fabric):
        name, parameters = choice((raw.get("scheme") or {}).get("route") or "none")
        self.name = name if name in ("spray", "least-queue", "ecmp", "flowlet") else None
        self.same_hash = parameters.get("same_hash", False)
        self.choice = given(parameters, "choice", "random")
        self.gap = span(given(parameters, "gap", "50 us"))
        self.entries = given(parameters, "entries", 4096)
        self.seed = raw.get("seed", 1)
        self.hashed = 0
        self.raw, self.fabric = raw, fabric
        switches = range(len(fabric.graph.switches))
        self.rng = [Rng(raw.get("seed", 1), "ways", switch) for switch in switches]
        self.turns = [0 for _ in switches]
        self.seen: list[dict] = [{} for _ in switches]  # by entry of the table: when a packet came last, and its path
        self.counts = {"goes on": 0, "anew": 0}
        self.sets: list[list[list[int]]] = []
        self.without(frozenset())

    def without(self, gone: frozenset) -> None:
        """The paths that are left without some links."""
        if self.name:
            self.sets = topology.equal_ways(self.raw, self.fabric.graph, gone)

    def port(self, switch, packet) -> int:
        """The port by which a packet leaves a switch."""
        destination = packet.destination
        fixed = self.fabric.routes[switch.number][destination]
        ports = self.sets[switch.number][destination] if self.name else []
        ports = self.fabric.faults.left(switch, ports)
        if len(ports) < 2:
            return ports[0] if ports else fixed
        chosen = self.choose(switch, packet, ports)
        region = switch.outputs[chosen].region
        return chosen if region is None else region.way_round(packet, ports)

    def choose(self, switch, packet, ports: list[int]) -> int:
        """One of several ports."""
        if self.name == "ecmp":
            return ports[self.hash(switch.number, packet) * len(ports) >> 64]
        if self.name == "spray" and self.choice == "in-turn":
            self.turns[switch.number] += 1
            return ports[self.turns[switch.number] % len(ports)]
        if self.name == "flowlet":
            return ports[self.flowlet(switch, packet, ports)]
        return ports[self.drawn(switch, ports, self.name == "least-queue")]

    def flowlet(self, switch, packet, ports: list[int]) -> int:
        """The position of the flow's last path, unless that is long ago; otherwise another one."""
        now, seen = self.fabric.now, self.seen[switch.number]
        place = mix(self.label(packet)) * self.entries >> 64
        at, way = seen.get(place, (None, 0))
        goes_on = at is not None and now - at < self.gap and way < len(ports)
        self.counts["goes on" if goes_on else "anew"] += 1
        if not goes_on:
            way = self.drawn(switch, ports, self.choice == "least-queue")
        seen[place] = now, way
        return way

    def drawn(self, switch, ports: list[int], emptiest: bool) -> int:
        """A random position among the paths; or that of the emptiest, of equals each as likely.

        Half as many as there are, are drawn among all, and one for which nothing waits is taken. Otherwise one is drawn
        among the emptiest.
        """
        draw = self.rng[switch.number].unit()
        if not emptiest:
            return min(int(draw * len(ports)), len(ports) - 1)
        lanes = range(self.fabric.setup.lanes)
        waiting = [sum(switch.queued(switch.outputs[port], lane) for lane in lanes) for port in ports]
        (bits,) = struct.unpack("<Q", struct.pack("<d", draw))
        for _ in range(len(ports) // 2):
            bits = mix(bits)
            way = bits * len(ports) >> 64
            if waiting[way] == 0:
                return way
        equals = [way for way, queued in enumerate(waiting) if queued == min(waiting)]
        return equals[mix(bits) * len(equals) >> 64]

    def hash(self, switch: int, packet) -> int:
        """64 bits of a packet at a switch, which has a hash of its own."""
        self.hashed += 1
        salt = 0 if self.same_hash else mix(self.seed) ^ mix(switch + 1)
        return mix(mix(self.label(packet)) ^ mix(salt))

    def label(self, packet) -> int:
        """The flow, its kind, and its entropy."""
        label = packet.flow.unique << 2 | {"data": 0, "cnp": 2}.get(packet.kind, 1)
        if packet.header is not None:
            label |= packet.header.entropy << 48
        return label
