"""Slowdowns by size: where groups stand, which points are left out, and schemes in comparison."""

import numpy as np
import pytest

import congestree
from congestree import plots

SIZES = """
topology.single-switch.hosts = 5
links = { rate = "10 Gbit/s", delay = "500 ns", flow_control = "byte-credits" }
[[traffic]]
name = "all"
from = "all"
pattern = "uniform"
flows = "by-message"
sizes.cdf = [
  { size = "2 kB", share = 0.2 }, { size = "4 kB", share = 0.49 },
  { size = "499999 B", share = 0.5 }, { size = "500 kB", share = 1.0 },
]
arrivals.poisson.load = 0.5
[measure]
duration = "40 ms"
probes = ["completions"]
"""


@pytest.fixture(scope="module")
def two():
    """The same traffic, open and with a window."""
    return [congestree.run(SIZES, values={"adapters.window": window} if window else {}) for window in (None, 2)]


def drawn(figure):
    (ax,) = figure.axes
    return {line.get_label(): line for line in ax.lines}


def test_a_group_stands_at_the_size_of_its_flows(two):
    """A group of 100 flows of 500,000 B stood at 447,580 B."""
    sizes = np.sort(two[0].completions["size"].to_numpy())
    assert (sizes >= 499_999).sum() > 100
    at = drawn(plots.plot_slowdown(two[0], bins=2))["median"].get_xdata().tolist()
    rows = two[0].by_size_share(bins=2)
    assert at[-1] >= 499_999 and len(at) == len(rows)
    for row, middle in zip(rows, at, strict=True):
        inside = sizes[(sizes >= row["from"]) & (sizes <= row["to"])]
        assert middle == inside[(len(inside) - 1) // 2]


def test_a_percentile_of_a_remainder_of_few_flows_is_left_out_and_this_is_told(monkeypatch, two):
    every = congestree.evaluation.quantiles.by_size_share(
        lambda: iter([(np.repeat([1e3, 1e4, 1e5], [300, 250, 3]), np.ones(553))]), 3
    )
    monkeypatch.setattr(plots.slowdown.quantiles, "by_size_share", lambda *_: every)
    monkeypatch.setattr(plots.slowdown.quantiles, "middle_sizes", lambda *_: [row["to"] for row in every])
    figure = plots.plot_slowdown(two[0])
    assert {name: len(line.get_xdata()) for name, line in drawn(figure).items()} == {"median": 3, "95 %": 2, "99 %": 2}
    title = figure.axes[0].get_title("left").replace("\n", " ")
    assert "without 95 % and 99 % of groups of too few flows" in title
    for flows in ((12, 12, 12), (12, 200, 11)):
        even = [{**row, "flows": count} for row, count in zip(every, flows, strict=True)]
        monkeypatch.setattr(plots.slowdown.quantiles, "by_size_share", lambda *_, even=even: even)
        assert "too few" not in plots.plot_slowdown(two[0]).axes[0].get_title("left").replace("\n", " ")


def test_schemes_have_lines_that_differ(two):
    lines = drawn(plots.plot_slowdown({"open": two[0], "window": two[1]}, percentile="p95"))
    assert list(lines) == ["open", "window"] and len({line.get_color() for line in lines.values()}) == 2
    alone = drawn(plots.plot_slowdown(two[1], percentile="p95"))
    assert list(alone) == ["95 %"]
    assert alone["95 %"].get_ydata().tolist() == lines["window"].get_ydata().tolist()
    figure = plots.plot_slowdown({"open": two[0], "window": two[1]})
    assert figure.axes[0].get_title("left").startswith("99 % of the slowdown by size")


def test_of_a_study_the_runs_of_a_setting_are_taken_together():
    study = congestree.sweep(SIZES, over={"adapters.window": [2, 8], "seed": [1, 2]}, workers=1)
    lines = drawn(plots.plot_slowdown(study, bins=1, percentile=["p50", "p99"]))
    assert list(lines) == ["window 2, median", "window 2, 99 %", "window 8, median", "window 8, 99 %"]
    both = np.concatenate([study[k].completions["slowdown"].to_numpy() for k in (0, 1)])
    assert lines["window 2, 99 %"].get_ydata().tolist() == [pytest.approx(np.percentile(both, 99))]


@pytest.mark.parametrize("wrong", [{}, {"none": []}])
def test_nothing_to_compare_is_refused(wrong):
    with pytest.raises(congestree.CongestreeError, match="at least one finished run"):
        plots.plot_slowdown(wrong)


def test_an_unknown_percentile_is_refused(two):
    with pytest.raises(congestree.CongestreeError, match="no percentile p90 here; there are: p50, p95, p99, p999"):
        plots.plot_slowdown(two[0], percentile="p90")
