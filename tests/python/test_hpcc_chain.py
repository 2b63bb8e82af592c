"""The workflow of a user of HPCC or htsim: their files in, a run, files for their scripts out."""

import re
from types import SimpleNamespace

import pytest

import congestree
from congestree import quantities
from congestree.formats import workloads
from congestree.formats.workloads import WorkloadError, hpcc, hpcc_config, scenarios
from congestree.runs import running

# Two switches: hosts at 25 Gbit/s, two links of 100 Gbit/s between.
TOPOLOGY = """10 2 10
8 9
0 8 25Gbps 0.001ms 0
1 8 25Gbps 0.001ms 0
2 8 25Gbps 0.001ms 0
3 8 25Gbps 0.001ms 0
4 9 25Gbps 0.001ms 0
5 9 25Gbps 0.001ms 0
6 9 25Gbps 0.001ms 0
7 9 25Gbps 0.001ms 0
8 9 100Gbps 0.002ms 0
8 9 100Gbps 0.002ms 0
"""
FLOWS = "7\n" + "".join(f"{host} 0 3 100 400000 2.0\n" for host in range(1, 8))
# Every key of the settings that the simulator ships, in its order.
CONFIG = """ENABLE_QCN 1
USE_DYNAMIC_PFC_THRESHOLD 1
PACKET_PAYLOAD_SIZE 1000
TOPOLOGY_FILE mix/topology.txt
FLOW_FILE mix/flow.txt
TRACE_FILE mix/trace.txt
TRACE_OUTPUT_FILE mix/mix.tr
FCT_OUTPUT_FILE mix/fct.txt
PFC_OUTPUT_FILE mix/pfc.txt
SIMULATOR_STOP_TIME 2.01
CC_MODE 1
ALPHA_RESUME_INTERVAL 1
RATE_DECREASE_INTERVAL 4
CLAMP_TARGET_RATE 0
RP_TIMER 900
EWMA_GAIN 0.00390625
FAST_RECOVERY_TIMES 1
RATE_AI 50Mb/s
RATE_HAI 100Mb/s
MIN_RATE 100Mb/s
DCTCP_RATE_AI 1000Mb/s
ERROR_RATE_PER_LINK 0.0000
L2_CHUNK_SIZE 4000
L2_ACK_INTERVAL 1
L2_BACK_TO_ZERO 0
HAS_WIN 1
GLOBAL_T 1
VAR_WIN 1
FAST_REACT 1
U_TARGET 0.95
MI_THRESH 0
INT_MULTI 1
MULTI_RATE 0
SAMPLE_FEEDBACK 0
PINT_LOG_BASE 1.05
PINT_PROB 1.0
RATE_BOUND 1
ACK_HIGH_PRIO 0
LINK_DOWN 0 0 0
ENABLE_TRACE 1
KMAX_MAP 3 25000000000 400 50000000000 800 100000000000 1600
KMIN_MAP 3 25000000000 100 50000000000 200 100000000000 400
PMAX_MAP 3 25000000000 0.2 50000000000 0.2 100000000000 0.2
BUFFER_SIZE 1
QLEN_MON_FILE mix/qlen.txt
QLEN_MON_START 2000000000
QLEN_MON_END 3000000000
"""
TAKEN = {
    "PACKET_PAYLOAD_SIZE", "SIMULATOR_STOP_TIME", "CC_MODE", "ENABLE_QCN", "ALPHA_RESUME_INTERVAL", "HAS_WIN",
    "RATE_DECREASE_INTERVAL", "CLAMP_TARGET_RATE", "RP_TIMER", "EWMA_GAIN", "FAST_RECOVERY_TIMES", "RATE_AI",
    "RATE_HAI", "MIN_RATE", "ERROR_RATE_PER_LINK", "LINK_DOWN", "KMAX_MAP", "KMIN_MAP", "PMAX_MAP", "BUFFER_SIZE",
    "VAR_WIN", "GLOBAL_T", "TOPOLOGY_FILE", "FLOW_FILE",
}  # fmt: skip


