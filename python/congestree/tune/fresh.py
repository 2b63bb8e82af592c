"""The chosen setting compared with the unchanged scenario, on seeds that were not used for the search.

A search takes the best of many settings, and part of what made one the best is luck with the seeds that were used. So
both are run on fresh seeds, the same for both; differences are taken over pairs.
"""

from dataclasses import dataclass

from ..errors import CongestreeError
from ..evaluation import goals
from ..evaluation.measures import mean_and_interval
from .question import few

# Fresh seeds begin here, or above the highest seed of the search.
FIRST = 1_000_001


@dataclass(frozen=True)
class Beside:
    """One goal or limit: mean and half width of the 95 % interval (Student's, over seeds).

    For the unchanged scenario (stock), for the chosen setting, and for the difference, chosen - stock; each under the
    condition that is the worst for it by its mean, if the worst of several counts.
    """

    label: str
    unit: str
    stock: tuple[float, float]
    chosen: tuple[float, float]
    change: tuple[float, float]
    better: bool | None  # None: the interval of the difference contains 0, or there is only one seed
    why: str = ""  # stock could not be measured, and why; then it has no number, and the difference none

    def to_dict(self):
        """As JSON has it."""
        pair = {
            k: dict(zip(("mean", "interval"), getattr(self, k), strict=True)) for k in ("stock", "chosen", "change")
        }
        why = {"why": self.why} if self.why else {}
        return {"measure": self.label, "unit": self.unit, **pair, "better": self.better, **why}


def seeds(question, count):
    """This many seeds that the search has not used."""
    first = max(FIRST, max(question.seeds) + 1)
    return few(range(first, first + count))


def compare(experiments, setting, count):
    """A list of `Beside`, one for each goal and limit; raises CongestreeError if a run of the chosen setting failed.

    If one of them is about completion, a further one gives the share of the flows, or the number of messages, that
    have finished. If the unchanged scenario cannot be measured, for example because it stops in a deadlock, this may
    be the reason for the search.
    """
    question = experiments.question
    fresh = seeds(question, count)
    state = experiments.state("fresh runs", 2 * count * len(question.conditions))
    runs = {which: question.runs(s, fresh) for which, s in (("stock", None), ("chosen", setting))}
    failed = experiments.run([run for found in runs.values() for run in found.values()], state)
    asked = question.asked
    more = goals.told_beside(asked.values())
    asked |= {goal.label: goal for goal in more}
    values, why = {}, ""
    for which, found in runs.items():
        seen = experiments.measured(found, failed, more)
        wrong = seen.get("why", "")
        if wrong and which == "chosen":
            raise CongestreeError(
                f"The chosen setting could not be measured on fresh seeds: {wrong}. Name another one with --choose."
            )
        why = why or wrong
        values[which] = {name: [] if wrong else seen["by_seed"][name] for name in asked}
    return [_beside(name, goal, values["stock"][name], values["chosen"][name], why) for name, goal in asked.items()]


def _beside(name, goal, stock, chosen, why):
    change = mean_and_interval([b - a for a, b in zip(stock, chosen, strict=not why)])
    better = None
    if abs(change[0]) > change[1]:  # false with one seed, whose interval is nan
        better = (change[0] > 0) == goal.more_is_better
    return Beside(name, goal.unit, mean_and_interval(stock), mean_and_interval(chosen), change, better, why)
