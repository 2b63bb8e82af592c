"""A search loses nothing to dead workers, Ctrl-C or a kill, and goes on as if nothing had happened."""

import errno
import json
import os
import signal
import subprocess
import time

import pytest

from congestree import tune
from congestree.errors import CongestreeError
from congestree.runs import store
from congestree.studies import pool
from congestree.tune import asking, question
from congestree.tune.search import experiments, journal
from congestree.tune.search.searching import Search

from ..conftest import command, interrupt, worker_of_this_process
from .question import CROWD, EVERY, ask

pytest.importorskip("optuna")


def outcome(made):
    return [(t["setting"], t["goals"]) for t in made.trials]


def test_a_study_does_not_depend_on_workers_or_on_interruptions(whole, tmp_path):
    """Stopped in the middle of the second batch, and gone on with another number of workers: the same settings."""

    class Stop(Exception):
        pass

    def stop(progress):
        if progress.done == 4:
            raise Stop

    runs = whole.folder / "runs"
    with pytest.raises(Stop):
        tune.tune(ask(CROWD), out=tmp_path, evaluations=12, fresh_seeds=0, runs=runs, on_progress=stop)
    assert len(Search(ask(CROWD), tmp_path).finished()) == 4
    made = tune.tune(ask(CROWD), out=tmp_path, evaluations=12, fresh_seeds=0, runs=runs, workers=1)
    assert outcome(made) == outcome(whole)[:12]


def test_a_killed_worker_loses_one_evaluation_at_most(tmp_path, monkeypatch):
    """Its run is done again by another; if that dies too, the evaluation has failed and reports this."""
    killed, run_all = [], pool.execute

    def execute(jobs, **options):
        progress = run_all(jobs, **options)
        if not killed and jobs:
            killed.append(jobs[0].folder)
            (jobs[0].folder / store.MANIFEST).unlink()
            progress.failed[jobs[0].name] = f"{experiments.DIED} (signal 9)"
        return progress

    monkeypatch.setattr(experiments.pool, "execute", execute)
    made = tune.tune(ask(CROWD), out=tmp_path, evaluations=3, fresh_seeds=0, workers=1)
    assert killed and not [t for t in made.trials if t["why"]]


def test_a_full_disk_ends_the_search_and_loses_no_setting(tmp_path, monkeypatch):
    """With room again the same command tries all settings of the batch, though another died beside the first."""
    options = {"out": tmp_path, "evaluations": 6, "fresh_seeds": 0, "workers": 1}
    rounds = []

    def full(jobs, **_):
        rounds.append(len(jobs))
        first, *others = jobs
        failed = {first.name: "[Errno 28] No space left on device"} if len(rounds) == 1 else {}
        return pool.Progress(
            total=len(jobs), failed=failed | {job.name: f"{experiments.DIED} (signal 9)" for job in others}
        )

    with monkeypatch.context() as patch:
        patch.setattr(experiments.pool, "execute", full)
        with pytest.raises(CongestreeError, match=r"A run failed: .*No space left on device.* the same command again"):
            tune.tune(ask(CROWD), **options)
    assert rounds == [3, 2]
    made = tune.tune(ask(CROWD), **options)
    assert len(made.trials) == 6 and not [t for t in made.trials if t["why"]]


@pytest.mark.slow
def test_a_worker_that_is_really_killed_loses_nothing(tmp_path):
    """Killed in the middle of its run: another does that run again, and every evaluation has its goals."""
    killed = []

    def kill(progress):
        if not killed and 0 < progress.running.get("batch", 0) < 2:
            killed.append(worker_of_this_process())
            os.kill(killed[0], signal.SIGKILL)

    if not os.path.exists(f"/proc/{os.getpid()}/task"):
        pytest.skip("needs /proc to find the worker")
    question = ask(CROWD.replace("200 us", "20 ms"))
    made = tune.tune(question, out=tmp_path, evaluations=6, fresh_seeds=0, workers=1, on_progress=kill)
    assert killed and len(made.trials) == 6
    assert not [t for t in made.trials if t["why"]]


def test_a_run_that_kills_every_worker_fails_alone(tmp_path, monkeypatch):
    run_all = pool.execute

    def execute(jobs, **options):
        progress = run_all(jobs, **options)
        if doomed := [j for j in jobs if j.scenario["adapters"].get("window") == worst]:
            progress.failed[doomed[0].name] = f"{experiments.DIED} (signal 9)"
        return progress

    question = ask(CROWD)
    worst = Search(question, tmp_path).proposals.batch(3)[0][1]["adapters.window"]
    monkeypatch.setattr(experiments.pool, "execute", execute)
    made = tune.tune(question, out=tmp_path, evaluations=3, fresh_seeds=0, workers=1)
    whys = [t["why"] for t in made.trials if t["why"]]
    assert len(made.trials) == 3 and 1 <= len(whys) < 3
    assert "signal 9" in whys[0]


def test_one_command_at_a_time(whole):
    with (
        journal.alone(whole.folder),
        pytest.raises(CongestreeError, match=r"Another command \(process \d+\) is writing to"),
        journal.alone(whole.folder),
    ):
        pass


def test_half_a_line_of_a_killed_process_is_mended(whole, tmp_path):
    (tmp_path / journal.JOURNAL).write_bytes((whole.folder / journal.JOURNAL).read_bytes() + b'{"op_code": 5, "wor')
    (tmp_path / question.QUESTION).write_bytes((whole.folder / question.QUESTION).read_bytes())
    with journal.alone(tmp_path):
        assert len(Search(ask(CROWD), tmp_path).finished()) == EVERY


