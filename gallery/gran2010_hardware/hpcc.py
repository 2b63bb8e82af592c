"""The network part of HPC Challenge between H1 and H4, replayed message by message (section VI, Table III).

The replay does not use the engine's programs: no message waits for another one. The communication is therefore cut into
rounds that need no such waiting, because all messages of a round are ready when it begins, and the distance of rounds
is longer than the slowest of them:

    ping-pong     one message H1->H4, later one H4->H1; a round trip is the sum of both
    rings         k messages each way at the same time; k follows from where the ranks are
    transposes    the same with the blocks of PTRANS and FFT

A program of ranks could replace `entries`; the evaluation of the times would stay.

Ranks (OQ-I29): four on H1 and four on H4, the only hosts that no contributor uses. Table III supports this: it has the
same bandwidth with congestion control as without congestion, which no host that also runs a contributor could have; and
its means without congestion follow from 12 pairs inside a host and 16 between hosts. Pairs inside a host do not use the
network; their latency and bandwidth are the smallest that the paper measured without congestion.
"""

from itertools import permutations
from math import ceil

import numpy as np

from ..gran_common.scenario import SCENARIO_1, ms, test_bed

STATES = ("none", "off", "on")
"""(a) no congestion, (b) contributors F2 to F5, (c) the same with congestion control."""
SMALL, LARGE = 8, 2_000_000
"""Messages of the latency and of the bandwidth measurements of HPC Challenge, bytes."""
RANKS = 4
"""Per host."""
HOST_US = 1.0
"""Time of a message outside the network, us: the latency of applications (Paper I section 4)."""
INSIDE_US, INSIDE_MB_S = 1.132, 880.5
"""Latency (us) and bandwidth (MB/s) of two ranks on one host: the smallest of Table III (a)."""
NATURAL = 2
"""Messages each way of the ring in the order of the ranks: it passes from host to host twice."""
PTRANS_BLOCKS = 4
"""Blocks each way. On a grid of 2 x 4 ranks in rows, rank (p, q) sends to the ranks (q mod 2, p) and (q mod 2, p + 2):
two of four ranks of a host send all they have, two blocks each, to the other host."""
FFT_BLOCKS = RANKS * RANKS
"""Blocks each way when every rank has one for every rank."""
RINGS = (2, 4, 6, 8)
"""Messages each way that a random ring can have."""
CONGESTED_MS = 100
"""When the first round begins: contributors have settled."""


def contributors():
    """F2 to F5, one every millisecond."""
    flows = {label: pair for label, pair in SCENARIO_1.items() if label != "F1"}
    return flows, {label: float(number) for number, label in enumerate(flows)}


def entries(messages, size, every_ms, rounds, start_ms, together):
    """Traffic of H1 and H4: this many messages each way and round; the way back half a round later, or together."""
    made = {}
    for label, source, to, offset in (("there", "H1", "H4", 0), ("back", "H4", "H1", 0 if together else every_ms / 2)):
        for number in range(messages):
            made[f"{label} {number + 1}"] = {
                "from": source,
                "to": to,
                "message": f"{size} B",
                "start": ms(start_ms + offset),
                "arrivals": {"messages": {"count": rounds, "every": ms(every_ms)}},
            }
    return made


def scenario(state, messages, size, control, *, together=True, rounds=None, congested_ms=CONGESTED_MS, **bed):
    """One run: a pattern in one of the three states."""
    small = size <= 2048
    every = 0.1 if small else 10 * ceil(messages * size / 2.5e6)  # ms; 2.2 Gbit/s is the smallest rate of H1
    rounds = rounds or (500 if small else 3)
    own = entries(messages, size, every, rounds, congested_ms, together)
    flows, starts = contributors() if state != "none" else ({}, {})
    return test_bed(
        flows | own,
        starts=starts,
        phase_ms=1,
        end_ms=congested_ms + every * rounds + 1,
        bin_ms=10,
        control=control if state == "on" else None,
        probes=("deliveries",),
        **bed,
    )


