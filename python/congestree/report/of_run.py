"""The report of one run."""

import json
import math

import numpy as np

from .. import document
from ..evaluation import active, faults, losses, needless, pauses, trees
from ..evaluation.goals import tables
from ..evaluation.links import told_apart
from ..quantities import in_words
from . import again, pictures
from .page import Document, Paragraph, Part, Sentences, Table

PARTS = ("mark", "isolate", "react", "transport", "route", "schedule")
"""Keys of a scheme that choose a part."""
LONGEST = 320
"""Characters of what is said of an entry of the traffic."""
WORST = 10
RATES = 4
"""Rates of links that are told one by one, at most."""
BUSIEST = "The busiest links after the warm-up; a packet counts when it starts, so that a full link may be above 100 %"
PAUSED = "Ports paused most after the warm-up, by lane; storms are interventions of the watchdog"


def of_run(run):
    """The document of a `Run`."""
    scenario = run._scenario
    facts = trees.summary(run) if "trees" in run.tables else None
    name = scenario.get("name") or run.manifest["hash"]
    made = run.manifest.get("created", "")[:10]
    under = f"{in_words(run.duration, 's')} of simulated time, seed {run.seed}; run on {made}."
    return Document(
        str(name),
        under,
        [
            Part("Question", [Paragraph(question(scenario))]),
            Part("Network", [Paragraph(network(run)), traffic(scenario)]),
            Part("Findings", [Sentences(findings(run, facts))]),
            Part("Plots", pictures.of_run(run, facts)),
            Part("Numbers", [classes(run), *recorded(run), worst(run), busiest(run), *paused(run), summary(run)]),
            Part("Settings", [settings(scenario)]),
            Part("How to run it again", again.of_run(run)),
        ],
    )


def question(scenario, varies=()):
    """The question of the run, from its author or built from its parts; `varies`: keys that differ between runs."""
    if scenario.get("description"):
        return scenario["description"]
    names = ", ".join(entry.get("name") or f"entry {i + 1}" for i, entry in enumerate(scenario.get("traffic", [])))
    how = control(scenario.get("scheme", {}))
    if any(key.startswith("scheme") for key in varies):
        how = "under each of these schemes"
    return f"What becomes of the traffic ({names}) on this network {how}?"


def control(scheme):
    """The congestion control of a resolved scheme: its preset, or the parts that it is composed of."""
    if (preset := scheme.get("preset") or "none") != "none":
        return f"with {preset}"
    parts = (document.chosen(scheme.get(key) or "none")[0] for key in PARTS)
    names = [name for name in parts if name != "none"]
    return f"with {' and '.join(names)}" if names else "without congestion control"


def network(run):
    """The network in a sentence or two."""
    ports = run.arrow("ports")
    nodes = set(ports["from"].to_pylist())
    hosts = len(run.hosts)
    rates = sorted(set(ports["rate"].to_pylist()))
    kind = next(iter(run._scenario.get("topology", {})), "network")
    said = f"{hosts:,} hosts and {len(nodes) - hosts:,} switches ({kind}), {ports.num_rows // 2:,} links of "
    told = [in_words(rate, "bit/s") for rate in rates]
    if len(told) > RATES:
        told[RATES - 1 :] = [f"{len(told) - RATES + 1} other rates"]
    return said + " and ".join(told) + "."


def traffic(scenario):
    """The entries of the traffic."""
    rows = []
    for i, entry in enumerate(scenario.get("traffic", [])):
        left = ("name", *otherwise(entry))
        said = "; ".join(
            f"{key} {words(value)}" for key, value in entry.items() if key not in left and value is not None
        )
        rows.append((entry.get("name") or f"entry {i + 1}", shortened(said, LONGEST)))
    return Table(["traffic", "what it is"], rows)


def otherwise(entry):
    """Keys of an entry of the traffic that must keep their defaults, as its program, list or arrivals say otherwise."""
    if entry.get("program") or entry.get("list"):
        return "arrivals", "flows", "message", "stagger", "jitter"
    if entry.get("arrivals") == "injected":
        return "flows", "start", "stagger", "jitter"
    return ("flows", "stagger", "jitter") if "incast" in (entry.get("arrivals") or ()) else ()


