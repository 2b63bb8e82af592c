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


@pytest.mark.parametrize(
    ("low", "high", "axis", "label"),
    [
        (4.23e-6, 4.26e-6, "latency of a packet (us)", "4.235"),
        (1e-3, 1.000004e-3, "latency of a packet (ms)", "1.000002"),
        (2e-6, 2e-5, "latency of a packet", "10 us"),
        (2e-7, 1e-2, "latency of a packet", "1 ms"),
    ],
)
def test_no_two_ticks_of_latencies_have_one_label(run, monkeypatch, low, high, axis, label):
    """Latencies from 4.23 to 4.26 us stood over 4.24, 4.24, 4.25, 4.25 and 4.25 us."""
    row = {"class": "work", "kind": "network", "p50": low, "mean": (low + high) / 2, "p99": high, "max": high}
    monkeypatch.setattr("congestree.evaluation.goals.latency.rows", lambda run: [row])
    ax = plots.plot_latency(run).axes[0]
    ax.figure.canvas.draw()
    first, last = ax.get_xlim()
    ticks = zip(ax.get_xticks(), ax.get_xticklabels(), strict=True)
    labels = [text.get_text() for at, text in ticks if first <= at <= last]
    assert ax.get_xlabel() == axis and label in labels
    assert len(set(labels)) == len(labels) > 1


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