@pytest.fixture
def mix(tmp_path):
    """A folder as the simulator has it."""
    folder = tmp_path / "mix"
    folder.mkdir()
    for name, text in (("topology.txt", TOPOLOGY), ("flow.txt", FLOWS), ("config.txt", CONFIG)):
        (folder / name).write_text(text)
    return folder


def scenario_of(mix):
    """The scenario of the three files, and notes."""
    topology, flows = hpcc.read_topology(mix / "topology.txt"), workloads.read(mix / "flow.txt")
    return workloads.scenario_of(topology, flows, mix / "config.txt")


def test_every_setting_is_taken_over_or_named_in_one_note(mix):
    _, notes = scenario_of(mix)
    (left,) = (note for note in notes if note.startswith("left out"))
    named = re.findall("[A-Z0-9_]{6,}", left)
    for line in CONFIG.splitlines():
        name = line.split()[0]
        assert (name in TAKEN) != (name in named), name
    assert not any("has no meaning" in note for note in notes)


def test_a_setting_of_the_scheme_itself_is_not_called_one_of_others(mix):
    """DCTCP's own rate was left out as a "setting of other schemes"."""
    path = mix / "config.txt"
    text = re.sub(r"CC_MODE \d+", "CC_MODE 8", path.read_text())
    text = re.sub(r"(KMIN_MAP|KMAX_MAP) .*", r"\1 2 25000000000 100 100000000000 500", text)
    path.write_text(re.sub("PMAX_MAP .*", "PMAX_MAP 2 25000000000 0.2 100000000000 0.2", text))
    _, notes = scenario_of(mix)
    assert [note.partition(": ")[2] for note in notes if "DCTCP_RATE_AI" in note] == [
        "DCTCP_RATE_AI is left out: windows grow by a packet each round trip here"
    ]
    (rate,) = (note for note in notes if "taken for all links" in note)
    assert "links of 25 Gbit/s" in rate


def test_the_memory_is_that_of_the_simulators_switch(mix):
    scenario, notes = scenario_of(mix)
    # 3 x rate x delay at each port, and 4 KiB; the rest of BUFFER_SIZE is shared. Six ports a switch.
    headroom = 4 * 3 * 3125 + 2 * 3 * 25_000
    # Headroom at the hosts' rate is less than the required one, which then replaces it.
    (note,) = (note for note in notes if "three times" in note)
    assert "9375 B" in note
    assert "headroom_delays" not in scenario["switches"]["shared_memory"]
    scenario["switches"]["shared_memory"]["headroom_delays"] = 3.0
    scenario["links"]["flow_control"]["pfc"]["losses"] = "count"
    assert running.network(scenario)["shared_memory"] == [2**20 - 6 * 4096 - headroom] * 2
    dynamic = scenario["links"]["flow_control"]["pfc"]["threshold"]["dynamic"]
    assert dynamic == {"alpha": 0.125, "for_rate": "25 Gbit/s", "offset": "3072 B"}


def test_headroom_of_the_simulator_is_kept_where_it_suffices(mix):
    (mix / "topology.txt").write_text(TOPOLOGY.replace("0.001ms", "0.002ms"))
    scenario, notes = scenario_of(mix)
    assert scenario["switches"]["shared_memory"]["headroom_delays"] == 3.0
    assert not any("three times" in note for note in notes)
    running.check(scenario)


