"""What is aimed at: measures of a run by name, goals made of them, and limits that a good setting must keep.

    Goal.read("rate:victim")                    # as high as can be
    Goal.read("slowdown-p99")                   # as low as can be
    Goal.read("min summary:blocked")            # any number of the summary, with its direction
    Limit.read("rate:storage >= 10 Gbit/s")

After the colon stands whom a measure is about: a class of traffic (an entry's name), a host, an application; several
with " + " between them count as one. To add a measure, add an entry to `MEASURES`.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from .. import quantities
from ..errors import AskedError, CongestreeError, there_are
from ..evaluation import measures
from ..quantities import in_words, seconds

SEVERAL = " + "


@dataclass(frozen=True)
class Measure:
    """A number that a run has. of: what may stand after the colon (class, host, job, name); must: if it must."""

    about: str
    unit: str
    best: str
    take: Callable
    of: str = ""
    must: bool = False
    probes: tuple[str, ...] = ()


def _is_of(name, of):
    """Whether a name is meant: all are, or it is the one, or one of several."""
    return of is None or name == of or name in of.split(SEVERAL)


def _flows(run, of):
    """Rates of the flows of a class, in their order. There may be very many."""
    flows = run.arrow("flows", columns=["class", "rate"])
    if of is not None:
        import pyarrow
        import pyarrow.compute

        flows = flows.filter(pyarrow.compute.is_in(flows["class"], value_set=pyarrow.array([of, *of.split(SEVERAL)])))
    return flows["rate"].to_pylist()


def _mean_rate(run, of):
    """The mean of the hosts that send in a class: how many flows they have may hang on the scheme."""
    flows = run.arrow("flows", columns=["class", "source", "rate"])
    meant = [_is_of(name, of) for name in flows["class"].to_pylist()]
    total = sum(rate for rate, is_meant in zip(flows["rate"].to_pylist(), meant, strict=True) if is_meant)
    sources = {source for source, is_meant in zip(flows["source"].to_pylist(), meant, strict=True) if is_meant}
    return total / len(sources) if sources else math.nan


def _use(run, of):
    """Use of the links into a host, of what the host can take; or of the link with this name (from->to)."""
    ports = run.arrow("ports").to_pylist()
    drain = run.scenario["adapters"].get("drain_rate")
    found = [p for p in ports if _is_of(p["name"], of)]
    if found:
        drain = None
    else:
        found = [p for p in ports if _is_of(p["to"], of)]
    if not found:
        return math.nan
    limits = [min(p["rate"], _rate(drain)) if drain else p["rate"] for p in found]
    carried = sum(p["utilisation"] * p["rate"] for p in found)
    return carried / sum(limits)


def _rate(text):
    return quantities.bits_per_second(text)


def _latency(column):
    def take(run, of):
        rows = [r for r in run.arrow("latency").to_pylist() if r["kind"] == "network" and _is_of(r["class"], of)]
        rows = [r for r in rows if r["packets"]]
        if column == "mean" and rows:
            return sum(r["mean"] * r["packets"] for r in rows) / sum(r["packets"] for r in rows)
        # Of several classes the worst counts: percentiles do not add up.
        return max((r[column] for r in rows), default=math.nan)

    return take


def _completion(column, share):
    def take(run, of):
        flows = run.arrow("completions", columns=["class", "start", column]).to_pydict()
        return _of_times(run, of, flows["class"], flows["start"], flows[column], share)

    return take


def _message(share):
    def take(run, of):
        sent = run.arrow("transfers", columns=["class", "created", "finished"]).to_pydict()
        times = [end - made for made, end in zip(sent["created"], sent["finished"], strict=True)]
        return _of_times(run, of, sent["class"], sent["created"], times, share)

    return take


def _of_times(run, of, names, starts, values, share):
    """A percentile, or the mean if share is None, of the values of a class that start after the warm-up."""
    after = seconds(run.scenario["measure"]["warm_up"])
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
    return max(math.inf if time != time else time for time in times)


def _pauses(run, of):
    """Mean share of the measured time in which a port was paused, over all ports and lanes."""
    paused = run.arrow("pause_counters")["rx_pause_duration"].to_pylist()
    return sum(paused) / len(paused) / run.value("measured") if paused else 0.0


def _marked(run, of):
    delivered = run.value("delivered")
    return run.value("marked") / delivered if delivered else 0.0


def _finished(run, of):
    """Flows that have finished, of those that started: whole run."""
    counted = ["flows_started", "flows_finished"]
    if set(counted) <= set(run.units("flows")):
        flows = run.arrow("flows", columns=["class", *counted]).to_pylist()
        started, finished = (sum(row[c] for row in flows if _is_of(row["class"], of)) for c in counted)
    else:  # a run of before the counts by flow: of all classes
        started, finished = (run.value(c) for c in counted)
    return finished / started if started else math.nan


def _arrived(run, of):
    """Messages over transports that are in, of those that were made after the warm-up."""
    after = seconds(run.scenario["measure"]["warm_up"])
    sent = run.arrow("transfers", columns=["class", "created"]).to_pydict()
    pairs = zip(sent["class"], sent["created"], strict=True)
    return float(sum(made >= after and _is_of(name, of) for name, made in pairs))


MEASURES = {
    "rate": Measure("mean rate of the sources of a class", "bit/s", "max", _mean_rate, "class"),
    "slowest": Measure(
        "rate of the slowest flow of a class", "bit/s", "max", lambda r, o: min(_flows(r, o), default=math.nan), "class"
    ),
    "total": Measure("rate of all flows of a class together", "bit/s", "max", lambda r, o: sum(_flows(r, o)), "class"),
    "use": Measure(
        "use of the link into a host (the root of a tree), of what the host can take; or of a link, by its name",
        "",
        "max",
        _use,
        "host",
        must=True,
    ),
    "fairness": Measure(
        "Jain's index of the rates of a class", "", "max", lambda r, o: measures.jain_index(_flows(r, o)), "class"
    ),
    "job": Measure("time that an application takes; without a name the last of them", "s", "min", _job, "job"),
    "pauses": Measure("share of the time that ports are paused", "", "min", _pauses, probes=("pauses",)),
    "marks": Measure("share of the packets that are marked", "", "min", _marked),
    "summary": Measure(
        "a number of the table summary, by its name", "", "", lambda r, o: r.value(o), "name", must=True
    ),
}
FINISHED = "finished"
"""What goals about completion leave open: they know of flows that have finished, and of no other."""
MEASURES[FINISHED] = Measure(
    "share of the flows by message that have finished, of those that started",
    "",
    "max",
    _finished,
    "class",
    probes=("completions",),
)
ARRIVED = "arrived"
"""The same for goals about messages. How many were made nothing tells; of the same traffic they are the same."""
MEASURES[ARRIVED] = Measure(
    "messages over a transport that have arrived, of those made after the warm-up",
    "",
    "max",
    _arrived,
    "class",
    probes=("transfers",),
)
for _name, _column in {"mean": "mean", "p50": "p50", "p99": "p99", "p999": "p999"}.items():
    _about = f"latency of packets, {_name}" + ("" if _name == "mean" else "; of several classes that of the worst")
    MEASURES[f"latency-{_name}"] = Measure(_about, "s", "min", _latency(_column), "class", probes=("latency",))
for _what, _unit in {"fct": "s", "slowdown": ""}.items():
    for _name, _share in {"mean": None, **measures.SHARES}.items():
        _about = {"fct": "flow completion time", "slowdown": "completion time over that on the idle fabric"}[_what]
        MEASURES[f"{_what}-{_name}"] = Measure(
            f"{_about}, {_name}", _unit, "min", _completion(_what, _share), "class", probes=("completions",)
        )
for _name, _share in {"mean": None, **measures.SHARES}.items():
    _about = f"time of a message over a transport that has arrived, from when it is made to its last byte in, {_name}"
    MEASURES[f"message-{_name}"] = Measure(_about, "s", "min", _message(_share), "class", probes=("transfers",))


def told_beside(asked):
    """Goals to tell beside goals and limits that know only of flows or messages that have finished: how many did."""
    found = {}
    for goal in asked:
        kind = goal.measure.partition("-")[0]
        if kind in ("fct", "slowdown"):
            found[FINISHED, goal.of] = Goal(FINISHED, goal.of, "max")
        elif kind == "message":
            found[ARRIVED, goal.of] = Goal(ARRIVED, goal.of, "max")
    return [goal for key, goal in found.items() if key not in {(other.measure, other.of) for other in asked}]


@dataclass(frozen=True)
class Goal:
    """A measure, what it is about, and which direction is better.

    measure: a name in MEASURES. of: a class, host, application or row of the summary, or None: all. best: "max" or
    "min".
    """

    measure: str
    of: str | None
    best: str

    @classmethod
    def read(cls, text):
        """A goal as people write it: MEASURE or MEASURE:OF, with "max " or "min " before it to choose the direction.

        Raises AskedError if `text` is none.
        """
        text = str(text).strip()
        best, _, rest = text.partition(" ")
        best, text = (best, rest.strip()) if best in ("max", "min") else ("", text)
        name, of = _named(text)
        best = best or MEASURES[name].best
        if not best:
            raise AskedError(f'Say which way {text} is better: "max {text}" or "min {text}".')
        return cls(name, of, best)

    @property
    def label(self):
        """The goal as people write it."""
        return _label(self.measure, self.of) if self.best == MEASURES[self.measure].best else str(self)

    def __str__(self):
        return f"{self.best} {_label(self.measure, self.of)}"

    @property
    def unit(self):
        """The base unit of its values."""
        return _unit(self.measure, self.of)

    def take(self, run):
        """Its value in a run, in the base unit. Raises CongestreeError if the run has nothing to measure."""
        return take(self.measure, self.of, run)

    def in_words(self, value):
        """A value for people."""
        return in_words(value, self.unit)

    def better(self, a, b):
        """Whether the value a is better than b."""
        return a > b if self.best == "max" else a < b


@dataclass(frozen=True)
class Limit:
    """A lower or upper bound on a measure.

    measure, of: as for `Goal`. sense: ">=" or "<=". bound: in the base unit of the measure (s, bit/s, or a plain
    number).
    """

    measure: str
    of: str | None
    sense: str
    bound: float

    @classmethod
    def read(cls, text):
        """A limit as people write it: MEASURE[:OF] >= VALUE or <= VALUE; the value may have a unit.

        Raises AskedError if `text` is none.
        """
        match = re.fullmatch(r"(.+)(>=|<=)(.+)", str(text).strip(), re.S)
        if not match:
            raise AskedError(f'{text!r} is no limit: write it as "rate:victim >= 10 Gbit/s" or "slowdown-p99 <= 8".')
        name, of = _named(match[1].strip())
        return cls(name, of, match[2], _bound(match[3].strip(), _unit(name, of)))

    @property
    def label(self):
        """The measure as people write it."""
        return _label(self.measure, self.of)

    def __str__(self):
        return f"{self.label} {self.sense} {in_words(self.bound, self.unit)}"

    @property
    def unit(self):
        """The base unit of its values."""
        return _unit(self.measure, self.of)

    def take(self, run):
        """The value of its measure in a run, in the base unit; CongestreeError if there is nothing to measure."""
        return take(self.measure, self.of, run)

    def missed(self, value):
        """By how much a value violates the limit; 0 or less if it satisfies it."""
        return self.bound - value if self.sense == ">=" else value - self.bound


def more_is_better(goal):
    """Whether a goal or limit is the better kept the higher its value."""
    return goal.sense == ">=" if isinstance(goal, Limit) else goal.best == "max"


def take(name, of, run):
    """A measure of a run; raises CongestreeError if the run has nothing to measure."""
    value = MEASURES[name].take(run, of)
    if value is None or value != value:
        raise CongestreeError(f"there is nothing to measure {_label(name, of)} by: no flow, packet or job of it")
    if math.isinf(value):
        raise CongestreeError(f"{_label(name, of)} has no end: it had not finished when the run was over")
    return float(value)


def check(goal, scenario, network):
    """Complain about a goal that a resolved scenario can never answer: a class or host that it does not have."""
    measure, of = MEASURES[goal.measure], goal.of
    if of is None:
        return
    traffic = scenario["traffic"]
    known = {
        "class": [entry["name"] for entry in traffic],
        "job": [entry["name"] for entry in traffic if entry.get("program")],
        "host": [*network["hosts"], *network["switches"]],
    }.get(measure.of)
    if measure.of == "host" and "->" in of:
        return
    if known is None or of in known:
        return
    for name in of.split(SEVERAL):
        if name not in known:
            what = {"class": "class of traffic", "job": "application", "host": "host"}[measure.of]
            raise AskedError(f"{goal.label} is about the {what} {name!r}, which is not there; {there_are(name, known)}")


def _named(text):
    name, colon, of = text.partition(":")
    name, of = name.strip(), of.strip()
    if name not in MEASURES:
        raise AskedError(f"There is no measure {name!r}; {there_are(name, list(MEASURES))}")
    measure = MEASURES[name]
    if of and not measure.of:
        raise AskedError(f"{name} is about the whole run: leave out {colon + of!r}.")
    if measure.must and not of:
        raise AskedError(f"Say after a colon which {measure.of} {name} is about: {name}:{measure.of.upper()}.")
    return name, of or None


def _label(name, of):
    return name if of is None else f"{name}:{of}"


def _unit(name, of):
    """The base unit of a measure; of a number of the summary its own."""
    return quantities.SUMMARY_UNITS.get(of, "") if name == "summary" else MEASURES[name].unit


def _bound(text, unit):
    reader = {"bit/s": quantities.bits_per_second, "s": quantities.seconds}.get(unit)
    try:
        return float(text)
    except ValueError:
        pass
    try:
        if text.endswith("%") and not unit:
            return float(text[:-1]) / 100
        if reader:
            return reader(text)
    except ValueError:
        pass
    wanted = {"bit/s": 'a rate such as "10 Gbit/s"', "s": 'a time such as "30 us"'}.get(unit, "a number")
    raise AskedError(f"{text!r} is not a value of a limit here: write {wanted}.")
