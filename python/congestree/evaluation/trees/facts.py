"""Trees from birth to death, the kind of a forest, and who lost time or was held back: plain values from the tables."""

import math
from collections import Counter, defaultdict
from itertools import combinations

from ... import renames
from ...columns import by_flow
from ...errors import CongestreeError
from ...quantities import seconds
from ..links import told_apart
from . import hosts, lanes, limits

TABLES = ("trees", "tree_links", "tree_flows", "tree_losses")
MOVING = 0.5
"""Share of the places below which a forest is moving."""
WINDY = 0.8
"""Share of branches in common below which a tree is windy."""
COMPARED = 40
"""Samples of a tree that are compared, evenly over its life."""
SAME = 1 + 1e-9
"""Times that differ by less are the same instant."""
LOST = {"between_s": "held_by_trees", "inside_s": "held_in_switch", "lost_s": "lost"}
"""What is reported of a class that lost time, and the columns of `tree_losses` that hold it."""
HELD_BACK = 0.95
"""A class that is limited to less than this share of its full rate counts as held back by rate control."""
UNSAMPLED = "The run ended before its first sample: make measure.sampling_interval shorter."
FEW = 3
"""Trees, or classes of traffic, that are described one by one."""


def require(run):
    """Raises CongestreeError if `run` has no records of trees (the probe `trees`)."""
    if "trees" not in run.tables:
        raise CongestreeError(
            'This run has not looked for congestion trees: run it again with the probe "trees" in measure.probes, for '
            "instance with --set 'measure.probes=[\"trees\"]'; measure.sampling_interval says how often."
        )


def sample_times(run):
    """The times of the samples of `run`, in s: the same numbers as in its tables."""
    every = seconds(run._scenario["measure"]["sampling_interval"])
    ps = round(every * 10**12)  # of which the engine makes the times in tables
    return [ps * k / 10**12 for k in range(1, math.floor(run.duration / every + 1e-9) + 1)]


def summary(run):
    """The congestion that `run` recorded, as a dict of plain values. Times in s, sizes in B, rates in bit/s.

    - `samples`, `every_s`, `duration_s`: the number of samples, their interval, and the duration of the run;
    - `congested`: the share of samples with at least one tree;
    - `most_at_a_time`, `mean_at_a_time`: the most trees in a sample, and their mean number; these and
      `congested` are None if the run ended before its first sample;
    - `kind`: silent, windy, moving, or None without a tree; `places`, `place_presence`: the values by which a moving
      forest is recognised;
    - `lanes`: of each link; `receive_buffer`: that of hosts in a lane, as in the scenario, or None;
    - `trees`: a dict for each tree, worst first (by links held times time), with root, the node `to` which that link
      leads, lane, in `other_lanes` the lane that took most of its link in place of its own, with share and classes (if
      the tables tell), birth and death (the first sample with it, and the first one without it again: each event
      happened up to `every_s` before), depth, links, bytes, contributors and victims by class, steadiness and kind, and
      in `slow_host` the share of its samples in which the host at the end of its root held it, and in `host_limit` why
      that host does so: "drain_rate" (it takes packets more slowly than the link brings them), "receive_buffer" (which
      is too small for the round trip of the link, even at that rate), "pauses" (though it has room), or None if it
      never does;
    - `roots`: likewise a dict for each root, of all trees that it had one after another, and in `trees` how many these
      were: pauses free a root between two samples, and its next tree is another one;
    - `suffering`: traffic classes that lost time to head-of-line blocking, worst first, with means over the flows
      concerned: between_s and inside_s (time lost between and inside switches), and lost_s, which counts time in both
      only once; and dropped, the share of their packets that were dropped;
    - `limited`: classes whose sources were held back by a rate limit, worst first, with share, the part of their full
      rate that the limit left them (mean over time and flows); None without the probe `flows`.

    Raises CongestreeError if the run has no records of trees.
    """
    require(run)
    times = sample_times(run)
    rows = run.arrow("trees").to_pylist()
    place = {row["tree"]: (row["root"], row["lane"]) for row in rows}
    lives = _lives(run, rows, len(times), {tree: tree for tree in place})
    seen = len({row["time"] for row in rows})
    facts = {
        "samples": len(times),
        "every_s": seconds(run._scenario["measure"]["sampling_interval"]),
        "duration_s": run.duration,
        "congested": seen / len(times) if times else None,
        "most_at_a_time": max(_count(rows, "time").values(), default=0) if times else None,
        "mean_at_a_time": len(rows) / len(times) if times else None,
        **_kind(rows, lives),
        "lanes": run._scenario["links"]["lanes"],
        "receive_buffer": run._scenario.get("adapters", {}).get("receive_buffer"),
        "trees": lives,
        "roots": lives if len(set(place.values())) == len(place) else _lives(run, rows, len(times), place),
        "suffering": _suffering(run),
        "limited": _limited(run),
    }
    return renames.Facts("trees.summary", facts)


