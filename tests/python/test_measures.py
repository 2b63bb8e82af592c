"""Measures are pure functions with known answers."""

import doctest
import itertools
import math

import numpy as np
import pytest

from congestree import quantities
from congestree.runs import measures


@pytest.mark.parametrize("module", [measures, quantities])
def test_the_examples_in_the_documentation_hold(module):
    assert doctest.testmod(module).failed == 0


def test_the_jain_index_lies_between_one_over_n_and_one():
    shares = np.random.default_rng(1).random((50, 7))
    assert all(1 / 7 <= measures.jain_index(row) <= 1 for row in shares)
    assert math.isnan(measures.jain_index([0, 0]))


def test_a_sliding_rate_is_the_sum_over_the_window():
    carried = np.array([10.0, 0.0, 20.0, 30.0])
    rates = measures.sliding_rate(carried, bin_length=0.5, window=1.0)
    assert rates.tolist() == [20.0, 10.0, 20.0, 50.0]


def test_a_window_as_long_as_a_bin_leaves_the_bins_alone():
    carried = np.random.default_rng(2).random((20, 3))
    assert np.allclose(measures.sliding_rate(carried, 1.0, 1.0), carried)


def test_a_sliding_rate_of_a_constant_is_that_constant():
    assert np.allclose(measures.sliding_rate(np.full(30, 4.0), 2.0, 10.0), 2.0)


def test_the_mean_over_an_interval_excludes_its_end():
    assert measures.mean_over([0, 1, 2, 3], [1.0, 2.0, 3.0, 9.0], 1, 3) == 2.5
    assert math.isnan(measures.mean_over([0, 1], [1.0, 2.0], 5, 6))


def test_the_interval_uses_students_t():
    mean, half = measures.mean_and_interval([1.0, 2.0, 3.0])
    assert mean == 2.0
    assert half == pytest.approx(4.303 / math.sqrt(3), rel=1e-3)
    assert math.isnan(measures.mean_and_interval([5.0])[1])


@pytest.mark.parametrize(("freedom", "value"), [(1, 12.706), (30, 2.042), (40, 2.021), (120, 1.980), (10_000, 1.960)])
def test_quantiles_of_t_are_those_of_the_tables(freedom, value):
    assert measures.t95(freedom) == pytest.approx(value, abs=6e-4)


def test_percentile_and_time_to_reach():
    assert measures.percentile([1, 2, 3, 4, 5], 50) == 3
    assert measures.time_to_reach([0, 1, 2, 3], [0, 5, 2, 8], 4, after=1.5) == 3
    assert math.isnan(measures.time_to_reach([0, 1], [0, 1], 4))


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (quantities.seconds, "1.5 us", 1.5e-6),
        (quantities.seconds, "100 ms", 0.1),
        (quantities.size, "2 KiB", 2048),
        (quantities.size, "2068 B", 2068),
        (quantities.bits_per_second, "1 GB/s", 8e9),
        (quantities.bits_per_second, "13.5 Gbit/s", 13.5e9),
    ],
)
def test_quantities_are_read_with_their_units(read, text, value):
    assert read(text) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("text", ["12", "150 parsecs", "", "ms"])
def test_a_quantity_without_a_known_unit_is_refused(text):
    with pytest.raises(ValueError, match="expected"):
        quantities.seconds(text)


def test_flows_are_told_apart_by_size():
    sizes = [1, 999_999, 1e6, 9_999_999, 1e7, 1e9]
    rows = measures.by_size_class(sizes, [1, 2, 3, 4, 5, 6])
    assert [(row["flows"], row["mean"]) for row in rows] == [(2, 1.5), (2, 3.5), (2, 5.5)]
    assert rows[0]["p50"] == 1.5 and rows[2]["p999"] == pytest.approx(5.999)
    empty = measures.by_size_class([5], [1.0])[2]
    assert empty["flows"] == 0 and math.isnan(empty["mean"]) and math.isnan(empty["p99"])


def test_classes_of_equally_many_flows_cover_all_of_them():
    generator = np.random.default_rng(3)
    sizes, values = generator.integers(1, 1000, 997), generator.random(997)
    rows = measures.by_size_share(sizes, values, bins=10)
    assert sum(row["flows"] for row in rows) == 997
    assert {row["flows"] for row in rows} == {99, 100}
    assert all(a["to"] <= b["from"] for a, b in itertools.pairwise(rows))
    assert sum(row["flows"] * row["mean"] for row in rows) == pytest.approx(values.sum())


def test_a_last_bin_that_is_cut_short_is_no_drop_in_the_rate():
    """Ten a second all the time, in bins of a second; the run ends after 3.25 s."""
    carried = np.array([10.0, 10.0, 10.0, 2.5])
    for window in (1.0, 2.0, 4.0, 9.0):
        assert np.allclose(measures.sliding_rate(carried, 1.0, window, last=0.25), 10.0)
    assert measures.sliding_rate(carried, 1.0, 1.0)[-1] == 2.5
    assert measures.sliding_rate([2.5], 1.0, 1.0, last=0.25).tolist() == [10.0]


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (999.7e6, "bit/s", "1 Gbit/s"),
        (0.9997, "s", "1 s"),
        (999.4e-6, "s", "999 us"),
        (999.8, "", "1,000"),
        (0, "s", "0 ns"),
    ],
)
def test_what_three_digits_round_up_has_the_unit_of_that(value, unit, text):
    assert quantities.in_words(value, unit) == text
