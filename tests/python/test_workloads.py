"""Files of other simulators: read into scenarios, written for existing scripts, and refused in sentences."""

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import congestree
from congestree.formats import workloads
from congestree.formats.workloads import Flow, Workload, WorkloadError, hpcc, hpcc_config, htsim

TOPOLOGY = """5 1 4
4
0 4 100Gbps 0.001ms 0
1 4 100Gbps 0.001ms 0
2 4 100Gbps 1us 0
4 3 40Gbps 0.001ms 0.000000
"""
FLOWS = """3
0 3 3 100 2000 2
1 3 3 100 65536 2.000001
2 0 1 200 1 2.0000015

First line: the number of flows
"""
PAIR = {
    "hosts": [0, 1],
    "switches": [2],
    "links": [{"a": host, "b": "s2", "rate": "100 Gbit/s", "delay": "1 us"} for host in ("h0", "h1")],
}
CONFIG = """ENABLE_QCN 1 {0: disable, 1: enable}
USE_DYNAMIC_PFC_THRESHOLD 1
PACKET_PAYLOAD_SIZE 1000 {bytes}
TOPOLOGY_FILE mix/topology.txt
FLOW_FILE mix/flow.txt
SIMULATOR_STOP_TIME 2.001
CC_MODE 1
ALPHA_RESUME_INTERVAL 1
RATE_DECREASE_INTERVAL 4
CLAMP_TARGET_RATE 0
RP_TIMER 300
EWMA_GAIN 0.00390625
FAST_RECOVERY_TIMES 1
RATE_AI 20Mb/s
RATE_HAI 200Mb/s
MIN_RATE 100Mb/s
HAS_WIN 0
KMAX_MAP 2 40000000000 640 100000000000 1600
KMIN_MAP 2 40000000000 160 100000000000 400
PMAX_MAP 2 40000000000 0.2 100000000000 0.2
BUFFER_SIZE 16
NIC_TOTAL_PAUSE_TIME 0
"""
MATRIX = """Nodes 16
Connections 2
5->9 id 1 start 0 size 40000
6->9 id 2 start 2000000 size 100 prio 3
"""


@pytest.fixture
def folder(tmp_path):
    for name, text in (
        ("topology.txt", TOPOLOGY),
        ("flow.txt", FLOWS),
        ("config.txt", CONFIG),
        ("two.cm", MATRIX),
    ):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_files_are_known_by_their_contents(folder):
    forms = {path.name: workloads.form_of(path) for path in folder.iterdir()}
    assert forms == {
        "topology.txt": "hpcc-topology",
        "flow.txt": "hpcc-flow",
        "config.txt": "hpcc-config",
        "two.cm": "cm",
    }
    (folder / "net").write_text('Switch 2 "S"\n[1] "H"[1]\n')
    assert workloads.form_of(folder / "net") is None
    assert workloads.form_of(folder / "nowhere") is None
    (folder / "odd.cm").write_text("hello\n")
    assert workloads.form_of(folder / "odd.cm") == "cm"


def test_an_hpcc_topology_with_its_flows_and_settings_runs(folder):
    topology = hpcc.read_topology(folder / "topology.txt")
    workload = workloads.read(folder / "flow.txt")
    assert [flow.start for flow in workload.flows] == [2 * 10**12, 2_000_001_000_000, 2_000_001_500_000]
    scenario, notes = workloads.scenario_of(topology, workload, folder / "config.txt")
    assert scenario["links"]["rate"] == "100 Gbit/s"
    assert scenario["topology"]["graph"]["links"][3]["rate"] == "40 Gbit/s"
    assert scenario["measure"]["duration"] == "2001 ms"
    dcqcn = scenario["scheme"]["react"]["dcqcn"]
    assert (dcqcn["alpha_period"], dcqcn["cut_period"], dcqcn["increase_timer"]) == (
        "1 us",
        "4 us",
        "300 us",
    )
    assert (dcqcn["additive"], dcqcn["clamp_target"], dcqcn["stages"]) == ("20 Mbit/s", "after-increase", 1)
    red = scenario["scheme"]["mark"]["red"]
    assert red == {"min": "400 kB", "max": "1600 kB", "probability": 0.2, "for_rate": "100 Gbit/s"}
    assert any("what follows the first 3 flows" in note for note in notes)
    assert any("NIC_TOTAL_PAUSE_TIME" in note for note in notes)
    run = congestree.run(scenario)
    assert run.completions["size"].to_list() == [2000, 1, 65536]
    assert run.completions["class"].to_list() == ["priority 3", "priority 1", "priority 3"]


