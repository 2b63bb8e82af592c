"""Forwarding tables as OpenSM and its tools dump them: `opensm-lfts.dump`, `ibroute`, `dump_lfts.sh`; read and written.

Each switch has a header and a row for every LID that it can reach:

    Unicast lids [0x0-0x30] of switch Lid 7 guid 0x00a10000000000c1 ('leaf-1'):
    0x0013 001 # Channel Adapter portguid 0x00b2000000000012: 'node11 mlx5_0'

A switch is recognised by its GUID, else by its LID, else by its name; the destination of a row by its LID as the
topology has it, else by the GUID of the port, else by its name. Rows for LIDs of switches, and for the further LIDs of
a host that has several (LMC above 0), are not needed here. Port 0 is the switch itself and 255 no route.

Source: OpenSM's documentation of modular routing, and the output of ibroute.
"""

import re
from collections import Counter

from .model import FabricError, read_lines

_HEADER = re.compile(r"Unicast lids\b.*?\bof switch\b(?:.*?\b[Ll]id (?P<lid>\d{1,9}))?(?P<rest>.*)", re.A)
_GUID = re.compile(r"\bguid (0x[0-9a-fA-F]+)", re.A)
_NAME = re.compile(r"\((?:'(.*)'|(.*))\)\s*:?\s*$", re.A)
_ROW = re.compile(r"(0x[0-9a-fA-F]{1,8})\s+(\d{1,3})(?!\d)(.*)", re.A)
_PORTGUID = re.compile(r"(?:portguid|guid) (0x[0-9a-fA-F]+)", re.A)
_OF_SWITCH = re.compile(r"[\s:#(]*Switch\b", re.A)
_ROW_NAME = re.compile(r"'(.*)'", re.A)
_SAME = "take topology and tables from the same fabric, at the same time"
SWITCH = object()
"""What is beyond a port: a switch. (Hosts are beyond theirs by name.)"""


def read(path, fabric):
    """Puts the tables of a dump into `fabric.routes`: {switch name: port number for each host, 0 where none is}."""
    tables = _Tables(path, fabric)
    for number, line in enumerate(read_lines(path), 1):
        tables.line(line.strip(), number)
    if not tables.routes:
        remedy = "give opensm-lfts.dump, or the output of ibroute or dump_lfts.sh"
        raise FabricError(path, None, "there is no forwarding table: no line begins with Unicast lids", remedy)
    tables.finish()
    fabric.routes = tables.routes


