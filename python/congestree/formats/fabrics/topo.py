"""Fabrics in the form of ibdm and ibutils: `.topo` files, read and written.

A line that is not indented declares a system, `TYPE NAME`; the lines below it are its ports, each with the system and
port at the other end, and perhaps the width and the signalling rate of a lane between the dashes of the arrow:

    MTS2400 SW-1
       P1 -4x-10G-> HCA node11 P1
       P13 -> MTS2400 SW-7 P1

One end of a link is enough. The format does not say which types are hosts: HCA, CA and the like are, MTS and SWITCH are
not, and of the others a type is a host's if none of its systems uses a port beyond the second and all of its links lead
to systems of other types. Ports are called P and a number, that of the device in forwarding tables; ibdm may write the
device before it, as `U1/P5`. The interior of a large system (`.ibnl` files), whose ports are those of several
devices, is not read: the system is taken for one switch, with ports numbered in the natural order of their names.

Rates that no width and speed can express are written in a comment before the line, as `# exactly: rate 20000000000
bit/s back 8000000000 bit/s delay 0 ps back 0 ps`, and the delay of all others once, as in ibnetdiscover files.

Source: the ibdm-topo-file manual page, and the examples of ibutils.
"""

import re
from collections import defaultdict

from .model import Fabric, FabricError, Node, Plug, delay_in, delay_line, read_lines
from .rates import LANE, SIGNALLING, rate_of, word_of

NAMES = ("topo",)

_PORT = re.compile(
    r"\s*(\S+)\s+-(?:(?P<width>1|2|4|8|12)[xX])?(?:-?(?P<speed>[\d.]+(?=G)|FDR_?10)G?)?-?>\s*(?:(\S+)\s+(\S+)\s+(\S+))?\s*",
    re.A,
)
_EXACT = re.compile(
    r"#\s*exactly: rate (\d{1,18}) bit/s back (\d{1,18}) bit/s delay (\d{1,18}) ps back (\d{1,18}) ps", re.A
)
_NUMBERED = re.compile(r"(?:(\S+)/)?P?(\d{1,5})", re.A)
_HOSTS = re.compile(r"(?:HCA|CA|HOST|MT23108|MT25204|MT25208|MT25418|MT26428|Cougar|ConnectX)", re.I | re.A)
_SWITCHES = re.compile(r"(?:MTS|SWITCH|ISR|MSX|MSB|MQM|Gnu|Rhino)", re.I | re.A)
# How ibdm writes the signalling rate of a lane.
_WRITTEN = {"SDR": "2.5G", "DDR": "5G", "QDR": "10G", "FDR10": "FDR10", "FDR": "14G", "EDR": "25G", "HDR": "50G",
            "NDR": "100G", "XDR": "200G"}  # fmt: skip


def read(path, host_types=()):
    """The fabric of a file; `host_types` are types of systems that count as hosts in any case."""
    fabric = Fabric(str(path), "topo")
    reader = _Reader(fabric)
    for number, line in enumerate(read_lines(path), 1):
        reader.line(line, number)
    if not fabric.nodes:
        raise FabricError(path, None, "no system is described", "write such as: MTS2400 SW-1, and its ports below")
    reader.number_ports()
    reader.choose_hosts(host_types)
    reader.note_renumbered()
    fabric.check()
    fabric.fill_in_delay()
    fabric.settle_rates()
    if all(plug.rate is None for node in fabric.nodes.values() for plug in node.ports.values()):
        fabric.notes.append("the file says no widths and speeds: all links are taken to have the same, see --rate")
    return fabric


