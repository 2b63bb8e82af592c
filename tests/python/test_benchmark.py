"""The benchmark measures what it says, with both agendas."""

import json

import pytest

from congestree import benchmark

KEYS = {"name", "packet_hops_per_s", "packet_hops", "wall_s", "events_per_hop", "peak_mib", "instructions_per_hop"}


def test_the_file_has_a_row_for_each_case_and_agenda(congestree_cli, tmp_path):
    done = congestree_cli("bench", "--quick", "--only", "-h", "--json", "bench.json")
    rows = json.loads((tmp_path / "bench.json").read_text())
    assert [row["name"] for row in rows] == ["a-hpl-10-10", "a-hpl-10-10-wheel", "a-hpl-10-10-heap"]
    assert "a-hpl-10-10" in done.stdout
    for row in rows:
        assert set(row) >= KEYS
        assert row["packet_hops"] > 100_000
        assert 1 < row["peak_mib"] < 1000
    assert rows[0]["packet_hops"] == rows[1]["packet_hops"]


def test_durations_scale():
    assert benchmark.scaled({"measure": {"duration": "1 ms"}}, 0.1)["measure"]["duration"] == "100 us"
    assert benchmark.scaled({"measure": {"duration": "1 s"}}, 0.03)["measure"]["duration"] == "30 ms"


@pytest.mark.slow
def test_150_flows_with_efl_take_at_most_twelve_seconds_of_a_core_for_each_that_they_last():
    """Ten seconds of the on-off load of the EFL paper should take two minutes at most; here it is one second."""
    measured = benchmark.measure("efl", benchmark.CASES["j-dumbbell-150-efl"], times=1)
    assert measured["packet_hops"] > 10_000_000
    assert measured["cpu_s"] < 12
