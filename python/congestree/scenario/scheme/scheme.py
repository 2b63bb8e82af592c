"""`scheme` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ..._base import Part, part
from .isolate import Bfc, Ccfit, Ecocc, Fbicm, Hfdi
from .mark import Fecn, InputOutputTriggered, InputTriggered, Naive, OutputTriggered, Red, Root, Tcd
from .notify import Cnp
from .react import Aimd, Cct, Dcqcn, Dctcp, Fimd, Hpcc, Lipd, Pcn, PowerTcp, Swift, Timely
from .route import Ecmp, Flowlet, Par, Spray, Ugal
from .schedule import Rcm
from .transport import Efl, GoBackN, Irn, NewReno, Uet


@part
class Scheme(Part):
    """The congestion management scheme."""

    _older: ClassVar[dict[str, str]] = {"rcm": "schedule.rcm"}

    preset: Literal["none", "naive", "input-triggered", "input-output-triggered", "output-triggered", "ib-cc", "dcqcn-paper", "dcqcn-paper-window", "dcqcn-vendor", "dcqcn-vendor-window", "dctcp", "timely", "hpcc", "hpcc-pint", "power-tcp", "theta-power-tcp", "swift", "tcd-dcqcn", "tcd-timely", "tcd-ib-cc", "pcn", "ith", "ib-ith", "fbicm", "ccfit", "hfdi", "ecocc", "qcz-dcqcn", "ici", "bfc", "efl", "efl-bw-probe", "efl-plain", "new-reno", "irn", "uec-nscc", "uec-rccc", "uec-both"] = "none"
    """A named combination of parts."""
    persistent: bool = False
    """Whether a source keeps its rate limit between ON periods."""
    isolate: Fbicm | Ccfit | Hfdi | Ecocc | Bfc | Literal["none", "fbicm", "ccfit", "hfdi", "ecocc", "bfc"] | None = None
    """Congestion isolation: which packets get queues of their own in switches and hosts. Absent: as the
    preset says."""
    mark: Naive | InputTriggered | InputOutputTriggered | OutputTriggered | Fecn | Red | Root | Tcd | Literal["none", "naive", "input-triggered", "input-output-triggered", "output-triggered", "fecn", "red", "root", "tcd", "np-ecn"] | None = None
    """Congestion marking (ECN, FECN): which packets switches mark. Absent: as the preset says."""
    notify: Cnp | Literal["ack", "cnp"] | None = None
    """How marks are returned to the sources: in ACKs or CNPs. Absent: as the preset says."""
    react: Lipd | Fimd | Aimd | Cct | Dcqcn | Dctcp | Timely | Hpcc | PowerTcp | Swift | Pcn | Literal["none", "lipd", "fimd", "aimd", "cct", "dcqcn", "dctcp", "timely", "hpcc", "power-tcp", "swift", "pcn"] | None = None
    """Rate or window control: how sources react to marks, delays or telemetry. Absent: as the preset
    says."""
    schedule: Rcm | Literal["none", "rcm"] | None = None
    """Scheduling at outputs: which packets may be sent now. Absent: any that wait. Can be combined with any
    preset that does not isolate flows, or with none."""
    route: Ecmp | Spray | Flowlet | Ugal | Par | Literal["none", "ecmp", "spray", "flowlet", "least-queue", "valiant", "ugal", "par"] | None = None
    """Load balancing: how switches choose among several paths to a host. Absent: routes are fixed."""
    transport: Efl | NewReno | GoBackN | Uet | Irn | Literal["none", "efl", "new-reno", "go-back-n", "uet", "irn"] | None = None
    """Transport protocol: how hosts retransmit lost packets, and how fast they send on lossy links. Absent:
    as the preset says."""
