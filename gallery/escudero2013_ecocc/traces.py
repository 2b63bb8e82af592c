"""Programs of the HPC Challenge next to hot spots, on network #2 (section 4.3, figure 8).

    SC1   a program on all 256 nodes, and nothing else
    SC2   a program on the even nodes; 32 of the odd ones send to node 123 all the time
    SC3   a program on the even nodes; 64 of the odd ones send to four others all the time

The traces of the paper are not published. Their replacement (OQ-E15) has the messages of the same programs, as
congestree generates them, with sizes that were chosen once:

    ring      natural ring of b_eff: 2,000,000 bytes to both neighbours, the message of its bandwidth test
    ptrans    transposition: 2 MiB from every rank to its mirror image
    mpifft    Fourier transform: 512 KiB of complex numbers a rank, three transpositions, and between them the
              5 n log2 N operations of a transform at 10^9 a second

Ranks are on nodes drawn at random: in the order of the nodes no two messages of the ring share a link.
"""

import math
import random

from .scenario import JUDGED, READINGS, STAGES, fabric, nodes

NETWORK = 2
PROGRAMS = ("mpifft", "ring", "ptrans")
CROWDS = {1: (0, 0), 2: (32, 1), 3: (64, 4)}
"""Case -> nodes that send to hot nodes, hot nodes."""
ROOT = 123
"""The hot node of SC2."""
WAYS = ("digits", "drawn")
"""Up by the digits of the destination, as in all other runs; or by a port drawn for each destination and level."""
LIMIT_MS = 30
"""A program that has not ended by then has not ended."""
RING, TRANSPOSED, TRANSFORMED = 2_000_000, 2 * 2**20, 512 * 2**10
"""Bytes of a message, of a rank's part of the matrix, of its part of the transform."""
COMPLEX = 16
"""Bytes of a complex number."""
SPEED = 1e9
"""Operations of a rank, 1/s."""


def program(name, ranks):
    """What the ranks of a program do."""
    if name == "ring":
        return {"natural-ring": {"bytes": f"{RING} B"}}
    if name == "ptrans":
        return {"ptrans": {"bytes": f"{TRANSPOSED} B"}}
    own = TRANSFORMED // COMPLEX
    operations = 5 * own * math.log2(own * ranks)
    return {"mpifft": {"bytes": f"{TRANSFORMED} B", "compute": f"{round(operations / 4 / SPEED * 1e9)} ns"}}


def crowd(case, seed):
    """Traffic of the hot spots: sources and roots among the odd nodes, drawn at random."""
    sources, roots = CROWDS[case]
    dice = random.Random(seed)
    others = [node for node in range(1, nodes(NETWORK), 2) if node != ROOT]
    hot = [ROOT] if case == 2 else dice.sample(others, roots)
    drawn = dice.sample([node for node in others if node not in hot], sources)
    steady = {"arrivals": {"steady": {"load": 1.0}}}
    return [
        {"name": f"hot{number}", "from": [f"h{node}" for node in drawn[number::roots]], "to": f"h{root}"} | steady
        for number, root in enumerate(hot)
    ]


def ways(seed, k=4):
    """Ports of all switches with a random upward path to a destination, level by level, drawn once for all sources."""
    dice = random.Random(f"ways {seed}")
    levels, count = STAGES[NETWORK], nodes(NETWORK)
    up = [[dice.randrange(k) for _ in range(levels)] for _ in range(count)]
    ports = {}
    for level in range(levels):
        below = k ** (level + 1)
        down = [1 + node // k**level % k for node in range(below)]
        above = [1 + k + port[level] for port in up]
        for switch in range(count // k):
            first = switch // k**level * below  # of the nodes below the switch, which stand side by side
            ports[f"s{level}_{switch}"] = above[:first] + down + above[first + below :]
    return ports


def trace(case, name_of_program, technique, way, seed, name, reading=READINGS[JUDGED]):
    """A program in one of the three cases."""
    count = nodes(NETWORK)
    ranks = range(count) if case == 1 else range(0, count, 2)
    job = {
        "name": name_of_program,
        "from": [f"h{node}" for node in ranks],
        "program": program(name_of_program, len(ranks)),
        "job": {"placement": "random"},
    }
    traffic = [job, *crowd(case, seed)]
    found = fabric(NETWORK, technique, reading, traffic, name, seed=seed, duration_ms=LIMIT_MS)
    probes = [probe for probe in found["measure"]["probes"] if probe == "isolation"]
    found["measure"] |= {"probes": probes, "until_jobs_end": True}
    return found | ({"routing": {"ports": ways(seed)}} if way == "drawn" else {})
