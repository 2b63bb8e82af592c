"""Pauses: what `explain` and reports say of storms and watchdogs, and the ports that were paused most."""

import json

import pytest

import congestree
from congestree import plots, report
from congestree.evaluation import pauses, trees

STORM = """
topology.two-switch = { local = 3, remote = 1 }
traffic = [{ name = "stopped", from = "A_V", to = "B_V" }, { name = "free", from = ["local", "remote"], to = "B_C" }]
[links]
rate = "100 Gbit/s"
delay = "100 ns"
lanes = 2
[links.flow_control.pfc]
storms = [{ host = "B_V", start = "0.1 ms" }]
watchdog = { detection_time = "100 us", restoration_time = "100 us" }
[switches]
buffer = "200 kB"
[measure]
duration = "1 ms"
probes = ["pauses", "trees"]
sampling_interval = "10 us"
"""
PFC = "links.flow_control.pfc"


@pytest.fixture(scope="module")
def stormy(tmp_path_factory):
    return congestree.run(STORM, out=tmp_path_factory.mktemp("stormy") / "run")


def ran(**values):
    return congestree.run(STORM, values={name.replace("__", "."): value for name, value in values.items()})


def test_explain_report_and_view_name_the_storm_and_the_watchdog(stormy, congestree_cli):
    storm, watchdog = pauses.sentences(stormy)
    assert storm == (
        "B_V paused its switch (lane 0) from 100 us to the end although it had room, as the scenario says "
        "(links.flow_control.pfc.storms)."
    )
    assert watchdog == (
        "The watchdog acted at B->B_V (lane 0) from 200 us to the end: B_V paused it for longer than 100 us, and it "
        "dropped what was to go there."
    )
    explained = " ".join(congestree_cli("explain", stormy.folder).stdout.split())
    shown = " ".join(congestree.view.gather([stormy])[2])
    for said in (storm, watchdog):
        assert said in explained
        assert said.replace(">", "&gt;") in report.html(stormy)
        assert said in shown
    (row,) = json.loads(congestree_cli("explain", stormy.folder, "--json").stdout)["watchdog"]
    assert (row["port"], row["by"], row["times"], row["finished"]) == ("B->B_V", "B_V", 1, None)


def test_trees_are_not_blamed_for_packets_that_the_watchdog_dropped(stormy):
    (row,) = (row for row in trees.summary(stormy)["suffering"] if row["class"] == "stopped")
    flows = [flow for flow in stormy.flows.iter_rows(named=True) if flow["class"] == "stopped"]
    assert row["dropped"] == pytest.approx(sum(f["dropped"] for f in flows) / sum(f["sent"] for f in flows))
    assert row["dropped"] > 0.5
    said = trees.explain(stormy)
    assert any(s.startswith("stopped") and s.endswith("of its packets were dropped.") for s in said), said
    assert not any(s.startswith("stopped") and "held up" in s for s in said)


@pytest.mark.parametrize(("drain", "limits"), [
    ("99 Gbit/s", ["pauses"]), ("20 Gbit/s", ["drain_rate", "pauses"]), (None, ["pauses"]),
])  # fmt: skip
def test_a_host_is_not_called_slow_for_the_samples_of_its_storm(drain, limits):
    """A host that drains a little more slowly than its link brings packets was, below the sentence about its storm."""
    host = {"mtu": "1000 B", "receive_buffer": "200 KiB"} | ({"drain_rate": drain} if drain else {})
    storms = [{"host": "S2_1", "start": "20 us", "stop": "90 us"}]
    run = congestree.run(
        {
            "topology": {"chain": {"switches": 2, "hosts_per_switch": 2}},
            "links": {"rate": "100 Gbit/s", "delay": "500 ns", "flow_control": {"pfc": {"storms": storms}}},
            "switches": {"buffer": "200 KiB"},
            "adapters": host,
            "traffic": [{"from": "S1_1", "to": "S2_1"}],
            "measure": {"duration": "400 us", "probes": ["trees"], "sampling_interval": "5 us"},
        }
    )
    assert [life["host_limit"] for life in trees.summary(run)["trees"] if life["slow_host"]] == limits


def test_what_ends_is_told_with_its_end_and_what_forwards_as_such():
    storm = [{"host": "B_V", "start": "100 us", "stop": "350 us"}, {"host": "B_C", "start": "2 ms"}]
    ended = ran(**{f"{PFC}.storms": storm})
    (row,) = pauses.watchdog(ended)
    assert 350e-6 < row["finished"] < 500e-6
    told = pauses.sentences(ended)
    assert "from 100 us to 350 us" in told[0] and "from 200 us to 400 us: B_V" in told[1] and len(told) == 2
    sent = ran(**{f"{PFC}.watchdog.action": "forward", f"{PFC}.losses": "count"})
    assert pauses.sentences(sent)[1].endswith("and it sent on in spite of the pause.")


def test_without_the_probe_the_scenario_tells_what_it_can():
    bare = ran(**{"measure.probes": ["trees"]})
    storm, may = pauses.sentences(bare)
    assert storm.startswith("B_V paused its switch") and 'The probe "pauses" records where' in may
    assert pauses.sentences(ran(**{f"{PFC}.storms": [], f"{PFC}.watchdog": None})) == []


def test_the_ports_that_were_paused_most_are_in_the_report_and_drawn(stormy, tmp_path):
    most = pauses.most_paused(stormy)
    counted = {(r["name"], r["lane"]): r for r in stormy.pause_counters.iter_rows(named=True)}
    assert [row["paused"] for row in most] == sorted((row["paused"] for row in most), reverse=True)
    for row in most:
        there = counted[row["port"], row["lane"]]
        assert (row["pauses"], row["paused"]) == (there["rx_pause"], there["rx_pause_duration"])
    assert {row["port"] for row in most} >= {"A->B", "A_V->A"} and most[0]["paused"] > 0
    document = report.html(stormy)
    _, _, table = document.partition("Ports paused most")
    assert table and most[0]["port"].replace(">", "&gt;") in table
    drawn = [path.name for path in plots.draw_all(stormy, tmp_path / "plots")]
    assert "pauses.png" in drawn
    (ax,) = plots.plot_pauses(stormy).axes
    assert ax.get_yticklabels()[-1].get_text() == f"{most[0]['port']} (lane {most[0]['lane']})"
    assert ax.patches[-1].get_width() == pytest.approx(100 * most[0]["paused"] / stormy.value("measured"))


def test_a_run_without_pauses_has_neither(tmp_path):
    calm = congestree.run(STORM, values={f"{PFC}.storms": [], "traffic": [{"from": "A_V", "to": "B_V"}]})
    assert pauses.most_paused(calm) == [] and "Ports paused" not in report.html(calm)
    assert "pauses.png" not in [path.name for path in plots.draw_all(calm, tmp_path / "plots")]
    with pytest.raises(congestree.CongestreeError, match="pauses"):
        plots.plot_pauses(ran(**{"measure.probes": ["trees"]}))
