"""Programs written from scenarios: lengths of computations, and what is left out."""

import polars
import pytest
from typer.testing import CliRunner

import congestree
from congestree import jobs
from congestree.cli import app
from congestree.errors import Note

cli = CliRunner()


def scenario(program, **job):
    return {
        "topology": {"single-switch": {"hosts": 4}},
        "links": {"rate": "400 Gbit/s"},
        "traffic": [{"name": "app", "from": "all", "program": program, "job": job}],
        "measure": {"duration": "1 ms", "until_jobs_end": True},
    }


SHORT = {  # every rank combines 96 times 128 B, which takes 0.427 ns
    "collective": {
        "operation": "all-reduce",
        "bytes": "16 KiB",
        "combine_rate": "2400 Gbit/s",
        "chunking": {"chunk": "128 B"},
    }
}
OF_SHORT = 96 * 128 * 8 / 2400e9
TOLD = "computations are rounded to whole nanoseconds, as GOAL has them: 384 of 384 became 0"


def computing(told):
    return congestree.run(told).ranks["computing"].to_list()


@pytest.mark.parametrize("repeat", [1, 3])
def test_stragglers_are_not_written_into_a_program(repeat):
    text = "num_ranks 2 rank 0 { calc 1000 send 100b to 1 } rank 1 { c: calc 500 r: recv 100b from 0 r requires c }"
    told = scenario({"text": text}, repeat=repeat, stragglers=[{"ranks": [0], "factor": 3.0}])
    written = jobs.of_scenario(told)
    assert "calc 1000" in written and "calc 3000" not in written
    again = scenario({"text": written}, stragglers=[{"ranks": [0], "factor": 3.0}])
    assert computing(again) == computing(told) == pytest.approx([3e-6 * repeat, 0.5e-6 * repeat])
    alone = {**told["traffic"][0], "job": {"repeat": repeat}}
    assert written == jobs.of_scenario({**told, "traffic": [alone]})


@pytest.mark.parametrize("repeat", [1, 3])
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_tables_have_the_exact_lengths_of_computations(tmp_path, monkeypatch, ending, repeat):
    monkeypatch.chdir(tmp_path)
    congestree.Scenario.from_dict(scenario(SHORT, repeat=repeat)).save("short.toml")
    said = cli.invoke(app, ["goal", "write", "short.toml", "--out", f"x.{ending}"])
    assert said.exit_code == 0 and "rounded" not in said.stderr, said.output
    frame, facts = jobs.read_whole(f"x.{ending}")
    assert frame["time"].max() == pytest.approx(OF_SHORT / 96, rel=2e-3)  # the engine's clock counts picoseconds
    by_rank = frame.group_by("rank").agg(polars.col("time").sum()).sort("rank")["time"].to_list()
    assert by_rank == pytest.approx(computing(scenario(SHORT, repeat=repeat)))
    assert facts["computing_s"] == pytest.approx(sum(by_rank)) == pytest.approx(4 * repeat * OF_SHORT, rel=2e-3)


def test_what_becomes_of_computations_in_goal_text_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    congestree.Scenario.from_dict(scenario(SHORT)).save("short.toml")
    with pytest.warns(Note, match=TOLD):
        text = jobs.of_scenario("short.toml")
    for out in ([], ["--out", "x.goal"], ["--out", "x.bin"]):
        said = cli.invoke(app, ["goal", "write", "short.toml", *out])
        assert said.exit_code == 0 and f"note: {TOLD}" in said.stderr, said.output
    assert jobs.read("x.goal")["time"].sum() == 0 and "calc 0" in text
    table = polars.DataFrame({"rank": [0], "label": ["a"], "kind": ["calc"], "time": [1.4e-9]})
    with pytest.warns(Note, match="0 of 1 became 0, and together they take 1 ns, not 1.4 ns"):
        jobs.goal_text(table)
    jobs.write(table.with_columns(time=1.4e-6), "long.goal")


def test_halves_of_nanoseconds_are_rounded_up_in_a_table_as_by_the_engine(tmp_path):
    times = [0.5e-9, 2.5e-9, 3.5e-9]
    table = polars.DataFrame({"rank": [0] * 3, "label": list("abc"), "kind": ["calc"] * 3, "time": times})
    with pytest.warns(Note, match="0 of 3 became 0, and together they take 8 ns, not 6.5 ns"):
        text = jobs.goal_text(table)
    assert [f"calc {ns}" in text for ns in (1, 3, 4)] == [True] * 3


def test_a_sum_that_hardly_changes_is_not_told():
    """0.4 ns vanish beside 1 us: together they took 1 us, "not 1 us"."""
    times = [0.4e-9, 0.6e-9, 1e-6]
    table = polars.DataFrame({"rank": [0] * 3, "label": list("abc"), "kind": ["calc"] * 3, "time": times})
    with pytest.warns(Note, match="1 of 3 became 0; .csv and .parquet files"):
        jobs.goal_text(table)


def test_lengths_stay_with_their_operations_whatever_the_order_of_the_ranks(tmp_path):
    times = [0.3e-9, 0.0, 0.1e-9, 2e-9]
    table = polars.DataFrame({"rank": [1, 0, 0, 1], "label": list("abcd"), "kind": ["calc"] * 4, "time": times})
    jobs.write(table, tmp_path / "x.csv")
    read = jobs.read(tmp_path / "x.csv")
    assert read["rank"].to_list() == [0, 0, 1, 1] and read["time"].to_list() == [0.0, 0.1e-9, 0.3e-9, 2e-9]
