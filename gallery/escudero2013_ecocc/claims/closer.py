"""Claims that need a closer look: which packets fill a memory, declared roots, which packets wait behind which."""

import numpy as np
import polars as pl

from ...common.judge import Finding
from ...common.study import Missing
from ..closer import FLOWS, LIVES_MS, MOVING, SUDDEN_MS
from ..paper import check
from ..scenario import HOT_MS, JUDGED, MEMORY, PACKET

SETTLED_MS = (0.5, 2)
"""The interval in which the flows of figure 1 are examined."""
WATCHED = f"64 nodes, pattern 2 to 2 ms, set {JUDGED.upper()}"
"""What the runs with probes of their own are."""
MOVED = f"64 nodes, set {JUDGED.upper()}, hot traffic of pattern 2 all the time"
"""What those of figure 2 are."""


@check("p6-fig1-third")
def thirds(study):
    view = study.views("sharing")[0]
    found = {flow: view.mean(SETTLED_MS, flow) * view.nodes for flow in (f"{a}{b}" for a, b in FLOWS.items())}
    return Finding(found, note="three hot flows, two cold")


@check("p6-s4.2-voq-hogging")
def hogging(study):
    """The queue for the root of the largest tree, at the input of its switch where it is longest."""
    run = study.views("hogging")[0].run
    start = HOT_MS[0] * 1e-3
    largest = run.trees.filter(pl.col("time") > start).sort("bytes")
    ours = run.input_queue_series.filter(pl.col("output_port") == largest["root"][-1])
    most = {}
    for us in (0, 50, 100, 200):
        by_then = ours.filter((pl.col("time") > start - 1e-5) & (pl.col("time") <= start + 1e-6 * us + 1e-9))
        most[f"{us} us"] = float(by_then["bytes"].max() or 0) / MEMORY
    root = largest["name"][-1]
    return Finding(most, note=f"IB-ITh, set {JUDGED.upper()}; the output {root}, looked at every 10 us")


@check("p6-s3.4-exact-root")
def exact(study):
    """Declared outputs that were no bottleneck since packets for them arrive: offered no more than they carry, or by
    one input alone. In addition the same with a tolerance of one packet: an output that was offered at most a packet
    above its capacity counts too. Without set-aside queues ("bare") EcoCC is not exact.
    """
    shares, counts, theirs = {}, {}, {}
    for technique in ("ecocc", "ccfit", "bare"):
        found = study.views("watched", technique)[0].run.detections
        beyond = found["offered"].cast(pl.Int64) - found["capacity"].cast(pl.Int64)
        for how, room in (("", 0), (", a packet aside", PACKET)):
            shares[f"{technique}{how}"] = float(((beyond <= room) | (found["inputs"] < 2)).mean())
        counts[f"{technique}, declared"] = len(found)
        theirs[f"{technique}, of the packets in the queue for the output declared"] = float(
            (found["for_output"] / found["held"]).mean()
        )
    values = shares | counts | theirs
    return Finding(values, note=f"{WATCHED}; CCFIT with one read port; bare: no HPQs")


@check("p6-s3.4-temporary-low-order")
def temporary(study):
    """Cold packets that waited behind hot ones, and left, before the first root was declared and later."""
    values = {}
    for technique in ("ecocc", "ccfit"):
        run = study.views("sudden", technique)[0].run
        onset = SUDDEN_MS * 1e-3
        first = run.detections.filter(pl.col("time") >= onset)["time"].min()
        behind = run.hol_blocking.filter(
            (pl.col("time") >= onset)
            & (pl.col("blocked_by") == "hot")
            & pl.col("class").cast(str).str.starts_with("cold")
        )
        values[f"{technique}, before the first root"] = int(behind.filter(pl.col("time") < first)["packets"].sum())
        values[f"{technique}, afterwards"] = int(behind.filter(pl.col("time") >= first)["packets"].sum())
        values[f"{technique}, first root after, us"] = round(1e6 * (first - onset), 2)
    return Finding(values, note="one switch with eight hosts, 40 % of a link cold each, then 20 % hot")


@check("p6-s3.2-hca-gate")
def gate(study):
    """The share of traffic that hosts let through with EcoCC; in addition HFDI, whose hosts do not throttle."""
    values = {}
    for technique in ("ecocc", "hfdi"):
        found = study.views("watched", technique)[0].run.injection_audit
        for column in ("stopped", "early", "listed", "throttled", "packets"):
            values[f"{technique}, {column}"] = int(found[column].sum())
    return Finding(values, note=f"{WATCHED}; probe gates")


@check("p6-s3.1.2-root-needs-credits")
def credits(study):
    """Marks where the output had no credit; and those after which it had none for another packet."""
    run = study.views("watched", "ecocc")[0].run
    marks, entries = run.marks["credit"], run.congestion.filter(pl.col("entered"))["credit"]
    values = {
        "marks without credit": int((marks < PACKET).sum()),
        "marks": len(marks),
        "marks with credit for no packet but the marked one": int((marks < 2 * PACKET).sum()),
        "states entered without credit": int((entries < PACKET).sum()),
        "states entered": len(entries),
    }
    return Finding(values, note="a mark is set when a packet starts")


@check("p6-s2-m1")
def dynamics(study):
    """Throughput over that of VOQnet, by how long hot nodes are hot, ms; figure 2."""
    return Finding(over_voqnet(study), note=f"{MOVED}, [0.5, 10] ms")


def over_voqnet(study):
    """{technique: [ratio by lifetime]}, longest first."""
    span = (0.5, LIVES_MS[0])
    if ("moving", MOVING[0], LIVES_MS[0]) not in study.table:
        raise Missing("moving")
    level = {(t, life): study.views("moving", t, life)[0].mean(span) for t in MOVING for life in LIVES_MS}
    ratio = {t: [level[t, life] / level["voqnet", life] for life in LIVES_MS] for t in MOVING if t != "voqnet"}
    return {f"{t}, {'/'.join(str(life) for life in LIVES_MS)} ms": list(np.round(each, 4)) for t, each in ratio.items()}
