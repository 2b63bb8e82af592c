"""`links` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..._base import Part
from .destination_lanes import BySwitch, Given, Modulo
from .errors import Errors
from .faults import Faults
from .flow_control import ByteCredits, PacketSlots, Pfc
from .hop_lanes import ByLane, ByService
from .lane_arbiter import Drr, Strict, Weighted
from .retry import Retry


@dataclass(frozen=True, kw_only=True)
class Links(Part):
    """The links between nodes."""

    rate: str
    """Rate of each direction."""
    delay: str = "0 ns"
    """Propagation delay of each direction."""
    lanes: int = 1
    """Virtual lanes: classes of traffic with a buffer of their own on every link."""
    service_lanes: tuple[int, ...] | None = None
    """The lane of each service level, from level 0 on (SL-to-VL); levels beyond the end travel in lane
    0."""
    destination_lanes: BySwitch | Modulo | Given | Literal["by-switch", "modulo"] | None = None
    """The lane of each destination, for entries of traffic without a `lane` of their own. Absent: service
    levels decide."""
    hop_lanes: ByLane | ByService | Literal["by-route", "by-hop"] | None = None
    """In which lane packets leave a switch, hop by hop. Absent: in the one in which they came in."""
    lane_arbiter: Weighted | Strict | Drr | Literal["round-robin", "weighted", "strict"] = "round-robin"
    """How the lanes of a link share it."""
    flow_control: ByteCredits | PacketSlots | Pfc | Literal["byte-credits", "packet-slots", "pfc", "none"] | None = None
    """How the receiver of a link promises room to the sender."""
    errors: Errors | None = None
    """How often links damage packets. Absent: never."""
    retry: Retry | None = None
    """What was damaged on a link is sent again on it. Absent: it is lost."""
    faults: Faults | None = None
    """Links that fail while the run goes on. Absent: none does."""
