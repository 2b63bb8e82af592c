"""Where the system starts no further process, or opens no file, a command goes on with what it has, or says so."""

import errno
import os
import subprocess
import threading

import pytest

import congestree
from congestree.cli import beside, console
from congestree.errors import CongestreeError, Note
from congestree.studies import pool

from .conftest import SHORT, SMALL

OVER = {"seed": [1, 2, 3]}


def refusing(function, after):
    """A function that the system refuses after this many calls."""
    calls = []

    def called(*arguments, **options):
        calls.append(None)
        if len(calls) > after:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return function(*arguments, **options)

    return called


def test_a_sweep_goes_on_with_the_workers_that_could_be_started(tmp_path, monkeypatch):
    monkeypatch.setattr(pool.subprocess, "Popen", refusing(subprocess.Popen, 1))
    with pytest.warns(Note, match=r"fewer workers than asked for: no further process .* .Too many open files."):
        study = congestree.sweep(SMALL, over=OVER, values=SHORT, out=tmp_path, workers=3)
    assert len(study.runs) == 3 and not study.failed


@pytest.mark.parametrize("what", ["process", "thread"])
def test_a_sweep_without_any_worker_says_why(tmp_path, monkeypatch, what):
    started = []

    def refuse(_):
        raise RuntimeError("can't start new thread")

    if what == "process":
        monkeypatch.setattr(pool, "_start", refusing(None, 0))
    else:
        start = pool._start
        monkeypatch.setattr(pool, "_start", lambda: started.append(start()) or started[-1])
        monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(CongestreeError, match=r"No process can be started .*raise the limit"):
        pool.execute([pool.Job({}, tmp_path / "run")], workers=2)
    assert all(process.poll() is not None for process in started)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="plots are drawn by another process where one can fork")
@pytest.mark.parametrize("refused", ["fork", "pipe"])
def test_without_a_process_that_draws_a_run_begins_all_the_same(monkeypatch, refused):
    descriptors = set(os.listdir("/proc/self/fd")) if os.path.exists("/proc/self/fd") else None
    monkeypatch.setattr(os, refused, refusing(getattr(os, refused), 1 if refused == "pipe" else 0))
    beside.foresee(["congestree", "run", "small.toml", "--plot"])
    assert not beside.STARTED
    assert descriptors is None or set(os.listdir("/proc/self/fd")) == descriptors


def test_what_the_system_refuses_otherwise_is_a_sentence(monkeypatch):
    said = []
    monkeypatch.setattr(console, "say_error", said.append)
    with pytest.raises(SystemExit) as end, console.sentences():
        raise OSError(errno.EMFILE, "Too many open files")
    assert end.value.code == 1
    assert said == ["The system refuses what this command needs: Too many open files."]
