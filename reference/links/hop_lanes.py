"""The lane in which a packet leaves a switch: the one in which it arrived, unless the scenario says otherwise.

The scenario may have a list of hops: a switch, where packets come from, where they go (if one is left out, it matches
any), and lanes. The list of lanes is indexed by the lane in which a packet arrived (`by-lane`), or by its service
level (`by-service`). The last hop applies that matches and has an entry for that lane or level.

`by-hop` takes the next lane with every hop from switch to switch. `by-route` is what the rules of dragonflies and tori
need: in a dragonfly a global link ends in the next lane; in a torus a packet is in lane 1 from where the ring closes.
"""

from reference.network import regular
from reference.quantities import choice, given


class HopLanes:
    """The lanes of all hops through all switches."""

    def __init__(self, raw: dict, graph):
        links = raw["links"]
        self.graph = graph
        self.lanes = links.get("lanes", 1)
        self.service_lanes = given(links, "service_lanes", [])
        self.key, parameters = choice(links["hop_lanes"]) if links.get("hop_lanes") else (None, {})
        self.hops = parameters.get("hops") or []

    def next(self, switch: int, port_in: int, port_out: int, lane: int, service: int) -> int:
        """The lane in which a packet leaves that arrived by `port_in` in `lane`, and leaves by `port_out`."""
        if self.key is None:
            return lane
        if self.key in ("by-hop", "by-route"):
            from_switch, to_switch = (self.neighbour(switch, port) for port in (port_in, port_out))
            if self.key == "by-route":
                return regular.lane(self.graph, switch, from_switch, to_switch, lane)
            hop = from_switch is not None and to_switch is not None
            return min(lane + 1, self.lanes - 1) if hop else lane
        place = service if self.key == "by-service" else lane
        for hop in reversed(self.hops):
            if (
                hop.get("switch") in (None, self.graph.switches[switch])
                and self.is_at(switch, port_in, hop.get("from"))
                and self.is_at(switch, port_out, hop.get("to"))
                and place < len(hop["lanes"])
            ):
                return hop["lanes"][place]
        if self.key == "by-lane":
            return lane
        return self.service_lanes[service] if service < len(self.service_lanes) else 0

    def neighbour(self, switch: int, port: int) -> int | None:
        """The switch that a port leads to; None if it leads to a host."""
        kind, id_ = self.graph.ports(("switch", switch))[port][0]
        return id_ if kind == "switch" else None

    def is_at(self, switch: int, port: int, end) -> bool:
        """Whether the port leads to this neighbour, or has this number; without a condition, any does."""
        if end is None:
            return True
        number, neighbour, _ = self.graph.numbered(("switch", switch))[port]
        return end in (number, self.graph.name(neighbour))
