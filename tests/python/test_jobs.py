"""Applications from Python and the command line: GOAL files, tables of operations, slowdown."""

import json
import math

import polars
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import congestree
from congestree.applications import jobs
from congestree.cli import app
from congestree.errors import AskedError, CongestreeError

PAIR = """num_ranks 2
rank 0 { work: calc 1500 cpu 1; data: send 100000b to 1 tag 7; data requires work; back: recv 8b from -1 tag -1 }
rank 1 { data: recv 100000b from 0 tag 7; back: send 8b to 0 tag 8; back requires data; x: calc 3; x irequires back }
"""
SCENARIO = {
    "topology": {"k-ary-n-tree": {"k": 4, "n": 2}},
    "links": {"rate": "16 Gbit/s", "delay": "50 ns"},
    "switches": {"buffer": "8 KiB", "forwarding_delay": "100 ns"},
    "traffic": [
        {
            "name": "sum",
            "from": "all",
            "program": {"all-reduce-ring": {"bytes": "160 KiB"}},
            "job": {"ranks": 6, "placement": "random"},
        },
        {"name": "crowd", "from": ["h1", "h2", "h3", "h5", "h6"], "to": "h0"},
        {"name": "late", "from": "all", "program": "barrier", "start": "5 us"},
    ],
    "measure": {"duration": "50 ms", "until_jobs_end": True},
}
cli = CliRunner()


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".goal"])
def test_a_program_is_the_same_in_every_form(tmp_path, ending):
    (tmp_path / "pair.goal").write_text(PAIR)
    frame = jobs.read(tmp_path / "pair.goal")
    assert frame.columns == list(jobs.COLUMNS)
    assert frame["kind"].to_list() == ["calc", "send", "recv", "recv", "send", "calc"]
    assert frame["peer"].to_list() == [-1, 1, -1, 0, 0, -1]
    assert frame["requires"].to_list() == ["", "l0", "", "", "l0", ""]
    assert frame["irequires"].to_list()[5] == "l1"
    jobs.write(frame, tmp_path / f"again{ending}")
    assert jobs.read(tmp_path / f"again{ending}").equals(frame)


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".goal", ".bin"])
@pytest.mark.parametrize("column", jobs.COLUMNS)
def test_a_table_that_lacks_a_column_is_written_so_that_it_can_be_read_or_not_at_all(tmp_path, column, ending):
    frame, path = jobs.parse(PAIR)[0], tmp_path / f"w{ending}"
    if column in ("rank", "label", "kind", "bytes", "peer"):
        told = "lacks the column" if column in ("rank", "label", "kind") else "send of rank 0 without"
        with pytest.raises(CongestreeError, match=f"the table .*{told} {column}"):
            jobs.write(frame.drop(column), path)
        assert not path.exists()
        return
    jobs.write(frame.drop(column), path)
    again, kept = jobs.read(path), ["rank", "kind", "bytes", "peer"]
    assert again.select(kept).equals(frame.select(kept))
    if column == "tag":
        assert again["tag"].to_list() == [-1, 0, -1, -1, 0, -1]


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".goal", ".bin"])
def test_a_table_that_is_no_program_is_not_written(tmp_path, ending):
    frame = jobs.parse(PAIR)[0].with_columns(peer=polars.lit(-1))
    with pytest.raises(congestree.ScenarioError, match="cannot go to any rank"):
        jobs.write(frame, tmp_path / f"w{ending}")
    assert not list(tmp_path.iterdir())


