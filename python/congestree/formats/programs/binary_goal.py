"""Binary GOAL: `txt2bin` makes it of a schedule, and LogGOPSim and htsim read it (LogGOPSim: Goal.hpp, Parser.hpp).

All numbers are little-endian and packed. The file begins with a cookie (8 bytes, 4223); offsets count from its end:

    ranks (4), highest cpu (1), highest nic (1), then for each rank the offsets of its start and end (8 each)
    a rank:  operations (4), how many of them wait for nothing (4), their numbers (4 each), the operations, the appendix
    an operation of 39 bytes:  number of operations it waits for (4), kind (1), peer (4), bytes or nanoseconds (8),
        tag (4), cpu (1), nic (1), successors of its end: how many (4), from which index of the appendix on (4); of its
        start: the same
    the appendix:  numbers of operations (4 each)

A peer or tag of 2^32 - 1 is any. A simulator in memory-saving mode works in the file itself and leaves 2342 as its
cookie: the dependencies are lost then.
"""

import struct

import numpy as np

from ...errors import AskedError

COOKIE, USED_UP = 4223, 2342
ANY = 2**32 - 1
KINDS = {1: "send", 2: "recv", 3: "calc"}
HEAD, RANK = struct.Struct("<IBB"), struct.Struct("<II")
JUMP = struct.Struct("<QQ")
OPERATION = np.dtype(
    [("needs", "<u4"), ("kind", "i1"), ("peer", "<u4"), ("size", "<u8"), ("tag", "<u4"), ("cpu", "u1"), ("nic", "u1"),
     ("ends", "<u4"), ("first_end", "<u4"), ("starts", "<u4"), ("first_start", "<u4")]
)  # fmt: skip
AGAIN = "Make it again from its text with txt2bin, or copy it again"


def is_one(data):
    """Whether bytes begin as a binary schedule does, used up or not."""
    return len(data) >= 8 and int.from_bytes(data[:8], "little") in (COOKIE, USED_UP)


def read(data, name):
    """The bytes of a schedule as GOAL text. Raises CongestreeError if they are cut or contradict themselves."""
    if int.from_bytes(data[:8], "little") == USED_UP:
        raise AskedError(f"{name} was used up by a simulation: its dependencies are gone. {AGAIN}.")
    body = memoryview(data)[8:]
    if len(body) < HEAD.size:
        raise AskedError(f"{name} ends within its head. {AGAIN}.")
    ranks, _, _ = HEAD.unpack_from(body)
    if len(body) < HEAD.size + ranks * JUMP.size:
        raise AskedError(f"{name} has no room for the places of {ranks:,} ranks: it is cut. {AGAIN}.")
    lines = [f"num_ranks {ranks}"]
    for rank in range(ranks):
        first, last = JUMP.unpack_from(body, HEAD.size + rank * JUMP.size)
        if not first <= last <= len(body):
            raise AskedError(
                f"{name}: rank {rank} stands from byte {first + 8:,} to {last + 8:,}, and there are {len(data):,}: the "
                f"file is cut. {AGAIN}."
            )
        lines += _rank(body[first:last], f"{name}: rank {rank}", rank)
    return "\n".join(lines) + "\n"


