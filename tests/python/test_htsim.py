"""Connection matrices of htsim, counted and run."""

import csv
from pathlib import Path

import pytest

import congestree
from congestree.formats import workloads
from congestree.formats.workloads import WorkloadError, htsim

DATA = Path(__file__).parents[1] / "data" / "htsim"


def expected(name):
    with open(DATA / name, newline="") as file:
        return {row.pop("file"): row for row in csv.DictReader(file)}


@pytest.mark.parametrize("file", expected("expected-cm.csv"))
def test_a_matrix_says_what_can_be_counted_in_it(file):
    found = htsim.summary(DATA / file)
    assert {key: str("" if value is None else value) for key, value in found.items()} == expected("expected-cm.csv")[
        file
    ]


def test_flows_that_wait_for_others_run_one_after_the_other(congestree_cli, tmp_path):
    flows, study = DATA / "cm/foo2.cm", tmp_path / "study.toml"
    (tmp_path / "net.toml").write_text(NET)
    congestree_cli("import", str(flows), "--into", "net.toml", "-o", str(study))
    messages = congestree.run(study).messages
    assert messages.height == 12
    first = messages.filter(messages["from"] == 103).sort("sent")
    assert first["to"].to_list() == [34, 59, 96]
    begun, done = first["sent"].to_list(), first["delivered"].to_list()
    assert begun[1] >= done[0] and begun[2] >= done[1]
    said = congestree_cli("import", str(flows), "-o", str(tmp_path / "flows.goal")).stderr
    assert "note: a send_done_trigger fires when all data has arrived" in said and 'job.send_end = "delivered"' in said
    assert (tmp_path / "flows.goal").read_text().count(" requires ") == 8


STARTS = """Nodes 4
0->1 id 1 start 10000000 size 1000
0->2 id 2 start 20000000 size 1000
1->3 id 3 start 5000000 size 1000
0->3 id 4 start 30000000 size 1000 send_done_trigger 1
0->1 id 5 trigger 1 size 1000
"""


def test_flows_of_one_node_start_when_the_file_says(congestree_cli, tmp_path):
    """Starts count from 0 and do not add up, and tags follow the lines, whatever starts first."""
    (tmp_path / "net.toml").write_text(NET)
    (tmp_path / "starts.cm").write_text(STARTS)
    done = congestree_cli("import", "starts.cm", "--into", "net.toml", "-o", "study.toml")
    assert "nanoseconds" not in done.stderr
    messages = congestree.run(tmp_path / "study.toml").messages.sort("tag")
    assert messages["tag"].to_list() == [1, 2, 3, 4, 5] and messages["from"].to_list() == [0, 0, 1, 0, 0]
    assert messages["sent"].to_list()[:4] == pytest.approx([10e-6, 20e-6, 5e-6, 30e-6])
    assert messages["sent"][4] == messages["delivered"][3]


@pytest.mark.parametrize("out", [("-o", "flows.goal"), ("--into", "net.toml", "-o", "study.toml")])
def test_starts_between_whole_nanoseconds_are_told(congestree_cli, tmp_path, out):
    (tmp_path / "net.toml").write_text(NET)
    (tmp_path / "odd.cm").write_text(STARTS.replace("20000000", "20000001"))
    done = congestree_cli("import", "odd.cm", *out)
    assert "note: 1 of 5 flows start between two whole nanoseconds, the unit of GOAL" in done.stderr
    assert "calc 10001" in (tmp_path / out[-1]).read_text()


@pytest.mark.parametrize("line", ["", "0->1 id 6 start 0 size 9 recv_done_trigger 2\n1->0 id 7 trigger 2 size 9\n"])
def test_a_goal_file_without_triggers_of_senders_runs_with_any_end_of_sends(congestree_cli, tmp_path, line):
    flows = STARTS.replace(" send_done_trigger 1", "").replace("trigger 1", "start 0")
    (tmp_path / "flows.cm").write_text(flows + line)
    assert "note: a send_done" not in congestree_cli("import", "flows.cm", "-o", "flows.goal").stderr
    (tmp_path / "net.toml").write_text(NET)
    (tmp_path / "flows.cm").write_text(STARTS)
    into = congestree_cli("import", "flows.cm", "--into", "net.toml", "-o", "study.toml")
    assert "note: a send_done" not in into.stderr and 'send_end = "delivered"' in (tmp_path / "study.toml").read_text()


