"""A search finds the best settings, tries none twice, and tells what matters for its goals."""

import json
import math
from types import SimpleNamespace

import pytest

from congestree import tune
from congestree.errors import AskedError, CongestreeError
from congestree.tune import fresh
from congestree.tune.search import journal
from congestree.tune.search.searching import Search

from .question import CROWD, EVERY, ask

pytest.importorskip("optuna")


def test_no_setting_is_tried_twice_and_the_search_ends_with_the_last(whole):
    settings = [json.dumps(t["setting"], sort_keys=True) for t in whole.trials]
    assert len(settings) == len(set(settings)) == EVERY
    assert whole.evaluations.height == EVERY


def test_no_more_evaluations_are_waited_for_than_there_are_settings(whole, tmp_path):
    told = []
    options = {"evaluations": 100, "fresh_seeds": 0, "runs": whole.folder / "runs"}
    tune.tune(ask(CROWD), out=tmp_path, on_progress=lambda p: told.append((p.what, p.done, p.total)), **options)
    assert [one for one in told if one[0] == "evaluations"][-1] == ("evaluations", EVERY, EVERY)


def test_the_front_is_what_no_other_beats(whole):
    goals = [tuple(t["goals"].values()) for t in whole.trials]
    best = {g for g in goals if not any(o[0] >= g[0] and o[1] >= g[1] and o != g for o in goals)}
    assert {tuple(t["goals"].values()) for t in whole.front} == best
    assert whole.chosen in whole.front


def test_a_choice_can_be_made_by_goal_or_number(whole):
    by_goal = whole.choose("rate:victim")
    assert by_goal["goals"]["rate:victim"] == max(t["goals"]["rate:victim"] for t in whole.trials)
    assert whole.choose(whole.trials[3]["number"]) == whole.trials[3]
    with pytest.raises(AskedError, match="no evaluation 'x'"):
        whole.choose("x")


def tuning_of(monkeypatch, folder, goals, found):
    """A study with these values of its goals, one evaluation after the other, all of which keep the limits."""
    trials = [{"number": n, "kept": True, "goals": dict(zip(goals, values, strict=True))} for n, values in found]
    monkeypatch.setattr(tune.Tuning, "trials", trials)
    return tune.Tuning(ask(CROWD, goals=goals), folder)


def test_the_evaluation_nearest_to_the_best_of_every_goal_is_chosen(monkeypatch, tmp_path):
    """By distances of 1, 2/81 and 1: each goal is scaled from the worst to the best, of which one is the least."""
    found = enumerate([(10e9, 10.0), (9e9, 2.0), (1e9, 1.0)])
    made = tuning_of(monkeypatch, tmp_path, ["rate:victim", "min summary:blocked"], found)
    away = made._away(made.front)
    assert [away(trial) for trial in made.front] == pytest.approx([1.0, 2 / 81, 1.0])
    assert made.choose()["number"] == 1


def test_evaluations_alike_are_the_others_with_the_same_goals(monkeypatch, tmp_path):
    made = tuning_of(monkeypatch, tmp_path, ["rate:victim"], enumerate([(2e9,), (1e9,), (2e9,), (2e9,)]))
    made.trials[3]["kept"] = False
    assert [trial["number"] for trial in made.alike(made.trials[0])] == [2]


def test_fresh_seeds_were_not_used_and_the_difference_is_over_pairs(whole):
    used = set(whole.question.seeds)
    assert not used & set(fresh.seeds(whole.question, 3))
    for row in whole.beside:
        assert row.change[0] == pytest.approx(row.chosen[0] - row.stock[0])
        assert not math.isnan(row.change[1])


@pytest.mark.parametrize(("used", "first"), [((1, 2), 1_000_001), ((1_000_005, 1_000_002), 1_000_006)])
def test_fresh_seeds_come_after_the_highest_of_the_search(used, first):
    assert fresh.seeds(SimpleNamespace(seeds=used), 2) == (first, first + 1)


@pytest.mark.parametrize("over", ["mean", "worst"])
def test_on_the_seeds_of_the_search_the_comparison_finds_what_the_search_found(over, tmp_path, monkeypatch):
    """With several conditions, of which another one is the worst from seed to seed."""
    monkeypatch.setattr(fresh, "seeds", lambda question, count: question.seeds)
    scenario = CROWD.replace('to = "H4"', 'to = "H5", arrivals.poisson.load = 0.4')
    vary = {"traffic.1.arrivals.poisson.load": [0.40, 0.41, 0.42, 0.39]}
    asked = ask(scenario, goals="total:crowd", seeds=range(1, 6), over=over, vary=vary)
    made = tune.tune(asked, out=tmp_path, evaluations=2, fresh_seeds=5, workers=1)
    (row,) = made.beside
    found = made.chosen["goals"]["total:crowd"]
    assert row.chosen[0] == pytest.approx(found) and row.stock[0] == pytest.approx(made.stock["total:crowd"])
    assert row.change[0] == pytest.approx(row.chosen[0] - row.stock[0])


def test_importance_is_shared_out_among_the_parameters(whole):
    for shares in whole.importance().values():
        assert sum(shares.values()) == pytest.approx(1.0)
        assert set(shares) == {"adapters.window", "adapters.mtu"}


def test_where_most_settings_share_the_best_value_nothing_matters_for_it(tmp_path):
    """Flow control holds links at the largest windows alone: no tenth of the settings is best at that."""
    parameters = ["adapters.window=16..28", 'adapters.mtu=["1 KiB", "2 KiB"]']
    asked = ask(CROWD, parameters=parameters, goals=["min summary:blocked", "rate:victim"])
    made = tune.tune(asked, out=tmp_path, evaluations=26, fresh_seeds=0, workers=1)
    blocked = [t["goals"]["min summary:blocked"] for t in made.trials]
    assert len(set(blocked)) > 1 and 2 * blocked.count(0.0) >= len(blocked)
    assert set(made.importance()) == {"rate:victim"}


