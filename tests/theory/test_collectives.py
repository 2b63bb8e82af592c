"""Collective operations take the time of their alpha-beta formulas on an idle network of full bisection.

A message of m bytes between two hosts takes a + b m: a is the latency of the way, b the time of a byte on the link.
With n ranks and a vector of D bytes (Thakur, Rabenseifner, Gropp 2005; Sanders, Speck, Träff 2009):

    ring, all-reduce               2 (n - 1) (a + b D/n)
    ring, one half of that         (n - 1) (a + b D/n)
    both ways round it             the same, each step less a packet of p bytes, b p
    halving and doubling           2 log2(n) a + 2 (n - 1)/n b D
    direct all-to-all              a + (n - 1) b D/n + (n - 2) b p, packets of p bytes
    pairwise all-to-all            (n - 1) (a + b D/n)
    chain of chunks of c bytes     (n - 1) a + (D/c + n - 2) b c
    hierarchical                   2 (g - 1) (a' + b' D/g) + 2 (m - 1) (a + b D/(g m)), g ranks in each of m nodes
    two trees in chunks of c bytes 2 b D + 2 log2(n) (a + b c) on one switch

With any number of ranks, and parts that are not alike, a step takes as long as its largest part; a barrier takes
ceil(log2(n)) steps. If n is no power of two, halving and doubling have a step more in front (the ranks too many hand
over their vectors) and one behind; where one rank has the parts of two, halves are as large as the parts in them.

Bytes on the wire are those of packets with their headers. In a direct exchange adapters serve the hosts in turn, all
of them beginning with the first: the last one waits a round of packets for its first.
"""

import math

import pytest

import congestree

RATE = 100e9
DELAY, FORWARDING = 100e-9, 200e-9
MTU, HEADER = 4096, 64
KIB, MIB = 1 << 10, 1 << 20


TREE = {"k-ary-n-tree": {"k": 8, "n": 2}}
ONE_SWITCH = {"single-switch": {"hosts": 64}}


def completion(ranks, program, topology=TREE, **job):
    """Time of a program, one rank a host (s); by default on a fat tree of two levels."""
    result = congestree.run(
        {
            "topology": topology,
            "links": {"rate": "100 Gbit/s", "delay": "100 ns", "flow_control": {"byte-credits": {}}},
            "switches": {"buffer": "256 KiB", "forwarding_delay": "200 ns"},
            "adapters": {"mtu": "4 KiB", "header": "64 B"},
            "traffic": [
                {"name": "job", "from": "all", "program": {"collective": program}, "job": {"ranks": ranks, **job}}
            ],
            "measure": {"duration": "1 s", "until_jobs_end": True},
        }
    )
    return result.jobs["completion"][0]


def b(size):
    """Time of a message on a link."""
    return (size + HEADER * math.ceil(size / MTU)) * 8 / RATE


def a(ranks):
    """Latency of the path between two hosts: on one switch, or over three."""
    links = 2 if ranks <= 8 else 4
    return links * DELAY + (links - 1) * FORWARDING


def part(size, parts, i):
    """A part of a vector that is cut as evenly as whole bytes allow."""
    return size * (i + 1) // parts - size * i // parts


def one_chunk(size):
    return {"chunking": {"chunk": f"{size} B"}}