def test_flows_that_cannot_finish_are_told(folder):
    """Those that start after the end of the run, and those whose bytes take longer than what is left of it."""
    topology, flows = hpcc.read_topology(folder / "topology.txt"), workloads.read(folder / "flow.txt")
    stop = (folder / "config.txt").read_text().replace("STOP_TIME 2.001", "STOP_TIME 1")
    (folder / "config.txt").write_text(stop)
    scenario, notes = workloads.scenario_of(topology, flows, folder / "config.txt")
    assert any(
        "at 1 s (measure.duration), so that 3 of 3 flows cannot finish, and none starts" in note for note in notes
    )
    assert not any("FLOW_FILE" in note for note in notes)
    _, notes = workloads.scenario_of(topology, None, folder / "config.txt")
    assert any("left out: FLOW_FILE" in note for note in notes)
    for duration, late in (("2001 us", 0), ("3 us", 1), ("1 us", 2)):
        network = {**scenario, "measure": {"duration": duration}, "traffic": [{"from": "h0", "to": "h1"}]}
        _, notes = workloads.into(network, Workload("a.cm", "cm", [Flow(0, 0, 1, 50_000), Flow(10**6, 0, 1, 5)], 4))
        assert bool(notes) == bool(late) and (not late or f"{late} of 2 flows cannot finish: " in notes[0])


def test_completions_are_written_as_hpcc_writes_them(folder):
    scenario, _ = workloads.scenario_of(
        hpcc.read_topology(folder / "topology.txt"), workloads.read(folder / "flow.txt"), folder / "config.txt"
    )
    run = congestree.run(scenario)
    lines = [line.split() for line in hpcc.fct_lines(run)]
    assert lines[0][:5] == ["0b000001", "0b000301", "10000", "100", "2000"]
    assert lines[1][:5] == ["0b000201", "0b000001", "10000", "100", "1"]
    assert [line[5] for line in lines] == ["2000000000", "2000001500", "2000001000"]
    for line, row in zip(lines, run.completions.iter_rows(named=True), strict=True):
        assert (int(line[6]), int(line[7])) == (round(row["fct"] * 1e9), round(row["ideal"] * 1e9))
        assert int(line[6]) >= int(line[7]) > 2000
    assert hpcc.address(300) == "0b012c01"


def test_the_flows_of_a_run_can_be_read_again(folder, tmp_path):
    scenario, _ = workloads.scenario_of(
        hpcc.read_topology(folder / "topology.txt"), workloads.read(folder / "flow.txt"), folder / "config.txt"
    )
    run = congestree.run(scenario)
    before = [(f.start, f.source, f.destination, f.size, f.priority) for f in workloads.read(folder / "flow.txt").flows]
    for form, name in (("hpcc-flow", "again.txt"), ("cm", "again.cm")):
        (tmp_path / name).write_text(workloads.write(workloads.workload_of(run), form))
        again = workloads.read(tmp_path / name)
        assert [(f.start, f.source, f.destination, f.size, f.priority) for f in again.flows] == before


UNFINISHED = """
topology.single-switch.hosts = 5
links.rate = "1 Gbit/s"
measure = { duration = "1 ms", probes = ["completions"] }
[[traffic]]
name = "listed"
service = 0
start = "1 us"
list = [
    { at = "2 us", from = "H3", to = "H1", message = "1 MB" },
    { at = "1 us", from = "H3", to = "H2", message = "1 kB" },
    { at = "2 ms", from = "H3", to = "H1", message = "1 kB" },
]
"""
DRAWN = """
[[traffic]]
name = "drawn"
from = ["H1", "H2"]
to = "H4"
flows = "by-message"
message = "10 kB"
arrivals.poisson.load = 0.9
"""


def test_flows_of_a_list_are_written_unfinished_too_and_others_are_counted(tmp_path, congestree_cli):
    """Of a list, the flow that the run did not finish is written, and not the one that did not start."""
    listed = ["2->1 id 1 start 2000000 size 1000", "2->0 id 2 start 3000000 size 1000000"]
    run = congestree.run(UNFINISHED)
    assert run.completions.height == 1
    workload = workloads.workload_of(run)
    assert workloads.write(workload, "cm").splitlines() == ["Nodes 5", "Connections 2", *listed]
    assert not workload.notes
    # The other files number hosts alike, whichever of them have finished flows.
    assert next(hpcc.fct_lines(run, workloads.host_ids(run))).startswith("0b000201 0b000101 ")
    run = congestree.run(UNFINISHED + DRAWN, out=tmp_path / "run")
    finished, started = (int(run.value(f"flows_{what}")) for what in ("finished", "started"))
    done = congestree_cli("export", "run", "--format", "cm")
    assert 1 < finished < started - 1 and f"Connections {finished + 1}\n" in done.stdout
    assert f"note: {started - finished - 1} of {started} flows had not finished and are left out" in done.stderr


