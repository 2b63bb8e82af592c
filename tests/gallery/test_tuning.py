"""The tuner's own page, the quick version: verdicts, figures, and chance that is counted right."""

import itertools
import json
import math
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from verdicts import QuickVersion, texts

pytest.importorskip("optuna")


class TestTuning(QuickVersion):
    paper = "tuning"
    firm = ("tune-testbed-victim", "tune-forest72-victim")
    """What 18 of 24 settings find on short runs, too."""
    figures = frozenset({"testbed", "forest72", "websearch"})
    part_of_full = False


def test_the_probability_of_a_draw_without_repetition():
    """Of five settings two are near: every hand of three is counted."""
    from congestree.data.gallery.tuning.claims import Grid

    grid = Grid({"best is": "max", "grid": [1.0, 0.99, 0.5, 0.4, 0.3], "searches": [[0.5, None, 0.99]]})
    hands = list(itertools.combinations(range(5), 3))
    assert grid.by_chance(3) == pytest.approx(sum(bool({0, 1} & set(hand)) for hand in hands) / len(hands))
    assert grid.by_chance(5) == grid.by_chance(4) == 1.0
    assert grid.so_far(grid.searches[0]) == pytest.approx([0.5, 0.5, 0.01])
    assert grid.needed(grid.searches[0]) == 3


ADOPTED = Path(__file__).parents[2] / "docs/data/tuning.json"
SURE = 0.99
"""Chance by which a claim about a search says nothing of the search."""


def test_what_a_random_search_would_find_as_well_is_no_evidence():
    """By the settings of a grid that are near to its best: a claim says so if, and only if, chance is as good."""
    told = texts("tuning")
    for row in json.loads(ADOPTED.read_text(encoding="utf-8")):
        if found := re.search(r"(\d+) of (\d+) settings are near, so that (\d+) at random", row["note"]):
            near, every, draws = map(int, found.groups())
            chance = 1 - math.comb(every - near, draws) / math.comb(every, draws)
            said = told[row["id"]].get("cannot_fail", "")
            assert (chance > SURE) == bool(said), (row["id"], chance)
            if said and near < every:
                (probability,) = re.findall(r"probability ([\d.]+) %", said)
                assert said.startswith(f"{near:,} of the {every:,} settings")
                assert float(probability) == pytest.approx(100 * chance, abs=0.005)


def test_what_need_not_be_run_does_what_is_said_of_it():
    """Every setting of the small grid is run on the test bed, including those for which another run is used."""
    import congestree
    from congestree.data.gallery.tuning import grid
    from congestree.data.gallery.tuning.scenario import base, settings, space
    from congestree.tune.written import applied

    scenario = congestree.check(base("testbed", True), values={"measure": {"duration": "8 ms", "warm_up": "0 s"}})
    every = settings(space(True))
    all_runs = [applied(scenario["scenario"], space(True).values(setting)) for setting in every]
    fingerprints = [str(congestree.run(run).fingerprint) for run in all_runs]
    asked = []

    def run(numbers):
        asked.extend(numbers)
        return [fingerprints[number] for number in numbers]

    proven = grid.stand_ins(every, run)
    assert sorted(proven) == list(range(len(every))) and len(set(asked)) == len(asked) < len(every)
    assert all(fingerprints[number] == fingerprints[known] for number, known in proven.items())


def test_only_what_lies_between_two_alike_is_proven():
    """Runs that change with a limit on the timer: of 13 timers those at the limit are run, and few others."""
    from congestree.data.gallery.tuning import grid
    from congestree.data.gallery.tuning.scenario import settings, space
    from congestree.quantities import seconds

    whole = settings(space())
    every = [s for s in whole if s["scheme.mark.fecn.threshold"] in (0, 9) and s["scheme.mark.fecn.marking_rate"] == 4]
    for limit in (0, 20e-6, 1):
        asked = []

        def run(numbers, limit=limit, asked=asked):
            asked.extend(numbers)
            return [_seen(every[number], limit) for number in numbers]

        def _seen(setting, limit):
            marks, long = setting["scheme.mark.fecn.threshold"], seconds(setting["scheme.react.cct.timer"]) > limit
            return (setting["scheme.react.cct.timer"], setting["table"]) if marks and long else ()

        proven = grid.stand_ins(every, run)
        assert all(_seen(every[n], limit) == _seen(every[known], limit) for n, known in proven.items())
        differ = sum(bool(_seen(setting, limit)) for setting in every)
        assert differ + 1 <= len(asked) <= differ + 9
    assert grid.bisected(5) == [0, 4, 2, 1, 3] and grid.bisected(1) == [0]


def test_a_worse_tail_is_no_gain():
    from congestree.data.gallery.common.judge import judged
    from congestree.data.gallery.tuning.claims import Study, beats

    fresh = {"tpe": [1.0, 1.1], "dcqcn-paper": [1.0, 1.1], "dcqcn-vendor": [2.0, 2.2]}
    study = Study(SimpleNamespace(answers={"websearch": {"fresh": fresh}}))
    accepted, presets = texts("tuning"), ("vendor", "paper")
    gains = {name: judged(accepted[f"tune-websearch-{name}"], beats(study, f"dcqcn-{name}").value) for name in presets}
    assert gains["vendor"].holds and gains["paper"].holds is False


def test_the_tuner_beside_random_search_is_told_by_the_difference():
    from congestree.data.gallery.tuning.claims import Study, random_beside

    fresh = {"websearch": {"tpe": [1.8, 2.7]}, "websearch-random": {"random": [2.0, 3.0]}}
    study = Study(SimpleNamespace(answers={part: {"fresh": tails} for part, tails in fresh.items()}))
    assert random_beside(study).note == "the tuner's tail differs from that of random search by -10.0% ± 0.0%"
