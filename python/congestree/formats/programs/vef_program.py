"""A VEF trace as a GOAL program, and the exact lengths of its operations.

- A message is a send of its source and a receive of its destination, with the message's number as its tag: the
  destination can receive it at any time. A message of a rank to itself takes no time.
- `time` is a computation between the dependency and the send. Those of a rank run in parallel, each on a processor of
  its own, as long as there are fewer than 250 at once. Messages at given times follow a clock of whole ns: processor 1.
- "Sent" is when the last packet of a message has left; "received", when all of it has arrived.
- All-reduce goes round a ring, broadcast and reduce along a chain, a barrier in rounds of doubling distance, all-gather
  round a ring if all parts have the same size, as in the program `collective`. Every other collective is a message from
  every member that sends to every member that receives.
"""

from ...errors import AskedError
from .goal_text import MOST, Program


def goal(trace, name, made):
    """The GOAL text of a trace, and the lengths of its operations (s), in the order of the text.

    Raises CongestreeError if something in it can never go off.

    made(operation, ranks, bytes, root): what the engine makes of a collective: by rank, its operations as dicts.
    """
    program = Program(trace.ranks, name)
    sent, received, ends, goes = {}, {}, {}, []
    for id, one in trace.messages.items():
        if one.source == one.to:
            sent[id] = received[id] = program.idle(one.source)
        else:
            sent[id] = program.add(one.source, f"send {one.bytes}b to {one.to} tag {id}")
            received[id] = program.add(one.to, f"recv {one.bytes}b from {one.source} tag {id}")
        goes.append((one.line, one.source, sent[id], one.wait))
    for id, one in trace.collectives.items():
        members = trace.communicators[one.communicator]
        if missing := [rank for rank in members if rank not in one.parts]:
            raise AskedError(
                f"{name}, line {one.line}: rank {missing[0]} of C{one.communicator} never takes part in G{id}, and the "
                "others would wait for it. Take the whole trace."
            )
        begins = {rank: program.idle(rank) for rank in members}
        ends[id] = _collective(program, one, members, begins, f"{name}, line {one.line}", made)
        goes += [(one.parts[rank].line, rank, begins[rank], one.parts[rank].wait) for rank in members]
    clocks = {}
    for line, rank, label, wait in goes:
        if wait.kind == 0:
            clocks.setdefault(rank, []).append((wait.ns, label))
        else:
            before = _before(trace, sent, received, ends, rank, wait, f"{name}, line {line}")
            program.wait(rank, label, program.delay(rank, wait.ns, before))
    for rank, row in clocks.items():
        program.clock(rank, row)
    return program.text(), program.exact()


def _before(trace, sent, received, ends, rank, wait, place):
    """The label of what something at a rank waits for."""
    if wait.kind == 3:
        if wait.of not in ends or rank not in ends[wait.of]:
            raise AskedError(f"{place}: rank {rank} takes no part in G{wait.of}. Correct what it waits for.")
        return ends[wait.of][rank]
    if wait.of not in trace.messages:
        raise AskedError(f"{place}: there is no message {wait.of}. Correct what it waits for, or take the whole trace.")
    message = trace.messages[wait.of]
    mine, word, labels = (message.source, "sends", sent) if wait.kind == 1 else (message.to, "receives", received)
    if mine != rank:
        raise AskedError(
            f"{place}: rank {rank} cannot wait until it {word} message {wait.of}: rank {mine} does. Correct it."
        )
    return labels[wait.of]


def _collective(program, one, members, begins, place, made):
    """Add the messages of a collective for its members; {rank: label of its end}."""
    parts = [one.parts[rank] for rank in members]
    if len(members) ** 2 > MOST and one.operation not in ("broadcast", "reduce", "barrier"):
        raise AskedError(f"{place}: {one.operation} of {len(members):,} ranks is too much. Take a part of the trace.")
    sizes = [part.sent for part in parts]
    if one.operation in ("gather", "scatter", "all-to-all") or (one.operation == "all-gather" and len(set(sizes)) > 1):
        return _exchange(program, members, begins, _between(one.operation, parts, place))
    root = 0
    if one.operation in ("broadcast", "reduce"):
        root = _root(parts, one.operation == "broadcast", place)
    largest = max(max(part.sent, part.received) for part in parts)
    whole = largest if one.operation != "all-gather" else len(members) * sizes[0]
    if one.operation == "all-reduce" and len({*sizes, *(part.received for part in parts)}) > 1:
        raise AskedError(f"{place}: ranks sum vectors of different lengths. Take the trace again.")
    if len(members) < 2 or (whole == 0 and one.operation != "barrier"):
        return begins
    return _made(program, members, begins, made(one.operation, len(members), whole, root))


def _root(parts, sends, place):
    """The position of the member that sends, or receives; the first if none does."""
    found = [k for k, part in enumerate(parts) if (part.sent if sends else part.received) > 0]
    if len(found) > 1:
        raise AskedError(
            f"{place}: {len(found)} ranks {'send' if sends else 'receive'}, where one does. Take the trace again."
        )
    return found[0] if found else 0


def _between(operation, parts, place):
    """Bytes from one place to another."""
    sent, received = [part.sent for part in parts], [part.received for part in parts]
    if operation == "all-to-all":
        return lambda a, b: sent[a] // len(parts) if received[a] == 1 else sent[a]
    if operation == "all-gather":
        return lambda a, b: sent[a]
    if operation == "gather":
        root = _root(parts, False, place)
        return lambda a, b: sent[a] if b == root else 0
    root = _root(parts, True, place)
    return lambda a, b: received[b] if a == root else 0


def _exchange(program, members, begins, size):
    """A message for every pair of members that have data for each other."""
    ends = {rank: [begins[rank]] for rank in members}
    for a, source in enumerate(members):
        for b, to in enumerate(members):
            if a != b and (bytes := size(a, b)) > 0:
                send = program.add(source, f"send {bytes}b to {to} tag {program.tag}", [begins[source]])
                receive = program.add(to, f"recv {bytes}b from {source} tag {program.tag}", [begins[to]])
                ends[source].append(send)
                ends[to].append(receive)
    program.tag += 1
    return {rank: program.idle(rank, last) for rank, last in ends.items()}


def _made(program, members, begins, by_place):
    """The operations of a made collective, between the beginning and the end of each member."""
    ends, most = {}, 0
    for place, rank in enumerate(members):
        labels, last = {}, {}
        for row in by_place[place]:
            before = row["requires"].split()
            after = [] if before else [begins[rank]]
            if row["kind"] == "calc":
                label = program.calc(rank, round(row["time"] * 1e9), row["cpu"], after)
            else:
                way = "to" if row["kind"] == "send" else "from"
                what = f"{row['kind']} {row['bytes']}b {way} {members[row['peer']]} tag {program.tag + row['tag']}"
                most = max(most, row["tag"] + 1)
                label = program.add(rank, what, after)
            labels[row["label"]] = last[row["label"]] = label
        for row in by_place[place]:
            for before in row["requires"].split():
                program.wait(rank, labels[row["label"]], labels[before])
                last.pop(before, None)
        ends[rank] = program.idle(rank, [begins[rank], *last.values()])
    program.tag += most
    return ends
