"""`links` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..._base import Part, part
from .destination_lanes import BySwitch, Given, Modulo
from .errors import Errors
from .faults import Faults
from .flow_control import ByteCredits, PacketSlots, Pfc
from .hop_lanes import ByLane, ByService
from .lane_arbiter import Drr, Strict, Weighted
from .retry import Retry


@part
class Links(Part):
    """The links between nodes."""

    rate: str
    """Rate of each direction."""
    delay: str = "0 ns"
    """Propagation delay of each direction."""
    lanes: int = 1
    """Number of virtual lanes (VLs). Each has its own buffer at the receiving end of every link."""
    service_lanes: Sequence[int] | None = None
    """The virtual lane of each service level, from level 0 on (SL-to-VL mapping). Service levels beyond the
    end of the list use lane 0."""
    destination_lanes: BySwitch | Modulo | Given | Literal["by-switch", "modulo"] | None = None
    """The virtual lane of each destination, for traffic entries that have no `lane`. Absent: the service
    level decides."""
    hop_lanes: ByLane | ByService | Literal["by-route", "by-hop"] | None = None
    """The lane in which a packet leaves a switch, hop by hop. Absent: the lane in which it arrived."""
    lane_arbiter: Weighted | Strict | Drr | Literal["round-robin", "weighted", "strict"] = "round-robin"
    """How the lanes share the bandwidth of a link."""
    flow_control: ByteCredits | PacketSlots | Pfc | Literal["byte-credits", "packet-slots", "pfc", "none"] | None = None
    """Link-level flow control: how the receiver of a link keeps the sender from overrunning its buffer."""
    errors: Errors | None = None
    """How often links damage packets. Absent: never."""
    retry: Retry | None = None
    """Link-level retry: the sender of a link repeats packets that were damaged on it. Absent: damaged
    packets are lost."""
    faults: Faults | None = None
    """Links that fail during the run. Absent: no link fails."""
