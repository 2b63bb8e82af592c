"""Every scheme of congestree, over each kind of link on which it is useful.

A case is a scheme over links: `pfc-hpcc`. Links are those of lossless networks, `credits` (InfiniBand) and `pfc`
(pauses, lossless Ethernet), and lossy ones: `drop` (a packet that finds no room is lost) and `trim` (its header is
forwarded). Where links drop, IRN retransmits for schemes without a transport of their own. A scheme that controls which
packets flow control holds, or depends on it, has no case there: the engine refuses such a scenario, with the reason.

Nothing here was tuned. Settings that presets leave to the network, and those that they have for other rates, follow one
rule, which is given where it is applied. The page of all schemes lists what is changed in presets (`presets.py`).
"""

BUFFER = 128
"""KiB of memory of an input, or of a queue of an output where links are lossy: the same for all cases."""
CONTROL = 32
"""KiB of a lane for notifications or control packets."""
PRODUCT = 68_000
"""Bandwidth-delay product of the longest path, bytes: 100 Gbit/s times 5.4 us."""
TRIP = "5.4 us"
"""There and back: eight times 500 ns, six times 200 ns in switches, and the packets themselves."""
RECORDS, CODE = 42, 1
"""Bytes of telemetry in every packet: five records of 8 B and two more; a code."""


def marks(low, high, share):
    """RED, in bytes; a threshold must lie below what makes an input pause."""
    return {"mark": {"red": {"min": f"{low} B", "max": f"{high} B", "probability": share}}}


ECN = marks(12_500, 64_000, 0.01)
"""DCQCN: Kmin and Pmax of its paper, in proportion to 100 Gbit/s; Kmax half of an input, to mark before it pauses."""
STEP = marks(64_000, 64_000, 1.0)
"""DCTCP: one step at the same place."""
TERNARY = {"mark": {"tcd": {"threshold": "64 kB"}}}
"""TCD: the same threshold."""
THROTTLE = {"notify": {"cnp": {"lane": 1}}, "react": {"cct": {"timer": "153.6 us"}}}
"""InfiniBand: notifications in a lane of their own, the throttle of Gran's Paper III with every kind of marking."""
ASIDE = {"detect_above": True, "stop_at": "next-packet"}
"""How FBICM and CCFIT are read on the page of their paper."""
ROOT = {"mark": {"root": {"marking_rate": 1}}}
"""Every other packet is marked, as with IB CC, where the presets of CCFIT and EcoCC have a share of 0.15."""
SINGLE = {"queues": "single", "read_ports": "one", "arbiter": {"islip": {"iterations": 3, "matching": "slotted"}}}
"""Switches with one queue at each input, as in the paper of FBICM and CCFIT."""
PINT = {"preset": "hpcc-pint", "react": {"hpcc": {"round_trip": TRIP, "pint": {}}}}
IRN = {"transport": {"irn": {"round_trip": TRIP}}}
TENFOLD = {"start_rate": "2 Gbit/s", "floor": "400 Mbit/s"}
"""EFL: the rates of its paper, whose links carry 10 Gbit/s, in proportion."""


def uec(control):
    """Ultra Ethernet: packets over all paths, marks from 0.2 to 0.8 of the bandwidth-delay product, but not at the
    queue to a host that grants credit."""
    red = {"min": f"{PRODUCT // 5} B", "max": f"{PRODUCT * 4 // 5} B", "probability": 1.0}
    return {
        "preset": f"uec-{control}",
        "route": "ecmp",
        "mark": {"red": {**red, "spare_last_hop": control != "nscc"}},
        "transport": {"uet": {"congestion_control": control, "control_lane": 1, "round_trip": TRIP}},
    }


def case(label, family, scheme=None, **more):
    """A scheme, whatever its links. `lanes`, `switches` and `telemetry` where they are not 1, {} and 0."""
    return {"label": label, "family": family, "scheme": scheme or {}, **more}