def _count(rows, key):
    counts = defaultdict(int)
    for row in rows:
        counts[row[key]] += 1
    return counts


def _lives(run, rows, samples, whole):
    """Every tree from birth to death, worst first; or all trees of each root, where `whole` has {tree: root}."""
    every = seconds(run._scenario["measure"]["sampling_interval"])
    classes, sources = by_flow(run, "class"), by_flow(run, "source")
    roles = defaultdict(Counter)
    for row in run.arrow("tree_flows").to_pylist():
        roles[whole[row["tree"]], row["role"]][row["flow"]] += row["time"]
    branches = defaultdict(list)
    for row in run.arrow("tree_links").to_pylist():
        if row["carries"]:
            branches[whole[row["tree"]]].append(row)
    of_tree = defaultdict(list)
    for row in rows:
        of_tree[whole[row["tree"]]].append(row)
    ports, lives, taken = run.arrow("ports", ["name", "to"]).to_pydict(), [], lanes.taken(run)
    names = told_apart(ports["name"])
    for tree, seen in of_tree.items():
        feeding, held = roles[tree, "contributor"], roles[tree, "victim"]
        steady = _steadiness([row["time"] for row in seen], branches[tree])
        lives.append(
            {
                "tree": seen[0]["tree"],
                "trees": len({row["tree"] for row in seen}),
                "root": names[seen[0]["root"]],
                "to": ports["to"][seen[0]["root"]],
                "lane": seen[0]["lane"],
                "other_lanes": lanes.beside(taken, seen[0]["root"], seen[0]["lane"]),
                "slow_host": sum(row["slow_host"] for row in seen) / len(seen),
                "host_limit": hosts.limit(run, seen),
                "born_s": seen[0]["time"],
                "died_s": None if seen[-1]["time"] > every * (samples - 0.5) else seen[-1]["time"] + every,
                "seen_s": every * len(seen),
                "depth": max(row["depth"] for row in seen),
                "links": max(row["branches"] for row in seen),
                "mean_links": sum(row["branches"] for row in seen) / len(seen),
                "held_links": max(row["held_links"] for row in seen),
                "bytes": max(row["bytes"] for row in seen),
                "contributors": _by_class(feeding, classes, sources),
                "victims": _by_class(held, classes, sources),
                "steadiness": steady,
                "kind": "silent" if steady >= WINDY else "windy",
            }
        )
    return sorted(lives, key=lambda life: (-life["mean_links"] * life["seen_s"], life["tree"]))


def _by_class(parts, classes, sources):
    """Times of flows, as {class: {"flows", "sources": a few of them, "time_s": most of a flow}}."""
    groups = defaultdict(list)
    for time, flow in sorted(((time, flow) for flow, time in parts.items()), reverse=True):
        groups[classes[flow]].append((time, sources[flow]))
    ordered = sorted(groups.items(), key=lambda item: -sum(time for time, _ in item[1]))
    return {
        name: {
            "flows": len(group),
            "sources": list(dict.fromkeys(source for _, source in group))[:FEW],
            "time_s": group[0][0],
        }
        for name, group in ordered
    }


