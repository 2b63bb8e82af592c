"""A mean rate over an interval with silence is marked as such, in the command and in reports."""

import math

import pyarrow
import pytest
from typer.testing import CliRunner

import congestree
from congestree.cli import app
from congestree.evaluation import active
from congestree.quantities import in_words
from congestree.report import of_run

LATE = """
[topology.single-switch]
hosts = 4
[links]
rate = "10 Gbit/s"
[[traffic]]
name = "backup"
from = "H1"
to = "H2"
start = "400 us"
stop = "600 us"
[[traffic]]
from = "H3"
to = "H4"
start = "20 us"
[measure]
duration = "1 ms"
"""
JOB = """
[topology.single-switch]
hosts = 4
[links]
rate = "10 Gbit/s"
[[traffic]]
name = "job"
from = "all"
program.all-to-all.bytes = "4 KiB"
[measure]
duration = "1 ms"
"""


def test_a_class_that_stops_is_told_with_its_times():
    run = congestree.run(LATE)
    assert active.partly(run) == {"backup": pytest.approx((400e-6, 600e-6))}
    assert active.sentences(run) == [
        "The mean rate of backup is over all 1 ms measured, but it sent only from 400 us to 600 us."
    ]
    assert run.class_rates()["backup"] == pytest.approx(2e9, rel=0.02)


def test_a_run_that_ends_within_its_first_bin_is_told(congestree_cli, tmp_path):
    """Its plots over time were empty, without a word."""
    (tmp_path / "job.toml").write_text(JOB + 'until_jobs_end = true\nbin = "100 us"\nprobes = ["ports"]\n')
    ran = " ".join(congestree_cli("run", "job.toml", "--out", "done").stdout.split())
    run = congestree.Run.load(tmp_path / "done")
    (told,) = active.sentences(run)
    ended = in_words(run.duration, "s")
    assert run.duration < 100e-6 and told.startswith(f"The run ended at {ended}, within its first bin of 100 us, so")
    bin_ = told.rpartition("write a shorter measure.bin, such as ")[2].strip('".')
    assert told in ran and told in of_run.findings(run, None)
    for more in ({"measure.bin": bin_}, {"measure.probes": []}):
        assert active.sentences(congestree.run(tmp_path / "job.toml", values=more)) == []
    whole = {"measure.until_jobs_end": False, "measure.duration": "100 us"}
    assert not any("bin" in said for said in active.sentences(congestree.run(tmp_path / "job.toml", values=whole)))


def test_a_class_that_drew_no_message_sent_nothing(congestree_cli, tmp_path):
    """It was said to have sent in a part of the run."""
    drawn = """
[[traffic]]
name = "rare"
from = "all"
pattern = "uniform"
flows = "by-message"
message = "1 MB"
arrivals.incast = { senders = 2, load = 1e-9 }
stop = "100 us"
[measure]"""
    (tmp_path / "rare.toml").write_text(LATE.replace("[measure]", drawn))
    told = " ".join(congestree_cli("run", "rare.toml", "--out", "done").stdout.split())
    run = congestree.Run.load(tmp_path / "done")
    assert run.silent_classes() == ["rare"] and list(active.partly(run)) == ["backup"]
    assert active.sentences(run)[0] == "Nothing of rare was sent." and "Nothing of rare was sent." in told
    assert "Nothing of rare was sent." in of_run.findings(run, None)
    warm = congestree.run(tmp_path / "rare.toml", values={"measure.warm_up": "50 us"})
    assert active.sentences(warm)[0] == "Nothing of rare was sent after the warm-up."


def test_a_job_within_a_node_is_not_said_to_have_sent_nothing():
    """It has no flow over the network, and its completion told that it had sent all."""
    inside = {"adapters.node": {"hosts": 4, "rate": "1 Tbit/s"}}
    run = congestree.run(JOB, values=inside)
    assert run.arrow("flows").num_rows == 0 and run.job_completions()["job"] < 100e-6
    assert run.silent_classes() == [] and active.sentences(run) == []
    late = congestree.run(JOB, values={"traffic.0.start": "2 ms"})
    assert late.silent_classes() == ["job"] and active.sentences(late) == ["Nothing of job was sent."]


