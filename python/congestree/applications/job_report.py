"""What slowed a job down: iteration time, exposed communication, slowdown, and the step and link responsible.

    report = congestree.job_report.report("jobs.toml")
    report["jobs"][0]["slowdown_ideal"], report["jobs"][0]["held_by"]

Each job runs three times: as in the scenario, alone on the same fabric, and alone on an ideal network, in which every
host has its own link to one switch, which serves the oldest packet first. The cost of the fabric and of the other jobs
is therefore the difference of two exact runs, not an estimate. A further run looks for congestion trees and full links
during the step that lost most against the ideal.
"""

from collections import Counter, defaultdict
from fractions import Fraction
from math import ceil

from .. import document, quantities
from ..errors import CongestreeError, ScenarioError
from ..evaluation import trees
from ..evaluation.links import told_apart
from ..notes import blockwise
from ..runs import arguments, running
from . import jobs

LOOKS = 200
"""Samples of the fabric while jobs run, and bins of the time series, in the run that finds the link."""
MOST_LOOKS = 20_000
"""The most samples if jobs begin late."""
FULL = 0.5
"""Share of a link's rate from which on it counts as the link that held a step, if no congestion tree was seen."""
HALF_A_PICOSECOND = 0.5e-12
"""Steps are whole picoseconds long; a smaller difference of two of them comes from their representation in seconds."""
NO_LIMIT = 2**32 - 1
"""Packets; the largest window, of a flow that is acknowledged and limited by nothing."""
_SWITCH = "ideal"


def report(scenario, *, values=None, seed=None, run=None, why=True, on_progress=None):
    """The report of every job of a scenario, as plain values; times in s.

    scenario, values, seed: as for `congestree.run`.
    run: a finished run of the scenario with these values and this seed, if there is one already.
    why: whether to look for congestion and full links, which takes another run.
    on_progress: called with the share of all runs that is done, about ten times a second.

    Keys of the result: `name`; `stopped`, a list with a dict for each run that the engine stopped, as for a deadlock or
    a job that cannot go on: `run` ("scenario", "alone" or "ideal"), `job` (None of the scenario's own run) and `why`;
    `explain`, sentences about these runs, about congestion until the last job ended (`congestree explain`), about
    messages over a transport, and about jobs that were faster than on the ideal network; and `jobs`, a list with a dict
    for each job:

    - `job`, `ranks`, `repeat`;
    - `completion`, `iteration`: the time from its start to its end, and that time divided by the repetitions;
    - `computing`: mean over its ranks of the time in which they computed;
    - `exposed`, `exposed_share`: mean of the time in which they did not compute, and its share of both times;
    - `slowest`: the rank that finished last, or None if the job did not finish; `running`: the number of ranks that
      had not finished;
    - `alone`, `slowdown`: completion time alone on the same fabric, and the ratio of `completion` to it;
    - `ideal`, `slowdown_ideal`: the same for the ideal network;
    - `steps`: for each kind of operation the number of steps, their bytes (B), their time since the last rank arrived,
      and that time in the ideal network;
    - `held_by`: the step that lost most to the fabric, or None, with the rank that arrived last, the rank that
      finished last, and the link.

    Times of what had not finished by the end are nan. Raises CongestreeError if the scenario has no application, or if
    `run` is one of another scenario, KeyboardInterrupt after Ctrl-C, and the errors that `congestree.run` raises.
    """
    runs = _Runs(on_progress)
    if run is None:
        runs.left = _count(running.check(scenario, values=values)["scenario"], why)
        run = runs.run(scenario, values=values, seed=seed)
    else:
        running.refuse_other("job_report.report", run, scenario, values, seed)
    if "jobs" not in run.tables:
        raise CongestreeError("This run has no application: no entry of its traffic has a program.")
    entries = {entry["name"]: entry for entry in run._scenario["traffic"] if "program" in entry}
    single = len(run._scenario["traffic"]) == 1
    runs.left = _count(run._scenario, why) - 1
    told, stopped = [], _stopped("scenario", None, run)
    for row in run.jobs.iter_rows(named=True):
        entry = entries[row["job"]]
        alone = run if single else runs.run(jobs._alone(run._scenario, entry))
        ideal = runs.run(ideal_of(jobs._alone(run._scenario, entry)))
        told.append(_job(run, row, alone, ideal))
        stopped += ([] if single else _stopped("alone", row["job"], alone)) + _stopped("ideal", row["job"], ideal)
    sentences = []
    if why and any(job["held_by"] or job["slowdown_ideal"] > 1 for job in told):
        looked = _look(run, runs)
        for job in told:
            if job["held_by"]:
                job["held_by"]["link"] = _link(looked, job["held_by"])
        sentences = trees.explain(looked)
    said = [_WHERE[each["run"]].format(**each) for each in stopped]
    sentences = said + blockwise.sentences(run._scenario) + _faster_than_ideal(told) + sentences
    return {"name": run._scenario.get("name", ""), "stopped": stopped, "jobs": told, "explain": sentences}


_WHERE = {
    "scenario": "The run was stopped: {why}.",
    "alone": "The run of {job} alone was stopped: {why}.",
    "ideal": "The run of {job} on the ideal network was stopped: {why}.",
}


def _stopped(which, job, run):
    """An entry of `stopped`, in a list, if the engine stopped this run."""
    return [{"run": which, "job": job, "why": run.stopped}] if run.stopped else []


