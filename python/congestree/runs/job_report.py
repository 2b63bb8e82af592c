"""What held a job: iteration, exposed communication, slowdown, and the step and the link behind it.

    report = congestree.job_report.report("jobs.toml")
    report["jobs"][0]["slowdown_ideal"], report["jobs"][0]["held_by"]

Each job runs three times: as the scenario says, alone on the same fabric, and alone on an ideal network: every host
on one switch, with the link that it has. What the fabric and the others cost is then a difference of two exact runs,
not an estimate. Where a step took longest beyond the ideal, the run is looked at once more, for congestion trees and
full links.
"""

from collections import Counter, defaultdict
from fractions import Fraction
from math import ceil

from .. import quantities
from ..columns import told_apart
from ..errors import CongestreeError
from . import jobs, running, trees

LOOKS = 200
"""Looks at the fabric while jobs run, and bins of the time series, in the run that tells the link."""
MOST_LOOKS = 20_000
"""Most of them if jobs begin late."""
FULL = 0.5
"""Share of a link's rate from which on it counts as the link that held a step, if no congestion tree was seen."""
HALF_A_PICOSECOND = 0.5e-12
"""Steps are whole picoseconds long; what two differ by beneath that is of their being written in seconds."""
_SWITCH = "ideal"


def report(scenario, *, values=None, seed=None, run=None, why=True):
    """What became of every job of a scenario, as plain values; times in s.

    scenario, values, seed: as for `congestree.run`.
    run: a finished run of the scenario, if there is one already.
    why: whether congestion and links are looked for, which takes another run.

    Keys of the answer: `name`; `explain`, sentences about congestion until the last job ended (`congestree explain`);
    and `jobs`, one dict each with

    - `job`, `ranks`, `repeat`;
    - `completion`, `iteration`: from its start to its end, and that by repetition;
    - `computing`: mean over its ranks of the time in which they computed;
    - `exposed`, `exposed_share`: mean of the time in which they did not, and its share of both;
    - `slowest`: the rank that finished last;
    - `alone`, `slowdown`: on the same fabric without the others, and how much longer it took beside them;
    - `ideal`, `slowdown_ideal`: the same, alone on one switch;
    - `steps`: by operation, how many there were, their bytes (B), their time from when the last rank came, and that in
      the ideal network;
    - `held_by`: the step that lost most to the fabric, or None, with the rank that came and the one that finished last,
      and the link.

    What had not finished by the end is nan. Raises CongestreeError if the scenario has no application, and as
    `congestree.run` does.
    """
    run = run or running.run(scenario, values=values, seed=seed)
    if "jobs" not in run.tables:
        raise CongestreeError("This run has no application: no entry of its traffic has a program.")
    entries = {entry["name"]: entry for entry in run.scenario["traffic"] if "program" in entry}
    single = len(run.scenario["traffic"]) == 1
    told, ideals = [], {}
    for row in run.jobs.iter_rows(named=True):
        entry = entries[row["job"]]
        alone = run if single else running.run(jobs._alone(run.scenario, entry))
        ideals[row["job"]] = ideal = running.run(ideal_of(jobs._alone(run.scenario, entry)))
        told.append(_job(run, row, alone, ideal))
    sentences = []
    if why and any(job["held_by"] or job["slowdown_ideal"] > 1 for job in told):
        looked = _look(run)
        for job in told:
            if job["held_by"]:
                job["held_by"]["link"] = _link(looked, job["held_by"])
        sentences = trees.explain(looked)
    return {"name": run.scenario.get("name", ""), "jobs": told, "explain": sentences}


def ideal_of(scenario):
    """A resolved scenario on an ideal network: the same hosts and links of hosts, and one switch for all of them.

    Nothing fails in it. If it has more ports than a switch had that hosts were on, it has more memory in proportion.
    """
    network = running.network(scenario)
    hosts = set(network["hosts"])
    links = []
    for link in network["links"]:
        for host, there, back in ((link["a"], "", "_back"), (link["b"], "_back", "")):
            if host in hosts:
                links.append(
                    {
                        "a": host,
                        "b": _SWITCH,
                        "rate": f"{link['rate' + there]} bit/s",
                        "rate_back": f"{link['rate' + back]} bit/s",
                        "delay": f"{link['delay' + there]} ps",
                        "delay_back": f"{link['delay' + back]} ps",
                    }
                )
    scheme = {key: value for key, value in scenario.get("scheme", {}).items() if key == "transport"}
    rest = {key: value for key, value in scenario.items() if key not in ("routing", "scheme", "topology")}
    rest["links"] = {key: value for key, value in scenario["links"].items() if key != "faults"}
    if memory := scenario["switches"].get("shared_memory"):
        rest["switches"] = scenario["switches"] | {"shared_memory": memory | _larger(memory, network)}
    graph = {"hosts": network["hosts"], "switches": [_SWITCH], "links": links, "groups": network["groups"]}
    return {**rest, "topology": {"graph": graph}, **({"scheme": scheme} if scheme else {})}


