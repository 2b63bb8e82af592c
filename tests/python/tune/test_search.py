"""A study finds the best settings, loses nothing, and answers one question only."""

import json
import math
import os
import signal
import subprocess
import time

import pytest

from congestree import tune
from congestree.errors import AskedError, CongestreeError, ScenarioError
from congestree.runs import store
from congestree.studies import pool
from congestree.tune import Parameter, Space, asking, fresh, question
from congestree.tune.search import experiments, journal
from congestree.tune.search.searching import Search

from ..conftest import command, interrupt, worker_of_this_process
from .question import CROWD, ask

pytest.importorskip("optuna")
EVERY = 24  # settings of the small question


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """All settings, tried."""
    return tune.tune(ask(CROWD), out=tmp_path_factory.mktemp("whole"), evaluations=100, fresh_seeds=3, workers=2)


def outcome(made):
    return [(t["setting"], t["goals"]) for t in made.trials]


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


def test_fresh_seeds_were_not_used_and_the_difference_is_over_pairs(whole):
    used = set(whole.question.seeds)
    assert not used & set(fresh.seeds(whole.question, 3))
    for row in whole.beside:
        assert row.change[0] == pytest.approx(row.chosen[0] - row.stock[0])
        assert not math.isnan(row.change[1])


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


def test_a_study_does_not_depend_on_workers_or_on_interruptions(whole, tmp_path):
    """Stopped in the middle of the second batch, and gone on with another number of workers: the same settings."""

    class Stop(Exception):
        pass

    def stop(progress):
        if progress.done == 4:
            raise Stop

    runs = whole.folder / "runs"
    with pytest.raises(Stop):
        tune.tune(ask(CROWD), out=tmp_path, evaluations=12, fresh_seeds=0, runs=runs, on_progress=stop)
    assert len(Search(ask(CROWD), tmp_path).finished()) == 4
    made = tune.tune(ask(CROWD), out=tmp_path, evaluations=12, fresh_seeds=0, runs=runs, workers=1)
    assert outcome(made) == outcome(whole)[:12]


def test_a_killed_worker_loses_one_evaluation_at_most(tmp_path, monkeypatch):
    """Its run is done again by another; if that dies too, the evaluation has failed and reports this."""
    killed, run_all = [], pool.execute

    def execute(jobs, **options):
        progress = run_all(jobs, **options)
        if not killed and jobs:
            killed.append(jobs[0].folder)
            (jobs[0].folder / store.MANIFEST).unlink()
            progress.failed[jobs[0].name] = f"{experiments.DIED} (signal 9)"
        return progress

    monkeypatch.setattr(experiments.pool, "execute", execute)
    made = tune.tune(ask(CROWD), out=tmp_path, evaluations=3, fresh_seeds=0, workers=1)
    assert killed and not [t for t in made.trials if t["why"]]


@pytest.mark.slow
def test_a_worker_that_is_really_killed_loses_nothing(tmp_path):
    """Killed in the middle of its run: another does that run again, and every evaluation has its goals."""
    killed = []

    def kill(progress):
        if not killed and 0 < progress.running.get("batch", 0) < 2:
            killed.append(worker_of_this_process())
            os.kill(killed[0], signal.SIGKILL)

    if not os.path.exists(f"/proc/{os.getpid()}/task"):
        pytest.skip("needs /proc to find the worker")
    question = ask(CROWD.replace("200 us", "20 ms"))
    made = tune.tune(question, out=tmp_path, evaluations=6, fresh_seeds=0, workers=1, on_progress=kill)
    assert killed and len(made.trials) == 6
    assert not [t for t in made.trials if t["why"]]


def test_a_run_that_kills_every_worker_fails_alone(tmp_path, monkeypatch):
    run_all = pool.execute

    def execute(jobs, **options):
        progress = run_all(jobs, **options)
        if doomed := [j for j in jobs if j.scenario["adapters"].get("window") == worst]:
            progress.failed[doomed[0].name] = f"{experiments.DIED} (signal 9)"
        return progress

    question = ask(CROWD)
    worst = Search(question, tmp_path).proposals.batch(3)[0][1]["adapters.window"]
    monkeypatch.setattr(experiments.pool, "execute", execute)
    made = tune.tune(question, out=tmp_path, evaluations=3, fresh_seeds=0, workers=1)
    whys = [t["why"] for t in made.trials if t["why"]]
    assert len(made.trials) == 3 and 1 <= len(whys) < 3
    assert "signal 9" in whys[0]


