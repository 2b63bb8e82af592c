"""Files of the HPCC simulator (ns-3 with RDMA hosts), which other projects have adopted: topology, flows, results.

`topology.txt`: the numbers of nodes, switches and links; the ids of the switches; then for each link its two nodes,
rate, delay and loss. Every other node is a host. `flow.txt`: the number of flows, then for each its source,
destination, priority, port, bytes, and start in seconds. Anything after the last flow is ignored, as in that simulator.
It writes `fct.txt` and `pfc.txt`; `fct_lines` and `pfc_lines` make the same of a run.
"""

import re
from collections import defaultdict, deque

import pyarrow.compute as pc

from ...quantities import bits_per_second, exactly, seconds
from .model import MOST_FLOWS, MOST_HOSTS, Flow, Workload, WorkloadError, picoseconds, read_lines, whole

# The source port of the first flow between two hosts; the next have the numbers after it.
FIRST_PORT = 10_000
DESTINATION_PORT = 100
_DELAY = re.compile(r"([0-9.eE+-]+)(ns|us|ms|s|ps)")


def read_topology(path):
    """Read a `topology.txt`: {"hosts": ids, "switches": ids, "links": [...]}, links as in `topology.graph`."""
    lines = [(number, line.split()) for number, line in read_lines(path) if line]
    if len(lines) < 2 or len(lines[0][1]) != 3:
        fact = "a topology begins with the numbers of nodes, switches and links, and then has the ids of the switches"
        raise WorkloadError(path, 1, fact, "write for example 5 1 4, and 4 on the next line")
    first, words = lines[0]
    nodes, switches, links = (whole(path, first, word, "count", most=10_000_000) for word in words)
    number, words = lines[1]
    if switches == 0:
        raise WorkloadError(path, first, "there is no switch", "hosts are connected by switches here")
    ids = [whole(path, number, word, "id of a switch") for word in words]
    if len(ids) != switches or len(set(ids)) != switches or max(ids) >= nodes:
        fact = f"there should be {switches} different ids of switches below {nodes} here"
        raise WorkloadError(path, number, fact, "write the id of every switch once")
    if len(lines) != links + 2:
        fact = f"{links} links are announced, and there are {len(lines) - 2}"
        raise WorkloadError(path, first, fact, "correct the count, or the links")
    if nodes > 2 * links:
        fact = f"{nodes} nodes are announced, and {links} links have {2 * links} ends"
        raise WorkloadError(path, first, fact, "correct the count, or give every node a link")
    known = set(ids)
    hosts = [node for node in range(nodes) if node not in known]
    return {
        "hosts": hosts,
        "switches": ids,
        "links": [_link(path, number, words, nodes, known) for number, words in lines[2:]],
    }


def _link(path, number, words, nodes, switches):
    if len(words) != 5:
        remedy = "write two nodes, rate, delay and loss, such as 0 4 100Gbps 0.001ms 0"
        raise WorkloadError(path, number, f"{' '.join(words)!r} is no link", remedy)
    a, b = (whole(path, number, word, "node", most=nodes - 1) for word in words[:2])
    if a == b:
        raise WorkloadError(path, number, f"node {a} is connected to itself", "name two nodes")
    try:
        rate = round(bits_per_second(words[2]))
    except ValueError:
        rate = 0
    if rate <= 0:
        raise WorkloadError(path, number, f"{words[2]!r} is no rate", "write for example 100Gbps")
    match = _DELAY.fullmatch(words[3])
    if not match:
        raise WorkloadError(path, number, f"{words[3]!r} is no delay", "write for example 0.001ms")
    try:
        loss = float(words[4])
    except ValueError:
        loss = -1.0
    if loss != 0.0:
        fact = f"a loss of {words[4]} on one link cannot be said of links here"
        raise WorkloadError(path, number, fact, "write 0, or set switches.random_loss for all")
    return {
        "a": _name(a, switches),
        "b": _name(b, switches),
        "rate": exactly(rate, "bit/s"),
        "delay": exactly(picoseconds(path, number, match[1], match[2]), "ps"),
    }


