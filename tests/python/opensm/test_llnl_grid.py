"""The shipped grid is the published one: 2,808 settings, each of which registers can hold."""

import pytest

from congestree.document import parse
from congestree.formats import opensm
from congestree.formats.opensm import Code, llnl
from congestree.formats.opensm.registers import TIMER_PS
from congestree.gallery.shipped import scenario_path
from congestree.quantities import seconds
from congestree.runs.running import check


@pytest.fixture(scope="module")
def grid():
    return parse(scenario_path("llnl-grid").read_text(encoding="utf-8"), "toml")


def test_the_grid_has_2808_runs():
    assert check(scenario_path("llnl-grid"))["facts"]["runs"] == 2808


def test_its_lists_are_those_of_the_study(grid):
    sweep = grid["sweep"]
    assert sweep["scheme.mark.fecn.threshold"] == [0x0, 0x1, 0x5, 0x9, 0xC, 0xF]
    assert sweep["scheme.mark.fecn.marking_rate"] == [0x0, 0x2, 0x4, 0x8, 0xF, 0x20, 0x30, 0x40, 0x50]
    timers = [round(seconds(text) * 1e12) for text in sweep["scheme.react.cct.timer"]]
    assert timers == [2**n * TIMER_PS for n in range(1, 14)]
    tables = [tuple(Code(*map(int, e.split(":"))) for e in t["encoded"]) for t in sweep["scheme.react.cct.table"]]
    assert tables == [llnl.table(name) for name in llnl.TABLES]


@pytest.mark.parametrize("number", range(4))
def test_a_point_of_it_is_an_opensm_file_and_back(grid, number):
    values = {
        "scheme.mark.fecn.threshold": 9,
        "scheme.mark.fecn.marking_rate": 0x20,
        "scheme.react.cct.timer": grid["sweep"]["scheme.react.cct.timer"][7],
        "scheme.react.cct.table": grid["sweep"]["scheme.react.cct.table"][number],
    }
    settings = opensm.of_scenario(scenario_path("llnl-grid"), values=values)
    assert settings.table == llnl.table(list(llnl.TABLES)[number])
    assert (settings.threshold, settings.marking_rate, settings.packet_size) == (9, 0x20, 1)
    assert (settings.sources[0].timer, settings.sources[0].increase, settings.port_control) == (256, 1, 1)
    assert opensm.read_text(opensm.write_text(settings)) == settings
    scheme, _ = settings.to_scheme()
    assert opensm.of_scenario(scenario_path("llnl-grid"), values={"scheme": scheme}) == settings
