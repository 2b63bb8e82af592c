"""The runs of a sweep on a Dask cluster: many machines, one folder on a disk that all of them see.

    congestree sweep grid.toml --scheduler tcp://node1:8786

The scheduler gives each worker a job at a time, and the worker writes the run directory itself. As on one machine, a
folder with a manifest is a finished run and is never run again, so a worker may die at any time: its finished runs
remain, and an unfinished one starts again on another worker.

While the sweep waits, there is a file `.sweeping-…` in the folder of the study. A worker that cannot see it does not
share the disk, and reports that; a worker stops when the file disappears, so that Ctrl-C here ends the runs there. The
sweep touches it every few seconds: one that was not for minutes is of a sweep that was killed, and the next one in this
folder removes it with the drafts of its runs.
"""

import asyncio
import contextlib
import logging
import os
import shutil
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ..errors import CongestreeError
from ..runs import store, writing
from . import pool

# Seconds until a scheduler that does not answer counts as absent.
PATIENCE = 30.0

# Seconds for one that has answered to take us on: it is there, and on a crowded machine everything takes long.
WELCOME = 120.0

# How often a run checks whether it is still needed, in seconds.
LOOK_EVERY = 1.0

# How often a sweep touches its sign, and the age at which that of another is of a dead one, in seconds: a sweep may be
# stopped for a while, and its machine be busy.
TOUCH_EVERY = 5.0
DEAD_AFTER = 600.0


def execute(jobs, *, scheduler, home, on_progress=None, patience=PATIENCE):
    """Do all jobs that are not done yet on a Dask cluster; returns the final `pool.Progress`.

    scheduler: the address of the scheduler, such as "tcp://node1:8786".
    home: the folder of the study; every worker must see it under the same path.

    What is finished and what fails is as in `pool.execute`. Ctrl-C stops the runs and leaves every finished one.
    """
    progress, waiting = pool.begin(jobs)
    report = on_progress or (lambda progress: None)
    report(progress)
    if not waiting:
        return progress
    distributed = _library()
    client = _connect(distributed, scheduler, patience)
    sign = Path(home).absolute() / f".sweeping-{uuid.uuid4().hex}"
    writing.write_json(sign, {"scheduler": scheduler, "runs": len(waiting)})
    for job in waiting:
        store.forget(job.folder)  # damaged tables
    try:
        _gather(distributed, client, waiting, sign, progress, report)
    except (OSError, distributed.core.CommClosedError) as error:
        raise CongestreeError(_lost(scheduler, error)) from None
    finally:
        dead = _dead(sign)
        for one in (sign, *dead):
            one.unlink(missing_ok=True)
        _leave(client)
        _sweep_up(waiting, sign, dead)
    return progress


def _library():
    try:
        import distributed
    except ImportError:
        raise CongestreeError(
            "Running on a cluster needs Dask, which is not installed here: pip install 'congestree[dask]'."
        ) from None
    # The failures that matter are reported in sentences. Some of Dask's loggers have a level of their own.
    for name in [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "distributed"]:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return distributed


def _connect(distributed, scheduler, patience):
    """A client of the scheduler. The scheduler is asked for its identity first: a client may wait for it for ever."""

    async def ask():
        async with distributed.rpc(scheduler, timeout=patience) as there:
            return await there.identity()

    try:
        with ThreadPoolExecutor(1) as aside:  # a notebook has a loop of its own in this thread
            who = aside.submit(lambda: asyncio.run(asyncio.wait_for(ask(), patience))).result()
        kind = who.get("type", "process")
    except _UNANSWERED as error:
        raise _no_scheduler(scheduler, error, patience) from None
    except Exception:  # the beginning of a greeting is taken for lengths: MemoryError, and others without a sentence
        raise _no_scheduler(scheduler, "something else does", patience) from None
    if kind != "Scheduler":
        raise CongestreeError(f"At {scheduler} is a Dask {kind.lower()}, not the scheduler.")
    try:
        return distributed.Client(scheduler, timeout=WELCOME, set_as_default=False)
    except _UNANSWERED as error:
        raise _no_scheduler(scheduler, error, WELCOME) from None


_UNANSWERED = (OSError, ValueError, TypeError, AttributeError, ImportError)
"""What Dask raises if nobody answers, or if an address cannot be read."""


def _no_scheduler(scheduler, why, patience):
    """The error to raise if there is no scheduler at the address; an address that cannot be read is told at once."""
    waited = f" within {patience:g} s" if isinstance(why, OSError) else ""
    why = str(why).strip().rstrip(".").partition("\n")[0]
    return CongestreeError(
        f"No Dask scheduler answers at {scheduler}{waited}{why and f' ({why})'}. "
        "Start one with `dask scheduler`; it prints its address, such as tcp://node1:8786."
    )


def _gather(distributed, client, waiting, sign, progress, report):
    """Hand out all jobs and take the answers in as they come."""
    from .. import __version__

    tag = uuid.uuid4().hex[:8]
    futures = {}
    for number, job in enumerate(waiting):
        told = (job.scenario, str(job.folder.absolute()), str(sign), __version__)
        futures[client.submit(work, *told, key=f"congestree-{tag}-{number}", pure=False)] = job
    answers = distributed.as_completed(futures, loop=client.loop, raise_errors=False)
    touched = time.monotonic()
    while futures:
        if time.monotonic() - touched > TOUCH_EVERY:
            touched = time.monotonic()
            _touch(sign)
        try:
            future = answers.__next__() if _ready(answers) else None
        except StopIteration:
            raise OSError("it has forgotten the runs") from None
        if future is None:
            _note_workers(client, progress, report)
            continue
        progress.note = ""
        if not _settle(future, futures[future], progress):
            answers.add(future)
            continue
        del futures[future]
        future.release()
        report(progress)


