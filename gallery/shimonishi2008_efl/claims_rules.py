"""Sections II and III: the consequences of the rules alone, counted in runs or computed."""

import numpy as np

from ..common.judge import Finding
from .paper import check

EXTENSION = {"sequence number": 4, "time stamp": 4, "type": 1}
"""The fields of the extended MAC header that section II needs, bytes: as many as the paper counts."""
TCP_IP = {"TCP": 20, "IP": 20}


@check("efl-s2-header")
def header(_study):
    sizes = [sum(EXTENSION.values()), sum(TCP_IP.values())]
    return Finding(sizes, note="fields: " + ", ".join(f"{k} {v}" for k, v in EXTENSION.items()))


@check("efl-s3-probe-bytes")
def probe_bytes(_study):
    sizes = [20 * 256, 4 * 1500]
    return Finding(sizes)


@check("efl-s3-rttp-signs")
def signs(study):
    """Over the ACKs of a forecast's window, the measured value has grown if and only if the predicted one is longer."""
    view = study.view("fig6_proposed")
    right, wrong, kinds = 0, 0, set()
    for flow in range(4):
        states = view.states(flow)
        measured, predicted = states["measured"], states["predicted"]
        for k in range(3, len(measured)):
            if states["phase"][k - 3] != "congestion-avoidance" or predicted[k] == measured[k] == measured[k - 3]:
                continue
            grown = np.sign(round((measured[k] - measured[k - 3]) * 1e12))
            ahead = np.sign(round((predicted[k] - measured[k]) * 1e12))
            if ahead == 0 and abs(measured[k] - measured[k - 3]) < 2e-12:
                continue
            if ahead == 0 and k < 40:
                continue  # The window is not yet full of packets of congestion avoidance.
            kinds.add(int(ahead))
            right, wrong = right + (grown == ahead), wrong + (grown != ahead)
    value = {"ACKs that agree": int(right), "ACKs that do not": int(wrong), "signs that occur": len(kinds & {-1, 1})}
    return Finding(value, note="in the run of Fig. 6")


@check("efl-s3-loss-halves")
def halves(study):
    """What losses do to rates, in runs with random loss: a fall by a third or more is a loss."""
    falls, zeros, others = [], 0, []
    for name in ("loss_long", "loss_short"):
        view = study.view(name)
        for flow in range(2):
            states = view.states(flow)
            rate, phase = states["rate"], states["phase"]
            for k in range(1, len(rate)):
                if phase[k] != "congestion-avoidance" or phase[k - 1] == "idle":
                    continue
                if phase[k - 1] in ("bandwidth-probing", "delay-probing"):
                    zeros += rate[k] == 0
                elif rate[k - 1] > 0 and rate[k] <= 0.67 * rate[k - 1]:
                    ratio = rate[k] / rate[k - 1]
                    (falls if abs(ratio - 0.5) < 1e-9 else others).append(ratio)
    value = {"halved": len(falls), "set to zero in probing": int(zeros), "fell otherwise": len(others)}
    return Finding(value)


@check("efl-s2-go-back-n")
def go_back_n(study):
    """Everything arrives once and in order, and retransmissions come in series (go-back-N)."""
    view = study.view("loss_short")
    deliveries = view.run.deliveries
    flow, sequence = deliveries["flow"].to_numpy(), deliveries["sequence"].to_numpy()
    in_order = all(np.array_equal(sequence[flow == one], np.arange((flow == one).sum())) for one in (0, 1))
    flows = view.run.flows
    value = {
        "transfers that arrived whole": len(view.transfers["bytes"]),
        "in order and once": in_order,
        "packets lost": int(flows["dropped"].sum()),
        "packets sent again": int(flows["resent"].sum()),
        "losses that only a timer told": int(flows["timeouts"].sum()),
    }
    note = "that the second duplicate ACK goes back, not the first, is a test of the transport"
    return Finding(value, note=note)
