"""What a folder of results holds already: damage is mended, and results of another kind are left alone."""

import json
import subprocess
import sys

import pytest

import congestree
from congestree import _engine
from congestree.errors import CongestreeError
from congestree.runs import parquet, running, store, writing
from congestree.runs.results import Run

from .conftest import SHORT, SMALL, command, limited

LITTLE = {"measure": {"duration": "1 us", "probes": []}}


def test_another_sweep_in_the_same_folder_is_told(tmp_path):
    """The previous content of the table is lost; the same sweep, extended or not, loses nothing."""
    over = {"seed": [1, 2]}
    first = congestree.sweep(SMALL, over=over, values=SHORT, out=tmp_path, workers=1)
    longer = congestree.sweep(SMALL, over={"seed": [1, 2, 3]}, values=SHORT, out=tmp_path, workers=1)
    assert (first.dropped, longer.dropped) == (0, 0)
    path = tmp_path / "grid.toml"
    path.write_text(f"{SMALL}\n[sweep]\nseed = [4]\n")
    done = subprocess.run(command("sweep", path, "--out", tmp_path), capture_output=True, text=True, check=True)
    told = f"{tmp_path} held another sweep: 3 of its finished runs are not points of this one"
    assert f"note: {told}" in done.stderr
    with pytest.warns(congestree.errors.Note, match="held another sweep: 1 of its .* name another folder") as notes:
        again = congestree.sweep(SMALL, over=over, values=SHORT, out=tmp_path, workers=1)
    assert [note.filename for note in notes] == [__file__], "the line that called is named"
    assert (again.resumed, again.dropped) == (2, 1), "they are there still"


def test_a_sweep_leaves_its_folder_to_another_that_has_taken_it_meanwhile(tmp_path):
    """Two on a cluster may run in one folder: the table of the second was replaced, and study.json was not."""
    other = congestree.sweep(SMALL, over={"seed": [4]}, values=SHORT, out=tmp_path / "other", workers=1)
    here = tmp_path / "here"

    def take(progress):
        for name in ("study.json", "runs.parquet"):
            (here / name).write_bytes((other.folder / name).read_bytes())

    options = {"over": {"seed": [1, 2]}, "values": SHORT, "out": here, "workers": 1}
    with pytest.warns(congestree.errors.Note, match="Another sweep has taken .* Repeat this sweep after the other"):
        study = congestree.sweep(SMALL, **options, on_progress=take)
    assert len(study.runs) == 2
    assert (here / "runs.parquet").read_bytes() == (other.folder / "runs.parquet").read_bytes()
    again = congestree.sweep(SMALL, **options)
    assert again.resumed == 2 and congestree.Study.load(here).runs.equals(study.runs)


def cut(path):
    path.write_bytes(path.read_bytes()[:-20])


