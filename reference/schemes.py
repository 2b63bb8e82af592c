"""Congestion management: switches mark packets, sources react to the marks that ACKs bring back.

Marking policies and response functions are those of HPL-2002-4, sections 5 and 6.
"""

from reference.scenario import Mark, React


class Marker:
    """What one switch does to mark packets.

    `present` of an output counts the data packets in the switch for it, the one being sent included; `due` is how
    many of its next departures will be marked. `held` of an input counts data packets of which a part is there.
    """

    def __init__(self, rule: Mark, switch):
        self.rule = rule
        self.switch = switch
        self.on_input = rule.kind in ("naive", "input-triggered", "input-output-triggered")
        self.on_output = rule.kind in ("output-triggered", "input-output-triggered")

    def tail_in(self, entry) -> None:
        """The last byte of a data packet has come in at this input: is its buffer full now?"""
        if not self.on_input or entry.held < self.rule.trigger:
            return
        waiting = [stay for stay in entry.waiting() if stay.packet.is_data]
        if self.rule.kind == "naive":
            for stay in waiting:
                stay.packet.marked = True
        else:
            for port in sorted({stay.output for stay in waiting}):
                output = self.switch.outputs[port]
                if not self.exempt(output.wire):
                    self.accuse(output)

    def exempt(self, wire) -> bool:
        """If so wished, an output that lacked credit a moment ago does not count as congested."""
        span, now = self.rule.exempt_blocked, self.switch.fabric.now
        if span is None or wire.last_blocked is None:
            return False
        return wire.blocked_since is not None or now - wire.last_blocked <= span

    def arrived(self, output) -> None:
        """A data packet has joined those for this output: are there too many?"""
        if self.on_output and output.present > self.rule.output_threshold:
            self.accuse(output)

    def accuse(self, output) -> None:
        """This output is congested: mark as many departures as it has packets now, or the very packets."""
        if self.rule.feedback == "counters":
            output.due = output.present
        else:
            for entry in self.switch.inputs:
                for stay in entry.waiting():
                    if stay.packet.is_data and stay.output == output.port:
                        stay.packet.marked = True

    def starts(self, packet, output) -> None:
        """A data packet starts on this output: its mark falls due here."""
        if output.due > 0:
            output.due -= 1
            packet.marked = True


def slower_or_faster(react: React, x: float, marked: bool) -> float:
    """The new x = R_max/r of a flow after an ACK, between 1 (full speed) and `floor` (slowest)."""
    if react.kind == "lipd":
        x = x + 1.0 if marked else x * (1.0 - 1.0 / react.floor)
    elif react.kind == "fimd":
        x = x * react.factor if marked else x * react.factor ** (-x / react.floor)
    elif react.kind == "aimd":
        rise = (react.factor - 1.0) * x / (react.floor * react.floor)  # of 1/x
        x = x * react.factor if marked else 1.0 / (1.0 / x + rise)
    return min(max(x, 1.0), react.floor)
