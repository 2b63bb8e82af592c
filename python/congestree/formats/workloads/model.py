"""Flows as the files of simulators list them: hosts are numbers, sizes bytes, times picoseconds.

From here they become the list of a scenario, and come back from one.
"""

import decimal
from dataclasses import dataclass, field

from ...quantities import exactly
from ...reading import PlaceError, read_text

# More than this would not fit into a scenario (`traffic.list`).
MOST_FLOWS = 1_000_000
# No scenario has more hosts; a number in a line of text could otherwise name as many as it likes.
MOST_HOSTS = 1_000_000
LAST_INSTANT = 1 << 62


class WorkloadError(PlaceError):
    """A file of a workload cannot be used: place, fact, remedy."""


@dataclass(frozen=True)
class Flow:
    """A flow: a number of bytes from one host to another."""

    start: int  # ps
    source: int
    destination: int
    size: int  # B
    priority: int = 0
    line: int | None = None
    waits: int | None = None  # the trigger that starts it
    sent_fires: int | None = None  # the trigger that it fires when its sender knows that all data has arrived
    received_fires: int | None = None  # the trigger that it fires when its receiver has all


@dataclass
class Workload:
    """The flows of a file in order of their start."""

    path: str
    form: str
    flows: list[Flow]
    hosts: int | None = None  # as in the file
    notes: list[str] = field(default_factory=list)

    def rows(self, names, priority=None):
        """The list of a traffic entry: of all flows, or of those of one priority. `names[i]` is the name of host i."""
        for flow in self.flows:
            if flow.waits is not None:
                fact = "the flow begins when another one ends, which a list of messages cannot say"
                remedy = "write them as an application: congestree import FILE --into SCENARIO, or -o flows.goal"
                raise WorkloadError(self.path, flow.line, fact, remedy)
        return [
            {
                "at": exactly(flow.start, "ps"),
                "from": self.name(names, flow.source, flow.line),
                "to": self.name(names, flow.destination, flow.line),
                "message": exactly(flow.size, "B"),
            }
            for flow in self.flows
            if priority is None or flow.priority == priority
        ]

    def name(self, names, host, line):
        """The name of a host of the file."""
        try:
            return names[host]
        except (KeyError, IndexError):
            remedy = "take the topology that belongs to these flows, or give as many names as there are hosts"
            raise WorkloadError(self.path, line, f"there is no host {host}", remedy) from None

    def waits(self):
        """Whether some flows wait for others."""
        return any(flow.waits is not None for flow in self.flows)

    def waits_for_senders(self):
        """Whether some flows wait for a trigger that a sender fires when its data has arrived."""
        waited = {flow.waits for flow in self.flows if flow.waits is not None}
        return any(flow.sent_fires in waited for flow in self.flows)

    def priorities(self):
        """The priorities that occur, in order."""
        return sorted({flow.priority for flow in self.flows})

    def csv(self, names, priority=None):
        """The text of a file for `traffic.list`."""
        rows = self.rows(names, priority)
        return "".join(
            f"{a},{b},{c},{d}\n" for a, b, c, d in [("at", "from", "to", "message"), *map(dict.values, rows)]
        )


def read_lines(path):
    """The lines of a text file with their numbers, remarks in braces or behind # taken out."""
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        yield number, line.split("#")[0].split("{")[0].strip()


def whole(path, line, text, what, least=0, most=LAST_INSTANT):
    """A whole number in decimal digits, within limits."""
    if not (text.isascii() and text.isdigit()):
        raise WorkloadError(path, line, f"{text!r} is no {what}", f"write a whole number from {least} on")
    number = int(text) if len(text) <= 40 else most + 1
    if not least <= number <= most:
        limits = f"of at least {least}" if most == LAST_INSTANT else f"from {least} to {most}"
        raise WorkloadError(path, line, f"{text} is out of range for a {what}", f"write a whole number {limits}")
    return number


def picoseconds(path, line, text, unit="s"):
    """A decimal number of seconds (or ms, us, ns, ps) in whole picoseconds, to the nearest."""
    scale = {"s": 12, "ms": 9, "us": 6, "ns": 3, "ps": 0}[unit]
    try:
        number = decimal.Decimal(text)
    except decimal.InvalidOperation:
        number = decimal.Decimal("nan")
    if not number.is_finite() or number < 0 or number.adjusted() + scale > 18:
        raise WorkloadError(path, line, f"{text!r} is not a time in {unit}", "write a decimal number such as 2.000001")
    return int(number.scaleb(scale).to_integral_value(decimal.ROUND_HALF_EVEN))