def change(path):
    """Damage within the table, which the end of its file, its index, does not show."""
    data = bytearray(path.read_bytes())
    data[len(data) // 4] ^= 1
    path.write_bytes(data)


def test_results_are_found_after_the_current_folder_has_changed(tmp_path, monkeypatch):
    """Their folder was kept as it was given: "There is no file run/flows.parquet"."""
    monkeypatch.chdir(tmp_path)
    made = congestree.run(SMALL, values=SHORT, out="run")
    swept = congestree.sweep(SMALL, over={"seed": [1]}, values=SHORT, out="study", workers=1)
    loaded, study = congestree.Run.load("run"), congestree.Study.load("study")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    assert loaded.flows.equals(made.flows)
    assert loaded.folder == made.folder == tmp_path / "run"
    assert study[0].flows.equals(loaded.flows) and swept[0].flows.equals(loaded.flows)
    assert len(study.runs) == 1
    study.save()
    assert (tmp_path / "study" / "runs.parquet").exists() and not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize("harm", [cut, change, lambda path: path.unlink()])
def test_a_damaged_run_is_done_again(tmp_path, harm):
    """One table that cannot be read stopped the sweep that went on."""
    over = {"seed": [1, 2, 3]}
    whole = congestree.sweep(SMALL, over=over, values=SHORT, out=tmp_path, workers=1)
    harm(tmp_path / "runs" / whole.points[1]["hash"] / "summary.parquet")
    again = congestree.sweep(SMALL, over=over, values=SHORT, out=tmp_path, workers=1)
    assert (again.resumed, again.failed) == (2, {})
    assert again.runs.drop("wall_s").equals(whole.runs.drop("wall_s"))
    assert congestree.sweep(SMALL, over=over, values=SHORT, out=tmp_path, workers=1).resumed == 3


def test_a_run_of_before_tables_had_sums_is_whole(tmp_path):
    congestree.run(SMALL, values=SHORT, out=tmp_path)
    manifest = json.loads((tmp_path / store.MANIFEST).read_text())
    for table in manifest["tables"].values():
        del table["footer"]
    writing.write_json(tmp_path / store.MANIFEST, manifest)
    assert store.is_whole(tmp_path)
    cut(tmp_path / "flows.parquet")
    assert store.is_whole(tmp_path), "nobody can tell"
    (tmp_path / "flows.parquet").unlink()
    assert not store.is_whole(tmp_path)


def test_a_row_of_a_list_is_a_line_of_the_manifest(tmp_path):
    """It was six, and half of the file was margin."""
    rows = [{"at": f"{n / 10} us", "from": f"H{1 + n % 30}", "to": "H31", "message": "1000 B"} for n in range(20_000)]
    network = {"topology": {"single-switch": {"hosts": 31}}, "links": {"rate": "100 Gbit/s"}}
    run = congestree.run({**network, "traffic": [{"list": rows}], **LITTLE}, out=tmp_path)
    text = (tmp_path / store.MANIFEST).read_text()
    assert json.loads(text) == run.manifest and len(run.scenario["traffic"][0]["list"]) == len(rows)
    assert len(text) < 100 * len(rows) + 20_000
    assert text.count("\n") < len(rows) + 1_000


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ({"ports": {"s1": list(range(8_000))}}, 5),
        ([{"a": "h1", "b": None}, {"a": "x" * 200}, [1, 2.5], ["h1"], [[1], {}], []], 13),
        ({1: {True: "é"}, None: ()}, 6),
        ([], 1),
    ],
)
def test_json_in_lines_is_the_same_json(value, lines):
    text = writing.json_text(value)
    assert json.loads(text) == json.loads(json.dumps(value))
    assert text.count("\n") == lines


def with_long_flows(folder, **values):
    """A run whose table of flows went to its folder while it ran."""
    output = _engine.run(*running.as_text(SMALL, {**SHORT, **values}))
    run = Run.from_engine(json.loads(output.meta()), output.tables())
    with parquet.Spool(folder) as spool:
        spool.take("flows", output.tables()["flows"])
        run.save(folder, spool)
    return run


def test_a_run_does_not_show_the_long_tables_of_another_one_in_its_folder(tmp_path):
    """They are read when they are used, and showed what was in the folder by then."""
    first = with_long_flows(tmp_path)
    assert first.manifest == json.loads((tmp_path / store.MANIFEST).read_text())
    second = with_long_flows(tmp_path, seed=2)
    for read in (lambda: first.flows, lambda: first.units("flows"), lambda: list(first.pieces("flows"))):
        with pytest.raises(CongestreeError, match="if another run has replaced it, load that one, else remove"):
            read()
    assert second.flows.equals(Run.load(tmp_path).flows)


