"""A sweep survives failed runs, killed workers and Ctrl-C, and knows how much is left."""

import contextlib
import gc
import json
import os
import signal
import subprocess
import textwrap
import threading
import time

import pytest

import congestree
from congestree.runs import locking, running, store
from congestree.studies import pool
from congestree.studies.sweeping import expand
from congestree.studies.worker import ANSWER

from .conftest import SHORT, SMALL, command, interrupt, worker_of_this_process


def test_a_job_that_fails_does_not_stop_the_others(tmp_path):
    good = congestree.check(SMALL)["scenario"]
    jobs = [pool.Job({"nonsense": 1}, tmp_path / "bad", "bad"), pool.Job(good, tmp_path / "good", "good")]
    progress = pool.execute(jobs, workers=1)
    assert list(progress.failed) == ["bad"]
    assert progress.done == 1
    assert store.is_finished(tmp_path / "good")
    assert not (tmp_path / "bad").exists()


def test_a_killed_worker_is_replaced(tmp_path):
    long = {**congestree.check(SMALL)["scenario"]}
    long["measure"] = {**long["measure"], "duration": "1000 s", "bin": "10 s"}
    good = congestree.check(SMALL)["scenario"]
    jobs = [pool.Job(long, tmp_path / "long", "long"), pool.Job(good, tmp_path / "good", "good")]

    def kill_the_first(progress):
        if progress.running.get("long", 0) > 0:
            os.kill(worker_of_this_process(), signal.SIGKILL)

    if not os.path.exists(f"/proc/{os.getpid()}/task"):
        pytest.skip("needs /proc to find the worker")
    progress = pool.execute(jobs, workers=1, on_progress=kill_the_first)
    assert "signal 9" in progress.failed["long"]
    assert store.is_finished(tmp_path / "good")


def test_a_run_that_another_process_is_at_is_waited_for(tmp_path, monkeypatch):
    """Searches may share a folder of runs: the refusal of the second counted as a failure of its setting."""
    monkeypatch.setattr(locking, "PATIENCE", 0.0)
    scenario = congestree.check(SMALL, values=SHORT)["scenario"]
    other = threading.Thread(target=running.run_once, args=(scenario, tmp_path), daemon=True)
    with locking.alone(tmp_path):
        other.start()
        other.join(0.2)
        assert other.is_alive()
    other.join(30)
    assert store.is_whole(tmp_path)


def test_what_another_process_is_writing_is_not_removed(tmp_path):
    """A job that failed, or was interrupted, took the unfinished run of another process with it."""
    folder = tmp_path / "run"
    folder.mkdir()
    with locking.alone(folder):
        (folder / "flows.parquet").touch()
        pool._discard(folder)
        assert (folder / "flows.parquet").exists()
    pool._discard(folder)
    assert not folder.exists()


def test_what_others_print_in_a_worker_is_no_answer(tmp_path, monkeypatch):
    """As a sitecustomize.py does, or a library: the sweep waited for ever."""
    customized(tmp_path, monkeypatch, "print('loaded')\nsys.stdout.buffer.write(b'\\xff{no end of the line')")
    done = in_time(lambda: pool.execute(two_jobs(tmp_path), workers=1))
    assert (done.done, done.failed) == (2, {})


@pytest.mark.parametrize("said", ['5\nnull\n\n{}\n{"at": 7}\n', '{"done": true}\n', "no end of the line"])
def test_what_others_print_between_answers_is_none(tmp_path, monkeypatch, said):
    """As a process does that a sitecustomize.py has started: the sweep broke off, or took its lines for answers."""
    code = f"import time\nfor _ in range(400):\n print({said!r}, end='', flush=True)\n time.sleep(0.01)"
    customized(tmp_path, monkeypatch, f"import subprocess\nsubprocess.Popen([sys.executable, '-I', '-c', {code!r}])")
    shares = []

    def report(progress):
        shares.extend(progress.running.values())
        assert progress.done <= sum(store.is_whole(job.folder) for job in jobs)

    jobs = two_jobs(tmp_path, {"measure.duration": "500 ms"})
    done = in_time(lambda: pool.execute(jobs, workers=1, on_progress=report))
    assert (done.done, done.failed) == (2, {}) and max(shares) <= 1


def customized(folder, monkeypatch, code):
    """Have workers execute code as they start."""
    begin = "import sys\nif 'congestree.studies.worker' in sys.orig_argv:\n"
    (folder / "sitecustomize.py").write_text(begin + textwrap.indent(code, " ") + "\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")])))


def two_jobs(folder, values=SHORT):
    points = expand(SMALL, over={"seed": [1, 2]}, values=values)
    return [pool.Job(point["scenario"], folder / f"{n}") for n, point in enumerate(points)]


def in_time(function, seconds=30):
    """What a function answers in another thread, which may be left behind."""
    answers = []
    thread = threading.Thread(target=lambda: answers.append(function()), daemon=True)
    thread.start()
    thread.join(seconds)
    assert answers, "it takes too long, or has failed"
    return answers[0]