@st.composite
def frames(draw):
    """Valid tables of operations: each waits for earlier ones of its rank."""
    ranks = draw(st.integers(2, 5))
    rows = []
    for rank in range(ranks):
        for number in range(draw(st.integers(1, 5))):
            kind = draw(st.sampled_from(["send", "recv", "calc"]))
            before = [f"l{i}" for i in range(number) if draw(st.booleans())]
            others = [r for r in range(ranks) if r != rank] + ([-1] if kind == "recv" else [])
            message = kind != "calc"
            rows.append(
                {
                    "rank": rank,
                    "label": f"l{number}",
                    "kind": kind,
                    "bytes": draw(st.integers(0, 2**40)) if message else 0,
                    "peer": draw(st.sampled_from(others)) if message else -1,
                    "tag": draw(st.integers(0, 2**31)) if message else -1,
                    "time": 0.0 if message else draw(st.integers(0, 10**9)) / 1e9,
                    "cpu": draw(st.integers(0, 255)),
                    "nic": draw(st.integers(0, 3)),
                    "requires": " ".join(before[::2]),
                    "irequires": " ".join(before[1::2]),
                }
            )
    kinds = {"bytes": polars.UInt64, "rank": polars.UInt32, "cpu": polars.UInt32, "nic": polars.UInt32}
    return polars.DataFrame(rows, schema_overrides=kinds)


@settings(max_examples=60, deadline=None)
@given(frames())
def test_any_table_reads_back_as_it_was(frame):
    again, facts = jobs.parse(jobs.goal_text(frame))
    assert again.equals(frame)
    assert facts["operations"] == frame.height
    assert facts["messages"] == (frame["kind"] == "send").sum()


FIRST = "rank,label,kind,bytes,peer,tag,time,requires\n"


@pytest.mark.parametrize(
    ("before", "last", "found"),
    [
        ("0,c{},calc,0,-1,-1,0,\n", "0,z,calc,0,-1,-1,1.5e-6,c119", {"time": 1.5e-6, "requires": "l119"}),
        ("0,c{},calc,,,,1e-6,\n", "0,z,send,100.0,1.0,3.0,,c0", {"bytes": 100, "peer": 1, "tag": 3}),
        ("0,c{},recv,1.0,1.0,3.0,,\n", "0,z,send,1099511627777,1,3,,", {"bytes": 2**40 + 1}),
        ("0,t{},calc,,,,,\n", "0,true,calc,,,,,", {"kind": "calc"}),
    ],
)
def test_a_csv_file_is_read_whatever_stands_in_its_first_rows(tmp_path, before, last, found):
    (tmp_path / "late.csv").write_text(FIRST + "".join(before.format(i) for i in range(240)) + f"{last}\n")
    row = jobs.read(tmp_path / "late.csv").row(240, named=True)
    assert {column: row[column] for column in found} == found


def test_empty_fields_in_quotation_marks_are_empty(tmp_path):
    head, rows = ",".join(jobs.COLUMNS), ["0,a,send,5,1,0,,,,,", "1,b,recv,5,0,,,,,,", "1,c,calc,,,,1e-6,,,b,"]
    plain = "\n".join([head, *rows]) + "\n"
    quoted = "\n".join(",".join(f'"{field}"' for field in line.split(",")) for line in [head, *rows]) + "\n"
    for name, text in (("plain.csv", plain), ("quoted.csv", quoted)):
        (tmp_path / name).write_text(text)
    assert '""' in quoted and jobs.read(tmp_path / "quoted.csv").equals(jobs.read(tmp_path / "plain.csv"))


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.randoms())
def test_the_order_of_rows_in_a_csv_file_does_not_decide_whether_it_is_read(tmp_path, random):
    rows = [f"0,c{i},calc,,,,{time}," for i, time in enumerate(["0", "1e-6", "0.5", ""] * 40)]
    rows += [f"0,m{i},{kind},{size},1,0,," for i, (kind, size) in enumerate([("send", 8), ("recv", "8.0")] * 20)]
    random.shuffle(rows)
    path = tmp_path / "shuffled.csv"
    path.write_text(FIRST + "\n".join(rows) + "\n")
    frame = jobs.read(path)
    assert frame["kind"].to_list() == [row.split(",")[2] for row in rows]
    assert (frame["time"].sum(), frame["bytes"].sum()) == (pytest.approx(20 + 40e-6), 320)


