"""A fabric as a file describes it: nodes with numbered ports, and the links between them.

Every reader makes a `Fabric`, every writer takes one; `scenario.py` converts it to a scenario. A node is a host or a
switch as the file describes it; a host with several linked ports becomes several hosts of the simulation, since these
have one link each.
"""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from ...reading import PlaceError, read_bytes


class FabricError(PlaceError):
    """A file of a fabric cannot be used: place, fact, remedy."""


@dataclass(eq=False)
class Plug:
    """A port of a node that has a link: what the file gives for this end."""

    node: "Node"
    number: int
    peer: str  # id of the node at the other end
    peer_number: int
    line: int
    rate: int | None = None  # bit/s away from this node; None: the file does not give it
    word: str | None = None  # its width and speed in the words of the file
    delay: int | None = None  # ps
    possible: int | None = None  # bit/s that the port could do
    masks: object = None  # widths and speeds that an ibsim file allows
    guid: int | None = None
    lid: int | None = None


@dataclass(eq=False)
class Node:
    """A host or a switch."""

    id: str
    is_switch: bool
    line: int
    description: str = ""
    size: int | None = None  # number of ports
    guid: int | None = None
    lid: int | None = None
    name: str = ""
    is_renumbered: bool = False  # its ports have other numbers than in the fabric: those are of several devices
    ports: dict[int, Plug] = field(default_factory=dict)


@dataclass(eq=False)
class Link:
    """A two-way link between the plugs of two nodes."""

    a: Plug
    b: Plug

    def rate(self):
        """The slower direction in bit/s; None if the file does not give it."""
        return min((r for r in (self.a.rate, self.b.rate) if r is not None), default=None)

    def possible(self):
        """The rate that both ports support in bit/s, if the file gives it."""
        return min((r for r in (self.a.possible, self.b.possible) if r is not None), default=None)


