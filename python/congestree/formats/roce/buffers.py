"""Buffers of SONiC switches: BUFFER_POOL, BUFFER_PROFILE, BUFFER_PG of CONFIG_DB, and the tables that go with them.

    {"BUFFER_POOL": {"ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "33554432"}},
     "BUFFER_PROFILE": {"pg_lossless_100000_5m_profile": {"pool": "ingress_lossless_pool", "size": "56320",
                        "xon": "19456", "xoff": "36864", "dynamic_th": "-3"}},
     "BUFFER_PG": {"Ethernet0|3-4": {"profile": "pg_lossless_100000_5m_profile"}},
     "CABLE_LENGTH": {"AZURE": {"Ethernet0": "5m"}}, "PORT": {"Ethernet0": {"speed": "100000"}},
     "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,4"}},
     "PFC_WD": {"Ethernet0": {"action": "drop", "detection_time": "200", "restoration_time": "200"}}}

`lossless.py` explains their meaning; BUFFER_QUEUE is in `queues.py`. References may be in brackets, as older releases
write them.
"""

import contextlib
import re
from itertools import groupby

from . import lossless, queues
from .model import BYTES, PICOSECONDS, RoceError, some, whole_units
from .scenarios import chosen

MEMORY = ("BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG")
PORTS = ("PORT_QOS_MAP", "PFC_WD")
"""Tables whose keys are ports."""
BESIDE = (queues.TABLE, "CABLE_LENGTH", "PORT", *PORTS)
FIELDS = {
    "BUFFER_POOL": {"type", "mode", "size", "xoff", "percentage"},
    "BUFFER_PROFILE": {
        "pool", "mode", "size", "xon", "xon_offset", "xoff", "dynamic_th", "static_th", "headroom_type",
        "packet_discard_action",
    },
    "BUFFER_PG": {"profile"},
    queues.TABLE: {"profile"},
}  # fmt: skip
POOL, AZURE = "ingress_lossless_pool", "AZURE"
ACTIONS = {"drop": "drop", "forward": "forward", "alert": None}
# Least and most ms of the watchdog (sonic-pfcwd.yang).
TIMES = {"detection_time": (100, 5000), "restoration_time": (100, 60_000)}
_NAME = re.compile(r"pg_lossless_(\d{1,9})_(\d{1,7})m_profile", re.ASCII)
_RANGE = re.compile(r"([0-7])(?:-([0-7]))?")