def test_another_question_is_refused_with_what_differs(whole):
    with pytest.raises(CongestreeError, match=r"range of adapters.window was 1 .. 8, and is 1 .. 9"):
        journal.open_study(
            whole.folder, ask(CROWD, parameters=["adapters.window=1..9", 'adapters.mtu=["512 B", "1 KiB", "2 KiB"]'])
        )
    with pytest.raises(CongestreeError, match=r"parameter adapters\.mtu is missing now"):
        journal.open_study(whole.folder, ask(CROWD, parameters=["adapters.window=1..8"]))
    with pytest.raises(CongestreeError, match="goals was max rate:victim, max total:crowd, and is max rate:victim"):
        journal.open_study(whole.folder, ask(CROWD, goals=["rate:victim"]))
    with pytest.raises(CongestreeError, match="the scenario is another one"):
        journal.open_study(whole.folder, ask(CROWD.replace("200 us", "210 us")))
    with pytest.raises(CongestreeError, match="seeds was 1, and is 1, 2"):
        journal.open_study(whole.folder, ask(CROWD, seeds=[1, 2]))


def test_a_space_that_makes_something_else_asks_another_question(tmp_path):
    """The same parameters, but twice the window: the earlier trials were for another scenario."""

    def windows(times):
        shape = Space(
            "windows",
            (Parameter("n", 1, 4, step=1, hidden=True),),
            make=lambda setting: {"adapters.window": times * setting["n"]},
        )
        return ask(CROWD, space=shape, parameters=(), goals=["rate:victim"])

    options = {"out": tmp_path, "evaluations": 2, "fresh_seeds": 0, "workers": 1}
    tune.tune(windows(1), **options)
    tune.tune(windows(1), **options)
    with pytest.raises(CongestreeError, match="makes other values of the same settings"):
        tune.tune(windows(2), **options)
    told = json.loads((tmp_path / question.QUESTION).read_text())
    del told["makes"]
    assert question.differences(told, json.loads(json.dumps(windows(1).to_dict()))) == []


def test_the_seed_of_the_scenario_is_not_part_of_the_question(whole):
    assert journal.open_study(whole.folder, ask("seed = 7\n" + CROWD))


def test_one_command_at_a_time(whole):
    with (
        journal.alone(whole.folder),
        pytest.raises(CongestreeError, match=r"Another command \(process \d+\) is writing to"),
        journal.alone(whole.folder),
    ):
        pass


def test_half_a_line_of_a_killed_process_is_mended(whole, tmp_path):
    (tmp_path / journal.JOURNAL).write_bytes((whole.folder / journal.JOURNAL).read_bytes() + b'{"op_code": 5, "wor')
    (tmp_path / question.QUESTION).write_bytes((whole.folder / question.QUESTION).read_bytes())
    with journal.alone(tmp_path):
        assert len(Search(ask(CROWD), tmp_path).finished()) == EVERY


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


def test_nothing_is_run_if_the_question_makes_no_sense(tmp_path):
    for changes, says in (
        ({"goals": []}, "no goal"),
        ({"goals": ["speed"]}, "no measure 'speed'"),
        ({"goals": ["rate:victm"]}, 'did you mean "victim"'),
        ({"goals": ["use"]}, "Say after a colon which host"),
        ({"goals": ["use:H9"]}, "which is not there"),
        ({"goals": ["summary:blocked"]}, "Say which way"),
        ({"goals": ["marks:victim"]}, "about the whole run"),
        ({"goals": ["rate:victim", "rate:victim"]}, "given twice"),
        ({"limits": ["rate:victim = 5"]}, "is no limit"),
        ({"limits": ["rate:victim >= 5 us"]}, "a rate such as"),
        ({"parameters": []}, "nothing to set"),
        ({"space": "ib-c"}, 'did you mean "ib-cc"'),
        ({"space": "ib-cc"}, "is about scheme.mark = fecn, and the scenario two to one has none"),
        ({"over": "median"}, "no over 'median'"),
        ({"seeds": [1, 1]}, "given twice"),
        ({"seeds": range(10**9)}, "1,000,000,000 seeds are too many: 10,000 is the most"),
        ({"stop_early": 2}, "it is from 0 to 1"),
        ({"degrade": ["S1->S2"]}, "names no slow link"),
        ({"degrade": ["S1->S9=1 Gbit/s"]}, "There is no link"),
        ({"vary": {"adapters.window": []}}, "has no values"),
    ):
        with pytest.raises(AskedError, match=says):
            ask(CROWD, **changes)
    with pytest.raises(ScenarioError, match="windw"):
        ask(CROWD, parameters=["adapters.windw=1..8"])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["", '{"a"', '{"a": [1]}', "[]", '{"scenarios": 1, "parameters": {}}'])
