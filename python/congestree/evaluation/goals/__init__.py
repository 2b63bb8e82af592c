"""What is aimed at: goals made of measures, and limits that a good setting must keep.

    Goal.read("rate:victim")                    # as high as can be
    Goal.read("slowdown-p99")                   # as low as can be
    Goal.read("min summary:blocked")            # any number of the summary, with its direction
    Limit.read("rate:storage >= 10 Gbit/s")

After the colon stands whom a measure is about: a class of traffic (an entry's name), a host, an application; several
with " + " between them count as one.
"""

import contextlib
import math
import re
from dataclasses import dataclass

from ... import quantities, renames
from ...errors import AskedError, CongestreeError, there_are
from ...quantities import in_words
from .. import links
from .measured import ARRIVED, FINISHED, MEASURES, SEVERAL, WAITS

WAITED = 2.0
"""From this many times the latency without the wait at the source on, that with it is told in a sentence."""


def told_beside(asked):
    """Goals to report with goals and limits for what these leave out.

    Those about completion cover only finished flows or messages: how many finished. Those about latency in the network
    leave out the wait at the source: the latency with it.
    """
    found = {}
    for goal in asked:
        kind = goal.measure.partition("-")[0]
        if kind in ("fct", "slowdown"):
            found[FINISHED, goal.of] = Goal(FINISHED, goal.of, "max")
        elif kind == "message":
            found[ARRIVED, goal.of] = Goal(ARRIVED, goal.of, "max")
        elif whole := with_the_wait(goal):
            found[whole.measure, whole.of] = whole
    return [goal for key, goal in found.items() if key not in {(other.measure, other.of) for other in asked}]


def with_the_wait(goal):
    """The latency from when messages are made, of a goal or limit about that from the first bit sent; else None."""
    network, total = WAITS
    if not goal.measure.startswith(network) or goal.measure.startswith(total):
        return None
    return Goal(total + goal.measure.removeprefix(network), goal.of, "min")


def waits(without, whole):
    """Whether a latency is so much longer with the wait at the source (`whole`) that this must be told."""
    return whole > WAITED * without


@dataclass(frozen=True)
class _Asked:
    """What a goal and a limit have in common: a measure, and what it is about."""

    measure: str
    of: str | None

    @property
    def label(self):
        """The measure as people write it."""
        return _label(self.measure, self.of)

    @property
    def unit(self):
        """The base unit of its values."""
        return _unit(self.measure, self.of)

    def take(self, run):
        """Its measure of a run, in the base unit. Raises CongestreeError if there is nothing to measure."""
        return take(self.measure, self.of, run)


@dataclass(frozen=True)
class Goal(_Asked):
    """A measure, what it is about, and which direction is better.

    measure: a name in MEASURES. of: a class, host, application or row of the summary, or None: all. best: "max" or
    "min".
    """

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
        return super().label if self.best == MEASURES[self.measure].best else str(self)

    def __str__(self):
        return f"{self.best} {super().label}"

    @property
    def more_is_better(self):
        """Whether the goal is the better reached the higher its value."""
        return self.best == "max"

    def in_words(self, value):
        """A value for people."""
        return in_words(value, self.unit)

    def better(self, a, b):
        """Whether the value a is better than b."""
        return a > b if self.more_is_better else a < b


@dataclass(frozen=True)
class Limit(_Asked):
    """A lower or upper bound on a measure.

    measure, of: as for `Goal`. sense: ">=" or "<=". bound: in the base unit of the measure (s, bit/s, or a plain
    number).
    """

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

    def __str__(self):
        return f"{self.label} {self.sense} {in_words(self.bound, self.unit)}"

    @property
    def more_is_better(self):
        """Whether the limit is the better kept the higher the value of its measure."""
        return self.sense == ">="

    def missed(self, value):
        """By how much a value violates the limit; 0 or less if it satisfies it."""
        return self.bound - value if self.more_is_better else value - self.bound


def take(name, of, run):
    """A measure of a run; raises CongestreeError if the run has nothing to measure."""
    value = MEASURES[name].take(run, of)
    if quantities.is_missing(value):
        raise CongestreeError(f"there is nothing to measure {_label(name, of)} by: no flow, packet or job of it")
    if math.isinf(value):
        raise CongestreeError(f"{_label(name, of)} has no end: it had not finished when the run was over")
    return float(value)


def check(goal, scenario, places):
    """Complain about a goal that a resolved scenario can never answer: a class or host that it does not have.

    places: the names of its nodes, and of its links (`links.places`).
    """
    measure, of = MEASURES[goal.measure], goal.of
    if of is None:
        return
    traffic, (nodes, there) = scenario["traffic"], places
    known = {
        "class": [entry["name"] for entry in traffic],
        "job": [entry["name"] for entry in traffic if entry.get("program")],
        "host": nodes,
    }.get(measure.of)
    if known is None or of in known:
        return
    for name in of.split(SEVERAL):
        if measure.of == "host" and "->" in name:
            if not links.meant(name, there):
                told = there_are(name, links.told_apart(there))
                raise AskedError(f"{goal.label} is about the link {name!r}, which is not there; {told}")
        elif name not in known:
            what = {"class": "class of traffic", "job": "application", "host": "host"}[measure.of]
            raise AskedError(f"{goal.label} is about the {what} {name!r}, which is not there; {there_are(name, known)}")


def check_row(goal, known):
    """Raise AskedError for a goal about a number of the summary whose name is not known; older names are."""
    if goal.measure == "summary" and renames.row(goal.of) not in known:
        raise AskedError(
            f"{_label(goal.measure, goal.of)} is about the number {goal.of!r} of the summary, which is not there; "
            f"{there_are(goal.of, sorted(known))}"
        )


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


def _share(text):
    return float(text[:-1]) / 100 if text.endswith("%") else math.nan


def _bound(text, unit):
    reader = {"bit/s": quantities.bits_per_second, "s": quantities.seconds}.get(unit)
    for read in (float, reader or _share):
        with contextlib.suppress(ValueError):
            if math.isfinite(value := read(text)):
                return value
    wanted = {"bit/s": 'a rate such as "10 Gbit/s"', "s": 'a time such as "30 us"'}.get(unit, "a number")
    raise AskedError(f"{text!r} is not a value of a limit here: write {wanted}.")
