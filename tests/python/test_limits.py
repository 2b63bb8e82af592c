"""What a rate limit left each flow (`congestree.evaluation.trees.limits`), read piece by piece."""

import tracemalloc
from collections import defaultdict
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

import congestree
from congestree.evaluation.trees import limits

from .test_trees import SPREADING

PIECE = 1 << 16


def by_rows(run):
    """{flow: the part of its full rate that its limit left it}, by the definition, record by record."""
    told = defaultdict(list)
    for row in run.arrow("flow_series").to_pylist():
        if row["limit"] > 0:
            told[row["flow"]].append((row["time"], 1 / row["limit"]))
    shares = {}
    for flow, bins in told.items():
        ends = [time for time, _ in bins[1:]] + [run.duration]
        left = sum((end - time) * share for (time, share), end in zip(bins, ends, strict=True))
        shares[flow] = left / (run.duration - bins[0][0])
    return shares


def shares(run):
    flows, left = limits.shares(run)
    return dict(zip(flows.tolist(), left.tolist(), strict=True))


@pytest.mark.parametrize("rows", [3, PIECE])
def test_shares_are_those_of_the_definition_wherever_pieces_end(rows, monkeypatch):
    monkeypatch.setattr(congestree.runs.parquet, "PIECE", rows)
    run = congestree.run(SPREADING, values={"scheme.preset": "input-triggered", "measure.bin": "37 us"})
    expected = by_rows(run)
    assert min(expected.values()) < 0.6
    assert shares(run) == pytest.approx(expected)
    assert list(shares(run)) == list(expected)


def test_flows_that_begin_late_and_records_without_a_limit_count_as_defined():
    table = pa.table(
        {
            "time": [0.0, 0.0, 1.0, 1.0, 2.0, 3.0, 3.0],
            "flow": [5, 2, 2, 0, 5, 2, 5],
            "limit": [2.0, 1.0, 4.0, 0.0, 1.0, 8.0, 4.0],
        }
    )
    flows = pa.table({"flow": [0, 2, 5]})
    run = SimpleNamespace(
        duration=4.0,
        arrow=lambda name, columns=None: {"flows": flows, "flow_series": table}[name],
        pieces=lambda name, columns: table.select(columns).to_batches(2),
    )
    assert shares(run) == pytest.approx(by_rows(run))
    assert shares(run) == pytest.approx({5: 2.25 / 4, 2: 1.625 / 4})
    assert list(shares(run)) == [5, 2]


def test_a_long_table_is_never_in_memory_as_a_whole():
    count = 10_000
    flow = np.arange(PIECE) % count
    limit = 1 + flow % 3.0

    def pieces(name, columns):
        for number in range(2_000_000 // PIECE):
            values = {"time": np.full(PIECE, number * 1e-6), "flow": flow, "limit": limit}
            yield pa.record_batch([pa.array(values[key]) for key in columns], names=columns)

    flows = pa.table({"flow": np.arange(count)})
    run = SimpleNamespace(duration=1.0, arrow=lambda name, columns=None: flows, pieces=pieces)
    tracemalloc.start()
    try:
        found = shares(run)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found[0] == pytest.approx(1.0) and found[2] == pytest.approx(1 / 3)
    assert most < 20e6
