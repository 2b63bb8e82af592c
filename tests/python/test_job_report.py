"""The report of a job is correct whenever the job begins, on any network, and with parallel links."""

import json
import re
import subprocess
import time
from pathlib import Path

import pyarrow
import pytest
from typer.testing import CliRunner

import congestree
from congestree import _engine
from congestree.applications import job_report
from congestree.cli import app, console
from congestree.runs import running

from .conftest import command, interrupt

TRAINING = {
    "training": {
        "parallel": {"data": 8},
        "model": {"layers": 2, "hidden": 256, "sequence": 128},
        "teraflops": 100.0,
    }
}


HALF = """
num_ranks 4
rank 0 {
a: send 100000b to 1 tag 1
}
rank 1 {
a: recv 100000b from 0 tag 1
}
rank 2 {
a: send 4000000b to 3 tag 1
}
rank 3 {
a: recv 4000000b from 2 tag 1
}
"""


def scenario(program=TRAINING, topology=None, job=None, **more):
    """A job on a tree of sixteen hosts, with other traffic that fills the link to one of them."""
    entry = {"name": "job", "from": "all", "program": program, "job": {"ranks": 8, "placement": "round-robin"}}
    bully = {"name": "bully", "from": ["h9", "h10", "h13"], "to": "h0"}
    return {
        "topology": topology or {"k-ary-n-tree": {"k": 4, "n": 2}},
        "links": {"rate": "100 Gbit/s", "delay": "100 ns"},
        "switches": {"buffer": "128 KiB"},
        "traffic": [entry | (job or {}), bully],
        "measure": {"duration": "1 s", "until_jobs_end": True},
    } | more


def test_a_job_that_begins_late_is_looked_at_while_it_runs():
    early, late = job_report.report(scenario()), job_report.report(scenario(job={"start": "30 ms"}))
    (first,), (second,) = early["jobs"], late["jobs"]
    assert second["completion"] == pytest.approx(first["completion"], rel=0.2)
    assert first["held_by"]["link"]["name"] == second["held_by"]["link"]["name"]
    assert any("job (" in sentence for sentence in early["explain"])
    assert any("job (" in sentence for sentence in late["explain"]), late["explain"]


def test_a_warm_up_longer_than_the_job_is_no_matter():
    measure = {"duration": "1 s", "warm_up": "500 ms", "until_jobs_end": True}
    (job,) = job_report.report(scenario(measure=measure))["jobs"]
    assert job["held_by"]["link"]["name"] == "s1_0->s0_0"


def test_a_job_that_did_not_finish_is_told_of_as_far_as_it_went():
    report = job_report.report(scenario(measure={"duration": "300 us", "until_jobs_end": True}))
    assert report["jobs"][0]["completion"] != report["jobs"][0]["completion"]


def test_of_an_unfinished_job_no_rank_is_the_slowest_and_no_number_is_told_as_nan(tmp_path):
    """Ranks 0 and 1 have finished by the end, 2 and 3 have not."""
    cut = {
        "topology": {"single-switch": {"hosts": 6}},
        "links": {"rate": "10 Gbit/s"},
        "traffic": [{"name": "j", "from": ["H1", "H2", "H3", "H6"], "program": {"text": HALF}}],
        "measure": {"duration": "1.2 ms"},
    }
    run = congestree.run(cut)
    assert run.jobs["slowest"].to_list() == [4294967295] and "4294967295" in run.meanings("jobs")["slowest"]
    (job,) = job_report.report(cut)["jobs"]
    assert (job["slowest"], job["running"]) == (None, 2)
    congestree.Scenario.from_dict(cut).save(tmp_path / "half.toml")
    told = CliRunner().invoke(app, ["job", "report", str(tmp_path / "half.toml")]).stdout
    assert "nan" not in told and "not finished (2 of 4 ranks still running)" in told, told


STUCK = """
num_ranks 2
rank 0 { a: send 5000b to 1
b: recv 5000b from 1
b requires a }
rank 1 { a: send 5000b to 0
b: recv 5000b from 0
b requires a }
"""