def test_an_input_pauses_at_its_share_of_the_free_memory(mix):
    """Seven to one at one switch: an input pauses when it has an eighth of the memory that the seven leave free."""
    links = "".join(f"{host} 8 25Gbps 0.002ms 0\n" for host in range(8))
    (mix / "topology.txt").write_text("9 1 8\n8\n" + links)
    scenario, _ = scenario_of(mix)
    scenario["scheme"] = {"preset": "none"}
    scenario["measure"] |= {"probes": ["pauses"], "audit": True}
    (free,) = running.network(scenario)["shared_memory"]
    assert free == 2**20 - 8 * 4096 - 8 * 3 * 6250
    run = congestree.run(scenario)
    first = next(row for row in run.arrow("pauses").to_pylist() if row["event"] == "pause" and row["node"] != "h0")
    # x = (free - 7 x) / 8, so x = free / 15; each input grows by 25 Gbit/s less a seventh of it.
    own = 4096 + free / 15
    filled = own / (25 / 8 * 6 / 7) * 1000  # ps
    heard = first["time_ps"] - 2 * 10**12 - 2 * 2_000_000  # there and back: reported when it is crossed
    packets = 3 * 1048 / 3.125 * 1000  # a packet in, a packet before the frame, a packet of grain
    assert filled < heard < filled + packets


def test_from_settings_to_a_run_to_files_for_scripts(mix, congestree_cli):
    (mix / "config.txt").write_text(CONFIG.replace("HAS_WIN 1", "HAS_WIN 0"))
    done = congestree_cli("import", "mix/config.txt", "-o", "hpcc.toml")
    assert "flows         7" in done.stdout
    done = congestree_cli("run", "hpcc.toml", "--out", "run")
    assert "flows_finished" in done.stdout
    fct = [line.split() for line in congestree_cli("export", "run", "--format", "hpcc-fct").stdout.splitlines()]
    assert len(fct) == 7 and all(len(line) == 8 for line in fct)
    assert {line[1] for line in fct} == {"0b000001"} and {line[4] for line in fct} == {"400000"}
    pfc = [line.split() for line in congestree_cli("export", "run", "--format", "hpcc-pfc").stdout.splitlines()]
    assert len(pfc) > 4 and all(len(line) == 5 and int(line[0]) >= 2_000_000_000 for line in pfc)
    assert {line[4] for line in pfc} == {"0", "1"}


def test_an_empty_file_of_pauses_is_said_to_be_empty(mix, congestree_cli):
    (mix / "flow.txt").write_text("1\n0 4 3 100 1000 2.0\n")
    congestree_cli("import", "mix/config.txt", "-o", "hpcc.toml")
    congestree_cli("run", "hpcc.toml", "--out", "run")
    done = congestree_cli("export", "run", "--format", "hpcc-pfc")
    assert done.stdout == "" and "nobody was told to pause" in done.stderr


def test_priorities_have_lanes(mix):
    (mix / "flow.txt").write_text("2\n0 4 3 100 1000 2.0\n1 4 5 100 1000 2.0\n")
    scenario, notes = scenario_of(mix)
    assert (scenario["links"]["lanes"], scenario["links"]["service_lanes"]) == (2, [0, 0, 0, 0, 0, 1])
    assert any("3 in lane 0, 5 in lane 1" in note for note in notes)
    run = congestree.run(scenario)
    assert run.value("flows_finished") == 2


def test_the_lanes_of_priorities_follow_one_another_whatever_is_between_these():
    scenario, notes = {"links": {}}, []
    scenarios._lanes(scenario, SimpleNamespace(priorities=lambda: [1, 3, 6]), notes)
    assert scenario["links"] == {"lanes": 3, "service_lanes": [0, 0, 0, 1, 0, 0, 2]}
    assert any("1 in lane 0, 3 in lane 1, 6 in lane 2" in note for note in notes)


@pytest.mark.parametrize(
    ("hosts", "switch"),
    [((1, 2, 3), 0), ((0, 1, 2), 3), ((5, 6, 7), 8)],
    ids=["those in the names", "from 0", "from 5"],
)
def test_nodes_keep_the_numbers_in_their_names_where_these_are_those_of_the_hosts(hosts, switch):
    names = ["h1", "h2", "h3"]
    numbers = dict(zip(names, hosts, strict=True))
    assert hpcc._node_ids([*names, "s0"], set(names), numbers) == {**numbers, "s0": switch}