def _ready(answers):
    """Whether an answer has arrived, after a short wait (so that Ctrl-C takes effect)."""
    until = time.monotonic() + 0.5
    while time.monotonic() < until:
        if answers.has_ready():
            return True
        time.sleep(0.02)
    return False


def _note_workers(client, progress, report):
    """Report the number of workers while no result arrives."""
    if client.status != "running":
        raise OSError("the connection is broken")
    count = len(client.nthreads())
    progress.note = f"on {count} workers" if count else "waiting for workers"
    report(progress)


def _settle(future, job, progress):
    """Record the outcome of a job. Returns whether it is known: it is not if a worker has died with its answer; then
    the scheduler asks another worker, which finds the run finished."""
    name = job.name or str(job.folder)
    if future.status == "finished":
        answer = future.result()
        if "elsewhere" in answer:
            raise CongestreeError(answer["elsewhere"])
        if "failed" in answer:
            progress.failed[name] = answer["failed"]
        else:
            progress.done += 1
        return True
    if future.status == "cancelled":
        raise OSError("it has dropped the runs")
    if future.status != "error":
        return False
    error = future.exception()
    if isinstance(error, ModuleNotFoundError):
        raise CongestreeError(f"A worker lacks what it needs ({error}): install the same congestree on all machines.")
    text = str(error).partition("\n")[0]
    if type(error).__name__ == "KilledWorker":
        text = "every worker that took it has died, as happens when there is too little memory"
    progress.failed[name] = text or type(error).__name__
    return True


def _lost(scheduler, error):
    return (
        f"The Dask scheduler at {scheduler} was lost ({error or type(error).__name__}). "
        "Finished runs are kept; the same command goes on from there."
    )


def _leave(client):
    """Close the connection; the scheduler then forgets the jobs that still wait."""
    try:
        client.close(timeout=2)
    except Exception:  # the scheduler may be gone: there is no one to close the connection with
        logging.getLogger(__name__).debug("closing failed", exc_info=True)


def _tag(sign):
    """The tag of a sweep in the names of its marker file and its drafts, which distinguishes it from others."""
    return sign.name.rpartition("-")[2]


def _touch(sign):
    """Show that the sweep of a marker file is under way; the file may have been removed to stop the runs."""
    with contextlib.suppress(OSError):
        os.utime(sign)


def _dead(sign):
    """The marker files of sweeps that were killed, by the clock of the disk, as that of our own shows it."""
    _touch(sign)
    try:
        now = sign.stat().st_mtime
        return [s for s in sign.parent.glob(".sweeping-*") if s != sign and now - s.stat().st_mtime > DEAD_AFTER]
    except OSError:  # one that has just ended: the next sweep looks again
        return []


def _sweep_up(jobs, sign, dead=()):
    """Remove the files of workers that died in the middle of a run; drafts of sweeps under way stay.

    dead: marker files of sweeps that were killed, of whose runs none will be finished.

    A draft gets another name first: a worker that is about to move it to its place finds it as a whole, or not at all.
    """
    under_way = {_tag(other) for other in sign.parent.glob(".sweeping-*")}
    names, given_up = {job.folder.name for job in jobs}, {_tag(other) for other in dead}
    for home in {job.folder.parent for job in jobs}:
        for draft in home.glob(".*-*-*"):
            name, _, tag = draft.name[1:].rpartition("-")[0].rpartition("-")
            if tag in given_up or (name in names and tag not in under_way):
                doomed = draft.with_name(f".{name}-{tag}-{uuid.uuid4().hex[:8]}")
                with contextlib.suppress(OSError):
                    draft.rename(doomed)
                shutil.rmtree(doomed, ignore_errors=True)


def _put(draft, folder):
    """Move a complete run to its place, unless another worker was faster: one of an earlier sweep, or one given up."""
    if store.is_finished(folder):
        return
    shutil.rmtree(folder, ignore_errors=True)
    try:
        draft.rename(folder)
    except OSError:
        if not store.is_finished(folder):
            raise


class _Unwanted(Exception):
    """No process waits for this run any more."""


def work(scenario, folder, sign, version):
    """One job, on a worker: {"done": True}, {"failed": why}, or {"elsewhere": why} if this worker cannot help."""
    import platform

    from .. import __version__
    from ..runs import running

    folder, sign = Path(folder), Path(sign)
    if version != __version__:
        why = f"Worker {platform.node()} has congestree {__version__}, this is {version}: install the same everywhere."
        return {"elsewhere": why}
    if not sign.exists():
        why = f"Worker {platform.node()} does not see {sign.parent}: give --out a folder that all machines share."
        return {"elsewhere": why}
    if store.is_finished(folder):
        return {"done": True}  # by a worker that died before it could report it
    looked = time.monotonic()

    def still_wanted(*_):
        nonlocal looked
        if time.monotonic() - looked > LOOK_EVERY:
            looked = time.monotonic()
            if not sign.exists():
                raise _Unwanted

    # In a folder of its own until it is complete: a worker that was given up for dead may still be at the same job.
    draft = folder.with_name(f".{folder.name}-{_tag(sign)}-{uuid.uuid4().hex[:8]}")
    try:
        running.refuse_part(running.run(scenario, out=draft, on_progress=still_wanted, threads=1))
        _put(draft, folder)
    except _Unwanted:
        return {"failed": "stopped"}
    except BaseException as error:  # a panic of the engine too: report it, take the next job
        return {"failed": str(error) or type(error).__name__}
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return {"done": True}