def test_a_question_that_is_none_is_told(tmp_path, text):
    (tmp_path / "question.json").write_text(text)
    with pytest.raises(CongestreeError, match=r"question\.json cannot be read: name another folder"):
        ask(CROWD).write_down(tmp_path)


def test_so_many_fresh_seeds_are_refused_before_the_search(tmp_path):
    with pytest.raises(AskedError, match="1,000,000,000 seeds are too many"):
        asking.tune(ask(CROWD), out=tmp_path / "out", fresh_seeds=10**9)
    assert not list(tmp_path.iterdir())


def test_without_optuna_a_sentence_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "optuna", None)
    with pytest.raises(CongestreeError, match=r"pip install 'congestree\[tune\]'"):
        asking.tune(ask(CROWD), out=tmp_path)


def test_ctrl_c_does_not_break_an_entry_of_the_journal(tmp_path, monkeypatch):
    pressed, symlink = [], os.symlink

    def pressed_at_the_lock(*arguments):
        """Ctrl-C comes just before the journal has been locked for the eighth time."""
        pressed.append(None)
        if len(pressed) == 8:
            signal.raise_signal(signal.SIGINT)
        symlink(*arguments)

    monkeypatch.setattr(os, "symlink", pressed_at_the_lock)
    with pytest.raises(KeyboardInterrupt):
        asking.tune(ask(CROWD), out=tmp_path, evaluations=3, fresh_seeds=0)
    assert len(pressed) == 8 and not list(tmp_path.glob("*.lock"))
    assert len(asking.tune(ask(CROWD), out=tmp_path, evaluations=3, fresh_seeds=0).trials) == 3


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_finished_and_a_kill_too(tmp_path):
    path, out = tmp_path / "crowd.toml", tmp_path / "out"
    path.write_text(CROWD.replace("200 us", "20 ms"))
    words = ("tune", path, "--param", "adapters.window=1..24", "--goal", "rate:victim", "--fresh", 0, "--out", out)
    words += ("--workers", 1, "--batch", 2, "-n", 12)

    def begin(until):
        process = subprocess.Popen(command(*words), stderr=subprocess.PIPE, text=True)
        waited = time.monotonic()
        while len(list(out.glob("runs/*/manifest.json"))) < until and time.monotonic() - waited < 100:
            time.sleep(0.02)
        return process

    assert "kept" in interrupt(begin(3))
    kept = set(out.glob("runs/*/manifest.json"))
    assert len(kept) >= 3
    process = begin(7)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)
    times = {manifest: os.stat(manifest).st_mtime_ns for manifest in out.glob("runs/*/manifest.json")}
    done = subprocess.run(command(*words, "--json"), capture_output=True, text=True, check=True, timeout=200)
    said = json.loads(done.stdout)
    assert said["evaluations"] == 12
    assert all(os.stat(manifest).st_mtime_ns == time for manifest, time in times.items())


SCARCE = {
    "parameters": ["adapters.window=1..5", 'adapters.ack_turnaround=["0 s", "1 us"]'],
    "limits": ["total:crowd >= 1 Gbit/s"],
    "stop_early": 0.4,
}


@pytest.mark.parametrize(("changes", "evaluations", "last"), [({}, 4, 1000), (SCARCE, 12, 65)])
def test_a_search_killed_between_any_two_entries_of_its_journal_goes_on_as_if_it_had_not_been(
    tmp_path, changes, evaluations, last, recwarn, monkeypatch
):
    """The journal is cut after each of its last entries, as a kill leaves it: no setting is lost, and none is changed.

    In the second search some are given up early, and its settings are used up, so that the sampler repeats itself.
    Pictures, which take longer than all the rest, are drawn of the first search alone.
    """
    asked = ask(CROWD, goals=["rate:victim"], **changes)
    options = {"evaluations": evaluations, "fresh_seeds": 0, "workers": 1, "runs": tmp_path / "runs"}
    undisturbed = tune.tune(asked, out=tmp_path / "whole", **options)
    entries = (undisturbed.folder / "journal.log").read_bytes().splitlines(keepends=True)
    assert (b"fixed_params" in b"".join(entries)) == bool(changes)
    monkeypatch.setattr(asking, "_draw", lambda tuning: {})
    for cut in range(max(1, len(entries) - last), len(entries)):
        folder = tmp_path / f"cut-{cut}"
        folder.mkdir()
        asked.write_down(folder)
        (folder / "journal.log").write_bytes(b"".join(entries[:cut]))
        assert outcome(tune.tune(asked, out=folder, **options)) == outcome(undisturbed), entries[cut - 1]
    assert not [told for told in recwarn if "constraint" in str(told.message)]