class Reader:
    """The tables of one file."""

    def __init__(self, path, document, text):
        self.path, self.document = path, document
        self.lines = text.split("\n")
        self.notes = []
        for table in (*MEMORY, *BESIDE):
            rows = document.get(table, {})
            if not isinstance(rows, dict) or not all(isinstance(row, dict) for row in rows.values()):
                self.refuse(table, f"{table} is not a table of entries", 'write {"name": {"field": "value"}}')
            for name, row in rows.items():
                for field in row if table in FIELDS else ():
                    if field not in FIELDS[table]:
                        known = ", ".join(sorted(FIELDS[table]))
                        self.refuse(field, f"{field!r} is not a field of {table}|{name}", f"its fields are {known}")
        self.document = document | {table: self.by_port(table) for table in PORTS if table in document}

    def by_port(self, table):
        """The rows of a table by port: its keys are ports, or several with commas between them."""
        found = {}
        for key, row in self.document[table].items():
            for port in key.split(","):
                if found.setdefault(port, row) != row:
                    self.refuse(key, f"{table} says two things of {port}", "keep one of them")
        return found

    def refuse(self, word, fact, remedy):
        """Complain about something; the place is the first line with this word."""
        line = next((i for i, text in enumerate(self.lines, start=1) if f'"{word}"' in text), None)
        raise RoceError(self.path, line, fact, remedy)

    def number(self, table, name, field, default=None, least=0):
        """A whole number of a table; None if it is absent."""
        row = self.document[table][name]
        if field not in row:
            return default
        text = str(row[field])
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 14 and int(text) >= least):
            remedy = f"write a whole number from {least} on"
            self.refuse(name, f"{field} of {table}|{name} is {text[:40]!r}", remedy)
        return int(text)

    def entry(self, table, text, where):
        """The name of an entry of another table: written as it is, or as [TABLE|name]."""
        name = str(text).removeprefix("[").removesuffix("]").removeprefix(f"{table}|")
        if name not in self.document.get(table, {}):
            names = ", ".join(self.document.get(table, {})) or "none"
            self.refuse(where, f"{where} names {text!r}, and {table} has no such entry", f"it has {names}")
        return name

    def note(self, text):
        """Add a note once."""
        if text not in self.notes:
            self.notes.append(text)

    def key(self, text, what):
        """Ports and priorities of an entry such as Ethernet0,Ethernet4|3-4."""
        ports, bar, span = text.partition("|")
        match = _RANGE.fullmatch(span)
        if not (ports and bar and match) or int(match[2] or match[1]) < int(match[1]):
            self.refuse(text, f"{text!r} is no {what}", "write ports and priorities, such as Ethernet0|3-4")
        return ports.split(","), set(range(int(match[1]), int(match[2] or match[1]) + 1))

    def groups(self):
        """Ports with their priorities by lossless profile: {profile: {port: [priorities]}}."""
        found = {}
        for key, row in self.document.get("BUFFER_PG", {}).items():
            ports, priorities = self.key(key, "priority group")
            profile = str(row.get("profile", "NULL"))
            if profile == "NULL":
                fact = f"{key} has no profile of its own: the switch makes one when it runs"
                self.refuse(key, fact, "take it from `show buffer information` there, or a pg_profile_lookup.ini")
            profile = self.entry("BUFFER_PROFILE", profile, key)
            if "xoff" not in self.document["BUFFER_PROFILE"][profile]:
                self.note(
                    f"{profile} bounds what lossy priorities hold at an input, which is left out: outputs do that here"
                )
                continue
            by_port = found.setdefault(profile, {})
            for port in ports:
                by_port.setdefault(port, []).extend(priorities)
        return found

    def pool_of(self, name, kind):
        """The pool of a profile, which must be of this kind."""
        pool = self.entry("BUFFER_POOL", self.document["BUFFER_PROFILE"][name].get("pool", ""), name)
        if self.document["BUFFER_POOL"][pool].get("type") != kind:
            self.refuse(name, f"{name} takes its memory from {pool}, which is no {kind} pool", f"name an {kind} pool")
        return pool

    def mode(self, name, pool):
        """Whether a profile's threshold is dynamic or static: its field decides, whatever the mode of its pool.

        SONiC's own files have lossy profiles with a `dynamic_th` in a static pool.
        """
        row, of_pool = self.document["BUFFER_PROFILE"][name], self.document["BUFFER_POOL"][pool].get("mode")
        if of_pool not in ("dynamic", "static"):
            self.refuse(pool, f"mode of BUFFER_POOL|{pool} is {of_pool!r}", "write dynamic or static")
        has = [mode for mode in ("dynamic", "static") if f"{mode}_th" in row]
        if len(has) != 1:
            fact = f"{name} should have either a dynamic_th or a static_th, and has {'both' if has else 'neither'}"
            self.refuse(name, fact, f"write {of_pool}_th alone, as its pool {pool} is {of_pool}")
        if row.get("mode", has[0]) != has[0]:
            self.refuse(name, f"mode of {name} is {row['mode']!r}, and it has a {has[0]}_th", "make them agree")
        return has[0]

    def profile(self, name, ports):
        """The profile of this name, of these ports, and the name of its pool."""
        pool = self.pool_of(name, "ingress")
        mode = self.mode(name, pool)
        speed, cable = self._line_of(name, ports)
        values = {field: self.number("BUFFER_PROFILE", name, field, 0) for field in ("xon", "xoff", "xon_offset")}
        if (size := self.number("BUFFER_PROFILE", name, "size")) is None:
            self.refuse(name, f"{name} has no size", "write the bytes that a priority group has for itself")
        threshold = {f"{mode}_th": self.number("BUFFER_PROFILE", name, f"{mode}_th", least=-20)}
        if mode == "static" and threshold["static_th"] < 0:
            self.refuse(name, f"static_th of {name} is negative", "write bytes")
        profile = lossless.Lossless(name, size, **values, **threshold, speed=speed, cable=cable)
        try:
            lossless.check(self.path, None, profile)
        except RoceError as error:
            self.refuse(name, error.fact, error.remedy)
        return profile, pool

    def _line_of(self, name, ports):
        """Speed and cable: of the ports, and of the name of the profile; they must not differ."""
        match = _NAME.fullmatch(name)
        speeds = {None: int(match[1])} if match else {}
        cables = {None: int(match[2])} if match else {}
        lengths = {port: text for row in self.document.get("CABLE_LENGTH", {}).values() for port, text in row.items()}
        for port in ports:
            if port in self.document.get("PORT", {}):
                speeds[port] = self.number("PORT", port, "speed", least=1)
            if port in lengths:
                text = str(lengths[port])
                if not (text.endswith("m") and text[:-1].isascii() and text[:-1].isdigit() and len(text) < 9):
                    self.refuse(port, f"{text[:40]!r} is not a cable length of {port}", "write metres, such as 40m")
                cables[port] = int(text[:-1])
        for what, found, unit in (("speed", speeds, " Mbit/s"), ("cable", cables, " m")):
            values = {value: port for port, value in found.items() if value is not None}
            if len(values) > 1:
                one, other = list(values.items())[:2]
                said = " and ".join(f"{value}{unit} ({port or 'its name'})" for value, port in (one, other))
                self.refuse(name, f"{name} is for one {what}, and here it is for {said}", "give each its own profile")
        return next(iter(speeds.values()), None), next(iter(cables.values()), None)

    def watchdog(self, ports):
        """The watchdog of these ports, if they have one."""
        table = self.document.get("PFC_WD", {})
        rows = {port: table[port] for port in ports if port in table}
        if not rows:
            return None
        port, row = next(iter(rows.items()))
        if len(rows) < len(ports) or any(other != row for other in rows.values()):
            self.refuse("PFC_WD", "PFC_WD does not say the same of all ports of the profile", "give them one rule")
        action = row.get("action", "drop")
        if action not in ACTIONS:
            self.refuse(port, f"action of PFC_WD|{port} is {action!r}", "write drop, forward or alert")
        if ACTIONS[action] is None:
            self.note("a watchdog that only tells of storms (alert) changes nothing and is left out")
            return None
        times = {key: f"{self.number('PFC_WD', port, key, 200, 1)} ms" for key in TIMES}
        return {"action": ACTIONS[action], **times}


