"""Changes tried for the claims that are not reproduced: ``python -m gallery.roce_hosts.beside``, two minutes of a core.

Messages in flight on one to sixteen queue pairs; DCQCN with a ramp of marks with more seeds; four senders for longer.
"""

from ..common.study import Sample
from ..common.tried import judged
from .runs import runs
from .scenario import FLIGHT, JOIN_MS, KIB, LINE, MARKS, PUBLISHED, dcqcn
from .study import View

JOINS, FOURS, LONGER_MS = 80, 20, 1000
"""Seeds of a flow that joins and of four senders, and for how long these are run, ms."""
PAIRS = (8, 4, 2)


def divided(scenario, pairs):
    """The 16 in flight are divided among this many queue pairs; T0 is fitted again to the published value at 32 KiB
    alone.

    Q S / (T0 + P S / C) for P queue pairs and Q in flight: with one it is the pipeline, with Q the fixed-cost law.
    """
    size = 32 * KIB
    cost = FLIGHT * size / (PUBLISHED[32] * 1e9) - pairs * size / LINE
    entry = scenario["traffic"][0] | {"queue_pairs": pairs}
    adapters = scenario["adapters"] | {"queue_depth": FLIGHT // pairs, "message_cost": f"{cost * 1e12:.0f} ps"}
    return scenario | {"traffic": [entry], "adapters": adapters}


def published(pairs):
    """What decides the claim about 64 KiB, and its verdict."""
    named = {name: scenario for name, scenario in runs().items() if name.startswith("published_way-")}
    changed = {name: divided(scenario, pairs) for name, scenario in named.items()}
    return judged("roce-hosts", changed, ("fixed-cost-64",))


def joined():
    """When a flow that joins has its share with a ramp, by seed, ms."""
    from congestree.runs.running import run_whole

    named = (dcqcn("joins", 2, 250, JOIN_MS, seed + 1, "ramp") for seed in range(JOINS))
    return Sample([View(run_whole(scenario)).converged() for scenario in named])


def settled(marks):
    """The least and the most that one of four senders has, by seed, Gbit/s."""
    from congestree.runs.running import run_whole

    named = (dcqcn("four", 4, LONGER_MS, 0, seed + 1, marks) for seed in range(FOURS))
    rates = [View(run_whole(scenario)).settled() for scenario in named]
    return Sample([each.min() for each in rates]), Sample([each.max() for each in rates])


def main():
    """Run and print."""
    from congestree.evaluation.measures import mean_and_interval

    def told(word, sample):
        mean, half = mean_and_interval(sample.values)
        print(f"| {word} | {mean:.3g} ± {half:.2g} | {sample.spread()} |", flush=True)

    print("| queue pairs | claim | what decides | verdict |\n| --- | --- | --- | --- |")
    for pairs in PAIRS:
        for claim, words in published(pairs).items():
            print(f"| {pairs} | {claim} | {' | '.join(words)} |", flush=True)
    print("\n| what | mean | spread |\n| --- | --- | --- |")
    told("joins, ramp, ms", joined())
    for marks in MARKS:
        for word, sample in zip(("least", "most"), settled(marks), strict=True):
            told(f"four senders for {LONGER_MS} ms, {marks}, {word}, Gbit/s", sample)


if __name__ == "__main__":
    main()
