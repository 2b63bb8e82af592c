"""Which tests go to one worker, and what all inherit: tests of a file share what takes long to make."""

import gc
import os
import signal
import sys
import threading

import pytest
from forking import Forking

# A shell makes its background processes ignore Ctrl-C, and commands that the tests start would inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)


WHOLE = "tests/gallery/", "tests/twin/"
"""Folders whose files are each one piece of work."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """A file of a paper or of the twin is one piece of work, every other test one of its own.

    The marks `xdist_group` would do, but from pytest 9.2 on xdist 3.8 finds none of them.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Pieces(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return nodeid.partition("::")[0] if nodeid.startswith(WHOLE) else nodeid

    return Pieces(config, log) if config.getvalue("dist") == "loadgroup" else None


def pytest_collection_modifyitems(items):
    """What takes long comes first, so that nobody waits at the end for another who has just begun it."""
    items.sort(key=lambda item: (not item.nodeid.startswith(WHOLE), item.get_closest_marker("slow") is None))


# What is loaded and collected stays to the end: it is no use to look for garbage among it again and again.
gc.disable()


def pytest_collection_finish():
    """From here on there is garbage, but not among what is there already."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def forking():
    """The process that does what a reader of the documents does: it runs commands and programs in copies of itself."""
    paths = [p for p in sys.path if p.endswith("python")] + [os.environ.get("PYTHONPATH")]
    given = {"COLUMNS": "120", "NO_COLOR": "1", "MPLBACKEND": "Agg", "BROWSER": "true"}
    given["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    forking = Forking({**os.environ, **given})
    yield forking
    forking.stop()
