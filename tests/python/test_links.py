"""Links by name: one has a name, parallel ones share it and are counted."""

import pytest

import congestree
from congestree import plots, transports
from congestree.errors import AskedError
from congestree.evaluation import links
from congestree.evaluation.goals import Goal

PAR = """
seed = 1
[topology.graph]
hosts = ["h0", "h1", "h2", "h3"]
switches = ["A", "B"]
links = [
    { a = "h0", b = "A" },
    { a = "h1", b = "A" },
    { a = "h2", b = "B" },
    { a = "h3", b = "B" },
    { a = "A", b = "B" },
    { a = "A", b = "B" },
]
[links]
rate = "10 Gbit/s"
delay = "100 ns"
flow_control.byte-credits = {}
[switches]
buffer = "64 KiB"
[[traffic]]
name = "x"
from = ["h0", "h1"]
to = "h2"
arrivals = "greedy"
[measure]
duration = "200 us"
warm_up = "20 us"
probes = ["ports", "output-queues"]
"""


@pytest.fixture(scope="module")
def run():
    return congestree.run(PAR)


def test_a_name_means_one_link_or_all_parallel_ones():
    names = ["A->B", "B->A", "A->B", "A->C"]
    told = ["A->B (1)", "B->A", "A->B (2)", "A->C"]
    assert links.told_apart(names) == told
    assert [links.meant(name, names) for name in told] == [[0], [1], [2], [3]]
    assert links.meant("A->B", names) == [0, 2]
    assert links.meant("A->B (3)", names) == links.meant("A->C (1)", names) == []


@pytest.mark.parametrize("scenario", [PAR, "hot-spot", "llnl-grid"])
def test_links_of_a_network_are_those_of_the_table_of_ports(scenario):
    short = {"measure.duration": "1 us", "measure.warm_up": "0 s"}
    names, _ = links.of_network(congestree.network(scenario, routes=False))
    assert names == congestree.run(scenario, values=short).ports["name"].to_list()


def test_the_use_of_a_parallel_link_is_that_of_its_row(run):
    ports = run.ports.filter(run.ports["name"] == "A->B")["utilisation"].to_list()
    assert len(ports) == 2 and ports[0] > 0.9
    assert [Goal.read(f"use:A->B ({number})").take(run) for number in (1, 2)] == ports
    assert Goal.read("use:A->B").take(run) == pytest.approx(sum(ports) / 2)


def test_a_sweep_has_the_use_of_a_parallel_link_or_of_all(run):
    asked = ["use:A->B (1)", "use:A->B"]
    study = congestree.sweep(PAR, over={"seed": [1]}, measures=asked)
    assert study.runs.select(asked).row(0) == tuple(Goal.read(name).take(run) for name in asked)
    with pytest.raises(AskedError, match=r"the link 'A->B \(3\)', which is not there; did you mean"):
        congestree.sweep(PAR, over={"seed": [1]}, measures=["use:A->B (3)"])


def test_the_use_of_links_and_hosts_together_is_that_of_all_of_them(run):
    use = {name: Goal.read(f"use:{name}").take(run) for name in ("h0->A", "h2", "A->B + h0->A + h2", "h0->A + h2")}
    assert use["h0->A"] < 0.8 and use["h2"] == pytest.approx(1.0, abs=0.01)
    assert use["h0->A + h2"] == pytest.approx((use["h0->A"] + use["h2"]) / 2)
    pair = run.ports.filter(run.ports["name"] == "A->B")["utilisation"].sum()
    assert use["A->B + h0->A + h2"] == pytest.approx((pair + use["h0->A"] + use["h2"]) / 4)


def test_no_links_are_drawn_if_none_are_named(run):
    for plot in (plots.plot_utilisation, transports.plot_output_queues):
        assert [len(plot(run, ports=ports).axes[0].get_legend_handles_labels()[1]) for ports in ([], ["A->B"])] == [
            0,
            2,
        ]


def test_only_what_goes_into_a_host_is_held_against_its_drain_rate():
    slow = congestree.run(PAR, values={"adapters.drain_rate": "5 Gbit/s", "adapters.receive_buffer": "16 KiB"})
    rate = dict(slow.ports.select("name", "utilisation").iter_rows())
    assert rate["B->h2"] == pytest.approx(0.5, abs=0.02)
    assert Goal.read("use:B->h2").take(slow) == rate["B->h2"]
    assert Goal.read("use:h2").take(slow) == pytest.approx(2 * rate["B->h2"])
    both = (rate["B->h2"] + rate["h0->A"]) / 1.5
    assert Goal.read("use:h0->A + h2").take(slow) == pytest.approx(both)


@pytest.mark.parametrize("ports", [["A->B", "A->B (1)"], ["A->B (1)", "A->B (2)", "A->B (1)"]])
def test_a_link_that_is_named_twice_is_drawn_once(run, ports):
    (ax, *_) = transports.plot_output_queues(run, ports=ports).axes
    assert ax.get_legend_handles_labels()[1] == ["A->B (1)", "A->B (2)"]
