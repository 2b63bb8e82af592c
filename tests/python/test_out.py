"""Where --out leads: to a folder or file that was named, and to stdout if that is what was."""

import os
import subprocess
import sys

import pytest

import congestree
from congestree.cli import console
from congestree.errors import AskedError
from congestree.runs import writing

from .conftest import LOOKED, SMALL, command

WRITERS = {
    "run": ("run", "small.toml"),
    "sweep": ("sweep", "small.toml"),
    "tune": ("tune", "hot-spot", "--param", "adapters.window=1..4", "--goal", "rate:victim", "-n", "1"),
    "reproduce": ("reproduce", "hpl2002/fig2", "--quick"),
    "report": ("report", "run"),
    "view": ("view", "run"),
    "plot": ("plot", "run"),
}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("out", [("--out", ""), ("--out=",), ("-o", "")], ids=" ".join)
def test_an_empty_out_is_not_the_current_folder(congestree_cli, small, tmp_path, name, out):
    """As of a variable of a shell that is not set."""
    assert "--out is empty: name what" in congestree_cli(*WRITERS[name], *out, code=2).stderr
    assert [path.name for path in tmp_path.iterdir()] == ["small.toml"]


def test_an_empty_path_is_not_the_current_folder_in_python_either(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for call in (congestree.run, congestree.sweep):
        with pytest.raises(AskedError, match=r'out is empty: give a path; the current folder is "\."'):
            call(SMALL, out="")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", WRITERS)
def test_a_folder_is_not_written_to_stdout(congestree_cli, small, tmp_path, name):
    told = " ".join(congestree_cli(*WRITERS[name], "--out=-", code=2).stderr.split())
    assert "is stdout, to which this command" in told
    assert [path.name for path in tmp_path.iterdir()] == ["small.toml"]


@pytest.mark.parametrize("there", [True, False])
def test_a_page_that_no_browser_opens_is_told(tmp_path, monkeypatch, capsys, there):
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or there)
    console.open_page(page := tmp_path / "a page.html")
    assert opened == [page.as_uri()]
    assert capsys.readouterr().err == ("" if there else f"No browser could be opened; open {page} in one yourself.\n")


JOB = "--layers 2 --hidden 64 --sequence 16 --teraflops 100 --data 4"
TEXTS = {
    "schema": ("schema",),
    "view": ("view", "run"),
    "report": ("report", "run"),
    "plot": ("plot", "run", "--tree"),
    "export": ("export", "hot-spot", "--format", "ibnetdiscover"),
    "job": ("job", "make", *JOB.split()),
    "import": ("import", "one.cm", "--json"),
}
proc = pytest.mark.skipif(sys.platform != "linux", reason="what a process has open is in /proc")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder with what the commands read."""
    folder = tmp_path_factory.mktemp("out")
    congestree.run(LOOKED, out=folder / "run")
    (folder / "one.cm").write_text("Nodes 4\nConnections 1\n0->1 id 1 start 0 size 100\n")
    return folder


def redirected(home, path, name, *, pipe=False):
    """What a command writes to stdout, a file or a pipe, and to stderr, if --out is this path."""
    asked = command(*TEXTS[name], "--out", path)
    if pipe:
        done = subprocess.run(asked, cwd=home, capture_output=True)
        return done.returncode, done.stdout, done.stderr
    with open(home / "o", "wb") as file:
        file.write(b"before\n")
        file.flush()
        done = subprocess.run(asked, cwd=home, stdout=file, stderr=subprocess.PIPE)
        file.write(b"after\n")
    told = (home / "o").read_bytes()
    assert told.startswith(b"before\n") and told.endswith(b"after\n"), "what others write there stays"
    return done.returncode, told[len(b"before\n") : -len(b"after\n")], done.stderr


@proc
@pytest.mark.parametrize("name", TEXTS)
def test_a_link_to_stdout_is_not_replaced_and_has_the_text_alone(home, tmp_path, name):
    """As /dev/stdout is one, which root replaced by a file; and "wrote ..." was in the middle of the text."""
    link, made = tmp_path / "link", tmp_path / "training.png"  # what a job is called that goes to stdout
    link.symlink_to("/proc/self/fd/1")
    subprocess.run(command(*TEXTS[name], "--out", made), cwd=home, check=True, capture_output=True)
    code, text, said = redirected(home, link, name)
    assert code == 0 and b"Traceback" not in said
    assert link.is_symlink()
    assert text == made.read_bytes()
    for path, pipe in ((link, True), ("/dev/fd/1", False), (home / "o", False)):
        assert redirected(home, path, name, pipe=pipe) == (code, text, said)


@proc
def test_a_link_to_another_open_file_is_not_replaced(tmp_path):
    link = tmp_path / "link"
    with open(tmp_path / "file", "w") as file:
        link.symlink_to(f"/proc/self/fd/{file.fileno()}")
        (tmp_path / "second").symlink_to("link")
        writing.write_json(tmp_path / "second", {"a": 1})
        assert link.is_symlink() and (tmp_path / "second").is_symlink() and os.fstat(file.fileno()).st_nlink == 1
    assert (tmp_path / "file").read_text() == '{\n  "a": 1\n}\n'


@proc
def test_a_current_folder_that_is_not_utf_8_is_told(home, tmp_path):
    """Where libraries refused its name there were tracebacks; `run` wrote what no command could read."""
    odd = tmp_path / os.fsdecode(b"d\xff")
    odd.mkdir()
    for words in (
        ("run", "hot-spot"),
        ("report", home / "run"),
        ("plot", home / "run", "--tree"),
        ("sweep", "hot-spot"),
    ):
        done = subprocess.run(command(*words), cwd=odd, capture_output=True, text=True)
        told = f"{tmp_path}/d\ufffd, the current folder, is not UTF-8, as paths of results must be: rename it.\n"
        assert (done.returncode, done.stderr) == (2, told)
    assert not list(odd.iterdir())
    for words in (("check", "hot-spot"), ("report", "--help"), ("list", "presets")):
        assert subprocess.run(command(*words), cwd=odd, capture_output=True).returncode == 0
