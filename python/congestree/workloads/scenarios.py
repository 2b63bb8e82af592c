"""From the files of a simulator to a scenario, and from a run back to its flows."""

import itertools
from collections import Counter

from ..quantities import bits_per_second
from . import hpcc, hpcc_config
from .model import Flow, Workload, WorkloadError

# Beyond the last start, if nothing says when to stop: time for the last flows to finish.
MARGIN = 10**10  # ps


def names_of(workload, topology=None):
    """The name of every host of a workload by its number: h0, h1, ... as `hpcc.read_topology` names them."""
    if topology is None:
        return [f"h{host}" for host in range(workload.hosts)]
    return {host: f"h{host}" for host in topology["hosts"]}


def scenario_of(topology, workload=None, config=None, name="", lists=None):
    """A scenario (a dict) of an HPCC topology, and notes.

    `workload`: the flows, one entry of traffic for each priority. `config`: the path of a `config.txt`. `lists`: maps a
    priority to the name of a file for its list, which is then not written out here.
    """
    rates = Counter(link["rate"] for link in topology["links"])
    rate = max(rates, key=lambda text: (rates[text], text))
    notes = list(workload.notes) if workload else []
    sections = {}
    if config is not None:
        sections, more = hpcc_config.read(config, round(bits_per_second(rate)))
        notes += more
    links = [
        {key: value for key, value in link.items() if key != "rate" or value != rate} for link in topology["links"]
    ]
    graph = {
        "hosts": [f"h{host}" for host in topology["hosts"]],
        "switches": [f"s{switch}" for switch in topology["switches"]],
        "links": links,
    }
    scenario = {
        "name": name,
        "topology": {"graph": graph},
        "links": {"rate": rate, "flow_control": "byte-credits"},
        "switches": {"switching": "store-and-forward"},
    }
    if "adapters" in sections:
        scenario["adapters"] = sections["adapters"]
    if "scheme" in sections:
        scenario["scheme"] = sections["scheme"]
    if "buffer" in sections:
        notes.append(
            "links have credits and inputs a buffer of their own here: BUFFER_SIZE and its thresholds are left out"
        )
    scenario["traffic"] = _traffic(topology, workload, lists or {})
    last = workload.flows[-1].start if workload else 0
    duration = sections.get("duration") or f"{last + MARGIN} ps"
    scenario["measure"] = {"duration": duration, "probes": ["completions"] if workload else []}
    return scenario, notes


def _traffic(topology, workload, lists):
    if workload is None:
        return [{"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.3}}}]
    names = names_of(workload, topology)
    entries = []
    for priority in workload.priorities():
        rows = workload.rows(names, priority)
        entries.append({"name": f"priority {priority}", "service": priority, "list": lists.get(priority, rows)})
    return entries


def workload_of(run):
    """The flows of a run that have finished, in order of their start, as a workload; see `hpcc.ids_of` for numbers."""
    table = run.arrow("completions")
    columns = [table[name].to_pylist() for name in ("start", "source", "destination", "size", "class")]
    ids = hpcc.ids_of(sorted({*columns[1], *columns[2]}))
    service = {entry["name"]: entry.get("service", 0) for entry in run.scenario["traffic"]}
    flows = [
        Flow(round(start * 1e12), ids[source], ids[destination], size, service[kind])
        for start, source, destination, size, kind in zip(*columns, strict=True)
    ]
    flows.sort(key=lambda flow: (flow.start, flow.source, flow.destination))
    if not flows:
        raise WorkloadError(run.folder or "the run", None, "no flow has finished", "let it run longer")
    hosts = 1 + max(itertools.chain.from_iterable((flow.source, flow.destination) for flow in flows))
    return Workload(str(run.folder or ""), "run", flows, hosts)
