"""The commands that mishaps befall, and what must hold when they have ended."""

import json
import os
import subprocess
import sys

RUN = """
name = "to be killed"
topology.single-switch.hosts = 8
links.rate = "100 Gbit/s"
[[traffic]]
from = "all"
pattern = "uniform"
arrivals.poisson.load = 0.7
[measure]
duration = "200 us"
probes = ["flows", "deliveries"]
"""
# Runs that take a worker about as long as its start: shorter ones are over before a kill can hit them.
STUDY = RUN.replace("200 us", "4 ms") + "[sweep]\nseed = [1, 2, 3, 4, 5, 6]\n"
# What no message for people may contain.
NEVER = ("Traceback", "Error:", "Errno", "errno", "object has no")


def command(*arguments):
    return [sys.executable, "-m", "congestree", *map(str, arguments)]


def call(*arguments, **options):
    """A finished command and its output."""
    env = {**os.environ, "NO_COLOR": "1", **options.pop("env", {})}
    return subprocess.run(command(*arguments), capture_output=True, text=True, env=env, check=False, **options)


def one_message(done, *words):
    """The command has ended with one sentence for people that has these words."""
    assert done.returncode == 1, (done.returncode, done.stderr)
    assert not any(word in done.stderr for word in NEVER), done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert all(word in done.stderr for word in words), done.stderr


def finished(folder):
    """The finished runs of a study: {folder: (inode and time of the manifest, fingerprint)}."""
    found = {}
    for path in (folder / "runs").glob("*/manifest.json"):
        try:
            status, facts = path.stat(), json.loads(path.read_text())
        except FileNotFoundError:
            continue
        found[path.parent.name] = (status.st_ino, status.st_mtime_ns, facts["fingerprint"]["trajectory"])
    return found


def load_all(folder):
    """Read every table of every finished run."""
    from congestree import Run

    for name in finished(folder):
        run = Run.load(folder / "runs" / name)
        assert not run.interrupted and not run.stopped
        for table in run.tables:
            assert run.arrow(table).num_rows == run.manifest["tables"][table]["rows"], (name, table)
