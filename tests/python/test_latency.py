"""A run with the probe `latency` tells latencies: in the tables of `run`, in the report, and in a plot."""

import json

import pytest

import congestree
from congestree import plots, report

from .conftest import SMALL

MIXED = {"traffic.bystander.rate": "100 MB/s", "traffic.contenders.arrivals": {"poisson": {"load": 0.7}}}


@pytest.fixture(scope="module")
def run():
    return congestree.run(SMALL, values=MIXED)


def test_the_command_prints_both_kinds_of_each_class(congestree_cli, tmp_path, run):
    (tmp_path / "small.toml").write_text(SMALL)
    words = ("run", tmp_path / "small.toml", "--set", "traffic.contenders.arrivals.poisson.load=0.7")
    told = congestree_cli(*words).stdout
    assert "Latency of packets; network: from the first bit sent, total: from when the message was made" in told
    printed = [line.split()[:3] for line in told.splitlines() if line.startswith(("contenders ", "bystander "))]
    rows = run.latency.to_dicts()
    assert printed == [[row["class"], row["kind"], f"{row['packets']:,}"] for row in rows] and len(rows) == 4
    assert json.loads(congestree_cli(*words, "--json").stdout)["latency"] == rows
    assert "Latency of packets" not in congestree_cli(*words, "--set", "measure.probes=[]").stdout


def test_the_report_has_the_same_numbers_and_the_plot(run):
    text = report.html(run)
    for row in run.latency.to_dicts():
        for name in ("mean", "p50", "p99", "max"):
            assert congestree.quantities.in_words(row[name], "s") in text
    assert "Latency of packets in the network, and in total with the wait at the source." in text
    blind = report.html(congestree.run(SMALL, values={"measure.probes": ["flows"]}))
    assert "Latency of packets" not in blind


def test_latencies_are_drawn_from_the_median_to_the_longest(run, tmp_path):
    ax = plots.plot_latency(run).axes[0]
    assert [label.get_text() for label in ax.get_yticklabels()] == [
        f"{row['class']}, {row['kind']}" for row in run.latency.to_dicts()
    ]
    spans = [tuple(line.get_xdata()) for line in ax.lines if line.get_linewidth() == 1 and len(line.get_xdata()) == 2]
    assert spans == [(row["p50"], row["max"]) for row in run.latency.to_dicts()]
    assert tmp_path / "latency.png" in plots.draw_all(run, tmp_path)


def test_nothing_is_told_of_packets_that_nobody_sent(tmp_path):
    """The table has rows of a class without packets, whose times are no numbers."""
    silent = congestree.run(SMALL, values={"traffic.bystander.start": "3 ms"})
    labels = [label.get_text() for label in plots.plot_latency(silent).axes[0].get_yticklabels()]
    assert labels == ["contenders, network", "contenders, total"]
    none = {f"traffic.{name}.start": "3 ms" for name in ("bystander", "contenders")}
    empty = congestree.run(SMALL, values=none)
    assert tmp_path / "latency.png" not in plots.draw_all(empty, tmp_path)
    assert "Latency of packets" not in report.html(empty)
    assert plots.plot_latency(empty).axes
