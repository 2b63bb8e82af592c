"""Claims about how switches are made: memory cells, numbers of switches, and what EcoCC must never do."""

from congestree.quantities import size
from congestree.runs.running import check as resolve

from ...common.judge import Finding
from ...escudero_common.trees import tree
from ..paper import check
from ..scenario import COLD, JUDGED, READINGS, nodes, pattern

NETWORKS = (1, 2, 3)
TREES = ((2, 3), (4, 3), (4, 4), (4, 5))


def cost(network, technique="ecocc"):
    """The cost of a network according to `congestree cost`."""
    return resolve(bare(pattern(network, 1, technique, READINGS["a"], 1, "cost")))["cost"]


def bare(scenario):
    """The scenario with one flow in place of its traffic: memory does not depend on it."""
    return scenario | {"traffic": [{"from": "h0", "to": "h1", "arrivals": {"steady": {"load": 1.0}}}]}


@check("p6-supp8-cam-cells")
def searched(_study):
    found = [cost(network)["input"] for network in NETWORKS]
    cells = [each["cam_cells"] // each["lines"] for each in found]
    return Finding(cells, note="`congestree cost`, cells by lines")


@check("p6-supp8-sram-cells")
def kept(_study):
    found = [cost(network)["input"] for network in NETWORKS]
    cells = {each["sram_cells"] // each["lines"] for each in found}
    return Finding(max(cells), note="`congestree cost`, cells by lines")


@check("p6-supp8-port-total")
def of_a_port(_study):
    found = cost(3)["input"]
    both = found["cam_cells"] + found["sram_cells"]
    values = [found["cam_cells"], found["sram_cells"], both, -(-both // 8)]
    return Finding(values, note="`congestree cost`")


@check("p6-s4.1-voqnet-memory")
def memory(_study):
    found = []
    for network in NETWORKS:
        switches = resolve(bare(pattern(network, 1, "voqnet", None, 1, "cost")))["scenario"]["switches"]
        found.append(nodes(network) * size(switches["queues"]["voqnet"]["buffer"]) / 2**20)
    return Finding(found, note="MiB; 64 packets of 2 KiB for each destination")


@check("p6-table1-switches")
def switches(_study):
    found = []
    for k, n in TREES:
        scenario = bare(pattern(1, 1, "1vl", None, 1, "switches")) | {"topology": tree(k, n)}
        kinds = resolve(scenario)["cost"]["inputs"]
        found.append(sum(kind["switches"] for kind in kinds))
    return Finding(found)


def audited(study):
    """The run in which the engine checked its laws, and ended: a law that is broken ends a run with a message."""
    view = study.views("audit")[0]
    return view if view.run.scenario["measure"].get("audit") else None


@check("p6-s3-in-order")
def in_order(study):
    view = audited(study)
    values = {"out of order": 0, "set aside": view.number("set_aside"), "delivered": view.number("delivered")}
    return Finding(values, note="the engine checks the order of each flow at every delivery")


@check("p6-s3.1.2-no-local-hpq")
def none_at_the_root(study):
    """All hosts on one switch, whose hot output is a root: it must have lines, but no set-aside queues."""
    view = study.views("switch", "ecocc")[0]
    queues, lines = (int(view.isolation(column).max()) for column in ("queues", "lines"))
    return Finding({"queues": queues, "lines of the root": lines}, note="one switch with eight hosts")


@check("p6-s3.1-low-order-free")
def cold(study):
    """The throughput of uniform traffic next to a hot output, as a share of what it offers."""
    view = study.views("switch", "1vl")[0]
    found = view.mean((0.5, 2), "cold") * 8 / (7 * COLD)
    return Finding(found, note="each queue with a part of the memory; 70 % of a link each, 20 % hot")


@check("p6-s4.2-throttling-without-hpqs")
def throttling_alone(study):
    """EcoCC without set-aside queues, divided by IB-ITh with the same thresholds and marks.

    The line of a host belongs to one of its queues (section 3.2): without queues, hosts know of no stops. The result if
    they did know is given in addition.
    """
    values = {}
    for skip, word in (("no", ""), ("yes", ", hosts pass over stopped destinations")):
        for span in ((1, 2), (2, 4)):
            alone = study.sample(("bare", skip), lambda view: view.mean(span))  # noqa: B023 (called at once)
            other = study.mean(1, 3, "ib-ith", JUDGED, span)
            values[f"[{span[0]}, {span[1]}] ms{word}"] = alone / other
    return Finding(values, note="64 nodes")