def _steadiness(times, spans):
    """The share of branches that two samples have in common, of those of the one with fewer; over pairs of samples."""
    chosen = sorted({times[k * (len(times) - 1) // max(COMPARED - 1, 1)] for k in range(COMPARED)})
    samples = [frozenset(s["port"] for s in spans if s["from"] <= t * SAME and s["to"] > t * SAME) for t in chosen]
    common = fewer = 0
    for first, second in combinations([sample for sample in samples if sample], 2):
        common += len(first & second)
        fewer += min(len(first), len(second))
    return common / fewer if fewer else 1.0


def _effective(weights):
    """The effective number of items with these weights: n for n equal weights."""
    total = sum(weights)
    return total * total / sum(w * w for w in weights) if total else 0.0


def _kind(rows, lives):
    """The kind of the forest, and by what share of its places it is judged."""
    if not lives:
        return {"kind": None, "places": 0.0, "place_presence": None}
    places, samples = defaultdict(float), defaultdict(list)
    for row in rows:
        weight = float(max(row["branches"], 1))
        places[row["root"], row["lane"]] += weight
        samples[row["time"]].append(weight)
    in_a_sample = sum(sum(weights) * _effective(weights) for weights in samples.values()) / sum(places.values())
    in_all = _effective(list(places.values()))
    kind = "moving" if in_a_sample < MOVING * in_all else lives[0]["kind"]
    return {"kind": kind, "places": in_all, "place_presence": in_a_sample / in_all}


def _suffering(run):
    """Classes of traffic that lost time to head-of-line blocking, worst first."""
    classes, sources, rates = (by_flow(run, column) for column in ("class", "source", "rate"))
    sizes = Counter(classes.values())
    lost = defaultdict(list)
    for row in run.arrow("tree_losses").to_pylist():
        lost[classes[row["flow"]]].append(row)
    rows = [
        {
            "class": name,
            "flows": len(held),
            "of": sizes[name],
            "sources": list(dict.fromkeys(sources[row["flow"]] for row in held))[:FEW],
            **{key: sum(row[column] for row in held) / len(held) for key, column in LOST.items()},
            "most_s": max(row["lost"] for row in held),
            "rate_bit_s": sum(rates[row["flow"]] for row in held) / len(held),
            "dropped": _dropped(run, {row["flow"] for row in held}),
        }
        for name, held in lost.items()
    ]
    return sorted(rows, key=lambda row: (-row["lost_s"] * row["flows"], row["class"]))


def _dropped(run, flows):
    """The share of what some flows sent that was dropped; 0 where nothing is: what is trimmed still tells of itself."""
    if "dropped" not in run.arrow("flows").column_names or run._scenario["switches"].get("trim"):
        return 0.0
    sent, dropped = (by_flow(run, column) for column in ("sent", "dropped"))
    return sum(dropped[flow] for flow in flows) / max(1, sum(sent[flow] for flow in flows))


def _limited(run):
    """Classes of traffic that a rate limit held back, worst first; None without records of limits."""
    if "flow_series" not in run.tables:
        return None
    flows, left = limits.shares(run)
    if not (left < HELD_BACK).any():
        return []
    classes, sources = by_flow(run, "class"), by_flow(run, "source")
    of_class = defaultdict(list)
    for flow, share in zip(flows.tolist(), left.tolist(), strict=True):
        of_class[classes[flow]].append((share, sources[flow]))
    rows = [
        {
            "class": name,
            "flows": len(shares),
            "sources": list(dict.fromkeys(source for _, source in shares))[:FEW],
            "share": sum(share for share, _ in shares) / len(shares),
        }
        for name, shares in of_class.items()
    ]
    return sorted((row for row in rows if row["share"] < HELD_BACK), key=lambda row: (row["share"], row["class"]))
