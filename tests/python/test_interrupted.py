"""Ctrl-C and the signals that act like it lose nothing that a run has done, whenever they come."""

import json
import os
import signal
import subprocess
import sys

import pytest

import congestree
from congestree.cli import ending
from congestree.errors import CongestreeError
from congestree.runs import parquet, store, writing

from .conftest import SMALL

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals as Unix has them")

LONG = {"measure.probes": ["deliveries"], "measure.duration": "1000 s", "measure.bin": "10 s"}
"""A run without end with a table of which rows are written during the run."""


@pytest.fixture
def terms():
    """What the caller's own handler of SIGTERM has been called for."""
    called = []
    before = signal.signal(signal.SIGTERM, lambda number, _: called.append(number))
    yield called
    signal.signal(signal.SIGTERM, before)


def pressing(monkeypatch, owner, name, at=1, number=signal.SIGINT):
    """Have Ctrl-C, or another signal, come in a call of a function; answers the list that grows by each call."""
    calls, function = [], getattr(owner, name)

    def pressed(*arguments):
        calls.append(None)
        if len(calls) == at:
            signal.raise_signal(number)
        return function(*arguments)

    monkeypatch.setattr(owner, name, pressed)
    return calls


def test_ctrl_c_while_rows_are_written_keeps_the_run(tmp_path, monkeypatch):
    """The engine gave up a run whose rows were not taken, and two runs of three spend their time there."""
    pressing(monkeypatch, parquet.Spool, "take", at=3)
    run = congestree.run(SMALL, values=LONG, out=tmp_path)
    assert run.interrupted and congestree.Run.load(tmp_path).interrupted
    assert len(run.deliveries) > 0 and run.flows["packets"].sum() > 0
    assert {path.name for path in tmp_path.iterdir()} == {"manifest.json", *(f"{name}.parquet" for name in run.tables)}
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_callers_handler_is_called_for_a_signal_that_comes_after_ctrl_c(tmp_path, monkeypatch, terms):
    """Such as that of a batch script, which ends after this run: it was dropped with what asks for the same."""
    pressing(monkeypatch, parquet.Spool, "take", at=3)
    pressing(monkeypatch, parquet.Spool, "finish", number=signal.SIGTERM)
    assert congestree.run(SMALL, values=LONG, out=tmp_path).interrupted
    assert terms == [signal.SIGTERM]


def test_handlers_of_all_signals_that_are_held_are_called(terms):
    """Ctrl-C raises an exception, after which others were left out."""
    with pytest.raises(KeyboardInterrupt), writing.unbroken():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGTERM)
    assert terms == [signal.SIGTERM]


def test_a_handler_that_ends_the_program_does_so_after_ctrl_c_too(terms):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
    with pytest.raises(SystemExit), writing.unbroken():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGTERM)


def test_ctrl_c_while_a_whole_run_is_saved_comes_after_that(tmp_path, monkeypatch):
    pressing(monkeypatch, parquet.Spool, "finish")
    with pytest.raises(KeyboardInterrupt):
        congestree.run(SMALL, out=tmp_path)
    assert store.is_whole(tmp_path)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_in_the_function_for_the_progress_ends_the_run(tmp_path):
    """It may wait for something: there a signal is not held back."""

    def press(now, end, hops):
        signal.raise_signal(signal.SIGINT)
        pytest.fail("this is not to be reached")

    assert congestree.run(SMALL, values=LONG, out=tmp_path, on_progress=press).interrupted


def test_ctrl_c_does_not_hide_that_a_run_could_not_be_saved(tmp_path, monkeypatch):
    """The exception of Ctrl-C took the place of this one: the command said "Interrupted." of a full disk."""

    def fail(*_):
        signal.raise_signal(signal.SIGINT)
        raise CongestreeError("The disk is full.")

    monkeypatch.setattr(parquet.Spool, "finish", fail)
    with pytest.raises(CongestreeError, match="disk is full"):
        congestree.run(SMALL, out=tmp_path)


def test_a_handler_of_the_caller_is_called_where_something_fails(terms):
    with pytest.raises(ValueError, match="fails"), writing.unbroken():
        signal.raise_signal(signal.SIGTERM)
        raise ValueError("this fails")
    assert terms == [signal.SIGTERM]


def test_ctrl_c_before_the_run_has_begun_takes_effect_at_once(tmp_path, monkeypatch):
    calls = pressing(monkeypatch, parquet.Spool, "__enter__")
    with pytest.raises(KeyboardInterrupt):
        congestree.run(SMALL, out=tmp_path)
    assert calls and not list(tmp_path.iterdir())


def test_ctrl_c_while_a_run_takes_the_place_of_another_leaves_a_whole_one(tmp_path, monkeypatch):
    congestree.run(SMALL, out=tmp_path)
    other = congestree.run(SMALL, seed=2)
    pressing(monkeypatch, parquet.Spool, "place")
    with pytest.raises(KeyboardInterrupt):
        other.save(tmp_path)
    assert store.is_whole(tmp_path) and congestree.Run.load(tmp_path).seed == 2


