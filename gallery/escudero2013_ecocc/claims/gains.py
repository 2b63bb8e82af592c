"""Claims about average gains: Table 3, with several read ports and with one, and figure 11."""

from functools import partial

from ...common.judge import Finding
from ...common.study import Missing
from ..paper import check
from ..runs import PORT
from ..scenario import DURATION_MS, HOT_MS, JUDGED, OWN
from ..study import gain

LONG = (1, DURATION_MS)
WHOLE = (0, DURATION_MS)
ROWS = {
    "p6-table3-ecocc-1vl-net1": ("1vl", 1),
    "p6-table3-ecocc-1vl-net2": ("1vl", 2),
    "p6-table3-ecocc-ibith-net1": ("ib-ith", 1),
    "p6-table3-ecocc-ibith-net2": ("ib-ith", 2),
    "p6-table3-ecocc-hfdi-net1": ("hfdi", 1),
    "p6-table3-ecocc-hfdi-net2": ("hfdi", 2),
    "p6-abstract-55": ("ib-ith", 1),
}
SINGLE = {
    "p6-table3-m1": ("1vl", 1),
    "p6-table3-m2": ("1vl", 2),
    "p6-table3-m3": ("ib-ith", 1),
    "p6-table3-m4": ("ib-ith", 2),
    "p6-table3-m5": ("hfdi", 1),
    "p6-table3-m6": ("hfdi", 2),
    "p6-table3-m7": ("voqnet", 1),
    "p6-table3-m8": ("voqnet", 2),
}


def both(study, over, network):
    """Gain of EcoCC in every reading, in [1, 2] ms, to the end, and over the whole run."""
    values = {}
    for reading in study.readings(partial(study.runs, network, 2)):
        values[f"set {reading}"] = study.gain(network, 2, "ecocc", over, reading)
        for span in (LONG, WHOLE):
            values[f"set {reading}, [{span[0]}, {span[1]}] ms"] = study.gain(network, 2, "ecocc", over, reading, span)
    return values


def judged(values):
    """The gains in the reading by which is judged."""
    if f"set {JUDGED}" not in values:
        raise Missing(f"set {JUDGED}")
    return values[f"set {JUDGED}"]


def row(id):
    over, network = ROWS[id]

    def judge(study):
        values = both(study, over, network)
        for changed, technique in OWN.items():
            if over == technique:
                values |= study.causes(changed, "ecocc", lambda one, other, span: gain(other, one, span))
        return Finding(values, note=judged(values).spread())

    check(id)(judge)


for each in ROWS:
    row(each)


@check("p6-table3-ecocc-voqnet")
def like_voqnet(study):
    values = {f"{n}, {key}": value for n in networks(study) for key, value in both(study, "voqnet", n).items()}
    return Finding(values, note="by network")


def networks(study):
    """Those of Table 3 that were run."""
    return [network for network in study.networks(patterns=(2,)) if network < 3]


def single(study, over, network, span=HOT_MS, reading=JUDGED):
    """Gain of CCFIT where inputs have one read port."""
    pairs = zip(study.port(network, "ccfit", reading), study.port(network, over, reading), strict=True)
    return study.sample_of([gain(a, b, span) for a, b in pairs])


def single_row(id):
    over, network = SINGLE[id]

    def judge(study):
        values = {}
        for reading in study.readings(partial(study.port, network), PORT):
            values[f"set {reading}"] = single(study, over, network, reading=reading)
            values[f"set {reading}, [1, 4] ms"] = single(study, over, network, LONG, reading)
        return Finding(values, note=judged(values).spread())

    check(id)(judge)


for each in SINGLE:
    single_row(each)


@check("p6-s4.4-m1")
def two_hybrids(study):
    """The gains of EcoCC and CCFIT over the same techniques, each in its own kind of switch."""
    values = {}
    for network in networks(study):
        for over in ("1vl", "ib-ith", "hfdi", "voqnet"):
            values[f"network {network}, over {over}: ecocc"] = study.gain(network, 2, "ecocc", over, JUDGED)
            values[f"network {network}, over {over}: ccfit"] = single(study, over, network)
    return Finding(values, note=f"set {JUDGED.upper()}, [1, 2] ms")


@check("p6-s4.4-m2")
def ports(study):
    values = {}
    for span in (HOT_MS, LONG):
        several = study.mean(1, 2, "1vl", "a", span)
        one = study.sample(("port", 1, "1vl"), lambda view: view.mean(span))  # noqa: B023 (called at once)
        values |= {f"several ports, [{span[0]}, {span[1]}] ms": several, f"one port, [{span[0]}, {span[1]}] ms": one}
    return Finding(values, note="64 nodes")


@check("p6-fig11-order")
def one_port_order(study):
    """Throughput of all techniques where inputs have one read port."""
    values = {}
    for network in networks(study):
        for reading in study.readings(partial(study.port, network), PORT):
            values[f"network {network}, set {reading}"] = {t: one_port(study, network, t, reading) for t in PORT}
    return Finding(values, note="[1, 2] ms")


def one_port(study, network, technique, reading):
    """Mean throughput in [1, 2] ms where inputs have one read port."""
    return study.sample_of([view.mean(HOT_MS) for view in study.port(network, technique, reading)])