@pytest.mark.parametrize(("ranks", "size"), [(4, 8 * KIB), (8, 8 * KIB), (4, 4 * MIB), (8, 4 * MIB), (64, 8 * MIB)])
def test_rings_take_what_their_formula_says(ranks, size):
    step = a(8) + b(size // ranks)
    # The halves of two directions take turns: one arrives a packet before the other, and continues meanwhile.
    steps_of = {"ring": step, "bidirectional-ring": step - b(MTU)}
    for operation, steps in [("all-reduce", 2 * (ranks - 1)), ("reduce-scatter", ranks - 1), ("all-gather", ranks - 1)]:
        for algorithm, step in steps_of.items():
            if algorithm == "bidirectional-ring" and size < MIB:
                continue  # its halves are smaller than a packet
            program = {"operation": operation, "algorithm": algorithm, "bytes": f"{size} B", **one_chunk(size)}
            took = completion(ranks, program, ONE_SWITCH)
            assert took == pytest.approx(steps * step, rel=0.01), (operation, algorithm)


@pytest.mark.parametrize("ranks", [4, 8, 64])
def test_halving_and_doubling_takes_what_its_formula_says(ranks):
    size = 4 * MIB
    halves = [b(size >> k) for k in range(1, int(math.log2(ranks)) + 1)]
    program = {"algorithm": "halving-doubling", "bytes": f"{size} B"}
    times = {
        "all-reduce": 2 * sum(a(ranks) + half for half in halves),
        "reduce-scatter": sum(a(ranks) + half for half in halves),
        "all-gather": sum(a(ranks) + half for half in halves),
    }
    for operation, time in times.items():
        # On several switches partners that are near have fewer links between them.
        near = 0 if ranks <= 8 else 3 * (a(64) - a(8)) * (2 if operation == "all-reduce" else 1)
        assert completion(ranks, {"operation": operation, **program}) == pytest.approx(time - near, rel=0.01)


@pytest.mark.parametrize("ranks", [4, 8, 64])
@pytest.mark.parametrize("part", [16 * KIB, 64 * KIB])
def test_exchanges_take_what_their_formula_says(ranks, part):
    def time(operation, algorithm=None):
        how = {} if algorithm is None else {"algorithm": algorithm}
        return completion(ranks, {"operation": operation, "bytes": f"{part * ranks} B", **how}, ONE_SWITCH)

    once, a_round = a(8) + (ranks - 1) * b(part), (ranks - 2) * b(MTU)
    for operation in ("all-to-all", "reduce-scatter", "all-gather"):
        assert time(operation, "direct") == pytest.approx(once + a_round, rel=0.001), operation
    assert time("all-reduce", "direct") == pytest.approx(2 * once + a_round, rel=0.001)
    assert time("all-to-all", "pairwise") == pytest.approx((ranks - 1) * (a(8) + b(part)), rel=0.001)
    for operation in ("gather", "scatter"):
        assert time(operation) == pytest.approx(once, rel=0.001), operation


def test_a_direct_exchange_between_switches():
    part = 512 * KIB
    took = completion(64, {"operation": "all-to-all", "algorithm": "direct", "bytes": f"{part * 64} B"})
    assert took == pytest.approx(a(64) + 63 * b(part), rel=0.01)


@pytest.mark.parametrize("operation", ["broadcast", "reduce"])
@pytest.mark.parametrize("ranks", [8, 64])
def test_chains_take_what_their_formula_says(operation, ranks):
    size, chunk = 16 * MIB, 512 * KIB
    time = (ranks - 1) * a(8) + (size / chunk + ranks - 2) * b(chunk)
    took = completion(ranks, {"operation": operation, "bytes": f"{size} B"}, ONE_SWITCH)
    assert took == pytest.approx(time, rel=0.001)


@pytest.mark.parametrize("ranks", [8, 64])
def test_a_barrier_takes_what_its_formula_says(ranks):
    time = math.log2(ranks) * (a(8) + b(8))
    assert completion(ranks, {"operation": "barrier", "bytes": "0 B"}, ONE_SWITCH) == pytest.approx(time, rel=0.001)


def test_a_hierarchical_all_reduce_takes_what_its_formula_says():
    """Nodes of eight on a switch each: inside two links, between nodes along rails four."""
    size, g, m = 16 * MIB, 8, 8
    inside, between = g - 1, m - 1
    time = 2 * inside * (a(8) + b(size // g)) + 2 * between * (a(64) + b(size // (g * m)))
    program = {"operation": "all-reduce", "algorithm": "hierarchical", "node": 8, "bytes": f"{size} B"}
    assert completion(64, {**program, **one_chunk(size)}) == pytest.approx(time, rel=0.01)


@pytest.mark.parametrize(("ranks", "size"), [(4, 64), (8, 64), (16, 64), (48, 16), (64, 16)])
def test_an_all_reduce_over_two_trees_takes_what_its_formula_says(ranks, size):
    """A long vector in small chunks: the links of inner ranks are full except for one path up and one path down."""
    size, chunk = size * MIB, 64 * KIB
    program = {
        "operation": "all-reduce",
        "algorithm": "tree",
        "bytes": f"{size} B",
        "chunking": {"chunk": f"{chunk} B"},
    }
    time = 2 * b(size) + 2 * math.log2(ranks) * (a(8) + b(chunk))
    assert completion(ranks, program, ONE_SWITCH) == pytest.approx(time, rel=0.01)


def test_slices_hide_the_latency():
    """NCCL's chunks of two slices: a step takes two slices, or one and the latency, whichever is longer."""
    ranks, size = 4, 64 * MIB
    for protocol, slices, chunk, wire in [
        ("simple", 2, 2 * MIB, 1),
        ("ll128", 1, 576_000, 128 / 120),
        ("ll", 1, 32 * KIB, 2),
    ]:
        program = {"operation": "all-reduce", "bytes": f"{size} B", "chunking": {"protocol": protocol}}
        slice_time = b(chunk * wire / slices)
        step = max(slices * slice_time, slice_time + a(ranks))
        time = size / (ranks * chunk) * 2 * (ranks - 1) * step
        assert completion(ranks, program) == pytest.approx(time, rel=0.01), protocol


@pytest.mark.parametrize("ranks", [2, 3, 5, 7, 12])
@pytest.mark.parametrize("size", [1, 1000, 100_003])
def test_any_number_of_ranks_and_sizes_that_they_do_not_divide(ranks, size):
    def time(operation, algorithm):
        program = {"operation": operation, "algorithm": algorithm, "bytes": f"{size} B", **one_chunk(size)}
        return completion(ranks, program, ONE_SWITCH)

    step = a(8) + b(max(part(size, ranks, i) for i in range(ranks)) or 1)
    expected = {
        ("all-reduce", "ring"): 2 * (ranks - 1) * step,
        ("all-gather", "ring"): (ranks - 1) * step,
        ("reduce-scatter", "ring"): (ranks - 1) * step,
        ("broadcast", "ring"): (ranks - 1) * (a(8) + b(size)),
        ("reduce", "ring"): (ranks - 1) * (a(8) + b(size)),
        ("barrier", "halving-doubling"): math.ceil(math.log2(ranks)) * (a(8) + b(8)),
    }
    if size >= ranks:
        expected["all-to-all", "pairwise"] = (ranks - 1) * step
    for (operation, algorithm), took in expected.items():
        assert time(operation, algorithm) == pytest.approx(took, rel=0.001), operation


@pytest.mark.parametrize("ranks", [2, 3, 5, 6, 7, 12])
def test_halving_and_doubling_among_any_number_of_ranks(ranks):
    """Messages are announced, so that no rank sends ahead of its partner: two latencies more a step."""
    size, power = 10_000_003, 1 << int(math.log2(ranks))
    extra = ranks - power
    for operation in ("reduce-scatter", "all-gather", "all-reduce"):
        twice = 2 if operation == "all-reduce" else 1
        # Of the vector, in parts: what each of those who take part has.
        share = [ranks / power if twice == 2 else 1 + (i < extra) for i in range(power)]
        halves = [
            max(sum(share[i : i + distance]) for i in range(0, power, distance)) * size / ranks
            for distance in (power >> k for k in range(1, power.bit_length()))
        ]
        folds = {"reduce-scatter": [size, size / ranks], "all-gather": [size / ranks, size], "all-reduce": [size] * 2}
        steps = halves * twice + (folds[operation] if extra else [])
        program = {"operation": operation, "algorithm": "halving-doubling", "bytes": f"{size} B"}
        took = completion(ranks, program, ONE_SWITCH, rendezvous="1 KiB")
        assert took == pytest.approx(sum(3 * a(8) + b(int(step)) for step in steps), rel=0.001), operation