@dataclass(eq=False)
class Fabric:
    """Nodes by id, in the order of the file."""

    path: str
    form: str  # which format it was read from
    nodes: dict[str, Node] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)  # remarks on what a reader left out or assumed
    routes: dict | None = None  # {switch name: port numbers by host}, from forwarding tables
    delay: int | None = None  # ps, of links that give none

    def add(self, node):
        """A new node; its id must be new as well."""
        if node.id in self.nodes:
            first = self.nodes[node.id].line
            fact = f'the node "{node.id}" is described twice, first in line {first}'
            raise FabricError(self.path, node.line, fact, "keep one of the two blocks, or give one node another id")
        self.nodes[node.id] = node
        return node

    def links(self):
        """Every link once: those of hosts first, then those between switches, by node and port."""
        found, seen = [], set()
        for node in sorted(self.nodes.values(), key=lambda n: n.is_switch):
            for number, plug in sorted(node.ports.items()):
                if (node.id, number) not in seen:
                    other = self.nodes[plug.peer].ports[plug.peer_number]
                    seen.add((plug.peer, plug.peer_number))
                    found.append(Link(plug, other))
        return found

    def usual_delay(self):
        """The most common delay of a link in ps, to be written once."""
        times = Counter(p.delay for node in self.nodes.values() for p in node.ports.values() if p.delay is not None)
        return times.most_common(1)[0][0] if times else None

    def fill_in_delay(self):
        """Give every port without a delay the one that the file gives for all."""
        for node in self.nodes.values():
            for plug in node.ports.values():
                plug.delay = self.delay if plug.delay is None else plug.delay

    def settle_rates(self):
        """Both ends of a link have the same width and speed: an end that the file says nothing of has that of the
        other, and of two that differ both have the slower, with a note."""
        odd, silent = [], 0
        links = self.links()
        for link in links:
            a, b = link.a, link.b
            if a.rate is None and b.rate is None:
                silent += 1
            elif a.rate is None or b.rate is None:
                said, other = (a, b) if b.rate is None else (b, a)
                other.rate, other.word = said.rate, said.word
            elif a.word and b.word and a.rate != b.rate:
                a, b = sorted((a, b), key=lambda plug: plug.line)
                odd.append(f"lines {a.line} and {b.line} ({a.word}, {b.word})")
                slower = min(a, b, key=lambda plug: plug.rate)
                a.rate, a.word = b.rate, b.word = slower.rate, slower.word
        if odd:
            said = f"{', '.join(odd[:3])}{f' and {len(odd) - 3} more' if len(odd) > 3 else ''}"
            self.notes.append(f"the ends of a link differ in width or speed, and the slower is taken: {said}")
        if 0 < silent < len(links):
            self.notes.append(f"the file says no width and speed of {silent} of {len(links)} links: see --rate")

    def check(self):
        """Both ends of every link must agree; raises FabricError at the first that do not."""
        for node in self.nodes.values():
            for plug in node.ports.values():
                self._check(plug)

    def _check(self, plug):
        me = f'port {plug.number} of "{plug.node.id}"'
        peer = self.nodes.get(plug.peer)
        if peer is None:
            fact = f'{me} leads to "{plug.peer}", which the file does not describe'
            remedy = "the file may be cut short: describe that node, or take the line out"
            raise FabricError(self.path, plug.line, fact, remedy)
        if peer is plug.node and plug.number == plug.peer_number:
            raise FabricError(self.path, plug.line, f"{me} leads to itself", "correct one of the two port numbers")
        back = peer.ports.get(plug.peer_number)
        if back is None:
            fact = f'{me} leads to port {plug.peer_number} of "{peer.id}", where no link is described'
            remedy = f'the file may be cut short: add that port to "{peer.id}", or take the line out'
            raise FabricError(self.path, plug.line, fact, remedy)
        if (back.peer, back.peer_number) != (plug.node.id, plug.number):
            fact = (
                f'{me} leads to port {plug.peer_number} of "{peer.id}", but that one leads to port '
                f'{back.peer_number} of "{back.peer}" (line {back.line})'
            )
            raise FabricError(self.path, plug.line, fact, "correct one of the two lines")

    def note_oddities(self):
        """Notes on hosts with several links, and on links and nodes that the simulation leaves out."""
        for node in self.nodes.values():
            if node.is_switch:
                continue
            if len(node.ports) > 1:
                self.notes.append(f"{node.name} has {len(node.ports)} linked ports: each is a host of its own")
            for plug in node.ports.values():
                if not self.nodes[plug.peer].is_switch and (node.id, plug.number) < (plug.peer, plug.peer_number):
                    other = self.nodes[plug.peer].name
                    self.notes.append(f"the link from {node.name} to {other} is left out: it joins two hosts")

    def give_names(self):
        """Names for the simulation: the description of a node, or its id; the id is added if a name is not unique."""
        wanted = {node.id: _tidy(node.description) or _tidy(node.id) for node in self.nodes.values()}
        # A link end of a host with several gets a name of its own, so these names count too.
        times = Counter(wanted.values())
        taken = set()
        for node in self.nodes.values():
            name = wanted[node.id]
            if times[name] > 1 or name == "all" or name in taken:
                name = f"{name} ({_tidy(node.id)})"
            while name in taken:
                name += "'"
            taken.add(name)
            node.name = name

    def hosts(self):
        """The plugs of hosts that lead to a switch, by the name of the simulated host, in the order of the file."""
        found, taken = {}, {node.name for node in self.nodes.values()}
        for node in self.nodes.values():
            if node.is_switch:
                continue
            plugs = [plug for _, plug in sorted(node.ports.items()) if self.nodes[plug.peer].is_switch]
            for plug in plugs:
                name = node.name
                if len(plugs) > 1:
                    name = f"{node.name}/P{plug.number}"
                    while name in taken:
                        name += "'"
                    taken.add(name)
                found[name] = plug
        return found

    def switches(self):
        """The switches, in the order of the file."""
        return [node for node in self.nodes.values() if node.is_switch]

    def networks(self):
        """The parts that no link joins, as far as they have hosts: pairs of switches and hosts by name.

        Ports of one host may be in several, as in a fabric of two planes.
        """
        hosts, seen, found = defaultdict(list), set(), []
        for name, plug in self.hosts().items():
            hosts[plug.peer].append(name)
        for node in self.switches():
            part, ahead = [], [node.id]
            while ahead:
                if (switch := ahead.pop()) not in seen:
                    seen.add(switch)
                    part.append(switch)
                    peers = (plug.peer for plug in self.nodes[switch].ports.values())
                    ahead += [peer for peer in peers if self.nodes[peer].is_switch]
            if its_hosts := [name for switch in part for name in hosts[switch]]:
                found.append(([self.nodes[switch].name for switch in part], its_hosts))
        return found


_DELAY = re.compile(r"# delay of links: (\d{1,18}) ps", re.A)


def delay_line(delay):
    """A comment with the delay of all links that give none; other readers ignore it."""
    return [] if delay is None else [f"# delay of links: {delay} ps"]


def delay_in(line):
    """The delay in such a comment, or None."""
    match = _DELAY.match(line)
    return int(match[1]) if match else None


def _tidy(text):
    """Text without control characters and superfluous blanks."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def read_lines(path):
    """The lines of a text file; bytes that are not UTF-8 are kept in some form, since names may be anything."""
    data = read_bytes(path)
    if b"\0" in data:
        raise PlaceError(path, None, "this is not a text file", "name the output of a tool, as text")
    return data.decode("utf-8-sig", errors="replace").splitlines()