def test_a_table_of_floating_numbers_with_gaps_is_written_so_that_it_can_be_read(tmp_path):
    """As pandas has a column of whole numbers with gaps."""
    calc = {"rank": 0, "kind": "calc", "bytes": None, "peer": None, "tag": None}
    send = {"rank": 0, "kind": "send", "bytes": 100.0, "peer": 1.0, "tag": 3.0}
    rows = [{**row, "label": f"l{i}"} for i, row in enumerate([calc] * 120 + [send])]
    jobs.write(polars.DataFrame(rows, infer_schema_length=None), tmp_path / "w.csv")
    again = jobs.read(tmp_path / "w.csv")
    assert again.select("label", "bytes", "peer", "tag").row(120) == ("l120", 100, 1, 3)


def test_what_is_wrong_with_a_file_is_said_in_a_sentence(tmp_path):
    (tmp_path / "bad.goal").write_text("num_ranks 2\nrank 0 { send 8b to 5 }\n")
    with pytest.raises(congestree.ScenarioError, match=r"bad.goal:2:21[\s\S]*there is no rank 5"):
        jobs.read(tmp_path / "bad.goal")
    (tmp_path / "bad.csv").write_text("rank,label,kind\n0,a,calc\n0,a,calc\n")
    with pytest.raises(congestree.ScenarioError, match="as a GOAL file"):
        jobs.read(tmp_path / "bad.csv")
    for name, text, said in [
        ("lacks.csv", "rank,label\n0,a\n", "lacks the column kind"),
        ("words.csv", "rank,label,kind\nzero,a,calc\n", "Row 1 of .*words.csv is no operation"),
        ("kind.csv", "rank,label,kind\n0,a,calc\n0,b,Send\n", "Row 2 of .*: its kind is 'Send', and should be send"),
        ("kind.csv", "rank,label,kind\n0,a,\n", "Row 1 of .*: its kind is 'None'"),
        ("label.csv", "rank,label,kind\n0,1,calc\n", "Row 1 of .*: label '1' should have letters"),
        ("label.csv", "rank,label,kind\n0,a b,calc\n", "Row 1 of .*: label 'a b' should have letters"),
        ("label.csv", "rank,label,kind\n0,,calc\n", "Row 1 of .*: label 'None' should have letters"),
        ("wait.csv", 'rank,label,kind,requires\n0,a,calc,\n0,b,calc,"a,x"\n', "Row 2 of .*: label 'a,x' should"),
        ("size.csv", "rank,label,kind,size\n0,a,calc,5\n", "column 'size' that no table of .*: there are: rank,"),
        ("near.csv", "rank,label,kind,require\n0,a,calc,\n", "'require' .* has: did you mean \"requires\""),
        ("infinite.csv", "rank,label,kind,bytes\n0,a,recv,1e400\n", "no operation: bytes 1e400 is not a whole"),
        ("endless.csv", "rank,label,kind,time\n0,a,calc,1e400\n", "no operation: time 1e400 is no length"),
        ("back.csv", "rank,label,kind,time\n0,a,calc,-1\n", "time -1 is no length of a computation: give s, from 0 on"),
        ("half.csv", "rank,label,kind,peer\n0,a,recv,1.5\n", "peer 1.5 is not a whole number"),
        ("any.csv", "rank,label,kind,peer,tag\n0,a,recv,1,-2\n", "Row 1 .*: tag -2 is out of range: -1 stands for"),
        ("any.csv", "rank,label,kind,peer\n0,a,recv,-7\n", "Row 1 .*: peer -7 is out of range: -1 stands for any"),
        ("rank.csv", "rank,label,kind\n0,a,calc\n-3,a,calc\n", "Row 2 .*: rank -3 is out of range: the least is 0"),
        ("rank.csv", "rank,label,kind\n,a,calc\n", "Row 1 .* is no operation: its rank is missing"),
        ("words.csv", "rank,label,kind,bytes\n0,a,recv,x\n", "Row 1 .*: bytes 'x' is no number"),
        ("numbers.csv", "1\n01,", "lacks the column rank"),
        ("strange.parquet", "no parquet", "cannot be read"),
    ]:
        (tmp_path / name).write_text(text)
        with pytest.raises(CongestreeError, match=said):
            jobs.read(tmp_path / name)
    with pytest.raises(CongestreeError, match="There is no file"):
        jobs.read(tmp_path / "nowhere.csv")
    with pytest.raises(CongestreeError, match="There is no file"):
        jobs.read(tmp_path / "nowhere.goal")
    with pytest.raises(CongestreeError, match="no known ending"):
        jobs.write(jobs.parse(PAIR)[0], tmp_path / "pair.txt")


