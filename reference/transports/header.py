"""What packets carry for transports, beyond what every packet has."""

from dataclasses import dataclass, field


@dataclass
class Header:
    """The header of a packet for the transport."""

    entropy: int = 0
    asks: bool = False
    cause: int = 0  # an answer: the packet that caused it
    number: int = 0  # an answer: all below have arrived
    arrived: set[int] = field(default_factory=set)  # an answer: those that its 64 bits tell of
    again: bool = False  # it was sent before; an answer brings that back
    received: int = 0  # an answer: bytes that have arrived for the first time
    quanta: int = 0  # up to here its sender could use credit; a grant: up to here it has some
    to_request: bool = False  # an answer to a request
    last_hop: bool = False  # it was trimmed in front of its host; a NACK brings that back
