"""The time that a message costs before its first byte, and how many messages a flow has outstanding."""

from collections import deque
from dataclasses import dataclass


@dataclass(eq=False)
class Message:
    """A message: how many of its packets have not started, when the first may (never, unless it is posted), and when
    it was made."""

    left: int
    ready: float = float("inf")
    made: int = 0


class Posting:
    """The posting end of a flow: a message is posted when there is a place, and may start when its cost has passed."""

    def __init__(self, flow, setup):
        self.flow = flow
        self.cost, self.depth = setup.message_cost, setup.queue_depth
        if flow.source.endless and setup.transport is not None:
            self.depth = None  # an endless series of a transport is one message
        self.waiting = deque()
        self.outstanding = 0
        self.freed = deque()  # when places that are free again became so

    def made(self, message: Message, at: int | None = None) -> None:
        """One more message has been made: now, or at an earlier time, if its source was asked for it late."""
        message.made = self.flow.source.host.fabric.now if at is None else at
        self.waiting.append(message)
        self.post()

    def has_place(self) -> bool:
        """Another message could be posted, if places are counted."""
        return self.depth is not None and self.outstanding < self.depth

    def post(self) -> None:
        """Post all waiting messages that have a place; if places are not counted, an endless source has posted all.
        A message that was made before that has had its place since it was free.
        """
        host = self.flow.source.host
        while self.waiting and (self.depth is None or self.has_place()):
            message = self.waiting.popleft()
            free = 0
            if self.depth is not None and self.outstanding + len(self.freed) == self.depth:
                free = self.freed.popleft()
            self.outstanding += 1
            endless = self.depth is None and self.flow.source.endless
            begun = self.flow.source.since if endless else max(message.made, free)
            message.ready = begun + self.cost
            host.wake(message.ready, self.flow)

    def done(self, epoch: int) -> None:
        """A message is finished, unless it belongs to an earlier life of the flow."""
        if epoch == self.flow.epoch:
            self.outstanding -= 1
            self.freed.append(self.flow.source.host.fabric.now)
            self.post()
            self.flow.source.sent()

    def renew(self, messages: list[Message]) -> None:
        """A new life: messages that have not been sent are posted again."""
        self.outstanding = 0
        self.freed.clear()
        self.waiting = deque(messages)
        for message in messages:
            message.ready, message.made = float("inf"), self.flow.source.host.fabric.now
        self.post()


def packets_of(message: int, setup) -> list[int]:
    """The sizes on the wire of the packets of a message."""
    sizes = []
    while message > 0:
        payload = min(message, setup.mtu)
        sizes.append(payload + setup.header)
        message -= payload
    return sizes