NET = """
[topology.fat-tree]
radix = 16
[links]
rate = "100 Gbit/s"
delay = "1 us"
[[traffic]]
from = "all"
pattern = "uniform"
[measure]
duration = "10 ms"
probes = ["messages"]
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0->1 id 1 trigger 7 size 10", "no connection fires trigger 7"),
        (
            "0->1 id 1 trigger 1 size 10 send_done_trigger 2\n0->1 id 2 trigger 2 size 9 send_done_trigger 1",
            "the connection waits for itself",
        ),
        ("0->1 id 1 start 0 size 10\ntrigger oneshot", "declares no trigger"),
        ("0->1 id 1 start 0 size 10\ntrigger id 1 oneshot barrier", "declares no trigger"),
        ("0->1 id 1 start 0 size 10\ntrigger id 1 oneshoot", "'oneshoot' is nothing that is known of a trigger"),
        ("0->1 id 1 start 0 size 10\ntrigger id 1 barrier count", "'' is no count"),
    ],
)
def test_triggers_that_cannot_be_are_refused_in_a_sentence(text, said, tmp_path):
    path = tmp_path / "bad.cm"
    path.write_text(f"Nodes 2\n{text}\n")
    with pytest.raises(WorkloadError) as error:
        workloads.read(path)
    assert said in str(error.value)


FIRED = """Nodes 6
0->1 id 1 start 0 size 10000 send_done_trigger 1
0->2 id 2 start 0 size 1000000 send_done_trigger 1
0->3 id 3 trigger 1 size 10000
0->4 id 4 trigger 1 size 10000
"""


@pytest.mark.parametrize("kind", ["oneshot", "multishot", "barrier", "barrier count 3", "multishot count 2"])
def test_a_trigger_that_does_not_begin_with_the_last_of_its_firers_is_refused(kind, tmp_path):
    """An application waits for all of them; multishot begins one flow each time, and oneshot may be fired once."""
    path = tmp_path / "kinds.cm"
    path.write_text(f"{FIRED}trigger id 1 {kind}\n")
    with pytest.raises(WorkloadError) as error:
        workloads.read(path)
    assert "kinds.cm:6" in str(error.value)
    assert f"trigger 1 is fired 2 times, and is declared as {kind}" in str(error.value)
    assert "write: trigger id 1 barrier count 2" in str(error.value)


SELF = """0->1 id 1 start 0 size 100000 send_done_trigger 1
0->2 id 2 trigger 1 size 50000 send_done_trigger 1
0->3 id 3 trigger 1 size 2000
trigger id 1 barrier count 2
"""
OTHERS = """0->3 id 9 trigger 1 size 2000
0->1 id 1 start 0 size 1000 send_done_trigger 1
0->2 id 2 trigger 2 size 1000 send_done_trigger 1
3->0 id 3 trigger 3 size 1000 recv_done_trigger 2
0->3 id 4 trigger 1 size 1000 recv_done_trigger 3
trigger id 1 barrier count 2
"""


@pytest.mark.parametrize(
    ("text", "line", "fact"),
    [(SELF, 3, "waits for itself\n"), (OTHERS, 4, "waits for itself, over the triggers of others\n")],
)
def test_a_barrier_that_one_of_its_firers_waits_for_is_refused(text, line, fact, tmp_path):
    """One of those that fire it begins, but not the last; `goal` wrote operations that wait for themselves."""
    path = tmp_path / "ring.cm"
    path.write_text("Nodes 4\n" + text)
    with pytest.raises(WorkloadError) as error:
        workloads.read(path)
    assert error.value.line == line and fact in str(error.value)


@pytest.mark.parametrize(
    "line", ["trigger id 1 barrier count 2\n", "trigger count 2 barrier id 1\n", "trigger id 1\n", ""]
)
def test_a_barrier_of_all_its_firers_is_read_and_written(line, tmp_path):
    path = tmp_path / "barrier.cm"
    path.write_text(FIRED + line)
    workload = workloads.read(path)
    text = workloads.write(workload, "cm")
    assert "trigger id 1 barrier count 2" in text
    path.write_text(text)
    assert [flow.waits for flow in workloads.read(path).flows] == [flow.waits for flow in workload.flows]


def test_priorities_that_an_application_cannot_have_are_told(tmp_path, congestree_cli):
    path = tmp_path / "prio.cm"
    path.write_text(FIRED.replace("trigger 1 size 10000", "trigger 1 size 10000 prio 2", 1))
    (tmp_path / "net.toml").write_text(NET)
    for out in (("-o", "flows.goal"), ("--into", "net.toml", "-o", "study.toml")):
        done = congestree_cli("import", "prio.cm", *out)
        assert "note: an application has one priority for all it sends: left out is prio 2" in done.stderr
    path.write_text("Nodes 3\n0->1 id 1 start 0 size 10 prio 2\n")
    assert not workloads.read(path).notes


def test_a_trigger_of_another_node_cannot_be_an_application(tmp_path):
    path = tmp_path / "far.cm"
    path.write_text("Nodes 3\n0->1 id 1 start 0 size 10 send_done_trigger 1\n2->1 id 2 trigger 1 size 10\n")
    workload = workloads.read(path)
    with pytest.raises(WorkloadError, match="trigger 1 is fired at node 0, and node 2 waits for it"):
        htsim.goal(workload)
    assert htsim.read(path).flows == workload.flows
    path.write_text(workloads.write(workload, "cm"))
    again = workloads.read(path)
    assert [(f.waits, f.sent_fires) for f in again.flows] == [(f.waits, f.sent_fires) for f in workload.flows]
