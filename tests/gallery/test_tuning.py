"""The tuner's own page, the quick version: verdicts, figures, and chance that is counted right."""

import itertools
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


def test_a_worse_tail_is_no_gain():
    from congestree.data.gallery.common.judge import judged
    from congestree.data.gallery.tuning.claims import Study, beats

    fresh = {"tpe": [1.0, 1.1], "dcqcn-paper": [1.0, 1.1], "dcqcn-vendor": [2.0, 2.2]}
    study = Study(SimpleNamespace(answers={"websearch": {"fresh": fresh}}))
    accepted, presets = texts("tuning"), ("vendor", "paper")
    gains = {name: judged(accepted[f"tune-websearch-{name}"], beats(study, f"dcqcn-{name}").value) for name in presets}
    assert gains["vendor"].holds and gains["paper"].holds is False