def _name(node, switches):
    return f"s{node}" if node in switches else f"h{node}"


def longest_round_trip(topology, payload):
    """The longest round-trip time of two hosts in ps, as the simulator computes it (GLOBAL_T): every delay on the way
    there and back, and once the time of a packet of `payload` bytes on each link."""
    beside = {f"h{host}": {} for host in topology["hosts"]}
    for link in topology["links"]:
        delay, rate = seconds(link["delay"]), bits_per_second(link["rate"])
        cost = round(2e12 * delay + 8e12 * payload / rate)
        for a, b in ((link["a"], link["b"]), (link["b"], link["a"])):
            beside.setdefault(a, {}).setdefault(b, cost)
    # Hosts with one switch differ only in their own links, of which the two longest of a switch may be the ends.
    own = defaultdict(list)
    for host in [node for node in beside if node[0] == "h"]:
        (switch, *more) = beside[host] or [host]
        if not more and switch[0] == "s":
            own[switch].append(beside.pop(host)[switch])
            del beside[switch][host]
    own = {switch: sorted(costs)[-2:] for switch, costs in own.items()}

    def last(node):
        """The longest link of a host at this switch; 0 for a host."""
        return own[node][-1] if node in own else 0

    longest = max((sum(costs) for costs in own.values() if len(costs) > 1), default=0)
    for start in beside:
        if start[0] == "h" or start in own:
            trips = _trips(beside, start).items()
            ways = [trip + last(start) + last(node) for node, trip in trips if node[0] == "h" or node in own]
            longest = max([longest, *ways])
    return longest


def _trips(beside, start):
    """The time to every other node (ps) by the first of the ways with the fewest links; hosts forward nothing."""
    found, front = {start: 0}, deque([start])
    while front:
        node = front.popleft()
        if node == start or node[0] == "s":
            for other, cost in beside[node].items():
                if other not in found:
                    found[other] = found[node] + cost
                    front.append(other)
    del found[start]
    return found


def read_flows(path):
    """Read a `flow.txt`."""
    lines = ((number, line.split()) for number, line in read_lines(path) if line)
    number, words = next(lines, (1, []))
    if len(words) != 1:
        raise WorkloadError(path, number, "the number of flows should stand here", "write a whole number alone")
    count = whole(path, number, words[0], "number of flows", least=1, most=MOST_FLOWS)
    workload = Workload(str(path), "hpcc-flow", [])
    for number, words in lines:
        if len(workload.flows) == count:
            workload.notes.append(f"what follows the first {count} flows, from line {number} on, is ignored")
            break
        workload.flows.append(_flow(path, number, words))
    if len(workload.flows) < count:
        fact = f"{count} flows are announced, and there are {len(workload.flows)}"
        raise WorkloadError(path, None, fact, "correct the count, or add the flows")
    starts = [flow.start for flow in workload.flows]
    if starts != sorted(starts):
        workload.notes.append("the flows are not in order of their start, as the simulator needs them; here they are")
        workload.flows.sort(key=lambda flow: flow.start)
    workload.hosts = 1 + max(max(flow.source, flow.destination) for flow in workload.flows)
    return workload


def _flow(path, number, words):
    if len(words) != 6:
        remedy = "write source, destination, priority, port, bytes and start, such as 2 1 3 100 65536 2.0"
        raise WorkloadError(path, number, f"{' '.join(words)!r} is no flow", remedy)
    source, destination = (whole(path, number, word, "node", most=MOST_HOSTS - 1) for word in words[:2])
    if source == destination:
        raise WorkloadError(path, number, f"node {source} would send to itself", "name two nodes")
    priority = whole(path, number, words[2], "priority", most=7)
    whole(path, number, words[3], "port", most=65_535)
    size = whole(path, number, words[4], "size", least=1, most=10**15)
    return Flow(picoseconds(path, number, words[5]), source, destination, size, priority, number)