def test_a_column_that_would_be_passed_over_is_refused_in_every_form(tmp_path):
    frame = jobs.parse(PAIR)[0]
    for ending in (".csv", ".parquet", ".goal", ".bin"):
        with pytest.raises(CongestreeError, match="the table has a column 'depends'"):
            jobs.write(frame.with_columns(depends=polars.lit("l0")), tmp_path / f"w{ending}")
    frame.with_columns(duration=polars.lit(1)).write_parquet(tmp_path / "w.parquet")
    with pytest.raises(CongestreeError, match=r"w.parquet has a column 'duration'.*there are: rank, label"):
        jobs.read(tmp_path / "w.parquet")
    # Numbers of rows, as pandas writes them, say nothing of an operation.
    frame.to_pandas().to_csv(tmp_path / "pandas.csv")
    numbered = frame.to_pandas().set_index(frame["rank"].to_numpy() + 7)
    numbered.to_parquet(tmp_path / "pandas.parquet")
    for name in ("pandas.csv", "pandas.parquet"):
        assert jobs.read(tmp_path / name).equals(frame)


def test_a_small_table_with_no_end_of_operations_is_refused_before_it_is_read(tmp_path, monkeypatch):
    """Equal rows, and equal texts, take next to nothing in a Parquet file."""
    monkeypatch.setattr(jobs.memory, "default_limit", lambda: 1 << 30)
    rows = {"rank": [0] * 1000, "label": ["a"] * 1000, "kind": ["calc"] * 1000}
    table = polars.DataFrame(rows | {"requires": ["a " * 100_000] * 1000})
    table.write_parquet(tmp_path / "long.parquet")
    polars.concat([polars.DataFrame(rows)] * 2000).write_parquet(tmp_path / "many.parquet")
    for name, count in (("long", "1,000"), ("many", "2,000,000")):
        assert (tmp_path / f"{name}.parquet").stat().st_size < 500_000
        with pytest.raises(CongestreeError, match=f"{count} operations, which take about .* GiB of memory"):
            jobs.read(tmp_path / f"{name}.parquet")


def test_what_is_made_is_what_a_scenario_runs(tmp_path):
    text = jobs.make("all-reduce-ring", 6, bytes="160 KiB")
    assert jobs.of_scenario(SCENARIO, "sum") == text
    read = {**SCENARIO["traffic"][0], "program": {"text": text}}
    made, again = (congestree.run({**SCENARIO, "traffic": [e]}) for e in (SCENARIO["traffic"][0], read))
    assert made.fingerprint == again.fingerprint
    with pytest.raises(CongestreeError, match="name one of sum, late"):
        jobs.of_scenario(SCENARIO)
    with pytest.raises(CongestreeError, match='no application "crowd"'):
        jobs.of_scenario(SCENARIO, "crowd")


