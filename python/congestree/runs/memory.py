"""How much memory there is, how much a run may take, and how much this process has.

A run is refused before it is built if it would take more than its limit (the engine estimates that). If it exceeds the
limit nevertheless, it is stopped and keeps what it has recorded. The default limit follows from the free memory of the
machine (`default_limit`); `limit` or --limit-memory sets another one.
"""

import os
import re
import sys
from pathlib import Path

from .. import quantities
from ..errors import AskedError

# As people write them: the B is left out, and the case does not matter.
UNITS = {name.lower().removesuffix("b"): factor for name, factor in quantities.UNITS["B"].items()}
# Share of the free memory that a run may take: other programs may need the rest meanwhile.
SHARE = 0.9
MOST = 2**63
"""Bytes; a larger limit is this one."""

# Where control groups record how much memory a container may have and has, and in the file of the last pair what of
# this are copies of files that the system gives up when memory is wanted.
_GROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current", ("/sys/fs/cgroup/memory.stat", "inactive_file")),
    (
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes",
        ("/sys/fs/cgroup/memory/memory.stat", "total_inactive_file"),
    ),
)


def parse(text):
    """Bytes of a size such as "8 GiB", "500MB" or "4G" (as in "4 GB"); "none" is no limit (None).

    Raises AskedError if it is none, or less than 1 B.

    >>> parse("1.5 GiB"), parse("2G"), parse("1_000 MB"), parse("none")
    (1610612736, 2000000000, 1000000000, None)
    """
    word = str(text).strip().lower()
    if word == "none":
        return None
    found = re.fullmatch(rf"({quantities.NUMBER})\s*([kmgt]i?|)b?", word)
    size = float(found[1].replace("_", "")) * UNITS[found[2]] if found else 0.0
    if size < 1:
        raise AskedError(f'"{text}" is not a size of memory: write one such as "8 GiB", or "none".')
    return int(min(size, MOST))


def available(groups=_GROUPS):
    """Bytes that can be had without displacing others: of the machine, or of the container if that has less.

    groups: for each kind of control group, the files with its limit and its use, and the file and the name of the part
    that can be given up. None if the system does not report it.
    """
    found = [_free_of_machine()]
    for most, now, (facts, name) in groups:
        most, now = _number(most), _number(now)
        if most is not None and now is not None:
            found.append(max(most - now + _fact(facts, name), 0))
    return min((free for free in found if free is not None), default=None)


def default_limit():
    """What this process may take by default: what it has and nine tenths of the free memory, or None."""
    free = available()
    return None if free is None else int(free * SHARE) + (resident() or 0)


def limit_of(wanted):
    """A limit (B, or None for none) from any form that it may have: "free", bytes, None, or a text such as "8 GiB"."""
    if wanted == "free":
        return default_limit()
    whole = isinstance(wanted, int) and not isinstance(wanted, bool)  # True is no byte
    size = wanted if wanted is None or whole else parse(wanted)
    if size is not None and size < 0:
        raise AskedError(f'{size} is not a size of memory: write one such as "8 GiB", or "none".')
    return None if size is None else min(size, MOST)


def is_exceeded(complaint):
    """Whether a complaint of a ScenarioError (a dict) is that a run would take more memory than its limit."""
    return "of memory, and the limit is" in complaint["fact"]


def resident():
    """Memory (B) of this process now; its peak where the system does not report that; None if it reports neither."""
    try:
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        pass
    try:
        import resource
    except ImportError:  # Windows
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 2**10


def _free_of_machine():
    try:
        with open("/proc/meminfo") as facts:
            return next(int(line.split()[1]) * 2**10 for line in facts if line.startswith("MemAvailable:"))
    except (OSError, ValueError, StopIteration):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def _fact(path, name):
    """The number that follows a name in a file of such lines; 0 if it is not there."""
    try:
        lines = Path(path).read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(f"{name} "))
    except (OSError, ValueError, IndexError, StopIteration):
        return 0


def _number(path):
    try:
        return int(Path(path).read_text())
    except (OSError, ValueError):  # there is none, or it is "max"
        return None
