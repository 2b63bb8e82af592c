"""The fat tree of the paper as scenarios: hot spots (Fig. 8) and applications (Fig. 9).

Three layers of 12-port switches, 432 hosts, 100 Gbit/s; switches and schemes are those of `scenario`, and ECMP chooses
paths. The reduced form has 6-port switches and 54 hosts, and everything else in proportion: a pod is a group, an eighth
of the hosts is hot.

Readings of what the paper leaves open (OQ-R04, R11 to R13, R16): a host makes messages of 64 kB at random instants,
85 % of them for any other host and 15 % for one of the hot ones, and a message is a flow; an application is a pod, in
which every host starts flows to the others at random instants; latency is the completion time of messages.
"""

from .scenario import ENTRIES, REGION, SCHEMES, network, regions
from .tables import MOST, rows

RADIX = {False: 12, True: 6}
"""Ports of a switch, in the full and in the quick form."""
LOAD = 0.6
"""Of every host's link, in Fig. 9."""
LOADS = (0.6, 0.8, 1.0)
"""Of every host's link, in Fig. 8."""
HOT_SHARE, HOT_PART = 0.15, 8
"""Share of the messages for hot hosts, and one of how many hosts is one."""
MESSAGE = "64 kB"
WARM_UP = {"hot": "100 us", "enterprise": "1 ms", "data-mining": "4 ms"}
"""Flows count after this time: without a warm-up, delivered traffic would be far below the offered load."""
DURATION = {
    False: {"hot": "600 us", "enterprise": "6 ms", "data-mining": "20 ms"},
    True: {"hot": "600 us", "enterprise": "2 ms", "data-mining": "6 ms"},
}
"""In the full and in the quick form."""
LONG = "60 ms"
"""Of enterprise flows, whose elephants outlast the others."""
GROUP = RADIX[False] ** 2 // 4
"""Hosts of an application: a pod."""
MOMENTS = {
    "enterprise": (162_264.6, 0.00278187, 0.72207025),
    "data-mining": (12_658_198.6, 0.04788104, 0.99014541),
}
"""Of the tables of sizes: mean in bytes, and above 10 MB the share of the flows and of the bytes."""
FABRIC_SCHEMES = SCHEMES | {"sar": SCHEMES["rcm"] | {"schedule": {"rcm": REGION | {"reroute": True}}}}
FABRIC_SCHEMES["sarnoroot"] = SCHEMES["rcm"] | {"schedule": {"rcm": REGION | {"reroute": True, "root_control": False}}}
FABRIC_SCHEMES["sarentries"] = SCHEMES["rcm"] | {"schedule": {"rcm": REGION | ENTRIES | {"reroute": True}}}
FABRIC_SCHEMES["sarfirst"] = SCHEMES["rcm"] | {
    "schedule": {"rcm": REGION | {"reroute": True, "pacing": "behind-others"}}
}
"""RCM with and without the second stage, in which other flows are routed around a region (OQ-R04). Not judged:
`sarnoroot`, where roots hold no flow; `sarentries`, where samples are random and each has an entry; `sarfirst`, where
other flows have priority."""
BESIDE = {
    "sarnoroot": "no control at roots",
    "sarentries": "each look by chance written",
    "sarfirst": "others first, no windows",
}
CAPPED = ("dcqcn", "sar")
"""Schemes that are run with sizes that are cut, too, and for long."""


def hosts(quick):
    """The number of hosts: radix^3 / 4."""
    return RADIX[quick] ** 3 // 4


def tree(scheme, traffic, name, seed, kind, quick, probes=(), duration=None):
    """A scenario of the whole fabric. duration: replaces DURATION."""
    duration, warm_up = duration or DURATION[quick][kind], WARM_UP[kind]
    topology = {"fat-tree": {"radix": RADIX[quick], "layers": 3}}
    scenario = network(
        topology, FABRIC_SCHEMES[scheme] | {"route": "ecmp"}, traffic, name, seed, duration=duration, bin="100 us"
    )
    scenario["measure"] |= {"warm_up": warm_up, "probes": ["completions", *probes]}
    return scenario


def hot_spots(scheme, load, name, seed, quick=False):
    """Fig. 8: 85 % of the messages to anybody, 15 % to the hot eighth of the hosts, which lie evenly in the tree."""
    hot = [f"h{i}" for i in range(HOT_PART // 2, hosts(quick), HOT_PART)]
    common = {"from": "all", "message": MESSAGE, "flows": "by-message"}

    def poisson(share):
        return {"arrivals": {"poisson": {"load": round(load * share, 6)}}}

    traffic = [
        {"name": "background", "pattern": "uniform", **common, **poisson(1 - HOT_SHARE)},
        {"name": "hot", "pattern": {"hot-spot": {"to": hot, "fraction": 1.0}}, **common, **poisson(HOT_SHARE)},
    ]
    return tree(scheme, traffic, name, seed, "hot", quick, regions(FABRIC_SCHEMES[scheme]) if scheme == "sar" else ())


def application(scheme, sizes, name, seed, quick=False, cut=False, duration=None):
    """Fig. 9: one group for each pod, flows to the others of the group at random instants, at 60 % of every link.

    `cut`: larger flows are cut to `tables.MOST`, and there are more flows of all sizes, to the same load.
    """
    traffic = [
        {
            "name": sizes,
            "from": "all",
            "pattern": {"groups": {"size": RADIX[quick] ** 2 // 4}},
            "flows": "by-message",
            "sizes": {"cdf": rows(sizes, MOST) if cut else sizes},
            "arrivals": {"poisson": {"load": LOAD}},
        }
    ]
    return tree(scheme, traffic, name, seed, sizes, quick, duration=duration)
