"""What an output learns from samples: how congested it is (CRD), and which flows pass through it (CFR)."""

import math

from reference.regions.rule import MOST, RegionRule
from reference.rng import Rng


class Point:
    """A congestion point: one of every so many packets for an output has it look at its queues.

        F_b = (Q - Q_eq) + w_q (Q - Q at the look before)       congested if above zero

    The degree is F_b in 63 steps of Q_eq (1 + 2 w_q). Of the queue of the output and that of the input that the packet
    came in by, the more congested one counts; each has its own length at the look before.
    """

    def __init__(self, rule: RegionRule):
        self.rule = rule
        self.before_by_input: dict = {}  # by input and lane
        self.starts_anew()

    def starts_anew(self) -> None:
        """No packets wait any more: back to the initial state, except for the knowledge about inputs."""
        self.degree = self.calm = self.before = 0
        self.until = 1  # packets until the next sample

    def degree_of(self, length: int, before: int) -> int:
        """How congested a queue of this length is, with the length at the previous sample."""
        equal, weight = self.rule.equilibrium, self.rule.growth_weight
        over = length - equal + weight * (length - before)
        return min(MOST, math.ceil(over / (equal * (1 + 2 * weight) / MOST))) if over > 0 else 0

    def joined(self, output: int, place: tuple, own: int) -> str | None:
        """A packet has joined: this many bytes are at the output, and this many at its own input. The result, if a
        sample is due: "congested", "easing" or "calm"."""
        self.until -= 1
        if self.until > 0:
            return None
        found = self.degree_of(output, self.before)
        if self.rule.input_queues:
            found = max(found, self.degree_of(own, self.before_by_input.get(place, 0)))
        self.before, self.before_by_input[place] = output, own
        every = self.rule.sample_every
        self.until = max(1, every - every * 3 * found // (4 * MOST))
        if found:
            self.degree, self.calm = found, 0
            return "congested"
        self.calm = self.calm + 1 if self.degree else 0
        if self.degree and self.calm < self.rule.calm_samples:
            return "easing"
        self.degree = self.calm = 0
        return "calm"


class Flows:
    """The flows that an output considers harmful: a memory with a fixed number of entries, written cyclically."""

    def __init__(self, rule: RegionRule, seed: int, port: int):
        self.rule = rule
        self.rng = Rng(seed, "harmful flows", port)
        self.forget()

    def forget(self) -> None:
        """No flow is harmful."""
        self.entries: list[int] = []
        self.known: list[int] = []  # each once, in the order in which they have become harmful
        self.next = 0  # the entry that is written next, once all are used
        self.until = 1  # packets until the next sample

    def __contains__(self, flow: int) -> bool:
        return flow in self.entries

    def harmful(self) -> list[int]:
        """Each of them once, as others are notified: in the order of entries, or else as they became harmful."""
        return list(self.known if self.rule.one_a_sample else self.entries)

    def passes(self, flow: int) -> bool:
        """A packet of a flow passes a root. Returns whether the set of harmful flows has changed."""
        if self.rule.by_chance:
            if self.rng.below(self.rule.flow_sample_every) != 0:
                return False
        else:
            self.until -= 1
            if self.until > 0:
                return False
            self.until = self.rule.flow_sample_every
        return self.write(flow)

    def write(self, flow: int) -> bool:
        """A flow is harmful. Returns whether the set of harmful flows has changed."""
        before = set(self.entries)
        if self.rule.one_a_sample or flow not in before:
            if len(self.entries) < self.rule.flows:
                self.entries.append(flow)
            else:
                self.entries[self.next] = flow
                self.next = (self.next + 1) % len(self.entries)
        self.known = [other for other in self.known if other in self.entries] + [flow] * (flow not in before)
        return set(self.entries) != before
