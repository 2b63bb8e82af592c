"""Changes tried for the claims that are not reproduced: ``python -m gallery.common.tried escudero2013-ecocc``.

Placements of the ranks, which the paper does not give; throttles of set A instead of set III, alone and with the change
that keeps IB-ITh from reacting to short bursts; and hosts that do not skip stopped destinations under HFDI, as those
under EcoCC do.
"""

import random
from functools import partial

from ..common.tried import Change
from .scenario import PACKET, READINGS, TECHNIQUES, nodes, scheme
from .traces import NETWORK, PROGRAMS


def placed(scenario, placement):
    """The ranks of the program are elsewhere."""
    job, *others = scenario["traffic"]
    return scenario | {"traffic": [job | {"job": job["job"] | {"placement": placement}}, *others]}


def by_switch(scenario):
    """The four nodes of a switch have four ranks in a row; which switch is drawn."""
    switches = list(range(nodes(NETWORK) // 4))
    random.Random(scenario["seed"]).shuffle(switches)
    return placed(scenario, {"given": {"hosts": [f"h{4 * switch + node}" for switch in switches for node in range(4)]}})


def few(scenario, places):
    """Hosts hold this many packets between flows and link, except under VOQnet, where there is no such memory."""
    adapters = scenario["adapters"]
    return (
        scenario | {"adapters": adapters | {"injection_buffer": places}} if "injection_buffer" in adapters else scenario
    )


def spaced(scenario):
    """Hot nodes are a quarter of the network apart, so that the paths to all of them use the same links upwards."""
    hot = [entry for entry in scenario["traffic"] if entry["name"].startswith("hot")]
    apart = 4 ** scenario["topology"]["k-ary-n-tree"]["n"] // len(hot)
    sources = {source for entry in hot for source in entry["from"]}
    first = int(hot[0]["to"].removeprefix("h"))
    sets = ([f"h{(first + shift) % apart + place * apart}" for place in range(len(hot))] for shift in range(apart))
    roots = next(nodes for nodes in sets if not sources & set(nodes))
    moved = {entry["name"]: root for entry, root in zip(hot, roots, strict=True)}
    traffic = [
        entry | {"to": moved[entry["name"]]} if entry["name"] in moved else entry for entry in scenario["traffic"]
    ]
    return scenario | {"traffic": traffic}


def isolated(scenario, **more):
    """Other keys of HFDI."""
    scheme = scenario["scheme"]
    if scheme["preset"] != "hfdi":
        return scenario
    return scenario | {"scheme": scheme | {"isolate": {"hfdi": scheme["isolate"]["hfdi"] | more}}}


def with_set_a(scenario):
    """Timer and share of marks are those of set A, not of Paper III, where a program runs."""
    technique = scenario["scheme"]["preset"]
    again = scheme(NETWORK, technique, READINGS["a"], "all", 2) if technique != "none" else scenario["scheme"]
    return scenario | {"scheme": again}


def throttled(scenario, key, value):
    """Set A, and another value of a key of the throttle, or of what marks for it, under IB-ITh."""
    scenario = with_set_a(scenario)
    scheme = scenario["scheme"]
    if scheme["preset"] != "ib-ith":
        return scenario
    role = "react" if key == "timer" else "mark"
    part = next(iter(scheme[role]))
    more = {"timer": value} if key == "timer" else {"enter": f"{value * PACKET} B"}
    return scenario | {"scheme": scheme | {role: {part: scheme[role][part] | more}}}


def named(cases, programs, techniques):
    """How the names of runs with routing by digits begin."""
    return tuple(
        f"trace_case-{case}_program-{program}_by-{technique}_ways-digits"
        for case in cases
        for program in programs
        for technique in techniques
    )


SC1 = named((1,), PROGRAMS, TECHNIQUES)
ALONE = (
    "p6-fig8a-beff-voqnet",
    "p6-fig8a-ptrans-voqnet",
    "p6-fig8a-beff-ecocc",
    "p6-fig8a-ptrans-ecocc",
)
WORST = ("p6-fig8-1vl-ibith-worst",)
SHORT_CROWDS = named((1, 2), PROGRAMS, ("1vl", "ib-ith", "ecocc"))
"""Runs of the claim about them, and of the pairs that it is decided by."""
JUDGING = ("1vl_reading-any", "ib-ith_reading-iii", "hfdi_reading-a", "ecocc_reading-iii", "voqnet_reading-any")
"""Techniques in the reading that judges."""
NETS = tuple(
    f"net_n-{network}_pattern-{pattern}_by-{technique}_r{seed}"
    for network in (1, 2)
    for pattern in (1, 2, 3)
    for technique in JUDGING
    for seed in range(3)
)
CAUSES = ("cause_n-1_by-hfdi", "cause_n-2_by-hfdi")
"""Further runs of one of the claims."""
TEN = tuple(name.removesuffix("r0") for name in NETS if "n-1_pattern-2" in name and name.endswith("_r0"))
"""The draws of hot nodes of Table 3 on network #1, of which there are ten."""
PORTS = ("port_n-1", "port_n-2", "ports_n-1", "ports_n-2")
"""Where inputs have one read port."""
TRIED = [
    Change(
        "hold",
        "hosts under HFDI do not pass over stopped destinations",
        (
            "p6-fig7-p1-ecocc-near-voqnet",
            "p6-fig7-p1-hfdi-equal",
            "p6-fig7-p2-ecocc-over-hfdi",
            "p6-order-overall",
            "p6-table3-ecocc-hfdi-net1",
            "p6-fig11-order",
        ),
        (*NETS, *TEN, *PORTS),
        partial(isolated, hosts_skip_stopped=False),
    ),
    Change(
        "set-a",
        "throttles of set A, not of set III",
        ("p6-fig8a-beff-ecocc", "p6-fig8a-ptrans-ecocc", "p6-fig8a-ecocc-hfdi-similar", *WORST),
        (*SC1, *SHORT_CROWDS),
        with_set_a,
    ),
    Change(
        "local",
        "HFDI sets flows aside at the root as well",
        ("p6-fig7-p2-ecocc-over-hfdi",),
        tuple(name for name in NETS if "pattern-2" in name),
        partial(isolated, local=True),
    ),
    Change(
        "few",
        "hosts hold 2 packets, not 8",
        (
            "p6-fig7-p2-hfdi-degrades",
            "p6-fig7-p2-ecocc-over-hfdi",
            "p6-table3-ecocc-hfdi-net2",
            "p6-fig7-p1-hfdi-equal",
        ),
        (*NETS, *CAUSES),
        partial(few, places=2),
    ),
    Change(
        "spaced",
        "hot nodes a quarter of the network apart",
        ("p6-fig7-p2-hfdi-degrades", "p6-fig7-p2-ecocc-over-hfdi", "p6-table3-ecocc-hfdi-net2"),
        (*(name for name in NETS if "pattern-3" not in name), *CAUSES),
        spaced,
    ),
    Change("linear", "ranks in the order of nodes", ALONE, SC1, partial(placed, placement="linear")),
    Change("by-switch", "four ranks in a row on each switch", ALONE, SC1, by_switch),
    *(
        Change(
            f"{key}-{value}".replace(" ", ""),
            words,
            WORST,
            SHORT_CROWDS,
            partial(throttled, key=key, value=value),
        )
        for key, value, words in (
            ("high", 16, "set A, and IB-ITh marks above 16 packets, not 6"),
            ("high", 48, "set A, and IB-ITh marks above 48 packets, not 6"),
            ("timer", "2 us", "set A, and IB-ITh's CCTI_Timer is 2 us, not 8"),
            ("timer", "0.5 us", "set A, and IB-ITh's CCTI_Timer is 0.5 us, not 8"),
        )
    ),
]