def test_nodes_are_counted_up_to_the_highest_number_in_the_name_of_a_host():
    """Two hosts, h3 and h9, are nodes 3 and 9 of ten."""
    links = [{"a": host, "b": "s0"} for host in ("h3", "h9")]
    run = congestree.run(
        {
            "topology": {"graph": {"hosts": ["h3", "h9"], "switches": ["s0"], "links": links}},
            "links": {"rate": "10 Gbit/s"},
            "traffic": [{"list": [{"at": "0 ns", "from": "h3", "to": "h9", "message": "1 kB"}]}],
            "measure": {"duration": "10 us", "probes": ["completions"]},
        }
    )
    written = workloads.write(workloads.workload_of(run), "cm")
    assert written.splitlines() == ["Nodes 10", "Connections 1", "3->9 id 1 start 0 size 1000"]


def test_sizes_that_htsim_cannot_read_are_told(tmp_path, congestree_cli):
    congestree.run(UNFINISHED.replace('"1 MB"', '"2147483648 B"'), out=tmp_path / "run")
    done = congestree_cli("export", "run", "--format", "cm")
    assert "size 2147483648" in done.stdout
    assert "note: 1 of 2 flows have more than 2147483647 B, which htsim does not read" in " ".join(done.stderr.split())
    assert "htsim" not in congestree_cli("export", "run", "--format", "hpcc-flow").stderr
    workload = Workload("", "run", [Flow(0, 0, 1, 2**31 - 1)], 2)
    assert "size 2147483647" in workloads.write(workload, "cm") and not workload.notes


def test_a_connection_matrix_becomes_a_list_of_messages(folder, congestree_cli):
    workload = htsim.read(folder / "two.cm")
    assert (workload.hosts, len(workload.flows), workload.flows[1].priority) == (16, 2, 3)
    names = workloads.names_of(workload)
    assert workload.csv(names).splitlines() == [
        "at,from,to,message",
        "0 ps,h5,h9,40 kB",
        "2 us,h6,h9,100 B",
    ]
    congestree_cli("import", str(folder / "two.cm"), "-o", str(folder / "flows.csv"))
    assert (folder / "flows.csv").read_text() == workload.csv(names)


def test_commands_go_from_files_to_a_run_and_back(folder, congestree_cli):
    text = ("import", str(folder / "topology.txt"), "--flows", str(folder / "flow.txt"))
    done = congestree_cli(*text, "--config", str(folder / "config.txt"), "-o", str(folder / "hpcc.toml"))
    assert "note: line 22: NIC_TOTAL_PAUSE_TIME" in " ".join(done.stderr.split())
    congestree_cli("run", folder / "hpcc.toml", "--out", folder / "run")
    done = congestree_cli("export", str(folder / "run"), "--format", "hpcc-fct")
    assert done.stdout.splitlines()[0].startswith("0b000001 0b000301 10000 100 2000 2000000000 ")
    done = congestree_cli("export", str(folder / "run"), "--format", "cm")
    assert done.stdout.startswith("Nodes 4\nConnections 3\n0->3 id 1 start 2000000000000 size 2000 prio 3\n")