def _faster_than_ideal(told):
    """A sentence about each job that took longer on the ideal network, which one may take for a mistake."""
    return [
        f"{job['job']} was faster here than on the ideal network (slowdown {job['slowdown_ideal']:.3f}): the order in "
        "which one switch serves packets suits its steps less well than that of the fabric."
        for job in told
        if job["ideal"] - job["completion"] > HALF_A_PICOSECOND
    ]


class _Runs:
    """The runs of a report, one after the other, each of which counts as much as the others."""

    def __init__(self, on_progress):
        self.tell, self.done, self.left = arguments.function("on_progress", on_progress) or (lambda share: None), 0, 1

    def run(self, scenario, **options):
        def at(now, end, _):
            self.tell(min((self.done + (now / end if end else 1.0)) / (self.done + self.left), 1.0))

        result = running.run_whole(scenario, on_progress=at, **options)
        self.done, self.left = self.done + 1, max(self.left - 1, 0)
        self.tell(self.done / (self.done + self.left))
        return result


def _count(scenario, why):
    """How many runs the report of a scenario takes at most, with the scenario's own."""
    entries = scenario["traffic"]
    each = 1 if len(entries) == 1 else 2
    return 1 + each * sum("program" in entry for entry in entries) + why


def ideal_of(scenario):
    """A resolved scenario on an ideal network: the same hosts with the same links, all connected to one switch.

    Nothing fails in this network. If its switch has more ports than the switches that hosts were connected to, its
    memory is larger in proportion. Its outputs serve the oldest packet first (`switches.arbiter`) unless queues or a
    crossbar of the scenario rule that out: in turn over so many inputs, packets of a later step would delay those of an
    earlier one. Of the scheme only the transport is left. Where the ranks of a job wait for ACKs that came from the
    rest of the scheme, ACKs remain that limit nothing.
    """
    network = running.network(scenario, routes=False)
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
    rest["traffic"] = [_acknowledged(scenario, entry) for entry in scenario["traffic"]]
    # Lanes by hop follow routes, or name switches, that are not there.
    rest["links"] = {key: value for key, value in scenario["links"].items() if key not in ("faults", "hop_lanes")}
    if memory := scenario["switches"].get("shared_memory"):
        rest["switches"] = scenario["switches"] | {"shared_memory": memory | _larger(memory, network)}
    graph = {"hosts": network["hosts"], "switches": [_SWITCH], "links": links, "groups": network["groups"]}
    return _oldest_first({**rest, "topology": {"graph": graph}, **({"scheme": scheme} if scheme else {})})


def _oldest_first(scenario):
    """A scenario whose outputs serve the oldest packet first; the same if its switches cannot."""
    if "fifo" in scenario["switches"].get("arbiter", ()):
        return scenario
    changed = scenario | {"switches": scenario["switches"] | {"arbiter": "fifo"}}
    try:
        running.check(changed)
    except ScenarioError:  # special queues, a crossbar, or an output buffer
        return scenario
    return changed


def _acknowledged(scenario, entry):
    """An entry of traffic, with ACKs if the sends of its ranks end with them and nothing else makes any."""
    repairs = document.chosen(scenario.get("scheme", {}).get("transport") or "none")[0] != "none"
    made = repairs or entry.get("window") or scenario["adapters"].get("window")
    if made or entry.get("job", {}).get("send_end") != "acknowledged":
        return entry
    return entry | {"window": NO_LIMIT}


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
    running = ranks["finished"].is_nan().sum()
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
        "slowest": None if running else row["slowest"],
        "running": running,
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
                **{k: step[k] for k in ("round", "step", "name", "operation", "bytes", "ranks", "started", "joined")},
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


def _look(run, runs):
    """A run once more until its last job has ended, with probes for trees and links. Its trajectory is the same."""
    begun, finished = run.jobs["started"].min(), run.jobs["finished"]
    end = finished.max() if finished.is_finite().all() else run.duration
    every = max((end - begun) / LOOKS, end / MOST_LOOKS)
    every = f"{max(int(every * 1e12), 1000)} ps"
    measure = {**run._scenario["measure"], "probes": ["trees", "ports"], "sampling_interval": every, "bin": every}
    measure["duration"] = f"{round(end * 1e12) + 1} ps"
    if quantities.seconds(measure["warm_up"]) >= end:
        measure["warm_up"] = "0 ns"
    return runs.run({**run._scenario, "measure": {**measure, "until_jobs_end": False}})


def _link(run, held):
    """The link that held a step: the root of the tree that held most links while it ran, or else the fullest link."""
    begin, end = held["started"], held["finished"]
    names, rates = (run.arrow("ports")[column].to_pylist() for column in ("name", "rate"))
    names = told_apart(names)
    within, samples = defaultdict(float), defaultdict(set)
    for tree in run.arrow("trees").to_pylist():
        if begin <= tree["time"] <= end:
            within[tree["root"]] += max(tree["branches"] + tree["held_links"], 1)
            samples[tree["root"]].add(tree["time"])
    if within:
        root = max(within, key=lambda port: (within[port], names[port]))
        return {"name": names[root], "because": "root of a congestion tree", "samples": len(samples[root])}
    sent, width = defaultdict(float), quantities.seconds(run._scenario["measure"]["bin"])
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
