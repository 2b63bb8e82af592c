"""Claims about how switches are made: queues, thresholds, memory, and what CCFIT must never do."""

from congestree.quantities import size
from congestree.runs.running import check as resolve

from ..common.judge import Finding
from .claims_small import TRUNK
from .paper import check
from .scenario import JUDGED, READINGS, case4

THRESHOLDS = {"detect", "stop", "go", "high", "low"}
"""Keys of an isolation scheme that are thresholds."""


def configured(technique):
    """The resolved scenario of Configuration #3 with a technique."""
    return resolve(case4(1, technique, READINGS[JUDGED], 1, "configured"))["scenario"]


def queues(technique):
    """Queues of an input of Configuration #3."""
    scenario = configured(technique)
    k, n = (scenario["topology"]["k-ary-n-tree"][key] for key in "kn")
    isolate = scenario["scheme"].get("isolate", {}).get(technique, {})
    normal = {"single": 1, "voq": 2 * k}.get(str(scenario["switches"]["queues"]), k**n)
    return normal + isolate.get("queues", 0)


@check("p5-s4b-queue-counts")
def queue_counts(_study):
    found = [queues(technique) for technique in ("ith", "ccfit", "voqnet", "1q")]
    return Finding([*found, queues("fbicm")], note="ITh, CCFIT, VOQnet, 1Q, FBICM")


@check("p5-s3-five-thresholds")
def thresholds(_study):
    ccfit = case4(1, "ccfit", READINGS[JUDGED], 1, "configured")
    ecocc = ccfit | {"switches": ccfit["switches"] | {"queues": "voq"}, "scheme": {"preset": "ecocc"}}
    found = []
    for name, scenario in (("ccfit", ccfit), ("ecocc", ecocc)):
        keys = resolve(scenario)["scenario"]["scheme"]["isolate"][name]
        found.append(len(THRESHOLDS & set(keys)))
    return Finding(found, note="keys of the two schemes that are thresholds")


@check("p5-s3-voqnet-memory")
def memory(_study):
    scenario = configured("voqnet")
    each = size(scenario["switches"]["queues"]["voqnet"]["buffer"])
    found = queues("voqnet") * each / 1024
    return Finding(found)


@check("p5-s3c-two-hops-no-mark")
def no_marks_upstream(study):
    view = study.views("rules")[0]
    one = study.views("roots1", "ccfit")[0].entries()
    ith = study.views("roots1", "ith")[0].entries()
    entries = view.entries()
    values = {
        "entries by CFQs further upstream": 0,
        "laws audited and kept": audited(view),
        "entries": sum(entries.values()),
        "outputs that entered": len(entries),
        "Config #1, CCFIT: entries at S1 to S2": one.get(TRUNK, 0),
        "Config #1, ITh: entries at S1 to S2": ith.get(TRUNK, 0),
    }
    note = "the engine's audit ends a run in which a line that feeds another counts in a congestion state"
    return Finding(values, note=note)


@check("p5-s3c-no-hol-in-nfq")
def nothing_left(study):
    """The audit of the engine ends a run in which such a packet is found."""
    view = study.views("rules")[0]
    values = {"packets left behind": 0, "laws audited and kept": audited(view), "set aside": view.number("set_aside")}
    return Finding(values)


def audited(view):
    """Whether the engine checked its laws during a run, and found none broken."""
    return bool(view.run.scenario["measure"].get("audit")) and view.run.stopped is None
