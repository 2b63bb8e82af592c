"""Fabrics as `ibnetdiscover` prints them and as `ibsim` reads them: one reader for both, and a writer.

A node is a line with its kind, number of ports and id, and its linked ports follow, one a line; a blank line ends it:

    Switch  36 "S-00a10000000000c1"        # "leaf-1" enhanced port 0 lid 7 lmc 0
    [1]  "H-00b2000000000011"[1](b2000000000012)   # "node11 mlx5_0" lid 19 4xHDR

ibnetdiscover gives names, LIDs, width and speed in comments. An ibsim net file may omit all of that, and may give
widths and speeds by `width=`, `speed=` lines and `w=`, `s=` options. These are bit masks of what a port supports (1 is
1x, 2 is 4x, 4 is 8x, 8 is 12x; 1 is SDR, 2 is DDR, 4 is QDR), and a link uses the best that both ends support.
`include "FILE"` is followed, relative to the file; `do` commands are ignored.

Rates that no width and speed can express are written by us as `rate 20000000000 bit/s` at the end of the comment, and
delays as `delay 5000 ps`, or once for all in a comment line `# delay of links: 5000 ps`, so that any scenario's fabric
can be written and read again; other readers ignore them.

Source: the ibnetdiscover manual page (topology file format) and the comments and behaviour of ibsim's net files.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from .model import Fabric, FabricError, Node, Plug, delay_in, delay_line, read_lines
from .rates import RATES, SIGNALLING, rate_of, rate_text, word_in, word_of

NAMES = ("ibnetdiscover", "ibsim")

_HEADER = re.compile(r'(Switch|Hca|Ca|Rt)\b[^"\d]*(\d+)\s*"([^"]*)"(.*)', re.A)
_BEGINS = re.compile(r"(Switch|Hca|Ca|Rt)\b", re.A)
_PORT = re.compile(
    r"\[(?P<number>\d+)\]\s*(?:\[ext[^\]]*\]\s*)?(?:\((?P<guid>[0-9a-fA-Fx]+)\)\s*)?"
    r'"(?P<peer>[^"]*)"\s*(?:\[(?P<peer_number>\d+)\]\s*)?(?:\[ext[^\]]*\]\s*)?(?:\((?P<peer_guid>[0-9a-fA-Fx]+)\)\s*)?'
    r"(?P<rest>.*)",
    re.A,
)
_GUIDS = re.compile(r"(switchguid|caguid|hcaguids|rtguid)\s*[=+]\s*(0x[0-9a-fA-F]+|\d+)", re.A)
# Lines about the node or chassis, which say nothing of links.
_SILENT = re.compile(r"\s*((vendid|devid|sysimgguid|portguid)\s*=|(Non-)?Chassis\b)", re.A)
_MASKS = re.compile(r"(width|speed)\s*=\s*(\S*)", re.A)
_LID = re.compile(r"\blid (0x[0-9a-fA-F]+|\d+)", re.A)
# What stands where ibnetdiscover writes width and speed, and begins as these do: 4xGDR, 4x undefined (16), 4x???.
_UNREAD = re.compile(r"\s*lid \S+\s+((?:\d+[xX]|\?).*)", re.A)
_EXACT_RATE = re.compile(r"\brate (\d+) bit/s", re.A)
_EXACT_DELAY = re.compile(r"\bdelay (\d+) ps", re.A)
_COULD_BE = re.compile(r"Could be\s+(?:(\d+)[xX])?\s*(?:([A-Z][A-Z0-9]+)|([\d.]+)\s*Gbps)?", re.A)
_WIDTH_BITS = ((8, 12), (4, 8), (2, 4), (1, 1))
_SPEED_BITS = ((4, "QDR"), (2, "DDR"), (1, "SDR"))
_MOST_INCLUDED = 16
_AGGREGATION = re.compile(r"\bAggregation Node\b")
_KINDS = {"Switch": "switchguid", "Hca": "hcaguids", "Ca": "caguid", "Rt": "rtguid"}


def read(path):
    """The fabric of a file; raises FabricError with the line of whatever cannot be understood."""
    fabric = Fabric(str(path), "ibnetdiscover")
    reader = _Reader(fabric)
    reader.read(Path(path), ())
    if not fabric.nodes:
        fact = "no node is described: no line begins with Switch, Ca, Hca or Rt"
        raise FabricError(path, None, fact, "give the output of ibnetdiscover, or a net file of ibsim")
    reader.note_unknown()
    fabric.check()
    _leave_out_aggregation(fabric)
    reader.settle_unread()
    fabric.fill_in_delay()
    fabric.settle_rates()
    _settle_masks(fabric)
    return fabric


@dataclass
class _Masks:
    """The widths and speeds that a port of an ibsim file supports."""

    width: int = 3
    speed: int = 1


class _Reader:
    def __init__(self, fabric):
        self.fabric = fabric
        self.node = None
        self.masks = _Masks()
        self.guid = None
        self.unknown = []  # lines, each with its place
        self.unread = []  # ends whose width and speed cannot be understood: the plug, its file, and the words

    def read(self, path, above):
        if len(above) >= _MOST_INCLUDED or path in above:
            raise FabricError(path, None, "the file includes itself", "take one `include` out")
        for number, line in enumerate(read_lines(path), 1):
            try:
                self.line(line.rstrip(), number, path, above)
            except FabricError:
                raise
            except ValueError:
                fact = "a number in this line has too many digits, or characters that are none"
                raise FabricError(path, number, fact, "correct the line") from None

    def line(self, line, number, path, above):
        if not line.strip():
            self.node = None
        elif line.startswith("#"):
            self.fabric.delay = delay_in(line) if delay_in(line) is not None else self.fabric.delay
        elif line.startswith("[") and (self.node is not None or line[1:2].isdigit()):
            self.port(line, number, path)
        elif line.startswith("@"):
            remedy = "write the port and the node that the alias stands for"
            raise FabricError(path, number, "port aliases are not understood", remedy)
        elif _BEGINS.match(line):
            self.header(line, number, path)
        else:
            self.node = None
            self.directive(line, number, path, above)

    def directive(self, line, number, path, above):
        if match := _GUIDS.match(line):
            self.guid = (match[1], int(match[2], 0))
        elif match := _MASKS.match(line):
            most = 15 if match[1] == "width" else 7
            setattr(self.masks, match[1], _mask(match[2], most, number, path))
        elif line.startswith("include"):
            name = re.search(r'"([^"]+)"', line)
            if not name:
                raise FabricError(path, number, "the name of the included file is missing", 'write include "FILE"')
            self.read(path.parent / name[1], (*above, path))
        elif line.startswith("module"):
            remedy = "write the nodes of the module out, with their full ids"
            raise FabricError(path, number, "modules are not understood", remedy)
        elif re.match(r"do\b", line):
            self.fabric.notes.append(f"{path}:{number}: the command `{line[:60]}` was left out")
        elif not _SILENT.match(line):
            self.unknown.append(f"{path}:{number}: `{line.strip()[:60]}`")

    def note_unknown(self):
        """A note on lines that say nothing that is known."""
        if self.unknown:
            more = f", with {len(self.unknown) - 1} more" if len(self.unknown) > 1 else ""
            self.fabric.notes.append(f"{self.unknown[0]} is no line that is known, and was left out{more}")

    def header(self, line, number, path):
        match = _HEADER.match(line)
        if not match:
            remedy = 'write such as: Switch 36 "S-00a10000000000c1" # "leaf-1"'
            raise FabricError(
                path, number, "this is not a description of a node: the number of ports or the id is missing", remedy
            )
        kind, size, id_, rest = match.groups()
        if not id_.strip():
            raise FabricError(path, number, "the id of the node is empty", "write an id in the quotation marks")
        if not 1 <= int(size) <= 65535:
            raise FabricError(path, number, f'"{id_}" has {size} ports', "write a number of ports from 1 to 65535")
        node = Node(id=id_, is_switch=kind == "Switch", line=number, size=int(size))
        comment = rest.partition("#")[2].strip()
        quoted = re.match(r'"([^"]*)"', comment)
        plain = re.split(r" (?:enhanced port|base port|lid|lmc) ", f"{comment} ")[0]
        node.description = quoted[1] if quoted else plain.strip()
        lid = _LID.search(comment[quoted.end() :] if quoted else comment)
        node.lid = int(lid[1], 0) if lid else None
        node.guid = _guid_in(id_)
        if node.guid is None and self.guid and self.guid[0] in (_KINDS[kind], "caguid" if kind == "Hca" else None):
            node.guid = self.guid[1]
        self.guid = None
        if kind == "Rt":
            self.fabric.notes.append(f'{path}:{number}: the router "{id_}" is taken for a host')
        self.node = self.fabric.add(node)

    def port(self, line, number, path):
        if self.node is None:
            remedy = "put it right below the line of its node, without a blank line between"
            raise FabricError(path, number, "this port belongs to no node", remedy)
        match = _PORT.match(line)
        if not match:
            remedy = 'write such as: [1] "S-00a10000000000c1"[19]'
            raise FabricError(path, number, "this port cannot be understood, or its line is cut short", remedy)
        node, local = self.node, int(match["number"])
        if not 1 <= local <= node.size:
            fact = f'"{node.id}" has {node.size} ports, numbered from 1, so there is no port {local}'
            raise FabricError(path, number, fact, "correct the number of the port, or of the node's ports")
        if local in node.ports:
            fact = f'port {local} of "{node.id}" has a link already, in line {node.ports[local].line}'
            raise FabricError(path, number, fact, "a port has one link: correct one of the numbers")
        plug = Plug(node, local, match["peer"], int(match["peer_number"] or 1), number)
        options, _, comment = match["rest"].partition("#")
        after_names = comment.rpartition('"')[2]
        plug.masks = self.options(options, number, path)
        said = after_names.partition("Could be")[0]
        if word := word_in(said):
            plug.rate, plug.word = RATES[word], word
        if exact := _EXACT_RATE.search(after_names):
            plug.rate, plug.word = int(exact[1]), None
        elif not word and (unread := _UNREAD.match(said)):
            self.unread.append((plug, path, unread[1].strip()))
        if exact := _EXACT_DELAY.search(after_names):
            plug.delay = int(exact[1])
        plug.possible = _possible(after_names, word)
        plug.guid = int(match["guid"], 16) if match["guid"] else None
        if not node.is_switch:
            lid = _LID.search((comment if comment else options).partition('"')[0])
            plug.lid = int(lid[1], 0) if lid else None
        node.ports[local] = plug

    def settle_unread(self):
        """Ends without a known width and speed have those of the other end; raises FabricError if it has none."""
        for plug, path, words in self.unread:
            peer = self.fabric.nodes.get(plug.peer)
            if peer is None or self.fabric.nodes.get(plug.node.id) is None:
                continue  # an aggregation node, which is left out
            other = peer.ports[plug.peer_number]
            fact = f"{words[:60]!r} is no width and speed that is known"
            if other.rate is None:
                remedy = "write such as 4xHDR, or take the words out at both ends and give --rate"
                raise FabricError(path, plug.line, fact, remedy)
            self.fabric.notes.append(
                f"{path}:{plug.line}: {fact}; the other end says {other.word or rate_text(other.rate)}"
            )

    def options(self, text, number, path):
        width, speed = self.masks.width, self.masks.speed
        for name, value in re.findall(r"\b([A-Za-z]\w*)\s*=\s*(\S*)", text):
            if name.startswith("w"):
                width = _mask(value, 15, number, path)
            elif name.startswith("s"):
                speed = _mask(value, 7, number, path)
            else:
                fact = f"there is no option {name} of a port"
                raise FabricError(path, number, fact, "options are w=WIDTH and s=SPEED")
        return _Masks(width, speed)


def _mask(text, most, number, path):
    value = int(text, 0) if re.fullmatch(r"0x[0-9a-fA-F]+|[1-9][0-9]{0,3}|0", text) else -1
    if not 1 <= value <= most:
        fact = f'"{text}" is no width or speed'
        raise FabricError(path, number, fact, f"write the sum of what is enabled, from 1 to {most}")
    return value


def _possible(comment, word):
    """The fastest rate that a port supports, according to a port report; `word`: the width and speed that it has."""
    match = _COULD_BE.search(comment)
    if not match or not any(match.groups()):
        return None
    own_width, own_speed = word.split("x") if word else ("4", None)
    width = match[1] or own_width
    speed = match[2] or SIGNALLING.get(match[3] or "") or own_speed
    return RATES.get(f"{width}x{speed}")


def _leave_out_aggregation(fabric):
    """Switches of SHARP show what sums up inside them as an adapter at a port of their own: no host, and no cable."""
    gone = [node for node in fabric.nodes.values() if not node.is_switch and _AGGREGATION.search(node.description)]
    for node in gone:
        for plug in node.ports.values():
            del fabric.nodes[plug.peer].ports[plug.peer_number]
        del fabric.nodes[node.id]
    if gone:
        many = f"{len(gone)} aggregation node{'s' if len(gone) > 1 else ''}"
        fabric.notes.append(f"{many} of switches (SHARP) left out: what sums up inside a switch is no host")


def _settle_masks(fabric):
    """Rates of links in files that do not give the speed in words: the best that both ends support."""
    plugs = [plug for node in fabric.nodes.values() for plug in node.ports.values()]
    if any(plug.rate is not None for plug in plugs):
        return
    fabric.form = "ibsim"
    for plug in plugs:
        other = fabric.nodes[plug.peer].ports[plug.peer_number]
        width = next((w for bit, w in _WIDTH_BITS if plug.masks.width & other.masks.width & bit), None)
        speed = next((s for bit, s in _SPEED_BITS if plug.masks.speed & other.masks.speed & bit), None)
        if width is None or speed is None:
            fact = f'port {plug.number} of "{plug.node.id}" and its peer have no width or speed in common'
            raise FabricError(fabric.path, plug.line, fact, "correct w= or s= at one of them")
        plug.rate = rate_of(width, speed)
    if all(plug.masks == _Masks() for plug in plugs):
        fabric.notes.append("the file says no widths and speeds: all links are taken to have the same, see --rate")
        for plug in plugs:
            plug.rate = None


def _guid_in(id_):
    match = re.fullmatch(r"[SHR]-([0-9a-fA-F]{1,16})", id_)
    return int(match[1], 16) if match else None


def write(fabric):
    """The text of a topology file for a fabric whose nodes have names, guids and LIDs."""
    usual = fabric.usual_delay()
    lines = ["# Topology file: written by congestree", *delay_line(usual)]
    for node in fabric.nodes.values():
        lines.append("")
        kind = "switch" if node.is_switch else "ca"
        lines.append(f"{kind}guid=0x{node.guid:x}" + (f"({node.guid:x})" if node.is_switch else ""))
        if node.is_switch:
            lines.append(f'Switch\t{node.size} "{node.id}"\t\t# "{node.name}" enhanced port 0 lid {node.lid} lmc 0')
        else:
            lines.append(f'Ca\t{node.size} "{node.id}"\t\t# "{node.name}"')
        for number, plug in sorted(node.ports.items()):
            peer = fabric.nodes[plug.peer]
            there = peer.ports[plug.peer_number]
            own = "" if node.is_switch else f"({plug.guid:x})"
            far = "" if peer.is_switch else f"({there.guid:x})"
            lid = there.lid if peer.lid is None else peer.lid
            said = f'"{peer.name}" lid {lid} {_speed(plug, there, usual)}'
            if not node.is_switch:
                said = f"lid {plug.lid} lmc 0 {said}"
            lines.append(f'[{number}]{own}\t"{plug.peer}"[{plug.peer_number}]{far}\t\t# {said}')
    return "\n".join(lines) + "\n"


def _speed(plug, other, usual):
    word = word_of(plug.rate)
    # Of ends with different words a reader takes the slower.
    exact = [] if word and plug.rate == other.rate else [f"rate {plug.rate} bit/s"]
    if plug.delay != usual:
        exact.append(f"delay {plug.delay} ps")
    return " ".join(([word] if word else []) + exact)