class _Reader:
    def __init__(self, fabric):
        self.fabric = fabric
        self.system = None
        self.exact = None
        self.types = {}  # name of a system -> its type
        self.ends = defaultdict(dict)  # name of a system -> port name -> (peer, peer's port name, rate, delay, line)

    def line(self, line, number):
        if match := _EXACT.match(line.strip()):
            self.exact = tuple(int(value) for value in match.groups())
        elif not line.strip():
            self.system = None
        elif line.lstrip().startswith("#"):
            self.fabric.delay = delay_in(line) if delay_in(line) is not None else self.fabric.delay
        elif ">" in line:
            self.port(line.partition("#")[0], number)
        else:
            self.declare(line.partition("#")[0].split(), number)

    def declare(self, words, number):
        path = self.fabric.path
        if len(words) < 2 or (len(words) > 2 and not words[2].startswith("CFG")):
            remedy = "write TYPE NAME, such as MTS2400 SW-1, or a port such as: P1 -> MTS2400 SW-2 P1"
            raise FabricError(path, number, "this is neither a system nor a port", remedy)
        if len(words) > 2:
            self.fabric.notes.append(f"{path}:{number}: the configuration of {words[1]} was left out")
        self.system = self.known(words[0], words[1], number)

    def known(self, type_, name, number):
        if self.types.setdefault(name, type_) != type_:
            first = f"{self.types[name]} in line {self.fabric.nodes[name].line}"
            fact = f"the system {name} is of type {type_} here and {first}"
            raise FabricError(self.fabric.path, number, fact, "systems need names of their own: correct one of them")
        if name not in self.fabric.nodes:
            self.fabric.add(Node(id=name, is_switch=True, line=number))
        return name

    def port(self, line, number):
        path = self.fabric.path
        match = _PORT.fullmatch(line)
        if not match:
            remedy = "write PORT -> TYPE NAME PORT, such as: P1 -> MTS2400 SW-2 P1"
            raise FabricError(path, number, "this port cannot be understood, or its line is cut short", remedy)
        if self.system is None:
            remedy = "put it right below the line of its system, without a blank line between"
            raise FabricError(path, number, "this port belongs to no system", remedy)
        own, width, speed, type_, peer, far = match.groups()
        exact, self.exact = self.exact, None
        if type_ is None:
            return
        self.known(type_, peer, number)
        rate = None
        if width or speed:
            name = SIGNALLING.get(speed or "2.5")
            if name is None:
                remedy = f"speeds are {', '.join(_WRITTEN.values())}"
                raise FabricError(path, number, f"there is no speed of {speed}G", remedy)
            rate = rate_of(int(width or 4), name)
        rates, delays = ((exact[0], exact[1]), (exact[2], exact[3])) if exact else ((rate, rate), (None, None))
        self.end(self.system, own, peer, far, rates[0], delays[0], number)
        self.end(peer, far, self.system, own, rates[1], delays[1], number)

    def end(self, system, port, peer, far, rate, delay, number):
        ends = self.ends[system]
        if (system, port) == (peer, far):
            raise FabricError(self.fabric.path, number, f"port {port} of {system} leads to itself", "correct the line")
        before = ends.get(port)
        if before and before[:2] != (peer, far):
            first = f"{before[1]} of {before[0]} in line {before[4]}"
            fact = f"port {port} of {system} leads to {far} of {peer} here and to {first}"
            raise FabricError(self.fabric.path, number, fact, "a port has one link: correct one of the two lines")
        if before and before[2] is not None:
            if rate is not None and rate != before[2]:
                fact = f"port {port} of {system} has another width or speed in line {before[4]}"
                raise FabricError(self.fabric.path, number, fact, "correct one of the two lines")
            return
        ends[port] = (peer, far, rate, delay, number)

    def number_ports(self):
        """Numbers for all ports, and the plugs."""
        numbers = {}
        for name, ends in self.ends.items():
            numbers[name] = _numbers_of_device(ends)
            if numbers[name] is None:
                self.fabric.nodes[name].is_renumbered = True
                numbers[name] = {port: at for at, port in enumerate(_in_order(ends), 1)}
        for name, ends in self.ends.items():
            node = self.fabric.nodes[name]
            for port, (peer, far, rate, delay, line) in ends.items():
                number = numbers[name][port]
                plug = Plug(node, number, peer, numbers[peer][far], line, rate=rate, delay=delay)
                node.ports[number] = plug
            node.size = max(node.ports)

    def choose_hosts(self, host_types):
        """Decides by type which systems are hosts."""
        members = defaultdict(list)
        for name, type_ in self.types.items():
            members[type_].append(self.fabric.nodes[name])
        unknown = set(host_types) - set(members)
        if unknown:
            fact = f"no system is of type {', '.join(sorted(unknown))}"
            raise FabricError(self.fabric.path, None, fact, f"types are {', '.join(sorted(members))}")
        for type_, nodes in members.items():
            small = all(number <= 2 for node in nodes for number in node.ports)
            apart = all(self.types[plug.peer] != type_ for node in nodes for plug in node.ports.values())
            linked = any(node.ports for node in nodes)
            is_host = type_ in host_types or (
                not _SWITCHES.match(type_) and bool(_HOSTS.match(type_) or (small and apart and linked))
            )
            for node in nodes:
                node.is_switch = not is_host
        if all(node.is_switch for node in self.fabric.nodes.values()):
            remedy = f"name the type of the hosts with --host-type; types are {', '.join(sorted(members))}"
            raise FabricError(self.fabric.path, None, "no system looks like a host", remedy)

    def note_renumbered(self):
        """Notes on switches of several devices; a host's ports have no numbers that matter."""
        for name, ends in self.ends.items():
            if (node := self.fabric.nodes[name]).is_switch and node.is_renumbered:
                shown = ", ".join(_in_order(ends)[:3])
                self.fabric.notes.append(
                    f"{name} has ports such as {shown}; it is taken for one switch, with ports numbered in this order"
                )