def test_a_worker_that_answers_nonsense_is_ended_and_told_of(tmp_path, monkeypatch):
    """It waits for its next job, so that nobody may wait for its end."""
    code = f"import sys\nsys.stdin.readline()\nprint({ANSWER + 'nonsense'!r}, flush=True)\nsys.stdin.read()"
    start = pool.subprocess.Popen
    monkeypatch.setattr(pool.subprocess, "Popen", lambda words, **how: start([words[0], "-c", code], **how))
    done = in_time(lambda: pool.execute([pool.Job({}, tmp_path / "run", "run")], workers=1))
    assert done.failed == {"run": "its process was ended: 'congestree: nonsense' is no answer of a worker"}


@pytest.mark.parametrize("ending", ["done", "killed", "stopped"])
@pytest.mark.filterwarnings("error")
def test_pipes_to_workers_are_closed_however_they_end(tmp_path, monkeypatch, ending):
    """With `python -X dev` and in tests of others each sweep had a ResourceWarning for each worker."""
    started, start = [], pool._start
    monkeypatch.setattr(pool, "_start", lambda: started.append(start()) or started[-1])

    def report(progress):
        if ending == "killed" and len(started) == 1:
            started[0].kill()
        if ending == "stopped" and progress.done == 1:
            raise KeyboardInterrupt

    with contextlib.suppress(KeyboardInterrupt):
        pool.execute(two_jobs(tmp_path), workers=1, on_progress=report)
    assert len(started) == (2 if ending == "killed" else 1)
    assert all(pipe.closed for process in started for pipe in (process.stdin, process.stdout))
    started.clear()
    gc.collect()


@pytest.mark.slow
def test_an_interrupted_sweep_keeps_what_is_finished_and_goes_on(tmp_path):
    """By SIGTERM, as batch systems send it: it acts as Ctrl-C, by which searches and sweeps on clusters are tested."""
    path, out = tmp_path / "grid.toml", tmp_path / "out"
    path.write_text(SMALL.replace("2 ms", "100 ms") + f"\n[sweep]\nseed = {list(range(1, 25))}\n")
    process = subprocess.Popen(
        command("sweep", path, "--out", out, "--workers", "2"), stderr=subprocess.PIPE, text=True
    )
    waited = time.monotonic()
    while len(list(out.glob("runs/*/manifest.json"))) < 3 and time.monotonic() - waited < 60:
        time.sleep(0.02)
    assert "kept" in interrupt(process, signal.SIGTERM)
    kept = len(list(out.glob("runs/*/manifest.json")))
    assert 3 <= kept < 24
    assert kept == len(list(out.glob("runs/*"))), "half-made runs are cleared away"
    done = subprocess.run(command("sweep", path, "--out", out, "--json"), capture_output=True, text=True, check=True)
    assert f'"resumed": {kept}' in done.stdout


def test_the_time_left_does_not_count_what_was_finished_before():
    from congestree.cli.console import _left

    assert _left(pool.Progress(total=10, resumed=6, done=8), elapsed=30.0) == pytest.approx(30.0)
    assert _left(pool.Progress(total=4, done=1), elapsed=10.0) == pytest.approx(30.0)
    assert _left(pool.Progress(total=10, resumed=6, done=6), elapsed=30.0) is None


def test_the_pace_counts_runs_that_failed_and_not_those_from_before(monkeypatch):
    """Two workers settle a run every other second, of which each takes four."""
    from congestree.cli import console

    monkeypatch.setattr(console.time, "monotonic", lambda: 120.0)
    state = pool.Progress(total=20, resumed=6, done=12, failed=dict.fromkeys("abcd", "why"))
    assert console._each(state, began=100.0) == ", one every 2 s"


RING = {
    "allow_credit_loops": True,
    "topology": {
        "graph": {
            "hosts": [f"h{i}" for i in range(5)],
            "switches": [f"s{i}" for i in range(5)],
            "links": [{"a": f"h{i}", "b": f"s{i}"} for i in range(5)]
            + [{"a": f"s{i}", "b": f"s{(i + 1) % 5}"} for i in range(5)],
        }
    },
    "links": {"rate": "8 Gbit/s"},
    "switches": {"buffer": "4 KiB"},
    "traffic": [{"from": f"h{i}", "to": f"h{(i + 2) % 5}"} for i in range(5)],
    "measure": {"duration": "1 ms"},
}


def test_a_run_that_ended_in_a_deadlock_is_told_of_and_so_is_which(congestree_cli, tmp_path):
    """Five flows over two links each of a ring are stuck; if one of them goes over one, they are not."""
    (tmp_path / "ring.json").write_text(json.dumps(RING))
    words = ("sweep", tmp_path / "ring.json", "--set", 'sweep={"traffic.0.to"=["h1", "h2"]}')
    done = congestree_cli(*words, "--out", tmp_path / "out")
    assert "ended early: to h2: deadlock" in done.stderr and "to h1" not in done.stderr
    told = json.loads(congestree_cli(*words, "--out", tmp_path / "out", "--json").stdout)
    assert list(told["stopped"]) == ["to h2"]
