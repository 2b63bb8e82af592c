"""Congestion trees, found again in samples of the twin by the definition in docs/explanation/congestion-trees.md; plain
and slow, and converted to the rows of the tables `trees`, `tree_links`, `tree_flows` and `tree_losses`."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

from sampling import SOURCE, Sample, Waiting


@dataclass
class Tree:
    """A tree in one sample. Branches are {channel: depth}."""

    root: tuple
    slow_host: bool
    backlog: int
    branches: dict
    bytes: int = 0
    carries: set = field(default_factory=set)
    contributors: set = field(default_factory=set)
    victims: set = field(default_factory=set)


class Forest:
    """The trees of a sample, and which packets wait behind what."""

    def __init__(self, sample: Sample, packet: int):
        self.sample, self.packet = sample, packet
        self.fronts = [waits for waits in sample.waiting if waits.buffer is not SOURCE and not waits.behind]
        asked = {waits.output for waits in self.fronts if not waits.stopped}
        roots = sorted(output for output in asked if self.is_root(output))
        self.stops = self.stopped_before(set(roots))
        self.trees = [tree for tree in map(self.tree, roots) if tree.branches]
        self.held_by_trees, self.held_in_switch = set(), set()
        for tree in self.trees:
            self.sort_out(tree)
        self.count_losses()

    def waiting_in(self, buffer: tuple) -> Counter:
        """Bytes in a buffer by the channel that they wait for: of those in front, and for the same as these."""
        found = Counter()
        for waits in self.fronts:
            if waits.buffer == buffer and not waits.over:
                found[waits.output] += waits.size
        return found

    def waits_for(self, channel: tuple) -> set:
        """The channels of which the buffer behind a held channel is full, if they send or are held."""
        there = self.waiting_in(channel) if channel in self.sample.held else {}
        full = {
            output for output, size in there.items() if 4 * size >= sum(there.values()) or size == max(there.values())
        }
        stopped = {waits.output for waits in self.fronts if waits.buffer == channel and waits.stopped}
        return {o for o in full if o in self.sample.held or o[0] in self.sample.busy or o in stopped}

    def is_root(self, output: tuple) -> bool:
        """More is requested of it than it can carry, and nothing beyond holds it; or its host is slow."""
        sample = self.sample
        if output in sample.held and output[0] in sample.to_host:
            return True
        asks = [waits for waits in self.fronts if waits.output == output and not waits.stopped]
        links = {waits.buffer[0] for waits in asks}
        faster = sum(sample.rate[link] for link in links) > sample.rate[output[0]]
        too_much = faster or sum(waits.size for waits in asks) >= 2 * self.packet
        alive = not self.waits_for(output) if output in sample.held else output[0] in sample.busy
        return too_much and alive

    def stopped_before(self, roots: set) -> dict:
        """By root: the steps (from, to) by which stopped packets would go to it, the last root on their path."""
        steps = defaultdict(set)
        for waits in self.sample.waiting:
            last = max((place for place, channel in enumerate(waits.path) if channel in roots), default=0)
            if waits.stopped and last:
                steps[waits.path[last]] |= set(pairwise(waits.path[: last + 1]))
        return steps

    def tree(self, root: tuple) -> Tree:
        """The held channels that wait for a root, or for one of these."""
        branches, edge = {}, {root}
        while edge:
            depth = max((branches[channel] for channel in edge if channel in branches), default=0) + 1
            full = {channel for channel in self.sample.held if self.waits_for(channel) & edge}
            full |= {before for before, after in self.stops[root] if after in edge}
            edge = full - branches.keys() - {root}
            branches |= dict.fromkeys(edge, depth)
        backlog = sum(waits.size for waits in self.fronts if waits.output == root and not waits.stopped)
        slow = root in self.sample.held and root[0] in self.sample.to_host
        return Tree(root, slow, backlog, branches, carries={before for before, _ in self.stops[root]} & branches.keys())

    def stands_in(self, waits: Waiting, tree: Tree) -> bool:
        """It waits for the root or a branch, or behind such a packet. A branch for stopped packets holds no others."""
        held = waits.stopped or waits.front in self.sample.held
        return waits.front == tree.root or (held and waits.front in tree.branches)

    def stands_apart(self, waits: Waiting) -> bool:
        """It is in trees, and feeds none of these."""
        here = [tree for tree in self.trees if self.stands_in(waits, tree)]
        return bool(here) and not any(tree.root in waits.path for tree in here)

    def sort_out(self, tree: Tree) -> None:
        """Who feeds the tree, and who suffers from it."""
        for waits in self.sample.waiting:
            if not self.stands_in(waits, tree):
                continue
            if tree.root in waits.path:
                tree.contributors.add(waits.flow)
                stands_in = None if waits.over else waits.buffer
                tree.carries |= {waits.front, stands_in} & tree.branches.keys()
                tree.bytes += waits.size if waits.buffer is not SOURCE else 0
            else:
                tree.victims.add(waits.flow)

    def count_losses(self) -> None:
        """Flows that wait behind a tree without feeding it, or inside a switch although their own link is free."""
        for waits in self.sample.waiting:
            free = waits.output[0] not in self.sample.busy and waits.output not in self.sample.held
            if free and waits.fits and not waits.late and waits.buffer is not SOURCE and not waits.stopped:
                self.held_in_switch.add(waits.flow)
            elif self.stands_apart(waits):
                self.held_by_trees.add(waits.flow)


class Trees:
    """Forests one after the other, in the form of the tables of a run: {key: values}, times in ps."""

    def __init__(self, samples: list[Sample], every: int, packet: int, end: int):
        self.every, self.end = every, end
        self.trees, self.flows, self.losses = {}, {}, defaultdict(lambda: [0, 0, 0])
        self.spans = defaultdict(list)  # (tree, channel): samples as (time, depth, carries)
        self.seen = defaultdict(list)  # by tree: times
        newest = {}  # by root
        for sample in samples:
            forest = Forest(sample, packet)
            for tree in forest.trees:
                number = newest.get(tree.root)
                if number is None or sample.time - self.seen[number][-1] > 2 * every:
                    number = newest[tree.root] = len(self.seen)
                self.add(number, tree, sample.time)
            both = forest.held_by_trees, forest.held_in_switch
            for flow in both[0] | both[1]:
                loss = self.losses[flow]
                loss[:] = loss[0] + (flow in both[0]), loss[1] + (flow in both[1]), loss[2] + 1

    def add(self, number: int, tree: Tree, time: int) -> None:
        """A tree has been seen."""
        self.seen[number].append(time)
        depth = max((tree.branches[channel] for channel in tree.carries), default=0)
        held = len(tree.branches) - len(tree.carries)
        sizes = depth, len(tree.carries), held, tree.bytes, tree.backlog
        row = *tree.root, tree.slow_host, *sizes, len(tree.contributors), len(tree.victims)
        self.trees[time, number] = row
        for channel, far in tree.branches.items():
            self.spans[number, channel].append((time, far, channel in tree.carries))
        for role, flows in (("contributor", tree.contributors), ("victim", tree.victims)):
            for flow in flows:
                first, _, samples = self.flows.get((number, flow, role), (time, time, 0))
                self.flows[number, flow, role] = first, time, samples + 1

    def links(self) -> dict:
        """Every span of samples in which a link was the same in the tree, until the first sample without it."""
        found = {}
        for (number, channel), samples in self.spans.items():
            begin, last = samples[0], samples[0]
            for sample in [*samples[1:], (None, 0, False)]:
                if sample[0] is None or sample[0] != last[0] + self.every or sample[1:] != last[1:]:
                    until = min(last[0] + self.every, self.end)
                    found[number, *channel, begin[0]] = begin[1], begin[2], until
                    begin = sample
                last = sample
        return found