def _numbers_of_device(ports):
    """{port: its number} if the names are those of the ports of one device; None if they are not."""
    matches = {port: _NUMBERED.fullmatch(port) for port in ports}
    if not all(matches.values()) or len({match[1] for match in matches.values()}) > 1:
        return None
    numbers = {port: int(match[2]) for port, match in matches.items()}
    found = set(numbers.values())
    return numbers if len(found) == len(ports) and min(found) >= 1 and max(found) <= 65535 else None


def _in_order(ports):
    return sorted(ports, key=_natural)


def _natural(port):
    return [
        (0, int(part), "") if part.isascii() and part.isdigit() else (1, 0, part)
        for part in re.split(r"([0-9]+)", port[:200])
        if part
    ]


def write(fabric):
    """The text of a .topo file: the hosts first, so that their order is kept, then the switches."""
    usual = fabric.usual_delay()
    lines = ["# Written by congestree", *delay_line(usual)]
    names = _single_words(fabric)
    type_of = {node.id: f"SWITCH{node.size}" if node.is_switch else "HCA" for node in fabric.nodes.values()}
    for node in sorted(fabric.nodes.values(), key=lambda n: n.is_switch):
        lines += ["", f"{type_of[node.id]} {names[node.id]}"]
        for number, plug in sorted(node.ports.items()):
            back = fabric.nodes[plug.peer].ports[plug.peer_number]
            word = word_of(plug.rate)
            if word is None or plug.rate != back.rate or (plug.delay, back.delay) != (usual, usual):
                rates = f"rate {plug.rate} bit/s back {back.rate} bit/s"
                lines.append(f"   # exactly: {rates} delay {plug.delay or 0} ps back {back.delay or 0} ps")
            arrow = "->"
            if word:
                width, speed = re.fullmatch(r"(\d+)x(\w+)", word).groups()
                arrow = f"-{width}x-{_WRITTEN[speed]}->"
            lines.append(f"   P{number} {arrow} {type_of[plug.peer]} {names[plug.peer]} P{plug.peer_number}")
    return "\n".join(lines) + "\n"


def _single_words(fabric):
    """Names without blanks and arrows, each once: the format separates words by blanks."""
    names, taken = {}, set()
    for node in fabric.nodes.values():
        name = re.sub(r"[\s>#]+", "_", node.name)
        while name in taken:
            name += "_"
        taken.add(name)
        names[node.id] = name
    return names


assert set(_WRITTEN) == set(LANE)
