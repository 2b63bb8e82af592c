"""Connection matrices of htsim (`.cm`): who sends how much to whom, and when.

    Nodes 16
    Connections 2
    5->9 id 1 start 0 size 40000
    6->9 id 2 start 2000000 size 40000 prio 3

`start` is in picoseconds. A connection with `trigger N` begins when one with `send_done_trigger N` (or
`recv_done_trigger N`) ends: such flows become an application, whose ranks are the nodes. A trigger that several fire
begins with the last of them: `trigger id N barrier count 2`; `oneshot` is for one, and `multishot`, which begins one
connection each time, is refused. A line with `msg` is another message on the connection of the same number. Connections
without a size send for ever and are refused; failures are left out with a note.
"""

import re
from collections import Counter
from dataclasses import dataclass

from ...errors import there_are
from ..programs.goal_text import Program
from .model import LAST_INSTANT, MOST_FLOWS, MOST_HOSTS, Flow, Workload, WorkloadError, read_lines, whole

CONNECTION = re.compile(r"\d+->\d+\s", re.A)
"""How the line of a connection begins."""
MOST_BYTES = 2**31 - 1
"""The largest size that htsim reads (`stoi`)."""
KINDS = ("oneshot", "multishot", "barrier")
"""What a trigger does when it is fired: begins all that waits for it, one of them, or all with the last of a count."""
# Names of values that a connection may have; those without an effect here are ignored.
_VALUES = ("id", "start", "size", "prio", "trigger", "send_done_trigger", "recv_done_trigger")


def read(path):
    """Read a connection matrix."""
    workload = Workload(str(path), "cm", [])
    expected, declared = None, {}
    for number, line in read_lines(path):
        words = line.split()
        if not words:
            continue
        if words[0] in ("Nodes", "Connections", "Triggers", "Failures"):
            if len(words) != 2:
                raise WorkloadError(path, number, f"{line!r} is no count", f"write for example {words[0]} 16")
            if words[0] == "Nodes":
                workload.hosts = whole(path, number, words[1], "number of nodes", most=MOST_HOSTS)
            elif words[0] == "Connections":
                expected = whole(path, number, words[1], "number of connections")
            else:
                whole(path, number, words[1], "count")
        elif words[0] == "trigger":
            trigger = _trigger(path, number, words)
            declared[trigger.number] = trigger
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
        remedy = f"begin with lines such as Nodes 16 and Connections {len(workload.flows)}"
        raise WorkloadError(path, 1, "it is not said how many nodes there are", remedy)
    _check(path, workload, expected)
    _check_triggers(path, workload, declared)
    if workload.waits() and (priorities := [priority for priority in workload.priorities() if priority]):
        said = ", ".join(map(str, priorities))
        workload.notes.append(f"an application has one priority for all it sends: left out is prio {said}")
    workload.flows.sort(key=lambda flow: flow.start)
    return workload


@dataclass(frozen=True)
class _Trigger:
    """A trigger as it is declared: its number, its kind and its count (None if they are left out), and the line."""

    number: int
    kind: str | None
    count: int | None
    line: int


def _trigger(path, number, words):
    said, kinds, rest = {}, [], iter(words[1:])
    for word in rest:
        if word in KINDS:
            kinds.append(word)
        elif word in ("id", "count"):
            said[word] = whole(path, number, next(rest, ""), word)
        else:
            fact = f"{word!r} is nothing that is known of a trigger"
            raise WorkloadError(path, number, fact, there_are(word, [*KINDS, "id", "count"]))
    if "id" not in said or len(kinds) > 1:
        fact = f"{' '.join(words)!r} declares no trigger"
        raise WorkloadError(path, number, fact, "write: trigger id 1 oneshot, or: trigger id 1 barrier count 2")
    return _Trigger(said["id"], kinds[0] if kinds else None, said.get("count"), number)


