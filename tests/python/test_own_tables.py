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


def test_a_changed_table_of_a_run_is_none_of_this_run(finished):
    run = congestree.Run.load(finished.folder)
    before, rates = run.flows.clone(), run.class_rates()
    taken = run.flows
    taken[0, "rate"] = 0.0
    taken.drop_in_place("source")
    run.table("flows").columns = [f"my {name}" for name in before.columns]
    assert run.flows.equals(before) and run.flows.columns == before.columns and run.class_rates() == rates


def test_a_changed_table_of_a_study_is_none_of_this_study(study):
    study = congestree.Study.load(study.folder)
    before, mean = study.runs.clone(), study.mean("rate.bystander")
    taken = study.runs
    taken[0, "rate.bystander"] = 0.0
    taken.drop_in_place("accepted_load")
    study.runs.columns = [f"my {name}" for name in before.columns]
    assert study.mean("rate.bystander").equals(mean) and study.unit("accepted_load") == "bit/s"
    assert study.runs.equals(before) and study.runs.columns == before.columns