def is_there(document):
    """Some of these tables is in it."""
    return any(table in document for table in MEMORY)


def read(path, document, text, profiles=(), ports=None):
    """The lossless memory of CONFIG_DB: sections of a scenario, and notes.

    `ports`: of the switches of a scenario, how many each has: the memory is counted for those of the file if it is that
    of one of them, or else for the most. Without them it is for those of the file.
    """
    reader = Reader(path, document, text)
    missing = [table for table in MEMORY if not document.get(table)]
    if missing:
        reader.refuse(None, f"there is no {' and no '.join(missing)} in it", f"all of {', '.join(MEMORY)} are needed")
    groups = reader.groups()
    if not groups:
        reader.refuse("BUFFER_PG", "no priority group is lossless: none has a profile with xoff", "name such a profile")
    name = chosen(path, "lossless profiles", groups, profiles)
    profile, pool = reader.profile(name, groups[name])
    priorities = {tuple(sorted(set(found))) for found in groups[name].values()}
    if len(priorities) > 1:
        reader.refuse("BUFFER_PG", f"ports of {name} have different lossless priorities", "give all the same")
    (priorities,) = priorities
    _check_pauses(reader, groups[name], priorities)
    size = reader.number("BUFFER_POOL", pool, "size")
    if size is None:
        fact = f"{pool} has no size: the switch works it out when it runs"
        reader.refuse(pool, fact, "take it from `show buffer information` there")
    headroom_pool = reader.number("BUFFER_POOL", pool, "xoff", 0)
    if headroom_pool and profile.size == profile.xon + profile.xoff:
        fact = f"{name} has headroom of its own in its size, and {pool} has headroom that all share (xoff)"
        reader.refuse(name, fact, f"make its size {profile.xon}, or leave out xoff of {pool}")
    others = [other for other in groups if other != name]
    if others:
        reader.note(f"all ports are like those of {name}; left out are {', '.join(others)}")
    rest = []
    with contextlib.suppress(RoceError):  # of profiles that are left out nothing is asked
        rest = [reader.profile(other, groups[other])[0] for other in others]
    most = max([profile, *rest], key=lambda each: each.xoff)
    if most.xoff > profile.xoff:
        reader.note(f"headroom is that of {most.name}, {most.xoff} B, which is enough for all ports of the file")
    ports = _ports(reader, sum(map(len, groups.values())), ports)
    sections, notes = lossless.sections(profile, size, ports, priorities, headroom_pool, most.xoff)
    notes += lossless.put_for_rate(sections, profile, rest)
    sections["switches"]["shared_memory"] |= queues.read(reader, set(priorities), size)
    if watchdog := reader.watchdog(groups[name]):
        pfc = sections["links"]["flow_control"]["pfc"]
        pfc["watchdog"] = watchdog
        if watchdog["action"] == "forward":
            pfc["losses"] = "stop"
            reader.note("a watchdog that forwards sends in spite of pauses: what finds no room ends the run (losses)")
    return sections, notes + reader.notes


