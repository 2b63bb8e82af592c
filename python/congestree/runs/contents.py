"""What is in the files that a resolved scenario only names, because they may be longer than memory: Chakra traces and
captured routing. All other files that a scenario refers to are in it as they were read.
"""

import copy
import hashlib
import os
import stat
import time

_NAMED = (("chakra", "traces"), ("moe", "gate", "captured", "file"))
"""Keys of a program that name such files."""
_SETTLED = 2_000_000_000
"""The coarsest clock of a file system (ns): of two changes within one tick, the second leaves no trace in the facts."""
_digests = {}  # facts of a file -> digest of its content


def named(scenario):
    """The names of these files, in the order of the scenario."""
    places = list(_places(scenario))
    return [name for table, key in places for name in ([table[key]] if isinstance(table[key], str) else table[key])]


def with_digests(scenario):
    """The scenario (a dict) with the digest of each such file in place of its name. It is changed itself."""
    for table, key in _places(scenario):
        names = table[key]
        table[key] = digest(names) if isinstance(names, str) else [digest(name) for name in names]
    return scenario


def gathered(scenario):
    """A copy of a resolved scenario that names these files as if all were below its own folder; their names in it, and
    the folder in which they were ("" if the names are as they were)."""
    scenario = copy.deepcopy(scenario)
    names = named(scenario)
    try:
        folder = os.path.commonpath([os.path.dirname(name) for name in names]) if names else ""
    except ValueError:  # some are absolute and others are not, or they are on several drives
        folder = ""
    if folder:
        for table, key in _places(scenario):
            found = table[key]
            below = [os.path.relpath(name, folder) for name in ([found] if isinstance(found, str) else found)]
            table[key] = below[0] if isinstance(found, str) else below
    return scenario, named(scenario), folder


def written(scenario):
    """The names of all files in a scenario as it is written (a dict), relative to its folder: those above, and those
    that become a part of it when it is read. A table of sizes with neither "." nor "/" counts as a published one."""
    names = [_below(scenario, "topology", "file")]
    traffic = scenario.get("traffic")
    for entry in traffic if isinstance(traffic, list) else ():
        sizes = _below(entry, "sizes", "cdf")
        names += [_below(entry, "list"), _below(entry, "program", "goal")]
        names += [sizes] if isinstance(sizes, str) and set("./") & set(sizes) else []
    return [name for name in names if isinstance(name, str)] + named(scenario)


def _below(table, *way):
    for key in way:
        table = table.get(key) if isinstance(table, dict) else None
    return table


def digest(name):
    """A name for the content of a file: its SHA-256; the name itself if it is no file that can be read again."""
    try:
        facts = os.stat(name)
        if not stat.S_ISREG(facts.st_mode):
            return name
        known = facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns
        if known in _digests:
            return _digests[known]
        with open(name, "rb") as file:
            found = "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):
        return name
    if time.time_ns() - max(facts.st_mtime_ns, facts.st_ctime_ns) > _SETTLED:
        _digests[known] = found
    return found


def _places(scenario):
    """Tables and their keys in which such files are named."""
    traffic = scenario.get("traffic")
    for entry in traffic if isinstance(traffic, list) else ():
        program = entry.get("program") if isinstance(entry, dict) else None
        for *way, key in _NAMED:
            table = _below(program, *way)
            names = table.get(key) if isinstance(table, dict) else None
            if isinstance(names, str) or (isinstance(names, list) and all(isinstance(name, str) for name in names)):
                yield table, key
