"""An output of a switch, and the region that it is in.

It examines its queues as packets join them. When it is congested it notifies the switches behind all inputs that have
packets for it: how congested it is, and which flows are harmful. A switch that is notified holds those flows at its
output towards the congested one; if that output becomes congested itself, it notifies its own neighbours. An output
that has not been notified is a root: it finds the harmful flows, and holds none unless the scenario says so.

Held packets wait in the queues of the inputs, even where outputs have memory. A packet behind them in a queue that is
not held overtakes them if it is among the first 64.
"""

from itertools import islice

from reference.links.link import Frame
from reference.regions.rule import RegionRule
from reference.regions.samples import Flows, Point
from reference.regions.windows import Windows

PASSED = 64  # packets of a queue that are searched for one that is not held


class Region:
    """What one output knows and does."""

    def __init__(self, rule: RegionRule, switch, output):
        self.rule, self.switch, self.output = rule, switch, output
        self.number = switch.port_number(output)
        self.point = Point(rule)
        self.flows = Flows(rule, switch.setup.seed, self.number)
        self.windows = Windows(rule, switch, output.port)
        self.beyond: dict[int, int] = {}  # the degree reported by each output beyond it
        self.in_a_row = 0  # notices that reported congestion
        self.told: set[int] = set()  # inputs whose neighbours have been notified
        names = ("notices", "heard", "ends", "passed", "others first", "replaced", "rerouted")
        self.counts = dict.fromkeys(names, 0)

    def degree(self) -> int:
        """The degree that it passes on: its own, the one that it received, or a weighted mean of both, rounded up."""
        own, told = self.point.degree, max(self.beyond.values(), default=0)
        if not own or not told:
            return own or told
        weight = self.rule.remote_weight
        both = (1.0 - weight) * own + weight * told
        return int(both) + (both > int(both))

    def waiting(self) -> int:
        """Bytes in the switch that wait for this output."""
        return sum(self.switch.queued(self.output, lane) for lane in self.lanes())

    def lanes(self) -> range:
        """All lanes."""
        return range(self.switch.setup.lanes)

    def queue(self, port: int, lane: int):
        """The packets that wait at an input for this output."""
        return self.switch.inputs[port].queues.get((lane, self.output.port)) or ()

    # ---- packets come and go ------------------------------------------------------------------------------------

    def joined(self, stay) -> None:
        """A packet has joined its queue; it has not gone over to a buffer of the output yet."""
        root = not self.beyond
        if root and stay.packet.is_data and self.flows.passes(stay.packet.flow.unique) and self.rule.root_control:
            self.counts["replaced"] += 1
            self.others_are_harmful()
        at_output = self.waiting()
        if self.switch.setup.output_buffer is not None:
            at_output = sum(other.packet.size for lane in self.lanes() for other in self.output.waiting[lane])
        own = sum(other.packet.size for other in self.queue(stay.input, stay.lane))
        found = self.point.joined(at_output, (stay.input, stay.lane), own)
        if found == "congested":
            if self.rule.root_control or not root:
                self.paces(self.degree())
            for port, entry in enumerate(self.switch.inputs):
                if any(entry.fill(lane, self.output.port) for lane in self.lanes()):
                    self.told.add(port)
                    self.tell(port, self.degree())
        elif found == "calm":
            self.is_over(root)

    def is_over(self, root: bool) -> None:
        """It is no longer congested: all notified neighbours are told so."""
        for port in sorted(self.told):
            self.counts["ends"] += 1
            self.tell(port, 0)
        self.told.clear()
        if root:
            self.windows.stop()

    def crossed(self, stay) -> None:
        """A packet has left the queue of its input."""
        flow = stay.packet.flow.unique if stay.packet.is_data else None
        self.windows.sent.append((self.switch.fabric.now, stay.packet.size, flow))
        self.windows.leaves(stay.packet.size, flow, self.flows)

    def left(self) -> None:
        """A packet starts on the link."""
        if self.waiting() == 0 and self.point.degree > 0:
            self.point.starts_anew()
            self.is_over(root=not self.beyond)

    # ---- control ------------------------------------------------------------------------------------------------

    def paces(self, degree: int) -> None:
        """Harmful flows are to be held, for this degree."""
        counted = None
        if self.rule.always and self.windows.state is None:
            counted = self.windows.counted(self.flows)
        if counted is not None:
            self.windows.counts["counted"] += 1
            total, took, harmful = counted
            self.windows.begin(total, took, float(harmful), degree)
        else:
            self.windows.tells(degree, self.harmful_waiting())

    def others_are_harmful(self) -> None:
        """The set of harmful flows has changed: windows are measured again, unless that happens at every sample."""
        if self.rule.one_a_sample:
            return
        if self.rule.always:
            self.windows.stop()
        if self.windows.state == "measuring":
            self.windows.begins_to_measure(self.harmful_waiting())

    def harmful_waiting(self) -> set[int]:
        """The harmful flows that wait at the inputs; none if they change with every sample."""
        if self.rule.one_a_sample:
            return set()
        queues = [self.queue(port, lane) for port in range(len(self.switch.inputs)) for lane in self.lanes()]
        flows = {stay.packet.flow.unique for queue in queues for stay in queue if stay.packet.is_data}
        return {flow for flow in flows if flow in self.flows}

    # ---- what is told and heard ---------------------------------------------------------------------------------

    def tell(self, port: int, degree: int) -> None:
        """Notify the switch behind an input; notices caused by packets that start are sent after all starts."""
        wire = self.switch.outputs[port].wire
        if not hasattr(wire.receiver, "outputs"):
            return  # a host
        self.counts["notices"] += 1
        says = wire.receiver_port, self.number, degree, self.flows.harmful()
        frame = Frame(self.rule.notice, 0, None, says, wire.receiver.hear_of_region, rank=self.output.port)
        (wire.late_frames.append if self.switch.fabric.decides else wire.line_up)(frame)

    def hear(self, about: int, degree: int, flows: list[int]) -> None:
        """An output beyond this one is congested, or no longer is.

        The flows that it reports replace those known, or are added to them if other outputs beyond have reported some
        too.
        """
        self.counts["heard"] += 1
        known = self.flows.harmful()
        self.beyond.pop(about, None)
        if degree:
            if not self.beyond:
                self.flows.forget()
            self.beyond[about] = degree
            self.in_a_row += 1
            for flow in flows:
                self.flows.write(flow)
            if any(flow not in known for flow in flows):
                self.others_are_harmful()
            self.paces(self.degree())
        else:
            self.in_a_row = 0
            if not self.beyond:
                self.flows.forget()
                self.windows.stop()

    # ---- who goes -----------------------------------------------------------------------------------------------

    def next(self, lane: int, crosses: bool) -> tuple:
        """The packet of a lane to send next from the inputs, in turn; and whether one that may be sent lacks credit.
        Packets that cross to a buffer of the output need none."""
        held = self.rule.by_windows and self.windows.holds()
        self.windows.counts["held"] += held
        if self.windows.state is not None and self.rule.behind_others and not held:
            stay, _ = self.first(lane, True, crosses)
            if stay is not None:
                self.counts["others first"] += 1
                return stay, False
        return self.first(lane, held, crosses)

    def first(self, lane: int, passes: bool, crosses: bool) -> tuple:
        """The same, with or without those of harmful flows."""
        ports, last, blocked = len(self.switch.inputs), self.output.last_input[lane], False
        for port in [(last + k) % ports for k in range(1, ports + 1)]:
            queue = self.queue(port, lane)
            if not queue or not self.switch.can_read(port):
                continue
            stay = next((stay for stay in islice(queue, PASSED) if not passes or not self.is_harmful(stay)), None)
            if stay is None:
                continue
            if crosses or self.output.wire.fits(stay.packet):
                self.counts["passed"] += stay is not queue[0]
                return stay, False
            blocked = True
        return None, blocked

    def is_harmful(self, stay) -> bool:
        """Whether a packet belongs to a harmful flow."""
        return stay.packet.is_data and stay.packet.flow.unique in self.flows

    # ---- ways ---------------------------------------------------------------------------------------------------

    def way_round(self, packet, ports: list[int]) -> int:
        """The path of a packet whose route uses this output, and which may use any of several (SAR)."""
        here = self.output.port
        again = self.in_a_row >= 2 and self.point.degree > 0
        avoided = self.rule.reroute and (again or self.waiting() > self.rule.reroute_above)
        if not avoided or not packet.is_data or packet.flow.unique in self.flows:
            return here
        degrees = {port: self.switch.outputs[port].region.degree() for port in ports}
        least = min(ports, key=degrees.get)
        self.counts["rerouted"] += degrees[least] < degrees[here]
        return least if degrees[least] < degrees[here] else here