def _connection(path, number, words):
    source, _, destination = words[0].partition("->")
    words = [word for word in words if word != "msg"]
    names, values = words[1::2], words[2::2]
    if len(names) != len(values):
        raise WorkloadError(path, number, f"{words[-1]!r} has no value", "write names and values in turn")
    said = {}
    for name, value in zip(names, values, strict=True):
        if name not in _VALUES:
            raise WorkloadError(path, number, f"{name!r} is nothing that is known of a connection", "take it out")
        said[name] = whole(path, number, value, name)
    if not said.get("size"):
        raise WorkloadError(
            path, number, "the connection has no size, so it would never end", "give it a size in bytes"
        )
    ends = whole(path, number, source, "node"), whole(path, number, destination, "node")
    if ends[0] == ends[1]:
        raise WorkloadError(path, number, f"node {source} would send to itself", "name two nodes")
    triggers = (said.get(name) for name in ("trigger", "send_done_trigger", "recv_done_trigger"))
    return Flow(said.get("start", 0), *ends, said["size"], said.get("prio", 0), number, *triggers)


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


def _check_triggers(path, workload, declared):
    """Every trigger that is waited for must be fired; flows that wait for each other in turn would never begin."""
    fired = {}
    for flow in workload.flows:
        for trigger in (flow.sent_fires, flow.received_fires):
            if trigger is not None:
                fired.setdefault(trigger, []).append(flow)
    waiting = [flow for flow in workload.flows if flow.waits is not None]
    for flow in waiting:
        if flow.waits not in fired:
            fact = f"no connection fires trigger {flow.waits}, so this one would never begin"
            remedy = f"give another one send_done_trigger {flow.waits}, or this one a start"
            raise WorkloadError(path, flow.line, fact, remedy)
    for trigger in {flow.waits for flow in waiting} & set(declared):
        _check_kind(path, declared[trigger], len(fired[trigger]))
    missing = {flow.waits for flow in waiting} - set(declared)
    if missing:
        workload.notes.append(
            f"{len(missing)} triggers that connections wait for are not declared; they are read all the same"
        )
    _check_all_begin(workload, fired)


def _check_all_begin(workload, fired):
    """Follow the triggers: each begins what waits for it when all connections that fire it have begun."""
    lacking = {trigger: len(flows) for trigger, flows in fired.items()}
    waits = {}
    for flow in workload.flows:
        waits.setdefault(flow.waits, []).append(flow)
    todo, begun = list(waits.get(None, ())), set()
    while todo:
        flow = todo.pop()
        begun.add(flow.line)
        for trigger in (flow.sent_fires, flow.received_fires):
            if trigger is not None:
                lacking[trigger] -= 1
                if not lacking[trigger]:
                    todo += waits.get(trigger, ())
    flow, ring = next((flow for flow in workload.flows if flow.line not in begun), None), {}
    if flow is None:
        return
    # It waits for one of the ring at least, through connections that have not begun either.
    while flow.line not in ring:
        ring[flow.line] = flow
        flow = next(before for before in fired[flow.waits] if before.line not in begun)
    ring = list(ring)[list(ring).index(flow.line) :]
    fact = f"the connection waits for itself{', over the triggers of others' if len(ring) > 1 else ''}"
    raise WorkloadError(workload.path, min(ring), fact, "give the first of them a start instead of a trigger")


def _check_kind(path, trigger, fired):
    """A trigger that so many connections fire must begin with the last of them, as the application has it."""
    as_last = {None: True, "oneshot": fired == 1, "barrier": trigger.count == fired}
    if as_last.get(trigger.kind, False):
        return
    said = f"{trigger.kind} count {trigger.count}" if trigger.count is not None else trigger.kind
    fact = f"trigger {trigger.number} is fired {fired} times, and is declared as {said}"
    fitting = "oneshot" if fired == 1 else f"barrier count {fired}"
    remedy = f"write: trigger id {trigger.number} {fitting}, which begins what waits for it with the last of them"
    raise WorkloadError(path, trigger.line, fact, remedy)


