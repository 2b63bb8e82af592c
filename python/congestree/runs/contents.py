"""The files that a scenario names, and what is in those that a resolved scenario still only names, because they may be
longer than memory: Chakra traces and captured routing. All others are in it as they were read.
"""

import copy
import hashlib
import os
import stat
import time

from .. import document
from ..errors import CongestreeError

_NAMED = (("program", "chakra", "traces"), ("program", "moe", "gate", "captured", "file"))
"""Keys of an entry of traffic that name files which a resolved scenario only names."""
_READ = (("list",), ("sizes", "cdf"), ("program", "goal"))
"""Keys of an entry of traffic that name files whose content becomes a part of the resolved scenario."""
PUBLISHED = ("data-mining", "enterprise", "web-search")
"""Tables of sizes that the engine has (crates/traffic/tables), which `sizes.cdf` names like files."""
_SETTLED = 2_000_000_000
"""The coarsest clock of a file system (ns): of two changes within one tick, the second leaves no trace in the facts."""
_digests = {}  # facts of a file -> digest of its content


def named(scenario):
    """The names of these files, in the order of the scenario."""
    return _told(_places(scenario, _NAMED))


def with_digests(scenario):
    """The scenario (a dict) with the digest of each such file in place of its name. It is changed itself."""
    _rename(_places(scenario, _NAMED), digest)
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
        _rename(_places(scenario, _NAMED), lambda name: os.path.relpath(name, folder))
    return scenario, named(scenario), folder


def written(scenario):
    """The names of all files in a scenario as it is written (a dict) and in its sweep, relative to its folder."""
    swept = [whole for *_, wholes in _swept(scenario) for whole in wholes]
    return [name for one in (scenario, *swept) for name in _told(_written_places(one))]


def renamed(scenario, rename):
    """A copy of a scenario as it is written (a dict), with `rename(name)` in place of the name of every file."""
    scenario = document.plain(scenario, absent=True)
    for table, key, path, wholes in _swept(scenario):
        for whole in wholes:
            _rename(_written_places(whole), rename)
        table[key] = [
            document.value_at(whole, path) if whole else value for value, whole in zip(table[key], wholes, strict=True)
        ]
    _rename(_written_places(scenario), rename)
    return scenario


def _swept(scenario):
    """Lists of values in a sweep that may name files: (table, its key, path, what is below the head of the path in the
    scenario with each value)."""
    found = []

    def walk(table, before):
        for key, values in table.items():
            path = f"{before}{key}"
            if isinstance(values, dict):
                walk(values, f"{path}.")
            elif isinstance(values, (list, tuple)) and path.partition(".")[0] in ("topology", "traffic"):
                found.append((table, key, path, [_with_value(scenario, path, value) for value in values]))

    sweep = scenario.get("sweep")
    walk(sweep if isinstance(sweep, dict) else {}, "")
    return found


def _with_value(scenario, path, value):
    """The part of a scenario in which a value at a path may name files, with this value; {} if it names none."""
    head = path.partition(".")[0]
    if isinstance(value, (int, float)):
        return {}
    try:
        return document.set_value({head: scenario.get(head)}, path, value)
    except CongestreeError:  # there is no such place, as the engine will say
        return {}


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


def _written_places(scenario):
    """Tables and their keys in which any file is named, in a scenario as it is written."""
    topology = scenario.get("topology")
    if isinstance(topology, dict) and _are_names(topology.get("file")):
        yield topology, "file"
    for table, key in _places(scenario, (*_READ, *_NAMED)):
        if not (key == "cdf" and table[key] in PUBLISHED):
            yield table, key


def _places(scenario, ways):
    """Tables and their keys in which files are named, at the end of these ways from the entries of traffic."""
    traffic = scenario.get("traffic")
    for entry in traffic if isinstance(traffic, (list, tuple)) else ():
        for *way, key in ways:
            table = entry
            for step in way:
                table = table.get(step) if isinstance(table, dict) else None
            if isinstance(table, dict) and _are_names(table.get(key)):
                yield table, key


def _are_names(value):
    return isinstance(value, (str, os.PathLike)) or (
        isinstance(value, (list, tuple)) and all(isinstance(name, (str, os.PathLike)) for name in value)
    )


def _told(places):
    """The names at these places."""
    each = ([names] if isinstance(names, (str, os.PathLike)) else names for names in (t[k] for t, k in places))
    return [os.fspath(name) for names in each for name in names]


def _rename(places, rename):
    """Put `rename(name)` in place of each name at these places."""
    for table, key in list(places):
        names = table[key]
        if not isinstance(names, (str, os.PathLike)):
            table[key] = [rename(os.fspath(name)) for name in names]
            continue
        name = rename(os.fspath(names))
        table[key] = os.path.join(os.curdir, name) if key == "cdf" and name in PUBLISHED else name