def _check_pauses(reader, ports, priorities):
    """The priorities that ports pause are those with headroom; of ports that say none a note tells."""
    silent = []
    for port in ports:
        said = reader.document.get("PORT_QOS_MAP", {}).get(port, {}).get("pfc_enable")
        if said is None:
            silent.append(port)
        elif {word.strip() for word in str(said).split(",")} != set(map(str, priorities)):
            fact = f"{port} pauses the priorities {said} (pfc_enable), and has headroom for {list(priorities)}"
            reader.refuse(port, fact, "make PORT_QOS_MAP and BUFFER_PG agree")
    if silent:
        what = "it is" if len(silent) == 1 else "they are"
        fact = "without a pfc_enable in PORT_QOS_MAP would not pause on the switch"
        reader.note(f"{some(silent)} {fact}: {what} taken to pause here")


def _ports(reader, own, others):
    """The number of ports that memory is counted for: of the file, or the most of a scenario's switches."""
    if not others or own in others:
        return own
    most = max(others)
    if len({*others}) > 1:
        counts = " and ".join(map(str, sorted({*others}, reverse=True)))
        reader.note(f"the file has {own} ports, and switches of the scenario have {counts}: its memory is for {most}")
    return most


def tables(switches):
    """The tables of the switch of `Switches`; adds to their notes."""
    priorities = switches.priorities()
    spans = ",".join(map(str, priorities))
    of_port = {switches.names[port[0]]: switches.profile(port) for port in switches.ports}
    mode = "dynamic" if "dynamic" in switches.pfc["threshold"] else "static"
    found = {
        "BUFFER_POOL": {POOL: {"type": "ingress", "mode": mode, "size": str(switches.pool())}},
        "BUFFER_PROFILE": {profile.name: _fields(profile) for profile in of_port.values()},
        "BUFFER_PG": {
            f"{port}|{span}": {"profile": profile.name}
            for port, profile in of_port.items()
            for span in _spans(priorities)
        },
        "CABLE_LENGTH": {AZURE: {port: f"{profile.cable}m" for port, profile in of_port.items()}},
        "PORT": {port: {"speed": str(profile.speed)} for port, profile in of_port.items()},
        "PORT_QOS_MAP": {port: {"pfc_enable": spans} for port in of_port},
    }
    if given := switches.shared.get("headroom_pool"):
        found["BUFFER_POOL"][POOL]["xoff"] = str(int(whole_units(given, BYTES, "B")))
    for table, rows in queues.tables(switches, of_port, _spans).items():
        found[table] = found.get(table, {}) | rows
    if watchdog := switches.pfc.get("watchdog"):
        row = {"action": watchdog["action"]} | {key: _time(watchdog, key, switches.notes) for key in TIMES}
        found["PFC_WD"] = dict.fromkeys(of_port, row)
    for key in ("frame", "response", "pause_duration", "counts", "storms"):
        if key == "response" and not switches.shared.get("headroom"):
            continue  # the headroom counts it
        if switches.pfc.get(key) not in (None, "0 ns", "0 ps", "64 B", "until-xon", "input", []):
            switches.notes.append(f"links.flow_control.pfc.{key} has no place in these tables")
    return found


def _time(watchdog, key, notes):
    """A time of the watchdog in ms, as SONiC takes it; with a note if it is another than the scenario's."""
    time, (least, most) = whole_units(watchdog[key], PICOSECONDS, "ms"), TIMES[key]
    nearest = min(max(round(time), least), most)
    if nearest != time:
        why = "" if least <= time <= most else f": SONiC takes {least} to {most} ms"
        notes.append(f"{key} is {nearest} ms, and the scenario has {watchdog[key]}{why}")
    return str(nearest)


def _fields(profile):
    fields = {"pool": POOL, "size": profile.size, "xon": profile.xon, "xoff": profile.xoff}
    fields |= {"xon_offset": profile.xon_offset} if profile.xon_offset else {}
    kind = "dynamic_th" if profile.dynamic_th is not None else "static_th"
    fields[kind] = getattr(profile, kind)
    return {field: str(value) for field, value in fields.items()}


def _spans(priorities):
    """Numbers in a row as ranges: 3-4."""
    runs = groupby(enumerate(priorities), key=lambda pair: pair[1] - pair[0])
    spans = [[priority for _, priority in run] for _, run in runs]
    return [f"{span[0]}-{span[-1]}" if len(span) > 1 else str(span[0]) for span in spans]
