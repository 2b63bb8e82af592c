"""A path that begins with ~ leads to the home folder, whoever reads or writes it: shells leave it in --out=~/runs."""

import pytest
from typer.testing import CliRunner

import congestree
from congestree import jobs, opensm, plots, report, traces, view
from congestree.cli import app
from congestree.errors import AskedError
from congestree.runs import arguments

from .conftest import LOOKED, SHORT, SMALL


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The home folder, beside the current one, which is empty."""
    home, here = tmp_path / "home", tmp_path / "here"
    home.mkdir()
    here.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.chdir(here)
    yield home
    assert not list(here.iterdir())


def there(home):
    """What is in the home folder, without the cache of matplotlib."""
    return {path.name for path in home.iterdir()} - {".cache", ".config", ".matplotlib"}


def test_a_run_is_written_to_the_home_folder_and_read_there(home):
    run = congestree.run(SMALL, out="~/deep/r")
    again = congestree.Run.load("~/deep/r")
    assert again.folder == run.folder == home / "deep/r"
    assert again.flows.equals(run.flows) and not list((home / "deep/r").glob(".*.part"))
    run.save("~/copy")
    assert (home / "copy/flows.parquet").is_file()


def test_a_study_and_a_scenario_are_written_to_the_home_folder_and_read_there(home):
    congestree.Scenario.from_dict(LOOKED | SHORT).save("~/s.toml")
    assert congestree.check("~/s.toml")["scenario"] == congestree.check(congestree.load("~/s.toml"))["scenario"]
    study = congestree.sweep("~/s.toml", over={"seed": [1]}, out="~/st", workers=1)
    assert congestree.Study.load("~/st").folder == study.folder == home / "st"


@pytest.mark.parametrize("ending", [".goal", ".bin", ".csv", ".parquet"])
def test_a_program_is_written_to_the_home_folder_and_read_there(home, ending):
    frame, _ = jobs.parse(jobs.make("all-reduce-ring", 3, bytes="3 kB"))
    jobs.write(frame, f"~/j{ending}")
    assert (home / f"j{ending}").is_file() and len(jobs.read(f"~/j{ending}")) == len(frame)


def test_what_is_made_of_a_run_is_written_to_the_home_folder(home, looked):
    looked.save("~/run")
    assert report.write("~/r.html", "~/run") == str(home / "r.html")
    assert view.write("~/v.html", looked) == str(home / "v.html")
    assert plots.draw_all(looked, "~/plots")[0].parent == home / "plots"
    opensm.write("~/opensm.conf", opensm.Settings())
    assert opensm.read("~/opensm.conf").form == "opensm"
    assert there(home) == {"run", "r.html", "v.html", "plots", "opensm.conf"}
    with pytest.raises(AskedError, match=f"no file {home}"):
        traces.files("~/gone.et")


def test_commands_read_and_write_there(home):
    for words in (
        ("goal", "make", "barrier", "--ranks", "3", "-o", "~/b.goal"),
        ("run", "hot-spot", "--set", "measure.duration=10 us", "--out=~/r"),
        ("report", "~/r", "--out=~/r.html"),
        ("export", "hot-spot", "--format", "ibnetdiscover", "--out=~/f.txt"),
        ("import", "~/f.txt", "--out=~/s.toml"),
        ("check", "~/s.toml"),
    ):
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, (words, done.output)
    assert there(home) == {"b.goal", "r", "r.html", "f.txt", "s.toml"}


@pytest.mark.parametrize("path", ["./~/r", "~nobody-of-this-name/r"])
def test_no_library_looks_for_a_home_again(tmp_path, monkeypatch, path):
    """A Path forgets "./", and Arrow, too, takes what begins with ~ for a home."""
    monkeypatch.chdir(tmp_path)
    found = arguments.path("out", path)
    assert arguments.path("out", found) == found == str(tmp_path / path)
    congestree.run(SMALL, out=path)
    assert congestree.Run.load(path).folder == tmp_path / path and (tmp_path / path / "flows.parquet").is_file()
