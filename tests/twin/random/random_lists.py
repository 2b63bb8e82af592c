"""Random small scenarios of messages that are listed, or drawn for incasts, in addition to the traffic of other files.

Each of those messages is a flow of its own. Others have sizes that are drawn, one by one or from a table in a file.
`PYTHONPATH=. python tests/twin/random/random_lists.py SEED` prints one.
"""

import json
import random
import sys
from pathlib import Path

from random_finite import random_finite
from random_scenarios import random_scenario
from reference.network import topology

GIVEN = Path(__file__).parents[1] / "given"


def random_lists(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"lists {seed}")
    scenario = rng.choice([random_scenario, random_finite])(rng.randrange(10**6))
    hosts = topology.build(scenario).hosts
    adapters = scenario.setdefault("adapters", {})
    adapters.pop("queue_depth", None)
    mtu = int(adapters.get("mtu", "2048 B").split()[0])
    scenario["traffic"] = scenario["traffic"][: rng.choice([1, 2])]
    for entry in scenario["traffic"]:
        if entry.get("flows") == "by-message" and rng.random() < 0.6:
            entry.pop("message", None)
            entry["sizes"] = random_sizes(rng, mtu)
            if "poisson" in entry["arrivals"]:
                entry["arrivals"] = {"gaps": {"mean": rng.choice(["2 us", "7 us"])}}
    for _ in range(rng.choice([1, 1, 2])):
        entry = random_entry(rng, hosts, mtu)
        if "injected" not in entry.values() and "react" not in scenario["scheme"] and rng.random() < 0.3:
            entry["window"] = rng.choice([1, 2, 5])
        scenario["traffic"].append(entry)
    rng.shuffle(scenario["traffic"])
    return scenario


def random_sizes(rng: random.Random, mtu: int) -> dict:
    """By formula, or by the table in a file."""
    if rng.random() < 0.5:
        return {"cdf": str(GIVEN / "sizes.txt")}
    return {"pareto": {"shape": rng.choice([1.2, 2.5]), "mean": f"{mtu} B", "most": f"{4 * mtu} B"}}


def random_entry(rng: random.Random, hosts: list[str], mtu: int) -> dict:
    """An entry of listed messages."""
    entry = {"start": rng.choice(["0 ns", "0 ns", "1.5 us"])}
    if rng.random() < 0.3:
        entry["stop"] = rng.choice(["8 us", "30 us"])
    kind = rng.choice(["rows", "rows", "incast", "incast", "incast", "injected", "file"])
    if kind == "injected":
        return {"from": rng.sample(hosts, 1), "arrivals": "injected"}
    if kind == "file" and {"h0", "h1"} <= {*hosts}:
        return entry | {"list": str(GIVEN / "messages.csv")}
    sizes = [f"{size} B" for size in (1, mtu // 2, mtu, mtu + 1, 3 * mtu)]
    if kind != "incast":
        rows = []
        for _ in range(rng.randint(1, 12)):
            source, to = rng.sample(hosts, 2)
            at = rng.choice(["0 ns", "1 us", "1 us", "2.068 us", "9 us", "12.3 us"])
            rows.append({"at": at, "from": source, "to": to, "message": rng.choice(sizes)})
        return entry | {"list": rows}
    return entry | random_incast(rng, hosts) | {"message": rng.choice(sizes)}


def random_incast(rng: random.Random, hosts: list[str]) -> dict:
    """To one host, or to any; once, at a fixed distance, or after random gaps."""
    entry = {"from": rng.sample(hosts, rng.randint(2, len(hosts))) if rng.random() < 0.5 else "all"}
    own = [*hosts] if entry["from"] == "all" else entry["from"]
    entry |= {"to": rng.choice(hosts)} if rng.random() < 0.6 else {"pattern": "uniform"}
    most = len(own) - (entry.get("to") is None or entry["to"] in own)
    incast = {"senders": rng.randint(1, max(1, most))}
    how = rng.random()
    if how < 0.4:
        incast |= {"count": rng.randint(1, 5), "every": rng.choice(["1 us", "4.4 us", "20 us"])}
    elif how < 0.8:
        incast |= {"load": rng.choice([0.1, 0.4]), "count": rng.randint(1, 9)}
    return entry | {"arrivals": {"incast": incast}}


if __name__ == "__main__":
    print(json.dumps(random_lists(int(sys.argv[1])), indent=1))
