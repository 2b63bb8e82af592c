"""Settings of an HPCC `config.txt` that the file lacks, or that have no counterpart here."""

import re

import pytest

from congestree import quantities
from congestree.formats import workloads
from congestree.formats.workloads import hpcc
from congestree.runs import memory, running

from .test_hpcc_chain import CONFIG, FLOWS, TOPOLOGY

LEAST = "TOPOLOGY_FILE mix/topology.txt\nFLOW_FILE mix/flow.txt\n"


@pytest.fixture
def scenario_of(tmp_path):
    """The scenario of a `config.txt`, and notes."""
    (tmp_path / "flow.txt").write_text(FLOWS)

    def made(config, topology=TOPOLOGY):
        (tmp_path / "config.txt").write_text(config)
        (tmp_path / "topology.txt").write_text(topology)
        network, flows = hpcc.read_topology(tmp_path / "topology.txt"), workloads.read(tmp_path / "flow.txt")
        return workloads.scenario_of(network, flows, tmp_path / "config.txt")

    return made


@pytest.mark.parametrize(("mode", "part", "packet"), [("1", "dcqcn", 1048), ("7", "timely", 1056)])
def test_settings_that_the_file_lacks_are_those_of_the_simulator(scenario_of, mode, part, packet):
    """Its windows are on by default, and do not follow the rate; they were off."""
    scenario, notes = scenario_of(f"{LEAST}CC_MODE {mode}\n")
    react = scenario["scheme"]["react"][part]
    assert react["window"] == "bdp" and quantities.seconds(react["round_trip"]) == pytest.approx(8.72e-9 * packet)
    assert scenario["switches"]["shared_memory"]["size"] == f"{2**24} B" and scenario["adapters"]["mtu"] == "1000 B"
    (known,) = (note for note in notes if note.startswith("not in the file, so as in the simulator"))
    assert "HAS_WIN 1" in known and "VAR_WIN 0" in known and "BUFFER_SIZE 16" in known and "CC_MODE" not in known
    (needed,) = (note for note in notes if "needs them" in note)
    assert "RATE_AI, RATE_HAI" in needed and ("EWMA_GAIN" in needed) == (part == "dcqcn")
    if part == "dcqcn":
        assert (react["alpha_period"], react["cut_period"], react["stages"]) == ("55 us", "4 us", 5)
    running.check(scenario)


def test_hpcc_without_settings_has_a_rate_for_each_hop(scenario_of):
    scenario, notes = scenario_of(f"{LEAST}CC_MODE 3\nRATE_AI 50Mb/s\n")
    assert scenario["scheme"]["react"]["hpcc"] == {
        "u_target": 0.95,
        "mi_thresh": 5,
        "rate_ai": "50 Mbit/s",
        "min_rate": "100 Mbit/s",
        "round_trip": "8720 ns",
        "fast_react": True,
        "var_win": False,
        "rate_bound": True,
        "multi_rate": True,
        "sample_feedback": False,
    }
    assert not any("needs them" in note for note in notes)


def test_a_complete_file_leaves_nothing_to_the_simulator(scenario_of):
    assert not any("not in the file" in note for note in scenario_of(CONFIG)[1])


@pytest.mark.parametrize("mode", ["3", "8", "10"])
def test_a_window_that_goes_in_the_simulator_and_stays_here_is_told(scenario_of, mode):
    """It was called a setting of other schemes."""
    config = CONFIG.replace("CC_MODE 1", f"CC_MODE {mode}").replace("HAS_WIN 1", "HAS_WIN 0")
    (told,) = (note for note in scenario_of(config)[1] if "HAS_WIN" in note)
    assert told.startswith("line 26: HAS_WIN 0 is left out: sources keep a window here")


def test_headroom_is_compared_whatever_memory_the_machine_has(scenario_of, monkeypatch):
    """It is asked of a network with ample memory, which counted as full of packets: 20 GB for eight hosts."""
    monkeypatch.setattr(memory, "default_limit", lambda: 2**29)
    links = "".join(f"{host} 8 100Gbps 1000ns 0\n" for host in range(8))
    scenario, _ = scenario_of(f"{LEAST}CC_MODE 7\n", f"9 1 8\n8\n{links}")
    assert scenario["switches"]["shared_memory"]["headroom_delays"] == 3.0


@pytest.mark.parametrize(
    ("hyper", "times", "says"),
    [
        ("RATE_HAI 100Mb/s", 2, None),
        ("RATE_HAI 120Mb/s", 2, "line 19: RATE_HAI is 2 times RATE_AI here, and 2.4 times in the file"),
        ("RATE_HAI 20Mb/s", 1, "line 19: RATE_HAI is 1 times RATE_AI here, and 0.4 times in the file"),
    ],
)
def test_steps_of_timely_that_are_rounded_are_told(scenario_of, hyper, times, says):
    config = CONFIG.replace("CC_MODE 1", "CC_MODE 7").replace("RATE_HAI 100Mb/s", hyper)
    assert hyper in config
    scenario, notes = scenario_of(config)
    assert scenario["scheme"]["react"]["timely"]["hyper_times"] == times
    assert [note for note in notes if "RATE_HAI" in note] == ([says] if says else [])


@pytest.mark.parametrize("additive", ["", "RATE_AI 0Mb/s\n"])
def test_steps_of_timely_without_what_they_are_multiples_of_are_told(scenario_of, additive):
    scenario, notes = scenario_of(f"{LEAST}CC_MODE 7\n{additive}RATE_HAI 100Mb/s\n")
    assert "hyper_times" not in scenario["scheme"]["react"]["timely"]
    assert any("RATE_HAI is left out: here it is a multiple of RATE_AI, which is not given" in note for note in notes)


def test_the_window_of_dctcp_is_the_longest_round_trip_in_packets_rounded_up(scenario_of):
    """4,160 ns at 100 Gbit/s are 52 packets of 1,000 B; 10 ns more are a part of the 53rd."""
    config = re.sub(r"(K..._MAP) .*", r"\1 1 100000000000 400", CONFIG.replace("CC_MODE 1", "CC_MODE 8"))
    config = re.sub("PMAX_MAP .*", "PMAX_MAP 1 100000000000 0.2", config)
    # Two links: their delay there and back, and 80 ns each for the packet.
    for delay, packets in (("1000ns", 52), ("1005ns", 53)):
        links = "".join(f"{host} 8 100Gbps {delay} 0\n" for host in range(8))
        scenario, _ = scenario_of(config, f"9 1 8\n8\n{links}")
        dctcp = scenario["scheme"]["react"]["dctcp"]
        assert dctcp["initial_window"] == dctcp["largest_window"] == packets
