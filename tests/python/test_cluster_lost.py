"""A sweep on a Dask cluster survives the end of workers and scheduler, and leaves no drafts behind."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import threading
import time

import pytest

import congestree
from congestree.runs import store
from congestree.studies import cluster, pool
from congestree.studies.sweeping import expand

from .conftest import SMALL, command
from .dask_cluster import grid, manifests, until

pytest.importorskip("distributed")


@pytest.mark.slow
def test_a_worker_killed_in_mid_sweep_loses_nothing_and_repeats_nothing(machines, tmp_path):
    first = machines.worker()
    machines.worker()
    out, count = tmp_path / "out", 24
    seen = {}

    def kill_one(progress):
        if progress.done < 6 or seen:
            return
        # Stopped first, as its run could end between the look and the kill.
        first.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, first.pid, os.WSTOPPED)
        if first.pid in {process for _, process in working(machines)}:
            seen.update(manifests(out))
            first.send_signal(signal.SIGKILL)
            first.wait()
        else:
            first.send_signal(signal.SIGCONT)

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
def test_a_lost_scheduler_is_told_of_in_one_line(machines, tmp_path):
    """Dask had a line of its own before it: that it had tried for 120 seconds."""
    machines.worker()
    (tmp_path / "grid.toml").write_text(grid(40, "100 ms"))
    words = command("sweep", tmp_path / "grid.toml", "--out", tmp_path / "out", "--scheduler", machines.address)
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    until(lambda: len(manifests(tmp_path / "out")) >= 2)
    machines.scheduler.kill()
    said = process.communicate(timeout=60)[1]
    told = [line for line in said.splitlines() if not line.startswith("grid: ")]  # how far it is
    assert process.returncode == 1 and len(told) == 1 and "was lost" in told[0], said


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


def test_a_sweep_that_was_killed_leaves_nothing_for_ever(tmp_path):
    """Its sign protected the drafts of its runs, and those of all later sweeps."""
    ours, theirs, killed = (tmp_path / f".sweeping-{tag}" for tag in ("aaaa", "bbbb", "cccc"))
    for sign in (ours, theirs, killed):
        sign.touch()
    now = ours.stat().st_mtime
    os.utime(theirs, (now, now - 0.9 * cluster.DEAD_AFTER))
    os.utime(killed, (now, now - 1.1 * cluster.DEAD_AFTER))
    drafts = [tmp_path / "runs" / f".{name}" for name in ("0a1b-bbbb-1", "0a1b-cccc-2", "2c3d-cccc-3", "2c3d-dddd-4")]
    for draft in drafts:
        draft.mkdir(parents=True)
    assert cluster._dead(ours) == [killed]
    killed.unlink()
    cluster._sweep_up([pool.Job({}, tmp_path / "runs/0a1b")], ours, [killed])
    assert [draft.exists() for draft in drafts] == [True, False, False, True]


@pytest.mark.slow
def test_a_sweep_shows_that_it_is_under_way_and_removes_the_sign_of_a_dead_one(machines, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "TOUCH_EVERY", 0.0)
    dead, out = tmp_path / "out/.sweeping-0a1b", tmp_path / "out"
    out.mkdir()
    dead.touch()
    os.utime(dead, (0, 0))
    times = []

    def look(progress):
        signs = [sign for sign in out.glob(".sweeping-*") if sign != dead]
        times.extend(sign.stat().st_mtime for sign in signs)
        if len(times) == 3:
            machines.worker()

    study = congestree.sweep(grid(2), out=out, scheduler=machines.address, on_progress=look)
    assert len(study.runs) == 2 and times[2] > times[0]
    assert not list(out.glob(".sweeping-*"))


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
