"""Small scenarios that run in milliseconds, what takes longer to make, and the command line as a function."""

import os
import shutil
import signal
import sys
import time
from pathlib import Path

import pytest

import congestree

SMALL = """
name = "two to one"
seed = 1

[topology.single-switch]
hosts = 4

[links]
rate = "8 Gbit/s"
delay = "10 ns"

[[traffic]]
name = "contenders"
from = ["H1", "H2"]
to = "H4"
jitter = "10 us"

[[traffic]]
name = "bystander"
from = "H3"
to = "H1"
rate = "100 MB/s"

[measure]
duration = "2 ms"
bin = "20 us"
probes = ["flows", "ports", "queues", "events", "latency"]
"""
LOOKED = {
    "name": "small",
    "topology": {"two-switch": {"local": 12, "remote": 12}},
    "links": {"rate": "8 Gbit/s", "flow_control": "packet-slots"},
    "switches": {"buffer": "4 packets"},
    "traffic": [
        {"name": "crowd", "from": ["local", "remote"], "to": "B_C"},
        {"name": "victim", "from": "A_V", "to": "B_V"},
    ],
    "measure": {
        "duration": "200 us",
        "bin": "10 us",
        "sampling_interval": "10 us",
        "probes": ["trees", "ports", "flows"],
    },
}
OVER = {"seed": [1, 2, 3], "adapters.window": [1, 4]}
SHORT = {"measure": {"duration": "100 us"}}


@pytest.fixture(scope="session")
def looked():
    """A run with a congestion tree, many flows in a class, and samples of both."""
    return congestree.run(LOOKED)


def interrupt(process, number=signal.SIGINT):
    """Presses Ctrl-C: the command ends at once, with its exit code and no traceback. Returns its output.

    number: the signal, if it is another one that acts like Ctrl-C.
    """
    process.send_signal(number)
    asked = time.monotonic()
    _, said = process.communicate(timeout=30)
    assert time.monotonic() - asked < 5
    assert process.returncode == 128 + number, said
    assert "Traceback" not in said
    return said


def worker_of_this_process():
    """The process id of our one worker."""
    for child in Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split():
        if b"congestree.studies.worker" in Path(f"/proc/{child}/cmdline").read_bytes():
            return int(child)
    raise AssertionError("there is no worker")


@pytest.fixture
def small(tmp_path):
    """The path of a small scenario."""
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return path


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """A finished run of the small scenario."""
    import congestree

    return congestree.run(SMALL, out=tmp_path_factory.mktemp("finished"))


@pytest.fixture(scope="session")
def study(tmp_path_factory):
    """A sweep of the small scenario over seeds and windows."""
    return congestree.sweep(SMALL, over=OVER, out=tmp_path_factory.mktemp("study"), workers=2)


@pytest.fixture
def endless(tmp_path):
    """The path of a scenario that runs far longer than any test waits."""
    path = tmp_path / "endless.toml"
    path.write_text(SMALL.replace("2 ms", "1000 s").replace("20 us", "10 s"))
    return path


def command(*arguments):
    """The command line that runs congestree with these arguments."""
    return [sys.executable, "-m", "congestree", *map(str, arguments)]


def limited(size, *arguments):
    """The same, but it may write no file of more than this many bytes, as on a disk that is full by then."""
    code = f"import resource, runpy; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size})); "
    code += "runpy.run_module('congestree', run_name='__main__', alter_sys=True)"
    return [sys.executable, "-c", code, *map(str, arguments)]


@pytest.fixture
def machines(tmp_path):
    """A cluster that has no workers yet."""
    from .dask_cluster import Cluster

    made = Cluster(tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """Library, header and driver, built and installed."""
    from .capi import ROOT, SCENARIO, call

    prefix = tmp_path_factory.mktemp("prefix")
    # In the profile in which `make test` builds the Rust tests, so that nothing is built twice.
    profile = os.environ.get("RUST_PROFILE", "dev")
    as_tests = f"CAPI=--profile {profile}"
    folder = "CAPI_FOLDER=" + {"dev": "debug"}.get(profile, profile)
    made = call("make", "capi", f"PREFIX={prefix}", as_tests, folder, cwd=ROOT)
    assert made.returncode == 0, made.stderr
    sources = shutil.copytree(ROOT / "integrations/astra-sim", prefix / "astra-sim")
    made = call("make", f"PREFIX={prefix}", "CXXFLAGS=-O0", cwd=sources)
    assert made.returncode == 0, made.stderr
    (prefix / "live.toml").write_text(SCENARIO)
    return prefix


@pytest.fixture
def congestree_cli(forking, tmp_path):
    """Runs the command in a folder of its own; returns the finished process with its output."""

    def call(*arguments, code=0, stdin=""):
        words = ["-m", "congestree", *map(str, arguments)]
        done = forking.run(words, tmp_path, stdin, timeout=120)
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode == code, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    return call


@pytest.fixture
def root():
    """The folder of the checkout."""
    return Path(__file__).resolve().parents[2]
