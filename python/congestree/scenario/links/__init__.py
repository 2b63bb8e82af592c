"""`links` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from .destination_lanes import BySwitch, Given, Modulo
from .errors import Errors
from .faults import Failure, Faults, SubnetManager
from .flow_control import (
    ByteCredits,
    CreditMessages,
    Dynamic,
    PacketSlots,
    PauseStorm,
    PauseWatchdog,
    Pfc,
    Quanta,
    Static,
)
from .hop_lanes import ByLane, ByService, HopLane
from .lane_arbiter import Drr, Share, Strict, Weight, Weighted
from .links import Links
from .retry import Retry

__all__ = [
    "ByLane",
    "ByService",
    "BySwitch",
    "ByteCredits",
    "CreditMessages",
    "Drr",
    "Dynamic",
    "Errors",
    "Failure",
    "Faults",
    "Given",
    "HopLane",
    "Links",
    "Modulo",
    "PacketSlots",
    "PauseStorm",
    "PauseWatchdog",
    "Pfc",
    "Quanta",
    "Retry",
    "Share",
    "Static",
    "Strict",
    "SubnetManager",
    "Weight",
    "Weighted",
]
