"""The library of the frames that functions return, polars, which a fork leaves without its threads.

Its work on several columns is done by threads, which run from the first such work on. A process that is forked then
has none of them, and whatever needs one waits for it without end. Arrow, the engine and NumPy are not concerned.
"""

import os
import re
from pathlib import Path

from ..errors import CongestreeError

_THREAD = re.compile(r"polars-[0-9]+\n?")
_TASKS = Path("/proc/self/task")


class _State:
    asked = False  # the library was asked for here, or in a process from which this one was forked
    running = False  # its threads were, when this process forked
    lost = False  # its threads, as this process is a fork of one that had some


def library():
    """The library polars, to make frames with. Raises CongestreeError in a process in which that would never end."""
    if _State.lost:
        raise CongestreeError(
            "A process that used polars has forked this one, without the threads of polars, so that no frame can be "
            'made here: use multiprocessing.get_context("spawn") or congestree.sweep, or take tables as Arrow, such as '
            'run.arrow("flows").'
        )
    import polars

    _State.asked = True
    return polars


def _note():
    """Before a fork: whether threads will be lost by it."""
    _State.running = _are_running()


def _are_running():
    """Whether this process has threads of polars; without a list of threads, whether it has asked for the library."""
    try:
        return any(_THREAD.fullmatch((task / "comm").read_text()) for task in _TASKS.iterdir())
    except OSError:
        return _State.asked


def _lose():
    """In the new process."""
    _State.lost = _State.lost or _State.running


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_note, after_in_child=_lose)
