"""A forked process says that it cannot make frames where polars would wait for threads that it does not have."""

import subprocess
import sys

import pytest

from .conftest import SMALL

PROGRAM = """
import multiprocessing, sys
import congestree

SMALL = {small!r}
{before}

def work(seed):
    run = congestree.run(SMALL, seed=seed)
    try:
        return {work}
    except congestree.CongestreeError as error:
        return str(error)

with multiprocessing.get_context("fork").Pool(2) as pool:
    print(*pool.map(work, [1, 2]), sep="\\n")
"""
USED = "congestree.run(SMALL).flows"
TOLD = (
    "A process that used polars has forked this one, without the threads of polars, so that no frame can be made here:"
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere libraries do not survive a fork at all")


def forked(before, work):
    """The lines of two forked processes, each with the same work."""
    program = PROGRAM.format(small=SMALL, before=before, work=work)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    "work",
    [
        "run.flows.height",
        "congestree.Live(SMALL, values={'traffic.1': {'from': 'H3', 'arrivals': 'injected'}}).observe()",
        "congestree.jobs.parse(congestree.jobs.make('barrier', 4))",
        "congestree.Study('nowhere', []).runs",
    ],
    ids=["table", "observe", "parse", "study"],
)
def test_a_frame_is_refused_after_polars_has_worked_before_the_fork(work):
    """The pool of processes never returned."""
    lines = forked(USED, work)
    assert len(lines) == 2 and all(line.startswith(TOLD) and 'get_context("spawn")' in line for line in lines)


@pytest.mark.parametrize(
    ("before", "work"),
    [
        (USED, "run.arrow('flows').num_rows"),
        ("import polars", "run.flows.height"),  # loaded, and without threads so far
        ("congestree.run(SMALL)", "run.flows.height"),
        (f"made = {USED}", "made.height"),
    ],
    ids=["arrow", "loaded", "unused", "made before"],
)
def test_all_else_works_in_a_forked_process(before, work):
    first, second = forked(before, work)
    assert int(first) == int(second) > 0
