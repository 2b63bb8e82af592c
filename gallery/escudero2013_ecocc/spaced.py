"""Four trees whose hot nodes are a quarter of the network apart: ``python -m gallery.escudero2013_ecocc.spaced``.

Prints throughput of HFDI and EcoCC over that of VOQnet, and of EcoCC over HFDI, on the three networks: means in [1, 2]
and [1, 4] ms with their intervals, by draw of the hot sources. Some minutes of a core; with a number after it, that
network alone.
"""

import sys

from .scenario import DURATION_MS, HOT_MS, JUDGED, READINGS, nodes, pattern, stand_in
from .study import Study
from .tried import spaced

DRAWS = {1: 3, 2: 10, 3: 1}
"""By network."""
PAIRS = (("hfdi", "voqnet"), ("ecocc", "voqnet"), ("ecocc", "hfdi"))
SPANS = (HOT_MS, (HOT_MS[0], DURATION_MS))


def levels(network, technique, seed):
    """Mean throughput in each span."""
    from congestree.runs.running import run_whole

    reading = READINGS.get(stand_in(technique, JUDGED), READINGS[JUDGED])
    scenario = spaced(pattern(network, 2, technique, reading, seed, f"spaced {technique}"))
    view = Study.view(run_whole(scenario))
    return [float(view.mean(span)) for span in SPANS]


def main():
    """Run and print."""
    from congestree.evaluation.measures import mean_and_interval

    print("| nodes | ratio | span, ms | mean | by draw |\n| --- | --- | --- | --- | --- |")
    for network, draws in ((n, DRAWS[n]) for n in map(int, sys.argv[1:] or DRAWS)):
        found = {t: [levels(network, t, seed + 1) for seed in range(draws)] for t in ("hfdi", "ecocc", "voqnet")}
        for above, below in PAIRS:
            for place, span in enumerate(SPANS):
                both = zip(found[above], found[below], strict=True)
                ratios = [one[place] / other[place] for one, other in both]
                mean, half = mean_and_interval(ratios)
                told = f"{mean:.3f} ± {half:.2g}" if draws > 1 else f"{mean:.3f}"
                each = " ".join(f"{ratio:.3f}" for ratio in ratios)
                print(f"| {nodes(network)} | {above}/{below} | {span} | {told} | {each} |", flush=True)


if __name__ == "__main__":
    main()
