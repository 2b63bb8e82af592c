"""What is no run, no study, no time and no number is refused in a sentence, wherever Python takes one."""

import math

import pytest

import congestree
from congestree import drawing, jobs, opensm, plots, report, transports, tune, view
from congestree.errors import AskedError, CongestreeError

from .test_transports import LOSSY

CROWD = """
topology.single-switch.hosts = 4
links.rate = "10 Gbit/s"
[[traffic]]
name = "crowd"
from = ["H1", "H2"]
to = "H4"
flows = "by-message"
message = "20 kB"
arrivals.poisson.load = 0.3
[[traffic]]
name = "sum"
from = "all"
program.all-reduce-ring.bytes = "16 KiB"
[measure]
duration = "500 us"
probes = ["queues", "completions", "messages"]
"""


class Given:
    """Runs and a study of everything that is drawn."""

    def __init__(self, looked, study):
        self.looked = looked  # rates, links and trees
        self.study = study
        self.crowd = congestree.run(CROWD)
        self.lossy = congestree.run(LOSSY)


@pytest.fixture(scope="module")
def given(looked, study):
    return Given(looked, study)


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch, tmp_path):
    """What should have been refused and is not writes here, and not into the tree."""
    monkeypatch.chdir(tmp_path)


OF_RUN = {
    "rates": plots.plot_rates,
    "classes": plots.plot_classes,
    "utilisation": plots.plot_utilisation,
    "queues": plots.plot_queues,
    "latency": plots.plot_latency,
    "slowdown": plots.plot_slowdown,
    "ranks": plots.plot_ranks,
    "messages": plots.plot_messages,
    "draw_all": lambda run: plots.draw_all(run, "/nowhere"),
    "trees": drawing.plot_trees,
    "draw_trees": drawing.draw_trees,
    "animation": lambda run: drawing.animate_trees(run, "trees.gif"),
    "moment": drawing.moment,
    "hosts": drawing.count_hosts,
    "transfers": transports.plot_transfers,
    "senders": transports.plot_senders,
    "output-queues": transports.plot_output_queues,
    "by_class": transports.by_class,
    "delay": lambda run: transports.queueing_delay(run, "A->B"),
    "view": view.html,
    "gather": lambda run: view.gather([run]),
    "report": report.html,
}


@pytest.mark.parametrize("wrong", ["text", "study", None, 5, {}], ids=str)
@pytest.mark.parametrize("call", OF_RUN.values(), ids=OF_RUN)
def test_what_is_no_run_is_refused(call, wrong, study):
    given = study if wrong == "study" else wrong
    if call is report.html and given is study:
        return  # reports are of studies, too
    with pytest.raises(CongestreeError):
        call(given)


@pytest.mark.parametrize(("wrong", "told"), [("runs/a", "'runs/a'"), (None, "None"), ({}, "dict")])
def test_the_message_says_how_to_get_one(wrong, told):
    with pytest.raises(AskedError, match=rf"^plot_rates takes a Run, and not {told}: give what .*Run\.load returns"):
        plots.plot_rates(wrong)
    with pytest.raises(AskedError, match=rf"^plot_heat takes a Study, and not {told}: give what congestree\.sweep"):
        plots.plot_heat(wrong, "a", "b", "c")


def test_a_run_is_no_study_and_a_page_of_a_run_and_a_text_is_refused(looked):
    for plot in (plots.plot_heat, plots.plot_lines):
        with pytest.raises(AskedError, match="takes a Study, and not Run"):
            plot(looked, "window", "seed", "sent")
    with pytest.raises(AskedError, match=r"congestree\.view takes a Run, and not 'cr'"):
        view.html(looked, "cr")


