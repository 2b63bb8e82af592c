"""InfraGraph descriptions of infrastructure (YAML or JSON), read; `infragraph_writer.py` writes them.

A file describes devices by their components (cpu, xpu, nic, switch, port ...) and the edges among these, and an
infrastructure by instances of devices and the edges between instances. An endpoint is an instance and a component,
each perhaps with an index or a slice: `host[0:4]`, `nic[1]`. With `one2one` the n-th of one side is joined to the n-th
of the other, with `many2many` each to each.

It is converted as follows: an instance whose edges to others end at components of the kind `port` is a switch; every
other component at the end of such an edge is a host, `host0_nic1`; the hosts of an instance are a traffic group. Edges
inside a device are counted and ignored: they are not part of the network. Bandwidths and latencies are read where they
are given.

Source: the data model of Keysight's infragraph package, 3.1.0.
"""

import json
import math
import re
import reprlib
from collections import Counter
from itertools import product

from ...errors import there_are
from ...reading import read_text
from .model import FabricError
from .rates import delay_text, rate_text

_END = re.compile(r"([^\[\]]+)(?:\[(\d+)(?::(\d+))?\])?")
_BANDWIDTH = {"gigabits_per_second": 10**9, "gigabytes_per_second": 8 * 10**9, "megabits_per_second": 10**6}
MOST = 1_000_000
"""Nodes that are read at most, and edges."""
FASTEST = 10**16
"""bit/s, at most."""
_LATENCY = {"ns": 10**3, "us": 10**6, "ms": 10**9}
LONGEST = 10**12
"""ps, at most."""


def is_infragraph(path):
    """Whether a file looks like one: it has instances and devices."""
    try:
        text = read_text(path)
    except Exception:  # the actual reader explains why it is not one
        return False
    return all(re.search(rf'^\s*"?{key}"?\s*:', text, re.M) for key in ("devices", "instances"))


