"""The lossless memory of a resolved scenario as profiles of the ports of its switches, for the writers."""

from functools import cached_property

from ...runs.running import network
from . import lossless
from .model import BITS, BYTES, RoceError, whole_units

PFC = "links.flow_control.pfc"


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
    flow_control = scenario["links"]["flow_control"]
    return "pfc" in flow_control and bool(scenario["switches"].get("shared_memory"))


class Switches:
    """Shared memory and pauses of the switches of a resolved scenario, in SONiC's words."""

    def __init__(self, scenario):
        if not is_lossless(scenario):
            fact = "there is no memory that the ports of a switch share, or nobody pauses"
            remedy = 'give [switches.shared_memory], and links.flow_control = "pfc"'
            raise RoceError("switches.shared_memory", None, fact, remedy)
        self.scenario = scenario
        self.notes = []
        self.shared = scenario["switches"]["shared_memory"]
        self.pfc = scenario["links"]["flow_control"]["pfc"]
        self.network = network(scenario)

    @cached_property
    def switch(self):
        """The switch that is written: the first of those with most ports."""
        count = {name: len(self.of(name)) for name in self.network["switches"]}
        if len(set(count.values())) > 1:
            self.notes.append("switches have different numbers of ports: this is one of those with most")
        return max(count, key=count.get)

    def of(self, switch):
        """The ends of links at a switch: port number, link, "a" or "b"."""
        ends = [(link, end) for link in self.network["links"] for end in "ab" if link[end] == switch]
        return sorted(((link[f"port_{end}"], link, end) for link, end in ends), key=lambda port: port[0])

    def ports(self):
        """The ends of all links at switches."""
        return [port for switch in self.network["switches"] for port in self.of(switch)]

    def pool(self):
        """Bytes that the ports of the switch share, beyond reserves and headroom."""
        return self.network["shared_memory"][self.network["switches"].index(self.switch)]

    def priorities(self):
        """Lossless priorities: the lanes that pause."""
        lanes = self.scenario["links"]["lanes"]
        lossless_lanes = sorted(self.pfc.get("lossless") or range(lanes))
        if lossless_lanes and lossless_lanes[-1] >= lossless.PRIORITIES:
            fact = f"lane {lossless_lanes[-1]} pauses, and there are {lossless.PRIORITIES} priorities"
            raise RoceError(f"{PFC}.lossless", None, fact, "take a lower lane")
        return lossless_lanes

    def profile(self, port):
        """The profile of a port."""
        _, link, end = port
        rate, delay = (link["rate_back"], link["delay_back"]) if end == "a" else (link["rate"], link["delay"])
        speed, rest = divmod(rate, BITS["Mbit/s"])
        self._note_if(rest, f"a rate of {rate} bit/s is written as {speed} Mbit/s")
        metres = round(delay / lossless.PICOSECONDS_PER_METRE)
        exact = metres * lossless.PICOSECONDS_PER_METRE == delay
        self._note_if(not exact, f"a delay of {delay} ps is written as a cable of {metres} m, which is 5 ns for each")
        reserved, headroom = int(whole_units(self.shared["reserved"], BYTES, "B")), link[f"headroom_{end}"]
        if given := self.shared.get("headroom"):
            headroom = int(whole_units(given, BYTES, "B"))
        kind, threshold = next(iter(self.pfc["threshold"].items()))
        if kind == "dynamic":
            more = {"dynamic_th": self._exponent, "xon_offset": _bytes(threshold["offset"])}
        elif threshold.get("xoff"):
            xoff = _bytes(threshold["xoff"])
            xon = _bytes(threshold["xon"]) if threshold.get("xon") else xoff
            more = {"static_th": xoff, "xon_offset": xoff - xon}
        else:
            more = {"static_th": self.pool()}
        name = lossless.name_of(speed, metres)
        size = reserved if self.shared.get("headroom_pool") else reserved + headroom
        return lossless.Lossless(name, size, reserved, headroom, **more, speed=speed, cable=metres)

    @cached_property
    def _exponent(self):
        return lossless.exponent(self.pfc["threshold"]["dynamic"]["alpha"], self.notes)

    def _note_if(self, holds, note):
        if holds and note not in self.notes:
            self.notes.append(note)


def _bytes(text):
    return int(whole_units(text, BYTES, "B"))
