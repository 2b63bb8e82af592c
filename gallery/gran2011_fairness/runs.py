"""Every run of the paper, by name. The bed is that of gran_common/scenario.py with the host bus of this paper (HOSTS).

Flows start one per phase of a second (quick: 50 ms, 326 periods of the CCTI timer); sweeps have shorter phases, which
the README lists. Repetitions are seeds: without congestion control nothing is random.
"""

from itertools import pairwise

from ..common.names import repeated
from ..gran_common.one_set import BUS, PREFIX
from ..gran_common.scenario import SCENARIO_1, congestion_control, test_bed

HOSTS = {"inject": "13165 Mbit/s", "drain": "13469 Mbit/s"}
"""The host bus of this paper: 13.0 Gbit/s of payload into the network, 13.3 out of it (OQ-I16)."""
ONE_SWITCH = {"H1": ("H1", "H4"), "H2": ("H2", "H5"), "H3": ("H3", "H5"), "H6": ("H6", "H5"), "H7": ("H7", "H5")}
"""Figure 2: a reference flow and four contributors, by the host that sends."""
CONTRIBUTORS = tuple(list(ONE_SWITCH)[1:])
ORDERS = (("H2", "H3", "H6", "H7"), ("H7", "H6", "H3", "H2"), ("H3", "H7", "H2", "H6"), ("H6", "H2", "H7", "H3"))
ORDERS += (("H7", "H2", "H6", "H3"),)
GAPS = (0, 0.5, 1, 1.25, 2, 4)
"""Hysteresis, in payloads of a full packet."""
ONE, TWO = "0 B", "2560 B"
"""No gap: one threshold. A gap a little above one packet: two."""
RATES = {0: 75, 1: 150, 3: 450, 10: 1500, 30: 4500}
"""Marking_Rate: CCTI_Timer, in its units. The paper pairs 1 with 150 and 10 with 1500."""
ENTERS = (6, 8, 12, 16)
"""One threshold, KiB, where every packet is marked (Marking_Rate 0) and nothing is random."""
TREES = ((2, 2), (2, 3), (4, 2), (4, 3))
CHAINS = ((3, 5), (4, 4))
"""(N, D): ports of a switch, and links on the longest path."""


def runs(quick=False):
    """Named scenarios; ``quick`` has few seeds and short phases."""
    named = {}
    phase = 50 if quick else 1000
    one_switch(named, phase, 2 if quick else 5)
    one_set(named, phase, quick)
    sweeps(named, quick, 1 if quick else 3)
    two_switches(named, phase, quick, 1 if quick else 3)
    trees(named, quick)
    return named


def bed(flows, phase, rep, name, **changes):
    """The test bed with the host bus of this paper."""
    return test_bed(flows, phase_ms=phase, seed=rep + 1, name=name, **HOSTS, **changes)


def add(named, family, repetitions, flows, phase, parameters=None, **changes):
    """Adds the repetitions of a run of the test bed."""

    def build(rep, name):
        return bed(flows, phase, rep, name, **changes)

    repeated(named, family, repetitions, build, **(parameters or {}))


def one_switch(named, phase, seeds):
    """Figures 3, 4 and 7: one switch, without control, with one threshold, with two; and other orders of starts.

    Two variants help to understand one threshold: every packet marked in the state, and a lower threshold.
    """
    for family, count, control in (
        ("off", 1, None),
        ("single", seeds, congestion_control(gap=ONE)),
        ("double", seeds, congestion_control(gap=TWO)),
        ("every", seeds, congestion_control(gap=ONE, marking_rate=0)),
        ("low", seeds, congestion_control(gap=ONE, enter="4 KiB")),
    ):
        add(named, family, count, ONE_SWITCH, phase, control=control, one_switch=True)
    for kib in ENTERS:
        control = congestion_control(gap=ONE, marking_rate=0, enter=f"{kib} KiB")
        add(named, "all", 1, ONE_SWITCH, phase, {"kib": kib}, control=control, one_switch=True)
    for number, order in enumerate(ORDERS):
        flows = {host: ONE_SWITCH[host] for host in ("H1", *order)}
        parameters = {"number": number}
        add(named, "order", 1, flows, phase, parameters, control=congestion_control(gap=ONE), one_switch=True)