def _larger(memory, network):
    """What ports share of the memory of a switch, for one with as many ports as the network has hosts."""
    hosts, ports = set(network["hosts"]), Counter(end for link in network["links"] for end in (link["a"], link["b"]))
    leaves = {end for link in network["links"] for end in (link["a"], link["b"]) if {link["a"], link["b"]} & hosts}
    share = max(Fraction(len(hosts), min((ports[leaf] for leaf in leaves - hosts), default=1)), 1)
    told = {key: memory[key] for key in ("size", "headroom_pool") if memory.get(key)}
    return {key: f"{ceil(quantities.size(text) * share)} B" for key, text in told.items()}


def _job(run, row, alone, ideal):
    """One job, as in `report`."""
    import polars

    name, completion, repeat = row["job"], row["completion"], row["repeat"]
    ranks = run.ranks.filter(polars.col("job") == name)
    exposed, lasted = ranks["exposed"].mean(), ranks["completion"].mean()
    alone_s, ideal_s = (other.jobs.filter(polars.col("job") == name)["completion"][0] for other in (alone, ideal))
    ratio = lambda other: completion / other if other > 0 else float("nan")  # noqa: E731
    return {
        "job": name,
        "ranks": row["ranks"],
        "repeat": repeat,
        "completion": completion,
        "iteration": completion / repeat,
        "computing": lasted - exposed,
        "exposed": exposed,
        "exposed_share": exposed / lasted if lasted > 0 else float("nan"),
        "slowest": row["slowest"],
        "alone": alone_s,
        "slowdown": ratio(alone_s),
        "ideal": ideal_s,
        "slowdown_ideal": ratio(ideal_s),
        **_steps(run, ideal, name),
    }


def _steps(run, ideal, name):
    """The steps of a job by operation, and the one that lost most."""
    here, there = _rows(run, name), _rows(ideal, name)
    groups = defaultdict(lambda: {"steps": 0, "bytes": 0, "time": 0.0, "ideal": 0.0})
    held, worst = None, HALF_A_PICOSECOND
    for key, step in here.items():
        other = there.get(key, {"time": float("nan")})["time"]
        group = groups[step["operation"]]
        group["steps"] += 1
        group["bytes"] += step["bytes"]
        group["time"] += step["time"]
        group["ideal"] += other
        if step["time"] - other > worst:
            worst = step["time"] - other
            held = {
                **{k: step[k] for k in ("round", "step", "name", "operation", "bytes", "ranks", "begun", "joined")},
                **{k: step[k] for k in ("latest", "finished", "last", "time")},
                "ideal": other,
                "lost": worst,
                "link": None,
            }
    return {"steps": [{"operation": operation, **group} for operation, group in groups.items()], "held_by": held}


def _rows(run, name):
    if "steps" not in run.tables:
        return {}
    rows = run.arrow("steps").to_pylist()
    return {(row["round"], row["step"]): row for row in rows if row["job"] == name}


def _look(run):
    """A run once more until its last job has ended, with probes for trees and links. Its trajectory is the same."""
    begun, finished = run.jobs["started"].min(), run.jobs["finished"]
    end = finished.max() if finished.is_finite().all() else run.duration
    every = max((end - begun) / LOOKS, end / MOST_LOOKS)
    every = f"{max(int(every * 1e12), 1000)} ps"
    measure = {**run.scenario["measure"], "probes": ["trees", "ports"], "sampling_interval": every, "bin": every}
    measure["duration"] = f"{round(end * 1e12) + 1} ps"
    if quantities.seconds(measure["warm_up"]) >= end:
        measure["warm_up"] = "0 ns"
    looked = running.run({**run.scenario, "measure": {**measure, "until_jobs_end": False}})
    return looked


def _link(run, held):
    """The link that held a step: the root of the tree that held most links while it ran, or else the fullest link."""
    begin, end = held["begun"], held["finished"]
    names, rates = (run.arrow("ports")[column].to_pylist() for column in ("name", "rate"))
    names = told_apart(names)
    within, looks = defaultdict(float), defaultdict(set)
    for tree in run.arrow("trees").to_pylist():
        if begin <= tree["time"] <= end:
            within[tree["root"]] += max(tree["branches"] + tree["held"], 1)
            looks[tree["root"]].add(tree["time"])
    if within:
        root = max(within, key=lambda port: (within[port], names[port]))
        return {"name": names[root], "because": "root of a congestion tree", "looks": len(looks[root])}
    sent, width = defaultdict(float), quantities.seconds(run.scenario["measure"]["bin"])
    for row in run.arrow("port_series").to_pylist():
        there = min(row["time"] + width, run.duration)
        inside = min(there, end) - max(row["time"], begin)
        if inside > 0:  # of a bin that the step has a part of, the bytes count in proportion
            sent[row["port"]] += row["bytes"] * inside / (there - row["time"])
    shares = {port: 8 * bytes_ / (rates[port] * (end - begin)) for port, bytes_ in sent.items()}
    port = max(shares, key=lambda port: (shares[port], names[port]), default=None)
    if port is None or shares[port] < FULL:
        return None
    return {"name": names[port], "because": "the fullest link", "share": min(shares[port], 1.0)}
