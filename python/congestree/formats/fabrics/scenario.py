"""From a fabric to a scenario or a topology file, and from the network of a scenario back to a fabric.

The engine gives the network of a scenario (`_engine.network`); a fabric made of it has invented GUIDs and LIDs, since a
scenario has none: LIDs count from 1, switches first, as a subnet manager without a history might give them.
"""

from collections import Counter
from pathlib import Path

from ...document import quoted
from .model import Fabric, FabricError, Link, Node, Plug
from .rates import delay_text, rate_text

# GUIDs of exported nodes; the first three bytes would be a vendor's, and no vendor has these.
_SWITCH_GUIDS = 0x00A1_0000_0000_0000
_HOST_GUIDS = 0x00B2_0000_0000_0000
_WIDTH = 118


def scenario_text(fabric, *, rate, delay="10 ns", routing=None, whole=True, name="fabric"):
    """The TOML text of a scenario (or, with whole=False, of a topology file) with this fabric.

    rate: in bit/s, for links whose rate the file does not give. delay: of every link whose delay it does not give.
    routing: "shortest-path" or "d-mod-k"; None: the fabric's own tables, or the shortest path.
    """
    hosts = fabric.hosts()
    switches = fabric.switches()
    links = usable_links(fabric)
    rates = Counter(r for link in links for r in (link.a.rate or rate, link.b.rate or rate))
    common = rates.most_common(1)[0][0] if rates else rate
    size = f"{len(hosts)} hosts, {len(switches)} switches, {len(links)} links"
    lines = [f"# From {one_line(Path(fabric.path).name)} ({fabric.form}): {size}."]
    if whole:
        lines += [
            "# Network and routes are the fabric's; switches, adapters and traffic are a start, to be made your own."
        ]
    lines += [f"name = {quoted(name)}"]
    if routing:
        lines += [f"routing = {quoted(routing)}"]
    elif not fabric.routes:
        lines += ['routing = "shortest-path"']
    lines += ["", "[topology.graph]", *_list("hosts", hosts), *_list("switches", [node.name for node in switches])]
    lines += ["links = ["]
    host_names = {(plug.node.id, plug.number): host for host, plug in hosts.items()}
    for link in links:
        lines.append(
            f"    {{ {_link(link, host_names, rate, common if whole else None, delay if not whole else None)} }},"
        )
    lines += ["]"]
    if fabric.routes and not routing:
        lines += ["", "[routing.ports]"]
        for switch, ports in fabric.routes.items():
            lines += _wrapped(f"{quoted(switch)} = ", map(str, ports))
    if whole:
        lines += ["", "[links]", f"rate = {quoted(rate_text(common))}", f"delay = {quoted(delay)}"]
        lines += ["", "[[traffic]]", 'from = "all"', 'pattern = "uniform"', "arrivals.poisson = { load = 0.5 }"]
        lines += ["", "[measure]", 'duration = "100 us"', 'warm_up = "20 us"', 'probes = ["flows", "ports"]']
    return "\n".join(lines) + "\n"


def topology_of(scenario):
    """The topology of a scenario (a graph or a clos) as a topology file (a dict), and notes.

    Rates and delays that the scenario says once, in [links], stand at every link then.
    """
    ((kind, given),) = scenario["topology"].items()
    links = {"rate": scenario["links"]["rate"], "delay": scenario["links"].get("delay", "0 ns")}
    if kind == "clos":
        given = {**given, **{f"{key}s": given.get(f"{key}s") or [links[key]] * len(given["down"]) for key in links}}
    else:
        given = {
            **given,
            "links": [link | {key: link.get(key, links[key]) for key in links} for link in given["links"]],
        }
    latency = scenario.get("switches", {}).get("forwarding_delay", "0 ns")
    said = f"the {latency} that a switch takes are no part of a topology: write switches.forwarding_delay"
    name = {"name": scenario["name"]} if scenario.get("name") else {}
    return {**name, "topology": {kind: given}}, [said] if latency != "0 ns" else []


def usable_links(fabric):
    """Links that the simulation has: all but those that lead from host to host."""
    return [link for link in fabric.links() if link.a.node.is_switch or fabric.nodes[link.a.peer].is_switch]


