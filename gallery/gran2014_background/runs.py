"""Every run about chapters 1 to 3 of the thesis, by name; networks and traffic are built in scenario.py.

Most runs are short, because the statements are about mechanisms; quick only shortens the phases of the two over time.
"""

from ..common.names import single
from ..gran2012_scope import scenario as scope
from ..gran2012_scope.runs import Scale
from ..gran_common.scenario import congestion_control, test_bed
from .scenario import (
    crowd,
    crowd_aside,
    figure_2_4,
    low_order,
    one_switch,
    private_links,
    slow_host,
    timed,
    tree,
    trees_through_a_port,
)

QUEUES = ("single", "voq", "net", "hfdi")
"""One FIFO an input; a queue an output (VOQsw); a queue and credits a destination (VOQnet); VOQsw, hot flows aside."""
WEIGHTS = tuple(range(1, 16))
WEIGHED_BUFFER = 256 * 1024
"""Buffer in which the steps of the threshold can be distinguished, bytes."""
INDEX = {"increase": 4, "limit": 16, "min": 2, "timer": "50 us", "table": {"linear": {"delay": "1037 ns", "at": 1}}}
"""A table whose entries are as many packet times as their index, and a timer that acts within milliseconds."""
MESH_LOAD = 0.8
REST_LOAD = 0.3
"""Load of the uniform traffic in the mesh, per receiver, and in the tree, per host."""
FORESTS = Scale(radix=8, ms=10, table2=1, seeds=1, shares={}, moves={}, hot=2)
"""A fat tree of 32 hosts, two of them hot, for the three kinds of forests (Paper IV, section III)."""


def runs(quick=False):
    """Named scenarios; ``quick`` has shorter phases."""
    named = {}
    single(named, "tree24", lambda name: figure_2_4(False, "single", name=name))
    for queues in QUEUES:
        single(named, "cold", lambda name, q=queues: figure_2_4(True, q, name=name), queues=queues)
    for queues in QUEUES[:2]:
        single(named, "order", lambda name, q=queues: low_order(q, name=name), queues=queues)
    for word, spread in (("fixed", False), ("spread", True)):
        single(named, "routes", lambda name, s=spread: tree(s, REST_LOAD, name=name), up=word)
    for trees in (1, 2):
        single(named, "aside", lambda name, n=trees: trees_through_a_port(n, 1, name=name), trees=trees)
    single(named, "lines", lambda name: crowd_aside(name=name))
    single(named, "mesh", lambda name: private_links(MESH_LOAD, name=name))
    single(named, "fattree", lambda name: tree(False, 0.01, duration_ms=0.01, name=name))
    infiniband(named, 50 if quick else 200)
    lossless(named)
    for kind, build in KINDS.items():
        single(named, "forest", lambda name, b=build: looked_at(b(name)), kind=kind)
    return named


KINDS = {
    "silent": lambda name: scope.silent(FORESTS, False, 1, name),
    "windy": lambda name: scope.windy(FORESTS, 100, 0.5, False, 1, name),
    "moving": lambda name: scope.moving(FORESTS, "V20", 40, False, 1, name),
}
"""C nodes with V nodes; B nodes with p = 50; C nodes whose hot hosts change every 2.5 ms, with V nodes."""


def looked_at(scenario):
    """The scenario with samples of its congestion trees."""
    scenario["measure"] |= {"probes": ["trees"], "sampling_interval": "20 us"}
    return scenario


