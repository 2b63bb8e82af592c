"""The algorithms of collectives in libraries for training jobs: rings, trees, halving, all ranks directly.

`ways` says whether parts are summed (reduce-scatter), and whether they are distributed (all-gather); all-reduce does
both.
"""

from dataclasses import dataclass

from reference.programs.program import part, upto
from reference.programs.teams import Team


def exchange(team: Team, sizes, in_turn: bool) -> None:
    """Every place sends this much to every other, if anything: all at once, or in step s to the one s ahead."""
    n, tag = team.size, team.new_tag()
    for place in range(n):
        ready, done = team.gathered(place), []
        for step in range(1, n):
            to, source, both = (place + step) % n, (place - step) % n, []
            if sizes(source, place) > 0:
                both.append(team.receive(place, sizes(source, place), source, tag, ready))
            if sizes(place, to) > 0:
                both.append(team.send(place, sizes(place, to), to, tag, ready))
            if in_turn:
                ready = both or ready
            done += both
        team.ready[place] = ready if in_turn or not done else team.gather(place, done)


def direct(team: Team, nbytes: int, cut, ways: tuple[bool, bool]) -> None:
    """Each part goes directly to its owner, which adds them up; the sums go to all ranks."""
    n = team.size
    if ways[0]:
        exchange(team, lambda _, to: cut.on_wire(part(nbytes, n, to)), False)
        for place in range(n):
            if len(ready := team.gathered(place)) == 1:
                team.ready[place] = [team.combine(place, part(nbytes, n, place) * (n - 1), ready[0])]
    if ways[1]:
        exchange(team, lambda source, _: cut.on_wire(part(nbytes, n, source)), False)


