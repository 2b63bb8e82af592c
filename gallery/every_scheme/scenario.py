"""One fabric and one traffic under every scheme.

    a1 a2 a3 a4   victim   mouse          b1 b2 b3 b4   hot   idle
       \\  \\  |     |       /                \\  \\  |    /     /
               left ------------------------------ right

All links carry 40 Gbit/s. a1 ... a4 and b1 ... b4 send to `hot` as fast as they may; `victim` sends to `idle`, and
shares with a1 ... a4 nothing but the way from left to right; `mouse` sends it messages of 16 kB now and then. By
max-min fairness every sender to `hot` has an eighth of a link, and the victim the rest of the shared one.

What a scheme needs of its link layer differs, and nothing else: see SCHEMES.
"""

RATE = 40e9
"""bit/s."""
PACKET, HEADER = 2048, 48
"""Payload and header of a full packet, bytes."""
FAR = tuple(f"a{i}" for i in range(1, 5))
NEAR = tuple(f"b{i}" for i in range(1, 5))
MOUSE_LOAD = 0.02
VICTIM_SHARE = 1 - len(FAR) / (len(FAR) + len(NEAR)) - MOUSE_LOAD
"""What max-min fairness leaves the victim of the way that it shares."""
BUFFER = 128
"""KiB of memory of an input."""

CREDITS = {"byte-credits": {"block": "64 B", "credit_delay": "100 ns"}}
PFC = {"pfc": {"response": "100 ns"}}
ETHERNET = {"flow_control": PFC, "mark": {"red": {"min": "5 kB", "max": "64 kB", "probability": 0.01}}}
"""Marks of DCQCN: Kmin and Pmax as in its paper; Kmax is half of the memory of an input, to mark before it pauses."""


ISOLATION = {"detect_above": True, "stop_at": "next-packet"}
"""How FBICM and CCFIT are read on the page of their paper."""


def throttled(preset, **scheme):
    """InfiniBand: credits, notifications in a lane of their own, the throttle of Paper III whoever marks."""
    throttle = {"notify": {"cnp": {"lane": 1}}, "react": {"cct": {"timer": "153.6 us"}}}
    return {"flow_control": CREDITS, "scheme": {"preset": preset, **throttle, **scheme}, "lanes": 2}


SCHEMES = {
    "credits": {"label": "credits, 1 queue", "flow_control": CREDITS, "queues": "single"},
    "voq": {"label": "credits, VOQ", "flow_control": CREDITS},
    "pfc": {"label": "PFC", "flow_control": PFC},
    "dcqcn-paper": {"label": "DCQCN, paper", **ETHERNET, "scheme": {"preset": "dcqcn-paper"}},
    "dcqcn-vendor": {"label": "DCQCN, vendor", **ETHERNET, "scheme": {"preset": "dcqcn-vendor"}},
    "rcm": {"label": "RCM", "flow_control": PFC, "scheme": {"rcm": {}}},
    "rcm-dcqcn": {"label": "RCM, DCQCN", **ETHERNET, "scheme": {"preset": "dcqcn-vendor", "rcm": {}}},
    "ib-cc": {"label": "IB CC", **throttled("ib-cc")},
    "fbicm": {
        "label": "FBICM",
        "flow_control": CREDITS,
        "queues": "single",
        "scheme": {"preset": "fbicm", "isolate": {"fbicm": ISOLATION}},
    },
    "ccfit": {
        "label": "CCFIT",
        **throttled("ccfit", isolate={"ccfit": ISOLATION}, mark={"root": {"marking_rate": 1}}),
        "queues": "single",
    },
    "hfdi": {"label": "HFDI", "flow_control": CREDITS, "scheme": {"preset": "hfdi"}},
    "ecocc": {"label": "EcoCC", **throttled("ecocc", mark={"root": {"marking_rate": 1}})},
    "voqnet": {
        "label": "VOQnet",
        "flow_control": CREDITS,
        "queues": {"voqnet": {"buffer": "12 KiB"}},
    },
}
"""What each one says differently. Absent: virtual output queues, no scheme, no marks, one lane."""


def fabric():
    """Two switches, twelve hosts left and right."""
    left, right = (*FAR, "victim", "mouse"), (*NEAR, "hot", "idle")
    return {
        "hosts": [*left, *right],
        "switches": ["left", "right"],
        "links": [
            {"a": "left", "b": "right"},
            *({"a": host, "b": "left"} for host in left),
            *({"a": host, "b": "right"} for host in right),
        ],
    }


def scenario(name, scheme, seed, duration_ms=100, warm_up_ms=50):
    """The run of one scheme."""
    says = SCHEMES[scheme]
    lanes = says.get("lanes", 1)
    chosen = dict(says.get("scheme", {}))
    if "mark" in says:
        chosen["mark"] = says["mark"]
    switches = {
        "buffer": f"{BUFFER} KiB",
        "queues": says.get("queues", "voq"),
        "switching": "cut-through",
        "forwarding_delay": "200 ns",
    }
    if lanes > 1:
        switches["lane_buffers"] = [f"{BUFFER} KiB", "8 KiB"]
    if switches["queues"] == "single":
        switches |= {"read_ports": "one", "arbiter": {"islip": {"iterations": 3, "matching": "slotted"}}}
    if scheme == "voqnet":
        del switches["buffer"]
    pauses = ["pauses"] if "pfc" in says["flow_control"] else []
    return {
        "name": name,
        "seed": seed,
        "topology": {"graph": fabric()},
        "links": {"rate": "40 Gbit/s", "delay": "100 ns", "flow_control": says["flow_control"], "lanes": lanes},
        "switches": switches,
        "adapters": {"mtu": f"{PACKET} B", "header": f"{HEADER} B"},
        "scheme": chosen,
        "traffic": [
            {"name": "far", "from": list(FAR), "to": "hot"},
            {"name": "near", "from": list(NEAR), "to": "hot"},
            {"name": "victim", "from": "victim", "to": "idle"},
            {
                "name": "mouse",
                "from": "mouse",
                "to": "idle",
                "message": "16 kB",
                "flows": "by-message",
                "arrivals": {"poisson": {"load": MOUSE_LOAD}},
            },
        ],
        "measure": {
            "duration": f"{duration_ms} ms",
            "warm_up": f"{warm_up_ms} ms",
            "bin": "0.1 ms",
            "probes": ["flows", "completions", *pauses],
        },
    }
