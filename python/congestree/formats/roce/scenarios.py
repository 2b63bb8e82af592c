"""The lossless memory of a resolved scenario as profiles of the ports of its switches, for the writers."""

import math
from fractions import Fraction
from functools import cached_property

from ... import document
from ...quantities import exactly
from . import lossless
from .model import BITS, BYTES, PICOSECONDS, RoceError, whole_units
from .ports import Ports, delay_in, metres, rate_in

PFC = "links.flow_control.pfc"
FOR_RATE = {f"{PFC}.threshold.dynamic": ("alpha",), "scheme.mark.red": ("min", "max")}
"""What is for ports of one rate if it has a `for_rate`, and in proportion at others."""


def chosen(path, what, found, names):
    """The entry of a file that is meant: the named one, or the only one."""
    named = [name for name in names if name in found]
    if len(named) > 1:
        raise RoceError(path, None, f"{' and '.join(named)} are both named", "name one of them")
    if named:
        return named[0]
    if len(found) > 1:
        remedy = f"choose one of {', '.join(found)} with --profile"
        raise RoceError(path, None, f"there are {len(found)} {what}", remedy)
    return next(iter(found))


def is_lossless(scenario):
    """The switches share memory and pause their neighbours."""
    flow_control, _ = document.chosen(scenario["links"]["flow_control"])
    return flow_control == "pfc" and bool(scenario["switches"].get("shared_memory"))


def lossy_lanes(scenario):
    """The lanes of a resolved scenario that never pause, and drop what finds no room."""
    links = scenario["links"]
    lossless_lanes = document.get(links, "flow_control.pfc.lossless")
    return [] if lossless_lanes is None else sorted({*range(links["lanes"])} - {*lossless_lanes})


def at_rate(scenario, rate):
    """A resolved scenario with alpha and marks as ports of a rate (text) have them, and without their `for_rate`."""
    for path, keys in FOR_RATE.items():
        if for_rate := document.get(scenario, f"{path}.for_rate"):
            scenario = document.without(scenario, f"{path}.for_rate")
            for key in keys:
                value = _scaled(document.get(scenario, f"{path}.{key}"), rate, for_rate)
                scenario = document.set_value(scenario, f"{path}.{key}", value)
    return scenario


def _scaled(value, rate, for_rate):
    """A number, or bytes rounded down, in proportion to a rate."""
    factor = Fraction(whole_units(rate, BITS, "bit/s")) / Fraction(whole_units(for_rate, BITS, "bit/s"))
    if not isinstance(value, str):
        return value * float(factor)
    return exactly(int(Fraction(whole_units(value, BYTES, "B")) * factor), "B")