def test_ctrl_c_while_a_driven_run_is_saved_comes_after_that(tmp_path, monkeypatch):
    """The simulation is closed by then: nothing could be saved a second time."""
    entry = '[[traffic]]\nname = "driven"\nfrom = "all"\narrivals = "injected"\n\n[measure]'
    live = congestree.Live(SMALL.replace("[measure]", entry))
    pressing(monkeypatch, parquet.Spool, "finish")
    with pytest.raises(KeyboardInterrupt):
        live.finish(tmp_path)
    assert store.is_whole(tmp_path)


# A command that gets signals at given calls: {class and method: [number of the call, signal]}.
COMMAND = """
import json, os, signal, sys
from importlib import import_module
sent = json.loads(sys.argv.pop(1))
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.argv[0] = "congestree"
from congestree.cli import main

def sending(function, at, name):
    calls = []
    def called(*arguments):
        calls.append(None)
        if len(calls) == at:
            os.kill(os.getpid(), getattr(signal, name))
        return function(*arguments)
    return called

for place, (at, name) in sent.items():
    module, _, rest = place.partition(":")
    owner, _, attribute = rest.rpartition(".")
    owner = getattr(import_module(module), owner) if owner else import_module(module)
    setattr(owner, attribute, sending(getattr(owner, attribute), at, name))
main()
"""
TAKE, FINISH = "congestree.runs.parquet:Spool.take", "congestree.runs.parquet:Spool.finish"
ENTER = "congestree.runs.parquet:Spool.__enter__"
SHOW = "congestree.cli.simulate.run:_show"


def command_with(sent, *words):
    words = [sys.executable, "-c", COMMAND, json.dumps(sent), *map(str, words)]
    return subprocess.run(words, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_the_command_keeps_the_run_too(small, tmp_path, name):
    setting = [word for key, value in LONG.items() for word in ("--set", f"{key}={json.dumps(value)}")]
    done = command_with({TAKE: [3, name]}, "run", small, "--out", tmp_path / "out", *setting)
    assert done.returncode == 128 + getattr(signal, name) and "what was done until then is in" in done.stderr
    assert congestree.Run.load(tmp_path / "out").interrupted


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_command_whose_whole_run_is_being_saved_ends_after_that(small, tmp_path, name):
    done = command_with({FINISH: [2, name]}, "run", small, "--out", tmp_path / "out")
    told = f"Interrupted after the run had finished; its results are in {tmp_path / 'out'}.\n"
    assert (done.returncode, done.stderr) == (128 + getattr(signal, name), told)
    assert store.is_whole(tmp_path / "out")


def test_a_command_that_is_interrupted_while_it_tells_of_a_whole_run_says_where_it_is(small, tmp_path):
    done = command_with({SHOW: [1, "SIGINT"]}, "run", small, "--out", tmp_path / "out")
    assert done.returncode == 130 and done.stderr.startswith("Interrupted after the run had finished")


def test_the_run_that_was_in_the_folder_before_is_not_told_of_as_the_one_interrupted(small, tmp_path):
    assert command_with({}, "run", small, "--out", tmp_path / "out").returncode == 0
    done = command_with({ENTER: [1, "SIGINT"]}, "run", small, "--out", tmp_path / "out")
    assert (done.returncode, done.stderr) == (130, "Interrupted.\n")
    assert store.is_whole(tmp_path / "out")


@pytest.mark.parametrize("first", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("second", ["SIGINT", "SIGTERM"])
def test_a_second_signal_does_not_discard_what_the_first_keeps(small, tmp_path, first, second):
    """Neither while this is written, nor while it is told of: some systems send two."""
    setting = [word for key, value in LONG.items() for word in ("--set", f"{key}={json.dumps(value)}")]
    sent = {TAKE: [3, first], FINISH: [1, second], SHOW: [1, second]}
    done = command_with(sent, "run", small, "--out", tmp_path / "out", *setting)
    assert done.returncode == 128 + getattr(signal, first) and "what was done until then is in" in done.stderr
    assert congestree.Run.load(tmp_path / "out").interrupted


def test_a_signal_much_later_than_the_first_ends_a_command_that_does_not_end(monkeypatch):
    times = iter([0.0, 0.9 * ending.PATIENCE, 1.1 * ending.PATIENCE])
    monkeypatch.setattr(ending, "_received", [])
    monkeypatch.setattr(ending.time, "monotonic", lambda: next(times))
    with pytest.raises(KeyboardInterrupt):
        ending._stop(signal.SIGTERM, None)
    ending._stop(signal.SIGINT, None)
    with pytest.raises(KeyboardInterrupt):
        ending._stop(signal.SIGINT, None)
    assert ending.code_of(ending.INTERRUPTED) == 128 + signal.SIGTERM


def test_who_presses_ctrl_c_again_much_later_ends_even_what_is_held(monkeypatch):
    times = iter([0.0, writing.PATIENCE, writing.PATIENCE + 0.1])
    monkeypatch.setattr(writing.time, "monotonic", lambda: next(times))
    with pytest.raises(KeyboardInterrupt), writing.unbroken():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        early = "not at once"
        signal.raise_signal(signal.SIGINT)
        early = "never reached"
    assert early == "not at once"


def test_what_is_ignored_stays_ignored():
    """As in commands that a shell script starts in the background."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with writing.unbroken():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