@pytest.mark.parametrize("alone", [True, False])
def test_that_a_job_cannot_go_on_is_told_first_and_of_which_runs(tmp_path, alone):
    """Each rank waits until the other receives: what the run says is not lost among times that are missing."""
    entry = {"name": "j", "from": ["H1", "H2"], "program": {"text": STUCK}, "job": {"rendezvous": "1 kB"}}
    stuck = {
        "topology": {"single-switch": {"hosts": 4}},
        "links": {"rate": "10 Gbit/s"},
        "traffic": [entry] + [{"name": "other", "from": "H3", "to": "H4"}] * (not alone),
        "measure": {"duration": "1 ms", "until_jobs_end": True},
    }
    report = job_report.report(stuck, why=False)
    which = ["scenario", *([] if alone else ["alone"]), "ideal"]
    assert [each["run"] for each in report["stopped"]] == which
    assert [each["job"] for each in report["stopped"]] == [None, *["j"] * (len(which) - 1)]
    assert report["explain"][0].startswith("The run was stopped: job j cannot go on: rank ")
    assert report["explain"][-1].startswith("The run of j on the ideal network was stopped: job j cannot go on")
    congestree.Scenario.from_dict(stuck).save(tmp_path / "stuck.toml")
    assert "cannot go on" in CliRunner().invoke(app, ["job", "report", str(tmp_path / "stuck.toml")]).stdout


def test_a_job_that_goes_on_is_not_told_to_be_stopped():
    assert job_report.report(scenario(), why=False)["stopped"] == []


def test_nothing_fails_on_an_ideal_network():
    failure = {"link": ["s0_0", "s1_1"], "at": "10 us", "until": "1 ms"}
    links = {"rate": "100 Gbit/s", "delay": "100 ns", "faults": {"failures": [failure]}}
    told = scenario(links=links, scheme={"transport": {"go-back-n": {"timeout": "50 us"}}})
    (job,) = job_report.report(told, why=False)["jobs"]
    assert job["slowdown_ideal"] > 1


def test_an_ideal_network_has_no_lanes_that_depend_on_routes():
    links = {"rate": "100 Gbit/s", "delay": "100 ns", "lanes": 2, "hop_lanes": "by-route"}
    told = running.check(scenario(topology={"dragonfly": {"p": 2, "a": 4, "h": 2}}, links=links))["scenario"]
    assert running.check(job_report.ideal_of(told))["scenario"]["links"]["lanes"] == 2


ACKNOWLEDGED = [
    *("naive", "input-triggered", "input-output-triggered", "output-triggered", "dcqcn-paper-window"),
    *("dcqcn-vendor-window", "dctcp", "timely", "hpcc", "hpcc-pint", "power-tcp", "theta-power-tcp", "swift"),
    *("tcd-timely", "pcn", "new-reno", "irn", "uec-nscc", "uec-rccc", "uec-both"),
]
"""Presets with ACKs: from a reaction, a window, or a transport."""


def acknowledged(preset):
    told = scenario({"all-to-all": {"bytes": "64 KiB"}}, job={"job": {"ranks": 8, "send_end": "acknowledged"}})
    return told | {"scheme": {"preset": preset}, "traffic": told["traffic"][:1]}


@pytest.mark.parametrize("preset", ACKNOWLEDGED)
def test_sends_that_end_with_their_ack_do_so_on_an_ideal_network(preset):
    (job,) = job_report.report(acknowledged(preset), why=False)["jobs"]
    assert 0 < job["ideal"] <= job["completion"]


def test_every_preset_with_acks_is_tried_on_an_ideal_network():
    def is_refused(preset):
        try:
            congestree.check(acknowledged(preset))
        except congestree.ScenarioError as error:
            return "nothing acknowledges" in str(error)
        return False

    presets = [part["name"] for part in json.loads(_engine.catalogue()) if part["kind"] == "preset"]
    # The presets of EFL want slower links, or a time-out of their own; they have a transport as irn does.
    others = {preset for preset in presets if preset not in ACKNOWLEDGED and not preset.startswith("efl")}
    assert others == {preset for preset in others if is_refused(preset)}


def test_an_ideal_switch_has_memory_for_all_its_ports():
    """A fat tree of 128 hosts: memory that is enough for the eight ports of a leaf is not for a switch with 128."""
    told = scenario({"all-to-all": {"bytes": "1 KiB"}}, {"fat-tree": {"radix": 8, "layers": 3}})
    told["links"] |= {"delay": "500 ns", "flow_control": {"pfc": {"threshold": {"dynamic": {"alpha": 0.125}}}}}
    told["switches"] = {"shared_memory": {"size": "2 MB", "reserved": "4 kB"}}
    (job,) = job_report.report(told, why=False)["jobs"]
    assert job["ideal"] > 0
    ideal = job_report.ideal_of(congestree.check(told)["scenario"])
    assert ideal["switches"]["shared_memory"]["size"] == f"{2_000_000 * 128 // 8} B"


