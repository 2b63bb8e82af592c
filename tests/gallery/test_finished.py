"""The finished part of a paper can be judged without running the rest."""

import json
import subprocess
import sys

import pytest

from congestree import cli, gallery, report
from congestree.data.gallery.common.judge import Claims, Finding
from congestree.data.gallery.common.parts import Unjudgeable
from congestree.errors import CongestreeError
from congestree.gallery import done, papers, shipped
from congestree.runs import locking


def command(*arguments):
    """The finished process of a command."""
    return subprocess.run([sys.executable, "-m", "congestree", *arguments], capture_output=True, text=True)


def test_nothing_runs_and_what_is_finished_is_judged(tmp_path):
    nothing = gallery.reproduce("hpl2002", ["fig6"], out=tmp_path, quick=True, finished=True)
    assert (nothing.resumed, list((tmp_path / "runs").glob("*"))) == (0, [])
    told = []
    progress = {"on_progress": lambda state: told.append((state.what, state.done, state.total))}
    some = gallery.reproduce("hpl2002", ["fig6"], out=tmp_path, quick=True, **progress)
    checks = [said for said in told if said[0] == "scenarios checked"]
    assert checks == [("scenarios checked", done, some.runs) for done in range(1, some.runs + 1)] == told[: len(checks)]
    all_of_it = gallery.reproduce("hpl2002", out=tmp_path, quick=True, finished=True)
    assert all_of_it.resumed == some.runs < all_of_it.runs
    judged = {claim["id"]: claim for claim in all_of_it.claims}
    assert len(some.claims) > len(nothing.claims)
    assert all(judged[claim["id"]] == claim for claim in some.claims)
    assert all_of_it.missing["fig2a"] == "a run that it needs is missing: fig2a"
    assert "fig6" in all_of_it.figures


def test_what_is_judged_on_a_part_of_its_runs_says_so_everywhere(tmp_path):
    """A folder with the runs of one figure, judged as the whole paper."""
    out = tmp_path / "fig6"
    gallery.reproduce("hpl2002", ["fig6"], out=out, quick=True)
    record = json.loads((out / "reproduced.json").read_text(encoding="utf-8"))
    assert record["whole"] and record["runs"] == record["finished"] > 0
    assert "Judged on" not in (out / "claims.md").read_text(encoding="utf-8") + report.html(out)
    said = command("reproduce", "hpl2002", "--quick", "--finished", "--out", str(out)).stdout.replace("\n", " ")
    record = json.loads((out / "reproduced.json").read_text(encoding="utf-8"))
    assert not record["whole"] and 0 < record["finished"] < record["runs"]
    told = f"Judged on {record['finished']} of {record['runs']} runs"
    assert told in said and told in (out / "claims.md").read_text(encoding="utf-8") and told in report.html(out)


def test_experiments_with_some_of_their_repetitions_are_counted():
    names = ["a_r0", "a_r1", "b_load-2_r0", "b_load-2_r1", "c_r0", "d"]
    counts = done.counted(names, ["a_r0", "b_load-2_r0", "b_load-2_r1", "d"])
    assert counts == {"runs": 6, "finished": 4, "whole": False, "fewer": 1}
    assert done.missing(counts).startswith("Judged on 4 of 6 runs; 1 experiment has fewer repetitions")
    assert done.missing(done.counted(names, names)) == done.missing({}) == ""


@pytest.mark.parametrize("text", ["[]", "{", "{}", '{"figures": [], "quick": false, "whole": false}'])
def test_a_record_that_cannot_be_read_tells_nothing(text, tmp_path):
    (tmp_path / "reproduced.json").write_text(text, encoding="utf-8")
    assert done.read(tmp_path) == {}


def test_equal_runs_of_a_paper_have_one_folder_that_of_a_finished_one_if_there_is_one(tmp_path):
    """Whatever part of the paper was run first, and so under whichever of its names the run was made."""
    known, folders = papers._folders(tmp_path, {"a": "1" * 16, "b": "2" * 16, "c": "1" * 16})
    assert folders["a"] == folders["c"] == known["1" * 16] != folders["b"]
    done = papers.run_folder(tmp_path, "c", "1" * 16)
    done.mkdir(parents=True)
    (done / "manifest.json").write_text("{}", encoding="utf-8")
    known, folders = papers._folders(tmp_path, {"a": "1" * 16, "b": "2" * 16, "c": "1" * 16})
    assert folders["a"] == folders["c"] == known["1" * 16] == done


def test_a_claim_whose_cases_were_not_run_is_left_out_of_some_runs_and_an_error_in_all_of_them(tmp_path):
    """As for `fig7h` of EcoCC alone: a claim about networks with all five techniques, where none has all."""
    text = "[order]\ncheck = \"run\"\njudge = \"each('(.*), set iii')['ecocc'] > 1\"\n"
    (tmp_path / "claims.toml").write_text(text, encoding="utf-8")
    claims = Claims(tmp_path, lambda results: results)
    claims.check("order")(lambda study: Finding({}))
    assert claims.evaluate(papers.Results({}, whole=False)) == []
    with pytest.raises(Unjudgeable):
        claims.evaluate(papers.Results({}))


@pytest.mark.slow
def test_the_whole_gallery_is_one_command(tmp_path, monkeypatch, capsys):
    """With nothing finished and nothing to run: every paper has a folder and a result, its figures are missing.

    That its scenarios are valid is tested where they are run.
    """
    monkeypatch.setattr("congestree.gallery.papers.check", lambda scenario: {"scenario": scenario})
    monkeypatch.setattr(
        sys, "argv", ["congestree", *["reproduce", "all", "--finished", "--quick", "--json", "--out"], str(tmp_path)]
    )
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 1
    assert set(json.loads(capsys.readouterr().out)) == set(shipped.papers())
    assert {path.name for path in tmp_path.iterdir()} == {f"{paper}-quick" for paper in shipped.papers()}


def test_a_paper_goes_to_processes_or_to_a_cluster_and_not_to_both(tmp_path):
    answer = command("reproduce", "ecn2002", "--workers", "2", "--scheduler", "tcp://x:1", "--out", str(tmp_path))
    assert answer.returncode == 2
    assert "--scheduler" in answer.stderr


def test_two_reproductions_in_one_folder_do_not_get_in_each_others_way(tmp_path, monkeypatch):
    monkeypatch.setattr(locking, "PATIENCE", 0.0)
    with (
        locking.alone(tmp_path),
        pytest.raises(CongestreeError, match=r"Another command \(process \d+\) is writing to"),
    ):
        papers.reproduce("hpl2002", ["fig2"], quick=True, out=tmp_path)