KINDS = {
    "run": ("run", "hot-spot"),
    "sweep": ("sweep", "sweep-load"),
    "search": ("tune", "hot-spot", "--param", "adapters.window=1..4", "--goal", "rate:victim", "-n", "1"),
    "reproduction": ("reproduce", "hpl2002/fig2", "--quick"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_folder_with_results_of_another_kind_is_refused(tmp_path, kind):
    """The report of a folder with a run and a sweep was that of the run, whichever came last."""
    for mark, held in store.KINDS.items():
        folder = tmp_path / mark.removesuffix(".json")
        folder.mkdir()
        (folder / mark).write_text("{}")
        if held == f"a {kind}":
            continue
        done = subprocess.run(command(*KINDS[kind], "--out", folder), capture_output=True, text=True)
        assert done.returncode == 1, done.stdout
        assert f"{folder} holds {held} already ({mark})" in done.stderr, done.stderr
        assert f"Name another folder for a {kind} (--out)." in done.stderr
        assert [path.name for path in folder.iterdir()] == [mark]


def test_what_killed_commands_were_writing_is_removed(tmp_path):
    drafts = [tmp_path / ".runs.parquet.123.part", tmp_path / ".study.json.123.part", tmp_path / ".writable-123"]
    for draft in drafts:
        draft.touch()
    study = congestree.sweep(SMALL, over={"seed": [1]}, out=tmp_path, workers=1)
    (run,) = study.folder.glob("runs/*")
    (run / ".manifest.json.123.part").touch()
    (run / store.MANIFEST).unlink()
    congestree.sweep(SMALL, over={"seed": [1]}, out=tmp_path, workers=1)
    assert not [path for path in tmp_path.rglob(".*") if path.name.endswith(".part") or "writable" in path.name]


def test_what_others_have_in_the_folder_stays(tmp_path):
    """All Parquet files and all drafts were removed, whoever had made them."""
    others = ["mine.parquet", "notes.txt", ".mine.part", ".measurements.csv.123.part", ".writable"]
    for name in others:
        (tmp_path / name).write_text("mine")
    with_all = {"measure": {**SHORT["measure"], "probes": ["ports", "latency"]}}
    congestree.run(SMALL, values=with_all, out=tmp_path)
    assert (tmp_path / "latency.parquet").exists()
    run = congestree.run(SMALL, values={"measure": {**SHORT["measure"], "probes": []}}, out=tmp_path)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {*others, store.MANIFEST, *(f"{name}.parquet" for name in run.tables)}
    assert all((tmp_path / name).read_text() == "mine" for name in others)


@pytest.mark.skipif(sys.platform == "win32", reason="limits as Unix has them")
def test_a_run_that_cannot_be_written_leaves_the_one_before(tmp_path, small):
    folder = tmp_path / "run"
    first = congestree.run(SMALL, values=SHORT, out=folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    asked = limited(4096, "run", small, "--seed", 2, "--out", folder)
    done = subprocess.run(asked, capture_output=True, text=True)
    assert done.returncode == 1 and "cannot be written: File too large" in done.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert Run.load(folder).flows.equals(first.flows)


def test_a_folder_in_the_place_of_a_table_is_told_before_anything_is_removed(tmp_path):
    (tmp_path / "mine.parquet").mkdir()
    run = congestree.run(SMALL, values=SHORT, out=tmp_path)
    run.save(tmp_path)
    (tmp_path / "summary.parquet").unlink()
    (tmp_path / "summary.parquet").mkdir()
    with pytest.raises(CongestreeError, match=r"summary\.parquet cannot be written: it is a folder; remove it"):
        run.save(tmp_path)
    assert Run.load(tmp_path).flows.equals(run.flows)
    assert not [path for path in tmp_path.glob(".*.part")]


def test_the_manifest_of_a_run_in_memory_has_the_keys_of_its_file(tmp_path):
    run = congestree.run(SMALL, values=SHORT)
    told = run.manifest
    columns = {name: entry["columns"] for name, entry in told["tables"].items()}
    assert columns["flows"]["rate"]["unit"] == "bit/s" and set(columns) == set(run.tables)
    run.save(tmp_path)
    stored = json.loads((tmp_path / store.MANIFEST).read_text())
    assert set(told) == set(stored)
    assert {name: entry["columns"] for name, entry in stored["tables"].items()} == columns
    assert all(stored["tables"][name]["rows"] == entry["rows"] for name, entry in told["tables"].items())