class _Tables:
    def __init__(self, path, fabric):
        self.path, self.fabric = path, fabric
        self.hosts = fabric.hosts()
        self.position = {name: at for at, name in enumerate(self.hosts)}
        self.by_lid = {plug.lid: name for name, plug in self.hosts.items() if plug.lid is not None}
        self.by_guid = {plug.guid: name for name, plug in self.hosts.items() if plug.guid is not None}
        switches = fabric.switches()
        self.switch_by_guid = {node.guid: node for node in switches if node.guid is not None}
        self.switch_by_lid = {node.lid: node for node in switches if node.lid is not None}
        self.switch_names = _unique(switches)
        self.host_names = _unique_hosts(self.hosts)
        self.here_by_plug = {(plug.node.id, plug.number): name for name, plug in self.hosts.items()}
        self.destinations = {}  # LID -> host name or None
        self.understood = {}  # row -> host name or None, and port: the same rows stand in the tables of many switches
        self.routes = {}
        self.switch = None
        self.unknown, self.dead = Counter(), Counter()

    def line(self, line, number):
        if line.startswith("Unicast lids"):
            self.header(line, number)
        elif line.startswith("0x"):
            self.row(line, number)

    def header(self, line, number):
        match = _HEADER.match(line)
        guid = _GUID.search(line)
        name = _NAME.search(line)
        name = (name[1] or name[2] or "").strip() if name else ""
        if not match or not (guid or match["lid"] or name):
            remedy = "write such as: Unicast lids [0x0-0x30] of switch Lid 7 guid 0x00a1 ('leaf-1'):"
            raise FabricError(self.path, number, "this header names no switch, or is cut short", remedy)
        node = self.switch_by_guid.get(int(guid[1], 16)) if guid else None
        if node is None and match["lid"] and int(match["lid"]) != 0:
            node = self.switch_by_lid.get(int(match["lid"]))
            if node and guid and node.guid is not None:
                node = None
        if node is None:
            node = _named(self.switch_names, name)
        if node is None:
            shown = name or (guid and guid[1]) or f"LID {match['lid']}"
            fact = f"the switch {shown} is not in {self.fabric.path}"
            raise FabricError(self.path, number, fact, _SAME)
        if node.is_renumbered:
            fact = f"{node.name} of {self.fabric.path} is a system of several devices, and tables are of one"
            remedy = "take the topology from ibnetdiscover, which has every device, or leave out --routes"
            raise FabricError(self.path, number, fact, remedy)
        if node.name in self.routes:
            fact = f"the tables of {node.name} stand here twice"
            raise FabricError(self.path, number, fact, "keep one of the two")
        self.switch, self.behind = node, {}
        self.ports = self.routes[node.name] = [0] * len(self.hosts)

    def row(self, line, number):
        if line not in self.understood:
            self.understood[line] = self.meaning(line, number)
        if self.switch is None:
            remedy = "put the header that names the switch before its rows"
            raise FabricError(self.path, number, "this row belongs to no switch", remedy)
        host, port = self.understood[line]
        if host is None or port in (0, 255):
            return
        if port not in self.behind:
            self.behind[port] = self.beyond(port, number)
        there = self.behind[port]
        if there not in (SWITCH, host):
            if there is None:
                self.dead[self.switch.name, port] += 1
                return
            fact = f"{self.switch.name} sends what is for {host} to another host, {there}"
            raise FabricError(self.path, number, fact, _SAME)
        self.ports[self.position[host]] = port

    def meaning(self, line, number):
        """The host that a row is about, or None, and its port."""
        match = _ROW.match(line)
        if not match:
            remedy = "write such as: 0x0013 001 # Channel Adapter portguid 0x00b2: 'node11'"
            raise FabricError(self.path, number, "this row cannot be understood, or is cut short", remedy)
        lid, port, rest = int(match[1], 16), int(match[2]), match[3]
        if lid not in self.destinations:
            self.destinations[lid] = self.destination(lid, rest, number)
        return self.destinations[lid], port

    def beyond(self, port, number):
        """What a port of the switch leads to: SWITCH, a host by its name, or None if it has no link."""
        plug = self.switch.ports.get(port)
        if plug is None:
            if self.switch.size is not None and port > self.switch.size:
                fact = f"{self.switch.name} has {self.switch.size} ports, so there is no port {port}"
                raise FabricError(self.path, number, fact, _SAME)
            return None
        if self.fabric.nodes[plug.peer].is_switch:
            return SWITCH
        return self.here_by_plug.get((plug.peer, plug.peer_number), plug.peer)

    def destination(self, lid, rest, number):
        """The host that a row is about; None if it is about something else."""
        guid = _PORTGUID.search(rest)
        name = _ROW_NAME.search(rest)
        found = self.by_lid.get(lid)
        if found is None and guid:
            found = self.by_guid.get(int(guid[1], 16))
            if found and self.hosts[found].lid is not None:
                return None  # a further LID of a host
        elif found and guid and (plug := self.hosts[found]).guid is not None and int(guid[1], 16) != plug.guid:
            fact = f"LID {lid} is {found} in the topology and {name[1] if name else guid[1]} here"
            raise FabricError(self.path, number, fact, _SAME)
        if found is None and name and not _OF_SWITCH.match(rest):
            found = _named(self.host_names, name[1])
        if found is None and not _OF_SWITCH.match(rest) and lid not in self.switch_by_lid:
            self.unknown[lid] += 1
        return found

    def finish(self):
        if not any(any(ports) for ports in self.routes.values()):
            remedy = "take topology and tables from the same fabric; LIDs, port GUIDs or names must agree"
            raise FabricError(self.path, None, "no row leads to a host of the topology", remedy)
        notes = self.fabric.notes
        if self.unknown:
            notes.append(f"{self.path}: {len(self.unknown)} LIDs are of no host in the topology and were left out")
        for (switch, port), rows in self.dead.items():
            notes.append(f"{self.path}: {switch} sends {rows} hosts' packets out of port {port}, which has no link")
        missing = [node.name for node in self.fabric.switches() if node.name not in self.routes]
        if missing:
            shown = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
            notes.append(f"{self.path}: there is no table for {shown}; shortest paths are taken there")


def _named(names, word):
    """The node that a name refers to; a .topo file has "_" where a name had blanks."""
    return names.get(word) or names.get("_".join(word.split()))


def _unique(nodes):
    """{name: node} by description and by name, where that is unique."""
    times = Counter(word for node in nodes for word in {node.description, node.name, node.id})
    return {w: node for node in nodes for w in {node.description, node.name, node.id} if w and times[w] == 1}


def _unique_hosts(hosts):
    words = {name: {name, plug.node.description, plug.node.name} for name, plug in hosts.items()}
    times = Counter(word for all_ in words.values() for word in all_)
    return {word: name for name, all_ in words.items() for word in all_ if word and times[word] == 1}


def holes(fabric):
    """Number of routes that the tables leave open."""
    hosts = len(fabric.hosts())
    return sum(hosts if n.name not in fabric.routes else fabric.routes[n.name].count(0) for n in fabric.switches())


def write(fabric):
    """The text of a dump in OpenSM's form, for a fabric with routes, names, guids and LIDs."""
    hosts = fabric.hosts()
    lids = [(plug.lid, plug.guid, name) for name, plug in hosts.items()]
    top = max([lid for lid, _, _ in lids] + [node.lid for node in fabric.switches()])
    lines = []
    for node in fabric.switches():
        lines.append(f"Unicast lids [0x0-0x{top:x}] of switch Lid {node.lid} guid 0x{node.guid:016x} ('{node.name}'):")
        rows = 0
        for (lid, guid, name), port in zip(lids, fabric.routes[node.name], strict=True):
            if port:
                lines.append(f"0x{lid:04x} {port:03d} # Channel Adapter portguid 0x{guid:016x}: '{name}'")
                rows += 1
        lines.append(f"{rows} lids dumped")
    return "\n".join(lines) + "\n"
