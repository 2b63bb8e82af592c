"""The ports of switches of a resolved scenario, for the writers of their files."""

import math
from collections import defaultdict
from functools import cached_property

from ...errors import AskedError, there_are
from ...runs.running import network
from .lossless import PICOSECONDS_PER_METRE


class Ports:
    """Ports of the switch that is written, or of all switches (`every`); `notes` gathers what is to be told.

    switch: its name; by default the first of those with most ports. Raises AskedError if there is none of that name.
    """

    def __init__(self, scenario, switch=None, every=False):
        self.scenario, self.asked, self.every = scenario, switch, every
        self.notes = []
        self.network = network(scenario, routes=False)
        if switch is not None and switch not in self.network["switches"]:
            known = self.network["switches"]
            raise AskedError(f'There is no switch "{switch}" in the scenario; {there_are(switch, known)}')

    @cached_property
    def switch(self):
        """The switch that is written."""
        if self.asked is not None:
            return self.asked
        found = max(self.network["switches"], key=lambda name: len(self.of(name)))
        other = next((first for first, alike in self.kinds().items() if found not in alike), None)
        said = f"this is {found}, and not all switches have ports of the same speeds and cables"
        self.note_if(other, f"{said}: `--switch` chooses another, such as {other}")
        return found

    def kinds(self):
        """Switches by speeds and cables of their ports: {the first of a kind: all of them}."""
        found = defaultdict(list)
        for switch in self.network["switches"]:
            found[tuple(sorted(map(_line, self.of(switch))))].append(switch)
        return {alike[0]: alike for alike in found.values()}

    def in_other_order(self, switches):
        """Those whose ports are not in the order of the first one's, by number."""
        first = [_line(port) for port in self.of(switches[0])]
        return [name for name in switches if [_line(port) for port in self.of(name)] != first]

    def of(self, switch):
        """The ends of links at a switch: port number, link, "a" or "b"."""
        return sorted(self._ends[switch], key=lambda port: port[0])

    @cached_property
    def _ends(self):
        found = defaultdict(list)
        for link in self.network["links"]:
            for end in "ab":
                found[link[end]].append((link[f"port_{end}"], link, end))
        return found

    @cached_property
    def ports(self):
        """The ends of links at the switches that are written."""
        switches = self.network["switches"] if self.every else [self.switch]
        return [port for switch in switches for port in self.of(switch)]

    @cached_property
    def names(self):
        """The names of the ports of the switch in its file, by their numbers."""
        self.note_if(True, f"ports of {self.switch} are Ethernet0, Ethernet4, ... in order of their numbers")
        return {number: f"Ethernet{4 * i}" for i, (number, _, _) in enumerate(self.of(self.switch))}

    def by_rate(self):
        """The names of the ports of the switch by the rate (bit/s) at which they send."""
        found = defaultdict(list)
        for port in self.of(self.switch):
            found[rate_out(port)].append(self.names[port[0]])
        return dict(sorted(found.items()))

    def note_if(self, holds, note):
        """Tell of something, once."""
        if holds and note not in self.notes:
            self.notes.append(note)


def rate_in(port):
    """The rate (bit/s) at which a port receives."""
    _, link, end = port
    return link["rate_back"] if end == "a" else link["rate"]


def rate_out(port):
    """The rate (bit/s) at which a port sends."""
    _, link, end = port
    return link["rate"] if end == "a" else link["rate_back"]


def delay_in(port):
    """The delay (ps) of what a port receives."""
    _, link, end = port
    return link["delay_back"] if end == "a" else link["delay"]


def metres(port):
    """The length of the cable that is written, in whole metres: 0 m means a port without lossless traffic."""
    return max(1, math.ceil(delay_in(port) / PICOSECONDS_PER_METRE))


def _line(port):
    """What a file says of a port."""
    return rate_in(port), rate_out(port), metres(port)