SCHEMES = {
    "none-fifo": case("none, one queue", "none", switches=SINGLE),
    "none": case("none", "none"),
    "voqnet": case("VOQnet", "isolation", switches={"queues": {"voqnet": {"buffer": "32 KiB"}}}),
    "ib-cc": case("IB CC", "throttling", {"preset": "ib-cc", **THROTTLE}, lanes=2),
    "tcd-ib-cc": case("TCD + IB CC", "throttling", {"preset": "tcd-ib-cc", **THROTTLE, **TERNARY}, lanes=2),
    "fbicm": case("FBICM", "isolation", {"preset": "fbicm", "isolate": {"fbicm": ASIDE}}, switches=SINGLE),
    "ccfit": case(
        "CCFIT", "both", {"preset": "ccfit", "isolate": {"ccfit": ASIDE}, **ROOT, **THROTTLE}, lanes=2, switches=SINGLE
    ),
    "hfdi": case("HFDI", "isolation", {"preset": "hfdi"}),
    "ecocc": case("EcoCC", "both", {"preset": "ecocc", **ROOT, **THROTTLE}, lanes=2),
    "qcz": case("802.1Qcz + DCQCN", "both", {"preset": "qcz-dcqcn", **ECN}),
    "ici": case("ICI", "both", {"preset": "ici"}),
    "bfc": case("BFC", "isolation", {"preset": "bfc"}),
    "rcm": case("RCM", "regional", {"schedule": "rcm"}),
    "rcm-dcqcn": case("RCM + DCQCN", "regional", {"preset": "dcqcn-paper", "schedule": "rcm", **ECN}),
    "dcqcn": case("DCQCN", "throttling", {"preset": "dcqcn-paper", **ECN}),
    "dcqcn-vendor": case("DCQCN, vendor", "throttling", {"preset": "dcqcn-vendor", **ECN}),
    "tcd-dcqcn": case("TCD + DCQCN", "throttling", {"preset": "tcd-dcqcn", **TERNARY}),
    "pcn": case("PCN", "throttling", {"preset": "pcn"}),
    "dctcp": case("DCTCP", "throttling", {"preset": "dctcp", **STEP}),
    "timely": case("TIMELY", "throttling", {"preset": "timely"}),
    "tcd-timely": case("TCD + TIMELY", "throttling", {"preset": "tcd-timely", **TERNARY}),
    "swift": case("Swift", "throttling", {"preset": "swift"}),
    "hpcc": case("HPCC", "telemetry", {"preset": "hpcc"}, telemetry=RECORDS),
    "hpcc-pint": case("HPCC-PINT", "telemetry", PINT, telemetry=CODE),
    "power": case("PowerTCP", "telemetry", {"preset": "power-tcp"}, telemetry=RECORDS),
    "theta": case("θ-PowerTCP", "telemetry", {"preset": "theta-power-tcp"}),
    "nscc": case("UEC NSCC", "ultra ethernet", uec("nscc"), lanes=2),
    "rccc": case("UEC RCCC", "ultra ethernet", uec("rccc"), lanes=2),
    "both": case("UEC both", "ultra ethernet", uec("both"), lanes=2),
    "irn": case("IRN", "transport", {"preset": "irn", **IRN}),
    "go-back": case("go-back-N", "transport", {"transport": {"go-back-n": {}}}),
    "go-back-dcqcn": case(
        "go-back-N + DCQCN", "throttling", {"preset": "dcqcn-paper", **ECN, "transport": {"go-back-n": {}}}
    ),
    "irn-dcqcn": case("IRN + DCQCN", "throttling", {"preset": "dcqcn-paper", **ECN, **IRN}),
    "irn-dctcp": case("IRN + DCTCP", "throttling", {"preset": "dctcp", **STEP, **IRN}),
    "irn-timely": case("IRN + TIMELY", "throttling", {"preset": "timely", **IRN}),
    "irn-swift": case("IRN + Swift", "throttling", {"preset": "swift", **IRN}),
    "irn-hpcc": case("IRN + HPCC", "telemetry", {"preset": "hpcc", **IRN}, telemetry=RECORDS),
    "irn-hpcc-pint": case("IRN + HPCC-PINT", "telemetry", {**PINT, **IRN}, telemetry=CODE),
    "irn-power": case("IRN + PowerTCP", "telemetry", {"preset": "power-tcp", **IRN}, telemetry=RECORDS),
    "irn-theta": case("IRN + θ-PowerTCP", "telemetry", {"preset": "theta-power-tcp", **IRN}),
    "reno": case("NewReno", "transport", {"preset": "new-reno", "transport": {"new-reno": {"least_timeout": "1 ms"}}}),
    "efl": case("EFL", "transport", {"preset": "efl", "transport": {"efl": TENFOLD}}),
}
"""All schemes, by name."""

OVER = {
    "credits": "none-fifo none voqnet ib-cc tcd-ib-cc fbicm ccfit hfdi ecocc bfc nscc rccc both",
    "pfc": "none rcm rcm-dcqcn dcqcn dcqcn-vendor tcd-dcqcn pcn dctcp timely tcd-timely swift hpcc hpcc-pint power "
    "theta fbicm ccfit hfdi ecocc qcz ici bfc irn nscc rccc both",
    "drop": "go-back go-back-dcqcn irn irn-dcqcn irn-dctcp irn-timely irn-swift irn-hpcc irn-hpcc-pint irn-power "
    "irn-theta reno efl nscc rccc both",
    "trim": "nscc rccc both",
}
"""Which schemes go over which links."""

CASES = {f"{links}-{name}": (links, SCHEMES[name]) for links, names in OVER.items() for name in names.split()}
"""All cases by name: links, and the scheme over them."""
