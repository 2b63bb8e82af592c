"""Real fabrics as files: read, reported on, turned into scenarios, and written.

| file | what is in it |
|------|---------------|
| `ibnetdiscover.py` | topology files of ibnetdiscover and ibsim |
| `topo.py` | `.topo` files of ibdm |
| `htsim.py` | fat trees of htsim (`.topo`) |
| `infragraph.py` | InfraGraph descriptions (YAML or JSON) |
| `infragraph_writer.py` | the same, written |
| `lfts.py` | forwarding tables as OpenSM dumps them |
| `rates.py` | widths and speeds as bits of data per second |
| `model.py` | what all readers make and all writers take |
| `scenario.py` | from such a fabric to a scenario, and back from a scenario's network |
| `report.py` | what there is, and what looks wrong |
"""

import json

from ... import _engine, reading
from ...errors import ScenarioError
from ...runs import memory
from .. import foreign
from . import htsim, ibnetdiscover, infragraph, infragraph_writer, lfts, topo
from .model import Fabric, FabricError, read_lines
from .report import report
from .scenario import check_writable, fabric_of, scenario_text, topology_of

FORMATS = ("ibnetdiscover", "topo", "lfts")

__all__ = [
    "FORMATS",
    "Fabric",
    "FabricError",
    "fabric_of",
    "htsim",
    "infragraph",
    "infragraph_writer",
    "network_of",
    "read",
    "report",
    "scenario_text",
    "topology_of",
    "write",
]


def read(path, *, routes=None, host_types=()):
    """Read a fabric, and the forwarding tables in `routes` if given. The format is recognised by the contents."""
    if str(path).endswith(".json"):
        try:
            json.loads(reading.read_text(path))
        except (ValueError, RecursionError):
            raise FabricError(path, None, "this is not JSON", "correct it, or copy the file again") from None
    if (found := foreign.told(path)) and found[0] != "a fabric":
        fact = f"this file holds {found[0]}, not the fabric of another tool"
        raise FabricError(path, None, fact, f"read it with {found[1]}")
    if str(path).endswith((".toml", ".json")):
        remedy = "run it with congestree run, or write its fabric with congestree export"
        raise FabricError(path, None, "this is a scenario, not the fabric of another tool", remedy)
    fabric = topo.read(path, host_types) if _is_topo(path) else ibnetdiscover.read(path)
    fabric.give_names()
    fabric.note_oddities()
    if routes is not None:
        lfts.read(routes, fabric)
    return fabric


def _is_topo(path):
    """Whether a file is an ibdm .topo file rather than a topology file of ibnetdiscover or ibsim."""
    arrows = 0
    for line in read_lines(path):
        if line.startswith(("Switch", "Hca", "Ca", "Rt", "[", "switchguid", "caguid")) and "->" not in line:
            return False
        if line.startswith("Unicast lids"):
            remedy = "name the topology first, and this file with --routes"
            raise FabricError(path, 1, "these are forwarding tables, not a topology", remedy)
        arrows += "->" in line
        if arrows >= 2:
            return True
    return arrows > 0 or str(path).endswith(".topo")


def network_of(fabric, *, routes=None, **options):
    """The engine's view of a fabric as a scenario: what is connected, levels, and a credit loop if there is one.

    `routes` is the file of its forwarding tables, for messages; `options` are those of `scenario_text`. Raises
    FabricError if it is none, as for a fabric of several planes, or if the engine refuses it.
    """
    _check_connected(fabric)
    text = "allow_credit_loops = true\n" + scenario_text(fabric, **options)
    try:
        return json.loads(_engine.network(text, "toml", fabric.path, memory.default_limit(), False))
    except ScenarioError as error:
        first = error.complaints[0]
        path = routes if routes is not None and first["path"].startswith("routing.ports") else fabric.path
        raise FabricError(path, None, first["fact"], first["remedy"]) from None


def _check_connected(fabric):
    networks = fabric.networks()
    if len(networks) < 2:
        return
    parts = [f"{switches[0]} with {hosts[0]} ({len(hosts)} hosts)" for switches, hosts in networks]
    shown = ", ".join(parts[:3]) + (f" and {len(parts) - 3} more" if len(parts) > 3 else "")
    fact = f"no link joins its {len(networks)} parts, and each is a network of its own here: {shown}"
    raise FabricError(fabric.path, None, fact, "keep the switches and ports of one of them in the file")


def write(fabric, form):
    """The text of a file in one of FORMATS."""
    check_writable(fabric, form)
    return {"ibnetdiscover": ibnetdiscover, "topo": topo, "lfts": lfts}[form].write(fabric)
