"""`scheme.notify` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from typing import ClassVar

from ..._base import Part, part


@part
class Cnp(Part):
    """Parameters of congestion notification packets (Gran, Paper I, section 3.2.2). A host sends them
    before its data. They are never marked, and in switches they wait like any other packet of their
    lane: to let them pass, give them a lane of their own and that lane a high priority.
    """

    _choice: ClassVar[str | None] = "cnp"

    size: str = "64 B"
    """Size of a CNP on the wire. Default 64 B."""
    lane: int | None = None
    """Virtual lane of the CNPs. Absent: that of the data."""
    interval: str = "0 ns"
    """Least time between two CNPs of a flow (min_time_between_cnps); marks in between cause no CNP. Default
    0 s: one CNP for every marked packet."""
    delay: str = "0 ns"
    """Time from the last bit of a CNP at its source until the source acts on it: processing in the adapter
    or in software. Default 0 s."""
