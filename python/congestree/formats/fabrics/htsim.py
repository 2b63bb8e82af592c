"""Fat trees of htsim (`.topo`), in and out.

    Nodes 128
    Tiers 3
    Podsize 16

    Tier 0
    Downlink_speed_Gbps 100
    Radix_Down 4
    Radix_Up 4
    Downlink_Latency_ns 1000

Tier 0 are the switches of the hosts; `Downlink_...` is about the links below a tier, `Bundle` says how many of these
run side by side. Names may be in any case, and words after the number are passed over. Such a tree becomes the topology
`clos`. `Switch_Latency_ns` becomes the forwarding delay, which is one for all switches here; `Queue_Up` and
`Queue_Down` (bytes) belong to links that lose, and are left out with a note.

The radices and speeds say how much slower a tier is upwards, and htsim wants to be told as well: it counts the
switches above a tier from `Oversubscribed` (1 if left out), and does not read a tree whose radices make other counts.

Source: the readers of uet-htsim (`fat_tree_topology.cpp`) and the files that come with it.
"""

from dataclasses import dataclass, field
from itertools import pairwise

from .model import FabricError, read_lines

_HEAD = ("Nodes", "Tiers", "Podsize")
_TIER = ("Downlink_speed_Gbps", "Radix_Down", "Radix_Up", "Downlink_Latency_ns", "Switch_Latency_ns", "Bundle",
         "Oversubscribed", "Queue_Up", "Queue_Down")  # fmt: skip
_OF_TIERS = {name.lower() for name in _TIER}
_KNOWN = {*(name.lower() for name in _HEAD), "tier", *_OF_TIERS}
MOST_TIERS = 3


@dataclass
class FatTree:
    """A file: its three counts, and the values of each tier by lower-case name."""

    path: str
    nodes: int = 0
    podsize: int = 0
    tiers: list[dict] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def row(self):
        """All values under the names that a table of them has."""
        found = {"nodes": self.nodes, "tiers": len(self.tiers), "podsize": self.podsize}
        for number, tier in enumerate(self.tiers):
            found |= {f"t{number}_{name}": value for name, value in tier.items()}
        return found


def is_htsim(path):
    """Whether a file looks like one: it begins with a number of nodes, and has tiers."""
    try:
        words = [line.split("#")[0].split() for line in read_lines(path)]
    except Exception:  # the actual reader explains why it is not one
        return False
    first = [line[0].lower() for line in words if line][:3]
    return first[:1] != ["tier"] and "nodes" in first and "tiers" in first