def _link(link, host_names, rate, common, delay):
    """The keys of one link. What all links have in common is left to the [links] of a whole scenario."""
    (a, b), keys = (link.a, link.b), []
    for end, plug in (("a", a), ("b", b)):
        keys.append(f"{end} = {quoted(host_names.get((plug.node.id, plug.number)) or plug.node.name)}")
    for end, plug in (("a", a), ("b", b)):
        if plug.node.is_switch:
            keys.append(f"port_{end} = {plug.number}")
    there, back = a.rate or rate, b.rate or rate
    if there != common or back != there:
        keys.append(f"rate = {quoted(rate_text(there))}")
    if back != there:
        keys.append(f"rate_back = {quoted(rate_text(back))}")
    for key, plug in (("delay", a), ("delay_back", b)):
        if plug.delay is not None:
            keys.append(f"{key} = {quoted(delay_text(plug.delay))}")
        elif delay is not None and key == "delay":
            keys.append(f"{key} = {quoted(delay)}")
    return ", ".join(keys)


def _list(key, names):
    return _wrapped(f"{key} = ", [quoted(name) for name in names])


def _wrapped(head, words):
    """A TOML list in lines of bearable length."""
    words = list(words)
    if len(short := f"{head}[{', '.join(words)}]") <= _WIDTH:
        return [short]
    lines, first, width = [head + "["], 0, 3
    for at, word in enumerate(words):
        width += len(word) + 2
        if width > _WIDTH and at > first:
            lines.append(f"    {', '.join(words[first:at])},")
            first, width = at, 3 + len(word) + 2
    return [*lines, f"    {', '.join(words[first:])},", "]"]


def one_line(path):
    """A path in a comment."""
    return "".join(c if c.isprintable() else "?" for c in str(path))


def fabric_of(network, source="the scenario"):
    """The fabric of a scenario's network, as `_engine.network` gives it."""
    fabric = Fabric(source, "scenario")
    ids = {}
    for kind, names in (("switches", network["switches"]), ("hosts", network["hosts"])):
        for at, name in enumerate(names):
            is_switch = kind == "switches"
            guid = (_SWITCH_GUIDS if is_switch else _HOST_GUIDS) + (at + 1) * (1 if is_switch else 16)
            node = Node(
                f"{'S' if is_switch else 'H'}-{guid:016x}", is_switch, 0, description=name, guid=guid, name=name
            )
            if is_switch:
                node.lid = at + 1
            ids[name] = fabric.add(node)
    first_host = len(network["switches"]) + 1
    lids = {name: first_host + at for at, name in enumerate(network["hosts"])}
    for link in network["links"]:
        a, b = ids[link["a"]], ids[link["b"]]
        ends = [(a, link["port_a"], b, link["port_b"], "rate", "delay")]
        ends += [(b, link["port_b"], a, link["port_a"], "rate_back", "delay_back")]
        for node, number, peer, peer_number, rate, delay in ends:
            plug = Plug(node, number, peer.id, peer_number, 0, rate=link[rate], delay=link[delay])
            if not node.is_switch:
                plug.guid, plug.lid = node.guid + 1, lids[node.name]
            node.ports[number] = plug
    for node in fabric.nodes.values():
        node.size = max(node.ports, default=1)
    fabric.routes = network.get("routes")
    return fabric


def check_writable(fabric, form):
    """Raise FabricError if a format cannot hold this fabric."""
    for node in fabric.nodes.values():
        if node.size > 254 and form != "topo":
            fact = f"`{node.name}` has a port {node.size}, and InfiniBand numbers ports to 254"
            raise FabricError(fabric.path, None, fact, "write it as --format topo, or use smaller switches")
        if form != "topo" and ('"' in node.name or "'" in node.name):
            fact = f"the name `{node.name}` contains a quotation mark, which the format cannot hold"
            raise FabricError(fabric.path, None, fact, "rename it in the scenario")


__all__ = ["Link", "check_writable", "fabric_of", "scenario_text", "topology_of", "usable_links"]