class Infrastructure:
    """A file, expanded: `nodes` maps (instance, number, component, number) to the kind of the component, `edges` joins
    two of these, and `between` lists the edges between instances with their links."""

    def __init__(self, path, tree):
        self.path, self.tree = str(path), tree
        self.devices = {self.key(device, "name"): device for device in self.list(tree, "devices")}
        self.instances = {}  # name -> (device, count)
        for instance in self.list(tree, "instances"):
            name, device = self.key(instance, "name"), self.key(instance, "device")
            if device not in self.devices:
                self.fail(f"instance {name} is a device {device}, which is not described", "add it to devices")
            self.instances[name] = self.devices[device], self.count(instance, name)
        self.links = {self.key(link, "name"): link for link in self.list(tree, "links")}
        self.nodes, self.edges, self.between = {}, set(), []
        for name, (device, count) in self.instances.items():
            for number in range(count):
                self.expand(name, number, device)
        for edge in self.list(tree, "edges"):
            link = self.key(edge, "link") if edge.get("link") is not None else None
            if link is not None and link not in self.links:
                self.fail(f"an edge is of the link {link}, which is not described", there_are(link, self.links))
            for a, b in self.pairs(edge, self.between_ends):
                self.between.append((a, b, link))
                self.edges.add(frozenset((a, b)))

    def fail(self, fact, remedy):
        """Raises FabricError."""
        raise FabricError(self.path, None, fact, remedy)

    def key(self, entry, name):
        """A required value of an entry, as text."""
        if not isinstance(entry, dict) or not isinstance(entry.get(name), str):
            self.fail(f"an entry has no {name}: {reprlib.repr(entry)}", f"give every entry a {name}")
        return entry[name]

    def list(self, entry, name):
        """A list of tables of an entry, perhaps absent."""
        found = entry.get(name) or []
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            self.fail(f"{name} is not a list of entries", "write a list of entries")
        return found

    def table(self, entry, name):
        """A table of an entry, perhaps absent."""
        found = entry.get(name) or {}
        if not isinstance(found, dict):
            self.fail(f"{name} is no entry: {reprlib.repr(found)}", "write names and values")
        return found

    def count(self, entry, name):
        """A number of things."""
        count = entry.get("count", 1)
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MOST:
            self.fail(f"the count of {name} is {count!r}", f"write a whole number from 1 to {MOST}")
        return count

    def expand(self, instance, number, device):
        """The components of an instance, and the edges among them."""
        counts = {}
        for component in self.list(device, "components"):
            name = self.key(component, "name")
            kind = component.get("choice", "custom")
            if kind == "custom":
                kind = self.table(component, "custom").get("type", "custom")
            if not isinstance(kind, str):
                self.fail(f"component {name} is a {reprlib.repr(kind)}", "write the kind of a component as text")
            if kind == "device":
                self.fail(f"component {name} is a device of its own", "write out its components instead")
            counts[name] = self.count(component, name)
            for at in range(counts[name]):
                self.nodes[instance, number, name, at] = kind
        if len(self.nodes) > MOST:
            self.fail(f"there are more than {MOST:,} components", "describe a smaller infrastructure")

        def ends(end):
            name, chosen = self.chosen(end, "component", counts)
            return [(instance, number, name, at) for at in chosen]

        for edge in self.list(device, "edges"):
            self.edges |= {frozenset(pair) for pair in self.pairs(edge, ends)}

    def between_ends(self, end):
        """The components that an endpoint of an edge between instances means."""
        counts = {name: count for name, (_, count) in self.instances.items()}
        instance, numbers = self.chosen(end, "instance", counts)
        components = self.list(self.instances[instance][0], "components")
        of_device = {self.key(component, "name"): component.get("count", 1) for component in components}
        name, chosen = self.chosen(end, "component", of_device)
        return [(instance, number, name, at) for number in numbers for at in chosen]

    def chosen(self, end, what, counts):
        """A name, and the numbers that its index means."""
        text = self.key(end, what)
        match = _END.fullmatch(text)
        if not match or match[1] not in counts:
            self.fail(f"there is no {what} {text}", f"name one of {', '.join(list(counts)[:8])}")
        name, first, last = match.groups()
        if first is None:
            return name, range(counts[name])
        # A slice means what it means in Python; the part beyond the last element is empty.
        end = int(first) + 1 if last is None else min(int(last), counts[name])
        numbers = range(int(first), end)
        if int(first) >= counts[name]:
            self.fail(f"{text} counts from 0 to {counts[name] - 1}", "correct the index, or the count")
        return name, numbers

    def pairs(self, edge, ends):
        """The pairs that an edge joins."""
        a, b = (ends(self.table(edge, end)) for end in ("ep1", "ep2"))
        scheme = edge.get("scheme")
        more = len(a) * len(b) if scheme == "many2many" else min(len(a), len(b))
        if max(len(self.edges), len(self.between)) + more > MOST:
            self.fail(f"there are more than {MOST:,} edges", "describe a smaller infrastructure")
        if scheme == "one2one":
            return [pair for pair in zip(a, b, strict=False) if pair[0] != pair[1]]
        if scheme == "many2many":
            return [pair for pair in product(a, b) if pair[0] != pair[1]]
        return self.fail(f"an edge has the scheme {scheme!r}", "schemes are one2one and many2many")

    def oddities(self):
        """Notes on edges between instances that join other components than they seem to."""
        notes, used = [], Counter(end for a, b, _ in self.between for end in (a, b))
        shared = [end for end, times in used.items() if times > 1 and self.nodes[end] == "port"]
        if shared:
            notes.append(
                f"{len(shared)} ports have several links, as {_said(shared[0])}: each is a link of its own here"
            )
        for edge in self.list(self.tree, "edges"):
            if edge.get("scheme") != "one2one":
                continue
            ends = [self.between_ends(self.table(edge, end)) for end in ("ep1", "ep2")]
            # Ports may be left over: they are free.
            left = [end for each in ends for end in each[min(map(len, ends)) :] if self.nodes[end] != "port"]
            if left:
                sizes = " and ".join(str(len(each)) for each in ends)
                notes.append(f"one2one joins {sizes} components: {len(left)} are left out, from {_said(left[0])} on")
        return notes

    def summary(self):
        """What the file contains, counted: instances, nodes, edges, those between instances, kinds of components."""
        return {
            "instances": {name: count for name, (_, count) in self.instances.items()},
            "nodes": len(self.nodes),
            "edges": len(self.edges),
            "links_between_instances": len({frozenset((a, b)) for a, b, _ in self.between}),
            "components": dict(Counter(self.nodes.values())),
            "connected": self.connected(),
        }

    def connected(self):
        """Whether every node is reachable from every other."""
        near = {node: [] for node in self.nodes}
        for edge in self.edges:
            a, b = edge
            near[a].append(b)
            near[b].append(a)
        seen, todo = set(), list(near)[:1]
        while todo:
            node = todo.pop()
            if node not in seen:
                seen.add(node)
                todo += near[node]
        return len(seen) == len(self.nodes)

    def rate(self, link):
        """The rate of a link between instances in bit/s; None if it is not given."""
        return self.said(link, "bandwidth", _BANDWIDTH, FASTEST, least=1)

    def delay(self, link):
        """The delay of a link between instances in ps; None if it is not given."""
        return self.said(link, "latency", _LATENCY, LONGEST, least=0)

    def said(self, link, what, units, most, least):
        """A value that a link gives, in the smallest unit; None if it gives none."""
        said = self.table(self.table(self.links.get(link, {}), "physical"), what)
        choice = said.get("choice")
        if choice is None:
            return None
        number = said.get(choice) if isinstance(choice, str) and choice in units else None
        known = isinstance(number, (int, float)) and not isinstance(number, bool)
        if not known or not math.isfinite(number) or not least <= round(min(number, most) * units[choice]) <= most:
            above = "above zero" if least else "of at least zero"
            remedy = f"write a number {above} in {', '.join(units)}"
            self.fail(f"the {what} of link {link} cannot be understood: {reprlib.repr(said)}", remedy)
        return round(number * units[choice])


