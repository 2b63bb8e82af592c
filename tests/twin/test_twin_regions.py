"""The records of the probe `regions` about roots: computed again from the queues of the twin's only switch.

On one switch no neighbour is told of congestion, and a root holds no flow: packets are forwarded as without regional
control, as in the twin. Every change of an output's degree, and every packet sampled for its flow, follow from its
queues.
"""

import json
import math
import os
import random
from collections import Counter

import pytest
from comparing import engine_rows
from random_scenarios import random_scenario
from reference import Fabric
from reference.quantities import size, span
from reference.switches import switch

SEEDS = int(os.environ.get("REGIONS_SEEDS", "25"))
MOST = 63
LEAST_WINDOW = 10 * 10**6
"""The shortest time, in ps, over which windows are measured."""


def random_root(seed: int) -> dict:
    """One switch whose outputs sample their queues."""
    for draw in range(1000 * seed, 1000 * seed + 1000):
        scenario = random_scenario(draw)
        switches, links = scenario["switches"], scenario["links"]
        if switches["queues"] == "voq" and switches["arbiter"] == "round-robin":
            break
    rng = random.Random(f"regions {seed}")
    scenario["topology"] = {"single-switch": {"hosts": rng.randint(3, 6)}}
    scenario.pop("routing", None)
    links |= {"lanes": rng.choice([1, 1, 2]), "delay": "37 ns"}
    for key in ("lane_arbiter", "service_lanes", "hop_lanes"):
        links.pop(key, None)
    switches.pop("lane_buffers", None)
    scenario["adapters"].pop("ack_lane", None)
    mtu = int(scenario["adapters"]["mtu"].split()[0])
    packet = mtu + int(scenario["adapters"]["header"].split()[0])
    switches["buffer"] = f"{rng.choice([4, 12])} packets" if "packets" in switches["buffer"] else f"{12 * packet} B"
    rcm = {
        "sampled_queues": rng.choice(["both-queues", "output-queues"]),
        "equilibrium": f"{rng.choice([1, 2, 4, 9]) * packet // 2} B",
        "growth_weight": rng.choice([2.0, 0.5, 0.0]),
        "sample_every": rng.choice([1, 3, 10]),
        "calm_samples": rng.choice([1, 2, 3]),
        "flow_sample_every": rng.choice([1, 3, 10]),
    }
    scenario["scheme"] = {"preset": "none", "schedule": {"rcm": rcm}}
    hosts = [f"H{k + 1}" for k in range(scenario["topology"]["single-switch"]["hosts"])]
    crowd = {"from": hosts[1:], "to": hosts[0], "message": f"{rng.choice([64, mtu, 3 * mtu])} B"}
    others = {"from": "all", "pattern": "uniform", "message": f"{rng.choice([64, mtu])} B"}
    scenario["traffic"] = [
        crowd | {"arrivals": {"poisson": {"load": rng.choice([0.3, 0.6])}}, "window": rng.choice([3, 20])},
        others | {"arrivals": {"poisson": {"load": 0.3}}, "lane": links["lanes"] - 1},
    ]
    scenario["measure"] |= {"probes": ["regions"], "bin": "7 us", "warm_up": "0 ns", "duration": "150 us"}
    return scenario


