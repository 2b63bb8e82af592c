"""Congestion trees are found where they must be, and looking for them changes nothing.

Where each root, branch and victim of a small network is follows from who sends what to whom; the kinds of forests from
how their traffic is made: C nodes send everything to one hot host, B nodes half of it and the rest to all alike, and a
moving hot spot changes host (Gran, Paper IV, sections III to V; here on a fat tree of 32 hosts).
"""

import types
from pathlib import Path

import pytest
from gallery.gran2012_scope import scenario as forests

import congestree
from congestree.evaluation import trees

SPREADING = Path(__file__).parents[2] / "scenarios/congestion-spreading.toml"
LOOKS = {"measure.probes": ["trees"], "measure.sampling_interval": "100 us"}


def branches(run, tree=0):
    """{link: its distance from the root} of a tree, over its life; those that only victims wait for are negative."""
    rows = [row for row in run.arrow("tree_links").to_pylist() if row["tree"] == tree]
    return {row["name"]: row["depth"] if row["carries"] else -row["depth"] for row in rows}


def test_congestion_spreads_from_one_switch_to_the_other():
    run = congestree.run(SPREADING, values=LOOKS)
    (life,) = trees.summary(run)["trees"]
    assert (life["root"], life["slow_host"], life["depth"], life["kind"]) == ("B->B_C", False, 2, "silent")
    local = {f"B_{k}->B": 1 for k in range(1, 6)}
    assert branches(run) == {**local, "A->B": 1, "A_1->A": 2, "A_V->A": -2}
    # The local flows begin one after the other, each 100 us after the last; four slots are full soon after that.
    since = {row["name"]: row["from"] for row in run.arrow("tree_links").to_pylist()}
    assert since["B_5->B"] < since["A->B"] <= since["A_1->A"] < 1e-3
    assert {name: group["flows"] for name, group in life["contributors"].items()} == {"local": 5, "remote": 1}
    assert list(life["victims"]) == ["victim"]
    # The victim sends from 10 to 20 ms and is held all that time.
    (lost,) = run.arrow("tree_losses").to_pylist()
    assert lost["held_by_trees"] == pytest.approx(10e-3, abs=2e-4)
    assert lost["held_in_switch"] == 0


def test_a_window_of_one_packet_leaves_no_tree():
    run = congestree.run(SPREADING, values={**LOOKS, "adapters.window": 1})
    assert run.arrow("trees").num_rows == 0
    assert trees.summary(run)["kind"] is None


def chain(**changes):
    """Three switches in a row with two hosts each; all send to the first host of the last switch."""
    return {
        "topology": {"chain": {"switches": 3, "hosts_per_switch": 2}},
        "links": {"rate": "8 Gbit/s", "delay": "10 ns", "flow_control": "packet-slots"},
        "switches": {"buffer": "4 packets"},
        "traffic": [{"name": "all", "from": ["S1_1", "S1_2", "S2_1", "S3_2"], "to": "S3_1"}],
        "measure": {"duration": "1 ms", "probes": ["trees"], "sampling_interval": "10 us"},
        **changes,
    }


def test_a_parking_lot_is_one_tree_from_end_to_end():
    run = congestree.run(chain())
    (life,) = trees.summary(run)["trees"]
    assert (life["root"], life["depth"], life["victims"]) == ("S3->S3_1", 3, {})
    expected = {"S3_2->S3": 1, "S2->S3": 1, "S2_1->S2": 2, "S1->S2": 2, "S1_1->S1": 3, "S1_2->S1": 3}
    assert {name: depth for name, depth in branches(run).items() if depth > 0} == expected
    assert life["died_s"] is None


def test_a_slow_host_is_the_root_of_a_tree_with_one_contributor():
    slow = {"drain_rate": "2 Gbit/s", "receive_buffer": "2 packets"}
    traffic = [
        {"name": "hot", "from": "S1_1", "to": "S3_1"},
        {"name": "victim", "from": "S1_2", "to": "S3_2", "rate": "50 MB/s"},
    ]
    run = congestree.run(chain(adapters=slow, traffic=traffic))
    life = trees.summary(run)["trees"][0]
    assert (life["root"], life["slow_host"], life["depth"]) == ("S3->S3_1", True, 3)
    assert list(life["contributors"]) == ["hot"]
    assert list(life["victims"]) == ["victim"]
    assert "because S3_1 takes packets too slowly" in trees.explain(run)[0]


