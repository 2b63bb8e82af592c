"""Execution traces of training jobs in the form of Chakra (MLCommons): protobuf (.et), gzipped or not, and JSON.

    traces, troubles, remarks = congestree.traces.info(["job.0.et", "job.1.et"])
    traces[0]["nodes"], traces[0]["coll_bytes"]

The engine reads them node by node, so the memory used does not depend on their length.
"""

import json
import re
from pathlib import Path

from .. import _engine
from ..errors import AskedError
from ..runs import arguments

_ENDINGS = (".et", ".et.gz", ".json", ".json.gz")
_RANK = re.compile(r"\.(\d+)\.(?:et|json)(?:\.gz)?$")

COLUMNS = (
    "file",
    "format",
    "bytes",
    "version",
    "nodes",
    "metadata",
    "mem_load",
    "mem_store",
    "comp",
    "comm_send",
    "comm_recv",
    "comm_coll",
    "collectives",
    "ctrl_deps",
    "data_deps",
    "dangling_deps",
    "send_bytes",
    "recv_bytes",
    "coll_bytes",
    "duration_us",
    "attributes",
)
"""Columns of the summary of a trace: its format; nodes in all and by type; collectives by operation; dependencies, and
those on nodes that are not in it; bytes sent, received and in collectives (B); the sum of recorded durations (us);
names of the attributes of its nodes."""


def rank_of(path):
    """The rank of a trace by the name of its file (`<prefix>.<rank>.et`), or None. path: the path of the file."""
    found = _RANK.search(Path(path).name)
    return int(found[1]) if found else None


def files(paths):
    """The trace files that `paths` name: files as given, and the traces in folders, in the order of ranks.

    paths: one, or several. Raises CongestreeError if a file does not exist, or if a folder contains no trace.
    """
    found = []
    for path in (Path(arguments.path("paths", path)) for path in arguments.listed(paths)):
        if path.is_dir():
            inside = [p for p in path.iterdir() if p.is_file() and p.name.endswith(_ENDINGS)]
            if not inside:
                raise AskedError(f"There is no trace in {path}: they end in {', '.join(_ENDINGS)}.")
            found += sorted(inside, key=lambda p: (rank_of(p) is None, rank_of(p), p.name))
        elif path.exists():
            found.append(path)
        else:
            raise AskedError(f"There is no file {path}.")
    return found


def info(paths):
    """The content of traces: dicts with the keys COLUMNS, rank and ranks; the errors, one text each; the remarks.

    rank is taken from the file's name, or None; ranks counts the ranks that the traces mention: their own, and those
    that they send to or receive from. `paths` are files and folders, or one of them. If a trace cannot be read to its
    end, the counts cover the part before the error. With several traces whose ranks are known, every message must have
    a counterpart. Nodes that wait for each other in a cycle only through control dependencies, which recorders use for
    calls, get a remark, not an error.

    Raises CongestreeError if there is no such file.
    """
    paths = files(paths)
    ranks = [rank_of(path) for path in paths]
    if len(set(ranks)) < len(ranks):
        ranks = [None] * len(paths)
    told = json.loads(_engine.trace_info([str(path) for path in paths], ranks))
    named = {rank for rank in ranks if rank is not None}
    for trace in told["traces"]:
        named.update(trace["peers"])
    traces = []
    for trace, rank in zip(told["traces"], ranks, strict=True):
        facts = {name: trace[name] for name in COLUMNS}
        traces.append({**facts, "invalid": trace["invalid"], "rank": rank, "ranks": max(len(named), 1)})
    return traces, told["troubles"], told["remarks"]
