"""The dispatches evaluated in other ways: ``python -m gallery.deepep_moe.readings ranks|draws``.

*ranks*, a single exchange: of the slowest rank, as the claims had it; of the mean rank, until its last message has
arrived; of the median. *draws*: five draws of experts, of the slowest rank. The fixed cost is fitted to 8 ranks each
time, as in the claims; the printed values are divided by the published ones, with control off and adaptive routes.
"""

import sys

import numpy as np

from .scenario import PUBLISHED, RANKS, exchange

TOLD = {"slowest": np.max, "mean": np.mean, "median": np.median}
SEEDS = (1, 2, 3, 4, 5)
DISPATCH = 0
"""The tag of its messages."""


def arrivals(ranks, seed=1):
    """When every rank has all that it is sent in the dispatch, us."""
    from congestree.runs.running import run_whole

    scenario = exchange(f"{ranks} ranks", ranks, "off", "adaptive") | {"seed": seed}
    scenario["measure"] = scenario["measure"] | {"probes": ["messages"]}
    messages = run_whole(scenario).table("messages")
    messages = messages.filter(messages["tag"] == DISPATCH)
    to, delivered = messages["to"].to_numpy(), messages["delivered"].to_numpy()
    return np.array([delivered[to == rank].max() for rank in range(ranks)]) * 1e6


def beside(network):
    """{ranks: us} in the network divided by the published value, with the fixed cost."""
    published = PUBLISHED["dispatch"]
    fixed = published[8] - network[8]
    return [fixed, *((network[ranks] + fixed) / published[ranks] for ranks in RANKS[1:])]


def main():
    """Run and print."""
    if sys.argv[1] == "ranks":
        found = {ranks: arrivals(ranks) for ranks in RANKS}
        told = {word: {ranks: how(times) for ranks, times in found.items()} for word, how in TOLD.items()}
    else:
        told = {f"draw {seed}": {ranks: arrivals(ranks, seed).max() for ranks in RANKS} for seed in SEEDS}
    print("| told | fixed, us |", " | ".join(f"{ranks} ranks" for ranks in RANKS[1:]), "|")
    print("|" + " --- |" * (len(RANKS) + 1))
    for word, network in told.items():
        fixed, *ratios = beside(network)
        print(f"| {word} | {fixed:.1f} |", " | ".join(f"{ratio:.3f}" for ratio in ratios), "|", flush=True)


if __name__ == "__main__":
    main()
