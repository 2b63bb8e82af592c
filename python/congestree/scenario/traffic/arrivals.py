"""`traffic.arrivals` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ..._base import Part, part


@part
class Poisson(Part):
    """Poisson arrivals: gaps are exponentially distributed."""

    _choice: ClassVar[str | None] = "poisson"

    load: float
    """Offered load in wire bytes, as a share of the rate of the host's link."""


@part
class Steady(Part):
    """A constant rate: a source never has sent more than this rate allows since its start. Messages are
    made when the host can send them; if each has its own destination, none waits behind one that is
    throttled.
    """

    _choice: ClassVar[str | None] = "steady"

    load: float | None = None
    """Offered load in wire bytes, as a share of the rate of the host's link. Give either this or `rate`."""
    rate: str | None = None
    """Offered payload rate. Give either this or `load`."""


@part
class OnOff(Part):
    """Greedy while ON, silent while OFF."""

    _choice: ClassVar[str | None] = "on-off"

    on: str
    """Mean length of the ON periods."""
    off: str
    """Mean length of the OFF periods."""


@part
class Gaps(Part):
    """One message after the other."""

    _choice: ClassVar[str | None] = "gaps"

    mean: str
    """Mean gap."""
    after: Literal["made", "done"] = "made"
    """Where a gap begins."""


@part
class Messages(Part):
    """A number of messages at fixed intervals."""

    _choice: ClassVar[str | None] = "messages"

    count: int = 1
    """Number of messages."""
    every: str | None = None
    """Time between two messages, or two bursts. Absent: all at once."""
    burst: int = 1
    """Messages of a burst, which are generated at the same time."""


@part
class Incast(Part):
    """Incasts with senders drawn at random. `to` is the receiver; with `pattern = "uniform"` it is any
    host, drawn each time.
    """

    _choice: ClassVar[str | None] = "incast"

    senders: int
    """Number of senders in each incast, out of the hosts of `from`."""
    count: int | None = None
    """Number of incasts. Default: one; with `load` as many as start within the run."""
    every: str | None = None
    """Time between two incasts."""
    load: float | None = None
    """Poisson arrivals, in place of `every`: the gaps, including the one before the first incast, are
    exponentially distributed. The load is the wire bytes of all senders together, as a share of the rates
    of all links of the hosts of `from`."""