class Switches(Ports):
    """Shared memory and pauses of the switches of a resolved scenario, in SONiC's words; arguments as for `Ports`.

    Raises RoceError if its switches share no memory, or do not pause.
    """

    def __init__(self, scenario, switch=None, every=False):
        if not is_lossless(scenario):
            fact = "there is no memory that the ports of a switch share, or nobody pauses"
            remedy = 'give [switches.shared_memory], and links.flow_control = "pfc"'
            raise RoceError("switches.shared_memory", None, fact, remedy)
        super().__init__(scenario, switch, every)
        self.shared = scenario["switches"]["shared_memory"]
        self.pfc = scenario["links"]["flow_control"]["pfc"]

    def pool(self):
        """Bytes that the ports of the switch share, beyond reserves and headroom as they are written."""
        return self._pool_of(self.switch)

    def _pool_of(self, switch):
        shared = self.network["shared_memory"][self.network["switches"].index(switch)]
        if self.shared.get("headroom_pool"):
            return shared
        more = sum(self._headroom[self._line(port)] - self._need(port) for port in self.of(switch))
        return max(0, shared - more * len(self.priorities()))

    @cached_property
    def _most_shared(self):
        """The threshold of an input that may take all that is shared: of all switches, if these are written."""
        if not self.every:
            return self.pool()
        pools = [self._pool_of(switch) for switch in self.network["switches"]]
        said = f"an input may take all that is shared, {min(pools)} B to {max(pools)} B by switch"
        self.note_if(min(pools) < max(pools), f"{said}: all have the most")
        return max(pools)

    def most_of_queue(self):
        """Bytes that one queue of a lossless priority can hold: the pool, and what every port has for itself."""
        own = sum(self._reserved + self._headroom[self._line(port)] for port in self.of(self.switch))
        return self.pool() + own

    def priorities(self):
        """Lossless priorities: the lanes that pause."""
        lanes = self.scenario["links"]["lanes"]
        lossless_lanes = sorted(self.pfc.get("lossless") or range(lanes))
        if lossless_lanes and lossless_lanes[-1] >= lossless.PRIORITIES:
            fact = f"lane {lossless_lanes[-1]} pauses, and there are {lossless.PRIORITIES} priorities"
            raise RoceError(f"{PFC}.lossless", None, fact, "take a lower lane")
        return lossless_lanes

    def profile(self, port):
        """The profile of a port: ports of one speed and cable have the same, with the headroom that is enough for all.

        A switch looks it up by speed and cable.
        """
        speed, cable = self._line(port)
        reserved, headroom = self._reserved, self._headroom[speed, cable]
        kind, threshold = document.chosen(self.pfc["threshold"])
        if kind == "dynamic":
            more = {"dynamic_th": self._exponent(speed, threshold), "xon_offset": _bytes(threshold["offset"])}
        elif threshold.get("xoff"):
            xoff = _bytes(threshold["xoff"])
            xon = _bytes(threshold["xon"]) if threshold.get("xon") else xoff
            more = {"static_th": xoff, "xon_offset": xoff - xon}
        else:
            more = {"static_th": self._most_shared}
        name = lossless.name_of(speed, cable)
        size = reserved if self.shared.get("headroom_pool") else reserved + headroom
        return lossless.Lossless(name, size, reserved, headroom, **more, speed=speed, cable=cable)

    def _line(self, port):
        """Speed (Mbit/s) and cable (m) of a port."""
        rate, delay, cable = rate_in(port), delay_in(port), metres(port)
        speed, rest = divmod(rate, BITS["Mbit/s"])
        self.note_if(rest, f"a rate of {rate} bit/s is written as {speed} Mbit/s")
        exact = cable * lossless.PICOSECONDS_PER_METRE == delay
        why = "which is 5 ns for each" if delay else "since 0 m means a port without lossless traffic"
        self.note_if(not exact, f"a delay of {delay} ps is written as a cable of {cable} m, {why}")
        return speed, cable

    @cached_property
    def _reserved(self):
        return int(whole_units(self.shared["reserved"], BYTES, "B"))

    @cached_property
    def _given(self):
        """The headroom that the scenario gives, in bytes; None if it leaves that to the links."""
        given = self.shared.get("headroom")
        return given and int(whole_units(given, BYTES, "B"))

    def _need(self, port):
        """The headroom of a port: what the scenario gives, or else what its link needs."""
        return self._given or port[1][f"headroom_{port[2]}"]

    def _need_of_cable(self, port):
        """The headroom that the link of a port needs with the delay of the cable that is written.

        What a longer cable carries in addition, both ways, needs room. Rounded up, this is a byte too much at most.
        """
        _, link, end = port
        cable = metres(port) * lossless.PICOSECONDS_PER_METRE
        longer = sum(max(0, cable - link[way]) for way in ("delay", "delay_back"))
        return link[f"headroom_{end}"] + math.ceil(Fraction(rate_in(port) * longer, 8 * PICOSECONDS["s"]))

    @cached_property
    def _headroom(self):
        """The most headroom that a port of each speed and cable needs."""
        found = {}
        for port in self.ports:
            line, need = self._line(port), self._need_of_cable(port)
            found.setdefault(line, []).append(self._given or need)
            self.note_if(
                self._given and self._given < need,
                f"a headroom of {self._given} B is less than the {need} B that a cable of {line[1]} m needs at "
                f"{line[0]} Mbit/s: the link is shorter than its cable as it is written",
            )
        for (speed, cable), needs in found.items():
            said = f"ports of {speed} Mbit/s with {cable} m need a headroom of {min(needs)} B to {max(needs)} B"
            self.note_if(len(set(needs)) > 1, f"{said}: all have the most")
        at_once = self.pfc.get("response") in (None, "0 ns", "0 ps")
        self.note_if(
            at_once and not self._given,
            "headroom is for senders that stop at once (links.flow_control.pfc.response is 0 ns), and counts no buffer "
            "cells: a vendor's table may have more than twice as much",
        )
        return {line: max(needs) for line, needs in found.items()}

    def _exponent(self, speed, threshold):
        """The power of two for ports of a speed (Mbit/s)."""
        alpha, for_rate = threshold["alpha"], threshold.get("for_rate")
        if not for_rate:
            return lossless.exponent(alpha, self.notes)
        return lossless.exponent(_scaled(alpha, f"{speed} Mbit/s", for_rate), self.notes, f" at {speed} Mbit/s")


def _bytes(text):
    return int(whole_units(text, BYTES, "B"))