WRONG = [
    (hpcc.read_topology, "5 1\n4\n", "a topology begins with the numbers of nodes, switches and links"),
    (hpcc.read_topology, "5 0 0\n\n0 1 1Gbps 1us 0\n", "there is no switch"),
    (hpcc.read_topology, "5 2 0\n4 4\n", "there should be 2 different ids of switches below 5 here"),
    (hpcc.read_topology, "5 1 2\n4\n0 4 1Gbps 1us 0\n", "2 links are announced, and there are 1"),
    (hpcc.read_topology, "10000000 1 1\n4\n0 4 1Gbps 1us 0\n", "10000000 nodes are announced, and 1 links have 2 ends"),
    (hpcc.read_topology, "2 1 1\n1\n0 1 1 1us 0\n", "'1' is no rate"),
    (hpcc.read_topology, "2 1 1\n1\n0 1 1Gbps 1 0\n", "'1' is no delay"),
    (hpcc.read_topology, "2 1 1\n1\n0 1 1Gbps 1us 0.01\n", "a loss of 0.01 on one link"),
    (hpcc.read_topology, "2 1 1\n1\n0 7 1Gbps 1us 0\n", "7 is out of range for a node"),
    (hpcc.read_topology, "2 1 1\n1\n0 0 1Gbps 1us 0\n", "node 0 is connected to itself"),
    (hpcc.read_flows, "2\n0 1 3 100 5 2\n", "2 flows are announced, and there are 1"),
    (hpcc.read_flows, "1\n0 1 3 100 5\n", "is no flow"),
    (hpcc.read_flows, "1\n0 0 3 100 5 2\n", "node 0 would send to itself"),
    (hpcc.read_flows, "1\n0 1 8 100 5 2\n", "8 is out of range for a priority"),
    (hpcc.read_flows, "1\n0 1000000000 3 100 5 2\n", "1000000000 is out of range for a node"),
    (hpcc.read_flows, "1\n0 1 3 100 0 2\n", "0 is out of range for a size"),
    (hpcc.read_flows, "1\n0 1 3 100 5 soon\n", "'soon' is not a time in s"),
    (hpcc.read_flows, "0 1 3 100 5 2\n", "the number of flows should stand here"),
    (workloads.read, "0->1 id 1 start 0 size 5\n", "it is not said how many nodes there are"),
    (workloads.read, "Connections 1\n0->1 id 1 start 0 size 5\n", "it is not said how many nodes there are"),
    (htsim.read, "Nodes 1000000000\n0->1 id 1 start 0 size 5\n", "1000000000 is out of range for a number of nodes"),
    (htsim.read, "Nodes 2\n0->2 id 1 start 0 size 5\n", "there is no node 2"),
    (htsim.read, "Nodes 2\n0->1 id 1 trigger 4 size 5\n", "no connection fires trigger 4"),
    (htsim.read, "Nodes 2\n0->1 id 1 start 0\n", "the connection has no size"),
    (htsim.read, "Nodes 2\n0->1 id 1 start 0 size\n", "'size' has no value"),
    (htsim.read, "Nodes 2\n0->1 id 1 speed 3 size 5\n", "'speed' is nothing that is known"),
    (htsim.read, "Nodes 2\nhello\n", "says nothing that is known"),
    (htsim.read, "Nodes 2\n", "there are no connections"),
    (lambda path: hpcc_config.read(path, 10**11, PAIR), "CC_MODE 3\nU_TARGET 0\n", "'0' is not a value of U_TARGET"),
    (lambda path: hpcc_config.read(path, 10**11, PAIR), "CC_MODE 3\nMI_THRESH -1\n", "'-1' is no count"),
    (
        lambda path: hpcc_config.read(path, 10**11, PAIR),
        "CC_MODE 10\nPINT_LOG_BASE 1\n",
        "'1' is not a value of PINT_LOG_BASE",
    ),
    (
        lambda path: hpcc_config.read(path, 10**11, PAIR),
        "CC_MODE 10\nPINT_LOG_BASE 1.01\n",
        "a code of one byte ends at a utilisation of 0.025",
    ),
    (lambda path: hpcc_config.read(path, 10**11, PAIR), "CC_MODE 10\nPINT_PROB 2\n", "'2' is not a value of PINT_PROB"),
    (lambda path: hpcc_config.read(path, 10**11, PAIR), "CC_MODE 7\nVAR_WIN 2\nHAS_WIN 1\n", "VAR_WIN is '2'"),
    (lambda path: hpcc_config.read(path, 10**11, PAIR), "CC_MODE 2\n", "there is no CC_MODE 2"),
    (lambda path: hpcc_config.read(path, 10**11, PAIR), "HAS_WIN 2\n", "HAS_WIN is '2'"),
    (lambda path: hpcc_config.read(path, 10**11, PAIR), "RP_TIMER\n", "RP_TIMER has no value"),
    (lambda path: hpcc_config.read(path, 10**11, PAIR), "CC_MODE 1\nCC_MODE 7\n", "CC_MODE stands in line 1 already"),
    (lambda path: hpcc_config.read(path, 10**11, PAIR), "ERROR_RATE_PER_LINK 0.1\n", "links lose packets here"),
    (lambda path: hpcc_config.read(path, 10**11, PAIR), "RATE_AI fast\n", "'fast' is no rate"),
    (lambda path: hpcc_config.read(path, 10**11, PAIR), "EWMA_GAIN 2\n", "'2' is not a value of EWMA_GAIN"),
    (lambda path: hpcc_config.read(path, 10**9, PAIR), CONFIG, "say nothing of links of 1 Gbit/s"),
    (lambda path: hpcc_config.read(path, 10**11, PAIR), CONFIG.replace(" 1600", " 100"), "do not go together"),
]


