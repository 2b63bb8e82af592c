"""The searches: `searches(quick)` gives {name: function(task)}, whose answers the claims are judged by.

A grid is computed in full before it is searched, in order to know its best setting; `grid` finds the settings that
have to be run for this, and a search is told the known results. Random search needs no run either: settings drawn
without repetition are a draw from an urn (`Grid.by_chance`).
"""

import dataclasses
import json

from congestree.runs.results import Run
from congestree.tune import ask, fresh
from congestree.tune.search.experiments import Experiments
from congestree.tune.search.journal import directions_of, library
from congestree.tune.search.searching import Search

from . import grid
from .scenario import PRESETS, base, goals, settings, space, web

BUDGET, CHANCES = 100, 5
"""Evaluations of a search, and seeds of the sampler."""
FRESH = 10
"""Seeds on which the result is compared."""
STOP_EARLY = 0.3


def searches(quick=False):
    """Searches by name, which begins as the names of the runs that they need."""
    grids = ("testbed", "forest72") if quick else ("testbed", "forest72", "forest648")
    found = {part: lambda task, part=part: over_grid(part, quick, task) for part in grids}
    return found | {
        "websearch": lambda task: web_search("tpe", PRESETS, quick, task),
        "websearch-random": lambda task: web_search("random", (), quick, task),
    }


def over_grid(part, quick, task):
    """For every goal: all values of the grid, and those of the search in its order, for every seed of the sampler."""
    wanted, answer = goals(part, quick), {}
    outcomes, runs = outcomes_of_grid(part, list(wanted.values()), quick, task)
    for word, goal in wanted.items():
        question = ask(base(part, quick), space=space(quick), goals=goal)
        values = [outcome.get("goals", {}).get(goal) for outcome in outcomes]
        answer[word] = {"goal": goal, "best is": question.goals[0].best, "runs": runs, "grid": values, "searches": []}
        for chance in range(1 if quick else CHANCES):
            asked = dataclasses.replace(question, chance=chance)
            search = OverGrid(asked, task.home(f"{word}-{chance}"), outcomes, quick, **task.options)
            search.evaluate(18 if quick else BUDGET)
            found = [t.user_attrs.get("goals", {}).get(goal) for t in search.finished()]
            answer[word]["searches"].append(found)
    return answer


def outcomes_of_grid(part, wanted, quick, task):
    """The outcome of every setting, for all goals at once (of `Experiments.measured`), and how many runs that took."""
    question = ask(base(part, quick), space=space(quick), goals=wanted)
    experiments = Experiments(question, task.home("grid"), **task.options)
    every, outcomes = settings(space(quick)), {}
    state = experiments.state(f"runs on {part}", len(every))

    def run(numbers):
        """Runs these, and answers their fingerprints."""
        runs = [question.runs(every[number]) for number in numbers]
        scenarios = [next(iter(found.values())) for found in runs]
        failed = experiments.run(scenarios, experiments.state("runs", len(scenarios)))
        for number, found in zip(numbers, runs, strict=True):
            outcomes[number] = experiments.measured(found, failed)
        state.done = len(outcomes)
        experiments.report(state)
        return [fingerprint(experiments, scenario, failed) for scenario in scenarios]

    proven = grid.stand_ins(every, run)
    return [outcomes[proven[number]] for number in range(len(every))], len(outcomes)


def fingerprint(experiments, scenario, failed):
    """What two runs have in common if and only if they are the same; a run that failed is like no other."""
    folder = experiments.folder_of(scenario)
    return folder.name if folder.name in failed else json.dumps(Run.load(folder).fingerprint, sort_keys=True)


class OverGrid(Search):
    """A search whose outcomes are known. It takes only seconds, so its study is kept in memory alone."""

    def __init__(self, question, folder, outcomes, quick, **options):
        super().__init__(question, folder, **options)
        self.outcomes = {
            str(setting): outcome for setting, outcome in zip(settings(space(quick)), outcomes, strict=True)
        }

    def opened(self):
        return library().create_study(directions=directions_of(self.question))

    def _try(self, batch, state):
        for trial, setting in batch:
            self._tell(trial, self.outcomes[str(setting)])
        state.done = len(self.finished())
        self.experiments.report(state)


def web_search(sampler, presets, quick, task):
    """The tail of web search flows on fresh seeds: with the setting that a sampler finds, and with these presets."""
    budget, fresh_seeds = (6, 2) if quick else (BUDGET, FRESH)
    question = ask(
        web(PRESETS[0], quick), space=("mlx5", "wred"), goals="slowdown-p99", sampler=sampler, stop_early=STOP_EARLY
    )
    seeds = fresh.seeds(question, fresh_seeds)
    search = Search(question, task.home(f"websearch-{sampler}"), **task.options)
    search.evaluate(budget)
    kept = [t for t in search.finished() if t.user_attrs.get("goals") and "why" not in t.user_attrs]
    best = min(kept, key=lambda t: t.user_attrs["goals"]["slowdown-p99"])
    answer = {
        "evaluations": len(search.finished()),
        "given up early": sum("early" in t.user_attrs for t in search.finished()),
        "setting": best.user_attrs["setting"],
        "while tuning": best.user_attrs["goals"]["slowdown-p99"],
        "fresh": {sampler: on(search.experiments, best.user_attrs["setting"], seeds)},
    }
    for preset in presets:
        stock = ask(web(preset, quick), space=("mlx5", "wred"), goals="slowdown-p99")
        answer["fresh"][preset] = on(Experiments(stock, task.home(f"websearch-{preset}"), **task.options), None, seeds)
    return answer


def on(experiments, setting, seeds):
    """The tail on each of these seeds."""
    runs = experiments.question.runs(setting, seeds)
    failed = experiments.run(list(runs.values()), experiments.state("fresh runs", len(runs)))
    return [experiments.measured({key: run}, failed)["goals"]["slowdown-p99"] for key, run in runs.items()]
