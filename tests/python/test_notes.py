"""Notes on a scenario are the same wherever one meets it: as it is checked, in the manifest of its run, in a report."""

import json

import congestree

IDLE = """
topology.single-switch.hosts = 3
links = { rate = "8 Gbit/s", delay = "1 us" }
adapters.ack_turnaround = "1 us"
measure = { duration = "1 ms", until_jobs_end = true }

[[traffic]]
name = "one"
from = "H1"
to = "H2"

[[traffic]]
name = "late"
from = "H2"
to = "H3"
start = "2 ms"
"""
TOLD = (
    "traffic.1 (late) sends nothing",
    "measure.until_jobs_end = true has no effect",
    "adapters.ack_turnaround = 1 us has no effect",
)


def test_a_run_has_the_notes_that_its_scenario_is_checked_with(congestree_cli, tmp_path):
    (tmp_path / "idle.toml").write_text(IDLE)
    checked = json.loads(congestree_cli("check", "idle.toml", "--json").stdout)["warnings"]
    assert len(checked) == len(TOLD) and all(map(str.startswith, checked, TOLD))
    assert congestree.check(IDLE)["notes"] == checked
    run = congestree.run(IDLE, out=tmp_path / "done")
    assert run.manifest["notes"] == congestree.Run.load(tmp_path / "done").manifest["notes"] == checked


def test_a_command_and_a_report_tell_each_of_them_once(congestree_cli, tmp_path):
    (tmp_path / "idle.toml").write_text(IDLE)
    ran = " ".join(congestree_cli("run", "idle.toml", "--out", "done").stdout.split())
    page = congestree.report.html(tmp_path / "done")
    for told in TOLD:
        assert ran.count(told) == page.count(told) == 1, told


def test_runs_of_a_study_and_driven_ones_have_them(tmp_path):
    study = congestree.sweep(IDLE, over={"seed": [1]}, out=tmp_path, workers=1)
    assert study[0].manifest["notes"] == congestree.check(IDLE)["notes"]
    injected = {"traffic": [{"from": "all", "arrivals": "injected"}], "measure.until_jobs_end": False}
    with congestree.Live(IDLE, values=injected) as live:
        run = live.finish()
    assert run.manifest["notes"] == congestree.check(IDLE, values=injected)["notes"] != []