def test_ctrl_c_does_not_break_an_entry_of_the_journal(tmp_path, monkeypatch):
    pressed, symlink = [], os.symlink

    def pressed_at_the_lock(*arguments):
        """Ctrl-C comes just before the journal has been locked for the eighth time."""
        pressed.append(None)
        if len(pressed) == 8:
            signal.raise_signal(signal.SIGINT)
        symlink(*arguments)

    monkeypatch.setattr(os, "symlink", pressed_at_the_lock)
    with pytest.raises(KeyboardInterrupt):
        asking.tune(ask(CROWD), out=tmp_path, evaluations=3, fresh_seeds=0)
    assert len(pressed) == 8 and not list(tmp_path.glob("*.lock"))
    assert len(asking.tune(ask(CROWD), out=tmp_path, evaluations=3, fresh_seeds=0).trials) == 3


@pytest.mark.parametrize("at", [1, 8], ids=["when it is made", "later"])
def test_a_journal_that_cannot_be_written_is_named(tmp_path, monkeypatch, at):
    """On a full disk: stdout was said to be full, or the journal to be unreadable."""
    import optuna

    backend, calls = optuna.storages.journal.JournalFileBackend, []
    append = backend.append_logs

    def full(self, logs):
        calls.append(None)
        if len(calls) == at:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        append(self, logs)

    monkeypatch.setattr(backend, "append_logs", full)
    with pytest.raises(CongestreeError, match=r"journal\.log cannot be written: No space left on device"):
        asking.tune(ask(CROWD), out=tmp_path, evaluations=3, fresh_seeds=0)
    assert len(calls) == at
    assert len(asking.tune(ask(CROWD), out=tmp_path, evaluations=3, fresh_seeds=0).trials) == 3


def test_a_journal_that_cannot_be_made_is_named(tmp_path, monkeypatch):
    import optuna

    def full(self, path):
        raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT), path)

    monkeypatch.setattr(optuna.storages.journal.JournalFileBackend, "__init__", full)
    with pytest.raises(CongestreeError, match=r"journal\.log cannot be written: Disk quota exceeded"):
        journal.open_study(tmp_path, ask(CROWD))


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_finished_and_a_kill_too(tmp_path):
    path, out = tmp_path / "crowd.toml", tmp_path / "out"
    path.write_text(CROWD.replace("200 us", "20 ms"))
    words = ("tune", path, "--param", "adapters.window=1..24", "--goal", "rate:victim", "--fresh", 0, "--out", out)
    words += ("--workers", 1, "--batch", 2, "-n", 12)

    def begin(until):
        process = subprocess.Popen(command(*words), stderr=subprocess.PIPE, text=True)
        waited = time.monotonic()
        while len(list(out.glob("runs/*/manifest.json"))) < until and time.monotonic() - waited < 100:
            time.sleep(0.02)
        return process

    assert "kept" in interrupt(begin(3))
    kept = set(out.glob("runs/*/manifest.json"))
    assert len(kept) >= 3
    process = begin(7)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)
    times = {manifest: os.stat(manifest).st_mtime_ns for manifest in out.glob("runs/*/manifest.json")}
    done = subprocess.run(command(*words, "--json"), capture_output=True, text=True, check=True, timeout=200)
    said = json.loads(done.stdout)
    assert said["evaluations"] == 12
    assert all(os.stat(manifest).st_mtime_ns == time for manifest, time in times.items())


SCARCE = {
    "parameters": ["adapters.window=1..5", 'adapters.ack_turnaround=["0 s", "1 us"]'],
    "limits": ["total:crowd >= 1 Gbit/s"],
    "stop_early": 0.4,
}


@pytest.mark.parametrize(("changes", "evaluations", "last"), [({}, 4, 1000), (SCARCE, 12, 65)])
def test_a_search_killed_between_any_two_entries_of_its_journal_goes_on_as_if_it_had_not_been(
    tmp_path, changes, evaluations, last, recwarn, monkeypatch
):
    """The journal is cut after each of its last entries, as a kill leaves it: no setting is lost, and none is changed.

    In the second search some are given up early, and its settings are used up, so that the sampler repeats itself.
    Pictures, which take longer than all the rest, are drawn of the first search alone.
    """
    asked = ask(CROWD, goals=["rate:victim"], **changes)
    options = {"evaluations": evaluations, "fresh_seeds": 0, "workers": 1, "runs": tmp_path / "runs"}
    undisturbed = tune.tune(asked, out=tmp_path / "whole", **options)
    entries = (undisturbed.folder / "journal.log").read_bytes().splitlines(keepends=True)
    assert (b"fixed_params" in b"".join(entries)) == bool(changes)
    monkeypatch.setattr(asking, "_draw", lambda tuning: {})
    for cut in range(max(1, len(entries) - last), len(entries)):
        folder = tmp_path / f"cut-{cut}"
        folder.mkdir()
        asked.write_down(folder)
        (folder / "journal.log").write_bytes(b"".join(entries[:cut]))
        assert outcome(tune.tune(asked, out=folder, **options)) == outcome(undisturbed), entries[cut - 1]
    assert not [told for told in recwarn if "constraint" in str(told.message)]
