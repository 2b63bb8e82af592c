"""Statistics computed piece by piece are those of whole arrays, to the last bit of a percentile's neighbours."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import congestree
from congestree import renames
from congestree.errors import CongestreeError
from congestree.evaluation import measures, quantiles

FLOWS = st.lists(
    st.tuples(
        st.one_of(st.integers(1, 12), st.integers(10**6 - 2, 10**6 + 2), st.integers(1, 10**9)),
        st.one_of(st.sampled_from([0.0, 1.0, 1.0 + 2**-52, 5e-324, 1e300]), st.floats(0.0, 1e9)),
    ),
    max_size=60,
)

FEW = settings(max_examples=50, deadline=None)


def in_pieces(flows, length):
    """The flows as pieces of this many, which can be read repeatedly."""
    sizes, values = [size for size, _ in flows], [value for _, value in flows]
    return lambda: ((sizes[at : at + length], values[at : at + length]) for at in range(0, len(flows), length))


def assert_same(found, expected):
    assert len(found) == len(expected)
    for row, other in zip(found, expected, strict=True):
        assert row.keys() == other.keys()
        assert {key: row[key] for key in ("from", "to", "flows")} == {
            key: other[key] for key in ("from", "to", "flows")
        }
        for key in ("mean", *measures.SHARES):
            assert row[key] == pytest.approx(other[key], rel=1e-12, abs=1e-300, nan_ok=True)


@FEW
@given(FLOWS, st.sampled_from([7, 19, 60]))
def test_statistics_by_size_class_are_those_of_the_whole_table(flows, length):
    sizes, values = [size for size, _ in flows], [value for _, value in flows]
    assert_same(quantiles.by_size_class(in_pieces(flows, length)), measures.by_size_class(sizes, values))
    edges = (5, 1e6, 1e6 + 1)
    assert_same(quantiles.by_size_class(in_pieces(flows, length), edges), measures.by_size_class(sizes, values, edges))


@FEW
@given(FLOWS, st.sampled_from([7, 19, 60]), st.integers(1, 9))
def test_classes_of_equally_many(flows, length, bins):
    """Flows of equal size at the boundary of two classes are all in one of them, as in `measures`."""
    sizes, values = [size for size, _ in flows], [value for _, value in flows]
    assert_same(quantiles.by_size_share(in_pieces(flows, length), bins), measures.by_size_share(sizes, values, bins))


def test_an_odd_number_of_flows_has_a_median_that_is_one_of_them():
    values = np.random.default_rng(1).random(20_001)
    (row,) = quantiles.by_size_class(lambda: [(np.ones(20_001), values)], (0, 2))
    assert row["p50"] == np.sort(values)[10_000]
    assert row["p95"] == np.sort(values)[19_000]


def test_a_run_tells_its_flows_by_size_whether_they_are_in_memory_or_in_a_folder(tmp_path):
    scenario = {
        "topology": {"single-switch": {"hosts": 6}},
        "links": {"rate": "10 Gbit/s", "flow_control": "byte-credits"},
        "traffic": [
            {"name": name, "from": "all", "pattern": "uniform", "flows": "by-message"}
            | {"sizes": {"cdf": "enterprise"}, "arrivals": {"poisson": {"load": 0.3}}}
            for name in ("one", "other")
        ],
        "measure": {"duration": "20 ms", "probes": ["completions"]},
    }
    kept, written = congestree.run(scenario), congestree.run(scenario, out=tmp_path / "run")
    flows = kept.completions
    late = flows.filter((flows["class"] == "other") & (flows["created"] >= 5e-3))
    assert 10 < late.height < flows.height / 2
    for run in (kept, written, congestree.Run.load(tmp_path / "run")):
        assert_same(run.by_size_class(), measures.by_size_class(flows["size"], flows["slowdown"]))
        found = run.by_size_share("fct", 7, classes=["other"], after=5e-3)
        assert_same(found, measures.by_size_share(late["size"], late["fct"], 7))
        with pytest.raises(CongestreeError, match="no class of traffic third here; there are: o"):
            run.by_size_class(classes=["third"])
        with pytest.warns(renames.OlderName, match="write completions.finished"):
            older = run.by_size_class("finish")
        assert_same(older, run.by_size_class("finished"))


def test_a_long_table_is_not_loaded_to_say_what_is_in_it(tmp_path):
    scenario = {
        "topology": {"single-switch": {"hosts": 4}},
        "links": {"rate": "10 Gbit/s"},
        "traffic": [{"from": "all", "pattern": "uniform", "flows": "by-message", "message": "1 kB"}],
        "measure": {"duration": "100 us", "probes": ["completions"]},
    }
    scenario["traffic"][0]["arrivals"] = {"poisson": {"load": 0.3}}
    congestree.run(scenario, out=tmp_path / "run")
    run = congestree.Run.load(tmp_path / "run")
    said = repr(run), run.units("completions"), run.meanings("completions"), run.by_size_class()
    assert f"completions {int(run.value('flows_finished'))}" in said[0] and said[1]["fct"] == "s"
    assert said[3][0]["flows"] > 0 and math.isnan(said[3][1]["mean"])
    assert run._arrow["completions"] is None