def test_nobody_marks_if_that_is_switched_off(mix):
    (mix / "config.txt").write_text(CONFIG.replace("ENABLE_QCN 1", "ENABLE_QCN 0"))
    scenario, notes = scenario_of(mix)
    assert scenario["scheme"] == {"route": "ecmp", "preset": "none"}
    assert any("nobody marks" in note for note in notes)


# By CC_MODE: the reaction, and bytes on the wire of the headers of data packets and of ACKs.
MODES = {
    "1": ("dcqcn", 48, 60),
    "3": ("hpcc", 90, 88),
    "7": ("timely", 56, 60),
    "8": ("dctcp", 48, 60),
    "10": ("hpcc", 49, 60),
}


@pytest.mark.parametrize("mode", MODES)
def test_every_scheme_of_the_simulator_runs_and_finishes_its_flows(mix, mode):
    (mix / "config.txt").write_text(CONFIG.replace("CC_MODE 1", f"CC_MODE {mode}"))
    scenario, notes = scenario_of(mix)
    react, header, ack = MODES[mode]
    assert list(scenario["scheme"]["react"]) == [react]
    assert scenario["adapters"] == {"mtu": "1000 B", "header": f"{header} B", "ack": f"{ack} B"}
    assert not any("has no meaning" in note for note in notes)
    run = congestree.run(scenario)
    assert run.value("flows_finished") == 7


def test_the_settings_of_hpcc_are_taken_over(mix):
    config = CONFIG.replace("CC_MODE 1", "CC_MODE 3").replace("MI_THRESH 0", "MI_THRESH 4")
    (mix / "config.txt").write_text(config.replace("MULTI_RATE 0", "MULTI_RATE 1").replace("RATE_AI 50", "RATE_AI 20"))
    scenario, _ = scenario_of(mix)
    # Two links of 1 us and one of 2 us, there and back; 1,000 B twice at 25 and once at 100 Gbit/s.
    assert scenario["scheme"]["react"]["hpcc"] == {
        "u_target": 0.95,
        "mi_thresh": 4,
        "rate_ai": "20 Mbit/s",
        "min_rate": "100 Mbit/s",
        "round_trip": "8720 ns",
        "fast_react": True,
        "var_win": True,
        "rate_bound": True,
        "multi_rate": True,
        "sample_feedback": False,
    }


@pytest.mark.parametrize(("mode", "part", "packet"), [("1", "dcqcn", 1048), ("7", "timely", 1056)])
def test_windows_are_those_of_the_longest_way_in_bytes_of_payload(mix, mode, part, packet):
    config = CONFIG.replace("CC_MODE 1", f"CC_MODE {mode}")
    (mix / "config.txt").write_text(config)
    react = scenario_of(mix)[0]["scheme"]["react"][part]
    assert react["window"] == "bdp-at-rate" and quantities.seconds(react["round_trip"]) == pytest.approx(
        8720e-9 * packet / 1000
    )
    (mix / "config.txt").write_text(config.replace("GLOBAL_T 1", "GLOBAL_T 0"))
    assert "round_trip" not in scenario_of(mix)[0]["scheme"]["react"][part]


def test_digests_go_by_the_longest_round_trip_even_if_windows_do_not(mix):
    config = CONFIG.replace("CC_MODE 1", "CC_MODE 10").replace("GLOBAL_T 1", "GLOBAL_T 0")
    (mix / "config.txt").write_text(config.replace("PINT_PROB 1.0", "PINT_PROB 0.5"))
    hpcc = scenario_of(mix)[0]["scheme"]["react"]["hpcc"]
    assert hpcc["round_trip"] == "8720 ns" and hpcc["pint"] == {"log_base": 1.05, "pint_prob": 0.5}