def _said(end):
    """A component as an edge names it: leaf[0].port[3]."""
    instance, number, component, at = end
    return f"{instance}[{number}].{component}[{at}]"


def read(path):
    """Read a file; raises FabricError."""
    text = read_text(path)
    try:
        if str(path).endswith(".json"):
            tree = json.loads(text)
        else:
            import yaml

            tree = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except ImportError:
        remedy = "install it: pip install 'congestree[formats]'; or write the file as JSON"
        raise FabricError(path, None, "reading YAML needs the package PyYAML", remedy) from None
    except Exception as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else getattr(error, "lineno", None)
        fact = f"this is no YAML: {getattr(error, 'problem', error)}"
        raise FabricError(path, line, fact, "correct the line") from None
    if not isinstance(tree, dict):
        raise FabricError(path, None, "there are neither devices nor instances", "describe an infrastructure")
    return Infrastructure(path, tree)


def numbered(name, number):
    """The name of one of several. Two that differ in name or number have different ones: a1 and 1 is no a and 11."""
    return f"{name}_{number}" if name[-1:].isdigit() or name.endswith("_") else f"{name}{number}"


def scenario_of(found, rate=100 * 10**9, delay="10 ns", name=""):
    """A scenario (a dict) of an infrastructure with uniform traffic, and notes. `rate` (bit/s) and `delay` are for
    links without values in the file."""
    switches, hosts, groups, links = {}, {}, {}, []
    silent = timeless = 0
    for a, b, link in found.between:
        ends = []
        for instance, number, component, at in (a, b):
            device = numbered(instance, number)
            if found.nodes[instance, number, component, at] == "port":
                ends.append(switches.setdefault(device, device))
                continue
            host = f"{device}_{numbered(component, at)}"
            ends.append(hosts.setdefault(host, host))
            groups.setdefault(device, [])
            if host not in groups[device]:
                groups[device].append(host)
        row = {"a": ends[0], "b": ends[1]}
        own = found.rate(link)
        silent += own is None
        if own not in (None, rate):
            row["rate"] = rate_text(own)
        later = found.delay(link)
        timeless += later is None
        if later is not None:
            row["delay"] = delay_text(later)
        links.append(row)
    if not hosts or not switches:
        fact = "no edge joins an instance with ports to one with other components"
        found.fail(fact, "describe the switches and their ports")
    # A group may not have the name of a host or a switch.
    clash = set(groups) & (set(hosts) | set(switches))
    graph = {"hosts": list(hosts), "switches": list(switches), "links": links}
    graph["groups"] = {(f"{group}_all" if group in clash else group): members for group, members in groups.items()}
    notes = found.oddities()
    if timeless:
        which = "the file says no delays" if timeless == len(links) else f"{timeless} links have no delay"
        notes.append(f"{which}: {delay} is taken for {'every link' if timeless == len(links) else 'them'}")
    if silent:
        notes.append(f"{silent} links have no bandwidth: {rate_text(rate)} is taken")
    inside = len(found.edges) - found.summary()["links_between_instances"]
    if inside:
        notes.append(f"{inside} edges inside devices are left out: they are no part of the network")
    scenario = {
        "name": name or str(found.tree.get("name") or ""),
        "topology": {"graph": graph},
        "links": {"rate": rate_text(rate), "delay": delay},
        "traffic": [{"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.3}}}],
        "measure": {"duration": "100 us"},
    }
    return scenario, notes