def mixture(seed):
    """Tokens of 16 ranks to their experts and back, in a fabric that is not oversubscribed."""
    rates, delays = ["400 Gbit/s", "800 Gbit/s"], ["25 ns", "150 ns"]
    leaves = {"down": [4, 4], "up": [2], "bundle": [2], "rates": rates, "delays": delays}
    program = {"moe": {"tokens": 64, "gate": {"uniform": {"experts": 16, "chosen": 4}}}}
    return {
        "topology": {"clos": leaves},
        "links": {"rate": "400 Gbit/s", "flow_control": {"pfc": {"threshold": {"dynamic": {}}}}},
        "adapters": {"mtu": "4096 B"},
        "switches": {"shared_memory": {"size": "20 MB"}, "forwarding_delay": "600 ns"},
        "scheme": {"route": "ecmp"},
        "traffic": [{"name": "moe", "from": "all", "program": program}],
        "measure": {"duration": "20 ms", "until_jobs_end": True},
        "seed": seed,
    }


@pytest.mark.parametrize("seed", [1, 2])
def test_steps_of_an_ideal_network_do_not_hold_each_other_up(seed):
    """Packets of those who have all their tokens do not take turns with tokens that others wait for."""
    (job,) = job_report.report(mixture(seed), why=False)["jobs"]
    assert job["slowdown_ideal"] >= 1


def test_an_ideal_switch_serves_the_oldest_packet_first_if_it_can():
    told = running.check(mixture(1))["scenario"]
    assert job_report.ideal_of(told)["switches"]["arbiter"] == "fifo"
    switches = {"buffer": "128 KiB", "crossbar": "200 Gbit/s"}
    told = running.check(scenario(switches=switches))["scenario"]
    assert job_report.ideal_of(told)["switches"]["arbiter"] == told["switches"]["arbiter"] == "round-robin"


def test_a_job_that_was_faster_than_on_the_ideal_network_is_told(monkeypatch):
    monkeypatch.setattr(job_report, "_oldest_first", lambda told: told)
    report = job_report.report(mixture(1), why=False)
    assert report["jobs"][0]["slowdown_ideal"] < 1
    assert any("moe was faster here than on the ideal network (slowdown 0.9" in one for one in report["explain"])


def test_a_job_without_steps_is_told_where_congestion_sat(tmp_path):
    told = scenario({"all-to-all": {"bytes": "64 KiB"}})
    report = job_report.report(told)
    assert report["jobs"][0]["held_by"] is None and report["jobs"][0]["slowdown_ideal"] > 1
    assert any("->h0" in sentence for sentence in report["explain"])
    (tmp_path / "job.toml").write_text(congestree.Scenario.from_dict(told).to_toml())
    said = CliRunner().invoke(app, ["job", "report", str(tmp_path / "job.toml")])
    assert said.exit_code == 0 and "Congestion sat at" in said.stdout


@pytest.mark.parametrize("repeat", [1, 3])
def test_the_time_of_all_iterations_stands_beside_that_of_one(tmp_path, repeat):
    told = scenario({"all-to-all": {"bytes": "4 KiB"}}, job={"job": {"ranks": 8, "repeat": repeat}})
    (tmp_path / "job.toml").write_text(congestree.Scenario.from_dict(told).to_toml())
    said = CliRunner().invoke(app, ["job", "report", str(tmp_path / "job.toml"), "--no-why"]).stdout
    assert ("(3 iterations)" in said) == (repeat == 3) and "iteration " in said


class Looked:
    """A run with samples of two links from A to B; no tree was seen."""

    def __init__(self, *trees, carried=1000, width="0.1 us"):
        self.trees, self.carried = trees, carried
        self._scenario, self.duration = {"measure": {"bin": width}}, 1e-6

    def arrow(self, table):
        return pyarrow.Table.from_pylist(
            {
                "ports": [{"name": "A->B", "rate": 400e9}, {"name": "A->B", "rate": 50e9}],
                "trees": list(self.trees) or [{"time": 9.0, "root": 1, "branches": 1, "held_links": 0}],
                "port_series": [
                    {"time": 0.0, "port": 0, "bytes": 5000},
                    {"time": 0.0, "port": 1, "bytes": self.carried},
                ],
            }[table]
        )


def test_links_side_by_side_are_told_apart():
    """In a microsecond one carries a tenth of its capacity, the other 16 %: in a fifth of that time it is full."""
    assert job_report._link(Looked(), {"started": 0.0, "finished": 1e-6}) is None
    full = job_report._link(Looked(), {"started": 0.0, "finished": 0.2e-6})
    assert full == {"name": "A->B (2)", "because": "the fullest link", "share": pytest.approx(0.8)}


