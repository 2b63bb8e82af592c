"""The result of every setting of the grid, from as few runs as a proof needs.

A source that has been notified of congestion waits after its packets: the longer, the longer its timer (CCTI_Timer) and
the larger the delays of its table. Take settings A, X, B of one threshold and one marking rate, where A waits nowhere
longer than X, and X nowhere longer than B. If the runs of A and B are the same (fingerprints of all transmissions and
all deliveries), then so is that of X, by induction over the packets that hosts send:

    so far all three have had the same marks: the index of every source, and its wait, is between those of A and B
    a flow that may send in B may send in X, and one that may send in X may send in A
    no flow sends in A: none may in X
    A and B send a packet of the same flow: it may send in X; flows before it in turn may not in A, and so not in X

A threshold of 0 never marks (`crates/schemes/src/switch/mark/fecn.rs`), so that its settings are one run.
`tests/gallery/test_tuning.py` compares all this with grids that are run in full.
"""

from collections import defaultdict

from congestree.formats.opensm import llnl
from congestree.quantities import seconds

THRESHOLD, RATE = "scheme.mark.fecn.threshold", "scheme.mark.fecn.marking_rate"
TIMER, TABLE = "scheme.react.cct.timer", "table"


def stand_ins(settings, run):
    """{number of a setting: number of the setting with the same run}, for all of them.

    run: a function from a list of numbers to their fingerprints; it is called with the settings to be run next.
    """
    groups = defaultdict(list)
    for number, setting in enumerate(settings):
        groups[setting[THRESHOLD] and (setting[THRESHOLD], setting[RATE])].append(number)
    groups = [Alike(numbers, settings) for numbers in groups.values()]
    while True:
        wanted = [(group, number) for group in groups if (number := group.next()) is not None]
        if not wanted:
            return {number: known for group in groups for number, known in group.proven.items()}
        for (group, number), seen in zip(wanted, run([number for _, number in wanted]), strict=True):
            group.proven[number], group.seen[number] = number, seen


class Alike:
    """Settings that mark alike, and what is known about them."""

    def __init__(self, numbers, settings):
        chosen = [settings[number] for number in numbers]
        shares = {name: [code.share for code in llnl.table(name)] for name in {s[TABLE] for s in chosen}}
        timers = sorted({s[TIMER] for s in chosen}, key=seconds)
        self.places = {n: (timers.index(s[TIMER]), s[TABLE]) for n, s in zip(numbers, chosen, strict=True)}
        self.tables = {
            (one, other)
            for one in shares
            for other in shares
            if all(a >= b for a, b in zip(shares[one], shares[other], strict=True))
        }
        self.marks = chosen[0][THRESHOLD] > 0
        # The ends first, then the middles between them: settings between two equal ones need not be run.
        turn = {timer: place for place, timer in enumerate(bisected(len(timers)))}
        ends = {
            t
            for t in shares
            if all((t, o) in self.tables for o in shares) or all((o, t) in self.tables for o in shares)
        }
        self.waiting = sorted(numbers, key=lambda n: (self.places[n][1] not in ends, turn[self.places[n][0]], n))
        self.proven, self.seen = {}, {}

    def next(self):
        """The number of the setting to run next; None if all are known."""
        while self.waiting:
            number = self.waiting.pop(0)
            known = self.between(number)
            if known is None:
                return number
            self.proven[number] = known
        return None

    def between(self, number):
        """A setting whose run is that of this one, if that is proven."""
        least = {self.seen[known]: known for other, known in self.proven.items() if self.no_longer(other, number)}
        for other, known in self.proven.items():
            if self.seen[known] in least and self.no_longer(number, other):
                return least[self.seen[known]]
        return None

    def no_longer(self, one, other):
        """Whether one waits nowhere longer than the other."""
        (timer, table), (longer, slower) = self.places[one], self.places[other]
        return not self.marks or (timer <= longer and (table, slower) in self.tables)


def bisected(count):
    """0 to count - 1, the ends first, then the middle of each gap, and so on."""
    order, spans = list(dict.fromkeys((0, count - 1))), [(0, count - 1)]
    for low, high in spans:
        if high - low > 1:
            middle = (low + high) // 2
            order.append(middle)
            spans += [(low, middle), (middle, high)]
    return order
