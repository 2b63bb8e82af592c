"""A sweep on a Dask cluster gives the same results as on one machine, and tells in a sentence what it lacks."""

import signal
import socket
import sys
import threading
import time

import pytest

import congestree
from congestree.runs import store
from congestree.studies import cluster, pool
from congestree.studies.sweeping import expand

from .conftest import SMALL
from .dask_cluster import grid

pytest.importorskip("distributed")


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
    for address in ("nonsense", "nonsense://x", "tcp://127.0.0.1:1", "tcp://no such host:1"):
        with pytest.raises(congestree.CongestreeError, match="No Dask scheduler answers") as told:
            cluster.execute([job], scheduler=address, home=tmp_path, patience=1)
        waited = "within 1 s" in str(told.value)
        assert waited == address.startswith("tcp"), "an address that is none is not waited for"
    both = congestree_cli("sweep", small, "--scheduler", "tcp://127.0.0.1:1", "--workers", 2, code=2)
    assert "--workers counts processes of this machine" in both.stderr


@pytest.mark.parametrize("greeting", [b"SSH-2.0-OpenSSH_9.6p1 Ubuntu-3ubuntu13\r\n", bytes(200)])
def test_an_address_where_something_else_answers_is_a_sentence(greeting, tmp_path):
    """The first bytes are taken for the number of parts: more than there is memory, or none."""
    with socket.create_server(("127.0.0.1", 0)) as other:

        def greet():
            while True:
                try:
                    connection, _ = other.accept()
                except OSError:  # the end of the test
                    return
                connection.sendall(greeting)

        threading.Thread(target=greet, daemon=True).start()
        job = pool.Job(expand(SMALL)[0]["scenario"], tmp_path / "run")
        address = f"tcp://127.0.0.1:{other.getsockname()[1]}"
        with pytest.raises(congestree.CongestreeError, match=f"No Dask scheduler answers at {address} .something else"):
            cluster.execute([job], scheduler=address, home=tmp_path, patience=5)


def test_the_page_says_how_long_a_scheduler_is_waited_for(root):
    page = (root / "docs/howto/run-a-sweep-on-a-cluster.md").read_text(encoding="utf-8")
    assert f"no scheduler answers at the address | a message after {cluster.PATIENCE:.0f} seconds |" in page


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