def one_set(named, phase, quick):
    """Two thresholds with the one set for Papers I to III, which is that of Paper III."""
    for family, seeds, flows, more in (
        ("double", 2 if quick else 5, ONE_SWITCH, {"one_switch": True}),
        ("fair", 1 if quick else 3, SCENARIO_1, {}),
    ):

        def build(rep, name, flows=flows, more=more):
            control = congestion_control()
            return test_bed(flows, phase_ms=phase, seed=rep + 1, name=name, control=control, **BUS, **more)

        repeated(named, f"{PREFIX}{family}", seeds, build)


def sweeps(named, quick, seeds):
    """Section IV.B: the gap; thresholds on the sum of queues."""
    phase = 25 if quick else 200
    for gap in (0, 1.25, 4) if quick else GAPS:
        control = congestion_control(gap=f"{round(2048 * gap)} B")
        add(named, "gap", seeds, ONE_SWITCH, phase, {"mtu": gap}, control=control, one_switch=True)
    add(named, "common", seeds, ONE_SWITCH, phase, control=congestion_control(fill="sum"), one_switch=True)
    few = {flow: SCENARIO_1[flow] for flow in ("F1", "F2", "F3")}
    for place, enter in (("below", "8 KiB"), ("above", "31 KiB")):
        add(named, "queue", seeds, few, phase, {"enter": place}, control=congestion_control(fill="sum", enter=enter))


def two_switches(named, phase, quick, seeds):
    """Figures 9, 11 and 12: the parking lot of two switches; marking rates with timers to match."""
    add(named, "lot", 1, SCENARIO_1, phase)
    add(named, "fair", seeds, SCENARIO_1, phase, control=congestion_control(fill="sum"))
    for rate, timer in RATES.items():
        if quick and rate > 10:
            continue
        control = congestion_control(fill="sum", marking_rate=rate, timer=timer)
        length = max(phase, 52 * timer * 1.024e-3)
        add(named, "rate", 1 if rate not in (1, 10) else seeds, SCENARIO_1, length, {"mr": rate}, control=control)


def trees(named, quick):
    """Figure 10 and its formulas: all hosts send to one."""

    def all_to_one(topology, hosts, to, duration_ms, name):
        scenario = test_bed({}, name=name, **HOSTS)
        scenario["topology"] = topology
        scenario["traffic"] = [{"name": "all", "from": [host for host in hosts if host != to], "to": to}]
        scenario["measure"] = {"duration": f"{duration_ms} ms", "warm_up": f"{duration_ms / 5:g} ms"}
        return scenario

    for k, n in TREES:

        def tree(rep, name, k=k, n=n):
            hosts = [f"h{i}" for i in range(k**n)]
            duration = (60 if quick else 300) if k**n > 16 else 20
            return all_to_one({"k-ary-n-tree": {"k": k, "n": n}}, hosts, "h0", duration, name)

        repeated(named, "tree", 1, tree, k=k, n=n)
    for ports, hops in CHAINS:

        def chain(rep, name, ports=ports, hops=hops):
            topology = merging_chain(ports, hops - 1)
            return all_to_one(topology, topology["graph"]["hosts"], "sink", 40, name)

        repeated(named, "chain", 1, chain, N=ports, D=hops)


def merging_chain(ports, switches):
    """Switches in a row towards a sink, every port of each of them used: one out, the others in.

    S1 has the sink and all but one of its other ports hosts; the last switch has hosts only.
    """
    names = [f"S{i}" for i in range(1, switches + 1)]
    hosts, links = ["sink"], [["sink", "S1"]]
    for depth, switch in enumerate(names):
        for number in range(1, ports - 1 + (depth == switches - 1)):
            hosts.append(f"{switch}_{number}")
            links.append([f"{switch}_{number}", switch])
    links += [list(pair) for pair in pairwise(names)]
    return {"graph": {"hosts": hosts, "switches": names, "links": [{"a": a, "b": b} for a, b in links]}}