def test_a_manifest_holds_the_program_so_that_it_runs_again_without_the_file(tmp_path):
    (tmp_path / "pair.goal").write_text(PAIR)
    base = 'topology.single-switch.hosts = 2\nlinks = { rate = "16 Gbit/s" }\nmeasure.duration = "1 ms"\n'
    (tmp_path / "pair.toml").write_text(base + '[[traffic]]\nfrom = "all"\nprogram.goal = "pair.goal"\n')
    run = congestree.run(tmp_path / "pair.toml", out=tmp_path / "run")
    (tmp_path / "pair.goal").unlink()
    assert congestree.run(run.scenario).fingerprint == run.fingerprint
    assert run.jobs["completion"][0] > 100000 * 8 / 16e9


def test_slowdown_is_measured_against_the_same_fabric_without_the_others():
    run = congestree.run(SCENARIO)
    frame = jobs.slowdown(SCENARIO, run=run)
    assert frame["job"].to_list() == ["sum", "late"]
    alone = congestree.run({**SCENARIO, "traffic": SCENARIO["traffic"][:1]})
    assert frame["alone"][0] == alone.jobs["completion"][0]
    assert alone.ranks["host"].to_list() == run.ranks.filter(polars.col("job") == "sum")["host"].to_list()
    assert frame["slowdown"][0] == pytest.approx(run.jobs["completion"][0] / alone.jobs["completion"][0])
    assert frame["slowdown"][0] > 1.05
    looked_at = {**SCENARIO, "measure": {**SCENARIO["measure"], "probes": ["trees"], "sampling_interval": "1 us"}}
    assert jobs.slowdown(looked_at).equals(frame)
    row = run.row()
    assert row["completion.sum"] == run.jobs["completion"][0] and not math.isnan(row["completion.late"])
    with pytest.raises(CongestreeError, match="no application"):
        jobs.slowdown({**SCENARIO, "traffic": SCENARIO["traffic"][1:2], "measure": {"duration": "10 us"}})


@pytest.mark.parametrize("function", [jobs.slowdown, congestree.job_report.report], ids=["slowdown", "report"])
def test_a_run_beside_a_scenario_is_one_of_that_scenario(function):
    """Values, seed and scenario were passed over, and the results were those of another scenario."""
    values = {"traffic.sum.start": "1 us", "seed": 5}
    run = congestree.run(SCENARIO, values=values)
    for scenario, options in (
        (SCENARIO, {}),
        (SCENARIO, {"values": {**values, "links.rate": "8 Gbit/s"}}),
        (SCENARIO, {"values": values, "seed": 6}),
        ("hot-spot", {"values": {"seed": 5}}),
    ):
        with pytest.raises(AskedError, match=r"^run= of job\w+\.\w+ is of another scenario, other values, another"):
            function(scenario, run=run, **options)
    with pytest.raises(AskedError, match=r"^job\w+\.\w+ takes a Run, and not int: give what congestree\.run"):
        function(SCENARIO, run=5)
    again = function(SCENARIO, values={"traffic.0.start": "1 us"}, seed=5, run=run)
    assert str(again) == str(function(run.scenario, run=run)) == str(function(SCENARIO, values=values))


def test_ranks_are_drawn_and_missing_tables_explained(tmp_path):
    run = congestree.run(SCENARIO)
    lines = congestree.plots.plot_ranks(run).axes[0].get_lines()
    assert [len(line.get_xdata()) for line in lines] == [6, 16]
    assert "ranks" in {path.stem for path in congestree.plots.draw_all(run, tmp_path)}
    told = congestree.run({**SCENARIO, "measure": {**SCENARIO["measure"], "probes": ["messages"]}})
    lines = congestree.plots.plot_messages(told, job="sum").axes[0].collections[0]
    assert len(lines.get_segments()) == (told.messages["job"] == "sum").sum() == 60
    assert congestree.plots.plot_messages(told, job="sum").axes[0].get_title("left") == "messages of sum"
    some = congestree.plots.plot_messages(told, most=10).axes[0]
    assert len(some.collections[0].get_segments()) == 10
    assert some.get_title("left") == f"messages of late: one in 7 of {(told.messages['job'] == 'late').sum()}"
    assert "messages" in {path.stem for path in congestree.plots.draw_all(told, tmp_path)}
    with pytest.raises(AttributeError, match='add the probe "messages"'):
        _ = run.messages
    none = congestree.run({**SCENARIO, "traffic": SCENARIO["traffic"][1:2], "measure": {"duration": "10 us"}})
    with pytest.raises(AttributeError, match="give the scenario a program in traffic"):
        _ = none.jobs


