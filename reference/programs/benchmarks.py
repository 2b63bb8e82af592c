"""The communication of benchmarks: ping-pong, rings, the transposition of a matrix, a Fourier transform."""

from math import gcd

from reference.programs.program import Program


def ping_pong(ranks: int, size: int, count: int) -> Program:
    """Ranks 0 and 1, 2 and 3, ... send a message back and forth."""
    program = Program(ranks)
    for one in range(0, ranks - 1, 2):
        other, last, last_there = one + 1, [], []
        for _ in range(count):
            program.send(one, size, other, 0, last)
            heard = program.receive(other, size, one, 0, last_there)
            last_there = [program.send(other, size, one, 0, [heard])]
            last = [program.receive(one, size, other, 0, last)]
    return program


def ring(order: list[int], size: int, count: int) -> Program:
    """Every rank sends to both neighbours on a ring and receives from both; `order` is the rank at each place."""
    ranks, to_the_right, to_the_left = len(order), 0, 1
    program = Program(ranks)
    for place, rank in enumerate(order):
        right, left, last = order[(place + 1) % ranks], order[place - 1], []
        for _ in range(count):
            last = [
                program.receive(rank, size, left, to_the_right, last),
                program.receive(rank, size, right, to_the_left, last),
                program.send(rank, size, right, to_the_right, last),
                program.send(rank, size, left, to_the_left, last),
            ]
    return program


def ptrans(ranks: int, size: int, count: int, time: int) -> Program:
    """The transposition of a matrix that is distributed block by block, in turn, on a grid of ranks.

    Every rank sends its blocks to the owners of the mirrored blocks, again and again, each time after a computation.
    """
    program = Program(ranks)
    rows = max(rows for rows in range(1, ranks + 1) if ranks % rows == 0 and rows * rows <= ranks)
    shares = [mirrored(rank, rows, ranks // rows, size) for rank in range(ranks)]
    for rank in range(ranks):
        last, partners = [], sorted(set(shares[rank]) - {rank})
        for _ in range(count):
            ready = program.busy(rank, time, last)
            come = [program.receive(rank, shares[other].get(rank, 0), other, 0, ready) for other in partners]
            gone = [program.send(rank, shares[rank][other], other, 0, ready) for other in partners]
            last = come + gone or ready
    return program


def mirrored(rank: int, rows: int, columns: int, size: int) -> dict[int, int]:
    """Who owns the mirrored blocks of a rank, and how many of its bytes they get.

    Block (i, j) is at row i mod rows and column j mod columns, so that what happens to the first few happens to all.
    """
    row, column = divmod(rank, columns)
    period, blocks = rows * columns // gcd(rows, columns), {}
    for i in range(row, period, rows):
        for j in range(column, period, columns):
            owner = j % rows * columns + i % columns
            blocks[owner] = blocks.get(owner, 0) + 1
    return {owner: size * count // sum(blocks.values()) for owner, count in blocks.items()}


def mpifft(ranks: int, size: int, transposes: int, time: int, order: str) -> Program:
    """A Fourier transform: computation and transposition alternate, with a computation at either end."""
    program = Program(ranks)
    for rank in range(ranks):
        last = []
        for tag in range(transposes):
            ready = program.busy(rank, time, last)
            last = exchange(program, rank, size // ranks, order, tag, ready)
        program.busy(rank, time, last)
    return program


def all_to_all(ranks: int, size: int, order: str) -> Program:
    """Every rank has data for every other."""
    program = Program(ranks)
    for rank in range(ranks):
        exchange(program, rank, size, order, 0, [])
    return program


def exchange(program: Program, rank: int, size: int, order: str, tag: int, ready: list[int]) -> list[int]:
    """The part of one rank: in step s it sends s ahead and receives from s behind. Returns what to wait for next."""
    ranks, all_of_them, last = len(program.ranks), [], ready
    for step in range(1, ranks):
        came = program.receive(rank, size, (rank - step) % ranks, tag, last)
        went = program.send(rank, size, (rank + step) % ranks, tag, last)
        all_of_them += [came, went]
        if order == "in-turn":
            last = [came, went]
    return last if order == "in-turn" else all_of_them or ready
