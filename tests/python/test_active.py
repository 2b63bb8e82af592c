"""A mean rate over an interval with silence is marked as such, in the command and in reports."""

import pytest
from typer.testing import CliRunner

import congestree
from congestree.cli import app
from congestree.evaluation import active

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


def test_what_falls_into_the_warm_up_does_not_count():
    run = congestree.run(LATE, values={"measure.warm_up": "500 us"})
    assert active.partly(run) == {"backup": pytest.approx((500e-6, 600e-6))}
    silent = congestree.run(LATE, values={"measure.warm_up": "700 us"})
    assert active.partly(silent) == {}


def test_a_job_that_finishes_is_told_unless_the_run_ends_with_it():
    run = congestree.run(JOB)
    (finished,) = run.jobs["finished"]
    assert active.partly(run) == {"job": pytest.approx((0.0, finished))}
    assert active.partly(congestree.run(JOB, values={"measure.until_jobs_end": True})) == {}


def test_the_command_and_the_report_say_it(tmp_path):
    file = tmp_path / "late.toml"
    file.write_text(LATE)
    folder = str(tmp_path / "run")
    said = CliRunner().invoke(app, ["run", str(file), "--out", folder])
    assert "backup is over all 1 ms" in " ".join(said.output.split())
    CliRunner().invoke(app, ["report", folder])
    assert "backup is over all 1 ms" in (tmp_path / "run" / "report.html").read_text()
