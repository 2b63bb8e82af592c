"""Parameters are read as people write them, and hold only what registers and files can hold."""

import pytest

import congestree
from congestree.errors import AskedError
from congestree.formats.opensm import Code
from congestree.studies.sweeping import expand
from congestree.tune import SPACES, Parameter, Space, ask
from congestree.tune.families.infiniband import table
from congestree.tune.space import joined

optuna = pytest.importorskip("optuna")


def test_a_range_with_a_step_counts_from_its_low_end():
    odd = Parameter.read("x=1..10 by 3")
    assert [odd.value(n) for n in range(odd.low, odd.high + 1)] == [1, 4, 7, 10]
    assert Parameter.read("x=1..9 by 3 log").ends == (1, 7)
    assert Parameter.read("x=0.5 us..3 us by 1 us log").ends == ("500 ns", "2500 ns")
    timer = Parameter.read("scheme.react.cct.timer=10.24 us..1.024 ms by 1.024 us log")
    assert (timer.low, timer.high, timer.count) == (10, 1000, 991)
    assert timer.ends == ("10240 ns", "1024 us")
    assert timer.value(150) == "153600 ns"


def test_plain_numbers_are_whole_or_not_as_they_are_written():
    assert Parameter.read("adapters.window=1..16").ends == (1, 16)
    assert Parameter.read("scheme.react.dctcp.gain=0.01..1 log").step is None
    assert Parameter.read("x=0.0..1.0").step is Parameter.read("x=1e0..1e3 log").step is None
    assert Parameter.read("x=0.5 us..1.5 us").ends == ("500 ns", "1500 ns")
    assert Parameter.read("x=0..1 by 0.25").count == 5
    assert Parameter.read("x=0..1 by 0.25").value(3) == 0.75


def test_a_list_is_in_order_if_its_numbers_are():
    assert Parameter.read("x=[0, 2, 8]").ordered
    assert not Parameter.read('x=["qp", "sl"]').ordered
    assert not Parameter.read("x=[4, 2]").ordered


@pytest.mark.parametrize(
    "text, says",
    [
        ("adapters.window", "names no parameter"),
        ("=1..2", "names no parameter"),
        ("x=5", "is no range"),
        ("x=5..1", "is empty"),
        ("x=1 us..1 kB", "mixes"),
        ("x=0..10 log", "log needs one above 0"),
        ("x=1 us..1 parsec", "is no number"),
        ("x=1..9 by 0", "step"),
        ("x=[1]", "two values or more"),
        ("x=[1, 2", "is not a list"),
    ],
)
def test_what_cannot_be_read_is_said(text, says):
    with pytest.raises(AskedError, match=says):
        Parameter.read(text)


def test_words_in_a_list_need_no_quotation_marks():
    assert Parameter.read("scheme.react=[dcqcn, dctcp]").choices == ("dcqcn", "dctcp")
    assert Parameter.read("x=[50 kB, 100 kB]").choices == ("50 kB", "100 kB")


def test_a_parameter_within_another_is_refused():
    within = [Parameter.read("scheme.react=[dcqcn, dctcp]"), Parameter.read("scheme.react.dcqcn.min_rate=[1, 2]")]
    with pytest.raises(AskedError, match=r"^scheme\.react\.dcqcn\.min_rate lies within scheme\.react: a value"):
        joined([Space("", (within[1],)), Space("", (within[0],))])


def test_what_is_suggested_is_in_the_range_and_comes_again_with_the_seed():
    parameters = [Parameter.read(text) for text in ("a=1.024 us..1 ms by 1.024 us log", "b=0.1..0.9", 'c=["x", "y"]')]

    def draw():
        study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=3))
        return [[p.suggest(trial) for p in parameters] for trial in (study.ask() for _ in range(20))]

    first = draw()
    assert first == draw()
    for timer, share, choice in first:
        assert round(1e12 * congestree.quantities.seconds(timer)) % 1_024_000 == 0
        assert 0.1 <= share <= 0.9 and choice in ("x", "y")