def summary(path):
    """Counts of the content of a connection matrix: the columns of a table of such files."""
    flows, counts, declared = read(path).flows, {}, Counter()
    for _, line in read_lines(path):
        words = line.split()
        if not words:
            continue
        if words[0] in ("Nodes", "Connections", "Triggers"):
            counts[words[0]] = int(words[1])
        declared["trigger"] += words[0] == "trigger"
        declared["msg"] += "msg" in words
    return {
        "nodes": counts["Nodes"],
        "connections_declared": counts.get("Connections"),
        "triggers_declared": counts.get("Triggers"),
        "flow_lines": len(flows),
        "distinct_sources": len({flow.source for flow in flows}),
        "distinct_destinations": len({flow.destination for flow in flows}),
        "bytes_total": sum(flow.size for flow in flows),
        "flows_with_start": sum(flow.waits is None for flow in flows),
        "flows_waiting_for_trigger": sum(flow.waits is not None for flow in flows),
        "flows_with_done_trigger": sum(
            flow.sent_fires is not None or flow.received_fires is not None for flow in flows
        ),
        "trigger_lines": declared["trigger"],
        "message_lines": declared["msg"],
        "max_start": max(flow.start for flow in flows),
    }


def goal(workload):
    """The flows as an application in GOAL: node i is rank i, the j-th flow of the file has tag j.

    Starts follow a clock of whole nanoseconds, and the workload gets a note if some lie between two of them. A flow
    that waits for a trigger starts when the flow that fires it is delivered: run it with `send_end = "delivered"`. A
    rank knows only its own messages, so a trigger must be fired by a flow whose sender (send_done_trigger) or receiver
    (recv_done_trigger) sends the flow that waits; otherwise this raises WorkloadError.
    """
    program = Program(workload.hosts, workload.path)
    flows, sends, starts, fired = sorted(workload.flows, key=lambda flow: flow.line or 0), [], {}, {}
    for tag, flow in enumerate(flows, 1):
        send = program.add(flow.source, f"send {flow.size}b to {flow.destination} tag {tag}")
        receive = program.add(flow.destination, f"recv {flow.size}b from {flow.source} tag {tag}")
        sends.append(send)
        starts.setdefault(flow.source, []).append((-(-flow.start // 1000), send))
        if flow.sent_fires is not None:
            fired.setdefault(flow.sent_fires, []).append((flow.source, send))
        if flow.received_fires is not None:
            fired.setdefault(flow.received_fires, []).append((flow.destination, receive))
    for flow, send in zip(flows, sends, strict=True):
        for host, label in fired.get(flow.waits, ()) if flow.waits is not None else ():
            if host != flow.source:
                fact = f"trigger {flow.waits} is fired at node {host}, and node {flow.source} waits for it"
                remedy = "let its sender (send_done_trigger) or receiver (recv_done_trigger) be the node that waits"
                raise WorkloadError(workload.path, flow.line, fact, remedy)
            program.wait(flow.source, send, label)
    for host, row in starts.items():
        program.clock(host, row)
    if between := sum(flow.start % 1000 > 0 for flow in flows):
        workload.notes.append(
            f"{between} of {len(flows)} flows start between two whole nanoseconds, the unit of GOAL, and are begun at "
            "the later one"
        )
    return program.text()


def text(workload):
    """A connection matrix with the flows of a workload, which gets a note if htsim cannot read the sizes of some."""
    if large := sum(flow.size > MOST_BYTES for flow in workload.flows):
        workload.notes.append(
            f"{large} of {len(workload.flows)} flows have more than {MOST_BYTES} B, which htsim does not read (it ends "
            "with out_of_range): split them into several"
        )
    hosts = workload.hosts or 1 + max(max(flow.source, flow.destination) for flow in workload.flows)
    lines = [f"Nodes {hosts}", f"Connections {len(workload.flows)}"]
    for number, flow in enumerate(workload.flows, start=1):
        priority = f" prio {flow.priority}" if flow.priority else ""
        begins = f"start {flow.start}" if flow.waits is None else f"trigger {flow.waits}"
        for name, trigger in (("send", flow.sent_fires), ("recv", flow.received_fires)):
            priority += f" {name}_done_trigger {trigger}" if trigger is not None else ""
        lines.append(f"{flow.source}->{flow.destination} id {number} {begins} size {flow.size}{priority}")
    triggers = sorted({flow.waits for flow in workload.flows if flow.waits is not None})
    if triggers:
        lines.insert(2, f"Triggers {len(triggers)}")
    fired = Counter(trigger for flow in workload.flows for trigger in (flow.sent_fires, flow.received_fires))
    for trigger in triggers:
        kind = "oneshot" if fired[trigger] == 1 else f"barrier count {fired[trigger]}"
        lines.append(f"trigger id {trigger} {kind}")
    return "\n".join(lines) + "\n"
