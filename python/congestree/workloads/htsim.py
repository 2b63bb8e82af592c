"""Connection matrices of htsim (`.cm`): who sends how much to whom, and when.

    Nodes 16
    Connections 2
    5->9 id 1 start 0 size 40000
    6->9 id 2 start 2000000 size 40000 prio 3

`start` is in picoseconds. A connection that waits for a trigger begins when another ends, which a list of messages
cannot say, so it is refused. Connections without a size send for ever and are refused too; failures are left out with a
note.
"""

from .model import LAST_INSTANT, MOST_FLOWS, Flow, Workload, WorkloadError, read_lines, whole

# Names of values that a connection may have; those that say nothing here are passed over.
_VALUES = ("id", "start", "size", "prio", "trigger", "send_done_trigger", "recv_done_trigger")


def read(path):
    """Read a connection matrix."""
    workload = Workload(str(path), "cm", [])
    expected = None
    for number, line in read_lines(path):
        words = line.split()
        if not words:
            continue
        if words[0] in ("Nodes", "Connections", "Triggers", "Failures"):
            if len(words) != 2:
                raise WorkloadError(path, number, f"{line!r} is no count", f"write for example {words[0]} 16")
            count = whole(path, number, words[1], "count")
            if words[0] == "Nodes":
                workload.hosts = count
            elif words[0] == "Connections":
                expected = count
        elif words[0] == "trigger":
            continue
        elif words[0] == "failure":
            workload.notes.append(f"line {number}: a failure of links is not modelled and left out")
        elif "->" in words[0]:
            workload.flows.append(_connection(path, number, words))
            if len(workload.flows) > MOST_FLOWS:
                raise WorkloadError(path, number, f"there are more than {MOST_FLOWS:,} flows", "split the file")
        else:
            remedy = "connections are written as 5->9 id 1 start 0 size 40000"
            raise WorkloadError(path, number, f"{line!r} says nothing that is known", remedy)
    if workload.hosts is None:
        raise WorkloadError(path, 1, "it is not said how many nodes there are", "begin with a line such as Nodes 16")
    _check(path, workload, expected)
    workload.flows.sort(key=lambda flow: flow.start)
    return workload


def _connection(path, number, words):
    source, _, destination = words[0].partition("->")
    names, values = words[1::2], words[2::2]
    if len(names) != len(values):
        raise WorkloadError(path, number, f"{words[-1]!r} has no value", "write names and values in turn")
    said = {}
    for name, value in zip(names, values, strict=True):
        if name not in _VALUES:
            raise WorkloadError(path, number, f"{name!r} is nothing that is known of a connection", "take it out")
        said[name] = whole(path, number, value, name)
    if "trigger" in said:
        fact = "the connection begins when another one ends, which a list of messages cannot say"
        raise WorkloadError(path, number, fact, "write down when it starts")
    if not said.get("size"):
        raise WorkloadError(
            path, number, "the connection has no size, so it would never end", "give it a size in bytes"
        )
    ends = whole(path, number, source, "node"), whole(path, number, destination, "node")
    if ends[0] == ends[1]:
        raise WorkloadError(path, number, f"node {source} would send to itself", "name two nodes")
    return Flow(said.get("start", 0), *ends, said["size"], said.get("prio", 0), number)


def _check(path, workload, expected):
    for flow in workload.flows:
        most = max(flow.source, flow.destination)
        if most >= workload.hosts:
            fact = f"there is no node {most}: nodes are counted from 0 to {workload.hosts - 1}"
            raise WorkloadError(path, flow.line, fact, "correct it, or the line Nodes")
        if flow.start >= LAST_INSTANT:
            raise WorkloadError(path, flow.line, "it starts later than can be counted", "starts are in picoseconds")
    if not workload.flows:
        raise WorkloadError(path, 1, "there are no connections", "write for example 5->9 id 1 start 0 size 40000")
    if expected is not None and expected != len(workload.flows):
        workload.notes.append(f"the file announces {expected} connections and has {len(workload.flows)}")


def text(workload):
    """A connection matrix with the flows of a workload."""
    hosts = workload.hosts or 1 + max(max(flow.source, flow.destination) for flow in workload.flows)
    lines = [f"Nodes {hosts}", f"Connections {len(workload.flows)}"]
    for number, flow in enumerate(workload.flows, start=1):
        priority = f" prio {flow.priority}" if flow.priority else ""
        lines.append(f"{flow.source}->{flow.destination} id {number} start {flow.start} size {flow.size}{priority}")
    return "\n".join(lines) + "\n"
