"""The claims: how near to the best of a grid a search comes, and what tuning gains over presets on fresh seeds."""

import math
from pathlib import Path

from congestree.evaluation.measures import mean_and_interval

from ..common.judge import Claims, Finding
from ..common.study import Missing, Sample

NEAR = 0.02
"""As near to the best as this counts as found."""


class Study:
    """The answers of searches, by name."""

    def __init__(self, results):
        self.answers = results.answers

    def answer(self, name):
        if name not in self.answers:
            raise Missing(name)
        return self.answers[name]

    def goal(self, part, word):
        """One goal of a grid, read."""
        return Grid(self.answer(part)[word])

    def tails(self, *searches):
        """The tails of web search on fresh seeds, by who chose the settings."""
        return {name: tails for search in searches for name, tails in self.answer(search)["fresh"].items()}


class Grid:
    """All values of a grid for a goal, and what searches have found."""

    def __init__(self, values):
        self.up = values["best is"] == "max"
        self.grid = [value for value in values["grid"] if value is not None]
        self.searches = values["searches"]
        self.runs = values.get("runs", len(self.grid))
        self.best = max(self.grid) if self.up else min(self.grid)

    def gap(self, value):
        """How far a value is from the best of the grid, as a share of it."""
        return abs(self.best - value) / abs(self.best)

    def so_far(self, search):
        """The gap of the best so far, after every evaluation of a search."""
        gaps, least = [], math.inf
        for value in search:
            least = least if value is None else min(least, self.gap(value))
            gaps.append(least)
        return gaps

    def gaps(self):
        """The gap at the end of every search."""
        return [self.so_far(search)[-1] for search in self.searches]

    def needed(self, search):
        """Evaluations until a search is near; infinite if it never is."""
        return next((n for n, gap in enumerate(self.so_far(search), start=1) if gap <= NEAR), math.inf)

    def near(self):
        """How many settings of the grid are near to its best."""
        return sum(self.gap(value) <= NEAR for value in self.grid)

    def by_chance(self, draws):
        """The probability that this many settings, drawn at random without repetition, include one that is near."""
        none, bad, size = 1.0, len(self.grid) - self.near(), len(self.grid)
        for drawn in range(min(draws, size)):
            none *= max(bad - drawn, 0) / (size - drawn)
        return 1.0 - none


CLAIMS = Claims(Path(__file__).parent, Study)
PARTS, GOALS = ("testbed", "forest72", "forest648"), ("victim", "root", "fairness")


def found(study, part, word):
    """The worst gap of all seeds of the sampler; accepted up to NEAR."""
    grid = study.goal(part, word)
    needed = [grid.needed(search) for search in grid.searches]
    gaps, budget = grid.gaps(), max(map(len, grid.searches))
    note = (
        f"{len(gaps)} seeds of the sampler, gaps {min(gaps):.2%} to {max(gaps):.2%}; near after "
        f"{', '.join('never' if math.isinf(n) else str(n) for n in needed)} evaluations; {grid.runs} runs say what all "
        f"settings do; {grid.near()} of "
        f"{len(grid.grid)} settings are near, so that {budget} at random have one with probability "
        f"{grid.by_chance(budget):.1%}"
    )
    return Finding(max(gaps), note=note)


for _part in PARTS:
    for _word in GOALS:
        CLAIMS.check(f"tune-{_part}-{_word}")(lambda study, p=_part, w=_word: found(study, p, w))


def change(fresh, found, before):
    """Mean change of the tail on fresh seeds, as a share, and its 95 % interval over pairs."""
    pairs = zip(fresh[found], fresh[before], strict=True)
    return mean_and_interval([a / b - 1.0 for a, b in pairs])


def beats(study, preset):
    fresh = study.tails("websearch")
    return Finding(Sample([a / b - 1.0 for a, b in zip(fresh["tpe"], fresh[preset], strict=True)]))


CLAIMS.check("tune-websearch-vendor")(lambda study: beats(study, "dcqcn-vendor"))
CLAIMS.check("tune-websearch-paper")(lambda study: beats(study, "dcqcn-paper"))


@CLAIMS.check("tune-websearch-random")
def random_beside(study):
    """What random search with the same budget finds, against the better preset and against the tuner."""
    fresh = study.tails("websearch", "websearch-random")
    values = {name: mean_and_interval(tails)[0] for name, tails in fresh.items()}
    mean, half = change(fresh, "tpe", "random")
    return Finding(values, note=f"the tuner's tail differs from that of random search by {mean:+.1%} ± {half:.1%}")


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given.

    Where some searches were made and others not, the claims of the others are "not run".
    """
    rows = {row["id"]: row for row in CLAIMS.evaluate(results, only)}
    for id, text in CLAIMS.texts.items():
        if id not in rows and rows and (only is None or id in only):
            why = text.get("full", f"Its searches were not made: congestree reproduce tuning/{id.split('-')[1]}")
            rows[id] = {"id": id, "value": None, "unit": text.get("unit", ""), "target": text.get("target")}
            rows[id] |= {"verdict": "not run", "reason": why}
    return [rows[id] for id in CLAIMS.texts if id in rows]
