"""The searches: `searches(quick)` gives {name: function(task)}, whose answers are what claims are judged by.

A search over a grid meets runs that are there already: the grid is run whole, to know its best. What random search
would do there needs no run either: settings drawn without repetition are a draw from an urn (`Grid.by_chance`).
"""

from congestree.tune import ask, fresh
from congestree.tune.search import Search

from .scenario import PRESETS, base, goals, settings, space, web

BUDGET, CHANCES = 100, 5
"""Evaluations of a search, and seeds of the sampler."""
FRESH = 10
"""Seeds on which what was found is compared."""
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
    answer = {}
    for word, goal in goals(part, quick).items():
        values = {}
        for chance in range(1 if quick else CHANCES):
            question = ask(base(part, quick), space=space(quick), goals=goal, chance=chance)
            search = Search(question, task.home(f"{word}-{chance}"), **task.options)
            if not values:
                failed = search.run(
                    [next(iter(question.runs(s).values())) for s in settings(space(quick))], search.state("runs", 0)
                )
                every = [search.measured(question.runs(s), failed) for s in settings(space(quick))]
                values = {"goal": goal, "best is": question.goals[0].best}
                values["grid"] = [seen["goals"].get(goal) if "goals" in seen else None for seen in every]
            search.evaluate(18 if quick else BUDGET)
            found = [t.user_attrs.get("goals", {}).get(goal) for t in search.finished()]
            values.setdefault("searches", []).append(found)
        answer[word] = values
    return answer


def web_search(sampler, presets, quick, task):
    """The tail of web search flows on fresh seeds: with what a sampler finds, and with these presets."""
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
        "fresh": {sampler: on(search, best.user_attrs["setting"], seeds)},
    }
    for preset in presets:
        stock = ask(web(preset, quick), space=("mlx5", "wred"), goals="slowdown-p99")
        answer["fresh"][preset] = on(Search(stock, task.home(f"websearch-{preset}"), **task.options), None, seeds)
    return answer


def on(search, setting, seeds):
    """The tail on each of these seeds."""
    runs = search.question.runs(setting, seeds)
    failed = search.run(list(runs.values()), search.state("fresh runs", len(runs)))
    return [search.measured({key: run}, failed)["goals"]["slowdown-p99"] for key, run in runs.items()]
