"""The two-switch network of the HP reports as a scenario (HPL section 3 and Table 1, ECN Table I).

    B_1 .. B_L ──┐                      L local sources on B, R remote sources on A, all send to B_C.
    A_1 .. A_R ──A──────B── B_C         The victim A_V sends to B_V and meets the others only on A->B.
    A_V ─────────┘      └── B_V         root = B->B_C, inter-switch link = A->B

Every default below is a reading that the README of the paper lists; a run changes only the parameters that it studies.
"""

LINK = 1e9
"""Bandwidth of every link, bytes/s."""
PACKET = 2068
"""A data packet on the wire, bytes: 2048 and a header of 20."""
BIN_MS = 0.5
"""Width of a bin in all series, ms; the intervals of the claims are whole numbers of bins."""
STAGGER_US = 100
"""Flows start so far apart, locals first."""
ROOT, INTER = "B->B_C", "A->B"


def two_switch(
    local,
    remote,
    *,
    buffer=4,
    window=1,
    mark="none",
    react="none",
    persistent=False,
    bypass_limit=4,
    victim=(40, 60),
    rates=None,
    dynamic=0,
    mean_on_ms=None,
    duration_ms=100,
    warm_up_ms=0,
    probes=(),
    rep=0,
    name="",
):
    """One run as a scenario, in the form of a scenario file.

    buffer         packet slots at every input port
    window         unacknowledged packets a flow may have; None: no window, no ACKs
    mark, react    the scheme's two parts, as in a scenario file
    bypass_limit   times the oldest packet of an output may be passed; None: no limit
    victim         interval in which the victim sends, ms; None: from the start to the end
    rates          fixed rate limits per flow, bytes/s: {"local": ..., "remote": ..., "victim": ...}
    dynamic        this many of the locals and of the remotes are ON-OFF with mean times mean_on_ms
    rep            0: starts exactly 100 us apart; k > 0: plus a random offset below 100 us, seed k
    """
    rates = rates or {}
    scenario = {
        "name": name,
        "seed": max(rep, 1),
        "topology": {"two-switch": {"local": local, "remote": remote}},
        "links": {
            "rate": "1 GB/s",
            "flow_control": {"packet-slots": {"credit_delay": "0 ns", "control": "own-room"}},
        },
        "switches": {
            "buffer": f"{buffer} packets",
            "queues": "voq",
            "read_ports": "one",
            "arbiter": {"fifo": {} if bypass_limit is None else {"bypass_limit": bypass_limit}},
            "switching": "cut-through",
            "forwarding_delay": "40 ns",
        },
        "adapters": {"mtu": "2048 B", "header": "20 B", "ack": "20 B"},
        "scheme": {"mark": mark, "react": react, "persistent": persistent},
        "traffic": [],
        "measure": {"duration": ms(duration_ms), "warm_up": ms(warm_up_ms), "bin": ms(BIN_MS), "probes": list(probes)},
    }
    if window is not None:
        scenario["adapters"]["window"] = window

    def add(kind, sources, first, on_off=False, stop=None):
        entry = {"name": kind, "from": sources, "to": "B_V" if kind == "victim" else "B_C", "start": first}
        if stop is not None:
            entry["stop"] = stop
        if on_off:
            entry["name"] += "-dynamic"
            entry["arrivals"] = {"on-off": {"on": ms(mean_on_ms), "off": ms(mean_on_ms)}}
        if len(sources) > 1:
            entry["stagger"] = f"{STAGGER_US} us"
        if rep:
            entry["jitter"] = f"{STAGGER_US} us"
        if kind in rates:
            entry["rate"] = f"{round(8 * rates[kind])} bit/s"
        scenario["traffic"].append(entry)

    order = 0
    for kind, prefix, count in (("local", "B_", local), ("remote", "A_", remote)):
        hosts = [f"{prefix}{i}" for i in range(1, count + 1)]
        for members, on_off in ((hosts[: count - dynamic], False), (hosts[count - dynamic :], True)):
            if members:
                add(kind, members, f"{STAGGER_US * order} us", on_off)
                order += len(members)
    if victim is None:
        add("victim", ["A_V"], f"{STAGGER_US * order} us")
    elif victim:
        add("victim", ["A_V"], ms(victim[0]), stop=ms(victim[1]))
    return scenario


def ms(value):
    """A number of milliseconds as text."""
    return f"{value:g} ms"


def controlled(mark, react="lipd", **parameters):
    """The keys of a controlled run: a marking policy by its short name, and a response function.

    naive, input, scan, exempt (input-triggered, sparing outputs blocked in the last 10 us), trigger<n> (input-triggered
    from n packets on), io<n> (input-output-triggered, threshold n), out<n> (output-triggered alone).
    """
    policies = {
        "naive": "naive",
        "input": "input-triggered",
        "scan": {"input-triggered": {"feedback": "scan"}},
        "exempt": {"input-triggered": {"exempt_blocked": "10 us"}},
    }
    if mark in policies:
        policy = policies[mark]
    elif mark.startswith("trigger"):
        policy = {"input-triggered": {"trigger": int(mark.removeprefix("trigger"))}}
    elif mark.startswith("io"):
        policy = {"input-output-triggered": {"output_threshold": int(mark.removeprefix("io"))}}
    elif mark.startswith("out"):
        policy = {"output-triggered": {"output_threshold": int(mark.removeprefix("out"))}}
    else:
        raise ValueError(mark)
    return {"mark": policy, "react": {react: parameters} if parameters else react}
