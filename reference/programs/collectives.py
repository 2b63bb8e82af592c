"""Textbook collectives: on a ring part by part, or in about log2 n rounds. The number of the round is the tag."""

from reference.programs.program import Program, part


def reduce_scatter(ranks: int, size: int, rate: int | None) -> Program:
    """The sum of the vectors of all ranks, a part at each of them."""
    program = Program(ranks)
    for rank in range(ranks):
        sum_up(program, rank, size, rate)
    return program


def all_gather(ranks: int, size: int) -> Program:
    """Each rank has a part of a vector, and gets the others."""
    program = Program(ranks)
    for rank in range(ranks):
        spread(program, rank, size, rank, 0, [])
    return program


def all_reduce_ring(ranks: int, size: int, rate: int | None) -> Program:
    """The sum of the vectors of all ranks, at every rank: summed up part by part, and spread again."""
    program = Program(ranks)
    for rank in range(ranks):
        have = sum_up(program, rank, size, rate)
        spread(program, rank, size, rank + 1, ranks - 1, have)
    return program


def sum_up(program: Program, rank: int, size: int, rate: int | None) -> list[int]:
    """In step s a rank forwards its part number rank - s; the part before arrives, and is added."""
    ranks, have = len(program.ranks), []
    for step in range(ranks - 1):
        program.send(rank, part(size, ranks, (rank - step) % ranks), (rank + 1) % ranks, step, have)
        coming = part(size, ranks, (rank - step - 1) % ranks)
        received = program.receive(rank, coming, (rank - 1) % ranks, step, have)
        have = [program.combine(rank, coming, received, rate)]
    return have


def spread(program: Program, rank: int, size: int, own: int, tag: int, have: list[int]) -> None:
    """In step s a rank forwards part own - s; the part before arrives."""
    ranks = len(program.ranks)
    for step in range(ranks - 1):
        program.send(rank, part(size, ranks, (own - step) % ranks), (rank + 1) % ranks, tag + step, have)
        coming = part(size, ranks, (own - step - 1) % ranks)
        have = [program.receive(rank, coming, (rank - 1) % ranks, tag + step, have)]


def barrier(ranks: int, size: int) -> Program:
    """No rank continues before all have arrived: in round k each sends 2^k ahead, and receives from 2^k behind."""
    program = Program(ranks)
    for rank in range(ranks):
        last, tag = [], 0
        while 1 << tag < ranks:
            told = program.send(rank, size, (rank + (1 << tag)) % ranks, tag, last)
            last = [told, program.receive(rank, size, (rank - (1 << tag)) % ranks, tag, last)]
            tag += 1
    return program


def broadcast(ranks: int, size: int, root: int) -> Program:
    """A binomial tree over places counted from the root: the parent of a place is the place without its lowest bit.

    A rank that has the vector passes it on to its children, the most distant first.
    """
    program = Program(ranks)
    for place in range(ranks):
        rank, lowest, last = (place + root) % ranks, place & -place, []
        if place > 0:
            last = [program.receive(rank, size, (place - lowest + root) % ranks, 0)]
        distance = lowest // 2 if place > 0 else 1 << (ranks - 1).bit_length() >> 1
        while distance > 0:
            if place + distance < ranks:
                last = [program.send(rank, size, (place + distance + root) % ranks, 0, last)]
            distance //= 2
    return program


def all_reduce_doubling(ranks: int, size: int, rate: int | None) -> Program:
    """The sum of the vectors of all ranks, at every rank: in round k partners 2^k away exchange all that they have.

    If n is not a power of two, as many of the first ranks as n exceeds it by give their vectors to a neighbour first,
    and get the result from it in the end.
    """
    program, power = Program(ranks), 1 << (ranks.bit_length() - 1)
    rounds, extra = power.bit_length() - 1, ranks - power
    taking = [2 * place + 1 if place < extra else place + extra for place in range(power)]
    for rank in range(ranks):
        pairs = rank < 2 * extra
        if rank not in taking:
            given = program.send(rank, size, rank + 1, rounds)
            program.receive(rank, size, rank + 1, rounds + 1, [given])
            continue
        have = []
        if pairs:
            have = [program.combine(rank, size, program.receive(rank, size, rank - 1, rounds), rate)]
        for tag in range(rounds):
            partner = taking[taking.index(rank) ^ 1 << tag]
            sent = program.send(rank, size, partner, tag, have)
            received = program.receive(rank, size, partner, tag, have)
            have = [sent, program.combine(rank, size, received, rate)]
        if pairs:
            program.send(rank, size, rank - 1, rounds + 1, have)
    return program