def test_a_step_has_the_part_of_a_bin_that_it_lasts_for():
    """5000 B in a microsecond are four fifths of 50 Gbit/s, and so they are in half of it."""
    looked = Looked(carried=5000, width="1 us")
    told = job_report._link(looked, {"started": 0.2e-6, "finished": 0.7e-6})
    assert told["share"] == pytest.approx(0.8)
    assert job_report._link(looked, {"started": 1e-6, "finished": 2e-6}) is None


def test_the_root_is_that_of_the_tree_that_holds_most_links_whoever_waits_for_them():
    seen = [
        {"time": 1.0, "root": 0, "branches": 4, "held_links": 0},
        {"time": 1.0, "root": 1, "branches": 1, "held_links": 2},
    ]
    told = job_report._link(Looked(*seen), {"started": 0.0, "finished": 5.0})
    assert told["name"] == "A->B (1)"


def test_looks_are_counted_of_the_root_that_is_told():
    seen = [
        {"time": time, "root": root, "branches": 0, "held_links": held}
        for time, root, held in ((1.0, 0, 3), (1.0, 1, 1), (2.0, 0, 2))
    ]
    told = job_report._link(Looked(*seen), {"started": 0.0, "finished": 5.0})
    assert told == {"name": "A->B (1)", "because": "root of a congestion tree", "samples": 2}


def test_a_step_that_lost_nothing_but_a_rounding_holds_no_job(monkeypatch):
    """Times in seconds differ in their last digit: 4e-19 s is no loss, and a picosecond is one."""
    step = {"round": 0, "step": 0, "name": "", "operation": "all-reduce", "bytes": 1, "ranks": 2, "started": 0.0}
    step |= {"joined": 0.0, "latest": 0, "finished": 0.0, "last": 1}

    def held(more):
        rows = iter([{(0, 0): step | {"time": 3.75e-6 + more}}, {(0, 0): step | {"time": 3.75e-6}}])
        monkeypatch.setattr(job_report, "_rows", lambda run, name: next(rows))
        return job_report._steps(None, None, "training")["held_by"]

    assert held(4e-19) is None
    assert held(1e-12)["lost"] == pytest.approx(1e-12, rel=1e-3)


def test_a_job_that_no_step_held_says_so(congestree_cli, tmp_path):
    options = ("--tensor", 2, "--layers", 2, "--hidden", 256, "--sequence", 64, "--teraflops", 100, "--node", 2)
    congestree_cli("job", "make", *options, "-o", "small.toml")
    assert "no step: none took longer than on the ideal network" in congestree_cli("job", "report", "small.toml").stdout


def test_the_page_explains_every_row_of_the_report(tmp_path, monkeypatch):
    """A job of two iterations that other traffic holds has all rows."""
    tables = []
    monkeypatch.setattr(console, "table", lambda title, columns, rows: tables.append(rows))
    (tmp_path / "job.json").write_text(json.dumps(scenario(job={"job": {"ranks": 8, "repeat": 2}})))
    said = CliRunner().invoke(app, ["job", "report", str(tmp_path / "job.json")])
    assert said.exit_code == 0, said.output
    page = (Path(__file__).parents[2] / "docs/howto/from-a-job-to-an-answer.md").read_text(encoding="utf-8")
    explained = re.findall(r"^\| (.*?) \|", page.split("## What the report says")[1].split("\n## ")[0], re.M)
    assert [name for name, _ in tables[0]] == explained[2:]  # below the head and its line
    assert dict(tables[0])["last to finish"].startswith("rank ")


def test_the_share_of_all_runs_that_is_done_goes_up_to_the_end():
    told = []
    job_report.report(scenario(), on_progress=told.append)
    assert told == sorted(told) and 0 <= told[0] <= 0.25 and told[-1] == 1.0
    assert {0.25, 0.5, 0.75} <= set(told), "four runs: as it stands, alone, ideal, and why"


def test_ctrl_c_ends_a_report_and_not_only_one_of_its_runs(tmp_path):
    (tmp_path / "jobs.json").write_text(json.dumps(scenario(job={"job": {"ranks": 8, "repeat": 100_000}})))
    words = command("job", "report", tmp_path / "jobs.json")
    process = subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    time.sleep(2)
    assert "Interrupted" in interrupt(process)
