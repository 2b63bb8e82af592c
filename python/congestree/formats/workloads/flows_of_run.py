"""From a run back to its flows, for the files that other simulators read.

The table `completions` has the flows that finished. Those of a list (`traffic.list`) are in the scenario with start and
size, whether they finished or not; which of them started, the table `flows` counts for every source.
"""

from collections import Counter, defaultdict

from ...quantities import seconds, size
from . import hpcc
from .model import Flow, Workload, WorkloadError


def host_ids(run):
    """The number of every host of a run's network by its name; see `hpcc.ids_of`."""
    return hpcc.ids_of(run.hosts)


def workload_of(run):
    """The flows of a run that have started, in order of their start, as a workload; see `host_ids` for numbers.

    Flows that have not finished and are in no list are left out, as nothing says their size; a note counts them.
    Raises WorkloadError if no flow is left.
    """
    ids = host_ids(run)
    started, finished = _counts(run)
    flows, notes = [], []
    for entry in run._scenario["traffic"]:
        if entry.get("list"):
            flows += _listed(entry, started, ids)
            started = {key: count for key, count in started.items() if key[0] != entry["name"]}
    if any(started.values()):
        lists = {entry["name"] for entry in run._scenario["traffic"] if entry.get("list")}
        flows += _finished(run, lists, ids)
        left = sum(count - finished[key] for key, count in started.items())
        if left:
            begun = len(flows) + left
            notes.append(f"{left} of {begun} flows had not finished and are left out: the results have no size of them")
    if not flows:
        fact, remedy = "no flow has finished", "let it run longer"
        if "flows_started" not in run.arrow("flows").schema.names:
            fact, remedy = "its messages are no flows of their own", 'write flows = "by-message" in its traffic'
        raise WorkloadError(run.folder or "the run", None, fact, remedy)
    flows.sort(key=lambda flow: (flow.start, flow.source, flow.destination))
    return Workload(str(run.folder or ""), "run", flows, max(len(ids), 1 + max(ids.values())), notes)


def _counts(run):
    """How many flows of each class and source have started, and how many have finished."""
    table, started, finished = run.arrow("flows"), Counter(), Counter()
    if "flows_started" in table.schema.names:
        columns = ("class", "source", "flows_started", "flows_finished")
        for kind, source, begun, ended in zip(*(table[name].to_pylist() for name in columns), strict=True):
            started[kind, source] += begun
            finished[kind, source] += ended
    return started, finished


def _listed(entry, started, ids):
    """The flows of a list that have started: of each source the first so many."""
    begin, by_source = seconds(entry["start"]), defaultdict(list)
    for row in entry["list"]:
        start = round((begin + seconds(row["at"])) * 1e12)
        flow = Flow(start, ids[row["from"]], ids[row["to"]], round(size(row["message"])), entry.get("service", 0))
        by_source[row["from"]].append(flow)
    for source, flows in by_source.items():
        flows.sort(key=lambda flow: flow.start)
        yield from flows[: started.get((entry["name"], source), 0)]


def _finished(run, lists, ids):
    """The flows that have finished, but those of lists."""
    service = {entry["name"]: entry.get("service", 0) for entry in run._scenario["traffic"]}
    for piece in run.pieces("completions", ["created", "source", "destination", "size", "class"]):
        for row in piece.to_pylist():
            if row["class"] not in lists:
                ends = ids[row["source"]], ids[row["destination"]]
                yield Flow(round(row["created"] * 1e12), *ends, row["size"], service[row["class"]])
