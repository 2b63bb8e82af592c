"""Many runs on all cores: worker processes, progress, and no run done twice.

A job is a scenario and the folder for its results. A job whose folder holds a finished run, with all its tables, is
not repeated; an interrupted study is resumed in this way.
"""

import contextlib
import errno
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path

from .. import renames
from ..errors import CongestreeError, Note
from ..runs import arguments, locking, store
from .worker import ANSWER


@dataclass(frozen=True)
class Job:
    """A scenario (a dict) and the folder for its results."""

    scenario: dict
    folder: Path
    name: str = ""


@dataclass
class Progress:
    """How far a set of jobs is."""

    total: int
    resumed: int = 0  # finished before we began
    done: int = 0  # finished, the resumed ones included
    running: dict = field(default_factory=dict)  # job -> share done, 0..1
    failed: dict = field(default_factory=dict)  # job -> why
    note: str = ""  # anything else worth telling
    what: str = "runs"  # what is counted

    @property
    def share(self):
        """Share of the whole that is done, 0..1."""
        settled = self.done + len(self.failed)
        return (settled + sum(self.running.values())) / self.total if self.total else 1.0


def default_workers():
    """The cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


class Crew:
    """Worker processes that wait for more jobs, for those who have jobs in several goes: `execute(..., crew=crew)`."""

    def __init__(self):
        self._idle = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self._idle:
            _dismiss(process)
        self._idle.clear()

    def take(self):
        """A process that waits for jobs."""
        while self._idle:
            process = self._idle.pop()
            if process.poll() is None:
                return process
            _dismiss(process)
        return _start()

    def give(self, process):
        """Take a process back."""
        self._idle.append(process)


def _start():
    home = str(Path(__file__).absolute().parent.parent.parent)
    path = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, "-m", "congestree.studies.worker", str(os.getpid())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        errors="replace",  # in what others print
        start_new_session=True,  # Ctrl-C reaches us only; we stop the workers
        env={**os.environ, "PYTHONPATH": path, "POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"},
    )


def _dismiss(process):
    """Wait for the end of a process, and close the pipes to it. Nobody may be reading from it meanwhile."""
    with contextlib.suppress(OSError):
        process.stdin.close()  # the process ends with its input
    process.wait()
    process.stdout.close()


class _Worker(threading.Thread):
    """A worker process and the thread that talks with it."""

    def __init__(self, jobs, events, crew, limit_memory=None):
        super().__init__(daemon=True)
        self.jobs, self.events, self.crew, self.limit_memory = jobs, events, crew, limit_memory
        self.process = crew.take()
        self.died = False

    def start(self):
        try:
            super().start()
        except RuntimeError:  # Python's word for it
            self.stop()
            _dismiss(self.process)
            raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN)) from None

    def run(self):
        while not self.died:
            try:
                job = self.jobs.get_nowait()
            except queue.Empty:
                break
            self.events.put((job, {"at": 0.0}))
            self.died = not self._work(job)
        if self.died:
            _dismiss(self.process)
        else:
            self.crew.give(self.process)
        self.events.put((None, self))

    def _work(self, job):
        """Have one job done; False if the process has died."""
        line = ""
        try:
            facts = {"scenario": job.scenario, "folder": str(job.folder), "limit_memory": self.limit_memory}
            self.process.stdin.write(json.dumps(facts) + "\n")
            self.process.stdin.flush()
            for line in self.process.stdout:
                if not line.startswith(ANSWER):
                    continue
                answer = json.loads(line.removeprefix(ANSWER))
                is_last = "at" not in answer
                self.events.put((job, answer))
                if is_last:
                    return True
        except OSError:
            pass
        except (ValueError, TypeError):
            self.stop()
            self.events.put((job, {"failed": f"its process was ended: {line.strip()!r:.60} is no answer of a worker"}))
            return False
        self.events.put((job, {"failed": f"its process ended unexpectedly ({_ending(self.process.wait())})"}))
        return False

    def stop(self):
        """Kill the process; the thread, which reads from it, closes the pipes."""
        with contextlib.suppress(OSError):
            self.process.kill()
        self.process.wait()


def _ending(code):
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def execute(jobs, *, workers=None, on_progress=None, crew=None, limit_memory=None):
    """Do all jobs that are not done yet; returns the final `Progress`.

    limit_memory: what all workers together may take (B); each gets an equal share.
    crew: a `Crew` whose processes do them; by default processes are started for these jobs.

    A job that fails does not stop the others. Ctrl-C (KeyboardInterrupt) stops at once and
    leaves every finished run in its folder.
    """
    progress, missing = begin(jobs)
    waiting = queue.SimpleQueue()
    for job in missing:
        waiting.put(job)
    report = on_progress or (lambda progress: None)
    report(progress)
    workers = default_workers() if workers is None else arguments.count("workers", workers)
    count = min(len(missing), workers)
    if count:
        with contextlib.nullcontext(crew) if crew is not None else Crew() as own:
            _run_all(waiting, count, progress, report, own, limit_memory and limit_memory // count)
    return progress


def begin(jobs):
    """A `Progress` that counts the finished jobs, and the list of jobs that are not finished."""
    jobs = list({job.folder: job for job in jobs}.values())
    missing = [job for job in jobs if not store.is_whole(job.folder)]
    done = len(jobs) - len(missing)
    return Progress(total=len(jobs), done=done, resumed=done), missing


def _run_all(waiting, count, progress, report, crew, limit_memory):
    """Run the waiting jobs on this many workers; one whose process died is replaced as long as jobs wait."""
    events = queue.SimpleQueue()
    workers = []

    def start():
        workers.append(_Worker(waiting, events, crew, limit_memory))
        workers[-1].start()

    working = 0
    try:
        while working < count and _started(start, working):
            working += 1
        while working:
            try:
                job, answer = events.get(timeout=0.2)
            except queue.Empty:
                continue
            if job is not None:
                _take_in(job, answer, progress)
                report(progress)
                continue
            working -= 1
            if answer.died and not waiting.empty():
                working += _started(start, working)
    except BaseException:
        _stop(workers, events)
        raise


def _started(start, others):
    """Whether a worker could be started; raises CongestreeError if it could not, and there are no others to go on."""
    try:
        start()
    except OSError as error:
        if not others:
            raise CongestreeError(
                f"No process can be started ({error.strerror}): end other programs, or raise the limit (ulimit -n, "
                "ulimit -u). Finished runs are kept."
            ) from None
        why = f"no further process can be started ({error.strerror})"
        renames.notice(f"all runs are done by fewer workers than asked for: {why}", Note)
        return False
    return True


def _take_in(job, answer, progress):
    """How far a job is, that it is done, or why it failed."""
    name = job.name or str(job.folder)
    if "at" in answer:
        progress.running[name] = answer["at"]
        return
    progress.running.pop(name, None)
    if "failed" in answer:
        progress.failed[name] = answer["failed"]
        _discard(job.folder)
    else:
        progress.done += 1


def _stop(workers, events):
    """Ends all workers, and removes what their unfinished runs have left."""
    for worker in workers:
        worker.stop()
    for worker in workers:
        if worker.is_alive():
            worker.join(timeout=2)
    while not events.empty():
        job, _ = events.get()
        if job is not None:
            _discard(job.folder)


def _discard(folder):
    """Remove what an unfinished run has left, unless another process is at this run: studies may share a folder."""
    if not folder.is_dir():
        return
    with contextlib.suppress(CongestreeError, OSError), locking.alone(folder, patience=0.0):
        if store.is_finished(folder):
            return
        for left in folder.iterdir():
            if left.name != locking.LOCK:  # which others look at as long as we are here
                shutil.rmtree(left) if left.is_dir() else left.unlink()
    with contextlib.suppress(OSError):  # of one that is not empty: another process has begun the run
        folder.rmdir()


def refuse_failures(progress):
    """Raise one error that names every failed job, if there is any."""
    if progress.failed:
        lines = "\n".join(f"  {name}: {why}" for name, why in progress.failed.items())
        raise CongestreeError(f"{len(progress.failed)} of {progress.total} runs failed:\n{lines}")
