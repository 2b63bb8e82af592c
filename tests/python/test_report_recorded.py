"""A report has what a run has measured: the tables that `congestree run` prints, and as many plots as it may have."""

import html
import re

import pytest

import congestree
from congestree import plots, report
from congestree.report import of_run

QUICK = ("uec-incast", "irn-incast", "pfc-incast", "incast-32", "short-transfers-over-tcp", "application-and-hot-spot")
FLOWS = """
topology.single-switch.hosts = 4
links.rate = "10 Gbit/s"
measure = { duration = "1 ms", probes = ["completions"] }
traffic = [{ name = "some", list = [
    { from = "H1", to = "H4", message = "700 kB", at = "0 s" },
    { from = "H2", to = "H4", message = "1 kB", at = "0 s" },
] }]
"""


def printed(said):
    """The tables that the command prints after the summary: the title, and the cells of all lines."""
    blocks = [block.splitlines() for block in said.split("\n\n")[1:]]
    return [(block[0], [re.split(r"  +", line.strip()) for line in block[1:]]) for block in blocks if len(block) > 2]


@pytest.mark.parametrize("name", [*QUICK, "flows.toml"])
def test_a_report_has_the_tables_that_a_run_prints(name, congestree_cli, tmp_path):
    """It had no table of flows by size, and none of transfers."""
    (tmp_path / "flows.toml").write_text(FLOWS)
    found = printed(congestree_cli("run", name, "--out", "run", "--threads", 1).stdout)[:-1]  # what it cost
    text = report.html(tmp_path / "run")
    for title, rows in found:
        (table,) = (each for each in re.findall("<table>.*?</table>", text, re.S) if html.escape(title) in each)
        assert [re.findall("<t[dh][^>]*>(.*?)</t[dh]>", row) for row in table.split("<tr>")[1:]] == rows
    assert len(found) == (name not in ("pfc-incast", "application-and-hot-spot"))


@pytest.mark.parametrize("name", QUICK)
def test_a_report_has_five_plots_if_a_run_has_recorded_so_much(name, tmp_path):
    """It had plots of rates alone where transfers, pauses and queues at outputs were recorded, too."""
    run = congestree.run(name)
    drawn = [path.stem for path in plots.draw_all(run, tmp_path)]
    captions = re.findall("<figcaption>(.*?)</figcaption>", report.html(run))
    assert len(captions) == len(set(captions)) >= min(5, len(drawn))
    for what, word in (
        ("transfers", "Times of transfers"),
        ("pauses", "pauses"),
        ("output-queues", "queues at output"),
    ):
        assert any(word in caption for caption in captions) == (what in drawn)


@pytest.mark.parametrize("probe", ["completions", "transfers"])
def test_that_nothing_has_finished_is_told(probe):
    early = {"completions": FLOWS, "transfers": "short-transfers-over-tcp"}[probe]
    text = report.html(congestree.run(early, values={"measure.duration": "1 us"}))
    assert f"No {'flow has finished' if probe == 'completions' else 'transfer has arrived whole'} by the end" in text
    assert "transfers by" not in text and "Slowdown" not in text


def test_the_completion_of_an_application_is_among_the_numbers():
    values = {"traffic.0.program.mpifft.compute": "1 us"}
    run = congestree.run("application-and-hot-spot", values=values)
    early = congestree.run("application-and-hot-spot", values={"measure.duration": "1 us"})
    assert of_run.summary(early).rows[-1][:2] == ("completion of fft", "not by the end")
    name, value, meaning = of_run.summary(run).rows[-1]
    assert (name, value) == ("completion of fft", congestree.quantities.in_words(run.jobs["completion"][0], "s"))
    assert meaning == "time from the start of the job until its last rank finished"