TIMES = ["10 KiB", "x", "", math.nan, math.inf, -1, 10**400, [1], {}]
RATES = ["10 KiB", "0 Gbit/s", 0, -1, math.nan, math.inf, [1]]
COUNTS = [0, -1, 1.5, "x", math.nan, [1], True]
WORDS = ["x", 5, 1.5]
CALLS = {
    "rates, window": (lambda given, value: plots.plot_rates(given.looked, window=value), TIMES),
    "rates, relative_to": (lambda given, value: plots.plot_rates(given.looked, relative_to=value), RATES),
    "rates, by": (lambda given, value: plots.plot_rates(given.looked, by=value), [*WORDS, None, []]),
    "rates, classes": (lambda given, value: plots.plot_rates(given.looked, classes=value), [*WORDS, [[]]]),
    "utilisation, window": (lambda given, value: plots.plot_utilisation(given.looked, window=value), TIMES),
    "utilisation, ports": (lambda given, value: plots.plot_utilisation(given.looked, ports=value), [*WORDS, [5, "x"]]),
    "queues, ports": (lambda given, value: plots.plot_queues(given.crowd, ports=value), WORDS),
    "slowdown, after": (lambda given, value: plots.plot_slowdown(given.crowd, after=value), [*TIMES, None]),
    "slowdown, bins": (lambda given, value: plots.plot_slowdown(given.crowd, bins=value), [*COUNTS, None]),
    "slowdown, classes": (lambda given, value: plots.plot_slowdown(given.crowd, classes=value), WORDS),
    "by_size_class": (lambda given, value: given.crowd.by_size_class(after=value), TIMES),
    "by_size_share": (lambda given, value: given.crowd.by_size_share(bins=value), COUNTS),
    "ranks, jobs": (lambda given, value: plots.plot_ranks(given.crowd, jobs=value), WORDS),
    "messages, job": (lambda given, value: plots.plot_messages(given.crowd, job=value), WORDS),
    "messages, most": (lambda given, value: plots.plot_messages(given.crowd, most=value), [*COUNTS, None]),
    "draw_trees": (lambda given, value: drawing.draw_trees(given.looked, at=value), [*TIMES, "1 s"]),
    "animation, frames": (lambda given, value: drawing.animate_trees(given.looked, "a.gif", frames=value), COUNTS),
    "animation, fps": (
        lambda given, value: drawing.animate_trees(given.looked, "a.gif", fps=value),
        [0, 1e-3, "x", None],
    ),
    "transfers, after": (lambda given, value: transports.plot_transfers(given.lossy, after=value), [*TIMES, None]),
    "by_class, after": (lambda given, value: transports.by_class(given.lossy, after=value), TIMES),
    "senders, flows": (lambda given, value: transports.plot_senders(given.lossy, flows=value), ["x", 99, 1.5]),
    "senders, queue": (lambda given, value: transports.plot_senders(given.lossy, queue=value), WORDS),
    "output queues": (lambda given, value: transports.plot_output_queues(given.lossy, ports=value), WORDS),
    "heat, x": (lambda given, value: plots.plot_heat(given.study, value, "seed", "sent"), [*WORDS, None, []]),
    "heat, value": (lambda given, value: plots.plot_heat(given.study, "seed", "window", value), [*WORDS, None, []]),
    "lines, by": (lambda given, value: plots.plot_lines(given.study, "window", "sent", by=value), WORDS),
}


ALL = [
    pytest.param(call, value, id=f"{name} {value!r:.9}") for name, (call, values) in CALLS.items() for value in values
]


@pytest.mark.parametrize(("call", "value"), ALL)
def test_a_wrong_argument_is_refused_in_a_sentence(call, value, given):
    with pytest.raises(CongestreeError) as told:
        call(given, value)
    assert str(told.value).endswith((".", "none"))


PROGRAM = "all-reduce-ring"
ASKED = {"goals": "rate:crowd", "parameters": "links.delay=10 ns..1 us log"}


def ask(**changes):
    return tune.ask(CROWD, **{**ASKED, **changes})