class Root:
    """The state of an output."""

    def __init__(self, rule: dict):
        self.rule = rule
        self.before = self.degree = self.eased = 0
        self.until = self.until_sampled = 1  # packets to the next sample
        self.own = Counter()  # by input and lane: bytes at the last sample

    def degree_of(self, length: int, before: int) -> int:
        """F_b in 63 steps of its maximum."""
        equal, growth = size(self.rule["equilibrium"]), self.rule["growth_weight"]
        over = length - equal + growth * (length - before)
        return max(0, min(MOST, math.ceil(over / (equal * (1 + 2 * growth) / MOST))))

    def joined(self, waiting: int, place: tuple, own: int) -> None:
        """A packet has joined: after every n-th there is a sample."""
        self.until -= 1
        if self.until > 0:
            return
        found = self.degree_of(waiting, self.before)
        if self.rule["sampled_queues"] == "both-queues":
            found = max(found, self.degree_of(own, self.own[place]))
        self.before, self.own[place] = waiting, own
        every = self.rule["sample_every"]
        self.until = max(1, every - every * 3 * found // (4 * MOST))
        self.eased = 0 if found else self.eased + 1
        if found or self.eased >= self.rule["calm_samples"]:
            self.degree, self.eased = found, 0

    def samples(self) -> bool:
        """A data packet passes: every n-th is sampled for its flow."""
        self.until_sampled -= 1
        if self.until_sampled > 0:
            return False
        self.until_sampled = self.rule["flow_sample_every"]
        return True

    def emptied(self) -> None:
        """Nothing waits any more: if it was congested, all is as at first."""
        if self.degree > 0:
            self.before = self.degree = self.eased = 0
            self.until = 1


class Regions:
    """The tables `regions` and `region_flows`, from the twin's run."""

    def __init__(self, scenario: dict, monkeypatch):
        _, self.rule = next(iter(scenario["scheme"]["schedule"].items()))
        self.bin = span(scenario["measure"]["bin"])
        self.states, self.sampled, self.last = [], Counter(), {}
        fabric = self.fabric = Fabric(scenario)
        (self.switch,) = fabric.switches
        self.roots = [Root(self.rule) for _ in self.switch.outputs]
        join, take_out = switch.Switch.join, switch.Switch.take_out
        monkeypatch.setattr(switch.Switch, "join", lambda own, stay: (join(own, stay), self.on_join(stay)))
        monkeypatch.setattr(switch.Switch, "take_out", lambda *a: (take_out(*a), self.on_take_out(a[1]))[0])
        fabric.run()
        monkeypatch.undo()

    def waiting(self, port: int) -> int:
        """Bytes that wait for an output."""
        lanes = range(self.fabric.setup.lanes)
        return sum(self.switch.queued(self.switch.outputs[port], lane) for lane in lanes)

    def on_join(self, stay) -> None:
        root, port = self.roots[stay.output], len(self.fabric.hosts) + stay.output
        if stay.packet.is_data and root.samples():
            self.sampled[self.fabric.now // self.bin, port, stay.packet.flow.number] += 1
        own = self.switch.inputs[stay.input].fill(stay.lane, stay.output)
        root.joined(self.waiting(stay.output), (stay.input, stay.lane), own)
        self.note(stay.output)

    def on_take_out(self, stay) -> None:
        if self.waiting(stay.output) == 0:
            self.roots[stay.output].emptied()
            self.note(stay.output)

    def note(self, output: int) -> None:
        """The degree is written down if it is another."""
        degree, port = self.roots[output].degree, len(self.fabric.hosts) + output
        if degree != self.last.get(port, 0):
            self.last[port] = degree
            self.states.append((self.fabric.now, port, "root" if degree else "none", degree, 0, degree))


def test_roots_are_what_their_queues_say(monkeypatch):
    changes = 0
    for seed in range(SEEDS):
        scenario = random_root(seed)
        found = Regions(json.loads(json.dumps(scenario)), monkeypatch)
        tables, label = engine_rows(scenario), f"seed {seed}\n{json.dumps(scenario)}"
        columns = "time_ps", "output_port", "role", "local_degree", "remote_degree", "degree"
        said = [tuple(row[column] for column in columns) for row in tables["regions"]]
        assert said == sorted(found.states, key=lambda row: row[:2]), label
        flows = {
            (round(row["time"] / found.bin * 1e12), row["output_port"], row["flow"]): row["sampled"]
            for row in tables["region_flows"]
        }
        assert flows == found.sampled, label
        assert not tables["region_windows"] and not any(row["paced"] for row in tables["region_flows"]), label
        changes += len(said)
    assert changes > 10 * SEEDS, "outputs are hardly ever congested"


def test_a_degree_that_is_one_step_too_high_would_be_seen(monkeypatch):
    """The comparison can fail."""
    degree_of = Root.degree_of
    monkeypatch.setattr(Root, "degree_of", lambda root, *lengths: min(MOST, degree_of(root, *lengths) + 1))
    with pytest.raises(AssertionError):
        test_roots_are_what_their_queues_say(pytest.MonkeyPatch())


def random_region(seed: int) -> dict:
    """An incast from two switches to a host of one of them, and other traffic."""
    rng = random.Random(f"edges {seed}")
    rcm = {
        "remote_weight": rng.choice([0.5, 0.25]),
        "sample_every": rng.choice([3, 10]),
        "root_control": rng.random() < 0.3,
        "windows_measured": rng.choice(["from-onset", "always"]),
    }
    return {
        "seed": seed,
        "topology": {"two-switch": {"local": rng.randint(1, 4), "remote": rng.randint(2, 5)}},
        "links": {"rate": "100 Gbit/s", "delay": rng.choice(["100 ns", "1 us"])},
        "switches": {"buffer": "100 KiB", "forwarding_delay": "300 ns"},
        "scheme": {"schedule": {"rcm": rcm}},
        "traffic": [
            {"from": ["local", "remote"], "to": "B_C", "arrivals": {"steady": {"load": rng.choice([0.3, 0.8])}}},
            {"from": "remote", "to": "B_V", "arrivals": {"poisson": {"load": 0.4}}},
            {"from": "A_V", "to": "B_V", "start": "20 us"},
        ],
        "measure": {"duration": "1 ms", "probes": ["regions"]},
    }


def check_edges(rows: list[dict], names: dict, weight: float) -> int:
    """Outputs know what those behind them passed on, and pass on the result of both. Returns the number of notices."""
    degrees, told = {}, 0
    for row in rows:
        port, own, remote = row["output_port"], row["local_degree"], row["remote_degree"]
        degrees.setdefault(port, []).append(row["degree"])
        role = {(0, 0): "none", (1, 0): "root", (0, 1): "edge", (1, 1): "inside"}[own > 0, remote > 0]
        assert row["role"] == role
        both = math.ceil((1 - weight) * own + weight * remote) if own and remote else max(own, remote)
        assert row["degree"] == both
        beyond = [other for other, name in names.items() if name.partition("->")[0] == names[port].partition("->")[2]]
        if remote:
            assert any(remote in degrees.get(other, ()) for other in beyond), row
            told += 1
    return told


def check_windows(rows: list[dict], counted: bool) -> int:
    """Windows of an output are numbered from 1, follow the one before, and end in time. Returns their number."""
    last = {}
    for row in rows:
        before = last.get(row["output_port"])
        assert row["number"] == (before["number"] + 1 if before else 1)
        assert row["harmful"] >= min(row["previous"] / 2, 1500.0) and row["harmful"] <= max(row["previous"], 1500.0)
        if before and row["previous"] != before["harmful"]:
            apart = row["time_ps"] - before["time_ps"]
            assert counted or apart >= LEAST_WINDOW, "it is not that of the window before, and was not measured anew"
        last[row["output_port"]] = row
    return len(rows)


def test_edges_know_what_roots_have_told_them():
    told = windows = 0
    for seed in range(SEEDS):
        scenario = random_region(seed)
        tables = engine_rows(scenario)
        names = {row["port"]: row["name"] for row in tables["ports"]}
        told += check_edges(tables["regions"], names, scenario["scheme"]["schedule"]["rcm"]["remote_weight"])
        counted = scenario["scheme"]["schedule"]["rcm"]["windows_measured"] == "always"
        windows += check_windows(tables["region_windows"], counted)
    assert told > SEEDS and windows > SEEDS
