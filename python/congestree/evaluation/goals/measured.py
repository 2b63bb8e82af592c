"""Measures of a run by name, of which goals and limits are made. To add one, add an entry to `MEASURES`.

A measure may concern a class of traffic (an entry's name), a host, an application; several with " + " between them
count as one.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass

from ...quantities import bits_per_second, seconds
from .. import links, measures, totals
from . import latency

SEVERAL = " + "


@dataclass(frozen=True)
class Measure:
    """A number that a run has. of: what may follow the colon (class, host, job, name); must: whether it is required."""

    about: str
    unit: str
    best: str
    take: Callable
    of: str = ""
    must: bool = False
    probes: tuple[str, ...] = ()


def _after_warm_up(take):
    """The same of what was measured after the warm-up; nan for a run that ended before: 0 would be a result."""

    @functools.wraps(take)
    def guarded(run, of):
        return take(run, of) if run.value("measured") > 0 else math.nan

    return guarded


def _is_of(name, of):
    """Whether a name is meant: all are, or it is the only one, or one of several."""
    return of is None or name in _each(of)


def _each(of):
    """The names that are meant: the only one, or several."""
    return {of, *of.split(SEVERAL)}


def _rates(run, of):
    """Rates of the sources of a class, not of its flows: their number may depend on the scheme.

    A host that sends in several of the classes that are meant is one source, with all that it sends in them.
    """
    rates = {}
    for name, by_host in totals.source_rates(run).items():
        if _is_of(name, of):
            for host, rate in by_host.items():
                rates[host] = rates.get(host, 0.0) + rate
    return list(rates.values())


@_after_warm_up
def _slowest(run, of):
    return min(_rates(run, of), default=math.nan)


@_after_warm_up
def _fairness(run, of):
    return measures.jain_index(_rates(run, of))


@_after_warm_up
def _total(run, of):
    return sum(_rates(run, of))


@_after_warm_up
def _mean_rate(run, of):
    rates = _rates(run, of)
    return sum(rates) / len(rates) if rates else math.nan


@_after_warm_up
def _use(run, of):
    """Use of the links into hosts, of what these can take, into switches, and of links with these names (from->to)."""
    ports, hosts = run.arrow("ports").to_pylist(), set(run.hosts)
    drain = run._scenario["adapters"].get("drain_rate")
    names = [p["name"] for p in ports]
    named = {i for name in _each(of) for i in links.meant(name, names)}
    into = {i for i, p in enumerate(ports) if _is_of(p["to"], of)}
    found = [(p, i in into) for i, p in enumerate(ports) if i in named | into]
    if not found:
        return math.nan
    limits = [
        min(p["rate"], bits_per_second(drain)) if drain and is_into and p["to"] in hosts else p["rate"]
        for p, is_into in found
    ]
    carried = sum(p["utilisation"] * p["rate"] for p, _ in found)
    return carried / sum(limits)


def _latency(kind, column):
    def take(run, of):
        rows = [r for r in latency.rows(run) if r["kind"] == kind and _is_of(r["class"], of)]
        if column == "mean" and rows:
            return sum(r["mean"] * r["packets"] for r in rows) / sum(r["packets"] for r in rows)
        # Of several classes the worst counts: percentiles do not add up.
        return max((r[column] for r in rows), default=math.nan)

    return take


def _completion(column, share):
    def take(run, of):
        flows = run.arrow("completions", columns=["class", "created", column]).to_pydict()
        return _of_times(run, of, flows["class"], flows["created"], flows[column], share)

    return take


def _message(share):
    def take(run, of):
        sent = run.arrow("transfers", columns=["class", "created", "finished"]).to_pydict()
        times = [end - made for made, end in zip(sent["created"], sent["finished"], strict=True)]
        return _of_times(run, of, sent["class"], sent["created"], times, share)

    return take


def _of_times(run, of, names, starts, values, share):
    """A percentile, or the mean if share is None, of the values of a class that start after the warm-up."""
    after = seconds(run._scenario["measure"]["warm_up"])
    rows = zip(names, starts, values, strict=True)
    values = [value for name, start, value in rows if start >= after and _is_of(name, of)]
    if share is None:
        return sum(values) / len(values) if values else math.nan
    return measures.percentile(values, share)


def _job(run, of):
    """The time of an application, or of the last of them; infinite if it did not finish."""
    times = run.job_completions()
    times = [time for name, time in times.items() if _is_of(name, of)]
    if not times:
        return math.nan
    return max(math.inf if math.isnan(time) else time for time in times)


@_after_warm_up
def _pauses(run, _of):
    """Mean share of the measured time in which a port was paused, over all ports and lanes."""
    paused = run.arrow("pause_counters")["rx_pause_duration"].to_pylist()
    return sum(paused) / len(paused) / run.value("measured") if paused else 0.0


@_after_warm_up
def _marked(run, _of):
    delivered = run.value("delivered")
    return run.value("marked") / delivered if delivered else math.nan


def _finished(run, of):
    """The share of finished flows among those that started, over the whole run."""
    counted = ["flows_started", "flows_finished"]
    if set(counted) <= set(run.units("flows")):
        flows = run.arrow("flows", columns=["class", *counted]).to_pylist()
        started, finished = (sum(row[c] for row in flows if _is_of(row["class"], of)) for c in counted)
    else:  # a run of before the counts by flow: of all classes
        started, finished = (run.value(c) for c in counted)
    return finished / started if started else math.nan


@_after_warm_up
def _arrived(run, of):
    """Messages over transports that are in, of those that were made after the warm-up."""
    after = seconds(run._scenario["measure"]["warm_up"])
    sent = run.arrow("transfers", columns=["class", "created"]).to_pydict()
    pairs = zip(sent["class"], sent["created"], strict=True)
    return float(sum(made >= after and _is_of(name, of) for name, made in pairs))


UNDRAWN = "; a source that sent nothing, such as a host that no incast drew, has 0"
"""What measures of the rates of sources say of those that are easily forgotten."""
MEASURES = {
    "rate": Measure(f"mean rate of the sources of a class{UNDRAWN}", "bit/s", "max", _mean_rate, "class"),
    "slowest": Measure(f"rate of the slowest source of a class{UNDRAWN}", "bit/s", "max", _slowest, "class"),
    "total": Measure("rate of all flows of a class together", "bit/s", "max", _total, "class"),
    "use": Measure(
        "use of the link into a host (the root of a tree), of what the host can take; or of the links into a switch; "
        "or of a link, A->B; A->B (2) is one of parallel ones",
        "",
        "max",
        _use,
        "host",
        must=True,
    ),
    "fairness": Measure(f"Jain's index of the rates of the sources of a class{UNDRAWN}", "", "max", _fairness, "class"),
    "job": Measure("time that an application takes; without a name the last of them", "s", "min", _job, "job"),
    "pauses": Measure("share of the time that ports are paused", "", "min", _pauses, probes=("pauses",)),
    "marks": Measure("share of the packets that are marked", "", "min", _marked),
    "summary": Measure(
        "a number of the table summary, by its name", "", "", lambda r, o: r.value(o), "name", must=True
    ),
}
FINISHED = "finished"
"""What goals about completion leave out: they cover only flows that have finished."""
MEASURES[FINISHED] = Measure(
    "share of the flows by message that have finished, of those that started",
    "",
    "max",
    _finished,
    "class",
    probes=("completions",),
)
ARRIVED = "arrived"
"""The same for goals about messages. How many were made is not recorded; the same traffic makes the same number."""
MEASURES[ARRIVED] = Measure(
    "messages over a transport that have arrived, of those made after the warm-up",
    "",
    "max",
    _arrived,
    "class",
    probes=("transfers",),
)
WAITS = {
    "latency-": ("network", "from the first bit sent to the last bit delivered, without the wait at the source"),
    "latency-total-": ("total", "from when the message is made to the last bit delivered, with the wait at the source"),
}
"""What names of latencies begin with, and their kinds. Where sources wait, the first looks best if little is sent."""
for _begin, (_kind, _from) in WAITS.items():
    for _name in ("mean", "p50", "p99", "p999"):
        _about = f"latency of packets, {_name}: {_from}"
        _about += "" if _name == "mean" else "; of several classes that of the worst"
        _take = _latency(_kind, _name)
        MEASURES[_begin + _name] = Measure(_about, "s", "min", _take, "class", probes=("latency",))
for _what, _unit in {"fct": "s", "slowdown": ""}.items():
    for _name, _share in {"mean": None, **measures.SHARES}.items():
        _about = {"fct": "flow completion time", "slowdown": "completion time over that on the idle fabric"}[_what]
        MEASURES[f"{_what}-{_name}"] = Measure(
            f"{_about}, {_name}", _unit, "min", _completion(_what, _share), "class", probes=("completions",)
        )
for _name, _share in {"mean": None, **measures.SHARES}.items():
    _about = f"time of a message over a transport that has arrived, from when it is made to its last byte in, {_name}"
    MEASURES[f"message-{_name}"] = Measure(_about, "s", "min", _message(_share), "class", probes=("transfers",))
