"""Changes tried for the claims that are not reproduced: ``python -m gallery.common.tried hpl2002``."""

import random

from ..common.tried import Change
from ..hp_common.scenario import LINK


def wider(scenario):
    """The victim alone has a window of two packets, so that it need not wait for each ACK."""
    traffic = [entry | {"window": 2} if entry["name"] == "victim" else entry for entry in scenario["traffic"]]
    return scenario | {"traffic": traffic}


PPM = 100
"""How far a clock may deviate from its nominal rate, in InfiniBand and Ethernet alike."""


def clocks(scenario):
    """Each host sends by a clock of its own: its link is up to PPM slower or faster, drawn anew for every start."""
    counts = scenario["topology"]["two-switch"]
    own = {
        f"{switch}_{number + 1}": switch
        for switch, key in (("B", "local"), ("A", "remote"))
        for number in range(counts[key])
    }
    own["A_V"] = "A"
    dice = random.Random(scenario["name"].rsplit("_", 1)[-1])
    links = [
        {"a": host, "b": switch, "rate": f"{round(8 * LINK * (1 + dice.uniform(-PPM, PPM) / 1e6))} bit/s"}
        for host, switch in own.items()
    ]
    links += [{"a": a, "b": b} for a, b in (("B_C", "B"), ("B_V", "B"), ("A", "B"))]
    graph = {"hosts": [*own, "B_C", "B_V"], "switches": ["A", "B"], "links": links}
    return scenario | {"topology": {"graph": graph}}


TRIED = [
    Change(
        "clocks",
        "clocks of hosts differ by up to 100 ppm",
        ("hpl2002-fig7-discrete-equals-continuous",),
        ("fig7_",),
        clocks,
    ),
    Change(
        "victim-window",
        "the victim has a window of two",
        (
            "hpl2002-fig2b-bypass-artefact",
            "hpl2002-fig4b-no-spreading",
            "hpl2002-fig4d-root-high",
            "hpl2002-fig7-lipd-root",
            "hpl2002-fig7-lipd-fimd-interswitch",
        ),
        ("fig2b", "fig4b", "fig4d", "fig7_fn-lipd_rates-continuous", "fig7_fn-fimd_rates-continuous"),
        wider,
    ),
]
