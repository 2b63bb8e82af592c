"""The tuned scenarios: the test bed and forests of congestion trees over the public grid of 2,808 settings, and a web
search workload over all settings that adapters and switches can hold. Nothing here was chosen by its results.

    testbed    seven hosts, five flows: the shipped scenario llnl-grid, unchanged, 50 ms
    forest72   the silent forest of Gran's Paper IV on 72 hosts, two hot hosts, 5 ms
    forest648  the same on 648 hosts, eight hot hosts
    websearch  32 hosts on a fat tree, 25 Gbit/s, pauses, flows of the web search table at half load, 20 ms
"""

import dataclasses
import itertools
from functools import cache

from congestree.gallery import shipped
from congestree.runs import running
from congestree.tune import SPACES

from ..gran2012_scope import scenario as scope
from ..gran2012_scope.runs import Scale

HOT = {"forest72": 2, "forest648": 8}
RADIX = {"forest72": 12, "forest648": 36}
MS, WARM_UP = 5, 1
"""Length of the forests, and the warm-up that is left out, ms."""
CONTRIBUTORS = "F2-F3 through the trunk + F4-F5 on the switch of H5"
WEB_MS, QUICK_WEB_MS = 20, 4
PRESETS = ("dcqcn-vendor", "dcqcn-paper")


def space(quick=False):
    """The grid; quick: every other value of three parameters, and the first two tables."""
    grid = SPACES["llnl-grid"]
    if not quick:
        return grid
    thinned = tuple(dataclasses.replace(p, choices=p.choices[1::4][:3]) for p in grid.parameters[:3])
    tables = dataclasses.replace(grid.parameters[3], choices=grid.parameters[3].choices[:2])
    return dataclasses.replace(grid, parameters=(*thinned, tables))


def settings(space):
    """All settings of a grid, the last parameter varying fastest."""
    names = [p.name for p in space.parameters]
    return [dict(zip(names, point, strict=True)) for point in itertools.product(*(p.choices for p in space.parameters))]


@cache
def base(part, quick=False):
    """The unchanged scenario of a part, resolved."""
    if part == "testbed":
        values = {"sweep": {}, "measure.duration": "20 ms"} if quick else {"sweep": {}}
        found = running.check(shipped.scenario_path("llnl-grid"), values=values)["scenario"]
        found.pop("sweep", None)
        return found
    scale = Scale(radix=RADIX[part], ms=1 if quick else MS, table2=1, seeds=1, shares={}, moves={}, hot=HOT[part])
    scenario = scope.silent(scale, True, 1, part)
    scenario["measure"] |= {"warm_up": f"{WARM_UP * scale.ms / MS:g} ms"}
    return running.check(scenario)["scenario"]


def goals(part, quick=False):
    """The goals of a part, one at a time: {word: goal}."""
    if part == "testbed":
        return {"victim": "rate:F1 victim", "root": "use:H5", "fairness": f"fairness:{CONTRIBUTORS}"}
    traffic = base(part, quick)["traffic"]
    crowds = [entry for entry in traffic if "to" in entry]
    hot, names = (" + ".join(entry[key] for entry in crowds) for key in ("to", "name"))
    return {"victim": "rate:V", "root": f"use:{hot}", "fairness": f"fairness:{names}"}


def web(preset, quick=False):
    """Web search at half load under one of the presets."""
    ms = QUICK_WEB_MS if quick else WEB_MS
    return {
        "name": f"web search at half load, {preset}",
        "topology": {"fat-tree": {"radix": 4 if quick else 8}},
        "links": {"rate": "25 Gbit/s", "delay": "500 ns", "flow_control": "pfc"},
        "switches": {
            "shared_memory": {"size": "4 MB"},
            "switching": "store-and-forward",
            "forwarding_delay": "300 ns",
        },
        "adapters": {"mtu": "1000 B", "header": "48 B"},
        "scheme": {"preset": preset, "route": "ecmp"},
        "traffic": [
            {
                "name": "web",
                "from": "all",
                "pattern": "uniform",
                "flows": "by-message",
                "sizes": {"cdf": "web-search"},
                "arrivals": {"poisson": {"load": 0.5}},
            }
        ],
        "measure": {"duration": f"{ms} ms", "warm_up": f"{ms / 10:g} ms"},
    }
