"""Where --out leads: to a folder or file that was named, and to stdout if that is what was."""

import pytest

import congestree
from congestree.errors import AskedError

from .conftest import SMALL

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
