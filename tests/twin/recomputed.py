"""Tables of a run, made again from what its twin was seen to do (`observing`); plain and slow."""

import math
from collections import defaultdict
from itertools import pairwise

from observing import Observed

PS = 1e-12


class Recomputed:
    """Each method gives a table as {key: values}, in the units of the table of that name."""

    def __init__(self, seen: Observed, warm_up: int, bin_length: int, classes: dict[int, str]):
        self.seen, self.warm_up, self.bin, self.classes = seen, warm_up, bin_length, classes
        self.end = seen.fabric.setup.duration
        self.bins = -(-self.end // bin_length)
        self.measured = (self.end - warm_up) * PS
        # At the end of the warm-up, packets that crossed a switch start on their link just before, others just after.
        early = len(seen.fabric.hosts) if seen.fabric.setup.crossbar is not None else math.inf
        self.warm_sends = [send for send in seen.sends if send[0] + (send[2] < early) > warm_up]
        self.warm_deliveries = [delivery for delivery in seen.deliveries if delivery[0] > warm_up]

    def after(self, begin: int, end: int) -> int:
        """How much of a time lies after the warm-up."""
        return max(0, end - max(begin, self.warm_up))

    def parts(self, begin: int, end: int):
        """A time as (bin, length in it)."""
        while begin < end:
            at = begin // self.bin
            until = min((at + 1) * self.bin, end)
            yield at, until - begin
            begin = until

    def bin_of(self, time: int) -> int:
        """The bin of an instant; the last has the end of the run."""
        return min(time // self.bin, self.bins - 1)

    def stretches(self, changes: list):
        """(from, to, value) of a value that changes at instants, 0 at first."""
        for (begin, value), (end, _) in pairwise([(0, 0), *changes, (self.end, None)]):
            if end > begin:
                yield begin, end, value

    def ports(self) -> dict:
        """Packets, bytes, utilisation, blocked."""
        found = {}
        for port, wire in enumerate(self.seen.wires):
            sizes = [send[4] for send in self.warm_sends if send[2] == port]
            blocked = sum(self.after(begin, end) for begin, end, of in self.seen.blocked if of == port)
            again = [repeat[3] for repeat in self.seen.repeats if repeat[2] == port and repeat[0] > self.warm_up]
            use = sum(sizes + again) * 8 / (wire.own_rate * self.measured)
            found[port] = len(sizes), sum(sizes), use, blocked * PS
        return found

    def flows(self) -> dict:
        """Sent, packets, bytes, rate, marked."""
        hosts = len(self.seen.fabric.hosts)
        found = {}
        for flow in self.classes:
            sent = sum(send[2] < hosts and send[3] == "data" and send[7] == flow for send in self.warm_sends)
            mine = [delivery for delivery in self.warm_deliveries if delivery[1] == flow]
            size = sum(delivery[2] for delivery in mine)
            found[flow] = sent, len(mine), size, 8 * size / self.measured, sum(delivery[3] for delivery in mine)
        return found

    def summary(self) -> dict:
        """All that is a sum of the above."""
        flows = self.flows()
        rates = [row[2] for row in flows.values() if row[0]]
        size = sum(row[2] for row in flows.values())
        square = sum(rate * rate for rate in rates)
        return {
            "measured": self.measured,
            "sent": sum(row[0] for row in flows.values()),
            "delivered": sum(row[1] for row in flows.values()),
            "accepted_load": 8 * size / self.measured,
            "accepted_load_per_host": 8 * size / self.measured / len(self.seen.fabric.hosts),
            "marked": sum(row[4] for row in flows.values()),
            "jain_index": sum(rates) ** 2 / (len(rates) * square) if square else math.nan,
            "blocked": sum(end - begin for begin, end, _ in self.seen.blocked) * PS,
            "packet_hops": sum(send[3] == "data" for send in self.seen.sends),
        }

    def delivered(self, key) -> dict:
        """Packets, bytes, marked by bin and what `key` makes of a flow."""
        found = defaultdict(lambda: [0, 0, 0])
        for time, flow, size, marked, _ in self.seen.deliveries:
            cell = found[self.bin_of(time), key(flow)]
            cell[:] = cell[0] + 1, cell[1] + size, cell[2] + marked
        return found

    def port_series(self) -> dict:
        """Packets, bytes, blocked, held by bin and port."""
        found = defaultdict(lambda: [0, 0.0, 0.0, 0.0])
        for begin, end, port, _, size, *_ in self.seen.sends:
            found[self.bin_of(begin), port][0] += 1
            self.spread(found, begin, end, port, size)
        for repeat in self.seen.repeats:
            self.spread(found, *repeat)
        for begin, end, port in self.seen.blocked:
            for at, part in self.parts(begin, end):
                found[at, port][2] += part * PS
        for port, changes in self.seen.held.items():
            for (at, of), mean in self.means({port: changes}).items():
                found[at, of][3] = mean[0]
        return found

    def spread(self, found: dict, begin: int, end: int, port: int, size: int) -> None:
        """Bytes count while they are sent, as far as that is before the end of the run."""
        for at, part in self.parts(begin, min(end, self.end)):
            found[at, port][1] += size * part / (end - begin)

    def queues(self) -> dict:
        """Time by port and packets held."""
        found = defaultdict(float)
        for port in range(len(self.seen.wires)):
            for begin, end, held in self.stretches(self.seen.held[port]):
                found[port, held] += self.after(begin, end) * PS
        return {key: (time,) for key, time in found.items() if time}

    def means(self, series: dict) -> dict:
        """Mean and most of values that change, by bin and key; the most of what lasts for a time."""
        found = defaultdict(lambda: [0.0, 0])
        for key, changes in series.items():
            for begin, end, value in self.stretches(changes):
                for at, part in self.parts(begin, end):
                    cell = found[at, key]
                    length = min(self.bin, self.end - at * self.bin)
                    cell[:] = cell[0] + value * part / length, max(cell[1], value)
        return found

    def latency(self) -> dict:
        """Packets, mean, percentiles and most of the times on the network, by class."""
        found = defaultdict(list)
        for time, flow, _, _, injected in self.warm_deliveries:
            found[self.classes[flow]].append((time - injected) * PS)
        rows = {}
        for name, times in found.items():
            times.sort()
            spread = [times[math.ceil(share * len(times)) - 1] for share in (0.5, 0.9, 0.99, 0.999)]
            rows[name] = len(times), sum(times) / len(times), *spread, times[-1]
        return rows

    def counters(self) -> dict:
        """Packets, words, FECN and BECN that arrived, by port and lane."""
        found = defaultdict(lambda: [0, 0, 0, 0])
        for _, _, port, kind, size, marked, lane, _ in self.warm_sends:
            mine, peer = found[port, lane], found[self.seen.port(self.seen.wires[port].back), lane]
            mine[:2] = mine[0] + 1, mine[1] + size
            peer[2] += kind == "data" and marked
            peer[3] += kind == "cnp" or (kind == "ack" and marked)
        return {key: (cell[0], cell[1] // 4, *cell[2:]) for key, cell in found.items()}

    def pause_counters(self) -> dict:
        """Frames that end a pause and that request one, sent and received, and the time paused, by port and lane."""
        found = defaultdict(lambda: [0, 0, 0, 0, 0.0])
        for time, port, lane, pause, heard in self.seen.frames:
            found[port, lane][2 * heard + pause] += time >= self.warm_up
        for key, changes in self.seen.paused.items():
            paused = sum(self.after(begin, end) for begin, end, is_so in self.stretches(changes) if is_so)
            found[key][4] = paused * PS
        return found
