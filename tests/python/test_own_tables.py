"""What a run or a study hands out is the caller's: whatever is changed in it, their own results stay as they are."""

import json

import numpy as np

import congestree
from congestree import jobs

JOBS = {
    "topology": {"single-switch": {"hosts": 3}},
    "links": {"rate": "8 Gbit/s"},
    "traffic": [{"name": "ring", "from": "all", "program": {"all-reduce-ring": {"bytes": "64 KiB"}}}],
    "measure": {"duration": "100 ms", "until_jobs_end": True},
}


def lines(figure):
    return [line.get_xydata() for line in figure.axes[0].lines]


def test_a_changed_scenario_of_a_run_is_none_of_this_run(finished, tmp_path):
    run = congestree.Run.load(finished.folder)
    drawn, before = lines(congestree.plots.plot_rates(run)), json.dumps(run.scenario)
    scenario = run.scenario
    scenario["measure"]["bin"] = "1 ms"
    scenario["traffic"].clear()
    assert json.dumps(run.scenario) == before
    for was, now in zip(drawn, lines(congestree.plots.plot_rates(run)), strict=True):
        assert np.array_equal(was, now)
    run.save(tmp_path / "again")
    assert json.dumps(congestree.Run.load(tmp_path / "again").scenario) == before


def test_a_changed_scenario_of_a_run_leaves_its_slowdown():
    run = congestree.run(JOBS)
    before = jobs.slowdown(JOBS, run=run)
    run.scenario["links"]["rate"] = "80 Gbit/s"
    assert jobs.slowdown(JOBS, run=run).equals(before)