@dataclass
class Nodes:
    """How many places in a row are in one node, and whether rings go from node to node along rails."""

    size: int
    along_rails: bool = False

    def ring(self, n: int, channel: int) -> list[int]:
        """The places of a channel's ring, node by node; in nodes the order is turned by one from channel to channel.

        Along rails the node at place k is entered where the one before has been left: at place 0, 1, 0, 1 ..., and the
        last of an odd number at place 2, all turned alike.
        """
        many, size = n // self.size, self.size
        if n % size:
            return [*range(n)]
        if not self.along_rails or many == 1 or size == 1:
            return [k // size * size + (k % size + channel) % size for k in range(n)]
        entries = [(channel + k % 2) % size for k in range(many)]
        if many % 2 == 1:
            entries[-1] = (channel + 2) % size
        order = []
        for node, entry in enumerate(entries):
            turned, exit_ = [(entry + k) % size for k in range(size)], entries[(node + 1) % many]
            if exit_ != entry:
                turned.remove(exit_)
                turned.append(exit_)
            order += [node * size + place for place in turned]
        return order


def chain(team: Team, nbytes: int, root: int, nodes: Nodes, cut, sums: bool) -> None:
    """From the root around the channel's ring chunk by chunk, or from the rank after it around to it, summed up."""
    n = team.size
    done = [[] for _ in range(n)]
    for channel, share in enumerate(cut.shares(nbytes)):
        ring, tag = nodes.ring(n, channel), team.new_tag()
        order = [ring[(ring.index(root) + sums + k) % n] for k in range(n)]
        for k, place in enumerate(order):
            ready = team.gathered(place)
            for chunk in cut.chunks(share):
                have, wire = ready, cut.on_wire(chunk)
                if k > 0:
                    received = team.receive(place, wire, order[k - 1], tag, ready)
                    have = [team.combine(place, chunk, received) if sums else received]
                if k + 1 < n:
                    have = [team.send(place, wire, order[k + 1], tag, have)]
                done[place] += have
    wait_for_all(team, done)


def wait_for_all(team: Team, done: list[list[int]]) -> None:
    """Each place continues when it has finished all of these."""
    for place, last in enumerate(done):
        team.ready[place] = team.gather(place, last)


def rings(team: Team, nbytes: int, nodes: Nodes, cut, ways: tuple[bool, bool], both_ways: bool) -> None:
    """A ring for every channel, or two in either direction with half of it each."""
    n, ways_round = team.size, []
    for channel, share in enumerate(cut.shares(nbytes)):
        turned = nodes.ring(n, channel)
        halves = [(turned, part(share, 2, 0)), (turned[::-1], part(share, 2, 1))]
        ways_round += halves if both_ways else [(turned, share)]
    done = [[] for _ in range(n)]
    for order, share in ways_round:
        tag = team.new_tag()
        for at, place in enumerate(order):
            last, left = team.gathered(place), share
            while True:  # in loops of a chunk for every rank
                now = min(left, cut.chunk * n)
                last = one_loop(team, order, at, tag, ways, now, cut, last)
                left -= now
                if left == 0:
                    break
            done[place] += last
    wait_for_all(team, done)


def one_loop(team: Team, order, at: int, tag: int, ways, nbytes: int, cut, ready: list[int]) -> list[int]:
    """In step s a rank sends the part s places back, a slice at a time, each when it has arrived in the step before.

    If parts are summed, it has its own part at the end; if they are distributed, it has its own at the beginning. The
    next loop needs the buffers of the last slices.
    """
    n, place = len(order), order[at]
    following, before = order[(at + 1) % n], order[at - 1]
    first = at - 1 if ways == (True, False) else at
    have, sent = [ready] * cut.slices, []
    for step in range((n - 1) * sum(ways)):
        out, come = part(nbytes, n, (first - step) % n), part(nbytes, n, (first - step - 1) % n)
        for k in range(cut.slices):
            sent.append(team.send(place, cut.on_wire(part(out, cut.slices, k)), following, tag, have[k]))
            slice_ = part(come, cut.slices, k)
            received = team.receive(place, cut.on_wire(slice_), before, tag, ready)
            have[k] = [team.combine(place, slice_, received) if ways[0] and step < n - 1 else received]
    return team.gather(place, [number for of_slice in have for number in of_slice] + sent[-cut.slices :])


def nodes_and_rails(team: Team, nbytes: int, nodes: Nodes, cut, ways: tuple[bool, bool]) -> None:
    """Scattered over the members of each node, then on the rails between nodes, then gathered in the nodes."""
    n, node = team.size, nodes.size
    if n % node or node in (1, n):
        return rings(team, nbytes, nodes, cut, ways, False)

    def in_nodes(part_of_it: tuple[bool, bool]) -> None:
        for first in range(0, n, node):
            members = [*range(first, first + node)]
            team.among(members, lambda some: rings(some, nbytes, nodes, cut, part_of_it, False))

    if ways[0]:
        in_nodes((True, False))
    for rail in range(node):
        team.among([*range(rail, n, node)], lambda some, rail=rail: along(some, nbytes, node, rail, cut, ways))
    if ways[1]:
        in_nodes((False, True))


def along(team: Team, nbytes: int, node: int, rail: int, cut, ways: tuple[bool, bool]) -> None:
    """The members of a rail, with their part."""
    if team.size > 1:
        rings(team, part(nbytes, node, rail), Nodes(1), cut, ways, False)


def halving_doubling(team: Team, nbytes: int, cut, ways: tuple[bool, bool]) -> None:
    """Partners exchange halves, quarters ... and back; ranks beyond a power of two give their data to a neighbour.

    The parts of the participants are equal if everything is summed and distributed; otherwise a neighbour has the
    parts of both.
    """
    n, power = team.size, 1 << (team.size.bit_length() - 1)
    extra = n - power
    taking = [2 * k + 1 if k < extra else k + extra for k in range(power)]

    def begins(place: int) -> int:
        if all(ways):
            return upto(nbytes, power, place)
        return upto(nbytes, n, 2 * place if place < extra else place + extra)

    def halves(some: Team) -> None:
        for down in [True] * ways[0] + [False] * ways[1]:
            exchange_halves(some, begins, cut, down)

    if extra > 0:
        tag = team.new_tag()
        for even in range(0, 2 * extra, 2):
            given = nbytes if ways[0] else part(nbytes, n, even)
            hand_over(team, even, even + 1, given, tag, cut, ways[0])
    team.among(taking, halves)
    if extra > 0:
        tag = team.new_tag()
        for even in range(0, 2 * extra, 2):
            hand_over(team, even + 1, even, nbytes if ways[1] else part(nbytes, n, even), tag, cut, False)


def hand_over(team: Team, giver: int, taker: int, nbytes: int, tag: int, cut, sums: bool) -> None:
    """One place sends its data to another."""
    from_, to, wire = team.gathered(giver), team.gathered(taker), cut.on_wire(nbytes)
    team.ready[giver] = [team.send(giver, wire, taker, tag, from_)]
    received = team.receive(taker, wire, giver, tag, to)
    team.ready[taker] = [team.combine(taker, nbytes, received) if sums else received]


def exchange_halves(team: Team, begins, cut, down: bool) -> None:
    """With partners at halving distances, each time half of the remaining data; or at doubling ones, all of it."""
    rounds = team.size.bit_length() - 1
    for number in range(rounds)[:: -1 if down else 1]:
        distance, tag = 1 << number, team.new_tag()
        owned = [begins(first + distance) - begins(first) for first in (p & -distance for p in range(team.size))]
        for place in range(team.size):
            partner, ready = place ^ distance, team.gathered(place)
            out, come = (owned[partner], owned[place]) if down else (owned[place], owned[partner])
            sent = team.send(place, cut.on_wire(out), partner, tag, ready)
            received = team.receive(place, cut.on_wire(come), partner, tag, ready)
            team.ready[place] = [sent, team.combine(place, come, received) if down else received]


def barrier(team: Team) -> None:
    """In round k a place sends 8 bytes to the one 2^k ahead, and receives from the one as far behind."""
    distance = 1
    while distance < team.size:
        tag = team.new_tag()
        for place in range(team.size):
            ready = team.gathered(place)
            told = team.send(place, 8, (place + distance) % team.size, tag, ready)
            team.ready[place] = [told, team.receive(place, 8, (place - distance) % team.size, tag, ready)]
        distance *= 2


# ---- trees -------------------------------------------------------------------------------------------------------


def stand(r: int, n: int) -> tuple[int | None, list[int]]:
    """Parent and children in the in-order tree over n places with root 0.

    With b the lowest bit of r, the parent is (r xor b) | 2b, or r xor b if that is too large; the children are r - b/2
    and r + b/2, halved until there is such a place.
    """
    if r == 0:
        return None, [1 << (n - 1).bit_length() >> 1] if n > 1 else []
    b = r & -r
    parent = r ^ b | b << 1
    low = b // 2
    while low > 0 and r + low >= n:
        low //= 2
    children = [r - b // 2] if b > 1 else []
    return parent if parent < n else r ^ b, children + ([r + low] if low > 0 else [])


def mirrored(r: int, n: int) -> tuple[int | None, list[int]]:
    """The second tree, in which leaves of the first are inner nodes: mirrored if n is even, or shifted by one."""
    there, back = (lambda k: n - 1 - k,) * 2 if n % 2 == 0 else (lambda k: (k - 1) % n, lambda k: (k + 1) % n)
    parent, children = stand(there(r), n)
    return None if parent is None else back(parent), [back(child) for child in children]


def trees(team: Team, nbytes: int, node: int, cut) -> None:
    """Two trees over the nodes, for half of the data each; in a node each rank follows the one before.

    The first in a node is another rank from channel to channel. A rank has as many chunks in flight as are needed to
    keep all connections busy, at least eight.
    """
    n, done = team.size, [[] for _ in range(team.size)]
    node = node if n % node == 0 else 1
    window = max(8, 2 * ((n // node - 1).bit_length() + node - 1) + 2)
    for channel, share in enumerate(cut.shares(nbytes)):
        first = channel % node
        for half, tree in enumerate((stand, mirrored)):
            tags, chunks = (team.new_tag(), team.new_tag()), cut.chunks(part(share, 2, half))
            for place in range(n):
                home, step = place // node, (place - first) % node  # steps from the first in the node
                parent, children = home * node + (place - 1) % node, []
                if step == 0:
                    parent, children = tree(home, n // node)
                    parent = None if parent is None else parent * node + first
                    children = [child * node + first for child in children]
                if step + 1 < node:
                    children.append(home * node + (place + 1) % node)
                done[place] += up_and_down(team, place, parent, children, chunks, window, tags, cut)
    wait_for_all(team, done)


def up_and_down(team: Team, place: int, parent, children: list[int], chunks, window: int, tags, cut) -> list[int]:
    """Every chunk arrives from the children, is sent up, comes back down, and is sent to the children."""
    ready, done, came_down, (up, down) = team.gathered(place), [], [], tags
    for k, chunk in enumerate(chunks):
        wire, have = cut.on_wire(chunk), ready
        if k >= window and came_down:
            have = [came_down[k - window]]
        sums = [team.combine(place, chunk, team.receive(place, wire, child, up, ready)) for child in children]
        if sums:
            have = team.gather(place, sums + have)
        if parent is not None:
            team.send(place, wire, parent, up, have)
            have = [team.receive(place, wire, parent, down, ready)]
            came_down += have
        done += [team.send(place, wire, child, down, have) for child in children] + have
    return done