def test_pauses_make_a_tree_as_missing_credits_do():
    """Three hosts, one behind each switch, send to one; a fourth shares a link of the path of the first, and is paused
    with it though its own destination is idle. Pauses come and go, the tree stays."""
    traffic = [
        {"name": "all", "from": ["S1_1", "S2_1", "S3_2"], "to": "S3_1"},
        {"name": "victim", "from": "S1_2", "to": "S2_2"},
    ]
    links = {"rate": "8 Gbit/s", "delay": "10 ns", "flow_control": "pfc"}
    run = congestree.run(chain(links=links, switches={"buffer": "64 KiB"}, traffic=traffic))
    life = trees.summary(run)["trees"][0]
    assert (life["root"], life["depth"], life["slow_host"]) == ("S3->S3_1", 3, False)
    assert (list(life["contributors"]), list(life["victims"])) == (["all"], ["victim"])
    found = branches(run, life["tree"])
    inside = {"S3_2->S3": 1, "S2->S3": 1, "S2_1->S2": 2, "S1->S2": 2, "S1_1->S1": 3}
    assert {link: found[link] for link in inside} == inside
    assert found["S1_2->S1"] == -3, "who is held, and feeds it with nothing"
    lost = run.arrow("tree_losses").to_pylist()
    classes = run.arrow("flows")["class"].to_pylist()
    assert sum(row["held_by_trees"] for row in lost if classes[row["flow"]] == "victim") > 3e-4
    assert all(classes[row["flow"]] == "victim" for row in lost)


def test_a_single_queue_loses_time_inside_the_switch():
    """H1 has a packet for the cold host behind every one for the hot one, which waits for two others' turns."""
    traffic = [
        {"name": "hot", "from": ["H1", "H2", "H5"], "to": "H4"},
        {"name": "cold", "from": "H1", "to": "H3"},
    ]
    lost = {}
    for queues in ("single", "voq"):
        run = congestree.run(
            chain(
                topology={"single-switch": {"hosts": 5}},
                switches={"buffer": "4 packets", "queues": queues, "read_ports": "one"},
                traffic=traffic,
            )
        )
        classes = run.arrow("flows")["class"].to_pylist()
        lost[queues] = {classes[row["flow"]]: row["held_in_switch"] for row in run.arrow("tree_losses").to_pylist()}
    assert lost["single"]["cold"] > 3e-4
    assert lost["voq"].get("cold", 0.0) < lost["single"]["cold"] / 3


@pytest.mark.parametrize(
    "switches",
    [
        {},
        {"queues": "single", "read_ports": "one"},
        {"arbiter": "fifo"},
        {"read_ports": "one"},
    ],
    ids=str,
)
def test_looking_changes_nothing(switches):
    values = {f"switches.{key}": value for key, value in switches.items()} | {"measure.audit": True}
    plain = congestree.run(SPREADING, values=values)
    seen = congestree.run(SPREADING, values={**values, **LOOKS, "measure.sampling_interval": "7 us"})
    assert seen.fingerprint == plain.fingerprint
    assert seen.arrow("flows").equals(plain.arrow("flows"))
    assert seen.arrow("trees").num_rows > 100


SCALE = types.SimpleNamespace(hosts=32, hot=2, radix=8, ms=8)


def forest(scenario):
    """The observations of a forest of Paper IV."""
    scenario["measure"] |= {"probes": ["trees"], "sampling_interval": "20 us"}
    return trees.summary(congestree.run(scenario))


@pytest.mark.slow
def test_a_silent_forest_stands_where_it_stands():
    seen = forest(forests.silent(SCALE, False, 1, "silent"))
    assert seen["kind"] == "silent"
    large = [life for life in seen["trees"] if life["links"] > 10]
    assert len(large) == SCALE.hot
    assert all(life["slow_host"] and life["depth"] == 3 and life["died_s"] is None for life in large)
    assert seen["suffering"][0]["class"] == "V"


@pytest.mark.slow
def test_in_a_windy_forest_the_root_stays_and_the_branches_change():
    seen = forest(forests.windy(SCALE, 100, 0.5, False, 1, "windy"))
    assert seen["kind"] == "windy"
    largest = seen["trees"][0]
    assert largest["kind"] == "windy"
    assert largest["slow_host"]
    assert largest["seen_s"] > SCALE.ms * 1e-3 / 2


@pytest.mark.slow
def test_a_moving_forest_follows_its_hot_hosts():
    seen = forest(forests.moving(SCALE, "V20", 50, False, 1, "moving"))
    assert seen["kind"] == "moving"
    large = [life for life in seen["trees"] if life["links"] > 10]
    assert len(large) > 2 * SCALE.hot
    every = 100e-3 / 50
    assert all(life["seen_s"] < 2.2 * every for life in large), "a tree outlives its hot host, but not by much"
