"""Older names of keys, words, tables and columns work, and their use leads to one warning with the current name."""

import json
import warnings

import pytest
from typer.testing import CliRunner

import congestree
from congestree import _engine, document, renames
from congestree.cli import app
from congestree.runs import store
from congestree.runs.results import Run, scenario_hash
from congestree.scenario import Measure, Scenario, Scheme
from congestree.studies.sweeping import expand

TODAY = """
[topology.two-switch]
local = 2
remote = 2
[links]
rate = "8 Gbit/s"
[[traffic]]
from = ["local", "remote"]
to = "B_C"
[scheme.schedule.rcm]
flow_sampling = "by-chance"
[measure]
duration = "100 us"
probes = ["regions", "trees"]
sampling_interval = "5 us"
"""
OLDER = (
    TODAY.replace("scheme.schedule.rcm", "scheme.rcm")
    .replace("flow_sampling", "flow_looks")
    .replace("sampling_interval", "look_every")
)
KNOWN = {
    "measure.look_every": "measure.sampling_interval",
    "scheme.rcm": "scheme.schedule.rcm",
    "scheme.schedule.rcm.flow_looks": "scheme.schedule.rcm.flow_sampling",
}


def told(call, *arguments, **options):
    """The result of a call, and the warnings that it gives."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        answer = call(*arguments, **options)
    assert {one.category for one in caught} <= {renames.OlderName}
    assert {one.filename for one in caught} <= {__file__}, "the notice points at who uses the name"
    return answer, [str(one.message) for one in caught]


def test_an_older_file_is_the_same_run_and_says_what_to_write(tmp_path):
    path = tmp_path / "older.toml"
    path.write_text(OLDER)
    run, notices = told(congestree.run, path)
    today, none = told(congestree.run, TODAY)
    assert none == []
    assert run.fingerprint == today.fingerprint and run.scenario == today.scenario
    assert run.manifest["hash"] == today.manifest["hash"]
    assert len(notices) == len(KNOWN)
    for (old, new), said in zip(KNOWN.items(), sorted(notices, key=lambda said: said.split("  ")[1]), strict=True):
        place, fact, remedy = said.splitlines()
        assert place.startswith(f"{path}:") and place.endswith(f"  {old}")
        assert "is an older name" in fact and f"`{new}`" in remedy and "0.2.0" in remedy


def test_check_prints_each_notice_once_and_the_place(tmp_path):
    path = tmp_path / "older.toml"
    path.write_text(OLDER)
    done = CliRunner().invoke(app, ["check", str(path)])
    assert done.exit_code == 0, done.output
    line = OLDER[: OLDER.index("look_every")].count("\n") + 1
    assert done.stderr.count(f"notice: {path}:{line}:1  measure.look_every") == 1
    assert done.stderr.count("notice:") == len(KNOWN)
    assert "notice:" not in done.stdout


def test_both_names_are_refused_with_the_place(tmp_path):
    with pytest.raises(congestree.ScenarioError) as error:
        told(congestree.check, OLDER + 'sampling_interval = "1 us"\n')
    (complaint,) = error.value.complaints
    assert complaint["path"] == "measure.look_every" and complaint["remedy"] == "leave out one of them"
    assert complaint["line"] == OLDER[: OLDER.index("look_every")].count("\n") + 1


@pytest.mark.parametrize("text", [OLDER, TODAY], ids=["older", "today"])
def test_values_and_sweeps_know_older_paths(text):
    value = {"measure.look_every": "10 us"}
    answer, notices = told(congestree.check, text, values=value)
    assert answer["scenario"]["measure"]["sampling_interval"] == "10 us"
    assert any("measure.look_every is an older name" in said for said in notices)
    points, notices = told(expand, text, over={"scheme.rcm.calm_looks": [3, 4]})
    assert [p["scenario"]["scheme"]["schedule"]["rcm"]["calm_samples"] for p in points] == [3, 4]
    assert [p["values"] for p in points] == [{"scheme.rcm.calm_looks": n} for n in (3, 4)], (
        "columns as they are asked for"
    )
    assert any("calm_looks" in said for said in notices)


def test_classes_know_older_fields():
    measure, notices = told(lambda: Measure(duration="1 us", look_every="2 us"))
    assert measure == Measure(duration="1 us", sampling_interval="2 us") and len(notices) == 1
    assert told(lambda: measure.look_every) == ("2 us", ["Measure.look_every is an older name: read sampling_interval"])
    assert told(measure.replace, look_every="3 us")[0].sampling_interval == "3 us"
    scheme, _ = told(lambda: Scheme(rcm={"flows": 8}))
    assert scheme.schedule.flows == 8 and told(lambda: scheme.rcm)[0] is scheme.schedule
    older, notices = told(Scenario.from_text, OLDER)
    assert older == Scenario.from_text(TODAY) and len(notices) == len(KNOWN)
    with pytest.raises(congestree.CongestreeError, match="leave out one"):
        told(lambda: Measure(duration="1 us", look_every="2 us", sampling_interval="2 us"))


def test_a_hash_is_made_of_the_names_that_it_was_first_made_of():
    resolved = congestree.check(TODAY)["scenario"]
    first = renames.first_named(resolved)
    assert {"look_every", "watchdog"} <= first["measure"].keys() and "flow_looks" in first["scheme"]["rcm"]
    assert scenario_hash(resolved) == scenario_hash(first)
    assert "watchdog" in first["measure"], "it is not changed for its hash"
    assert renames.renewed(first) == resolved


@pytest.fixture
def older_run(tmp_path):
    """A run as a version with the older names has written it."""
    probes = ["isolation", "detections", "hol-blocking", "injection-audit"]
    text = 'topology = "test-bed"\nlinks.rate = "10 Gbit/s"\nscheme.preset = "ecocc"\n[[traffic]]\n'
    text += (
        f'from = ["H2", "H3", "H6", "H7"]\nto = "H4"\n[measure]\nduration = "100 us"\nprobes = {json.dumps(probes)}\n'
    )
    run = congestree.run(text)
    tables = {}
    for name in run.tables:
        back = {one.new: old for old, one in renames.COLUMNS.get(name, {}).items()}
        table = run.arrow(name)
        table = table.rename_columns([back.get(column, column) for column in table.column_names])
        if name == "summary":
            rows = [{"queues_exhausted": "lacking"}.get(row, row) for row in table["name"].to_pylist()]
            table = table.set_column(0, table.schema.field(0), [rows])
        tables[{one.new: old for old, one in renames.TABLES.items()}.get(name, name)] = table
    manifest = {**run.manifest, "scenario": renames.first_named(run.scenario)}
    store.save(tmp_path / "older", manifest, tables)
    return run, tmp_path / "older"


def test_a_stored_run_of_older_names_reads_like_one_of_today(older_run):
    run, folder = older_run
    older, notices = told(Run.load, folder)
    assert notices == [] and older.scenario == run.scenario and sorted(older.tables) == sorted(run.tables)
    for name in run.tables:
        assert older.arrow(name).equals(run.arrow(name)), name
        assert older.units(name) == run.units(name)
    again = Run.load(folder)
    columns = ["for_output", "requesting"]
    assert again.arrow("detections", columns).equals(run.arrow("detections", columns))
    pieces = list(Run.load(folder).pieces("detections", columns))
    assert pieces[0].schema.names == columns and sum(len(piece) for piece in pieces) == run.arrow("detections").num_rows
    assert older.value("queues_exhausted") == run.value("queues_exhausted")
    again.save(folder)
    assert Run.load(folder).arrow("injection_audit").equals(run.arrow("injection_audit"))


def test_a_run_is_read_without_a_copy_of_its_scenario(older_run, monkeypatch):
    """With a list of a million messages the copy took longer than reading the manifest."""
    monkeypatch.setattr(renames, "_copy", lambda scenario: pytest.fail("a copy"))
    assert Run.load(older_run[1]).scenario == older_run[0].scenario


def test_older_names_of_tables_and_columns_find_those_of_today(older_run):
    run, _ = older_run
    for name in ("theirs", "asking"):
        column, notices = told(lambda name=name: run.detections[name])
        new = renames.COLUMNS["detections"][name].new
        assert column.equals(run.detections[new]) and len(notices) == 1 and f"detections.{new}" in notices[0]
    assert told(run.arrow, "detections", ["theirs"])[0].column_names == ["for_output"]
    table, notices = told(lambda: run.gates)
    assert table.equals(run.injection_audit) and "write injection_audit" in notices[0]
    assert told(run.value, "lacking")[0] == run.value("queues_exhausted")
    assert list(run.detections.filter(run.detections["held"] > 0)["for_output"]) is not None


def test_a_pandas_frame_finds_columns_by_their_older_names(older_run):
    pytest.importorskip("pandas")
    run, _ = older_run
    frame = run.pandas("detections")
    for call in (lambda: frame["theirs"], lambda: frame.theirs, lambda: frame[["held", "theirs"]]["for_output"]):
        column, notices = told(call)
        assert list(column) == list(run.detections["for_output"])
        assert len(notices) == 1 and "detections.for_output" in notices[0]
    assert told(lambda: frame[frame["held"] > 0]["for_output"])[1] == []
    assert (
        frame.equals(run.arrow("detections").to_pandas())
        and type(run.pandas("flows")).__module__ != "congestree.renames"
    )


def test_facts_of_trees_are_found_by_their_older_names():
    run = congestree.run(
        'topology = "test-bed"\nlinks.rate = "10 Gbit/s"\n[[traffic]]\nfrom = ["H2", "H3"]\nto = "H4"\n[measure]\n'
        'duration = "20 us"\nprobes = ["trees"]\nsampling_interval = "1 us"\n'
    )
    facts = congestree.trees.summary(run)
    assert facts["samples"] == 20 and "looks" not in json.loads(json.dumps(facts))
    for call in (lambda: facts["looks"], lambda: facts.get("looks")):
        number, notices = told(call)
        assert number == 20 and len(notices) == 1 and 'write trees.summary(...)["samples"]' in notices[0]
    assert facts.get("kinds", 1) == 1
    with pytest.raises(KeyError, match="kinds"):
        facts["kinds"]
    times, notices = told(lambda: congestree.trees.look_times(run))
    assert times == congestree.trees.sample_times(run) and "sample_times" in notices[0]


def test_every_name_of_today_is_known_to_the_engine():
    schema = json.loads(_engine.schema())
    keys = json.dumps(schema)
    for one in renames.SCENARIO:
        assert f'"{one.new.rpartition(".")[2]}"' in keys, one
    assert document.parse(TODAY, "toml") == renames.renewed(document.parse(OLDER, "toml"))


def test_an_older_module_is_found_too():
    shelf, notices = told(getattr, congestree.gallery, "shelf")
    assert shelf is congestree.gallery.shipped and "write congestree.gallery.shipped" in notices[0]