def read(path):
    """Read a file; raises FabricError."""
    tree, tier, expected = FatTree(str(path)), None, None
    for number, line in enumerate(read_lines(path), 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        name = words[0].lower()
        if len(words) < 2 or name not in _KNOWN:
            remedy = f"lines are a name and a number; names are {', '.join((*_HEAD, 'Tier', *_TIER))}"
            raise FabricError(path, number, f"{line.strip()!r} says nothing that is known", remedy)
        value = _whole(path, number, *words[:2])
        if name == "tier":
            if value != len(tree.tiers):
                raise FabricError(
                    path, number, f"tier {value} comes after {len(tree.tiers)} tiers", "write them in order"
                )
            tier = {}
            tree.tiers.append(tier)
        elif name in _OF_TIERS:
            if tier is None:
                raise FabricError(path, number, f"{words[0]} stands before any tier", "write Tier 0 above it")
            if name in tier:
                fact = f"{words[0]} of tier {len(tree.tiers) - 1} is given twice"
                raise FabricError(path, number, fact, "write it once")
            tier[name] = value
        elif name == "tiers":
            expected = value
        elif name == "nodes":
            tree.nodes = value
        else:
            tree.podsize = value
    _check(tree, expected)
    return tree


def _whole(path, number, name, text):
    most = 10**9 if name.lower().startswith("queue") else 10**7
    if not text.isascii() or not text.isdigit() or int(text[:11]) > most:
        raise FabricError(path, number, f"{name} is {text}", f"write a whole number up to {most:,}")
    return int(text)


def _check(tree, expected):
    if expected != len(tree.tiers) or not 2 <= len(tree.tiers) <= MOST_TIERS:
        fact = f"{expected or 'no'} tiers are announced, and {len(tree.tiers)} described"
        raise FabricError(tree.path, None, fact, f"describe 2 or {MOST_TIERS}, from tier 0 on")
    for number, tier in enumerate(tree.tiers):
        wanted = ["downlink_speed_gbps", "radix_down", *(["radix_up"] if number + 1 < len(tree.tiers) else [])]
        for name in wanted:
            if not tier.get(name):
                raise FabricError(tree.path, None, f"tier {number} has no {name}", "write it, above zero")
    for name in sorted({"radix_up", "queue_up"} & set(tree.tiers[-1])):
        fact = f"tier {len(tree.tiers) - 1} has a {name}, and nothing is above it"
        if len(tree.tiers) == MOST_TIERS:
            raise FabricError(tree.path, None, fact, "leave it out")
        tree.notes.append(fact)  # htsim passes over it
    down, _, _ = _shape(tree)
    pod = 1
    for count in down[:-1] if len(down) == MOST_TIERS else down:
        pod *= count
    hosts = pod if len(down) < MOST_TIERS else pod * down[-1]
    if tree.nodes != hosts or tree.podsize != pod:
        announced = f"{tree.nodes} in pods of {tree.podsize} are announced"
        fact = f"these radices make {hosts} hosts in pods of {pod}, and {announced}"
        raise FabricError(tree.path, None, fact, "correct Nodes, Podsize or the radices")
    if reason := unread(tree):
        tree.notes.append(f"htsim does not read this tree: {reason[0]}")
    if any("queue_up" in tier or "queue_down" in tier for tier in tree.tiers):
        tree.notes.append("Queue_Up and Queue_Down are left out: set switches.output_queue for links that lose packets")
    if len({tier.get("switch_latency_ns", 0) for tier in tree.tiers}) > 1:
        first = tree.tiers[0].get("switch_latency_ns", 0)
        tree.notes.append(f"the tiers differ in their latency: the {first} ns of tier 0 are taken for all switches")


def unread(tree):
    """Why htsim does not read this tree, and what to change; None if it does.

    Its integers have two consequences for a tier and the one above: together, the links down are exactly
    `Oversubscribed` times as fast as those up; and at tier 0 they are as many times as many, rounded down.
    """
    for number, tier in enumerate(tree.tiers):
        if not tier.get("downlink_latency_ns"):
            return f"tier {number} has no Downlink_Latency_ns above zero", "give its links a delay of at least 1 ns"
    if tree.tiers[0].get("bundle", 1) > 1:
        return "tier 0 has a Bundle, and hosts have one link each", "leave it out"
    for number, (tier, above) in enumerate(pairwise(tree.tiers)):
        down, up, ratio = tier["radix_down"], tier["radix_up"], tier.get("oversubscribed", 1)
        slow, fast = tier["downlink_speed_gbps"], above["downlink_speed_gbps"]
        if down * slow != up * fast * ratio or (number == 0 and down // up != ratio):
            links = f"{down} links of {slow} Gbit/s down and {up} of {fast} Gbit/s up"
            many = "fast and as many" if number == 0 else "fast"
            remedy = f"make the links down a whole number of times as {many} as those up"
            return f"tier {number} has {links}, and Oversubscribed is {ratio}", remedy
    return None


def _shape(tree):
    """The lists `down`, `up` and `bundle` of the topology clos."""
    bundle = [tier.get("bundle") or 1 for tier in tree.tiers[1:]]
    down, up = [tree.tiers[0]["radix_down"]], []
    for number, links in enumerate(bundle, 1):
        radix, above = tree.tiers[number]["radix_down"], tree.tiers[number - 1]["radix_up"]
        for name, count in ((f"the radix_down of tier {number}", radix), (f"the radix_up of tier {number - 1}", above)):
            if count % links:
                fact = f"bundles of {links} do not divide {name}, {count}"
                raise FabricError(tree.path, None, fact, "correct the bundle or the radix")
        down.append(radix // links)
        up.append(above // links)
    return down, up, bundle


def scenario_of(tree, name=""):
    """A scenario (a dict) of a tree with uniform traffic, and notes."""
    down, up, bundle = _shape(tree)
    rates = [f"{tier['downlink_speed_gbps']} Gbit/s" for tier in tree.tiers]
    delays = [f"{tier.get('downlink_latency_ns', 0)} ns" for tier in tree.tiers]
    clos = {"down": down, "up": up}
    if set(bundle) != {1}:
        clos["bundle"] = bundle
    if len(set(rates)) > 1:
        clos["rates"] = rates
    if len(set(delays)) > 1:
        clos["delays"] = delays
    latency = tree.tiers[0].get("switch_latency_ns", 0)
    scenario = {
        "name": name,
        "topology": {"clos": clos},
        "links": {"rate": rates[0], "delay": delays[0]},
        "switches": {"forwarding_delay": f"{latency} ns"},
        "traffic": [{"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.3}}}],
        "measure": {"duration": "100 us"},
    }
    return scenario, list(tree.notes)


def text(scenario, path="the scenario"):
    """A `.topo` file of a checked scenario whose topology is a clos or a fat tree.

    Raises FabricError for other topologies, for rates and delays that are no whole Gbit/s and ns, and for trees that
    htsim does not read.
    """
    tree = _tree_of(scenario, path)
    for number, (tier, above) in enumerate(pairwise(tree.tiers)):
        slow, fast = (tier["downlink_speed_gbps"], above["downlink_speed_gbps"]) if number else (1, 1)
        ratio = tier["radix_down"] * slow // (tier["radix_up"] * fast)
        if ratio > 1:
            tier["oversubscribed"] = ratio
    if reason := unread(tree):
        fact, remedy = reason
        raise FabricError(path, None, f"htsim does not read this tree: {fact}", remedy)
    lines = [f"Nodes {tree.nodes}", f"Tiers {len(tree.tiers)}", f"Podsize {tree.podsize}"]
    for number, tier in enumerate(tree.tiers):
        lines += ["", f"Tier {number}", *(f"{name} {tier[name.lower()]}" for name in _TIER if name.lower() in tier)]
    return "\n".join(lines) + "\n"


def _tree_of(scenario, path):
    """The tree that a scenario describes; raises FabricError if it describes none."""
    ((kind, given),) = scenario["topology"].items()
    if kind == "fat-tree":
        half, layers = given["radix"] // 2, given.get("layers", 2)
        given = {"down": [half] * (layers - 1) + [2 * half], "up": [half] * (layers - 1)}
    elif (
        kind != "clos"
        or given.get("rails", 1) > 1
        or given.get("planes", 1) > 1
        or not 2 <= len(given["down"]) <= MOST_TIERS
    ):
        fact = f"a .topo file holds a fat-tree, or a clos of 2 or {MOST_TIERS} levels without rails and planes"
        raise FabricError(path, None, fact, "write it in another format, such as infragraph")
    down, up = given["down"], given["up"]
    bundle = [1, *(given.get("bundle") or [1] * len(up))]
    links, switches = scenario["links"], scenario.get("switches") or {}
    rates = given.get("rates") or [links["rate"]] * len(down)
    delays = given.get("delays") or [links.get("delay") or "0 ns"] * len(down)
    gbps = [_in(rate, "bits_per_second", 10**9, path) for rate in rates]
    nanoseconds = [_in(delay, "seconds", 1e-9, path) for delay in delays]
    latency = _in(switches.get("forwarding_delay") or "0 ns", "seconds", 1e-9, path)
    nodes = 1
    for count in down:
        nodes *= count
    pod = nodes // down[-1] if len(down) == MOST_TIERS else nodes
    tree = FatTree(path, nodes, pod)
    for number, count in enumerate(down):
        tier = {"downlink_speed_gbps": gbps[number], "radix_down": count * bundle[number]}
        if number < len(up):
            tier["radix_up"] = up[number] * bundle[number + 1]
        tier |= {"downlink_latency_ns": nanoseconds[number], "switch_latency_ns": latency}
        if number:
            tier["bundle"] = bundle[number]
        tree.tiers.append(tier)
    return tree


def _in(said, what, unit, path):
    """A quantity as a whole number of units."""
    from ... import quantities

    value = getattr(quantities, what)(said) / unit
    if abs(value - round(value)) > 1e-6:
        fact = f"{said} is no whole number of {'Gbit/s' if what == 'bits_per_second' else 'ns'}"
        raise FabricError(path, None, fact, "round it, since a .topo file has whole numbers only")
    return round(value)
