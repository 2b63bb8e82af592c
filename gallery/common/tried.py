"""One thing changed in the runs of a claim, and the claim judged again: is that the cause of its verdict?

    python -m gallery.common.tried hpl2002                   # all changes that were tried for a paper, full runs
    python -m gallery.common.tried hpl2002 victim-window     # those whose names begin so
    python -m gallery.common.tried hpl2002 --quick
    python -m gallery.common.tried hpl2002 --runs runs/hpl2002    # where `congestree reproduce` has its runs

Prints a table: what decides, with the change and without. With --runs finished runs are not repeated; without, all are
kept in memory. The changes are in `gallery/<paper>/tried.py`; the expectations and the results are in the README of the
paper. None of it counts as a verdict.
"""

import argparse
import importlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Change:
    """One thing changed."""

    name: str
    what: str
    claims: tuple
    """Ids of the claims that are judged with it."""
    runs: tuple
    """How the names of their runs begin; with a $ at the end it is a whole name."""
    change: Callable
    """The scenario with the change, from the scenario without."""


def changed(change, named):
    """The scenarios of a change: {name: scenario}."""
    return {name: change.change(scenario) for name, scenario in chosen(change, named).items()}


def chosen(change, named):
    """The scenarios that a change is about: {name: scenario}."""
    return {name: scenario for name, scenario in named.items() if f"{name}$".startswith(change.runs)}


def judged(paper, scenarios, claims, known=None, folder=None):
    """What decides each claim, and its verdict, from these scenarios: {id: (words, verdict)}.

    known: runs made so far, by scenario; a run that a change does not affect is not repeated. folder: where runs are
    kept instead.
    """
    results = kept(scenarios, folder) if folder else remembered(scenarios, {} if known is None else known)
    rows = module(paper, "claims").CLAIMS.evaluate(results, only=claims)
    return {row["id"]: (row["decides"], row["verdict"]) for row in rows}


def remembered(scenarios, known):
    """The runs of these scenarios, in memory; the missing ones are added to `known`."""
    from congestree.runs.running import run_whole

    keys = {name: json.dumps(scenario, sort_keys=True) for name, scenario in scenarios.items()}
    for name, key in keys.items():
        if key not in known:
            known[key] = run_whole(scenarios[name])
    return {name: known[key] for name, key in keys.items()}


def kept(scenarios, folder):
    """The runs of these scenarios, in a folder, opened when they are used; finished ones are not repeated."""
    from congestree.gallery.papers import Results
    from congestree.runs.results import scenario_hash
    from congestree.runs.running import check
    from congestree.studies import pool

    resolved = {name: check(scenario)["scenario"] for name, scenario in scenarios.items()}
    folders = {name: Path(folder) / "runs" / f"{name}-{scenario_hash(made)[:8]}" for name, made in resolved.items()}
    jobs = [pool.Job(resolved[name], place, name) for name, place in folders.items()]
    pool.refuse_failures(pool.execute(jobs, workers=1))
    return Results(folders)


def module(paper, name):
    """A module of a paper's folder."""
    return importlib.import_module(f"..{paper.replace('-', '_')}.{name}", __package__)


def main():
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paper")
    parser.add_argument("change", nargs="?", help="how the names of changes begin; absent: all")
    parser.add_argument("--quick", action="store_true", help="the reduced version of the runs")
    parser.add_argument("--runs", help="a folder for all runs, which need not fit into memory then")
    options = parser.parse_args()
    named = module(options.paper, "runs").runs(quick=options.quick)
    print("| claim | as it is | changed | with the change | verdict then |")
    print("| --- | --- | --- | --- | --- |", flush=True)
    known = {}
    for change in module(options.paper, "tried").TRIED:
        if change.name.startswith(options.change or ""):
            before = judged(options.paper, chosen(change, named), change.claims, known, options.runs)
            after = judged(options.paper, changed(change, named), change.claims, known, options.runs)
            for claim in change.claims:
                print(f"| {claim} | {before[claim][0]} | {change.what} | {' | '.join(after[claim])} |", flush=True)


if __name__ == "__main__":
    main()