def words(value):
    """A value of a scenario without the brackets of JSON."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {words(inner)}".strip() for key, inner in value.items() if inner is not None)
    if isinstance(value, list):
        return ", ".join(words(inner) for inner in value[:LONGEST])  # more than is left when it is shortened
    return str(value)


def shortened(text, most):
    return text if len(text) <= most else text[: most - 1] + "…"


def findings(run, facts):
    """The results, in sentences."""
    said = []
    if run.stopped or run.interrupted:
        said.append(f"The run ended before its time: {run.stopped or 'it was interrupted'}.")
    values = dict(zip(*(run.arrow("summary")[c].to_pylist() for c in ("name", "value")), strict=True))
    measured = not active.not_measured(run)
    if measured:
        said.append(
            f"The network delivered {in_words(values['accepted_load'], 'bit/s')}, "
            f"{in_words(values['accepted_load_per_host'], 'bit/s')} a host; flow control held links for "
            f"{in_words(values['blocked'], 's')} in all."
        )
    if values.get("dropped"):
        what = losses.or_trimmed("dropped", run)
        said.append(f"{values['dropped']:,.0f} packets were {what} and {values.get('resent', 0):,.0f} sent again.")
    said += active.sentences(run) + needless.sentences(run) + faults.sentences(run)
    said += losses.sentences(run) + losses.too_short(run) + pauses.sentences(run)
    said += run.manifest.get("notes", [])  # a run of an older version has none
    if facts:
        said += trees.explain(run, facts)
    else:
        said.append("The run has not looked for congestion trees (probe trees), so nothing is said of them.")
    for name, rates, flows in by_class(run) if measured else ():
        if len(rates) > 1 and rates.max() > 1.5 * max(rates.min(), 1e-9):
            least = flows[int(np.argmin(rates))]
            said.append(
                f"Flows of {name} got {in_words(float(np.median(rates)), 'bit/s')} (median of {len(rates):,}); the "
                f"worst, {least}, {in_words(float(rates.min()), 'bit/s')}."
            )
    return said


def by_class(run):
    """(class, rates, names of its flows), in the order of the traffic."""
    flows = run.arrow("flows", ["class", "rate", "name"])
    kinds, rates, names = (flows[c].to_pylist() for c in ("class", "rate", "name"))
    groups = {}
    for kind, rate, name in zip(kinds, rates, names, strict=True):
        groups.setdefault(kind, []).append((rate, name))
    return [(kind, np.array([r for r, _ in mine]), [n for _, n in mine]) for kind, mine in groups.items()]


def classes(run):
    """Classes as median and band."""
    rows = []
    for name, rates, _ in by_class(run):
        low, middle, high = np.percentile(rates, [10, 50, 90])
        numbers = [in_words(float(v), "bit/s") for v in (rates.mean(), low, middle, high, rates.min(), rates.max())]
        rows.append((name, f"{len(rates):,}", *numbers))
    columns = ["class", ">flows", ">mean", ">10 %", ">median", ">90 %", ">least", ">most"]
    return Table(columns, rows, "Rates of flows after the warm-up, by class of traffic")


def recorded(run):
    """Flows by size, transfers and latencies of packets by class: of what the run has recorded."""
    found = tables.of_run(run)
    return [Table([*columns], rows, title) if rows else Paragraph(title) for title, columns, rows in found]


def worst(run):
    """The flows that suffered most: by time lost behind others, or by rate."""
    flows = run.arrow("flows", ["flow", "name", "class", "rate"]).to_pylist()
    looked = "tree_losses" in run.tables
    lost = {row["flow"]: row["lost"] for row in run.arrow("tree_losses").to_pylist()} if looked else {}
    flows.sort(key=lambda flow: (-lost.get(flow["flow"], 0.0), flow["rate"]))
    rows = [
        (flow["name"], flow["class"], in_words(flow["rate"], "bit/s"), in_words(lost.get(flow["flow"], 0.0), "s"))
        for flow in flows[:WORST]
    ]
    how = "by time lost behind packets of others, then by rate" if lost else "by rate"
    columns = ["flow", "class", ">rate", ">time lost"][: 4 if looked else 3]  # losses are not known without samples
    return Table(columns, [row[: len(columns)] for row in rows], f"The worst flows, {how}")


def busiest(run):
    """The busiest links."""
    ports = run.arrow("ports", ["name", "utilisation", "blocked", "marked"]).to_pylist()
    for row, name in zip(ports, told_apart([row["name"] for row in ports]), strict=True):
        row["name"] = name
    ports.sort(key=lambda row: -row["utilisation"])
    uses = ["–" if math.isnan(row["utilisation"]) else f"{100 * row['utilisation']:.1f} %" for row in ports[:WORST]]
    rows = [
        (row["name"], use, in_words(row["blocked"], "s"), f"{row['marked']:,}")
        for row, use in zip(ports, uses, strict=False)
    ]
    return Table(["link", ">use", ">held by flow control", ">marked"], rows, BUSIEST)


def paused(run):
    """The lanes of ports that were paused most, if the run has recorded pauses."""
    found = pauses.most_paused(run) if "pause_counters" in run.tables else []
    rows = [
        (row["port"], str(row["lane"]), f"{row['pauses']:,}", in_words(row["paused"], "s"), f"{row['storms']:,}")
        for row in found[: pauses.MOST]
    ]
    return [Table(["link", ">lane", ">pauses", ">time paused", ">storms"], rows, PAUSED)] if rows else []


def summary(run):
    """The table `summary`, unchanged, and when applications were complete."""
    rows = [
        (row["name"].replace("_", " "), in_words(row["value"], row["unit"]), row["meaning"])
        for row in run.arrow("summary").to_pylist()
    ]
    if completions := tables.completions_of_jobs(run):
        rows += [(*told, run.meanings("jobs")["completion"]) for told in completions]
    return Table(["measure", ">value", "what it is"], rows, "The run as a whole")


def settings(scenario, differing=()):
    """Every value of the resolved scenario but its traffic, by path; of one that another replaces, which one does.

    differing: ways to what is not the same in all runs, if there are several.
    """
    rows = []
    varies = [".".join(map(str, way)) for way in differing if way[0] not in ("traffic", "name", "description")]

    def walk(value, path):
        if isinstance(value, dict) and value and path not in varies:
            for key, inner in value.items():
                walk(inner, f"{path}.{key}" if path else key)
        elif path not in ("name", "description"):
            said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            if any(f"{way}.".startswith(f"{path}.") for way in varies):
                said = "varies"
            rows.append((path, replaced.get(path) or shortened(said, 200)))

    switches = scenario.get("switches", {})
    instead = [key for key in ("lane_buffers", "shared_memory") if switches.get(key)]
    replaced = {"switches.buffer": f"not used: switches.{instead[0]} replaces it"} if instead else {}
    walk({key: value for key, value in scenario.items() if key != "traffic"}, "")
    # What the first run does not have, and others do.
    told = tuple(path for path, _ in rows)
    rows += [(way, "varies") for way in varies if not any(f"{way}.".startswith(f"{path}.") for path in told)]
    return Table(["key", "value"], rows, f"Every setting of the run{'s' * bool(varies)}, defaults written out")