def test_the_grid_of_the_public_study_has_its_settings():
    grid = SPACES["llnl-grid"]
    assert grid.size == 2808
    setting = {p.name: p.ends[1] for p in grid.parameters}
    swept = expand(_shipped("llnl-grid"))
    values = grid.values(setting)
    assert swept[-1]["values"] == {path: values[path] for path in swept[-1]["values"]}


def _shipped(name):
    from congestree.gallery.shipped import scenario_path

    return scenario_path(name)


def test_tables_begin_at_the_full_rate_and_end_at_the_slowest():
    for entries in (16, 128):
        for slowest in (1, 7, 50):
            for curve in (1, 2, 3):
                codes = table(entries, slowest, curve)
                assert len(codes) == entries and codes[0].share == 1
                assert float(codes[-1].share) == pytest.approx(slowest / 100, rel=0.02)
                assert list(codes) == sorted(codes, key=lambda code: -code.share)
                assert all(isinstance(code, Code) for code in codes)


def test_spaces_join_and_a_later_parameter_takes_the_place_of_an_earlier_one():
    own = Space("own", (Parameter.read("scheme.react.cct.increase=1..2"),))
    both = joined([SPACES["ib-cc"], own])
    assert both.name == "ib-cc + own"
    found = {p.name: p for p in both.parameters}
    assert found["scheme.react.cct.increase"].ends == (1, 2)
    assert len(both.parameters) == len(SPACES["ib-cc"].parameters)
    assert both.files == ("opensm",)


def test_spaces_that_no_scenario_can_serve_together_are_refused():
    with pytest.raises(AskedError, match=r"ib-cc, mlx5 do not go together: one is about scheme.react = cct, another"):
        joined([SPACES["ib-cc"], SPACES["mlx5"]])
    both = joined([SPACES["uec-nscc"], SPACES["uec-rccc"], SPACES["wred"]])
    assert both.wants["scheme.transport.uet.congestion_control"] == ("both",)


@pytest.mark.parametrize(
    "space, control, fits",
    [("uec-nscc", "both", True), ("uec-nscc", "rccc", False), ("uec-rccc", "rccc", True), ("uec-rccc", "nscc", False)],
)
def test_a_space_of_ultra_ethernet_wants_who_decides(space, control, fits):
    """A window that does not decide has no parameters to search."""

    def asked():
        values = {"scheme.transport.uet.congestion_control": control, "scheme.mark.red.spare_last_hop": False}
        return ask(_shipped("uec-incast"), space=space, goals="total:incast", values=values)

    if fits:
        assert asked().space.name == space
        return
    with pytest.raises(AskedError, match=f"congestion_control = .* or both, and the scenario .* has {control}"):
        asked()


BASES = {
    "ib-cc": "llnl-grid",
    "llnl-grid": "llnl-grid",
    "mlx5": "roce-incast",
    "wred": "roce-incast",
    "sonic-buffers": "pfc-incast",
    "uec-nscc": "uec-incast",
    "uec-rccc": "uec-incast",
    "uec-oversubscribed": "uec-incast",
    "hpcc": "hpcc-incast",
    "power-tcp": "hpcc-incast",
}


@pytest.mark.parametrize("name", SPACES)
def test_the_ends_of_every_space_make_sense(name):
    scenario = congestree.check(_shipped(BASES[name]))["scenario"]
    from congestree.tune.written import applied

    space = SPACES[name]
    if name == "uec-oversubscribed":
        uet = {"congestion_control": "rccc", "rccc.oversubscribed": {}}
        values = {f"scheme.transport.uet.{key}": value for key, value in uet.items()}
        scenario = congestree.check(scenario, values=values)["scenario"]
    if name == "power-tcp":
        scenario = congestree.check(_shipped("hpcc-incast"), values={"scheme.preset": name})["scenario"]
    for end in (0, 1):
        congestree.check(applied(scenario, space.values({p.name: p.ends[end] for p in space.parameters})))
