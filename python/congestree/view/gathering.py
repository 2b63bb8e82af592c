"""From runs to what the page carries: the fabric once, and of each run its frames, links, trees, flows, sentences."""

from pathlib import Path

import numpy as np

from ..columns import numbers
from ..errors import CongestreeError, visible
from ..evaluation import active, faults, losses, pauses, trees
from ..evaluation.links import told_apart
from ..quantities import in_words
from ..runs import arguments
from ..runs.results import a_run
from .flows import pack_flows, sentences
from .forest import pack_trees
from .frames import OVER_TIME, of_runs, quantities
from .layout import Fabric
from .packing import Packer

LOOK = '--set \'measure.probes=["trees", "ports", "flows"]\''
UNSEEN = 0.01
"""If the last sample is further from the end than this share of the run, the page says so."""


def gather(runs, most=None, on_progress=None):
    """What the page shows: (packed data, title, sentences).

    runs: one `Run` or two of the same network; most: frames at most. Raises CongestreeError if nothing can be shown.
    """
    report = arguments.function("on_progress", on_progress) or (lambda share: None)
    for run in runs:
        _require(run)
    if len(runs) > 1:
        _same_network(*runs)
    packer = Packer()
    fabric = Fabric(runs[0], len(runs[0].hosts))
    report(0.1)
    header = {"fabric": _pack_fabric(runs[0], fabric, packer), "runs": []}
    names = [_name_of(run) for run in runs]
    if len(set(names)) < len(names):  # only their folders distinguish them
        names = [Path(run.folder).name if run.folder else name for run, name in zip(runs, names, strict=True)]
    for i, frames in enumerate(of_runs(runs, most)):
        header["runs"].append({"name": names[i], **_pack_run(frames, packer, f"run{i}", fabric)})
        report(0.1 + 0.6 * (i + 1) / len(runs))
    title = " beside ".join(names) + ": congestion"
    sentences = [said for run in header["runs"] for said in run["said"]]
    packed = packer.pack({"title": title, **header})
    report(1.0)
    return packed, title, sentences


def _require(run):
    """Complains about a run that has recorded nothing over time, with what to do about it."""
    name = _name_of(a_run("congestree.view", run))
    if "trees" in run.tables or any(table in run.tables for table in OVER_TIME):
        return
    raise CongestreeError(
        f'"{visible(name)}" has not looked at the fabric and has recorded nothing of its links over time, so there is '
        f"nothing to view: run it again with {LOOK}, for instance: congestree run FILE {LOOK} --out FOLDER"
    )


def _same_network(one, two):
    """Complains about two runs that cannot be drawn on one fabric."""
    ends = [run.arrow("ports", ["from", "to"]).to_pydict() for run in (one, two)]
    if ends[0] == ends[1]:
        return
    sizes = [f"{_name_of(run)} has {len(end['from'])} ports" for run, end in zip((one, two), ends, strict=True)]
    same = len(ends[0]["from"]) == len(ends[1]["from"])
    how = "they have equally many ports, but other links" if same else "; ".join(sizes)
    raise CongestreeError(
        f"These two runs are not of the same network ({visible(how)}), and only runs of one network can be shown "
        f"beside each other: view them one by one{commands([one, two])}."
    )


def commands(runs):
    """What makes a page of each of some runs; "" if they have no folders."""
    if not all(run.folder for run in runs):
        return ""
    return ", with " + " and ".join(f"congestree view {visible(str(run.folder))}" for run in runs)


def _name_of(run):
    name = run._scenario.get("name") or (Path(run.folder).name if run.folder else run.manifest["hash"])
    return str(name)


def _pack_fabric(run, fabric, packer):
    ports = run.arrow("ports")
    rates = numbers(ports["rate"])
    names = told_apart(ports["name"].to_pylist())
    plain = [f"{fabric.names[a]}->{fabric.names[b]}" for a, b in zip(fabric.origin, fabric.end, strict=True)]
    return {
        "kind": fabric.kind,
        "hosts": fabric.hosts,
        "nodes": fabric.names,
        "ports": [] if names == plain else names,
        "x": packer.exact("x", fabric.x, "f32"),
        "y": packer.exact("y", fabric.y, "f32"),
        "from": packer.exact("from", fabric.origin, "u32"),
        "to": packer.exact("to", fabric.end, "u32"),
        "rate": packer.exact("rate", rates, "f64"),
    }


TOTALS = {"utilisation": "f64", "blocked": "f64", "packets": "f64", "bytes": "f64", "marked": "f64"}


def _pack_run(frames, packer, key, fabric):
    run = frames.run
    ports = len(fabric.origin)
    table = run.arrow("ports")
    header = {
        "description": run._scenario.get("description") or "",
        "duration": run.duration,
        "warm_up": active.warm_up(run),
        "times": packer.exact(f"{key}.times", frames.times, "f64"),
        "sampled": frames.sampled,
        "totals": {
            name: packer.exact(f"{key}.total.{name}", numbers(table[name]), kind) for name, kind in TOTALS.items()
        },
        "quantities": [],
        "flows": pack_flows(run, frames, packer, key, fabric),
    }
    for q in quantities(run, frames, ports):
        array = packer.rounded(f"{key}.{q.id}", q.values)
        header["quantities"].append(
            {
                "id": q.id,
                "label": q.label,
                "meaning": q.meaning,
                "unit": q.unit,
                "array": array,
                "full": q.full or float(np.nanmax(q.values, initial=0.0)),
            }
        )
    facts = trees.summary(run) if "trees" in run.tables else None
    if facts and frames.sampled:
        header["trees"] = pack_trees(run, facts, frames, packer, key)
    header["failures"] = faults.of_ports(run)
    header["said"] = _sentences(run, frames, facts) + sentences(header["flows"], packer)
    return header


def _sentences(run, frames, facts):
    """The sentences about the whole run, and about what the page cannot show of it."""
    said = faults.sentences(run) + losses.sentences(run) + pauses.sentences(run)
    if facts:
        said += trees.explain(run, facts)
    else:
        said += [f"This run has not looked for congestion trees; run it again with {LOOK} to see them."]
    if frames.step > 1:
        what = "samples" if frames.sampled else "bins"
        said.append(f"Of {len(frames.all):,} {what}, {len(frames.times):,} are shown here: one in {frames.step}.")
    if run.duration - frames.times[-1] > UNSEEN * run.duration:
        last, end = (in_words(time, "s") for time in (frames.times[-1], run.duration))
        said.append(f"The last sample was at {last}; what came after, until {end}, is not shown.")
    if not any(table in run.tables for table in OVER_TIME):
        said.append(f"Nothing was recorded of its links over time, so they have no colours; run it again with {LOOK}.")
    if run.interrupted or run.stopped:
        said.append(f"The run ended early: {run.stopped or 'it was interrupted'}.")
    return said
