"""Schemes by name: the parts of published schemes, as a scenario would write them out.

A part that a scenario names itself replaces the preset's, with all its parameters.
"""

from reference.quantities import given

NOTHING = {"isolate": "none", "mark": "none", "notify": "ack", "react": "none", "schedule": "none", "transport": "none"}
"""Flow control alone."""

RED = {"red": {"min": "5 kB", "max": "200 kB", "probability": 0.01, "for_rate": "40 Gbit/s"}}
"""Zhu et al. (SIGCOMM 2015), table 14."""

VENDOR_RED = {"red": {"for_rate": "25 Gbit/s"}}
STEP = {"red": {"min": "97500 B", "max": "97500 B", "probability": 1.0, "for_rate": "10 Gbit/s"}}
"""65 packets of 1500 B at 10 Gbit/s."""

PAPER = {"for_rate": "25 Gbit/s"}
VENDOR = PAPER | {
    "alpha_period": "1 us",
    "alpha_grows": "periodically",
    "cut_period": "4 us",
    "clamp_target": "after-increase",
    "increase_timer": "300 us",
    "byte_counter": "0 B",
    "stages": 1,
}
"""DCQCN with the default settings of RoCE adapters."""


def seldom(interval: str) -> dict:
    """Notifications, at most one in this time."""
    return {"cnp": {"interval": interval}}


def dcqcn(mark: dict, interval: str, rule: dict, **besides) -> dict:
    """DCQCN."""
    return {"mark": mark, "notify": seldom(interval), "react": {"dcqcn": rule | besides}}


def quick(mark: dict) -> dict:
    """A congestion control table with a timer of 8 us, and marks for 15 % of departing packets."""
    ((kind, parameters),) = mark.items()
    return {"mark": {kind: parameters | {"share": 0.15}}, "notify": "cnp", "react": {"cct": {"timer": "8 us"}}}


def ultra(control: str, spared: bool) -> dict:
    """Ultra Ethernet: marks from 0.2 to 0.8 of a bandwidth-delay product; `spared`: not for packets to a host."""
    red = {"min": "30 kB", "max": "120 kB", "probability": 1.0, "for_rate": "100 Gbit/s", "spare_last_hop": spared}
    return {"mark": {"red": red}, "transport": {"uet": {"congestion_control": control}}}


TERNARY = {"tcd": {"for_rate": "25 Gbit/s"}}
ISOLATION = {"ccfit": {"queues": 4, "notices": "in-band"}}
"""As in 802.1Qcz."""

PRESETS = {
    "none": {},
    "naive": {"mark": "naive", "react": "lipd"},
    "input-triggered": {"mark": "input-triggered", "react": "lipd"},
    "input-output-triggered": {"mark": "input-output-triggered", "react": "lipd"},
    "output-triggered": {"mark": "output-triggered", "react": "lipd"},
    "ib-cc": {"mark": "fecn", "notify": "cnp", "react": "cct"},
    "dcqcn-paper": dcqcn(RED, "50 us", PAPER),
    "dcqcn-paper-window": dcqcn(RED, "50 us", PAPER, window="bdp"),
    "dcqcn-vendor": dcqcn(VENDOR_RED, "4 us", VENDOR),
    "dcqcn-vendor-window": dcqcn(VENDOR_RED, "4 us", VENDOR, window="bdp"),
    "dctcp": {"mark": STEP, "react": "dctcp"},
    "timely": {"react": "timely"},
    "hpcc": {"react": "hpcc"},
    "hpcc-pint": {"react": {"hpcc": {"round_trip": "13 us", "pint": {}}}},
    "power-tcp": {"react": "power-tcp"},
    "theta-power-tcp": {"react": {"power-tcp": {"signal": "delay", "gain": 0.7}}},
    "swift": {"react": "swift"},
    "tcd-dcqcn": dcqcn(TERNARY, "50 us", PAPER),
    "tcd-timely": {"mark": TERNARY, "react": "timely"},
    "tcd-ib-cc": {"mark": TERNARY, "notify": "cnp", "react": "cct"},
    "pcn": {"mark": "np-ecn", "react": "pcn"},
    "ith": quick({"fecn": {"enter": f"{4 * 2048} B", "gap": f"{2 * 2048} B"}}),
    "ib-ith": quick({"fecn": {"enter": f"{6 * 2048} B", "gap": f"{2 * 2048} B"}}),
    "fbicm": {"isolate": "fbicm"},
    "ccfit": {"isolate": "ccfit"} | quick({"root": {}}),
    "hfdi": {"isolate": "hfdi"},
    "ecocc": {"isolate": "ecocc"} | quick({"root": {}}),
    "qcz-dcqcn": {"isolate": ISOLATION} | dcqcn(RED, "50 us", PAPER),
    "ici": {"isolate": ISOLATION}
    | dcqcn({"root": {"packet_size": "0 B", "marking_rate": 0, "only_set_aside": True}}, "50 us", PAPER),
    "bfc": {"isolate": "bfc"},
    "efl": {"transport": "efl"},
    "efl-bw-probe": {"transport": {"efl": {"delay_probing": False, "prediction": "none"}}},
    "efl-plain": {"transport": {"efl": {"probe_packets": 0, "prediction": "none"}}},
    "new-reno": {"transport": "new-reno"},
    "irn": {"transport": "irn"},
    "uec-nscc": ultra("nscc", spared=False),
    "uec-rccc": ultra("rccc", spared=True),
    "uec-both": ultra("both", spared=True),
}


def whole(scheme: dict) -> dict:
    """All parts of a scheme: those that it names, and otherwise its preset's."""
    parts = NOTHING | PRESETS[given(scheme, "preset", "none")]
    return {"persistent": bool(scheme.get("persistent"))} | {
        name: given(scheme, name, part) for name, part in parts.items()
    }
