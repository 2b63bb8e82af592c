"""Measures are pure functions with known answers."""

import doctest
import itertools
import json
import math
import re

import numpy as np
import pytest

import congestree
from congestree import _engine, document, quantities
from congestree.evaluation import measures
from congestree.runs import memory
from congestree.tune import Parameter


@pytest.mark.parametrize("module", [document, measures, memory, quantities])
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
    assert measures.mean_and_interval([1.0, 1.2, math.nan]) == (pytest.approx(1.1), pytest.approx(1.2706))
    assert all(map(math.isnan, measures.mean_and_interval([])))


def within(quantile, freedom, steps=4_000):
    """The probability that Student's t lies within +- quantile: Simpson's rule over its density."""
    x = np.linspace(0, quantile, steps + 1)
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)
    density = scale * (1 + x**2 / freedom) ** (-(freedom + 1) / 2)
    return 2 * quantile / steps / 3 * (density[0] + density[-1] + 4 * density[1::2].sum() + 2 * density[2:-1:2].sum())


@pytest.mark.parametrize("freedom", [*range(1, 32), 40, 100, 1_000])
def test_95_per_cent_lie_within_the_quantile_of_t(freedom):
    quantile, rounding = measures.t95(freedom), 6e-4 if freedom <= 30 else 1.5e-4
    assert within(quantile - rounding, freedom) < 0.95 < within(quantile + rounding, freedom)


@pytest.mark.parametrize(("freedom", "value"), [(1, 12.706), (30, 2.042), (40, 2.021), (120, 1.980), (10_000, 1.960)])
def test_quantiles_of_t_are_those_of_the_tables(freedom, value):
    assert measures.t95(freedom) == pytest.approx(value, abs=6e-4)


def test_percentile_and_time_to_reach():
    assert measures.percentile([1, 2, 3, 4, 5], 50) == 3
    assert measures.time_to_reach([0, 1, 2, 3], [0, 5, 2, 8], 4, after=1.5) == 3
    assert math.isnan(measures.time_to_reach([0, 1], [0, 1], 4))
    assert measures.time_to_reach([0, 1, 2, 3], [9, 4, 5, 8], 4, after=1) == 1


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


def test_quantities_are_the_floats_nearest_to_their_texts():
    """9 ms were 0.009000000000000001 s: what started at the end of such a warm-up came before it."""
    read = {"ps": (quantities.seconds, 10**12), "bit/s": (quantities.bits_per_second, 1), "B": (quantities.size, 1)}
    for base, (function, of_base) in read.items():
        for unit, factor in quantities.UNITS[base].items():
            for n in range(1, 1001):
                assert function(f"{n} {unit}") == n * factor / of_base, (n, unit)
                assert function(f"{n / 10} {unit}") == n * factor / (10 * of_base), (n / 10, unit)
    assert quantities.seconds("9 ms") == 0.009 and quantities.bits_per_second("8.3 Gbit/s") == 8.3e9
    assert quantities.seconds("1e-99999999999999999999 s") == 0.0
    for text in ("1e400 s", "1e99999999999999999999 s"):
        with pytest.raises(ValueError, match="is too large for a length of time"):
            quantities.seconds(text)


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
    sizes, values = generator.permutation(997), generator.random(997)
    rows = measures.by_size_share(sizes, values, bins=10)
    assert sum(row["flows"] for row in rows) == 997
    assert {row["flows"] for row in rows} == {99, 100}
    assert all(a["to"] <= b["from"] for a, b in itertools.pairwise(rows))
    assert sum(row["flows"] * row["mean"] for row in rows) == pytest.approx(values.sum())
    ends = [(row["from"], row["to"]) for row in measures.by_size_share([5, 1, 9, 3, 2], [1.0] * 5, bins=2)]
    assert ends == [(1, 3), (5, 9)]


def test_flows_of_one_size_are_in_one_class():
    """They were divided by their order, and the percentiles of a size could not be found."""
    values = np.random.default_rng(5).random(1000)
    (row,) = measures.by_size_share([20_000] * 1000, values)
    assert row["p99"] == np.percentile(values, 99)
    rows = measures.by_size_share([100] * 600 + [200] * 400, values)
    assert [(row["from"], row["to"], row["flows"]) for row in rows] == [(100, 100, 600), (200, 200, 400)]
    rows = measures.by_size_share([1, 2, 2, 2, 2, 3, 4, 5], values[:8], bins=4)
    assert [(row["from"], row["to"], row["flows"]) for row in rows] == [(1, 2, 5), (3, 3, 1), (4, 5, 2)]


def test_a_last_bin_that_is_cut_short_is_no_drop_in_the_rate():
    """Ten a second all the time, in bins of a second; the run ends after 3.25 s."""
    carried = np.array([10.0, 10.0, 10.0, 2.5])
    for window in (1.0, 2.0, 4.0, 9.0):
        assert np.allclose(measures.sliding_rate(carried, 1.0, window, last=0.25), 10.0)
    assert measures.sliding_rate(carried, 1.0, 1.0)[-1] == 2.5
    assert measures.sliding_rate([2.5], 1.0, 1.0, last=0.25).tolist() == [10.0]


