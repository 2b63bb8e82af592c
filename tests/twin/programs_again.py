"""The times of applications, computed from the deliveries of single packets and from their programs.

Plain and slow: the times on the network are known (`deliveries`), and the rest follows from the program. The order of
messages that are sent at once on the same path is not determined: it is taken from the table `messages`.
"""

import heapq
from collections import Counter, defaultdict, deque
from math import inf

from reference.quantities import given, rate, span, time_for


class Job:
    """One job: its ranks go through their operations again. Times in ps; None: not by the end of the run."""

    def __init__(self, scenario: dict, entry: dict, program: list[list[dict]], tables: dict):
        self.job, self.program = entry["job"], program
        self.hosts = [row["host"] for row in tables["ranks"] if row["job"] == entry["name"]]
        self.link, self.mtu = rate(scenario["links"]["rate"]), int(scenario["adapters"]["mtu"].split()[0])
        self.start = span(entry["start"])
        self.factors = {rank: one["factor"] for one in given(self.job, "stragglers", []) for rank in one["ranks"]}
        self.packets = self.packets_of(entry["name"], tables)
        self.told = defaultdict(list)  # by tag: when its messages were delivered
        for row in sorted(tables["messages"], key=lambda row: (row["sent"], row["delivered"])):
            if row["job"] == entry["name"]:
                self.told[row["tag"]].append(row["delivered"])
        self.sent = Counter()  # by tag
        self.messages = []  # (from, to, tag, bytes, sent, delivered)
        self.finished: dict[int, int] = {}
        self.computed = defaultdict(list)  # by rank: (from, to)
        self.free = defaultdict(int)  # when a processor, or the memory of a rank, is free
        self.open = defaultdict(dict)  # by rank: what each operation of this round waits for, until it starts
        self.left = {}  # by rank: operations of this round that have not finished
        self.rounds = defaultdict(int)
        self.arrived, self.posted = defaultdict(list), defaultdict(list)  # by tag
        self.agenda, self.number, self.ready = [], 0, deque()
        for rank in range(len(program)):
            self.at(self.start, self.begin, rank)
        end = span(scenario["measure"]["duration"])
        while self.agenda and self.agenda[0][0] <= end:
            self.now, _, _, act, arguments = heapq.heappop(self.agenda)
            act(*arguments)
            while self.ready:
                self.go(*self.ready.popleft())

    @staticmethod
    def packets_of(name: str, tables: dict) -> dict:
        """By the hosts of a flow: (injected, delivered, bytes) of its packets in order."""
        ends = {row["flow"]: (row["source"], row["destination"]) for row in tables["flows"] if row["class"] == name}
        found = defaultdict(list)
        for row in sorted(tables["deliveries"], key=lambda row: row["sequence"]):
            if row["flow"] in ends:
                found[ends[row["flow"]]].append((row["injected_ps"], row["time_ps"], row["bytes"]))
        return found

    def at(self, time: int | None, act, *arguments, late: float = -1) -> None:
        """It happens then, unless that is never; late in the instant, in this order, or before."""
        if time is not None:
            self.number += 1
            heapq.heappush(self.agenda, (time, late, self.number, act, arguments))

    def begin(self, rank: int) -> None:
        """A round begins."""
        for number, one in enumerate(self.program[rank]):
            waits = {("finished", other) for other in one["requires"]} | {("started", o) for o in one["irequires"]}
            self.open[rank][number] = waits
        self.left[rank] = len(self.program[rank])
        self.go_on(rank)

    def go_on(self, rank: int, event: tuple | None = None) -> None:
        """Operations that wait for nothing more may start, in the order in which they become ready."""
        for waits in self.open[rank].values():
            waits.discard(event)
        for number in [number for number, waits in self.open[rank].items() if not waits]:
            del self.open[rank][number]
            self.ready.append((rank, number))
        if not self.program[rank]:
            self.finished[rank] = self.now

    def go(self, rank: int, number: int) -> None:
        """An operation starts; a computation when it has its processor."""
        one = self.program[rank][number]
        if one["kind"] == "calc":
            length = int(one["time"] * 1000 * self.factors.get(rank, 1.0) + 0.5)
            begin = max(self.now, self.free[rank, one["cpu"]])
            end = self.free[rank, one["cpu"]] = begin + length
            self.computed[rank].append((begin, end))
            for time, act, what in ((begin, self.go_on, ("started", number)), (end, self.finish, number)):
                if time == self.now:
                    act(rank, what)
                else:
                    self.at(time, act, rank, what)
            return
        self.go_on(rank, ("started", number))
        if one["kind"] == "send":
            told = self.told[one["tag"]][self.sent[one["tag"]] :]
            self.sent[one["tag"]] += 1
            self.at(self.now, self.send, rank, number, one, late=told[0] if told else inf)
        else:
            self.posted[one["tag"]].append((self.now, rank, number))
            self.meet(one["tag"])

    def send(self, rank: int, number: int, one: dict) -> None:
        """A message is sent: by the memory of a host, or as the next packets between two."""
        ends = self.hosts[rank], self.hosts[one["peer"]]
        if ends[0] == ends[1]:
            copy = time_for(one["bytes"], rate(self.job["memory_rate"])) if self.job.get("memory_rate") else 0
            left = self.free[rank, "memory"] = max(self.now, self.free[rank, "memory"]) + copy
            left = delivered = left + span(given(self.job, "memory_delay", "0 ns"))
        else:
            count = max(1, -(-one["bytes"] // self.mtu))
            packets, self.packets[ends] = self.packets[ends][:count], self.packets[ends][count:]
            injected, delivered, size = packets[-1] if len(packets) == count else (None, None, None)
            left = None if injected is None else injected + time_for(size, self.link)
        self.messages.append((rank, one["peer"], one["tag"], one["bytes"], self.now, delivered))
        self.arrived[one["tag"]].append(delivered)
        self.at(left if self.job["send_end"] == "left" else delivered, self.finish, rank, number)
        self.meet(one["tag"])

    def meet(self, tag: int) -> None:
        """The next message of a tag, and the next who receives one."""
        while self.arrived[tag] and self.posted[tag]:
            delivered, (posted, rank, number) = self.arrived[tag].pop(0), self.posted[tag].pop(0)
            self.at(None if delivered is None else max(self.now, posted, delivered), self.finish, rank, number)

    def finish(self, rank: int, number: int) -> None:
        """An operation has finished, and with the last of a round the next begins."""
        self.left[rank] -= 1
        if self.left[rank] > 0:
            return self.go_on(rank, ("finished", number))
        self.rounds[rank] += 1
        if self.rounds[rank] < self.job["repeat"]:
            self.begin(rank)
        else:
            self.finished[rank] = self.now

    # ---- the values of the tables ----------------------------------------------------------------------------------

    def covered(self, rank: int) -> int:
        """Time in which any processor of a rank computes."""
        total, until = 0, 0
        for begin, end in sorted(self.computed[rank]):
            total += max(0, end - max(begin, until))
            until = max(until, end)
        return total

    def ranks(self) -> dict:
        """Finished, completion, computing, exposed, messages, bytes by rank."""
        rows = {}
        for rank in range(len(self.program)):
            end = self.finished.get(rank)
            sizes = [size for sender, _, _, size, *_ in self.messages if sender == rank]
            computing = sum(end - begin for begin, end in self.computed[rank])
            took = None if end is None else end - self.start
            exposed = None if end is None else took - self.covered(rank)
            rows[rank] = end, took, computing, exposed, len(sizes), sum(sizes)
        return rows

    def whole(self) -> tuple:
        """Ranks, repeat, messages, bytes, started, finished, completion, slowest."""
        all_done = len(self.finished) == len(self.program)
        end = max(self.finished.values()) if all_done else None
        slowest = min((rank for rank, at in self.finished.items() if at == end), default=None)
        sizes = [message[3] for message in self.messages]
        took = None if end is None else end - self.start
        return len(self.program), self.job["repeat"], len(sizes), sum(sizes), self.start, end, took, slowest
