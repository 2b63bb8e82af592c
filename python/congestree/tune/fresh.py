"""The setting that was chosen beside the scenario as it stands, on seeds that were not used for the search.

A search takes the best of many, and part of what made it the best is luck with the seeds it was tried on. So both are
run on fresh seeds, the same for both; the difference is over pairs.
"""

from dataclasses import dataclass

from ..errors import CongestreeError
from ..runs.measures import mean_and_interval
from . import goals
from .question import few

# Fresh seeds begin here, or above the highest seed of the search.
FIRST = 1_000_001


@dataclass(frozen=True)
class Beside:
    """One goal or limit: mean and half width of the 95 % interval (Student's, over seeds).

    Of the scenario as it stands (stock), of the chosen setting, and of the difference, chosen - stock.
    """

    label: str
    unit: str
    stock: tuple[float, float]
    chosen: tuple[float, float]
    change: tuple[float, float]
    better: bool | None  # None: the interval of the difference has 0 in it

    def to_dict(self):
        """As JSON has it."""
        pair = {
            k: dict(zip(("mean", "interval"), getattr(self, k), strict=True)) for k in ("stock", "chosen", "change")
        }
        return {"measure": self.label, "unit": self.unit, **pair, "better": self.better}


def seeds(question, count):
    """So many seeds that the search has not used."""
    first = max(FIRST, max(question.seeds) + 1)
    return few(range(first, first + count))


def compare(search, setting, count):
    """A list of `Beside`, one for each goal and limit; raises CongestreeError if a run failed.

    Where one of them is about completion, a further one tells the share of the flows that have finished.
    """
    question = search.question
    fresh = seeds(question, count)
    state = search.state("fresh runs", 2 * count * len(question.conditions))
    runs = {which: question.runs(s, fresh) for which, s in (("stock", None), ("chosen", setting))}
    failed = search.run([run for found in runs.values() for run in found.values()], state)
    asked = question.asked
    more = []
    if any(map(goals.is_of_finished, asked.values())) and goals.FINISHED not in {g.measure for g in asked.values()}:
        more = [goals.Goal.read(goals.FINISHED)]  # of which there may be fewer, and the slow ones missing
    asked |= {goal.label: goal for goal in more}
    values = {}
    for which, found in runs.items():
        for seed in fresh:
            seen = search.measured({key: run for key, run in found.items() if key[1] == seed}, failed, more)
            if "why" in seen:
                raise CongestreeError(f"The {which} setting could not be measured on fresh seeds: {seen['why']}")
            told = seen["more"] | seen["limits"] | seen["goals"]
            for name in asked:
                values.setdefault((which, name), []).append(told[name])
    return [_beside(name, goal, values["stock", name], values["chosen", name]) for name, goal in asked.items()]


def _beside(name, goal, stock, chosen):
    change = mean_and_interval([b - a for a, b in zip(stock, chosen, strict=True)])
    better = None
    if abs(change[0]) > (change[1] if change[1] == change[1] else 0.0):
        better = (change[0] > 0) == goals.more_is_better(goal)
    return Beside(name, goal.unit, mean_and_interval(stock), mean_and_interval(chosen), change, better)