def test_values_of_several_kinds_are_text_in_the_table(tmp_path):
    asked = ask(CROWD, parameters=['switches.read_ports=["one", 2]'], goals=["rate:victim"])
    made = tune.tune(asked, out=tmp_path, evaluations=2, fresh_seeds=0, workers=1)
    assert sorted(made.evaluations["switches.read_ports"]) == ["2", "one"]
    assert {t["setting"]["switches.read_ports"] for t in made.trials} == {"one", 2}


def test_the_folder_has_all_that_was_found(whole):
    said = json.loads((whole.folder / "result.json").read_text())
    assert said["evaluations"] == EVERY
    assert said["chosen"]["setting"] == whole.chosen["setting"]
    assert {"front", "importance"} == set(whole.pictures)
    assert (whole.folder / "front.png").stat().st_size > 10_000


def test_an_empty_study_says_so(tmp_path):
    made = tune.Tuning(ask(CROWD), tmp_path)
    with pytest.raises(CongestreeError, match="is empty: no evaluation has been finished"):
        made.choose()
    with pytest.raises(CongestreeError, match="holds no tuning"):
        journal.open_study(tmp_path / "nothing")


def test_limits_are_kept_and_said_when_nothing_keeps_them(whole, tmp_path):
    runs, middle = whole.folder / "runs", sorted(t["goals"]["total:crowd"] for t in whole.trials)[EVERY // 2]
    kept = ask(CROWD, goals=["rate:victim"], limits=[f"total:crowd >= {middle!r}"])
    made = tune.tune(kept, out=tmp_path / "a", evaluations=EVERY, fresh_seeds=0, runs=runs)
    assert 0 < sum(t["kept"] for t in made.trials) < EVERY
    assert made.chosen["limits"]["total:crowd"] >= middle
    never = ask(CROWD, goals=["rate:victim"], limits=["total:crowd >= 1 Tbit/s"])
    with pytest.raises(CongestreeError, match=r"None of 3 evaluations keeps the limits \(total:crowd >= 1 Tbit/s"):
        tune.tune(never, out=tmp_path / "b", evaluations=3, fresh_seeds=0, runs=runs)


def test_settings_that_look_bad_are_given_up_early_and_good_ones_are_not(whole, tmp_path):
    question = ask(CROWD, goals=["rate:victim"], stop_early=0.5)
    made = tune.tune(question, out=tmp_path, evaluations=EVERY, fresh_seeds=0, runs=whole.folder / "runs")
    early = [t for t in made.trials if t["early"]]
    assert 0 < len(early) < EVERY / 2 + 2
    assert all("given up after 50%" in t["why"] and not t["kept"] for t in early)
    assert made.choose()["goals"] == {"rate:victim": whole.choose("rate:victim")["goals"]["rate:victim"]}


def test_early_stopping_passes_over_a_setting_that_is_refused(monkeypatch, tmp_path):
    """Every setting that is not has the same goals."""
    parameters = ["links.lanes=[1, 2]", "traffic.victim.lane=[0, 1]"]
    asked = ask(CROWD, parameters=parameters, goals=["rate:victim"], stop_early=0.5)
    search = Search(asked, tmp_path)
    monkeypatch.setattr(search.experiments, "run", lambda runs, state, worth=1.0: {})
    monkeypatch.setattr(search.experiments, "measured", lambda runs, failed: {"goals": {"rate:victim": 1.0}})
    search.evaluate(4)
    told = [trial.user_attrs for trial in search.finished()]
    refused = [said["setting"] for said in told if said.get("why", "").startswith("it makes no sense: ")]
    assert refused == [{"links.lanes": 1, "traffic.victim.lane": 1}] and len(told) == 4


def test_a_setting_that_keeps_the_limits_is_not_given_up_for_those_that_violate_them(whole, tmp_path):
    """The crowd has most with the largest windows, and the victim then least."""
    least = sorted(t["goals"]["rate:victim"] for t in whole.trials)[EVERY - 3]
    asked = ask(CROWD, goals=["total:crowd"], limits=[f"rate:victim >= {least!r}"], stop_early=0.5)
    made = tune.tune(asked, out=tmp_path, evaluations=EVERY, fresh_seeds=0, runs=whole.folder / "runs")
    keep = {json.dumps(t["setting"]) for t in whole.trials if t["goals"]["rate:victim"] >= least}
    assert keep == {json.dumps(t["setting"]) for t in made.trials if t["kept"]}


@pytest.mark.parametrize("others", [8, 9])
def test_what_is_given_up_does_not_depend_on_which_way_a_goal_is_better(tmp_path, others):
    """Of 8 others 4 are half, and of 9 it takes 5; upside down it is the same."""
    verdicts = []
    for text, sign in (("max summary:delivered", 1.0), ("min summary:delivered", -1.0)):
        asked = ask(CROWD, goals=[text])
        (tmp_path / text[:3]).mkdir()
        judge = Search(asked, tmp_path / text[:3])
        (goal,) = asked.goals
        seen = [{goal.label: sign * value} for value in range(others)]
        verdicts.append([judge._worse({goal.label: sign * (value - 0.5)}, seen) for value in range(others + 1)])
    assert verdicts[0] == verdicts[1] == [others - value >= others / 2 for value in range(others + 1)]