def infiniband(named, phase):
    """Section 2.3.2: the parameters of InfiniBand congestion control, one by one."""
    for per in ("qp", "sl"):
        single(named, "level", lambda name, p=per: shared_host(p, name), per=per)
    single(named, "zero", lambda name: crowd(3, congestion_control(mark={"threshold": 0}, enter=None), name=name))
    for weight in WEIGHTS:
        single(named, "burst", lambda name, w=weight: burst(w, name), weight=weight)
    for weight in (1, 8, 15):
        single(named, "bursty", lambda name, w=weight: bursty(w, name), weight=weight)
    everything = congestion_control(marking_rate=0, packet_size=0)
    single(named, "all", lambda name: crowd(3, everything, probes=("events", "deliveries"), name=name))
    for word in ("none", "hosts"):
        single(named, "mask", lambda name, w=word: slow_host(w, name=name), ports=word)
    index = congestion_control(react=INDEX)
    single(
        named, "index", lambda name: crowd(6, index, duration_ms=20, probes=("flows", "events"), bin="10 us", name=name)
    )
    for word, control in (("off", None), ("on", congestion_control())):
        single(named, "swing", lambda name, c=control: test_bed(phase_ms=phase, control=c, name=name), cc=word)
    for gap in (0, 1, 2):
        single(named, "gap", lambda name, g=gap: hysteresis(g, phase, name), mtu=gap)
    for notify in ("cnp", "ack"):
        single(named, "answers", lambda name, n=notify: answers(n, name), by=notify)


def lossless(named):
    """Section 2.1.4: crowds that stop, so that whatever was sent must have come."""
    for word in ("byte-credits", "packet-slots"):
        single(named, "stop", lambda name, w=word: stopped_crowd(w, name), flow=word)


def shared_host(per, name):
    """H1 sends to the congested H5, and to H4, which has no other traffic; H2 and H3 send to H5, too."""
    traffic = {
        "hot": {"from": "H1", "to": "H5"},
        "cold": {"from": "H1", "to": "H4"},
        "others": {"from": ["H2", "H3"], "to": "H5"},
    }
    control = congestion_control(react={"per": per})
    return one_switch(traffic, scheme=control, duration="100 ms", warm_up="30 ms", name=name)


def burst(weight, name):
    """Two hosts start to send to one: the state is entered when a queue has reached the threshold. None reacts."""
    control = congestion_control(enter=None, mark={"threshold": weight}) | {"react": "none"}
    return crowd(2, control, buffer=f"{WEIGHED_BUFFER} B", probes=("events", "deliveries"), duration_ms=2, name=name)


def bursty(weight, name):
    """Eight hosts with messages of 32 packets to uniform destinations, at a load of 0.8."""
    control = congestion_control(enter=None, mark={"threshold": weight}) | {"react": "none"}
    entry = {"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.8}}, "message": "64 KiB"}
    return one_switch(
        {"bursty": entry},
        hosts=8,
        buffer=f"{WEIGHED_BUFFER} B",
        scheme=control,
        probes=("events",),
        duration="20 ms",
        name=name,
    )


def hysteresis(gap, phase, name):
    """One switch, four contributors, as in Paper II."""
    flows = {"H1": ("H1", "H4")} | {host: (host, "H5") for host in ("H2", "H3", "H6", "H7")}
    control = congestion_control(gap=f"{2048 * gap} B")
    return test_bed(flows, phase_ms=phase, control=control, one_switch=True, name=name)


def answers(notify, name):
    """Two hosts are congested and send to each other, so that ACKs and CNPs meet congested outputs on their way."""
    traffic = {
        "to": {"from": ["H1", "H2", "H3"], "to": "H5"},
        "back": {"from": ["H4", "H5", "H6"], "to": "H2"},
    }
    control = congestion_control(marking_rate=0, packet_size=0)
    if notify == "ack":
        control["notify"] = "ack"
    return one_switch(traffic, scheme=control, duration="10 ms", name=name)


def stopped_crowd(flow_control, name):
    """Four hosts congest one and stop after 4 of 6 ms; the conservation laws are checked on the way."""
    scenario = crowd(4, congestion_control(), name=name)
    for entry in scenario["traffic"]:
        entry["stop"] = "4 ms"
    if flow_control == "packet-slots":
        scenario["links"]["flow_control"] = "packet-slots"
        scenario["switches"]["buffer"] = "15 packets"
        scenario["scheme"] = {"preset": "input-triggered"}
    scenario["measure"]["audit"] = True
    return timed(scenario, 6, 0)
