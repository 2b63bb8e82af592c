"""`scheme` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from ..._base import Part
from .isolate import Bfc, Ccfit, Ecocc, Fbicm, Hfdi
from .mark import Fecn, InputOutputTriggered, InputTriggered, Naive, OutputTriggered, Red, Root, Tcd
from .notify import Cnp
from .react import Aimd, Cct, Dcqcn, Dctcp, Fimd, Hpcc, Lipd, Pcn, PowerTcp, Swift, Timely
from .route import Ecmp, Flowlet, Par, Spray, Ugal
from .schedule import Rcm
from .transport import Efl, GoBackN, Irn, NewReno, Uet


@dataclass(frozen=True, kw_only=True)
class Scheme(Part):
    """Which parts manage congestion."""

    _older: ClassVar[dict[str, str]] = {"rcm": "schedule.rcm"}

    preset: Literal["none", "naive", "input-triggered", "input-output-triggered", "output-triggered", "ib-cc", "dcqcn-paper", "dcqcn-paper-window", "dcqcn-vendor", "dcqcn-vendor-window", "dctcp", "timely", "hpcc", "hpcc-pint", "power-tcp", "theta-power-tcp", "swift", "tcd-dcqcn", "tcd-timely", "tcd-ib-cc", "pcn", "ith", "ib-ith", "fbicm", "ccfit", "hfdi", "ecocc", "qcz-dcqcn", "ici", "bfc", "efl", "efl-bw-probe", "efl-plain", "new-reno", "irn", "uec-nscc", "uec-rccc", "uec-both"] = "none"
    """A named combination of parts."""
    persistent: bool = False
    """Whether the rate limit of a source outlives its ON periods."""
    isolate: Fbicm | Ccfit | Hfdi | Ecocc | Bfc | Literal["none", "fbicm", "ccfit", "hfdi", "ecocc", "bfc"] | None = None
    """What switches and hosts set aside from other traffic. Absent: as the preset says."""
    mark: Naive | InputTriggered | InputOutputTriggered | OutputTriggered | Fecn | Red | Root | Tcd | Literal["none", "naive", "input-triggered", "input-output-triggered", "output-triggered", "fecn", "red", "root", "tcd", "np-ecn"] | None = None
    """How switches mark packets. Absent: as the preset says."""
    notify: Cnp | Literal["ack", "cnp"] | None = None
    """How marks come back to sources. Absent: as the preset says."""
    react: Lipd | Fimd | Aimd | Cct | Dcqcn | Dctcp | Timely | Hpcc | PowerTcp | Swift | Pcn | Literal["none", "lipd", "fimd", "aimd", "cct", "dcqcn", "dctcp", "timely", "hpcc", "power-tcp", "swift", "pcn"] | None = None
    """What sources do when they hear of marks. Absent: as the preset says."""
    schedule: Rcm | Literal["none", "rcm"] | None = None
    """Who may use an output now. Absent: whatever waits. It goes with any preset, or none."""
    route: Ecmp | Spray | Flowlet | Ugal | Par | Literal["none", "ecmp", "spray", "flowlet", "least-queue", "valiant", "ugal", "par"] | None = None
    """How switches choose among several shortest ways to a host. Absent: they do not, routes are fixed."""
    transport: Efl | NewReno | GoBackN | Uet | Irn | Literal["none", "efl", "new-reno", "go-back-n", "uet", "irn"] | None = None
    """How hosts repair losses, and how fast they send where links lose packets. Absent: as the preset
    says."""
