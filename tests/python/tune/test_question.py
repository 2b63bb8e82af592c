"""A folder answers one question only, and a question that makes no sense is refused before anything runs."""

import json
import tomllib

import numpy as np
import pytest

import congestree
from congestree import tune
from congestree.errors import AskedError, CongestreeError, ScenarioError
from congestree.runs import shorter
from congestree.studies.sweeping import expand
from congestree.tune import Parameter, Space, asking, question
from congestree.tune.search import journal

from .question import CROWD, ask

pytest.importorskip("optuna")


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


PRESET = {**tomllib.loads(CROWD), "scheme": {"preset": "dcqcn-vendor"}}


def settings(asked, setting):
    """The only run of a setting, without its seed and name."""
    (scenario,) = asked.runs(setting).values()
    return scenario


@pytest.mark.parametrize(
    ("path", "low", "high"),
    [("adapters.window", 3, 5), ("adapters.mtu", "512 B", "4 KiB"), ("links.rate", "4 Gbit/s", "9 Gbit/s")],
)
def test_a_setting_gives_the_run_of_a_sweep(path, low, high):
    """Values that the scenario has, and those that are copied into its traffic, change as they do in a sweep."""
    windows = CROWD + "adapters = { window = 2 }\n"
    asked = ask(windows, parameters=[f"{path}={json.dumps([low, high])}"])
    swept = expand(windows, over={path: [low, high]})
    for point, value in zip(swept, (low, high), strict=True):
        assert settings(asked, {path: value}) == point["scenario"]


def test_what_varies_and_a_slow_link_change_with_the_setting_too():
    asked = ask(
        CROWD, parameters=["links.delay=10 ns..2 us"], vary={"adapters.window": [1, 2]}, degrade=["S1->S2=4 Gbit/s"]
    )
    found = asked.runs({"links.delay": "1 us"})
    assert [s["traffic"][0]["window"] for s in found.values()] == [1, 1, 2, 2]
    slow = congestree.network(found["window 1, slow S1->S2=4 Gbit/s", 1])
    assert {link["delay"] for link in slow["links"]} == {1_000_000}


def test_a_value_of_a_preset_leaves_its_others_and_a_preset_can_be_searched():
    asked = ask(PRESET, parameters=['scheme.react.dcqcn.additive=["7 Mbit/s", "9 Mbit/s"]'])
    react, before = (
        settings(asked, s)["scheme"]["react"]["dcqcn"] for s in ({"scheme.react.dcqcn.additive": "7 Mbit/s"}, None)
    )
    assert react == {**before, "additive": "7 Mbit/s"}
    asked = ask(PRESET, parameters=['scheme.preset=["dcqcn-paper", "none"]'])
    assert "none" in settings(asked, {"scheme.preset": "none"})["scheme"]["react"]


def test_a_row_of_the_summary_may_be_there_with_a_setting_alone():
    """Only a transport counts retransmissions."""
    asked = {"parameters": ["scheme.transport=[none, go-back-n]"], "goals": ["min summary:resent"]}
    assert ask({**PRESET, "scheme": {"preset": "dctcp"}, "links": {"rate": "8 Gbit/s", "flow_control": "pfc"}}, **asked)


