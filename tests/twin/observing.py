"""What the readable twin does, written down as it happens: what the tables of a run can be recomputed from."""

from collections import defaultdict
from contextlib import contextmanager

import pytest
from reaching import around
from reference import Fabric
from reference.hosts import host
from reference.links import checked, link, watchdog
from reference.switches import switch


class Observed:
    """Events in a fabric, times in ps. Ports have numbers: those of hosts first, then of switches."""

    def __init__(self, scenario: dict):
        self.fabric = fabric = Fabric(scenario)
        self.wires = [wire for node in [*fabric.hosts, *fabric.switches] for wire in node.wires_out()]
        self.number = {id(wire): port for port, wire in enumerate(self.wires)}
        self.sends = []  # (start, end, port, kind, size, marked, lane, flow)
        self.repeats = []  # of frames that links send again: (start, end, port, size)
        self.deliveries = []  # (time, flow, size, marked, injected)
        self.blocked = []  # (from, to, port)
        self.frames = []  # (time, port, lane, whether it is a pause, whether it was received, not sent)
        self.pauses = []  # (time, port, lane, what took effect), as the table `pauses` calls it
        self.held = defaultdict(list)  # by port that sends into an input: (time, data packets there)
        self.waiting = defaultdict(list)  # by output: (time, bytes that wait for it)
        self.memory = defaultdict(list)  # by port that sends into an input, and lane: (time, bytes there)
        self.paused = defaultdict(list)  # by port and lane: (time, whether it is paused)
        with self.hooks():
            fabric.run()

    def port(self, wire) -> int:
        """The number of the port that sends on a wire."""
        return self.number[id(wire)]

    @contextmanager
    def hooks(self):
        """Everything that is of interest is written down."""
        with pytest.MonkeyPatch.context() as patch:
            for wire_act in ("start", "note_blocked", "send_frame", "told", "hold", "go_on", "pause_ends"):
                around(patch, link.Wire, wire_act, getattr(self, f"on_{wire_act}"))
            for watchdog_act in ("detect", "restore"):
                around(patch, watchdog.Watchdog, watchdog_act, self.on_watch)
            around(patch, checked.Checked, "replay", self.on_replay)
            around(patch, host.Host, "count", self.on_count)
            around(patch, Fabric, "at", self.on_at)
            for node in (host.Host, switch.Switch):
                around(patch, node, "decide", self.on_decide)
            yield

    # ---- links --------------------------------------------------------------------------------------------------

    def on_start(self, inner, wire, packet, then=None):
        inner(wire, packet, then)
        now, end = wire.fabric.now, wire.fabric.now + wire.time_for(packet)
        what = packet.kind, packet.size, packet.marked, packet.lane, packet.flow.number
        self.sends.append((now, end, self.port(wire), *what))

    def on_replay(self, inner, link_end):
        inner(link_end)
        wire, packet = link_end.wire, link_end.wire.sending
        now = wire.fabric.now
        self.repeats.append((now, now + wire.time_for(packet), self.port(wire), packet.size))

    def on_note_blocked(self, inner, wire, blocked):
        if wire.blocked_since is not None and wire.blocked_since < wire.fabric.now:
            self.blocked.append((wire.blocked_since, wire.fabric.now, self.port(wire)))
        inner(wire, blocked)

    def on_send_frame(self, inner, wire):
        before = wire.sending
        inner(wire)
        if wire.sending is not before and isinstance(wire.sending, link.Frame) and wire.sending.lane is not None:
            lane, quanta = wire.sending.says
            self.frames.append((wire.fabric.now, self.port(wire), lane, quanta != 0, False))

    def on_told(self, inner, wire, lane, quanta):
        self.frames.append((wire.fabric.now, self.port(wire), lane, quanta != 0, True))
        self.pauses.append((wire.fabric.now, self.port(wire), lane, "pause" if quanta else "resume"))
        inner(wire, lane, quanta)

    def on_pause_ends(self, inner, wire, lane):
        if wire.paused_until[lane] == wire.fabric.now and lane in wire.asserted:
            self.pauses.append((wire.fabric.now, self.port(wire), lane, "expired"))
        inner(wire, lane)

    def on_watch(self, inner, dog, lane):
        before = lane in dog.ignored
        inner(dog, lane)
        if (lane in dog.ignored) != before:
            event = "restored" if before else "storm"
            self.pauses.append((dog.wire.fabric.now, self.port(dog.wire), lane, event))

    def on_hold(self, inner, wire, lane):
        inner(wire, lane)
        self.note(self.paused[self.port(wire), lane], wire.fabric.now, lane in wire.paused)

    on_go_on = on_hold

    def on_count(self, inner, receiver, packet):
        inner(receiver, packet)
        told = packet.flow.number, packet.size, packet.marked, packet.injected
        self.deliveries.append((receiver.fabric.now, *told))

    # ---- what switches and hosts hold -----------------------------------------------------------------------------

    def on_at(self, inner, fabric, time, rank, number, node, action, *arguments):
        def act(*arguments):
            action(*arguments)
            self.look(node)

        inner(fabric, time, rank, number, node, act, *arguments)

    def on_decide(self, inner, node):
        inner(node)
        self.look(node)

    def look(self, node) -> None:
        """Record what has changed at a node."""
        now, setup = node.fabric.now, node.fabric.setup
        if isinstance(node, switch.Switch):
            for output in node.outputs:
                waits = sum(node.queued(output, lane) for lane in range(setup.lanes))
                self.note(self.waiting[self.port(output.wire)], now, waits)
            for entry in node.inputs:
                self.note(self.held[self.port(entry.upstream)], now, sum(entry.held))
                self.look_into(entry.memory, entry.upstream, now)
        else:
            self.look_into(node.memory, node.upstream, now)

    def look_into(self, memory, upstream, now: int) -> None:
        """Record the fill of a memory whose sender is paused, if there is one."""
        if memory is None:
            return
        for lane in range(memory.fabric.setup.lanes):
            above = memory.above[lane] if hasattr(memory, "above") else 0  # the headroom of shared memory
            held = sum(size for (of, _), size in memory.held.items() if of == lane)
            self.note(self.memory[self.port(upstream), lane], now, held + above)

    @staticmethod
    def note(changes: list, now: int, value) -> None:
        """A value is written down if it is another than before."""
        if (changes[-1][1] if changes else 0) != value:
            changes.append((now, value))