def test_the_longest_round_trip_takes_one_search_for_the_hosts_of_a_switch(mix, monkeypatch):
    """It took one for each host, in every import, although few schemes ask for it."""
    starts, search = [], hpcc._trips
    monkeypatch.setattr(hpcc, "_trips", lambda beside, start: starts.append(start) or search(beside, start))
    (mix / "config.txt").write_text(CONFIG.replace("HAS_WIN 1", "HAS_WIN 0"))
    scenario_of(mix)
    assert starts == []
    # The two slowest links of hosts are at one switch; h9 is at both, and forwards nothing.
    ends = "h0 s8 10, h1 s8 20, h2 s8 100, h3 s7 100, h9 s8 50, h9 s7 100, s7 s8 10000"
    links = [dict(zip(("a", "b", "rate"), end.split(), strict=True)) for end in ends.split(", ")]
    links = [{**link, "rate": f"{link['rate']} Gbit/s", "delay": "1 us"} for link in links]
    topology = {"hosts": [0, 1, 2, 3, 9], "switches": [7, 8], "links": links}
    assert hpcc.longest_round_trip(topology, 1000) == 6_000_000 + 800_000 + 800 + 80_000
    assert sorted(starts) == ["h9", "s7", "s8"]
    del links[-1], topology["hosts"][-1]
    assert hpcc.longest_round_trip(topology, 1000) == 4_000_000 + 800_000 + 400_000


WRONG = [
    ("CC_MODE 1", "CC_MODE 2", "there is no CC_MODE 2"),
    ("LINK_DOWN 0 0 0", "LINK_DOWN 5 8 9", "a link goes down while the run goes on"),
    ("TOPOLOGY_FILE mix/topology.txt", "TOPOLOGY_FILE there.txt", "is there.txt, which is not in the folder"),
    ("TOPOLOGY_FILE mix/topology.txt", "", "it names no TOPOLOGY_FILE"),
]


@pytest.mark.parametrize(("before", "after", "fact"), WRONG)
def test_settings_that_cannot_be_followed_are_refused(mix, before, after, fact):
    (mix / "config.txt").write_text(CONFIG.replace(before, after))
    with pytest.raises(WorkloadError, match=fact):
        hpcc_config.files(mix / "config.txt")
        scenario_of(mix)


STAR = """
[topology.single-switch]
hosts = 4

[links]
rate = "100 Gbit/s"
flow_control = "byte-credits"

[[traffic]]
from = "H1"
to = "H2"

[measure]
duration = "1 ms"
"""


def test_a_connection_matrix_runs_on_a_network(tmp_path, congestree_cli):
    (tmp_path / "star.toml").write_text(STAR)
    (tmp_path / "three.cm").write_text(
        "Nodes 4\nConnections 3\n0->1 id 1 start 0 size 40000\n2->1 id 2 start 1000000 size 9000\n"
        "3->0 id 3 start 0 size 100 prio 2\n"
    )
    done = congestree_cli("import", "three.cm", "--into", "star.toml", "-o", "study.toml")
    assert "connections" in done.stdout or "flows" in done.stdout
    congestree_cli("run", "study.toml", "--out", "run")
    run = congestree.Run.load(tmp_path / "run")
    rows = {(row["source"], row["destination"], row["size"]) for row in run.arrow("completions").to_pylist()}
    assert rows == {("H1", "H2", 40_000), ("H3", "H2", 9_000), ("H4", "H1", 100)}
    again = congestree_cli("export", "run", "--format", "cm").stdout
    assert "2->1 id 3 start 1000000 size 9000" in again


def test_a_matrix_for_more_hosts_than_there_are_is_refused(tmp_path, congestree_cli):
    (tmp_path / "star.toml").write_text(STAR)
    (tmp_path / "far.cm").write_text("Nodes 9\nConnections 1\n0->8 id 1 start 0 size 1\n")
    done = congestree_cli("import", "far.cm", "--into", "star.toml", "-o", "study.toml", code=2)
    assert "there is no host 8" in done.stderr