FRAME = jobs.parse(jobs.make("barrier", 2))[0]
OTHERS = {
    "ask, space": (lambda value: ask(space=value), [5, None, [5], [[]], b"x"]),
    "ask, parameters": (lambda value: ask(parameters=value), [5, None, "links.delay", b"x"]),
    "ask, goals": (lambda value: ask(goals=value), [5, None, "rat", b"x"]),
    "ask, limits": (lambda value: ask(limits=value), [5, None, "fairness"]),
    "ask, seeds": (lambda value: ask(seeds=value), [3, 1.5, None, "12", b"12"]),
    "ask, degrade": (lambda value: ask(degrade=value), [5, None, "S1"]),
    "ask, vary": (lambda value: ask(vary=value), [5, "adapters.mtu", {"adapters.mtu": 1}, {"adapters.mtu": "1 kB"}]),
    "ask, vary a table": (lambda value: ask(vary={"adapters": value}), [{"mtu": "1 kB"}, None, b"x"]),
    "ask, batch": (lambda value: ask(batch=value), COUNTS),
    "ask, chance": (lambda value: ask(chance=value), [1.5, "x", None, True]),
    "ask, stop_early": (lambda value: ask(stop_early=value), ["x", 0, 1, math.nan, [1]]),
    "tune, files": (lambda value: tune.tune(None, out="x", files=value), ["opensm.conf", 5, [5]]),
    "make, ranks": (lambda value: jobs.make(PROGRAM, value, bytes="64 KiB"), [*COUNTS, 4.7, "4", None, 10**6]),
    "goal_text, ranks": (lambda value: jobs.goal_text(FRAME, ranks=value), [*COUNTS, 1]),
    "goal_text": (jobs.goal_text, [FRAME.to_pandas(), FRAME.lazy(), None, 5]),
    "write": (lambda value: jobs.write(value, "j.csv"), [FRAME.to_pandas(), FRAME.lazy(), None, 5]),
    "parse": (jobs.parse, [b"num_ranks 1", 5, None]),
    "from_text": (congestree.Scenario.from_text, [CROWD.encode(), 5, None]),
    "from_text, form": (lambda value: congestree.Scenario.from_text(CROWD, value), ["yaml", "TOML", None, 5, [1]]),
    "network, routes": (lambda value: congestree.network(CROWD, routes=value), ["x", 1, None]),
    "opensm.read_text": (opensm.read_text, [b"cc_key 0", 5, None]),
    "opensm.write_text": (opensm.write_text, ["cc_key 0", 5, None]),
}


def shown(value):
    """A value in the name of a test."""
    return f"{type(value).__name__} {value!r:.12}".partition("\n")[0]


@pytest.mark.parametrize(
    ("call", "value"),
    [
        pytest.param(call, value, id=f"{name}: {shown(value)}")
        for name, (call, values) in OTHERS.items()
        for value in values
    ],
)
def test_what_another_function_cannot_take_is_refused_in_a_sentence(call, value):
    with pytest.raises(CongestreeError) as told:
        call(value)
    assert len(str(told.value).split()) > 3


def test_single_ones_need_no_list():
    """They were taken letter by letter: "'l' names no parameter"."""
    single = {**ASKED, "limits": "fairness >= 1%", "degrade": "H1->S=1 Gbit/s"}
    several = {key: [value] for key, value in single.items()}
    assert ask(**single).to_dict() == ask(**several, seeds=iter([1])).to_dict()


@pytest.mark.parametrize("wrong", [5, "x", [], {}], ids=repr)
def test_what_is_no_axes_is_refused(given, wrong):
    for draw in (plots.plot_rates, plots.plot_utilisation, drawing.draw_trees):
        with pytest.raises(AskedError, match=r"^ax is .*, and no axes of matplotlib: give some, or leave it out"):
            draw(given.looked, ax=wrong)


def test_means_are_by_names(given):
    assert given.study.mean("sent", by="window").equals(given.study.mean("sent", by=["window"]))
    for wrong in (5, 1.5):
        with pytest.raises(CongestreeError, match="This study has no column"):
            given.study.mean("sent", by=wrong)


def test_times_are_texts_or_seconds(given):
    for draw in (
        lambda after: plots.plot_slowdown(given.crowd, after=after),
        lambda after: transports.plot_transfers(given.lossy, after=after),
    ):
        assert draw("200 us").axes[0].get_title("left") == draw(200e-6).axes[0].get_title("left")
    assert given.crowd.by_size_share(after="200 us") == given.crowd.by_size_share(after=200e-6)
    assert transports.by_class(given.lossy, after="2 ms") == transports.by_class(given.lossy, after=2e-3)
