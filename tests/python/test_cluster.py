"""A sweep on a Dask cluster gives the same results as on one machine, and survives the end of workers and scheduler.

The cluster is real: a scheduler and workers, each a process of its own. A preload script on the workers records every
run that begins and every run that ends, so that they can be counted.
"""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import congestree
from congestree.runs import store
from congestree.studies import cluster, pool
from congestree.studies.sweeping import expand

from .conftest import SMALL, command

pytest.importorskip("distributed")

COUNTING = """
import json, os
from congestree.runs import running

def counted(run):
    def counting(scenario, *, out=None, **options):
        def note(what):
            line = json.dumps([what, out.name[1:].split("-")[0], os.getpid()]) + "\\n"
            with open(os.environ["CONGESTREE_COUNT"], "a") as book:
                book.write(line)
        note("begun")
        result = run(scenario, out=out, **options)
        note("ended")
        return result
    return counting

if running.run.__name__ != "counting":  # Dask loads a preload script twice
    running.run = counted(running.run)
"""


class Cluster:
    """A scheduler and workers as processes; `runs()` is what the workers have noted."""

    def __init__(self, folder):
        self.folder = folder
        self.book = folder / "book"
        self.book.touch()
        (folder / "counting.py").write_text(COUNTING)
        home = str(Path(congestree.__file__).parent.parent)
        path = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH")]))
        self.environment = {**os.environ, "PYTHONPATH": path, "CONGESTREE_COUNT": str(self.book)}
        self.processes = []
        told = folder / "scheduler.json"
        self.scheduler = self.start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", told
        )
        until(lambda: told.exists() and told.read_text().strip().endswith("}"))
        self.address = json.loads(told.read_text())["address"]

    def start(self, what, *arguments):
        words = [sys.executable, "-m", "distributed.cli.dask_" + what, *map(str, arguments)]
        process = subprocess.Popen(
            words, cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.processes.append(process)
        return process

    def worker(self):
        """A worker with one thread and no nanny: killed means dead."""
        quiet = ("--no-nanny", "--nthreads", "1", "--no-dashboard", "--preload", self.folder / "counting.py")
        return self.start("worker", self.address, *quiet)

    def runs(self, what):
        """(run, process) of all lines of a kind."""
        lines = [json.loads(line) for line in self.book.read_text().splitlines()]
        return [(run, process) for kind, run, process in lines if kind == what]

    def close(self):
        for process in reversed(self.processes):
            with contextlib.suppress(OSError):
                process.kill()
            process.wait()


def until(true, seconds=60):
    """Wait until something is true."""
    began = time.monotonic()
    while not true():
        assert time.monotonic() - began < seconds, "waited too long"
        time.sleep(0.02)


@pytest.fixture
def machines(tmp_path):
    made = Cluster(tmp_path)
    yield made
    made.close()


def grid(count, duration="2 ms"):
    """A scenario with this many seeds."""
    return SMALL.replace("2 ms", duration) + f"\n[sweep]\nseed = {list(range(1, count + 1))}\n"


def manifests(out):
    """Runs that are finished; those whose names begin with a dot are being written."""
    return {path.parent.name: path.stat().st_mtime_ns for path in Path(out).glob("runs/[!.]*/manifest.json")}


@pytest.mark.slow
def test_a_cluster_gives_what_one_machine_gives(machines, tmp_path):
    machines.worker(), machines.worker()
    here = congestree.sweep(grid(6), out=tmp_path / "here", workers=2)
    there = congestree.sweep(grid(6), out=tmp_path / "there", scheduler=machines.address)
    assert there.runs.drop("wall_s").equals(here.runs.drop("wall_s"))
    assert [run.fingerprint for run in there] == [run.fingerprint for run in here]
    assert {p.name for p in (tmp_path / "there/runs").iterdir()} == {p.name for p in (tmp_path / "here/runs").iterdir()}
    again = congestree.sweep(grid(8), out=tmp_path / "there", scheduler=machines.address)
    assert (again.resumed, len(again), len(machines.runs("begun"))) == (6, 8, 8)
    assert not list((tmp_path / "there").glob(".sweeping*"))


@pytest.mark.slow
def test_a_worker_killed_in_mid_sweep_loses_nothing_and_repeats_nothing(machines, tmp_path):
    first = machines.worker()
    machines.worker()
    out, count = tmp_path / "out", 24
    seen = {}

    def kill_one(progress):
        if progress.done >= 6 and not seen and first.pid in {process for _, process in working(machines)}:
            seen.update(manifests(out))
            first.send_signal(signal.SIGKILL)
            first.wait()

    study = congestree.sweep(grid(count, "40 ms"), out=out, scheduler=machines.address, on_progress=kill_one)
    assert len(seen) >= 6, "nobody was killed in mid-sweep"
    assert not study.failed
    assert len(study.runs) == count == len(manifests(out))
    after = manifests(out)
    assert {run: after[run] for run in seen} == seen, "what was finished was not touched again"
    begun, ended = machines.runs("begun"), machines.runs("ended")
    assert len(ended) == len({run for run, _ in ended}) == count, "no run ended twice"
    lost = [entry for entry in begun if entry not in ended]
    assert len(begun) == count + len(lost)
    assert {process for _, process in lost} <= {first.pid}, "only the killed worker left anything"
    assert len(lost) == 1, "it was killed in the middle of a run"
    assert not [path for path in (out / "runs").iterdir() if path.name.startswith(".")]


@pytest.mark.slow
def test_a_worker_that_dies_with_its_answers_leaves_finished_runs(machines, tmp_path, monkeypatch):
    """Its runs are in the folder, but the scheduler has not received their outcome yet."""
    first = machines.worker()
    lost = []
    settle = cluster._settle

    def late(future, job, progress):
        client = future.client
        if not lost:
            until(lambda: len(machines.runs("ended")) == 4)
            until(lambda: all(client.futures[key].status == "finished" for key in client.futures))
            first.kill()
            first.wait()
            until(lambda: any(client.futures[key].status == "lost" for key in client.futures))
            lost.extend(key for key in client.futures if client.futures[key].status == "lost")
            machines.worker()
        return settle(future, job, progress)

    monkeypatch.setattr(cluster, "_settle", late)
    study = congestree.sweep(grid(4), out=tmp_path / "out", scheduler=machines.address)
    assert len(lost) >= 3
    assert (len(study.runs), len(manifests(tmp_path / "out")), len(machines.runs("begun"))) == (4, 4, 4)


def working(machines):
    """Runs that are begun and not ended."""
    ended = machines.runs("ended")
    return [entry for entry in machines.runs("begun") if entry not in ended]


def test_a_draft_that_is_removed_while_its_worker_moves_it_does_not_arrive_in_pieces(tmp_path, monkeypatch):
    sign, folder, draft = tmp_path / ".sweeping-tag", tmp_path / "runs/name", tmp_path / "runs/.name-tag-0a1b2c3d"
    draft.mkdir(parents=True)
    for file in ("table.parquet", "manifest.json"):
        (draft / file).write_text("{}")
    remove = shutil.rmtree

    def slowly(path, **how):
        (path / "table.parquet").unlink()
        with contextlib.suppress(OSError):
            draft.rename(folder)  # by the worker, in this moment
        remove(path, **how)

    monkeypatch.setattr(cluster.shutil, "rmtree", slowly)
    cluster._sweep_up([pool.Job({}, folder, "name")], sign)
    assert not folder.exists() and not draft.exists()
    assert list((tmp_path / "runs").iterdir()) == []


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_finished_and_stops_the_workers(machines, tmp_path):
    machines.worker(), machines.worker()
    path, out = tmp_path / "grid.toml", tmp_path / "out"
    path.write_text(grid(40, "100 ms"))
    asked = command("sweep", path, "--out", out, "--scheduler", machines.address)
    process = subprocess.Popen(asked, stderr=subprocess.PIPE, text=True)
    until(lambda: len(manifests(out)) >= 3)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "kept" in said
    assert "Traceback" not in said, said
    kept = settled(lambda: manifests(out), 2 * cluster.LOOK_EVERY)
    assert 3 <= len(kept) < 40
    done = subprocess.run([*asked, "--json"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stderr}\n{done.stdout}"
    assert json.loads(done.stdout)["resumed"] == len(kept)
    after = manifests(out)
    assert len(after) == 40 and {run: after[run] for run in kept} == kept, "what was kept was not touched again"
    # A run may have ended in the moment of Ctrl-C, with its tables not in their place: it is not kept, and done again.
    ended = [run for run, _ in machines.runs("ended")]
    assert set(ended) == set(after)
    twice = {run for run in ended if ended.count(run) > 1}
    assert len(ended) <= 42 and not twice & set(kept), "what was kept did not end twice, over both commands"


def settled(look, seconds):
    """What is seen when nothing has changed for this long: the workers have stopped."""
    while True:
        seen = look()
        time.sleep(seconds)
        if look() == seen:
            return seen


@pytest.mark.slow
def test_workers_may_come_later(machines, tmp_path):
    notes = []

    def start_one(progress):
        if progress.note == "waiting for workers" and "waiting for workers" not in notes:
            machines.worker()
        notes.append(progress.note)

    study = congestree.sweep(grid(3), out=tmp_path / "out", scheduler=machines.address, on_progress=start_one)
    assert "waiting for workers" in notes
    assert len(study.runs) == 3


@pytest.mark.slow
def test_a_lost_scheduler_is_a_sentence_and_the_sweep_goes_on_elsewhere(machines, tmp_path):
    machines.worker()
    out = tmp_path / "out"

    def kill_the_scheduler(progress):
        if progress.done == 2:
            machines.scheduler.kill()

    with pytest.raises(congestree.CongestreeError, match=r"was lost.*Finished runs are kept"):
        congestree.sweep(grid(12, "40 ms"), out=out, scheduler=machines.address, on_progress=kill_the_scheduler)
    kept = manifests(out)
    assert len(kept) >= 2
    study = congestree.sweep(grid(12, "40 ms"), out=out, workers=2)
    assert len(study.runs) == 12
    assert study.resumed >= len(kept)


@pytest.mark.slow
def test_a_run_that_fails_does_not_stop_the_others(machines, tmp_path):
    machines.worker()
    good = congestree.check(SMALL)["scenario"]
    jobs = [pool.Job({"nonsense": 1}, tmp_path / "runs/bad", "bad"), pool.Job(good, tmp_path / "runs/good", "good")]
    progress = cluster.execute(jobs, scheduler=machines.address, home=tmp_path)
    assert list(progress.failed) == ["bad"]
    assert progress.done == 1
    assert store.is_finished(tmp_path / "runs/good")
    assert not (tmp_path / "runs/bad").exists()


def test_an_address_where_nobody_answers_is_a_sentence(congestree_cli, small, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as deaf:  # listens, and never answers
        job = pool.Job(expand(SMALL)[0]["scenario"], tmp_path / "run")
        began = time.monotonic()
        with pytest.raises(congestree.CongestreeError, match=r"No Dask scheduler answers at tcp://127.*within 1 s"):
            address = f"tcp://127.0.0.1:{deaf.getsockname()[1]}"
            cluster.execute([job], scheduler=address, home=tmp_path, patience=1)
        assert time.monotonic() - began < 5
    for address in ("nonsense://x", "tcp://127.0.0.1:1", "tcp://no such host:1"):
        with pytest.raises(congestree.CongestreeError, match="No Dask scheduler answers"):
            cluster.execute([job], scheduler=address, home=tmp_path, patience=1)
    both = congestree_cli("sweep", small, "--scheduler", "tcp://127.0.0.1:1", "--workers", 2, code=2)
    assert "--workers counts processes of this machine" in both.stderr


def test_without_dask_the_message_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "distributed", None)
    job = pool.Job(expand(SMALL)[0]["scenario"], tmp_path / "run")
    with pytest.raises(congestree.CongestreeError, match=r"pip install 'congestree\[dask\]'"):
        cluster.execute([job], scheduler="tcp://127.0.0.1:1", home=tmp_path)


def test_a_worker_that_cannot_help_says_why(tmp_path):
    scenario, sign = expand(SMALL)[0]["scenario"], tmp_path / "sign"
    unseen = cluster.work(scenario, str(tmp_path / "run"), str(sign), congestree.__version__)
    assert "a folder that all machines share" in unseen["elsewhere"]
    sign.touch()
    other = cluster.work(scenario, str(tmp_path / "run"), str(sign), "0.0.0")
    assert "install the same everywhere" in other["elsewhere"]
    assert not (tmp_path / "run").exists()


def test_drafts_of_another_sweep_stay_and_so_does_a_run_that_somebody_else_has_finished(tmp_path):
    job = pool.Job({}, tmp_path / "0a1b")
    ours, theirs = tmp_path / ".sweeping-aaaa", tmp_path / ".sweeping-bbbb"
    theirs.touch()
    mine, other = tmp_path / ".0a1b-aaaa-1", tmp_path / ".0a1b-bbbb-2"
    for draft in (mine, other):
        store.save(draft, {"by": draft.name, "scenario": {}}, {})
    cluster._sweep_up([job], ours)
    assert (mine.exists(), other.exists()) == (False, True), "the other sweep is under way"
    cluster._put(other, job.folder)
    store.save(mine, {"by": mine.name, "scenario": {}}, {})
    cluster._put(mine, job.folder)
    assert store.load_manifest(job.folder)["by"] == other.name
    assert mine.exists(), "its worker removes it"


@pytest.mark.slow
def test_a_scheduler_that_is_slow_to_welcome_us_is_waited_for(machines, tmp_path, monkeypatch):
    """On a busy machine seconds pass between its first answer and the next; here it is made to pause."""
    import distributed

    machines.worker()

    welcome = distributed.Client.__init__

    def slowly(self, *arguments, **options):
        machines.scheduler.send_signal(signal.SIGSTOP)
        threading.Timer(5, lambda: machines.scheduler.send_signal(signal.SIGCONT)).start()
        welcome(self, *arguments, **options)

    monkeypatch.setattr(distributed.Client, "__init__", slowly)
    job = pool.Job(expand(SMALL)[0]["scenario"], tmp_path / "run")
    assert cluster.execute([job], scheduler=machines.address, home=tmp_path, patience=2.0).done == 1


def test_a_run_whose_sign_has_gone_stops(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "LOOK_EVERY", 0.0)
    sign = tmp_path / "sign"
    sign.touch()
    endless = expand(SMALL.replace("2 ms", "1000 s").replace("20 us", "10 s"))[0]["scenario"]
    threading.Timer(0.5, sign.unlink).start()
    began = time.monotonic()
    assert cluster.work(endless, str(tmp_path / "run"), str(sign), congestree.__version__) == {"failed": "stopped"}
    assert time.monotonic() - began < 10
    assert list(tmp_path.iterdir()) == []