@pytest.mark.parametrize("asked", [{"stop_early": 0.3}, {"goals": ["min summary:blocked"]}])
def test_a_refused_beginning_is_told_before_anything_is_made(asked, monkeypatch):
    """As of a scenario in which something must come before the end of the run."""
    monkeypatch.setattr(shorter, "beginning", lambda scenario, _: {**scenario, "measure": {"duration": "0 s"}})
    with pytest.raises(ScenarioError, match="over before it begins"):
        ask(CROWD, **asked)


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
        ({"seeds": range(10**20)}, "100,000,000,000,000,000,000 seeds are too many"),
        ({"stop_early": 2}, "it is from 0 to 1"),
        ({"degrade": ["S1->S2"]}, "names no slow link"),
        ({"degrade": ["S1->S9=1 Gbit/s"]}, "There is no link"),
        ({"vary": {"links.rate": []}}, "has no values"),
        ({"vary": {"adapters.window": [1, 2]}}, "adapters.window varies, and adapters.window is searched"),
        ({"vary": {"adapters": [{}, {"mtu": "1 kB"}]}}, "adapters varies, and adapters.window is searched"),
        (
            {"vary": {"traffic.0.jitter": ["1 us"]}, "parameters": ["traffic.crowd.jitter=1 us..2 us"]},
            "traffic.0.jitter varies, and traffic.crowd.jitter is searched",
        ),
        (
            {"vary": {"traffic.0.jitter": ["1 us"], "traffic.crowd.jitter": ["2 us"]}},
            "traffic.0.jitter and traffic.crowd.jitter are the same value, and both vary",
        ),
        (
            {"parameters": ["traffic.0.jitter=1 us..2 us", "traffic.crowd.jitter=3 us..4 us"]},
            "traffic.0.jitter and traffic.crowd.jitter are searched: one would overwrite the other",
        ),
        ({"parameters": ["adapters.window=1..8", "adapters.window=1..4"]}, "adapters.window is there twice"),
        ({"vary": {"seed": [1, 2]}}, "each of the seeds"),
        ({"values": {"seed": 77}}, "seed is set, but every setting is run with each of the seeds"),
        (
            {"values": {"traffic.crowd.jitter": "1 us"}, "vary": {"traffic.0.jitter": ["2 us"]}},
            "traffic.crowd.jitter is set, but the search varies traffic.0.jitter, so that it would have no effect",
        ),
        (
            {"values": {"links.retry.timeout": "1 us"}, "vary": {"links.retry": [{}]}},
            "links.retry.timeout is set, but the search varies links.retry",
        ),
        ({"parameters": ["seed=1..9"]}, "each of the seeds"),
        ({"limits": ["rate:victim >= nan"]}, "'nan' is not a value of a limit"),
        ({"limits": ["rate:victim <= inf"]}, "'inf' is not a value of a limit"),
        ({"limits": ["fairness >= nan%"]}, "'nan%' is not a value of a limit"),
        ({"goals": ["use:S1->S9"]}, r"link 'S1->S9', which is not there; did you mean \"S1->S2\""),
        ({"goals": ["max summary:delivred"]}, r"'delivred' of the summary.* did you mean \"delivered\""),
    ):
        with pytest.raises(AskedError, match=says):
            ask(CROWD, **changes)
    with pytest.raises(ScenarioError, match="windw"):
        ask(CROWD, parameters=["adapters.windw=1..8"])
    assert not list(tmp_path.iterdir())


def test_values_may_be_set_of_what_is_searched_and_around_what_varies():
    """The first is that of the scenario as it stands; of the second one entry varies."""
    assert ask(CROWD, values={"adapters.window": 4}).resolved[0][1]["adapters"]["window"] == 4
    around = {"links": {"rate": "8 Gbit/s", "delay": "20 ns"}}
    assert ask(CROWD, values=around, vary={"links.delay": ["10 ns", "30 ns"]})


@pytest.mark.parametrize("text", ["", '{"a"', '{"a": [1]}', "[]", '{"scenarios": 1, "parameters": {}}'])
def test_a_question_that_is_none_is_told(tmp_path, text):
    (tmp_path / "question.json").write_text(text)
    with pytest.raises(CongestreeError, match=r"question\.json cannot be read: name another folder"):
        ask(CROWD).write_down(tmp_path)


@pytest.mark.parametrize("seeds", [range(0, 50_000, 10), [3, 4], {5, 6}, np.arange(3), ()])
def test_few_seeds_are_taken_in_any_collection(seeds):
    assert question.few(seeds) == tuple(seeds)


def test_no_seed_is_no_run_and_not_all_seeds_of_the_question():
    asked = ask(CROWD, seeds=[1, 2])
    assert asked.runs(None, ()) == {}
    assert [seed for _, seed in asked.runs(None)] == [1, 2]


def test_so_many_fresh_seeds_are_refused_before_the_search(tmp_path):
    with pytest.raises(AskedError, match="1,000,000,000 seeds are too many"):
        asking.tune(ask(CROWD), out=tmp_path / "out", fresh_seeds=10**9)
    assert not list(tmp_path.iterdir())


def test_without_optuna_a_sentence_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "optuna", None)
    with pytest.raises(CongestreeError, match=r"pip install 'congestree\[tune\]'"):
        asking.tune(ask(CROWD), out=tmp_path)


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        ({"fresh_seeds": -1}, "-1 fresh seeds are too few: at least 0 are needed"),
        ({"fresh_seeds": 1.5}, "fresh seeds is 1.5: give a whole number"),
        ({"evaluations": 0}, "0 evaluations are too few"),
        ({"workers": 0}, "0 workers are too few"),
    ],
)
def test_numbers_that_make_no_sense_are_refused_before_the_search(tmp_path, numbers, told):
    with pytest.raises(AskedError, match=told):
        asking.tune(ask(CROWD), out=tmp_path / "out", **numbers)
    assert not (tmp_path / "out").exists()
