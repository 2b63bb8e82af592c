"""Ctrl-C while a command is still loading: a sentence, as later on. Programs that import the package are left alone."""

import os
import signal
import subprocess
import sys

import pytest

from .conftest import command

# In the place of a library that the command line loads: it presses Ctrl-C.
PRESSES = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(10)\n"


def usual():
    """As in a shell; a program that starts tests in the background may ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run(words, *first):
    """Run a command that finds what is in these folders before any other module."""
    path = os.pathsep.join([*map(str, first), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(words, env=environment, capture_output=True, text=True, timeout=60, preexec_fn=usual)


@pytest.mark.skipif(os.name == "nt", reason="Windows sends Ctrl-C otherwise")
@pytest.mark.parametrize("library", ["typer", "rich"])
def test_ctrl_c_while_libraries_are_loaded_is_a_sentence(tmp_path, library):
    (tmp_path / f"{library}.py").write_text(PRESSES)
    done = run(command("list", "parts"), tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "Interrupted.\n")


@pytest.mark.skipif(os.name == "nt", reason="Windows sends Ctrl-C otherwise")
def test_a_program_that_imports_the_command_line_keeps_its_ctrl_c():
    code = (
        "import signal, congestree, congestree.cli\n"
        "print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    )
    assert run([sys.executable, "-c", code]).stdout == "True\n"