def flow_text(workload):
    """A `flow.txt` with the flows of a workload."""
    lines = [str(len(workload.flows))]
    for flow in workload.flows:
        seconds = f"{flow.start // 10**12}.{flow.start % 10**12:012d}".rstrip("0") + "0"
        ends = f"{flow.source} {flow.destination}"
        lines.append(f"{ends} {flow.priority} {DESTINATION_PORT} {flow.size} {seconds.rstrip('0').rstrip('.') or '0'}")
    return "\n".join(lines) + "\n"


def address(host):
    """The address that the simulator gives to a node, as it prints it: 11.x.y.1 in hexadecimal digits."""
    return f"{0x0B000001 + (host // 256 << 16) + (host % 256 << 8):08x}"


def fct_lines(run, host_ids=None):
    """A `fct.txt` of the flows of a run: addresses of both ends, both ports, bytes, start, completion time and ideal
    time in ns, in order of completion. One after the other, so that they may be more than the memory holds.

    `host_ids` maps names of hosts to the numbers of nodes; by default those in the names h0, h1, ... or else the
    positions among the hosts that the flows name.
    """
    ends = ["source", "destination"]
    named = set()
    for piece in run.pieces("completions", ends):
        named.update(name for end in ends for name in pc.unique(piece[end]).to_pylist())
    ids = host_ids or ids_of(sorted(named))
    flows = {}
    for piece in run.pieces("completions", [*ends, "size", "created", "fct", "ideal"]):
        for row in piece.to_pylist():
            pair = row["source"], row["destination"]
            port = flows[pair] = flows.get(pair, FIRST_PORT - 1) + 1
            nanoseconds = " ".join(str(round(row[name] * 1e9)) for name in ("created", "fct", "ideal"))
            addresses = " ".join(address(ids[end]) for end in pair)
            yield f"{addresses} {port % 65_536} {DESTINATION_PORT} {row['size']} {nanoseconds}\n"


def ids_of(names):
    """Numbers of hosts: those in the names h0, h1, ... if all are like that, or else their positions."""
    numbered = {name: int(name[1:]) for name in names if re.fullmatch(r"h\d+", name)}
    return numbered if len(numbered) == len(names) else {name: position for position, name in enumerate(names)}


def pfc_lines(run, host_ids=None):
    """A `pfc.txt` of the pauses of a run: time in ns, node, 0 for a host and 1 for a switch, port from 1, and 1 for a
    pause or 0 for its end. One line after the other.

    Switches s0, s1, ... keep the numbers in their names; others get those after the hosts.
    """
    ports = run.arrow("ports")
    local, nodes = {}, {}
    for port, node in zip(ports["port"].to_pylist(), ports["from"].to_pylist(), strict=True):
        local[port] = nodes[node] = nodes.get(node, 0) + 1
    hosts = set(run.arrow("flows")["source"].to_pylist()) | set(run.arrow("flows")["destination"].to_pylist())
    ids = _node_ids(list(nodes), hosts, host_ids)
    for piece in run.pieces("pauses", ["time_ps", "port", "node", "event"]):
        for row in piece.to_pylist():
            if row["event"] in ("pause", "resume", "expired"):
                kind, stops = int(row["node"] not in hosts), int(row["event"] == "pause")
                yield f"{row['time_ps'] // 1000} {ids[row['node']]} {kind} {local[row['port']]} {stops}\n"


def _node_ids(names, hosts, host_ids):
    numbered = {name: int(name[1:]) for name in names if re.fullmatch(r"[hs]\d+", name)}
    said = {**numbered, **(host_ids or {})}
    if len(numbered) == len(names) == len(set(numbered.values())) and all(said[n] == numbered[n] for n in names):
        return numbered
    ids = dict(host_ids or ids_of(sorted(name for name in names if name in hosts)))
    others = (name for name in names if name not in ids)
    for number, name in enumerate(others, start=max(ids.values(), default=-1) + 1):
        ids[name] = number
    return ids
