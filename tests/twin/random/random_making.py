"""Random small scenarios of messages: with gaps between them, in bursts, of drawn sizes, within groups of hosts.

Networks and everything else are those of `random_scenarios`, or of `random_go_back`, where a gap may begin when all
of a message is acknowledged. `PYTHONPATH=. python tests/twin/random/random_making.py SEED` prints one.
"""

import json
import random
import sys

from random_go_back import random_go_back
from random_scenarios import random_scenario
from reference.network import topology


def random_making(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"making {seed}")
    repaired = rng.random() < 0.5
    scenario = (random_go_back if repaired else random_scenario)(rng.randrange(10**6))
    mtu, hosts = int(scenario["adapters"]["mtu"].split()[0]), len(topology.build(scenario).hosts)
    for entry in scenario["traffic"]:
        entry.pop("queue_pairs", None)
        if rng.random() < 0.3 and (groups := [size for size in range(2, hosts) if hosts % size == 0]):
            entry.pop("to", None)
            entry |= {"from": "all", "pattern": {"groups": {"size": rng.choice(groups)}}}
        if "moving" not in entry.get("pattern", ()):
            # Of a source that draws destinations the engine counts every gap from when the last message was made.
            entry["arrivals"] = random_arrivals(rng, repaired and one_way(entry))
        if rng.random() < 0.6 and ({"gaps", "messages"} & {*entry["arrivals"]}):
            entry.pop("message", None)
            entry["sizes"] = random_sizes(rng, mtu)
        elif "poisson" in entry["arrivals"] and rng.random() < 0.6:
            entry.pop("message", None)
            entry["sizes"] = pareto(rng, mtu)
    return scenario


def one_way(entry: dict) -> bool:
    """All messages of a source go to one host."""
    return "to" in entry or entry["pattern"] == "permutation" or "shift" in entry["pattern"]


def random_arrivals(rng: random.Random, may_wait: bool) -> dict:
    """A few messages; a gap may wait for all of the last one to be acknowledged."""
    kind = rng.choice(["gaps", "gaps", "burst", "poisson"])
    if kind == "gaps":
        after = rng.choice(["made", "done"] if may_wait else ["made"])
        return {"gaps": {"mean": rng.choice(["1 us", "5 us", "13.3 us"]), "after": after}}
    if kind == "poisson":
        return {"poisson": {"load": rng.choice([0.1, 0.5])}}
    every = rng.choice(["2 us", "7.7 us"])
    count = rng.randint(1, 9)
    return {"messages": {"count": count, "every": every, "burst": min(count, rng.choice([1, 2, 3]))}}


def random_sizes(rng: random.Random, mtu: int) -> dict:
    """By formula, or by a table, which may be one that was published."""
    if rng.random() < 0.5:
        return pareto(rng, mtu)
    own = random.Random(f"table {rng.getstate()[1][:2]}")
    if own.random() < 0.3:
        return {"cdf": own.choice(["data-mining", "enterprise", "web-search"])}
    rows = sorted({1, mtu, rng.randint(2, 4 * mtu), 3 * mtu})
    shares = [*sorted(rng.choice([0.1, 0.25, 0.5, 0.8]) for _ in rows[1:]), 1.0]
    return {"cdf": [{"size": f"{row} B", "share": share} for row, share in zip(rows, shares, strict=True)]}


def pareto(rng: random.Random, mtu: int) -> dict:
    """By formula, at most some packets."""
    most = {"most": f"{rng.choice([2, 5]) * mtu} B"}
    return {"pareto": {"shape": rng.choice([1.2, 2.5]), "mean": f"{mtu} B"} | most}


if __name__ == "__main__":
    print(json.dumps(random_making(int(sys.argv[1])), indent=1))