def test_what_falls_into_the_warm_up_does_not_count():
    run = congestree.run(LATE, values={"measure.warm_up": "500 us"})
    assert active.partly(run) == {"backup": pytest.approx((500e-6, 600e-6))}
    (said,) = active.sentences(run)
    assert said.startswith("The mean rate of backup is over all 500 us measured, but it sent only from 500 us to")
    silent = congestree.run(LATE, values={"measure.warm_up": "700 us"})
    assert active.partly(silent) == {}


def test_a_run_that_ends_before_its_warm_up_says_that_nothing_was_measured(tmp_path):
    """The command and the report said that the network had delivered 0 bit/s."""
    warm = JOB.replace('"1 ms"', '"1 ms"\nwarm_up = "500 us"\nuntil_jobs_end = true')
    (tmp_path / "job.toml").write_text(warm)
    said = CliRunner().invoke(app, ["run", str(tmp_path / "job.toml"), "--out", str(tmp_path / "run")]).stdout
    run = congestree.Run.load(tmp_path / "run")
    (why,) = active.sentences(run)
    assert why.startswith("Nothing was measured: the run ended at ") and "before its warm-up of 500 us did" in why
    assert " ".join(why.split()) in " ".join(said.split()) and "Nothing of job was sent" not in said
    assert of_run.findings(run, None)[0] == why


def test_runs_that_end_before_their_warm_up_are_missing_in_means():
    """Their rates were 0, and lowered the mean of the others."""
    scenario = JOB.replace('"1 ms"', '"1 ms"\nwarm_up = "100 us"\nuntil_jobs_end = true')
    study = congestree.sweep(scenario, over={"traffic.0.program.all-to-all.bytes": ["4 KiB", "4 MiB"]}, workers=1)
    for name in ("accepted_load", "accepted_load_per_host", "rate.job"):
        (mean,) = study.mean(name, by=[]).iter_rows(named=True)
        assert (mean["runs"], mean["missing"]) == (1, 1) and mean["mean"] == study.runs[name][1]
    assert study[0].ports["utilisation"].is_nan().all() and study[0].flows["rate"].is_nan().all()


def with_rates_of_nothing(run):
    """A run as it is if no time was measured: its rates are nan."""
    for table, columns in {"flows": ["rate"], "ports": ["utilisation"]}.items():
        for name in columns:
            at = run.arrow(table).schema.get_field_index(name)
            nothing = pyarrow.array([math.nan] * run.arrow(table).num_rows)
            run._arrow[table] = run.arrow(table).set_column(at, name, nothing)
    return run


def test_rates_of_nothing_are_no_numbers(tmp_path):
    run = with_rates_of_nothing(congestree.run(JOB))
    assert math.isnan(run.class_rates()["job"]) and math.isnan(run.row()["rate.job"])
    told = [of_run.classes(run), of_run.worst(run), of_run.busiest(run)]
    assert "nan" not in str([table.rows for table in told]) and "–" in str(told[2].rows)


def test_a_job_that_finishes_is_told_unless_the_run_ends_with_it():
    run = congestree.run(JOB)
    (finished,) = run.jobs["finished"]
    assert active.partly(run) == {"job": pytest.approx((0.0, finished))}
    assert active.partly(congestree.run(JOB, values={"measure.until_jobs_end": True})) == {}


def test_a_job_that_does_not_finish_sends_until_the_end():
    run = congestree.run(JOB, values={"traffic.0.program.all-to-all.bytes": "4 MiB"})
    (finished,) = run.jobs["finished"]
    assert finished is None or math.isnan(finished)
    assert active.partly(run) == {} and active.sentences(run) == []


def test_the_command_and_the_report_say_it(tmp_path):
    file = tmp_path / "late.toml"
    file.write_text(LATE)
    folder = str(tmp_path / "run")
    said = CliRunner().invoke(app, ["run", str(file), "--out", folder])
    assert "backup is over all 1 ms" in " ".join(said.output.split())
    CliRunner().invoke(app, ["report", folder])
    assert "backup is over all 1 ms" in (tmp_path / "run" / "report.html").read_text()