def _rank(part, place, rank):
    """The lines of a rank."""
    if len(part) < RANK.size:
        raise AskedError(f"{place} ends within its head. {AGAIN}.")
    count, free = RANK.unpack_from(part)
    begin = RANK.size + 4 * free
    end = begin + count * OPERATION.itemsize
    if end > len(part):
        raise AskedError(f"{place} has no room for {count:,} operations: it is cut. {AGAIN}.")
    operations = np.frombuffer(part, OPERATION, count, begin)
    appendix = np.frombuffer(part, "<u4", (len(part) - end) // 4, end)
    waits = _waits(operations, appendix, place)
    needs = np.bincount([after for after, _, _ in waits], minlength=count)
    wrong = np.flatnonzero(needs != operations["needs"])
    if len(wrong):
        one = int(wrong[0])
        raise AskedError(
            f"{place}: operation {one} is to wait for {operations['needs'][one]}, and {needs[one]} name it as "
            f"what follows them. {AGAIN}."
        )
    listed, found = np.frombuffer(part, "<u4", free, RANK.size), np.flatnonzero(needs == 0)
    if not np.array_equal(np.sort(listed), found):
        raise AskedError(
            f"{place} lists {free:,} operations that wait for nothing, which are not the {len(found):,} that do. "
            f"{AGAIN}."
        )
    lines = [f"rank {rank} {{"]
    lines += [_line(f"{place}: operation {k}", k, *one) for k, one in enumerate(operations.tolist())]
    lines += [f"l{after} {word} l{before}" for after, word, before in waits]
    return [*lines, "}"]


def _waits(operations, appendix, place):
    """What depends on what: [(after, "requires" or "irequires", before)]."""
    waits = []
    for k, one in enumerate(operations):
        for word, count, first in (("requires", "ends", "first_end"), ("irequires", "starts", "first_start")):
            count, first = int(one[count]), int(one[first])
            if count and first + count > len(appendix):
                raise AskedError(
                    f"{place}: what follows operation {k} stands up to place {first + count:,} of an appendix of "
                    f"{len(appendix):,}: the file is cut. {AGAIN}."
                )
            waits += [(int(after), word, k) for after in (appendix[first : first + count] if count else ())]
    for after, _, before in waits:
        if after >= len(operations):
            raise AskedError(
                f"{place}: operation {after} follows operation {before}, and there are {len(operations):,}. {AGAIN}."
            )
    return waits


def _line(place, number, _needs, kind, peer, size, tag, cpu, nic, *_):
    """An operation as a line of GOAL."""
    if kind not in KINDS:
        raise AskedError(f"{place} is of kind {kind}; 1 is send, 2 recv, 3 calc. {AGAIN}.")
    units = (f" cpu {cpu}" if cpu else "") + (f" nic {nic}" if nic else "")
    if kind == 3:
        return f"l{number}: calc {size}{units}"
    peer, tag = ("-1" if value == ANY else value for value in (peer, tag))
    return f"l{number}: {KINDS[kind]} {size}b {'to' if kind == 1 else 'from'} {peer} tag {tag}{units}"


def write(rows, ranks):
    """The bytes of a schedule of this many ranks; rows: operations as dicts with the columns of `jobs.COLUMNS`."""
    by_rank = [[] for _ in range(ranks)]
    for row in rows:
        by_rank[row["rank"]].append(row)
    parts = [_packed(operations) for operations in by_rank]
    place = HEAD.size + ranks * JUMP.size
    jumps = []
    for part in parts:
        jumps.append(JUMP.pack(place, place + len(part)))
        place += len(part)
    highest = [max((row[unit] for row in rows), default=0) for unit in ("cpu", "nic")]
    return b"".join([COOKIE.to_bytes(8, "little"), HEAD.pack(ranks, *highest), *jumps, *parts])


def _packed(rows):
    """The bytes of a rank."""
    number = {row["label"]: k for k, row in enumerate(rows)}
    followers = [([], []) for _ in rows]
    packed = np.zeros(len(rows), OPERATION)
    codes = {word: code for code, word in KINDS.items()}
    for k, row in enumerate(rows):
        named = [(number[label], 0) for label in row["requires"].split()]
        named += [(number[label], 1) for label in row["irequires"].split()]
        for before, kind in named:
            followers[before][kind].append(k)
        calc = row["kind"] == "calc"
        size = round(row["time"] * 1e9) if calc else row["bytes"]
        peer, tag = (0, 0) if calc else (row["peer"] % 2**32, row["tag"] % 2**32)
        packed[k] = (len(named), codes[row["kind"]], peer, size, tag, row["cpu"], row["nic"], 0, 0, 0, 0)
    appendix = []
    for k, (ends, starts) in enumerate(followers):
        for count, first, list_ in (("ends", "first_end", ends), ("starts", "first_start", starts)):
            packed[k][count], packed[k][first] = len(list_), len(appendix)
            appendix += list_
    free = np.flatnonzero(packed["needs"] == 0)
    head = RANK.pack(len(rows), len(free)) + free.astype("<u4").tobytes()
    return head + packed.tobytes() + np.array(appendix, "<u4").tobytes()