def test_a_window_that_ends_with_a_short_bin_has_a_part_of_one_bin_more():
    """Bins of 2 s, the last of 0.5 s: a window of 4 s that ends with it begins after 1.25 s of a bin, 3/4 are left.

    In two columns, as of two ports.
    """
    carried = np.array([[1.0, 1.0], [40.0, 0.0], [6.0, 8.0], [8.0, 0.0], [3.0, 1.0]])
    rates = measures.sliding_rate(carried, 2.0, 4.0, last=0.5)
    assert rates[:-1].tolist() == [[0.5, 0.5], [10.25, 0.25], [11.5, 2.0], [3.5, 2.0]]
    assert rates[-1].tolist() == [(0.75 * 6 + 8 + 3) / 4, (0.75 * 8 + 0 + 1) / 4]
    # As many bins as the window has: it begins with the run, and is shorter.
    assert measures.sliding_rate(carried[1:3, 0], 2.0, 4.0, last=0.5).tolist() == pytest.approx([20.0, 46 / 2.5])


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (999.7e6, "bit/s", "1 Gbit/s"),
        (999.7e9, "bit/s", "1 Tbit/s"),
        (6.4e12, "bit/s", "6.4 Tbit/s"),
        (0.9997, "s", "1 s"),
        (999.4e-6, "s", "999 us"),
        (999.8, "", "1,000"),
        (0, "s", "0 ns"),
    ],
)
def test_what_three_digits_round_up_has_the_unit_of_that(value, unit, text):
    assert quantities.in_words(value, unit) == text


PREFIXES = {"": 1, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12} | {
    f"{prefix}i": 1024.0**power for power, prefix in enumerate("KMGT", start=1)
}


def test_every_unit_is_what_its_prefix_says():
    small = {"": 1, "m": 1e-3, "u": 1e-6, "\u00b5": 1e-6, "\u03bc": 1e-6, "n": 1e-9, "p": 1e-12}
    for unit, value in quantities.SPANS.items():
        assert quantities.seconds(f"3 {unit}") == float(3 * value) == pytest.approx(3 * small[unit.removesuffix("s")])
    for unit, value in quantities.SIZES.items():
        wanted = 1 / 8 if unit == "bit" else PREFIXES[unit.removesuffix("B")]
        assert quantities.size(f"3 {unit}") == 3 * value == 3 * wanted
    for unit, value in quantities.RATES.items():
        prefix, bits = next(
            (unit.removesuffix(end), bits) for end, bits in (("bit/s", 1), ("bps", 1), ("B/s", 8)) if unit.endswith(end)
        )
        assert quantities.bits_per_second(f"3 {unit}") == 3 * value == 3 * bits * PREFIXES[prefix]


@pytest.mark.parametrize(
    ("unit", "read", "base"),
    [("ps", quantities.seconds, 1e12), ("bit/s", quantities.bits_per_second, 1), ("B", quantities.size, 1)],
)
def test_what_is_written_exactly_is_read_as_the_same_in_the_largest_unit_that_says_it(unit, read, base):
    for zeros in range(14):
        for digits in (1, 25, 4_096, 1_001):
            number = digits * 10**zeros
            text = quantities.exactly(number, unit)
            assert read(text) * base == pytest.approx(number, rel=1e-12)
            shown, name = text.split()
            assert int(shown) % 1_000 or name in ("s", "Tbit/s", "GB"), text
    assert quantities.exactly(0, unit) == f"0 {unit}"


@pytest.mark.parametrize(
    ("unit", "read"), [("s", quantities.seconds), ("bit/s", quantities.bits_per_second), ("B", quantities.size)]
)
def test_a_value_has_the_unit_in_which_it_is_one_or_more_and_means_the_same(unit, read):
    for power in range(-8, 12):
        for digits in (1, 1.5, 512, 700):
            value = digits * 10.0**power
            for signed in (value, -value):
                factor, name = quantities.scale_for(unit, signed)
                assert value * factor * read(f"1 {name}") == pytest.approx(value)
                smallest = name in ("ns", "bit/s", "B")
                step = 1024 if unit == "B" else 1000
                assert (value * factor >= 1 or smallest) and (value * factor < step or name in ("s", "Gbit/s", "GiB"))


def test_a_negative_value_reads_as_the_positive_one_with_its_sign():
    for value in (0.0023, 0.9997, 999.7e-6, 12.0):
        assert quantities.in_words(-value, "s") == f"-{quantities.in_words(value, 's')}"
    assert [quantities.in_words(value, "s") for value in (None, math.nan)] == ["–", "–"]


def units_of(kind):
    """The units that the engine reads, by the pattern of such a value in its schema."""
    schema = json.dumps(json.loads(_engine.schema()), ensure_ascii=False, separators=(",", ":"))
    pattern = re.search(rf'"format":"{kind}","pattern":"[^"]*\*\(([^()"]+)\) \*\$"', schema)
    return pattern[1].split("|")


@pytest.mark.parametrize(
    ("kind", "base", "path", "read"),
    [
        ("duration", "ps", "links.delay", lambda text: round(quantities.seconds(text) * 1e12)),
        ("size", "B", "traffic.0.message", quantities.size),
        ("rate", "bit/s", "links.rate", quantities.bits_per_second),
    ],
)
def test_every_unit_of_the_engine_is_read_here_too(kind, base, path, read):
    """Parameter.read refused "100 Gbps" and "1 GB/s", and all of Python the Greek letter of "3 \u03bcs"."""
    scenario = {"topology": {"single-switch": {"hosts": 4}}, "links": {"rate": "8 Gbit/s"}, "traffic": [{"from": "H1"}]}
    scenario["traffic"][0] |= {"to": "H2", "message": "1 KiB", "arrivals": {"messages": {"count": 1}}}
    scenario |= {"measure": {"duration": "1 us"}}
    units = units_of(kind)
    assert len(units) >= 7
    for unit in units:
        value = congestree.check(scenario, values={path: f"3000 {unit}"}, limit_memory=None)["scenario"]
        for key in path.split("."):
            value = value[int(key) if key.isdigit() else key]
        assert read(value) == read(f"3000 {unit}") == 3000 * quantities.UNITS[base][unit]
        parameter = Parameter.read(f"{path}=3000 {unit}..9000 {unit}")
        assert (parameter.unit, parameter.low) == (base, 3000 * quantities.UNITS[base][unit])
