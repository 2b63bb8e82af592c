"""A real cluster: a scheduler and workers, each a process of its own.

A preload script on the workers records every run that begins and every run that ends, so that they can be counted.
"""

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import congestree

from .conftest import SMALL

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


def grid(count, duration="2 ms"):
    """A scenario with this many seeds."""
    return SMALL.replace("2 ms", duration) + f"\n[sweep]\nseed = {list(range(1, count + 1))}\n"


def manifests(out):
    """Runs that are finished; those whose names begin with a dot are being written."""
    return {path.parent.name: path.stat().st_mtime_ns for path in Path(out).glob("runs/[!.]*/manifest.json")}