def test_the_command_line_reads_makes_and_writes_programs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = cli.invoke(app, ["goal", "make", "ping-pong", "--ranks", "2", "--set", "bytes=8 B", "--out", "pp.goal"])
    assert made.exit_code == 0, made.output
    read = cli.invoke(app, ["goal", "read", "pp.goal", "--out", "pp.csv", "--json"])
    facts = json.loads(read.stdout)
    assert (facts["ranks"], facts["messages"], facts["never_finished"], facts["written"]) == (2, 2, 0, "pp.csv")
    (tmp_path / "mixed.json").write_text(json.dumps(SCENARIO))
    wrote = cli.invoke(app, ["goal", "write", "mixed.json", "--job", "late"])
    assert wrote.stdout.startswith("num_ranks 16\n")
    missing = cli.invoke(app, ["goal", "make", "ping-pong", "--ranks", "2"])
    assert missing.exit_code == 2 and missing.stderr.startswith("ping-pong.bytes\n  the key `bytes` is missing;")
    unknown = cli.invoke(app, ["goal", "make", "ping-pang", "--ranks", "2", "--set", "bytes=8 B"])
    assert unknown.exit_code == 2 and "ping-pong" in unknown.stderr
    (tmp_path / "waits.goal").write_text("num_ranks 2 rank 0 { recv 8b from 1 }")
    waits = cli.invoke(app, ["goal", "read", "waits.goal"])
    assert waits.exit_code == 1 and "rank 0 waits for a message from rank 1 with tag 0" in waits.stderr


