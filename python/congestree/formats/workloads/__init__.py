"""Workloads and results as other simulators write them: read into scenarios, and written for existing scripts.

| file | content |
|------|---------|
| `model.py` | the result of every reader: flows with a start, two ends and a size |
| `hpcc.py` | `topology.txt` and `flow.txt` of the HPCC simulator, and its results `fct.txt` and `pfc.txt` |
| `hpcc_config.py` | its settings, `config.txt` |
| `hpcc_schemes.py` | the schemes that these settings choose |
| `htsim.py` | connection matrices (`.cm`) of htsim |
| `scenarios.py` | from such files to a scenario |
| `flows_of_run.py` | from a run back to its flows |
"""

from ...errors import CongestreeError
from ...reading import read_bytes
from . import hpcc, hpcc_config, htsim
from .flows_of_run import host_ids, workload_of
from .model import Flow, Workload, WorkloadError
from .scenarios import into, names_of, scenario_of

FORMS = ("hpcc-flow", "cm")

__all__ = [
    "FORMS",
    "Flow",
    "Workload",
    "WorkloadError",
    "form_of",
    "host_ids",
    "hpcc",
    "hpcc_config",
    "htsim",
    "into",
    "names_of",
    "read",
    "scenario_of",
    "workload_of",
    "write",
]


def form_of(path):
    """The kind of a file, by its contents: "hpcc-topology", "hpcc-flow", "hpcc-config", "cm", or None for any other."""
    try:
        text = read_bytes(path).decode("utf-8-sig", errors="replace")
    except CongestreeError:
        return None  # the actual reader explains why not
    lines = [line for line in (line.split("#")[0].strip() for line in text.split("\n")) if line]
    if not lines:
        return None
    words = lines[0].split()
    if words[0] in ("Nodes", "Connections") or htsim.CONNECTION.match(lines[0]) or str(path).endswith(".cm"):
        return "cm"
    if all(word.isdigit() for word in words):
        counts = {1: "hpcc-flow", 3: "hpcc-topology"}
        return counts.get(len(words))
    keys = {line.split()[0] for line in lines}
    return "hpcc-config" if keys & {"CC_MODE", "TOPOLOGY_FILE", "FLOW_FILE", "KMAX_MAP"} else None


def read(path):
    """Read a list of flows, in whichever form it is."""
    form = form_of(path)
    if form == "hpcc-flow":
        return hpcc.read_flows(path)
    if form == "cm":
        return htsim.read(path)
    raise WorkloadError(
        path,
        1,
        "this is neither a flow.txt of HPCC nor a connection matrix of htsim",
        "the first begins with the number of flows, the other with a line such as Nodes 16",
    )


def write(workload, form):
    """The text of a file in one of FORMS; the workload gets a note on what its simulator cannot read."""
    return {"hpcc-flow": hpcc.flow_text, "cm": htsim.text}[form](workload)
