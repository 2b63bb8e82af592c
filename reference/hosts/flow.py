"""A flow: what it has to send, when it may, and what it has been told of congestion."""

from collections import deque

from reference.hosts.posting import Posting
from reference.parts import REACTIONS
from reference.reactions.dcqcn import Dcqcn, Notifier
from reference.reactions.shared import Reaction


class Flow:
    """An ordered series of packets from one host; its sequence numbers count from 0."""

    def __init__(self, number: int, name: str, source, destination: int | None, entry, setup):
        self.number = number  # under which it is reported
        self.unique = number  # by which switches tell it apart from all others, as by a UDP source port
        self.name = name
        self.source = source  # the source whose messages it sends
        self.destination = destination  # None: every message has one of its own (then there is neither window nor ACK)
        self.lane = setup.lane_towards(destination, entry)
        self.service = entry.service
        self.window = entry.window
        self.rate_limit = entry.rate_limit
        self.reacts = setup.react.kind != "none" and destination is not None
        self.notified = self.reacts and setup.cnp is not None  # marks are reported by separate packets
        self.start_x = setup.react.start
        self.throttle = source.host.throttle_of(entry.service) if self.reacts and setup.cct else None
        self.reaction = self.new_reaction() if self.reacts and setup.rule else None
        self.dcqcn = self.new_dcqcn() if self.reacts and setup.dcqcn else None
        answers = self.window is not None or (self.reacts and not self.notified)
        self.acknowledged = destination is not None and answers
        self.notifier = Notifier(setup.cnp.interval) if setup.cnp else None
        self.sender, self.receiver = None, None
        if setup.transport is not None:
            self.sender, self.receiver = setup.transport.ends(self)
        self.queue = deque()  # packets created and not yet started: (destination, size on the wire, message)
        self.posting = Posting(self, setup)
        self.unanswered = []  # data packets that wait at the receiver for their common ACK
        self.sequence = 0
        self.outstanding = 0
        self.epoch = 0
        self.x = self.start_x  # R_max / r
        self.next_at = 0
        self.paced_at = 0  # the earliest start, by its reaction alone
        self.last_start = self.last_time = self.last_rate = 0
        self.last_size = 0
        self.delivered = self.delivered_bytes = self.marked = 0
        self.packets: int | None = None  # its only message, if it exists for one message only
        self.made: int | None = None  # when that message was made
        self.line = None  # the messages of an application that it carries

    def has_message(self) -> bool:
        """Whether a message has not been sent completely; or not acknowledged, if its transport waits for that."""
        return bool(self.queue) or (self.sender is not None and not self.sender.is_sent())

    def renew(self) -> None:
        """A new life: a fresh window and a fresh rate; ACKs and notifications of the former one are ignored.

        A throttle that the flow shares with others is theirs too, and stays as it is.
        """
        now = self.source.fabric.now
        self.epoch += 1
        self.outstanding = 0
        self.x = self.start_x
        self.next_at = self.paced_at = now
        self.posting.renew(list(dict.fromkeys(message for _, _, message in self.queue)))
        if self.throttle is not None and not self.shares_its_throttle():
            self.throttle.renew()
        if self.reaction is not None:
            self.reaction = self.new_reaction()
        if self.dcqcn is not None:
            self.dcqcn = self.new_dcqcn()

    def new_reaction(self) -> Reaction:
        """The reaction in its initial state; its window, if it has one, is that of the flow."""
        reaction = REACTIONS[self.source.host.setup.react.kind][1](self.source.host.setup.rule, self)
        self.window = reaction.window() or self.window
        return reaction

    def new_dcqcn(self) -> Dcqcn:
        """The same with a rate that DCQCN cuts and raises."""
        dcqcn = Dcqcn(self.source.host.setup.dcqcn, self)
        self.window = dcqcn.window() or self.window
        return dcqcn

    def shares_its_throttle(self) -> bool:
        """Whether its throttle is that of a service level."""
        return self.throttle is not None and self.throttle.rule.per == "sl"
