"""The queues of an input, the room of each, and how inputs and outputs of a whole switch are matched.

- `voq`: a queue for each output; `single`: one; `voqnet`: one for each destination; `dbbm`: destination modulo n;
  `obqa`: number of the output modulo n. Each lane has its own.
- Memory: *shared*, *reserved* in equal parts, or *damq*: a reserve and a limit for each queue, the rest shared. A
  packet takes from the reserve of its queue first, then from what is shared.
- iSLIP (McKeown: The iSLIP scheduling algorithm for input-queued switches, IEEE/ACM Trans. Networking 7 (2), 1999).
"""

from collections import deque
from dataclasses import dataclass


class Queue(deque):
    """Packets that wait in one lane of an input, oldest first; only the head can be read, by one output at a time."""

    being_read = False
    stopped = False  # it does not request an output
    caller = None  # the list of those that wait for the output of its head, if it is in one


@dataclass
class Organisation:
    """How switches are organised."""

    kind: str = "voq"
    count: int = 0  # queues, for dbbm and obqa
    memory: str = "shared"
    reserve: int = 0  # units, for damq
    limit: float = float("inf")
    buffer_units: int = 0  # of one queue, for voqnet

    def queue_of(self, destination: int, output: int) -> int | None:
        """The name of the queue that a packet joins, among those of its lane."""
        match self.kind:
            case "voq":
                return output
            case "voqnet":
                return destination
            case "dbbm":
                return destination % self.count
            case "obqa":
                return output % self.count
        return None

    def has_room_by_queue(self) -> bool:
        """Each queue has room that is its own."""
        return self.kind == "voqnet" or self.memory != "shared"

    def rooms(self, units: int, ports: int) -> tuple[int, int, float]:
        """The room of a lane: what its queues share, what each has reserved, and how much it may have at most.

        No packet leaves a switch through the port at which it arrived, so there is one virtual output queue less than
        there are ports.
        """
        if self.kind == "voqnet":
            return 0, self.buffer_units, self.buffer_units
        count = {"voq": max(ports - 1, 1), "single": 1}.get(self.kind, self.count)
        if self.memory == "reserved":
            return 0, units // count, units // count
        if self.memory == "damq":
            return units - count * self.reserve, self.reserve, self.limit
        return units, 0, float("inf")


class Room:
    """The sender's account of the room behind a link, in one lane."""

    def __init__(self, shared: float, reserve: int = 0, limit: float = float("inf")):
        self.shared, self.reserve, self.limit = shared, reserve, limit
        self.used: dict = {}  # units by queue
        self.initial = shared

    def is_endless(self) -> bool:
        """Whether there is always room here."""
        return self.initial == float("inf")

    def beyond(self, used: int) -> int:
        """Units that a queue takes of the shared room, if it uses this many."""
        return max(0, used - self.reserve)

    def fits(self, queue, units: int) -> bool:
        """Whether the queue may take this many units more."""
        used = self.used.get(queue, 0)
        more = self.beyond(used + units) - self.beyond(used)
        return units == 0 or (used + units <= self.limit and more <= self.shared)

    def change(self, queue, units: int) -> None:
        """The queue takes units, or gives some back if negative."""
        used = self.used.get(queue, 0)
        self.shared -= self.beyond(used + units) - self.beyond(used)
        self.used[queue] = used + units
        assert used + units >= 0 and 0 <= self.shared <= self.initial, "a credit too many or missing"


class Islip:
    """Matches the inputs and outputs of one switch."""

    def __init__(self, ports: int):
        self.ports = ports
        self.grant = [0] * ports  # by output: where its order of inputs begins
        self.accept = [0] * ports  # by input: where its order of outputs begins

    def match(self, requests: set[tuple[int, int]], reads: list[float], rounds: float) -> list[tuple[int, int]]:
        """Pairs (input, output) out of the requests; an input is in as many as can be read from it.

        Pointers move one beyond what was matched, if that was in the first round.
        """
        ports, requests, reads, matched, done = self.ports, set(requests), list(reads), [], 0
        while done < rounds:
            grants: dict[int, set[int]] = {}
            for output in range(ports):
                circle = [(self.grant[output] + k) % ports for k in range(ports)]
                granted = next((input_ for input_ in circle if (input_, output) in requests), None)
                if granted is not None:
                    grants.setdefault(granted, set()).add(output)
            if not grants:
                break
            for input_, outputs in sorted(grants.items()):
                for output in [(self.accept[input_] + k) % ports for k in range(ports)]:
                    if output in outputs and reads[input_] > 0:
                        reads[input_] -= 1
                        matched.append((input_, output))
                        if done == 0:
                            self.grant[output] = (input_ + 1) % ports
                            last = output
                if done == 0:
                    self.accept[input_] = (last + 1) % ports
            taken = {output for _, output in matched}
            requests = {(i, o) for i, o in requests if reads[i] > 0 and o not in taken}
            done += 1
        return matched