class Rounds:
    """The rounds of one run."""

    def __init__(self, view):
        table = view.run.deliveries
        self.names = view.names
        self.flow = table["flow"].to_numpy()
        self.made, self.arrived = table["created_ps"].to_numpy(), table["time_ps"].to_numpy()

    def times_us(self, way):
        """From the beginning of a round until its last message one way ("there", "back") has arrived, us."""
        chosen = np.isin(self.flow, [flow for label, flow in self.names.items() if label.startswith(way)])
        begins, which = np.unique(self.made[chosen], return_inverse=True)
        ends = np.zeros(len(begins), dtype=self.arrived.dtype)
        np.maximum.at(ends, which, self.arrived[chosen])
        return (ends - begins) * 1e-6

    def round_us(self):
        """Mean time of a round with both ways together, us."""
        return float(np.maximum(self.times_us("there"), self.times_us("back")).mean() + HOST_US)

    def one_way_us(self):
        """Mean time of one message: half the round trip of a ping-pong, us."""
        return float((self.times_us("there").mean() + self.times_us("back").mean()) / 2 + HOST_US)


def ring_chances():
    """The probability that a random ring has this many messages each way: {messages: probability}."""
    hosts = [rank // RANKS for rank in range(2 * RANKS)]
    counts = dict.fromkeys(RINGS, 0)
    for order in permutations(range(1, 2 * RANKS)):
        ring = [hosts[0], *(hosts[rank] for rank in order)]
        counts[sum(a != b for a, b in zip(ring, [*ring[1:], ring[0]], strict=True))] += 1
    total = sum(counts.values())
    return {messages: count / total for messages, count in counts.items()}


def over_pairs(inside, between):
    """Mean over all pairs of ranks."""
    within, across = RANKS * (RANKS - 1), RANKS * RANKS
    return (within * inside + across * between) / (within + across)


class Table3:
    """Rows of Table III that are about the network, from the runs of a study."""

    def __init__(self, study, state):
        self.study, self.state = study, state

    def _mean(self, pattern, messages, measure):
        return self.study.sample(("hpcc", self.state, pattern, messages), lambda view: measure(Rounds(view))).mean

    def ping_pong_us(self):
        """Latency between the hosts, us."""
        return self._mean("pingpong-small", 1, Rounds.one_way_us)

    def ping_pong_mb_s(self):
        """Bandwidth between the hosts, MB/s."""
        return LARGE / self._mean("pingpong-large", 1, Rounds.one_way_us)

    def exchange_us(self, messages, size="large"):
        """Time of a round with this many messages each way, us."""
        return self._mean(f"exchange-{size}", messages, Rounds.round_us)

    def random_ring(self, measure):
        """Mean of a measure over random rings, by the number of messages each way."""
        return sum(chance * measure(messages) for messages, chance in ring_chances().items())

    def random_us(self):
        """Latency of random rings, us."""
        return self.random_ring(lambda messages: self.exchange_us(messages, "small"))

    def ring_mb_s(self, messages):
        """A message over the time of its round, MB/s."""
        return LARGE / self.exchange_us(messages)

    def random_mb_s(self):
        """Bandwidth of random rings, MB/s."""
        return self.random_ring(self.ring_mb_s)

    def crossing_gb_s(self, blocks):
        """Bytes that go from host to host, over the time of the exchange, GB/s."""
        return 2e-3 * blocks * LARGE / self.exchange_us(blocks)

    def ptrans_gb_s(self):
        """Bytes of PTRANS over its time, with those that stay in a host, which are as many, GB/s."""
        return 2 * self.crossing_gb_s(PTRANS_BLOCKS)


def by_state(study, measure):
    """A measure in (a), (b), (c)."""
    return [measure(Table3(study, state)) for state in STATES]