@pytest.mark.parametrize("ending", [".goal", ".bin", ".csv", ".parquet"])
def test_last_ranks_that_do_nothing_are_written_or_told_to_be_left_out(tmp_path, monkeypatch, ending):
    """Of five ranks three sit idle; a table has no place for them."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "five.goal").write_text(PAIR.replace("num_ranks 2", "num_ranks 5"))
    said = cli.invoke(app, ["goal", "read", "five.goal", "--out", f"copy{ending}"])
    assert said.exit_code == 0, said.output
    is_table = ending in (".csv", ".parquet")
    assert jobs.read_whole(f"copy{ending}")[1]["ranks"] == (2 if is_table else 5)
    told = f"note: the last of the 5 ranks do nothing, and are not in copy{ending}: 2 will be read from it"
    assert (told in said.stderr) == is_table
    cli.invoke(app, ["goal", "make", "ping-pong", "--ranks", "5", "--set", "bytes=8 B", "--out", f"made{ending}"])
    assert jobs.read_whole(f"made{ending}")[1]["ranks"] == (4 if is_table else 5)


@pytest.mark.parametrize("ending", [".goal", ".bin", ".csv", ".parquet"])
def test_a_program_without_operations_is_written_where_it_can_be_read(tmp_path, congestree_cli, ending):
    (tmp_path / "none.goal").write_text("num_ranks 2\n")
    is_table = ending in (".csv", ".parquet")
    said = congestree_cli("goal", "read", "none.goal", "--out", f"copy{ending}", code=2 if is_table else 0)
    path = tmp_path / f"copy{ending}"
    if is_table:
        assert "would have no operations, and could not be read: write .goal or .bin" in said.stderr
        assert not path.exists()
        empty = jobs.read(tmp_path / "none.goal")
        empty.write_csv(path) if ending == ".csv" else empty.write_parquet(path)
        with pytest.raises(CongestreeError, match=f"copy{ending} has no operations, and so no ranks: write a row"):
            jobs.read(path)
    else:
        assert jobs.read_whole(path)[1]["ranks"] == 2


def test_a_table_has_no_more_ranks_than_are_given():
    frame, _ = jobs.parse(PAIR)
    assert jobs.goal_text(frame, ranks=7).startswith("num_ranks 7\n")
    with pytest.raises(CongestreeError, match="the table has a rank 1: give at least 2 ranks"):
        jobs.goal_text(frame, ranks=1)


ROUNDS = {
    "any": {"text": PAIR.replace("num_ranks 2", "num_ranks 3")},  # the last rank does nothing
    "sum": {"all-reduce-doubling": {"bytes": "16 KiB"}},
    "at once": {"all-to-all": {"bytes": "64 KiB", "order": "at-once"}},
}


@pytest.mark.parametrize("overhead", ["0 ns", "300 ns"])
@pytest.mark.parametrize("program", ROUNDS.values(), ids=ROUNDS)
def test_all_rounds_of_a_job_are_written_and_run_as_they_do(tmp_path, program, overhead):
    job = {"repeat": 3, "overhead": overhead, "ranks": 3 if "text" in program else 8}
    entry = {"name": "rounds", "from": "all", "program": program, "job": job}
    told = {**SCENARIO, "traffic": [entry, SCENARIO["traffic"][1]]}
    text = jobs.of_scenario(told, "rounds")
    _, facts = jobs.parse(text)
    run = congestree.run(told)
    assert facts["messages"] == run.jobs["messages"][0] and facts["never_finished"] == 0
    entry |= {"program": {"text": text}, "job": job | {"repeat": 1}}
    again = congestree.run(told | {"traffic": [entry, SCENARIO["traffic"][1]]})
    columns = ("finished", "computing", "exposed", "messages", "bytes")
    assert again.ranks.select(columns).equals(run.ranks.select(columns))


def test_rounds_that_do_not_fit_into_memory_are_refused_with_a_sentence():
    entry = {"name": "long", "from": "all", "program": "barrier", "job": {"repeat": 4_000_000_000}}
    with pytest.raises(CongestreeError, match=r"long runs its program 4,000,000,000 times.*Give it a smaller repeat"):
        jobs.of_scenario({**SCENARIO, "traffic": [entry]})


def test_a_stuck_application_stops_the_run_with_a_sentence(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "num_ranks 2 rank 0 { send 8b to 1 tag 1 } rank 1 { recv 8b from -1 tag 2 }"
    stuck = {**SCENARIO, "traffic": [{"name": "app", "from": "all", "program": {"text": text}}]}
    (tmp_path / "stuck.json").write_text(json.dumps(stuck))
    said = cli.invoke(app, ["run", "stuck.json"])
    assert said.exit_code == 1
    assert "job app cannot go on: rank 1 waits for a message from any rank with tag 2" in said.stderr


@pytest.mark.parametrize("route", ["least-queue", "spray", "valiant"])
def test_a_message_is_in_when_all_of_it_is_though_packets_overtake_each_other(route):
    """The deliveries of all packets, put together by message, agree with what the job was told."""
    scenario = {
        "topology": {"clos": {"down": [2, 4], "up": [3]}},
        "links": {"rate": "8 Gbit/s", "delay": "20 ns", "lanes": 2, "hop_lanes": "by-route"},
        "switches": {"buffer": "16 KiB", "forwarding_delay": "50 ns"},
        "adapters": {"mtu": "1000 B", "header": "0 B"},
        "scheme": {"route": route},
        "traffic": [
            {
                "name": "sum",
                "from": "all",
                "program": {
                    "collective": {"operation": "all-to-all", "bytes": "480 kB", "chunking": {"chunk": "7 kB"}}
                },
            },
            {"name": "crowd", "from": ["h1", "h2", "h3"], "to": "h0"},
        ],
        "measure": {"duration": "50 ms", "until_jobs_end": True, "audit": True, "probes": ["deliveries", "messages"]},
    }
    run = congestree.run(scenario)
    flows = run.flows.filter(polars.col("class") == "sum")
    assert run.manifest["stopped"] is None and flows["reordered"].sum() > 0
    hosts = {f"h{number}": number for number in range(8)}
    expected, told = [], []
    for row in flows.iter_rows(named=True):
        packets = run.deliveries.filter(polars.col("flow") == row["flow"]).sort("sequence")
        ends = (polars.col("from") == hosts[row["source"]]) & (polars.col("to") == hosts[row["destination"]])
        sent = run.messages.filter(ends)
        first = 0
        for size, at in sent.sort("sent", "tag").select("bytes", "delivered").iter_rows():
            first += -(-size // 1000)
            expected.append(packets["time_ps"][:first].max())
            told.append(round(at * 1e12))
    assert len(told) > 0 and told == expected


def test_ranks_of_a_host_share_its_link_inside_the_node():
    """Two jobs send 1000 B each from one host to its neighbour, over a link of 1 B/ns."""
    program = {"text": "num_ranks 2 rank 0 { send 1000b to 1 } rank 1 { recv 1000b from 0 }"}
    run = congestree.run(
        {
            "topology": {"single-switch": {"hosts": 2}},
            "links": {"rate": "8 Gbit/s"},
            "adapters": {"node": {"hosts": 2, "rate": "8 Gbit/s", "delay": "10 ns"}},
            "traffic": [{"name": name, "from": "all", "program": program} for name in ("one", "two")],
            "measure": {"duration": "50 us"},
        }
    )
    assert run.jobs["finished"].to_list() == pytest.approx([1.01e-6, 2.01e-6])


def test_a_job_changes_no_ack_of_others():
    """A source without end has no last packet of a message, whatever else is sent."""
    traffic = [
        {"name": "endless", "from": "H1", "to": "H2", "message": "2048 B"},
        {"name": "job", "from": ["H3", "H4"], "program": {"text": "num_ranks 2"}},
    ]
    alone, beside = (
        congestree.run(
            {
                "topology": {"single-switch": {"hosts": 4}},
                "links": {"rate": "8 Gbit/s"},
                "adapters": {"acks": {"every": 4, "flush": "5 us"}, "window": 4},
                "traffic": traffic[:count],
                "measure": {"duration": "50 us"},
            }
        )
        for count in (1, 2)
    )
    assert alone.manifest["fingerprint"] == beside.manifest["fingerprint"]


@pytest.mark.parametrize("said", [{"bytes": "1 MiB"}, {"bytes": "0 B"}])
def test_a_barrier_has_no_bytes_in_its_step(said):
    """It sends flags, however large a vector is named."""
    program = {"collective": {"operation": "barrier", **said}}
    run = congestree.run(
        {
            "topology": {"single-switch": {"hosts": 4}},
            "links": {"rate": "8 Gbit/s"},
            "traffic": [{"name": "wait", "from": "all", "program": program}],
            "measure": {"duration": "1 ms", "until_jobs_end": True, "probes": ["messages"]},
        }
    )
    assert run.steps["bytes"].to_list() == [0]
    assert run.messages["bytes"].to_list() == [8] * 8


def test_of_ranks_that_finish_together_the_lowest_is_the_slowest():
    run = congestree.run(
        {
            "topology": {"single-switch": {"hosts": 2}},
            "links": {"rate": "8 Gbit/s"},
            "traffic": [{"name": "job", "from": "all", "program": {"all-to-all": {"bytes": "10 kB"}}}],
            "measure": {"duration": "1 ms"},
        }
    )
    assert run.ranks["finished"].n_unique() == 1 and len(run.ranks) == 2
    assert run.jobs["slowest"].to_list() == [0]