@pytest.mark.parametrize(("read", "text", "fact"), WRONG, ids=[fact[:40] for _, _, fact in WRONG])
def test_what_is_wrong_is_said_with_place_and_remedy(tmp_path, read, text, fact):
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(WorkloadError) as caught:
        read(path)
    place, said, remedy = str(caught.value).split("\n")
    assert place.startswith(str(path)) and fact in said and len(remedy.strip()) > 5


WORDS = (
    "0",
    "1",
    "2",
    "4",
    "16",
    "-1",
    "1e9",
    "2.5",
    "nan",
    "Nodes",
    "Connections",
    "->",
    "0->1",
    "id",
    "start",
    "size",
)
NAMES = ("trigger", "100Gbps", "1us", "0.001ms", "CC_MODE", "KMIN_MAP", "HAS_WIN", "#", "{", "}", "é", "\n", "9" * 50)
LINES = ("5 1 4\n4\n", "Nodes 16\n", "Connections 2\n", "1\n", "5->9 id 1", "\n\n", " ")
PIECES = st.sampled_from(WORDS) | st.sampled_from(NAMES) | st.sampled_from(LINES)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECES, max_size=40), st.binary(max_size=20))
def test_no_file_whatever_gives_more_than_a_sentence(tmp_path, pieces, noise):
    path = tmp_path / "file"
    path.write_bytes(" ".join(pieces).encode() + noise)
    readers = (
        hpcc.read_topology,
        hpcc.read_flows,
        htsim.read,
        lambda p: hpcc_config.read(p, 10**11, PAIR),
        workloads.read,
    )
    for read in readers:
        try:
            read(path)
        except congestree.CongestreeError as error:
            assert "Traceback" not in str(error) and str(error)


PAUSED = """
[topology.single-switch]
hosts = 6

[links]
rate = "100 Gbit/s"
delay = "100 ns"
flow_control = "pfc"

[switches]
buffer = "60 kB"

[[traffic]]
from = ["H2", "H3", "H4", "H5", "H6"]
to = "H1"
flows = "by-message"
message = "100 kB"
arrivals.messages.count = 1

[measure]
duration = "1 ms"
probes = ["completions", "pauses"]
"""


def test_pauses_are_written_as_hpcc_writes_them():
    run = congestree.run(PAUSED)
    assert run.value("flows_finished") == 5
    lines = [[int(word) for word in line.split()] for line in hpcc.pfc_lines(run)]
    assert len(lines) == run.pauses.height > 20
    assert [line[0] for line in lines] == sorted(line[0] for line in lines)
    for host in range(1, 6):
        # Only the senders are paused, at their only port, and every pause ends before the next.
        stops = [stop for _, node, kind, port, stop in lines if node == host and (kind, port) == (0, 1)]
        assert stops and all(stop == (k + 1) % 2 for k, stop in enumerate(stops))
    assert {line[1] for line in lines} == {1, 2, 3, 4, 5}


def test_nodes_of_a_large_network_have_numbers_at_once():
    """Hosts keep theirs, and switches have those after them; each looked through all numbers before."""
    begun = time.process_time()
    ids = hpcc._node_ids([f"leaf{n}" for n in range(30_000)], set(), {"a": 7})
    assert (ids["leaf0"], ids["leaf29999"]) == (8, 30_007)
    assert time.process_time() - begun < 1


def test_the_last_start_is_told_in_the_unit_that_reads_best(congestree_cli, tmp_path):
    (tmp_path / "flow.txt").write_text("1\n0 1 3 100 1000 2.00002\n")
    assert "last start  2.00002 s" in congestree_cli("import", "flow.txt").stdout
    (tmp_path / "flow.txt").write_text("1\n0 1 3 100 1000 0.000025\n")
    assert "last start  25 us" in congestree_cli("import", "flow.txt").stdout


def test_a_run_too_short_for_its_flows_says_so_and_shows_no_empty_table(congestree_cli, tmp_path):
    (tmp_path / "short.toml").write_text(
        'topology.single-switch.hosts = 2\nlinks.rate = "1 Gbit/s"\ntraffic = [{ from = "H1", to = "H2", '
        'flows = "by-message", message = "1 MB", arrivals = "messages" }]\n'
        'measure = { duration = "1 ms", probes = ["completions"] }\n'
    )
    told = congestree_cli("run", "short.toml").stdout
    assert "No flow has finished by the end of the run." in told and "p99.9" not in told
