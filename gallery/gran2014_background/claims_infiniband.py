"""Section 2.3.2 and 3.2: InfiniBand congestion control, parameter by parameter."""

import numpy as np

from ..common.judge import Finding
from ..gran_common.scenario import SCENARIO_1, WIRE
from .measures import fill_at_entry, index_steps, marked_by_state
from .paper import check
from .runs import INDEX, WEIGHED_BUFFER, WEIGHTS

LAST = 4
CONTRIBUTORS = [flow for flow in SCENARIO_1 if flow != "F1"]


@check("thesis-s2.3.2-m1")
def levels(study):
    value = {}
    for per, word in (("sl", "per service level"), ("qp", "per flow")):
        flows = study.views("level", per)[0].run.flows
        rate = dict(zip(flows["class"], flows["rate"] * 1e-9 * 2048 / WIRE, strict=True))
        value[word] = {"cold, Gbit/s": rate["cold"], "hot of the same host, Gbit/s": rate["hot"]}
    return Finding(value, note="payload")


@check("thesis-s2.3.2-threshold-zero")
def zero(study):
    ports = study.views("zero")[0].run.ports
    return Finding({"marks": int(ports["marked"].sum()), "a link was held for, s": ports["blocked"].max()})


@check("thesis-s2.3.2-threshold-weights")
def weights(study):
    fill = [fill_at_entry(study.views("burst", weight)[0]) for weight in WEIGHTS]
    entries = {w: int(study.views("bursty", w)[0].run.congestion["entered"].sum()) / 0.02 for w in (1, 8, 15)}
    threshold = [(16 - weight) * WEIGHED_BUFFER / 16 for weight in WEIGHTS]
    over = [a - b for a, b in zip(fill, threshold, strict=True)]
    value = {"bytes at entry": dict(zip(WEIGHTS, fill, strict=True)), "entries per second": entries}
    value["bytes above the threshold"] = dict(zip(WEIGHTS, over, strict=True))
    return Finding(value, note="each entry is with the first packet above (16 - weight)/16 of 256 KiB")


@check("thesis-s2.3.2-mark-all")
def mark_all(study):
    value = marked_by_state(study.views("all")[0])
    return Finding(value)


@check("thesis-s2.3.2-victim-mask")
def victim_mask(study):
    value, held = {}, {}
    for word, ports in (("without", "none"), ("with", "hosts")):
        view = study.views("mask", ports)[0]
        span = view.run.duration - 0.02
        held[word] = max(view.ports[link]["blocked"] for link in ("S1->S2", "H2->S1")) / span
        value[word] = {
            "marks at S2->H5": view.ports["S2->H5"]["marked"],
            "share of the time that H2->S1 or S1->S2 is held": held[word],
            "flow beside, Gbit/s": float(view.run.flows["rate"][1]) * 1e-9,
        }
    return Finding(value, note="wire bytes, 20 to 40 ms")


@check("thesis-s2.3.2-ccti-range")
def index_range(study):
    seen, faults = index_steps(study.views("index")[0], 50e-6, INDEX["increase"])
    value = {"lowest": seen[0], "highest": seen[-1], "steps against the rule": faults}
    return Finding(value, note=f"CCTI_Min {INDEX['min']}, CCTI_Limit {INDEX['limit']}, {len(seen)} values seen")


@check("thesis-s2.3.2-oscillation")
def oscillation(study):
    off, on = study.views("swing", "off")[0], study.views("swing", "on")[0]
    value = {flow: on.deviation(flow, LAST) / off.deviation(flow, LAST) for flow in CONTRIBUTORS}
    return Finding(value, note="SD with over SD without, five flows")


@check("thesis-s3.2-hysteresis-mtu")
def hysteresis(study):
    value = {}
    for gap in (0, 1, 2):
        view = study.views("gap", gap)[0]
        ratios = [view.ratio(["H2", "H3", "H6", "H7"][:phase], phase) for phase in (2, 3, 4)]
        value[f"{gap} MTU"] = max(ratios)
    return Finding(
        value, note="largest over smallest, worst plateau; fair is read as in p2-fig7-fair, unfair as in p2-fig4"
    )


@check("thesis-s2.3.2-fecn-exceptions")
def exceptions(study):
    value = {}
    for by in ("cnp", "ack"):
        run = study.views("answers", by)[0].run
        flows, ports = run.flows, run.ports
        excess = 0
        for host in ("H2", "H5"):
            control = ports.filter(ports["name"] == f"{host}->S")["packets"][0]
            control -= flows.filter(flows["source"] == host)["sent"].sum()
            came = flows.filter(flows["destination"] == host)
            excess += int(control) - int(came["marked" if by == "cnp" else "packets"].sum())
        value[f"notified by {by.upper()}"] = excess
    value["marks at outputs that control packets pass"] = int(
        np.sum([p["marked"] for p in study.views("answers", "cnp")[0].run.ports.iter_rows(named=True)])
    )
    return Finding(value, note="control packets less those that data asked for. Multicast is not modelled")
